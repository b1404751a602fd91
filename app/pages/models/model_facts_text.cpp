// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_facts_text.h"

#include "app/pages/models/models_page.h"
#include "app/shell/job_bar.h"

#include <QStringList>

namespace homebooth::app {

QString modelFactsText(const core::Inspection& facts) {
    QStringList lines;
    if (!facts.problem.empty()) lines.append(QString::fromStdString(facts.problem));
    if (facts.family) lines.append(QString::fromUtf8(core::familyName(*facts.family).data()));
    QString size = diskText(facts.bytes);
    if (!facts.resolution.empty())
        size = ModelsPage::tr("Makes pictures of %1; %2").arg(QString::fromStdString(facts.resolution), size);
    lines.append(size);
    if (!facts.predictionType.empty()) {
        const QString kind = facts.predictionType == "epsilon" ? ModelsPage::tr("predicts noise (epsilon)")
                                                               : ModelsPage::tr("predicts v");
        lines.append(facts.predictionTypeKnown ? kind
                                               : ModelsPage::tr("%1; the file does not say it").arg(kind));
    }
    if (facts.kind == core::InspectedKind::Lora)
        lines.append(ModelsPage::tr("Add-on of rank %1 with %2 parts").arg(facts.rank).arg(facts.modules));
    if (!facts.triggerPhrase.empty())
        lines.append(ModelsPage::tr("Trigger: %1").arg(QString::fromStdString(facts.triggerPhrase)));
    for (const core::InspectedComponent& part : facts.components)
        lines.append(ModelsPage::tr("%1: %2 million weights, %3")
                         .arg(QString::fromStdString(part.name))
                         .arg(double(part.parameters) / 1e6, 0, 'f', 1)
                         .arg(QString::fromStdString(part.types)));
    for (const std::string& warning : facts.warnings) lines.append(QString::fromStdString(warning));
    return lines.join('\n');
}

} // namespace homebooth::app

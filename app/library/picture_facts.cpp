// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/picture_facts.h"

#include "core/base/text/generation_parameters.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

namespace homebooth::app {

PictureFacts PictureFacts::of(const core::PictureRecord& picture) {
    const core::GenerationParameters made = core::parseGenerationParameters(picture.parameters);
    PictureFacts facts;
    facts.headline = picture.prompt.empty() ? QFileInfo(QString::fromStdString(picture.path)).fileName()
                                            : QString::fromStdString(picture.prompt);
    if (!picture.model.empty()) facts.lines.append(QString::fromStdString(picture.model));
    QString size = tr("%1 x %2").arg(picture.widthPixels).arg(picture.heightPixels);
    if (made.seed) size = tr("seed %1, %2").arg(*made.seed).arg(size);
    facts.lines.append(size);
    if (!made.sampler.empty())
        facts.lines.append(tr("%1, %2 steps, guidance %3")
                               .arg(QString::fromStdString(made.sampler), QString::number(made.steps),
                                    QLocale().toString(made.guidanceScale, 'f', 1)));
    if (!made.negativePrompt.empty())
        facts.lines.append(tr("Leave out: %1").arg(QString::fromStdString(made.negativePrompt)));
    facts.lines.append(
        QLocale().toString(QDateTime::fromMSecsSinceEpoch(picture.createdMs), QLocale::ShortFormat));
    return facts;
}

} // namespace homebooth::app

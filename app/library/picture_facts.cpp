// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/picture_facts.h"

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
    if (weightsOf(made) == core::Quantization::Int8) facts.lines.append(tr("weights in 8 bits"));
    if (weightsOf(made) == core::Quantization::W8A8) facts.lines.append(tr("computed in 8 bits"));
    if (!made.negativePrompt.empty())
        facts.lines.append(tr("Leave out: %1").arg(QString::fromStdString(made.negativePrompt)));
    facts.lines.append(
        QLocale().toString(QDateTime::fromMSecsSinceEpoch(picture.createdMs), QLocale::ShortFormat));
    return facts;
}

core::Quantization weightsOf(const core::GenerationParameters& made) {
    for (const core::Quantization weights : {core::Quantization::Int8, core::Quantization::W8A8})
        for (const auto& [key, value] : made.others)
            if (key == "Quantization" && value == core::quantizationName(weights)) return weights;
    return core::Quantization::None;
}

} // namespace homebooth::app

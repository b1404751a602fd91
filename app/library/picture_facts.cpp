// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/picture_facts.h"

#include "app/library/when_text.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace homebooth::app {

QStringList PictureFacts::addOns(const core::GenerationParameters& made) {
    QStringList lines;
    for (const auto& [name, weight] : made.loraWeights)
        lines.append(tr("Add-on: %1 %2")
                         .arg(QString::fromStdString(name),
                              QLocale().toString(weight, 'g', QLocale::FloatingPointShortest)));
    if (!lines.isEmpty()) return lines;
    for (const auto& [name, hash] : made.loraHashes) // of other programs: their prompt has weights
        lines.append(tr("Add-on: %1").arg(QString::fromStdString(name)));
    return lines;
}

QStringList PictureFacts::method(const core::GenerationParameters& made) {
    QStringList lines;
    if (!made.sampler.empty())
        lines.append(tr("%1, %2 steps, guidance %3")
                         .arg(QString::fromStdString(made.sampler), QString::number(made.steps),
                              QLocale().toString(made.guidanceScale, 'f', 1)));
    if (core::usedKarrasSpacing(made)) lines.append(tr("Karras spacing"));
    if (core::usedTrailingSteps(made)) lines.append(tr("trailing spacing"));
    if (made.clipSkip > 0) lines.append(tr("clip skip %1").arg(made.clipSkip));
    if (made.strength > 0.0 && !wasEnlarged(made)) {
        const QString start =
            made.initImage.empty() ? tr("a picture") : QString::fromStdString(made.initImage);
        lines.append(tr("Started from %1, %2 % may change")
                         .arg(start, QLocale().toString(100.0 * made.strength, 'f', 0)));
    }
    return lines;
}

PictureFacts PictureFacts::of(const core::PictureRecord& picture) {
    const core::GenerationParameters made = core::parseGenerationParameters(picture.parameters);
    PictureFacts facts;
    facts.headline = picture.prompt.empty() ? QFileInfo(QString::fromStdString(picture.path)).fileName()
                                            : QString::fromStdString(picture.prompt);
    if (!picture.model.empty()) facts.lines.append(QString::fromStdString(picture.model));
    facts.lines += addOns(made);
    QString size = tr("%1 x %2").arg(picture.widthPixels).arg(picture.heightPixels);
    if (made.seed) size = tr("seed %1, %2").arg(*made.seed).arg(size);
    facts.lines.append(size);
    facts.lines += method(made);
    if (weightsOf(made) == core::Quantization::Int8) facts.lines.append(tr("weights in 8 bits"));
    if (weightsOf(made) == core::Quantization::W8A8) facts.lines.append(tr("computed in 8 bits"));
    if (!made.negativePrompt.empty())
        facts.lines.append(tr("Leave out: %1").arg(QString::fromStdString(made.negativePrompt)));
    facts.lines.append(dateAndTimeText(QDateTime::fromMSecsSinceEpoch(picture.createdMs)));
    return facts;
}

core::Quantization weightsOf(const core::GenerationParameters& made) {
    for (const core::Quantization weights : {core::Quantization::Int8, core::Quantization::W8A8})
        for (const auto& [key, value] : made.others)
            if (key == "Quantization" && value == core::quantizationName(weights)) return weights;
    return core::Quantization::None;
}

bool wasEnlarged(const core::GenerationParameters& made) {
    return std::any_of(made.others.begin(), made.others.end(),
                       [](const auto& one) { return one.first.starts_with("Hires"); });
}

} // namespace homebooth::app

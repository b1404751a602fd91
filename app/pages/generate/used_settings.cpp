// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/used_settings.h"

#include "app/engine/learned_words.h"
#include "app/library/picture_facts.h"
#include "core/base/text/generation_parameters.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

QString findModel(const std::string& name, const ModelShelf& models, ModelEntry::Kind kind) {
    const QString wanted = QString::fromStdString(name);
    const bool lora = kind == ModelEntry::Kind::Lora;
    for (const ModelEntry& entry : models.entries())
        if (entry.kind == kind && (entry.name == wanted || modelNameOf(entry.path) == wanted))
            return entry.path;
    for (const MomentEntry& moment : models.moments())
        if (lora && moment.lora && QFileInfo(moment.usable).completeBaseName() == wanted) return moment.path;
    return {};
}

void takeModel(const core::GenerationParameters& found, const QString& modelPath, const ModelShelf& models,
               UsedSettings& used) {
    const QString model =
        modelPath.isEmpty() ? findModel(found.model, models, ModelEntry::Kind::Model) : modelPath;
    if (models.knows(model))
        used.config.model = model.toStdString();
    else if (!found.model.empty())
        used.missing.append(QString::fromStdString(found.model));
}

/// "<lora:hat:0.8>", which other programs read in prompts and a text encoder would take for words: out of the
/// prompt, with its weight.
void takeTags(core::GenerationParameters& found) {
    static const QRegularExpression tag(
        QStringLiteral("\\s*,?\\s*<lora:([^:<>]+)(?::([^:<>]*))?(?::[^<>]*)?>"));
    static const QRegularExpression leading(QStringLiteral("^[,\\s]+"));
    QString prompt = QString::fromStdString(found.prompt);
    if (found.version.starts_with("Homebooth") || !prompt.contains(tag)) return;
    for (auto tags = tag.globalMatch(prompt); tags.hasNext();) {
        const QRegularExpressionMatch one = tags.next();
        const std::string name = one.captured(1).toStdString();
        bool fine = false;
        const double weight = one.captured(2).toDouble(&fine);
        found.loraWeights.emplace_back(name, fine && std::isfinite(weight) ? weight : 1.0); // "inf" is fine
        const bool listed = std::any_of(found.loraHashes.begin(), found.loraHashes.end(),
                                        [&name](const auto& hash) { return hash.first == name; });
        if (!listed) found.loraHashes.emplace_back(name, std::string());
    }
    found.prompt = prompt.remove(tag).remove(leading).toStdString();
}

void takeLoras(const core::GenerationParameters& found, const ModelShelf& models, UsedSettings& used) {
    used.config.loras.clear();
    for (const auto& [name, hash] : found.loraHashes) {
        const QString file = findModel(name, models, ModelEntry::Kind::Lora);
        if (file.isEmpty()) {
            used.missing.append(QString::fromStdString(name));
            continue;
        }
        const auto weight = std::find_if(found.loraWeights.begin(), found.loraWeights.end(),
                                         [&name = name](const auto& one) { return one.first == name; });
        used.config.loras.push_back(
            {file.toStdString(), weight == found.loraWeights.end() ? 1.0 : weight->second});
    }
}

/// The prompt names those that are here.
void noteMissingWords(const core::GenerationParameters& found, const ModelShelf& models, UsedSettings& used) {
    for (const auto& [word, hash] : found.embeddingHashes)
        if (!hasLearnedWord(models, word)) used.missing.append(QString::fromStdString(word));
}

/// Another model that went on with the picture, which is done nowhere here: "sd_xl_refiner_1.0 [7440042bbd]".
void noteRefiner(const core::GenerationParameters& found, UsedSettings& used) {
    for (const auto& [key, value] : found.others)
        if (key == "Refiner") used.missing.append(QString::fromStdString(value).section(" [", 0, 0));
}

/// Homebooth tells of weights in 8 bits, and of nothing where they were whole; other programs tell nothing.
void takeWeights(const core::GenerationParameters& found, UsedSettings& used) {
    const core::Quantization weights = weightsOf(found);
    if (weights != core::Quantization::None || found.version.starts_with("Homebooth")) used.weights = weights;
}

/// Whether the strength is that of enlarging the picture ("Hires upscale: 1.5"), which is done nowhere here.
bool wasEnlarged(const core::GenerationParameters& found) {
    return std::any_of(found.others.begin(), found.others.end(),
                       [](const auto& one) { return one.first.starts_with("Hires"); });
}

} // namespace

UsedSettings usedSettings(const QString& text, core::SampleConfig before, const QString& modelPath,
                          const ModelShelf& models) {
    core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    takeTags(found);
    UsedSettings used{std::move(before), {}, QString::fromStdString(found.initImage)};
    core::SampleConfig& config = used.config;
    config.prompt = found.prompt;
    config.negativePrompt = found.negativePrompt;
    if (found.steps > 0) config.steps = found.steps;
    if (found.guidanceScale > 0.0) config.guidanceScale = found.guidanceScale;
    if (found.seed) config.seed = *found.seed;
    if (found.widthPixels > 0) {
        config.widthPixels = found.widthPixels;
        config.heightPixels = found.heightPixels;
    }
    if (const auto sampler = core::samplerOfDisplayName(found.sampler)) config.sampler = sampler->first;
    config.karrasSigmas = core::usedKarrasSpacing(found);
    takeModel(found, modelPath, models, used);
    const auto family = models.familyOf(QString::fromStdString(config.model));
    config.clipSkip = core::clipSkipOf(found.clipSkip, family == core::ModelFamily::StableDiffusionXl);
    takeLoras(found, models, used);
    noteMissingWords(found, models, used);
    noteRefiner(found, used);
    takeWeights(found, used);
    config.initImage.clear();
    if (found.strength > 0.0 && !wasEnlarged(found)) config.strength = found.strength;
    return used;
}

} // namespace homebooth::app

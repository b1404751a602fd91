// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/used_settings.h"

#include "app/engine/models/learned_words.h"
#include "app/engine/models/model_hash_cache.h"
#include "app/library/picture_facts.h"
#include "app/pages/generate/not_taken.h"
#include "app/pages/generate/prompt/others_prompt.h"
#include "app/pages/generate/prompt/prompt_text.h"
#include "app/pages/generate/wanted_file.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/comfy_graph.h"
#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_syntax.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

bool isOurs(const core::GenerationParameters& found) {
    return found.version.starts_with("Homebooth");
}

bool isOfComfyUi(const core::GenerationParameters& found) {
    return found.version == core::kComfyUi;
}

/// Says of one that is not taken why. @param taken  another one stands in its place
void noteUntaken(const std::string& name, const Found& found, bool taken, UsedSettings& used) {
    const QString text = QString::fromStdString(name);
    if (found.several)
        used.untaken.append(UsedSettings::tr("Several here are called \"%1\", and nothing says which one is "
                                             "meant: choose it yourself.")
                                .arg(text));
    else if (found.next)
        used.undecided.append(text);
    else
        used.missing.append(text);
    if (!found.missing || !found.nameIsTaken) return;
    used.nameIsTaken = used.nameIsTaken || !taken;
    used.modelStandsIn = used.modelStandsIn || taken;
}

Wanted modelOf(const core::GenerationParameters& found) {
    return {found.model, found.modelHash, ModelEntry::Kind::Model};
}

void takeModel(const core::GenerationParameters& found, const QString& modelPath, const ModelShelf& models,
               const FileHashes& hashes, UsedSettings& used) {
    const Found model = modelPath.isEmpty() ? findWanted(modelOf(found), models, hashes) : Found{modelPath};
    const bool taken = models.knows(model.path);
    used.modelIsOpen = model.next.has_value();
    if (taken) used.config.model = model.path.toStdString();
    if ((!taken || model.missing) && !found.model.empty()) noteUntaken(found.model, model, taken, used);
}

/// Add-ons that stand in the prompt, as other programs have them, beside those that are listed.
struct TagNames {
    QStringList unknown = {}; ///< of what is no add-on here
    QStringList uneven = {};  ///< of those whose parts had weights of their own
};

TagNames takeTagsOf(core::GenerationParameters& found) {
    QString prompt = QString::fromStdString(found.prompt);
    TagNames names;
    for (const PromptTag& tag : takeTags(prompt)) {
        const std::string name = tag.name.toStdString();
        const std::string listedName = core::listedLoraName(name);
        if (tag.kind != QStringLiteral("lora")) {
            names.unknown.append(tag.name);
            continue;
        }
        if (tag.isUneven) names.uneven.append(tag.name);
        found.loraWeights.emplace_back(name, tag.weight);
        const auto listed =
            std::find_if(found.loraHashes.begin(), found.loraHashes.end(), [&listedName](const auto& hash) {
                return core::listedLoraName(hash.first) == listedName;
            });
        if (listed == found.loraHashes.end())
            found.loraHashes.emplace_back(name, std::string());
        else
            listed->first = name; // as the file is called, whose weight follows it
    }
    found.prompt = prompt.toStdString();
    return names;
}

/// @param names  of add-ons whose parts had weights of their own
void noteUneven(QStringList names, UsedSettings& used) {
    names.removeIf([&used](const QString& name) { return used.missing.contains(name); });
    if (!names.isEmpty())
        used.untaken.append(
            UsedSettings::tr("Parts of the add-on \"%1\" had weights of their own, which is not "
                             "done here: one counts for all of it.")
                .arg(names.join(QStringLiteral("\", \""))));
}

/// What a text of another program says in its prompts; ours, and ComfyUI's, are meant to the letter.
/// @returns  names of add-ons whose parts had weights of their own
QStringList takePrompts(core::GenerationParameters& found, UsedSettings& used) {
    if (isOurs(found)) return {};
    if (isOfComfyUi(found)) {
        QStringList uneven;
        for (const auto& [key, name] : found.others)
            if (key == core::kUnevenLoraKey) uneven.append(QString::fromStdString(name));
        return uneven;
    }
    const TagNames names = takeTagsOf(found);
    used.missing += names.unknown;
    if (found.steps == 0 && found.sampler.empty()) return names.uneven; // it may be somebody's own words
    bool changed = false;
    for (std::string* prompt : {&found.prompt, &found.negativePrompt}) {
        QString plain = QString::fromStdString(*prompt);
        changed = takeChanges(plain) || changed;
        *prompt = plain.toStdString();
    }
    if (changed)
        used.untaken.append(UsedSettings::tr("Some of its words changed while the picture was made, or stood "
                                             "apart, which is not done here: all of them count at once."));
    return names.uneven;
}

/// The spacing that stands beside a sampler that is not here, by which the chosen one goes on; where the
/// text names none, that stays as it is.
bool karrasBeside(core::GenerationParameters& found, const core::SampleConfig& chosen) {
    const bool named = found.scheduleType == "Karras" || found.sampler.ends_with(" Karras");
    if (!named || !core::hasKarrasSpacing(chosen.sampler))
        return found.scheduleType.empty() && chosen.karrasSigmas;
    found.scheduleType.clear(); // it is taken
    return true;
}

void takeSampler(core::GenerationParameters& found, UsedSettings& used) {
    const bool strange = !found.sampler.empty() && !core::samplerOfDisplayName(found.sampler);
    used.config.karrasSigmas = strange ? karrasBeside(found, used.config) : core::usedKarrasSpacing(found);
    used.config.stepSpacing =
        core::usedTrailingSteps(found) ? core::StepSpacing::Trailing : core::StepSpacing::Model;
    if (const auto sampler = core::samplerOfDisplayName(found.sampler))
        used.config.sampler = sampler->first;
    else if (!found.sampler.empty())
        used.untaken.append(UsedSettings::tr("The sampler \"%1\" is not known here: \"%2\" stays chosen.")
                                .arg(QString::fromStdString(found.sampler),
                                     QString::fromUtf8(core::samplerDisplayName(used.config.sampler))));
}

/// Of two with one name each has its own.
double weightOf(const core::GenerationParameters& found, size_t index) {
    const std::string& name = found.loraHashes[index].first;
    const auto& weights = found.loraWeights;
    if (index < weights.size() && weights[index].first == name) return weights[index].second;
    const auto weight =
        std::find_if(weights.begin(), weights.end(), [&name](const auto& one) { return one.first == name; });
    return weight == weights.end() ? 1.0 : weight->second;
}

void takeLoras(const core::GenerationParameters& found, const ModelShelf& models, const FileHashes& hashes,
               UsedSettings& used) {
    used.config.loras.clear();
    for (size_t i = 0; i < found.loraHashes.size(); ++i) {
        const auto& [name, hash] = found.loraHashes[i];
        const Found lora = findWanted({name, hash, ModelEntry::Kind::Lora}, models, hashes);
        used.lorasAreOpen = used.lorasAreOpen || lora.next;
        if (lora.path.isEmpty())
            noteUntaken(name, lora, false, used);
        else
            used.config.loras.push_back({lora.path.toStdString(), weightOf(found, i)});
    }
}

/// The prompt names those that are here.
void noteMissingWords(const core::GenerationParameters& found, const ModelShelf& models, UsedSettings& used) {
    for (const auto& [word, hash] : found.embeddingHashes)
        if (!hasLearnedWord(models, word)) used.missing.append(QString::fromStdString(word));
}

/// Homebooth tells of weights in 8 bits, and of nothing where they were whole; other programs tell nothing.
void takeWeights(const core::GenerationParameters& found, UsedSettings& used) {
    const core::Quantization weights = weightsOf(found);
    if (weights != core::Quantization::None || isOurs(found)) used.weights = weights;
}

} // namespace

UsedSettings usedSettings(const QString& text, core::SampleConfig before, const QString& modelPath,
                          const ModelShelf& models, const FileHashes& hashes) {
    core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    UsedSettings used{std::move(before), {}, QString::fromStdString(found.initImage)};
    const QStringList uneven = takePrompts(found, used);
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
    takeSampler(found, used);
    takeModel(found, modelPath, models, hashes, used);
    const auto family = models.familyOf(QString::fromStdString(config.model));
    config.clipSkip = core::clipSkipOf(found.clipSkip, family == core::ModelFamily::StableDiffusionXl);
    takeLoras(found, models, hashes, used);
    noteUneven(uneven, used);
    noteMissingWords(found, models, used);
    if (const QString refiner = refinerOf(found); !refiner.isEmpty()) used.missing.append(refiner);
    if (!isOurs(found)) used.untaken += notTaken(found);
    takeWeights(found, used);
    config.initImage.clear();
    const bool isOfStart = isOfComfyUi(found) || !wasEnlarged(found); // else of the enlarging
    if (found.strength > 0.0 && isOfStart) config.strength = found.strength;
    return used;
}

UsedSettings usedPrompt(core::SampleConfig before, const ModelShelf& models) {
    UsedSettings used{std::move(before), {}, {}};
    core::SampleConfig& config = used.config;
    const std::vector<core::LoraReference> chosen = config.loras;
    core::GenerationParameters found;
    found.prompt = config.prompt;
    const TagNames names = takeTagsOf(found);
    used.missing += names.unknown;
    takeLoras(found, models, {}, used);
    noteUneven(names.uneven, used);
    for (const core::LoraReference& lora : chosen)
        if (std::none_of(config.loras.begin(), config.loras.end(),
                         [&lora](const auto& one) { return one.file == lora.file; }))
            config.loras.push_back(lora);
    config.prompt = hidePlaces(QString::fromStdString(found.prompt)).toStdString(); // choices stay
    QString negative = QString::fromStdString(config.negativePrompt);
    if (!takeTags(negative).empty()) config.negativePrompt = negative.toStdString(); // where none counts
    for (std::string* prompt : {&config.prompt, &config.negativePrompt}) {
        if (core::promptSyntax(*prompt).change.empty()) continue; // among capitals BREAK is a word
        QString plain = QString::fromStdString(*prompt);
        takeChanges(plain);
        *prompt = plain.toStdString();
    }
    QString places = QString::fromStdString(config.prompt);
    takeWildcards(places);
    config.prompt = showPlaces(places).toStdString();
    return used;
}

std::optional<FileToHash> fileToHash(const QString& text, const QString& modelPath, const ModelShelf& models,
                                     const FileHashes& hashes) {
    core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    if (!isOurs(found) && !isOfComfyUi(found)) (void)takeTagsOf(found);
    for (const auto& [name, hash] : found.loraHashes) // which are small
        if (const Found lora = findWanted({name, hash, ModelEntry::Kind::Lora}, models, hashes); lora.next)
            return lora.next;
    return modelPath.isEmpty() ? findWanted(modelOf(found), models, hashes).next : std::nullopt;
}

std::string readHash(const FileToHash& file, const core::CancelToken& cancel) {
    switch (file.of) {
    case FileToHash::Of::Whole:
        break;
    case FileToHash::Of::Header: {
        const auto said = core::loraHashSaid(file.path.toStdString());
        return said ? *said : std::string();
    }
    case FileToHash::Of::Size:
        return std::to_string(QFileInfo(file.path).size());
    case FileToHash::Of::Tensors: {
        const auto hash = knownLoraHash(file.path, cancel);
        return hash && *hash ? **hash : std::string();
    }
    }
    const auto hash = knownModelHash(file.path, {}, cancel);
    return hash && *hash ? (*hash)->sha256 : std::string();
}

} // namespace homebooth::app

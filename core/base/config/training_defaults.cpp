// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/training_defaults.h"

#include "core/base/config/fields_json.h"
#include "core/base/config/parallel_check.h"
#include "core/base/model/file_metadata.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <type_traits>
#include <variant>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kLargestFile = 65536;
constexpr std::array<const char*, 6> kPartNames{"all", "full", "lora", "quick", "balanced", "best"};

/// Learning rates of a family: published for the large ones, tried for models of no published size, which are
/// small and learn at much higher rates.
struct Rates {
    double full;
    double fullWithText;
    double lora;
};
constexpr Rates kPublishedRates{5e-6, 2e-6, 1e-4};
/// The whole model learns few pictures as OneTrainer has it. 4e-7, which is found as well, is the rate
/// that SDXL itself was made with, in large batches: hundreds of such steps leave a subject unlearned.
/// Source: OneTrainer, training_presets/#sdxl 1.0.json. Not tried here, which takes SDXL and a card.
constexpr Rates kSdxlRates{3e-6, 3e-6, 1e-4};
constexpr Rates kSmallRates{1e-4, 5e-5, 1e-3};
constexpr double kScratchRate = 3e-4;
constexpr int64_t kXlPixels = 1024; // of SDXL as it was released
/// What its pictures are made with, those of the class as well, so that they look as the model's own do.
/// Source: diffusers, StableDiffusionXLPipeline
constexpr double kXlGuidance = 5.0;
constexpr const char* kTrainText = "trainTextEncoder";
constexpr const char* kGuidance = "output.guidanceScale";

constexpr Rates kLanguageRates{2e-5, 2e-5, 2e-4};
constexpr int64_t kUsualContext = 1024; // tokens

double familyRate(const TrainConfig& config, ModelFamily family) {
    if (config.mode == TrainMode::Language)
        return config.method == TrainMethod::Lora ? kLanguageRates.lora : kLanguageRates.full;
    if (config.mode == TrainMode::FromScratch) return kScratchRate;
    const Rates& rates = family == ModelFamily::Other               ? kSmallRates
                         : family == ModelFamily::StableDiffusionXl ? kSdxlRates
                                                                    : kPublishedRates;
    if (config.method == TrainMethod::Lora) return rates.lora;
    return config.trainTextEncoder ? rates.fullWithText : rates.full;
}

int64_t familySteps(const TrainConfig& config) {
    constexpr int64_t kWithPrior = 800;
    constexpr int64_t kLora = 500;
    if (!config.data.classPrompt.empty()) return kWithPrior;
    return config.method == TrainMethod::Lora ? kLora : TrainConfig{}.steps;
}

std::vector<ConfigField> bringableFields(TrainConfig& config) {
    std::vector<ConfigField> fields = configFields(config);
    std::erase_if(fields, [](const ConfigField& field) { return !mayBeBrought(field.path); });
    return fields;
}

/// @param to, from  the same setting of two configurations
void copyValue(ConfigField& to, const ConfigField& from) {
    std::visit(
        [&from](auto& target) {
            using Value = std::decay_t<decltype(target)>;
            const auto& source = std::get<Value>(from.value);
            if constexpr (std::is_same_v<Value, ChoiceValue>)
                target.set(source.get());
            else
                *target = *source;
        },
        to.value);
}

/// "2e-4", "0.01": rates as people write them.
std::string rateText(double rate) {
    constexpr double kLeastPlain = 0.01;
    char text[40];
    if (rate >= kLeastPlain) {
        std::snprintf(text, sizeof text, "%.4g", rate);
        return text;
    }
    const int exponent = static_cast<int>(std::floor(std::log10(rate) + 1e-9));
    std::snprintf(text, sizeof text, "%.4ge%d", rate / std::pow(10.0, exponent), exponent);
    return text;
}

/// Whether a run of these settings minds this one.
bool counts(const TrainConfig& config, const std::string& path) {
    if (path.starts_with("data.class") || path == "data.priorLossWeight") return config.usesClassPictures();
    if (path.starts_with("lora.")) return config.method == TrainMethod::Lora;
    return path != kGuidance || config.output.previewEverySteps > 0;
}

/// "--guidance 4", "--no-flip".
std::string asOption(const ConfigField& field) {
    if (!std::holds_alternative<bool*>(field.value)) return field.option + " " + fieldText(field);
    return fieldText(field) == "true" ? field.option : "--no-" + field.option.substr(2);
}

/// The settings with these paths as one line: those that every training is told by, then the others as far
/// as they count.
std::string inWords(const TrainConfig& config, GivenFields paths) {
    std::string text;
    const auto add = [&](const char* path, const std::string& words) {
        if (paths.erase(path) > 0) text += (text.empty() ? "" : ", ") + words;
    };
    add("optimizer.learningRate", "learning rate " + rateText(config.optimizer.learningRate));
    add("steps", std::to_string(config.steps) + " steps");
    add("batchSize", "batch " + std::to_string(config.batchSize));
    add("trainTextEncoder", config.trainTextEncoder ? "with the text encoder" : "without the text encoder");
    add("data.contextTokens", std::to_string(config.data.contextTokens) + " tokens together");
    add("data.resolutionPixels", std::to_string(config.data.resolutionPixels) + " pixels");
    TrainConfig copy = config;
    for (const ConfigField& field : configFields(copy))
        if (counts(config, field.path)) add(field.path.c_str(), asOption(field));
    return text;
}

} // namespace

bool mayBeBrought(const std::string& path) {
    constexpr std::array<std::string_view, 12> kSingle{"steps",
                                                       "batchSize",
                                                       "trainTextEncoder",
                                                       "precision",
                                                       "data.resolutionPixels",
                                                       "data.framing",
                                                       "data.flip",
                                                       "data.captionDropout",
                                                       "data.classImageCount",
                                                       "data.classGuidanceScale",
                                                       "data.priorLossWeight",
                                                       "output.guidanceScale"};
    return path.starts_with("optimizer.") || path.starts_with("lora.") || path.starts_with("loss.") ||
           std::find(kSingle.begin(), kSingle.end(), path) != kSingle.end();
}

const GivenFields& settingsByModel() {
    static const GivenFields kPaths{"optimizer.learningRate", "steps", "data.resolutionPixels"};
    return kPaths;
}

TrainingDefaults TrainingDefaults::ofFamily(ModelFamily family, int64_t pixels) {
    TrainingDefaults defaults;
    const bool unknownXl = pixels == 0 && family == ModelFamily::StableDiffusionXl;
    defaults.m_family = family;
    defaults.m_pixels = unknownXl ? kXlPixels : pixels;
    return defaults;
}

Result<TrainingDefaults> TrainingDefaults::of(const ModelSource& model) {
    TrainingDefaults defaults;
    if (model.language) {
        defaults.m_language = familyName(model.language->config.family);
        defaults.m_contextTokens = std::min(model.language->config.maxPositions, kUsualContext);
        return defaults;
    }
    defaults = ofFamily(model.family, model.unet.sampleSize * model.vae.downscale());
    const FileMetadata brought = broughtAlong(model); // of a single file
    if (const auto found = brought.find(kTrainingDefaultsName); found != brought.end()) {
        HOMEBOOTH_CHECK(defaults.read(found->second, model.path));
        return defaults;
    }
    const std::string file = model.path + "/" + kTrainingDefaultsName;
    std::error_code code;
    if (model.layout != ModelLayout::DiffusersFolder || !std::filesystem::exists(file, code)) return defaults;
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(file, kLargestFile));
    HOMEBOOTH_CHECK(defaults.read(text, file));
    return defaults;
}

Result<void> TrainingDefaults::read(std::string_view json, const std::string& context) {
    const Json parsed = parseShallow<Json>(json);
    if (!parsed.is_object())
        return badInput("cannot read the model's training defaults: expected a JSON object, found something "
                        "else, or one that is nested too deeply; mend the file or remove it",
                        context);
    std::vector<std::string> problems;
    std::array<Part, PartCount> parts;
    for (const auto& [key, value] : parsed.items()) {
        if (key == "v" || key == "note") continue;
        const auto name = std::find(kPartNames.begin(), kPartNames.end(), key);
        if (name == kPartNames.end() || !value.is_object()) {
            const std::string nearest = nearestWord(key, {kPartNames.begin(), kPartNames.end()});
            problems.push_back(name != kPartNames.end() ? key + ": expected an object"
                               : nearest.empty()
                                   ? "unknown key \"" + key + "\""
                                   : "unknown key \"" + key + "\" (did you mean \"" + nearest + "\"?)");
            continue;
        }
        Part& part = parts[static_cast<size_t>(name - kPartNames.begin())];
        std::vector<ConfigField> fields = bringableFields(part.values);
        ConfigObject object;
        object.settings = value;
        const size_t before = problems.size();
        readFields(object, fields, part.named, problems);
        checkFields(fields, problems);
        for (size_t index = before; index < problems.size(); ++index)
            problems[index] = key + ": " + problems[index];
    }
    if (const auto usable = problemsResult("use the model's training defaults", problems); !usable)
        return badInput(usable.error().message + "; mend the file or remove it", context);
    m_parts = std::move(parts);
    m_own = true;
    return {};
}

std::optional<double> TrainingDefaults::guidanceScale() const {
    const Part& all = m_parts[All];
    if (all.named.contains(kGuidance)) return all.values.output.guidanceScale;
    if (m_family == ModelFamily::StableDiffusionXl) return kXlGuidance;
    return std::nullopt;
}

bool TrainingDefaults::knows(TrainingQuality quality) const {
    if (quality == TrainingQuality::Usual) return false;
    return !m_parts[static_cast<size_t>(Quick) + static_cast<size_t>(quality)].named.empty();
}

GivenFields TrainingDefaults::takeOwn(TrainConfig& config, const GivenFields& given,
                                      TrainingQuality quality) const {
    std::vector<PartId> order = {All, config.method == TrainMethod::Lora ? Lora : Full};
    if (quality != TrainingQuality::Usual)
        order.push_back(static_cast<PartId>(static_cast<size_t>(Quick) + static_cast<size_t>(quality)));
    GivenFields taken;
    std::vector<ConfigField> fields = configFields(config);
    for (const PartId id : order) {
        TrainConfig values = m_parts[id].values;
        for (const ConfigField& value : configFields(values)) {
            if (!m_parts[id].named.contains(value.path) || given.contains(value.path)) continue;
            if (m_family == ModelFamily::StableDiffusionXl && value.path == kTrainText) continue; // none can
            for (ConfigField& field : fields)
                if (field.path == value.path) copyValue(field, value);
            taken.insert(value.path);
        }
    }
    return taken;
}

GivenFields TrainingDefaults::takeFamily(TrainConfig& config, const GivenFields& given) const {
    GivenFields taken;
    const auto open = [&](const char* path) { return !given.contains(path) && taken.insert(path).second; };
    if (open("optimizer.learningRate")) config.optimizer.learningRate = familyRate(config, m_family);
    if (open("steps")) config.steps = familySteps(config);
    if (m_family != ModelFamily::StableDiffusionXl) return taken;
    if (open("data.classGuidanceScale")) config.data.classGuidanceScale = kXlGuidance;
    if (open(kGuidance)) config.output.guidanceScale = kXlGuidance;
    return taken;
}

FilledConfig TrainingDefaults::fill(TrainConfig config, const GivenFields& given,
                                    TrainingQuality quality) const {
    FilledConfig filled{std::move(config), {}};
    TrainConfig& made = filled.config;
    GivenFields known = given;
    const auto note = [&](const GivenFields& taken, const std::string& source) {
        known.insert(taken.begin(), taken.end());
        if (const std::string words = inWords(made, taken); !words.empty())
            filled.notes.push_back(words + " (" + source + ")");
    };
    if (m_own && made.mode != TrainMode::FromScratch)
        note(takeOwn(made, known, quality), "this model's own defaults");
    const std::string family = !m_language.empty()                   ? m_language
                               : made.mode == TrainMode::FromScratch ? "training from scratch"
                               : m_family == ModelFamily::Other      ? "models of no published size"
                                                                     : std::string(familyName(m_family));
    note(takeFamily(made, known), "defaults for " + family);
    if (!known.contains("data.resolutionPixels") && m_pixels > 0 && m_pixels % 8 == 0) {
        made.data.resolutionPixels = m_pixels;
        note({"data.resolutionPixels"}, "the size that the model was made for");
    }
    if (made.data.contextTokens == 0 && m_contextTokens > 0) {
        made.data.contextTokens = m_contextTokens;
        note({"data.contextTokens"}, "as many as suit the model");
    }
    const int64_t processes = made.parallel.processes;
    if (!given.contains("batchSize") && made.batchSize % processes != 0) {
        made.batchSize = sharedBatch(made.batchSize, processes);
        note({"batchSize"}, "the next that " + std::to_string(processes) + " processes share equally");
    }
    return filled;
}

std::optional<std::string> smallPicturesWarning(const TrainConfig& config, const ModelSource& model) {
    const bool learns =
        !model.language && config.mode != TrainMode::FromScratch && model.unet.textTimeEmbedding;
    const int64_t known = model.unet.sampleSize * model.vae.downscale();
    const int64_t own = known > 0 ? known : kXlPixels;
    const int64_t least = leastXlPixels(own);
    if (!learns || config.data.resolutionPixels >= least) return std::nullopt;
    return "SDXL was made for pictures of about " + std::to_string(own) + " x " + std::to_string(own) +
           " pixels, and learns them at " + std::to_string(config.data.resolutionPixels) +
           ": what it draws becomes worse by that; take --resolution " + std::to_string(own) +
           ", or at least " + std::to_string(least) + " where memory is short";
}

} // namespace homebooth::core

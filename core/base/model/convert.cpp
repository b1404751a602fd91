// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/convert.h"

#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/deviation.h"
#include "core/base/model/file_metadata.h"
#include "core/base/model/language/language_moment.h"
#include "core/base/model/language/language_writer.h"

#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace homebooth::core {

namespace {

constexpr std::array<std::pair<std::string_view, ConvertTarget>, 6> kTargets{
    {{"diffusers", ConvertTarget::Diffusers},
     {"checkpoint", ConvertTarget::Checkpoint},
     {"kohya-lora", ConvertTarget::KohyaLora},
     {"diffusers-lora", ConvertTarget::DiffusersLora},
     {"transformers", ConvertTarget::Transformers},
     {"peft-lora", ConvertTarget::PeftLora}}};

/// What names the form, and in diffusers' form what was said of alphas, which are in its weights.
bool isOfTheForm(const std::string& key, LoraFormat format) {
    return key == "format" || key == "ss_output_name" || key == "lora_adapter_metadata" ||
           key.starts_with("sshs_") || (format == LoraFormat::Diffusers && key.starts_with("ss_network_"));
}

/// A name that Homebooth has given by itself, by the words that call what was learned or by its file: what
/// is written is called as its file. Files of sd-scripts, which tell of a session, keep their author's.
bool isGivenTitle(const std::string& title, const std::map<std::string, std::string>& metadata) {
    const auto isIn = [&](const char* key) {
        const auto found = metadata.find(key);
        return found != metadata.end() && found->second == title;
    };
    if (title.empty() || isIn("modelspec.trigger_phrase")) return true;
    return isIn("ss_output_name") && !metadata.contains("ss_session_id");
}

/// What says how the model predicts, in one way or another.
bool saysPrediction(const std::string& key) {
    return key == "modelspec.prediction_type" || key == "modelspec.predict_key" ||
           key == "modelspec.architecture" || key == "ss_base_model_version";
}

/// Of a LoRA.
Result<void> expectNoNoise(const ConvertOptions& options) {
    if (!options.open.zeroTerminalSnr) return {};
    return Error{ErrorCode::Usage,
                 "--zero-terminal-snr is of whole models (--to diffusers or checkpoint), found a LoRA, "
                 "which begins with the noise of the model that it is used with; leave it out",
                 {}};
}

Result<LoraFile> openLoraAlone(const std::string& path) {
    auto lora = openLora(path);
    OpenOptions shapes;
    shapes.weightsOptional = true;
    if (lora || !openPictureModel(path, shapes)) return lora;
    return badInput("expected a LoRA, found a whole model, of which none is made; take --to checkpoint or "
                    "diffusers",
                    path);
}

Result<WriteOutcome> convertLora(const std::string& in, const std::string& out, LoraFormat format,
                                 const ConvertOptions& options) {
    constexpr int64_t kXlResolution = 1024;
    HOMEBOOTH_CHECK(expectNoNoise(options));
    HOMEBOOTH_ASSIGN(const LoraFile lora, openLoraAlone(in));
    LoraDescription description;
    const auto value = [&](const char* key) {
        const auto found = lora.metadata.find(key);
        return found == lora.metadata.end() ? std::string() : found->second;
    };
    const std::optional<PredictionType> written = predictionTypeOfMetadata(lora.metadata);
    const std::optional<PredictionType> asked = options.open.predictionType;
    const bool contradicted = asked && asked != written;
    description.predictionType = asked.value_or(written.value_or(PredictionType::Epsilon));
    description.outputName = std::filesystem::path(out).stem().string();
    description.triggerPhrase = value("modelspec.trigger_phrase");
    const std::string title = value("modelspec.title");
    const bool given = isGivenTitle(title, lora.metadata);
    description.title = !options.write.title.empty() ? options.write.title : given ? std::string() : title;
    if (lora.family) description.family = *lora.family;
    if (description.family == ModelFamily::StableDiffusionXl) description.resolutionPixels = kXlResolution;
    // What other programs noted about the training stays.
    for (const auto& [key, text] : lora.metadata)
        if (!isOfTheForm(key, format) && key != "modelspec.title" && !(contradicted && saysPrediction(key)))
            description.metadata[key] = text;
    // Pictures would go by it, whatever the rest says.
    if (asked && toldOtherwise(lora.metadata, *asked)) description.metadata.erase(kToldPredictionKey);
    return writeLora(out, format, lora.modules, *lora.tensors, description, options.write);
}

void tellLeftAside(const ModelSource& model, const ConvertOptions& options) {
    const auto text = leftAsideText(model);
    if (text && options.onLeftAside) options.onLeftAside(*text);
}

Result<WriteOutcome> writeWhole(const ModelSource& model, const std::string& out, ConvertTarget target,
                                const ConvertOptions& options) {
    const bool told = options.open.predictionType && options.onOtherPrediction; // a moment's run said its own
    for (const std::string& deviation : model.deviations)
        if (told && readDeviation(deviation).kind == DeviationKind::PredictionReplaced)
            options.onOtherPrediction(deviation);
    tellLeftAside(model, options);
    if (target == ConvertTarget::Checkpoint) return writeSingleFile(model, out, options.write);
    return writeDiffusersFolder(model, out, options.write);
}

Result<WriteOutcome> convertWhole(const std::string& in, const std::string& out, ConvertTarget target,
                                  const ConvertOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelSource model, openPictureModel(in, options.open));
    ConvertOptions told = options;
    told.write.metadata.merge(carriedMetadata(model));
    if (!options.write.title.empty()) told.write.metadata.erase("modelspec.title");
    return writeWhole(model, out, target, told);
}

/// Of a language model.
Result<void> expectNoPrediction(const ConvertOptions& options) {
    if (!options.open.predictionType && !options.open.zeroTerminalSnr) return {};
    return Error{ErrorCode::Usage,
                 "--prediction-type and --zero-terminal-snr are of models that make pictures, found a "
                 "language model; leave them out",
                 {}};
}

/// A language model in another type.
Result<WriteOutcome> convertLanguage(const std::string& in, const std::string& out,
                                     const ConvertOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(in));
    if (!model.language)
        return badInput("expected a language model, or a saved moment of one, found a model that makes "
                        "pictures; take --to diffusers or checkpoint",
                        in);
    HOMEBOOTH_CHECK(expectNoPrediction(options));
    tellLeftAside(model, options);
    return writeLanguageFolder(*model.language, out, options.write);
}

Error otherMoment(const SavedMoment& moment) {
    if (moment.isLanguage())
        return badInput(std::string("expected --to ") + (moment.isLora() ? "peft-lora" : "transformers") +
                            ", found another form: this is a saved moment of a language model" +
                            (moment.isLora() ? "'s LoRA" : ""),
                        moment.folder);
    const char* words = moment.isLora()
                            ? "expected a saved moment of a whole model, found one of a LoRA; take "
                              "--to kohya-lora or diffusers-lora"
                            : "expected a saved moment of a LoRA, found one of a whole model; take "
                              "--to checkpoint or diffusers";
    return badInput(words, moment.folder);
}

Result<WriteOutcome> convertMoment(const std::string& in, const std::string& out, ConvertTarget target,
                                   const ConvertOptions& options) {
    HOMEBOOTH_ASSIGN(const SavedMoment moment, openSavedMoment(in));
    if (moment.isLanguage()) {
        const ConvertTarget own = moment.isLora() ? ConvertTarget::PeftLora : ConvertTarget::Transformers;
        if (target != own) return otherMoment(moment);
        HOMEBOOTH_CHECK(expectNoPrediction(options));
        return writeLanguageMoment(moment, out, options.write);
    }
    const bool kohya = target == ConvertTarget::KohyaLora;
    const bool lora = kohya || target == ConvertTarget::DiffusersLora;
    const bool ofTexts = target == ConvertTarget::Transformers || target == ConvertTarget::PeftLora;
    if (ofTexts || lora != moment.isLora()) return otherMoment(moment);
    if (lora) {
        HOMEBOOTH_CHECK(expectNoNoise(options));
        return writeMomentLora(moment, moment.config.model, out,
                               kohya ? LoraFormat::Kohya : LoraFormat::Diffusers, options.write,
                               options.open);
    }
    HOMEBOOTH_ASSIGN(ModelSource model, openMomentModel(moment, options.open));
    ConvertOptions told = options;
    describeMoment(moment, model, told.write);
    return writeWhole(model, out, target, told);
}

} // namespace

Result<ConvertTarget> convertTargetFromString(std::string_view text) {
    std::string names;
    for (const auto& [name, target] : kTargets) {
        if (name == text) return target;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return Error{
        ErrorCode::Usage, "unknown form \"" + std::string(text) + "\"; expected one of " + names, {}};
}

Result<WriteOutcome> convertModel(const std::string& in, const std::string& out, ConvertTarget target,
                                  const ConvertOptions& options) {
    if (isSavedMoment(in)) return convertMoment(in, out, target, options);
    switch (target) {
    case ConvertTarget::KohyaLora:
        return convertLora(in, out, LoraFormat::Kohya, options);
    case ConvertTarget::DiffusersLora:
        return convertLora(in, out, LoraFormat::Diffusers, options);
    case ConvertTarget::Transformers:
        return convertLanguage(in, out, options);
    case ConvertTarget::PeftLora:
        return badInput("--to peft-lora: expected a saved moment of a language model's LoRA "
                        "(RUN/checkpoints/step-000400), found something else; name such a folder",
                        in);
    default:
        return convertWhole(in, out, target, options);
    }
}

} // namespace homebooth::core

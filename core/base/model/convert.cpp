// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/convert.h"

#include <array>
#include <utility>

namespace homebooth::core {

namespace {

constexpr std::array<std::pair<std::string_view, ConvertTarget>, 4> kTargets{
    {{"diffusers", ConvertTarget::Diffusers},
     {"checkpoint", ConvertTarget::Checkpoint},
     {"kohya-lora", ConvertTarget::KohyaLora},
     {"diffusers-lora", ConvertTarget::DiffusersLora}}};

/// What names the form, and in diffusers' form what was said of alphas, which are in its weights.
bool isOfTheForm(const std::string& key, LoraFormat format) {
    return key == "format" || key == "lora_adapter_metadata" || key.starts_with("sshs_") ||
           (format == LoraFormat::Diffusers && key.starts_with("ss_network_"));
}

Result<WriteOutcome> convertLora(const std::string& in, const std::string& out, LoraFormat format,
                                 const ConvertOptions& options) {
    constexpr int64_t kXlResolution = 1024;
    HOMEBOOTH_ASSIGN(const LoraFile lora, openLora(in));
    LoraDescription description;
    const auto value = [&](const char* key) {
        const auto found = lora.metadata.find(key);
        return found == lora.metadata.end() ? std::string() : found->second;
    };
    description.predictionType = predictionTypeOfMetadata(lora.metadata).value_or(PredictionType::Epsilon);
    description.title = options.write.title.empty() ? value("modelspec.title") : options.write.title;
    description.triggerPhrase = value("modelspec.trigger_phrase");
    if (lora.family) description.family = *lora.family;
    if (description.family == ModelFamily::StableDiffusionXl) description.resolutionPixels = kXlResolution;
    // What other programs noted about the training stays.
    for (const auto& [key, text] : lora.metadata)
        if (!isOfTheForm(key, format)) description.metadata[key] = text;
    return writeLora(out, format, lora.modules, *lora.tensors, description, options.write);
}

Result<WriteOutcome> convertWhole(const std::string& in, const std::string& out, ConvertTarget target,
                                  const ConvertOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelSource model, openPictureModel(in, options.open));
    if (target == ConvertTarget::Checkpoint) return writeSingleFile(model, out, options.write);
    return writeDiffusersFolder(model, out, options.write);
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
    switch (target) {
    case ConvertTarget::KohyaLora:
        return convertLora(in, out, LoraFormat::Kohya, options);
    case ConvertTarget::DiffusersLora:
        return convertLora(in, out, LoraFormat::Diffusers, options);
    default:
        return convertWhole(in, out, target, options);
    }
}

} // namespace homebooth::core

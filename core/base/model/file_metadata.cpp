// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/file_metadata.h"

#include "core/base/model/carried_files.h"
#include "core/base/model/model_card.h"
#include "core/base/model/model_open.h"
#include "core/base/model/published_tokenizer.h"
#include "core/base/text/unicode.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostTextBytes = 256 << 10; // of a small file in a header

std::string resolutionText(const ModelSource& model) {
    const int64_t latents = model.unet.sampleSize > 0 ? model.unet.sampleSize : 64;
    const std::string side = std::to_string(latents * model.vae.downscale());
    return side + "x" + side;
}

/// As every file of such a model says.
FileMetadata modelSpec(const ModelSource& model, const std::string& title) {
    const std::string architecture = architectureName(model.family, model.predictionType);
    const bool predictsV = model.predictionType == PredictionType::VPrediction;
    return {{"modelspec.sai_model_spec", "1.0.1"},
            {"modelspec.architecture", architecture.empty() ? "stable-diffusion-v1" : architecture},
            {"modelspec.implementation", model.secondText
                                             ? "https://github.com/Stability-AI/generative-models"
                                             : "https://github.com/CompVis/stable-diffusion"},
            {"modelspec.title", title},
            {"modelspec.resolution", resolutionText(model)},
            {"modelspec.prediction_type", predictsV ? "v" : "epsilon"}};
}

void addText(const TextPart& part, const char* configKey, const std::string& tokenizerPrefix,
             FileMetadata& metadata) {
    metadata[configKey] = part.json;
    // Who opens a file without one takes the published one, which OpenCLIP's encoders pad in another way.
    if (!usesOpenClipNames(part.config) && isPublishedTokenizer(part.tokenizerFiles)) return;
    for (const auto& [name, content] : part.tokenizerFiles) metadata[tokenizerPrefix + name] = content;
}

void addConfigs(const ModelSource& model, FileMetadata& metadata) {
    metadata[kUnetConfigKey] = model.unetJson;
    metadata[kVaeConfigKey] = model.vaeJson;
    metadata[kSchedulerConfigKey] = model.schedulerJson;
    addText(model.text, kTextEncoderConfigKey, kTokenizerKeyPrefix, metadata);
    if (!model.secondText) return;
    addText(*model.secondText, kSecondTextEncoderConfigKey, kSecondTokenizerKeyPrefix, metadata);
    if (!model.zeroEmptyPrompt) metadata[kZeroEmptyPromptKey] = "false";
}

void addAlong(const ModelSource& model, FileMetadata& metadata) {
    for (const auto& [name, text] : broughtAlong(model)) metadata[kAlongKeyPrefix + name] = text;
    for (const auto& [name, file] : model.licenceFiles) {
        const auto kept = file.bytes() <= kMostTextBytes ? file.kept() : Result<KeptFile>(file);
        const std::string* text = kept ? kept->text() : nullptr;
        if (text != nullptr && std::ssize(*text) <= kMostTextBytes && isUtf8(*text))
            metadata[kAlongKeyPrefix + name] = *text;
    }
}

/// What is learned from a model that may not be sold may not be, either.
void addLicence(const ModelSource& model, FileMetadata& metadata) {
    if (const auto found = model.metadata.find(kLicenceKey); found != model.metadata.end())
        metadata.insert(*found);
}

/// Whether it says how the file is made up, or what else is known anew when it is written.
bool isOfTheFile(const std::string& key, const std::string& text, PredictionType predicted) {
    constexpr std::array kOwn{"format",
                              "modelspec.sai_model_spec",
                              "modelspec.architecture",
                              "modelspec.implementation",
                              "modelspec.prediction_type",
                              "modelspec.predict_key",
                              "modelspec.hash_sha256"};
    const bool own = std::find(kOwn.begin(), kOwn.end(), key) != kOwn.end();
    return own || key.starts_with("sshs_") || key.starts_with("homebooth.") ||
           predictionTypeOfMetadata({{key, text}}).value_or(predicted) != predicted;
}

} // namespace

FileMetadata singleFileMetadata(const ModelSource& model, const std::string& path,
                                const WriteOptions& options) {
    FileMetadata metadata = modelSpec(
        model, wellFormedUtf8(options.title.empty() ? fs::path(path).stem().string() : options.title));
    addConfigs(model, metadata);
    addAlong(model, metadata);
    addLicence(model, metadata);
    for (const auto& [key, value] : options.metadata) metadata[key] = value;
    return metadata;
}

FileMetadata folderMetadata(const ModelSource& model, const WriteOptions& options) {
    FileMetadata metadata = options.metadata;
    addLicence(model, metadata);
    return metadata;
}

FileMetadata carriedMetadata(const ModelSource& model) {
    const FileMetadata anew = modelSpec(model, wellFormedUtf8(fs::path(model.path).stem().string()));
    FileMetadata carried;
    for (const auto& [key, text] : model.metadata) {
        const auto same = anew.find(key);
        const bool known = same != anew.end() && same->second == text;
        if (!known && !isOfTheFile(key, text, model.predictionType)) carried.emplace(key, text);
    }
    return carried;
}

FileMetadata broughtAlong(const ModelSource& model) {
    FileMetadata files;
    const std::string prefix = kAlongKeyPrefix;
    for (auto at = model.metadata.lower_bound(prefix);
         at != model.metadata.end() && at->first.starts_with(prefix); ++at) {
        const std::string name = at->first.substr(prefix.size());
        // These become files of a folder that is saved: those names alone.
        if (goesAlong(name)) files.emplace(name, at->second);
    }
    return files;
}

} // namespace homebooth::core

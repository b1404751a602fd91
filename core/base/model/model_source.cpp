// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_source.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/deviation.h"
#include "core/base/model/lora/peft_folder.h"
#include "core/base/model/model_open.h"
#include "core/base/model/saved_moment.h"

#include <algorithm>
#include <cassert>
#include <filesystem>

namespace homebooth::core {

Result<ModelSource> openModel(const std::string& path, const OpenOptions& options) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (code || status.type() == std::filesystem::file_type::not_found)
        return systemError("open the model", path, code ? code.value() : ENOENT);
    HOMEBOOTH_CHECK(expectNoMoment(path, TakenFor::Model));
    if (std::filesystem::is_directory(status) && isLanguageFolder(path)) {
        ModelSource language;
        language.path = path;
        HOMEBOOTH_ASSIGN(language.language,
                         openLanguageFolder(path, options.weightsOptional, language.deviations));
        return language;
    }
    if (std::filesystem::is_directory(status) && isPeftFolder(path)) return notAModelButPeft(path);
    HOMEBOOTH_ASSIGN(ModelSource model, std::filesystem::is_directory(status)
                                            ? openDiffusersFolder(path, options)
                                            : openSingleFile(path, options));
    HOMEBOOTH_CHECK(checkSupported(model));
    if (options.zeroTerminalSnr) HOMEBOOTH_CHECK(putZeroTerminalSnr(model));
    return model;
}

Result<ModelSource> openPictureModel(const std::string& path, const OpenOptions& options) {
    HOMEBOOTH_ASSIGN(ModelSource model, openModel(path, options));
    if (!model.language) return model;
    return badInput("expected a model that makes pictures, found a language model (" +
                        std::string(familyName(model.language->config.family)) +
                        "); `homebooth-engine train --text` teaches it and `generate` has it write",
                    path);
}

std::vector<const TextPart*> ModelSource::textParts() const {
    std::vector<const TextPart*> parts = {&text};
    if (secondText) parts.push_back(&*secondText);
    return parts;
}

Result<void> checkPlausible(const ModelSource& model) {
    constexpr size_t kMostStages = 12; // SD has 4; each halves the picture's sides
    constexpr int64_t kMostBlocks = 2048;
    const size_t stages = std::max(model.unet.blockOutChannels.size(), model.vae.blockOutChannels.size());
    int64_t blocks = 0;
    for (const TextPart* part : model.textParts()) blocks += part->config.layerCount;
    if (stages <= kMostStages) {
        for (size_t i = 0; i < model.unet.layersPerBlock.size(); ++i)
            blocks += model.unet.layersPerBlock[i] *
                      (model.unet.transformerLayers[i] + model.unet.upTransformerLayers[i]);
        blocks += model.vae.layersPerBlock * static_cast<int64_t>(model.vae.blockOutChannels.size());
        if (blocks <= kMostBlocks) return {};
    }
    return badInput("expected at most " + std::to_string(kMostStages) + " stages and " +
                        std::to_string(kMostBlocks) + " blocks, found " + std::to_string(stages) + " and " +
                        std::to_string(blocks) + "; the configurations are damaged",
                    model.path);
}

namespace {

constexpr const char* kOtherCopyWords = "; take another copy of the model";

/// Whether each text encoder has what is asked of it.
Result<void> checkEncoders(const ModelSource& model) {
    constexpr int64_t kFewestTokens = 3; // a word between the marks of beginning and end
    for (const TextPart* part : model.textParts())
        if (part->config.maxPositions < kFewestTokens)
            return badInput("expected text encoders of " + std::to_string(kFewestTokens) +
                                " tokens or more, found one of " + std::to_string(part->config.maxPositions) +
                                kOtherCopyWords,
                            model.path);
    if (mostClipSkip(model) >= 0) return {};
    return badInput("expected text encoders of two layers or more, since SDXL does without the last one of "
                    "each, found one of a single layer" +
                        std::string(kOtherCopyWords),
                    model.path);
}

/// Whether the text encoders give what the UNet takes.
Result<void> checkText(const ModelSource& model) {
    int64_t width = 0;
    std::string widths;
    for (const TextPart* part : model.textParts()) {
        width += part->config.hiddenSize;
        widths += (widths.empty() ? "" : " + ") + std::to_string(part->config.hiddenSize);
    }
    if (model.unet.crossAttentionDim != width) {
        return badInput("the UNet expects text of width " + std::to_string(model.unet.crossAttentionDim) +
                            (model.secondText ? ", the text encoders give " : ", the text encoder gives ") +
                            widths + "; they do not belong together" + kOtherCopyWords,
                        model.path);
    }
    if (!model.secondText) return {};
    const ClipConfig& second = model.secondText->config;
    if (model.unet.pooledTextChannels() != second.projectionDim) {
        return badInput("the UNet expects pooled text of width " +
                            std::to_string(model.unet.pooledTextChannels()) +
                            ", the second text encoder gives " + std::to_string(second.projectionDim) +
                            "; they do not belong together" + kOtherCopyWords,
                        model.path);
    }
    if (model.text.config.maxPositions != second.maxPositions) {
        return badInput("expected two text encoders of as many tokens, found " +
                            std::to_string(model.text.config.maxPositions) + " and " +
                            std::to_string(second.maxPositions) + "; they do not belong together" +
                            kOtherCopyWords,
                        model.path);
    }
    return {};
}

} // namespace

Error otherModelError(std::string_view found, const std::string& path) {
    return badInput("expected a whole Stable Diffusion 1.x, 2.x or SDXL model, found " + std::string(found),
                    path);
}

void takePrediction(PredictionType written, const OpenOptions& options, ModelSource& model) {
    model.predictionType = options.predictionType.value_or(written);
    if (model.predictionType != written)
        model.deviations.push_back(deviationText(DeviationKind::PredictionReplaced, toString(written),
                                                 toString(model.predictionType)));
}

Result<void> putPrediction(ModelSource& model) {
    HOMEBOOTH_ASSIGN(SchedulerConfig config, parseSchedulerConfig(model.schedulerJson, model.path));
    if (config.predictionType.value_or(PredictionType::Epsilon) == model.predictionType) return {};
    config.predictionType = model.predictionType;
    model.schedulerJson = toJson(config);
    return {};
}

Result<void> putZeroTerminalSnr(ModelSource& model) {
    if (model.predictionType != PredictionType::VPrediction)
        return badInput(
            "zero-terminal SNR (--zero-terminal-snr): expected a model that predicts v, found one "
            "that predicts " +
                std::string(toString(model.predictionType)) +
                "; leave it out, or add --prediction-type v_prediction if that is wrong",
            model.path);
    HOMEBOOTH_ASSIGN(SchedulerConfig config, parseSchedulerConfig(model.schedulerJson, model.path));
    setZeroTerminalSnr(config);
    model.schedulerJson = toJson(config);
    return {};
}

const char* pipelineName(const ModelSource& model) {
    return model.secondText ? "StableDiffusionXLPipeline" : "StableDiffusionPipeline";
}

namespace {

/// Of a UNet that takes more channels than the VAE has.
std::string widerModel(int64_t channels, int64_t latents) {
    const char* kind = channels == 2 * latents + 1 ? "an inpainting model"
                       : channels == 2 * latents   ? "a model that changes pictures as it is told, such as "
                                                     "InstructPix2Pix"
                       : channels == latents + 1   ? "a depth model"
                                                   : "an inpainting or depth model";
    return std::string(" (").append(kind).append("); choose the plain version of it");
}

} // namespace

Result<void> checkSupported(const ModelSource& model) {
    assert(model.secondText.has_value() == model.unet.textTimeEmbedding);
    if (model.unet.inChannels != model.vae.latentChannels) {
        return badInput(
            "expected a text-to-image model whose UNet takes " + std::to_string(model.vae.latentChannels) +
                " channels, found " + std::to_string(model.unet.inChannels) +
                (model.unet.inChannels > model.vae.latentChannels
                     ? widerModel(model.unet.inChannels, model.vae.latentChannels)
                     : "; the UNet and the VAE do not belong together" + std::string(kOtherCopyWords)),
            model.path);
    }
    HOMEBOOTH_CHECK(checkEncoders(model));
    return checkText(model);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of the original releases. Sources: the config.json files of Stable Diffusion 1.5, 2.1-base, 2.1 and
// SDXL base 1.0.
#include "core/base/model/model_family.h"

#include <cassert>

namespace homebooth::core {

namespace {

constexpr int64_t kSd1TextWidth = 768;
constexpr int64_t kSd2TextWidth = 1024;
constexpr int64_t kXlTextWidth = 2048; ///< 768 of CLIP-L and 1280 of OpenCLIP bigG
constexpr int64_t kFirstChannels = 320;

/// @param openClip  of OpenCLIP's family, of which the activation tells
ClipConfig clipOf(int64_t width, int64_t layers, int64_t heads, int64_t projection, bool openClip) {
    ClipConfig clip;
    clip.hiddenSize = width;
    clip.intermediateSize = 4 * width;
    clip.projectionDim = projection;
    clip.layerCount = layers;
    clip.headCount = heads;
    clip.activation = openClip ? "gelu" : "quick_gelu";
    clip.bosTokenId = 0; // as the published files have it; 2 makes transformers pool at the greatest id
    clip.eosTokenId = 2;
    return clip;
}

/// OpenAI's ViT-L/14: of SD 1.x, and the first of SDXL.
ClipConfig clipL() {
    return clipOf(kSd1TextWidth, 12, 12, 768, false);
}

/// OpenCLIP's ViT-H/14: SD 2 was trained on the last but one of its 24 layers.
ClipConfig openClipH() {
    return clipOf(kSd2TextWidth, 23, 16, 512, true);
}

/// OpenCLIP's ViT-bigG/14.
ClipConfig openClipBigG() {
    ClipConfig clip = clipOf(kXlTextWidth - kSd1TextWidth, 32, 20, 1280, true);
    clip.withProjection = true;
    return clip;
}

UNetConfig xlUnet() {
    UNetConfig unet;
    unet.sampleSize = 128;
    unet.downStages = {UNetStage::Plain, UNetStage::CrossAttention, UNetStage::CrossAttention};
    unet.upStages = {UNetStage::CrossAttention, UNetStage::CrossAttention, UNetStage::Plain};
    unet.blockOutChannels = {kFirstChannels, 640, 1280};
    unet.layersPerBlock = {2, 2, 2};
    unet.attentionHeads = {5, 10, 20};
    unet.transformerLayers = {1, 2, 10};
    unet.upTransformerLayers = {10, 2, 1};
    unet.crossAttentionDim = kXlTextWidth;
    unet.useLinearProjection = true;
    unet.textTimeEmbedding = true;
    unet.additionTimeEmbedDim = 256;
    unet.additionInputDim = openClipBigG().projectionDim + UNetConfig::kTimeIds * unet.additionTimeEmbedDim;
    return unet;
}

UNetConfig sdUnet(bool first, bool wide) {
    UNetConfig unet;
    unet.sampleSize = wide ? 96 : 64;
    unet.crossAttentionDim = first ? kSd1TextWidth : kSd2TextWidth;
    if (first) return unet;
    unet.attentionHeads = {5, 10, 20, 20};
    unet.useLinearProjection = true;
    unet.upcastAttention = wide;
    return unet;
}

} // namespace

std::string_view familyName(ModelFamily family) {
    switch (family) {
    case ModelFamily::StableDiffusion1:
        return "SD 1.x";
    case ModelFamily::StableDiffusion2:
        return "SD 2.x";
    case ModelFamily::StableDiffusionXl:
        return "SDXL";
    case ModelFamily::Other:
        break;
    }
    return "another Stable Diffusion";
}

std::string architectureName(ModelFamily family, PredictionType prediction) {
    switch (family) {
    case ModelFamily::StableDiffusion1:
        return "stable-diffusion-v1";
    case ModelFamily::StableDiffusion2:
        return prediction == PredictionType::VPrediction ? "stable-diffusion-v2-768-v"
                                                         : "stable-diffusion-v2-512";
    case ModelFamily::StableDiffusionXl:
        return "stable-diffusion-xl-v1-base";
    case ModelFamily::Other:
        break;
    }
    return "";
}

ModelFamily familyOf(const UNetConfig& unet) {
    if (unet.textTimeEmbedding) return ModelFamily::StableDiffusionXl;
    if (unet.blockOutChannels.empty() || unet.blockOutChannels.front() != kFirstChannels)
        return ModelFamily::Other;
    if (unet.crossAttentionDim == kSd1TextWidth) return ModelFamily::StableDiffusion1;
    if (unet.crossAttentionDim == kSd2TextWidth) return ModelFamily::StableDiffusion2;
    return ModelFamily::Other;
}

bool usesOpenClipNames(const ClipConfig& textEncoder) {
    return textEncoder.activation == "gelu";
}

FamilyConfigs originalConfigs(ModelFamily family, PredictionType prediction) {
    assert(family != ModelFamily::Other);
    FamilyConfigs configs;
    configs.vae.blockOutChannels = {128, 256, 512, 512};
    configs.vae.layersPerBlock = 2;
    const bool first = family == ModelFamily::StableDiffusion1;
    if (family == ModelFamily::StableDiffusionXl) {
        configs.unet = xlUnet();
        configs.vae.sampleSize = 1024;
        configs.vae.scalingFactor = 0.13025;
        configs.textEncoder = clipL();
        configs.secondTextEncoder = openClipBigG();
        return configs;
    }
    configs.unet = sdUnet(first, !first && prediction == PredictionType::VPrediction);
    configs.vae.sampleSize = first ? 512 : 768;
    configs.textEncoder = first ? clipL() : openClipH();
    return configs;
}

SchedulerConfig originalScheduler(ModelFamily family, PredictionType prediction) {
    SchedulerConfig config = stableDiffusionSchedulerConfig(prediction);
    if (family != ModelFamily::StableDiffusionXl) return config;
    config.className = "EulerDiscreteScheduler";
    config.interpolationType = "linear";
    config.sampleMaxValue = 1.0;
    config.useKarrasSigmas = false;
    return config;
}

std::optional<PredictionType> predictionTypeOfMetadata(const std::map<std::string, std::string>& metadata) {
    const auto value = [&](const char* key) {
        const auto found = metadata.find(key);
        return found == metadata.end() ? std::string() : found->second;
    };
    std::string named = value("modelspec.prediction_type");
    if (named.empty()) named = value("modelspec.predict_key"); // as ComfyUI calls it
    if (named == "v" || named == "v_prediction" || named == "v-prediction")
        return PredictionType::VPrediction;
    if (named == "epsilon") return PredictionType::Epsilon;
    const std::string architecture = value("modelspec.architecture");
    const std::string base = value("ss_base_model_version");
    if (architecture.starts_with("stable-diffusion-v2-768-v") || base == "sd_v2_v")
        return PredictionType::VPrediction;
    if (architecture.starts_with("stable-diffusion-v2-512") || base == "sd_v2")
        return PredictionType::Epsilon;
    return std::nullopt;
}

} // namespace homebooth::core

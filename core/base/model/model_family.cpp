// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of the original releases. Sources: the config.json files of Stable Diffusion 1.5, 2.1-base and 2.1.
#include "core/base/model/model_family.h"

#include <cassert>

namespace homebooth::core {

namespace {

constexpr int64_t kSd1TextWidth = 768;
constexpr int64_t kSd2TextWidth = 1024;
constexpr int64_t kFirstChannels = 320;

ClipConfig originalTextEncoder(ModelFamily family) {
    ClipConfig clip;
    const bool first = family == ModelFamily::StableDiffusion1;
    clip.hiddenSize = first ? kSd1TextWidth : kSd2TextWidth;
    clip.intermediateSize = 4 * clip.hiddenSize;
    clip.projectionDim = first ? 768 : 512;
    clip.layerCount = first ? 12 : 23; // SD 2 was trained on the last but one of OpenCLIP's 24 layers
    clip.headCount = first ? 12 : 16;
    clip.activation = first ? "quick_gelu" : "gelu";
    clip.bosTokenId = 0; // as the published files have it; 2 makes transformers pool at the greatest id
    clip.eosTokenId = 2;
    return clip;
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
    assert(family == ModelFamily::StableDiffusion1 || family == ModelFamily::StableDiffusion2);
    FamilyConfigs configs;
    const bool wide = family == ModelFamily::StableDiffusion2 && prediction == PredictionType::VPrediction;
    configs.unet.sampleSize = wide ? 96 : 64;
    configs.unet.crossAttentionDim = family == ModelFamily::StableDiffusion1 ? kSd1TextWidth : kSd2TextWidth;
    if (family == ModelFamily::StableDiffusion2) {
        configs.unet.attentionHeads = {5, 10, 20, 20};
        configs.unet.useLinearProjection = true;
        configs.unet.upcastAttention = wide;
    }
    configs.vae.blockOutChannels = {128, 256, 512, 512};
    configs.vae.layersPerBlock = 2;
    configs.vae.sampleSize = family == ModelFamily::StableDiffusion1 ? 512 : 768;
    configs.textEncoder = originalTextEncoder(family);
    return configs;
}

std::optional<PredictionType> predictionTypeOfMetadata(const std::map<std::string, std::string>& metadata) {
    const auto value = [&](const char* key) {
        const auto found = metadata.find(key);
        return found == metadata.end() ? std::string() : found->second;
    };
    const std::string named = value("modelspec.prediction_type");
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

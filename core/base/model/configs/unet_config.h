// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a denoising UNet, as diffusers' UNet2DConditionModel writes it (unet/config.json).
// Plain values; everything that may be one number or a list is a list here, one entry for each block.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// Stages of the UNet: resnets only, or resnets each followed by a transformer.
enum class UNetStage { Plain, CrossAttention };
enum class UNetMid { None, Plain, CrossAttention };
/// How the time embedding enters a resnet: added ("default") or as scale and shift ("scale_shift").
enum class TimeScaleShift { Add, ScaleShift };

/// Defaults are those of the class in diffusers: what a missing key means.
struct UNetConfig {
    int64_t sampleSize = 0; ///< side of the latents it was trained on; 0: not said
    int64_t inChannels = 4;
    int64_t outChannels = 4;
    bool centerInputSample = false;
    bool flipSinToCos = true;
    double freqShift = 0.0;
    std::vector<UNetStage> downStages{UNetStage::CrossAttention, UNetStage::CrossAttention,
                                      UNetStage::CrossAttention, UNetStage::Plain};
    UNetMid mid = UNetMid::CrossAttention;
    std::vector<UNetStage> upStages{UNetStage::Plain, UNetStage::CrossAttention, UNetStage::CrossAttention,
                                    UNetStage::CrossAttention};
    std::vector<int64_t> blockOutChannels{320, 640, 1280, 1280};
    std::vector<int64_t> layersPerBlock{2, 2, 2, 2}; ///< in the down direction; up stages have one more
    std::vector<int64_t> attentionHeads{8, 8, 8, 8}; ///< key `attention_head_dim`, which is a count of heads
    std::vector<int64_t> transformerLayers{1, 1, 1, 1};
    std::vector<int64_t> upTransformerLayers{1, 1, 1, 1}; ///< in the order of the up stages
    int64_t downsamplePadding = 1;
    double midBlockScaleFactor = 1.0;
    std::string activation = "silu";
    int64_t normGroups = 32;
    double normEpsilon = 1e-5;
    int64_t crossAttentionDim = 1280;
    bool useLinearProjection = false;
    bool upcastAttention = false;
    TimeScaleShift timeScaleShift = TimeScaleShift::Add;
    int64_t timeEmbeddingDim = 0; ///< 0: four times the first block's channels
    int64_t convInKernel = 3;
    int64_t convOutKernel = 3;
    bool textTimeEmbedding = false;   ///< SDXL: addition_embed_type "text_time"
    int64_t additionTimeEmbedDim = 0; ///< with textTimeEmbedding
    int64_t additionInputDim = 0;     ///< key projection_class_embeddings_input_dim

    /// With textTimeEmbedding: original size, crop corner, target size.
    static constexpr int64_t kTimeIds = 6;
    /// With textTimeEmbedding: of the text as a whole, beside its tokens.
    [[nodiscard]] int64_t pooledTextChannels() const {
        return additionInputDim - kTimeIds * additionTimeEmbedDim;
    }

    [[nodiscard]] int64_t timeEmbeddingChannels() const {
        return timeEmbeddingDim > 0 ? timeEmbeddingDim : 4 * blockOutChannels.front();
    }

    /// Parses the text of a config.json.
    /// Errors: BadInput; the message lists every key that cannot be used, what it holds and what would do.
    static Result<UNetConfig> fromJson(std::string_view text);
    /// The text of a config.json that diffusers loads.
    [[nodiscard]] std::string toJson() const;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A CLIP text encoder as a schedule of blocks, with the names that transformers writes ("text_model." first).
#pragma once

#include "core/base/model/configs/clip_config.h"
#include "core/base/schedule/schedule.h"

namespace homebooth::core {

enum class ClipInput {
    Tokens,
    TokensAndVectors, ///< a second input: vectors [N, hiddenSize] that ids from vocabularySize on stand for
};

enum class ClipOutput {
    Normed,         ///< hidden states after the final norm
    Hidden,         ///< hidden states as the last layer leaves them: SDXL's first encoder
    HiddenAndPooled ///< likewise, and of all layers what the text projection makes of the end of the text
};

/// Lays a text encoder out: embeddings, each layer, final norm and projection where the output needs them.
/// @param clipSkip  layers left out at the end, 0..layerCount - 1; their parameters are then not laid out
///                  unless the pooled text needs them
/// Input:  token ids [B, T] int64, T <= maxPositions
/// Output: hidden states [B, T, hiddenSize]; with HiddenAndPooled also pooled text [B, projectionDim]
[[nodiscard]] Schedule clipSchedule(const ClipConfig& config, int64_t clipSkip = 0,
                                    ClipInput input = ClipInput::Tokens,
                                    ClipOutput output = ClipOutput::Normed);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A CLIP text encoder as a schedule of blocks, with the names that transformers writes ("text_model." first).
#pragma once

#include "core/base/model/clip_config.h"
#include "core/base/schedule/schedule.h"

namespace homebooth::core {

enum class ClipInput {
    Tokens,
    TokensAndVectors, ///< a second input: vectors [N, hiddenSize] that ids from vocabularySize on stand for
};

/// Lays a text encoder out: embeddings, each layer, final norm.
/// @param clipSkip  layers left out at the end, 0..layerCount - 1; their parameters are then not laid out
/// Input:  token ids [B, T] int64, T <= maxPositions
/// Output: hidden states [B, T, hiddenSize], after the final norm
[[nodiscard]] Schedule clipSchedule(const ClipConfig& config, int64_t clipSkip = 0,
                                    ClipInput input = ClipInput::Tokens);

} // namespace homebooth::core

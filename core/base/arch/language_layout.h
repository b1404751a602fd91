// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A language model as a schedule of blocks, with the names that transformers writes. Weights of linear layers
// are [out, in], also GPT-2's, whose files hold them the other way round.
// What predicts is no block of its own but a value, the table of the head [V, E]: it is multiplied with where
// the loss is computed or a token is chosen. A tied table so is one parameter of the first block, and the
// gradients of both its uses meet there, whatever moves in between.
#pragma once

#include "core/base/model/configs/language_config.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>

namespace homebooth::core {

enum class LanguageUse {
    Whole,    ///< texts from their beginning, for training and for the beginning of what is written
    Following ///< what follows tokens whose keys and values are kept
};

/// Input:  token ids [B, T] int64, T <= contextLength
///         Following: also the place of the first of them, int64 [], and the keys and values of all tokens
///         before them, of each layer, [B, heads, P, d] each
/// Output: hidden states [B, T, E] behind the last norm, table of the head [V, E]
///         Following: also the keys and values of these tokens, of each layer, [B, heads, T, d] each
/// @param contextLength  tokens, for the sizes of values; 1..maxPositions
[[nodiscard]] Schedule languageSchedule(const LanguageConfig& config, int64_t contextLength,
                                        LanguageUse use = LanguageUse::Whole);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which token follows, of a language model's logits. Pure function; any thread.
#pragma once

#include <cstdint>
#include <span>

namespace homebooth::core {

struct TokenChoice {
    double temperature = 0.8; ///< 0: the likeliest token, of equal ones that with the lower id
    int64_t topK = 0;         ///< only so many of the likeliest count; 0: all
    double topP = 1.0;        ///< of these the smallest set whose share reaches this
    double repetitionPenalty = 1.0;
};

/// @param logits  fp32, one for each entry of the vocabulary
/// @param before  ids of the text up to now: their logits are divided by the penalty where they are positive,
///                else multiplied with it, once, however often they occur. Others than the vocabulary's do
///                not count
/// @param random  in [0, 1): of the tokens in the order of their probability, of equal ones by their ids, the
///                one in whose share it falls
/// @returns       an id; -1 where a logit is NaN or the greatest one is no number
/// Source: Fan et al., "Hierarchical Neural Story Generation", 2018 (top-k); Holtzman et al., "The Curious
/// Case of Neural Text Degeneration", 2020 (top-p); Keskar et al., "CTRL", 2019 (penalty)
[[nodiscard]] int64_t chooseToken(std::span<const float> logits, std::span<const int64_t> before,
                                  const TokenChoice& choice, double random);

} // namespace homebooth::core

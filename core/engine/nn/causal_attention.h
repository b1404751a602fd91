// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Attention of a token to itself and to those before it, with nothing of the size of the scores in memory.
// Distances that lower the scores (ALiBi: Press et al., "Train Short, Test Long", 2022) are four more
// channels of queries and keys: of a distance i - j the part of i is the same for all that a token sees,
// which softmax does not mind, and slope * j is a product of a query's channel with a key's. Both are split
// into two numbers each, so that they are exact enough in 16 bits. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// Queries, keys and values by head: [B, heads, T, d] each, may be views.
struct Projected {
    at::Tensor queries;
    at::Tensor keys;
    at::Tensor values;
};

/// @param now        of the T tokens that attend
/// @param past       keys and values of the P tokens before them, [B, heads, P, d]; undefined: none
/// @param distances  whether scores fall with the distance, by each head's slope
/// Shapes: -> [B, T, heads * d]
[[nodiscard]] at::Tensor attendCausally(const Projected& now, const at::Tensor& pastKeys,
                                        const at::Tensor& pastValues, bool distances);

/// By how much a step of distance lowers the scores of each head. fp32 [heads], on the CPU
/// Source: the published ALiBi code: powers of 2^(-8 / n) for n heads, n a power of two; others take every
/// second one of the next power besides.
[[nodiscard]] at::Tensor distanceSlopes(int64_t heads);

} // namespace homebooth::core

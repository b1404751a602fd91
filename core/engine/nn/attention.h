// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Multi-head attention over projected queries, keys and values. Stateless; any thread.
#pragma once

#include "core/engine/graph/kept_products.h"

#include <ATen/ATen.h>

namespace homebooth::core {

struct AttentionOptions {
    int64_t heads = 1;
    bool causal = false; ///< a position sees itself and what is before it
    /// Compute in fp32 where the type's range is too small for the scores (fp16 only: bf16 has fp32's range).
    bool upcast = false;
};

/// softmax(q k^T / sqrt(d)) v for each head of width d.
/// @param products  where the result may be kept for the recomputation; may be null
/// Shapes: q [B, T, heads * d], k and v [B, S, heads * d] -> [B, T, heads * d]
[[nodiscard]] at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                const AttentionOptions& options, KeptProducts* products = nullptr);

} // namespace homebooth::core

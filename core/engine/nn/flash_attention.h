// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Our flash attention on the CPU as a differentiable function of projected tensors. Nothing of the size of
// the scores is ever stored; between forward and backward only the output and one number a query are kept.
// The result does not depend on the number of threads. Stateless; any thread.
#pragma once

#include "core/engine/graph/kept_products.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// Whether `flashAttend` serves these tensors here: bf16 on a processor with AVX-512 BF16.
[[nodiscard]] bool flashAttentionServes(const at::Tensor& q, const at::Tensor& k, int64_t heads);

/// softmax(q k^T / sqrt(d)) v for each head of width d; differentiable in q, k and v.
/// @param products  where the result and its number a query may be kept for the recomputation; may be null
/// Shapes: q [B, T, heads * d], k and v [B, S, heads * d] bf16 -> [B, T, heads * d] bf16, contiguous
[[nodiscard]] at::Tensor flashAttend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                     int64_t heads, KeptProducts* products = nullptr);

} // namespace homebooth::core

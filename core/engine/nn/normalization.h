// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Group normalisation with an optional SiLU behind it: our fused kernel for channels-last bf16 on the CPU,
// LibTorch's own elsewhere. Between forward and backward only the input and two numbers a group are kept.
// The result does not depend on the number of threads. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// Differentiable in x, weight and bias.
/// @param silu  apply SiLU to the normalised values
/// Shapes: x [B, C, H, W] or [B, C, N], weight and bias [C] -> as x, in the same memory order
[[nodiscard]] at::Tensor normalizeGroups(const at::Tensor& x, const at::Tensor& weight,
                                         const at::Tensor& bias, int64_t groups, double epsilon, bool silu);

/// Layer norm over the last size; differentiable in x, weight and bias.
/// Shapes: x [..., C], weight and bias [C] -> as x
[[nodiscard]] at::Tensor normalizeRows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                                       double epsilon);

} // namespace homebooth::core

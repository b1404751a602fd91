// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A 3x3 convolution in bf16 on the CPU with 4/9 of the multiplications, for sampling.
// Why not for training: in bf16 it rounds about three times as much as a direct convolution, see
// kernels/conv/winograd.h. Deterministic for a fixed number of threads. Stateless; any thread.
#pragma once

#include "core/engine/nn/stored_weight.h"

namespace homebooth::core {

/// Whether this way serves, and pays: bf16, 3x3, stride 1, padding 1, channels in sixteens, and enough pixels
/// to earn back the transformation of the weight.
[[nodiscard]] bool winogradServes(const at::Tensor& x, const StoredWeight& weight, int64_t padding,
                                  int64_t stride);

/// Convolves with padding 1; no gradient is recorded.
/// @param bias  [O] or undefined
/// Shapes: x [B, C, H, W] channels-last, weight [O, C, 3, 3] channels-last -> [B, O, H, W] channels-last
/// Errors: throws c10::Error where winogradServes is false
[[nodiscard]] at::Tensor convolveByWinograd(const at::Tensor& x, const at::Tensor& weight,
                                            const at::Tensor& bias);

} // namespace homebooth::core

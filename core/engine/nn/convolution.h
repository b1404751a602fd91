// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Convolution as matrix products on the CPU (fp32 and bf16), LibTorch's own elsewhere.
// Why: at SD 1.5's shapes, on two cores of a Zen 4, a bf16 GEMM ran at about 430 GFLOP/s, oneDNN's direct
// convolution at 60 to 130 forward and 10 to 100 for the weight gradient. Separate runs on a machine that did
// other work too: the order of magnitude holds, the digits do not.
// Deterministic for a fixed number of threads. Stateless; any thread.
#pragma once

#include "core/engine/nn/stored_weight.h"

namespace homebooth::core {

/// What is wanted of a result.
enum class ResultUse {
    Values,       ///< its values, and gradients where grad mode is on
    ValuesAlone,  ///< no gradients: where it is faster, a product that rounds more in bf16 may serve
    GradientsOnly ///< only a place in the graph for its gradients
};

/// Convolves with bias; differentiable in x, weight and bias, but with ValuesAlone.
/// @param x        what is convolved; another order than channels-last is copied into it
/// @param weight   of x's type; a quantized one is kept as it is, made whole for each use and has no gradient
/// @param bias     may be undefined
/// @param padding  pixels on each side, zeros
/// @param stride   pixels from one patch to the next, in both directions
/// @param use      with GradientsOnly the result's values are undefined, where that saves work
/// @param known    the result, where an earlier call made it: only its place in the graph is made then
/// Shapes: x [B, C, H, W], weight [O, C, kh, kw], bias [O] -> [B, O, H', W'] channels-last
/// Errors: throws c10::Error on shapes that do not match
[[nodiscard]] at::Tensor convolve(const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias,
                                  int64_t padding, int64_t stride, ResultUse use = ResultUse::Values,
                                  const at::Tensor& known = {});

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The linear layer as a differentiable function that can be told its result. Stateless; any thread.
#pragma once

#include "core/engine/nn/stored_weight.h"

namespace homebooth::core {

/// y = x W^T + b; differentiable in x, weight and bias, of which only x and weight are kept.
/// @param weight  a quantized one is kept as it is, made whole for each product and has no gradient
/// @param bias   may be undefined
/// @param known  y, when it is known from an earlier call: then only its place in the graph is made
/// Shapes: x [..., in], weight [out, in], bias [out] -> [..., out]
[[nodiscard]] at::Tensor linearProduct(const at::Tensor& x, const StoredWeight& weight,
                                       const at::Tensor& bias, const at::Tensor& known = {});

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The squared norm of one gradient, in fp64, the same for every thread count and cut, on every device. Pure
// function.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// @param gradient  dense, in its parameter's memory order; fp32, bf16 or fp16
/// @param before    of the elements before these, where it comes in pieces of whole sum blocks; they are
/// added
/// @returns         not finite exactly if an element is not finite
[[nodiscard]] double squaredNorm(const at::Tensor& gradient, double before = 0.0);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Dropout whose mask depends on a seed and a position only: recomputation, the number of threads and the
// device do not change it. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

/// Zeroes elements with `probability` and scales the others by 1 / (1 - probability). Differentiable in x.
/// @param probability  0 <= probability < 1
/// @param seed         of this block and step
/// @param stream       tells several uses within one block apart
/// Shapes: x any, dense -> the same, in the same memory order
at::Tensor dropout(const at::Tensor& x, double probability, uint64_t seed, uint64_t stream);

} // namespace homebooth::core

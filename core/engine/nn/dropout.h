// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Dropout whose mask depends on a seed and a position only: recomputation, the number of threads and the
// device do not change it. Stateless; any thread.
#pragma once

#include "core/engine/graph/batch_part.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

/// Zeroes elements with `probability` and scales the others by 1 / (1 - probability). Differentiable in x.
/// @param probability  0 <= probability < 1
/// @param seed         of this block and step
/// @param stream       tells several uses within one block apart
/// @param part         which samples of the batch these are: each has the same mask wherever it is computed
/// Shapes: x any, dense, samples one behind the other in memory -> the same, in the same memory order
at::Tensor dropout(const at::Tensor& x, double probability, uint64_t seed, uint64_t stream,
                   const BatchPart& part = {});

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stochastic rounding of a parameter, for optimizers without a fused kernel.
#pragma once

#include "kernels/random/philox.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// Writes fp32 values into a parameter, rounding 16-bit types stochastically: where the parameter lies, which
/// does not change the result.
/// @param exact         fp32, same shape and memory order as `parameter`
/// @param firstElement  of it, where `parameter` is a stretch of one; a multiple of kRandomGroup
void storeRounded(const at::Tensor& parameter, const at::Tensor& exact, const kernels::RandomStream& random,
                  int64_t firstElement = 0);

} // namespace homebooth::core

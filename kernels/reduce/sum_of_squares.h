// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of squares for gradient norms, in fp64, with a fixed order of additions.
// Pure functions over borrowed memory; any thread.
#pragma once

#include "kernels/numeric/float16.h"

#include <cstdint>

namespace homebooth::kernels {

/// Elements of one partial sum. Partial sums start at multiples of it within a parameter and are added in
/// their order, so that neither threads nor chunks change the result.
inline constexpr int64_t kSumBlock = 4096;

/// Independent sums within a block, each of every 16th element; they are added in their order.
inline constexpr int64_t kSumLanes = 16;

/// The partial sum of one block.
/// @param count  at most kSumBlock
/// @returns      not finite exactly if an element is not finite: squares of fp32 cannot overflow fp64
[[nodiscard]] double sumOfSquares(const void* values, NumberType type, int64_t count);

/// The partial sums of all blocks on the GPU, with the same bytes; the pointers are device pointers.
/// @param count    of all values
/// @param partial  one for each block
/// @param stream   a cudaStream_t
/// @returns        the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchSumsOfSquares(const void* values, NumberType type, int64_t count, double* partial, void* stream);

} // namespace homebooth::kernels

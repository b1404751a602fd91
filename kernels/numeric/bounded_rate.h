// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a change is multiplied with, less than the learning rate by as much as the change is too large.
// On a GPU it stays there, so that nobody waits for it. Pure functions over borrowed memory; any thread.
#pragma once

#include "kernels/numeric/inline.h"

#include <cmath>
#include <cstdint>

namespace homebooth::kernels {

/// rate / max(1, root mean square / most) in fp64, each operation rounded once, then rounded to fp32.
/// Where the root is not a number: the rate.
/// @param squares  the sum of the squares of the change's elements
/// @param count    of them, at least one
/// @param most     root mean square that is not too large
HOMEBOOTH_INLINE float boundedRate(double squares, int64_t count, double rate, double most) {
    const double excess = sqrt(squares / static_cast<double>(count)) / most;
    return static_cast<float>(rate / (1.0 < excess ? excess : 1.0));
}

/// The same on the GPU, with the same bytes; the pointers are device pointers.
/// @param squares  one; read
/// @param rounded  one; written
/// @param stream   a cudaStream_t
/// @returns        the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1
int launchBoundedRate(const double* squares, int64_t count, double rate, double most, float* rounded,
                      void* stream);

} // namespace homebooth::kernels

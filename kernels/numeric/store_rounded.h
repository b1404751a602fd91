// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes fp32 values into a 16-bit parameter with stochastic rounding by element index.
// Borrows its pointers; disjoint ranges may run on any threads.
#pragma once

#include "kernels/numeric/float16.h"
#include "kernels/random/philox.h"

namespace homebooth::kernels {

/// @param from          `count` values
/// @param to            `count` elements of type `type`; fp32 is copied
/// @param firstElement  index of the first of them within the parameter
void storeRounded(const float* from, void* to, NumberType type, int64_t firstElement, int64_t count,
                  const RandomStream& random);

/// The same on the GPU, with the same bytes; the pointers are device pointers.
/// @param stream  a cudaStream_t
/// @returns       the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchStoreRounded(const float* from, void* to, NumberType type, int64_t firstElement, int64_t count,
                       const RandomStream& random, void* stream);

} // namespace homebooth::kernels

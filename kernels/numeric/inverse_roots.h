// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One over the square root of each value, root and quotient rounded to the nearest each: LibTorch's roots are
// not on every device. Borrows its pointers; disjoint ranges may run on any threads.
#pragma once

#include <cstdint>

namespace homebooth::kernels {

/// @param values  `count` of them, not below zero; changed in place
void inverseRoots(float* values, int64_t count);

/// The same on the GPU, with the same bytes; the pointer is a device pointer.
/// @param stream  a cudaStream_t
/// @returns       the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchInverseRoots(float* values, int64_t count, void* stream);

} // namespace homebooth::kernels

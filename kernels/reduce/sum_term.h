// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What one element adds to a sum, on the CPU and on the GPU. Squares of fp32 are exact in fp64.
#pragma once

#include "kernels/numeric/inline.h"

namespace homebooth::kernels {

template <bool kSquares, class T>
HOMEBOOTH_INLINE double termOf(T value) {
    const double wide = value;
    return kSquares ? wide * wide : wide;
}

} // namespace homebooth::kernels

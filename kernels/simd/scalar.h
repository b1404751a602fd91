// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One lane: the reference of kernels/simd/avx2.h and avx512.h, and what the GPU runs in each thread.
// A kernel body is a template over such a type and therefore has one order of operations everywhere.
// Floats of every type support + - * /; the files are compiled without contraction.
#pragma once

#include "kernels/numeric/float16.h"

#include <cmath>

namespace homebooth::kernels {

struct Scalar {
    using Float = float;
    using Int = uint32_t;

    HOMEBOOTH_INLINE Float broadcast(float value) { return value; }
    HOMEBOOTH_INLINE Float squareRoot(Float value) { return sqrtf(value); }

    template <class T>
    HOMEBOOTH_INLINE Float load(const T* from) {
        return toFloat(*from);
    }
    HOMEBOOTH_INLINE void store(float* to, Float value) { *to = value; }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value) { *to = nearestBf16(value); }
    HOMEBOOTH_INLINE void store(Half* to, Float value) { *to = nearestHalf(value); }

    /// Stores with stochastic rounding by the low 16 bits of `random`; fp32 as it is.
    HOMEBOOTH_INLINE void store(float* to, Float value, Int) { *to = value; }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value, Int random) {
        *to = stochasticBf16(value, random & 0xffffu);
    }
    HOMEBOOTH_INLINE void store(Half* to, Float value, Int random) {
        *to = stochasticHalf(value, random & 0xffffu);
    }
    HOMEBOOTH_INLINE Int upperHalf(Int random) { return random >> 16; }
};

} // namespace homebooth::kernels

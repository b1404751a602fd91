// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How single elements of parameters are read and written, on the CPU and the GPU.
// Included by the scalar and CUDA variants of adamw and adamw8bit only.
#pragma once

#include "kernels/optim/adamw_element.h"
#include "kernels/simd/scalar.h"

namespace homebooth::kernels {

/// @param master  null: there is none
template <class P>
HOMEBOOTH_INLINE float loadParameter(const P* parameter, const float* master, int64_t i) {
    return master != nullptr ? master[i] : Scalar::load(parameter + i);
}

/// @param random  bits for a parameter without a master
template <class P>
HOMEBOOTH_INLINE void storeParameter(P* parameter, float* master, int64_t i, float value, bool stochastic,
                                     uint32_t random) {
    if (master != nullptr) master[i] = value;
    if (stochastic && master == nullptr)
        Scalar::store(parameter + i, value, random);
    else
        Scalar::store(parameter + i, value);
}

} // namespace homebooth::kernels

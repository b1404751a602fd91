// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/numeric/inverse_roots.h"

#include "kernels/numeric/clones.h"
#include "kernels/simd/scalar.h"

namespace homebooth::kernels {

HOMEBOOTH_CLONES void inverseRoots(float* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) values[i] = 1.0f / Scalar::squareRoot(values[i]);
}

} // namespace homebooth::kernels

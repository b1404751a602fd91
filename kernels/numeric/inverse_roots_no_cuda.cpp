// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for inverse_roots.cu in a build without CUDA.
#include "kernels/numeric/inverse_roots.h"

namespace homebooth::kernels {

int launchInverseRoots(float*, int64_t, void*) {
    return -1;
}

} // namespace homebooth::kernels

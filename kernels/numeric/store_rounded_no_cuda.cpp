// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for store_rounded.cu in a build without CUDA.
#include "kernels/numeric/store_rounded.h"

namespace homebooth::kernels {

int launchStoreRounded(const float*, void*, NumberType, int64_t, int64_t, const RandomStream&, void*) {
    return -1;
}

} // namespace homebooth::kernels

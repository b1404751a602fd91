// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for bounded_rate.cu in a build without CUDA.
#include "kernels/numeric/bounded_rate.h"

namespace homebooth::kernels {

int launchBoundedRate(const double*, int64_t, double, double, float*, void*) {
    return -1;
}

} // namespace homebooth::kernels

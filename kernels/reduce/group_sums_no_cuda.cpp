// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for group_sums.cu in a build without CUDA.
#include "kernels/reduce/group_sums.h"

namespace homebooth::kernels {

int launchGroupSums(const float*, Summed, const SummedSides&, double*, void*) {
    return -1;
}

int launchGroupSums(const double*, const SummedSides&, double*, void*) {
    return -1;
}

} // namespace homebooth::kernels

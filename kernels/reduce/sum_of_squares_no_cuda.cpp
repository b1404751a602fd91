// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for sum_of_squares.cu in a build without CUDA.
#include "kernels/reduce/sum_of_squares.h"

namespace homebooth::kernels {

int launchSumsOfSquares(const void*, NumberType, int64_t, double*, void*) {
    return -1;
}

} // namespace homebooth::kernels

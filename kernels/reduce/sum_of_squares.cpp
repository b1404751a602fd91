// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/sum_of_squares.h"

#include "kernels/numeric/clones.h"

namespace homebooth::kernels {
namespace {

template <class T>
HOMEBOOTH_INLINE double sum(const T* values, int64_t count) {
    double lanes[kSumLanes] = {};
    int64_t i = 0;
    for (; i + kSumLanes <= count; i += kSumLanes) {
        for (int64_t lane = 0; lane < kSumLanes; ++lane) {
            const double value = toFloat(values[i + lane]);
            lanes[lane] += value * value;
        }
    }
    for (; i < count; ++i) {
        const double value = toFloat(values[i]);
        lanes[i % kSumLanes] += value * value;
    }
    double total = 0.0;
    for (const double lane : lanes) total += lane;
    return total;
}

} // namespace

HOMEBOOTH_CLONES double sumOfSquares(const void* values, NumberType type, int64_t count) {
    switch (type) {
    case NumberType::Float32:
        return sum(static_cast<const float*>(values), count);
    case NumberType::Bf16:
        return sum(static_cast<const Bf16*>(values), count);
    case NumberType::Half:
        return sum(static_cast<const Half*>(values), count);
    }
    return 0.0;
}

} // namespace homebooth::kernels

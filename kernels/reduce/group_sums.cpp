// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/group_sums.h"

#include "kernels/numeric/clones.h"
#include "kernels/reduce/sum_term.h"

namespace homebooth::kernels {
namespace {

/// Groups that lie one behind another are summed so many at a time: one sum alone would wait for its own
/// additions.
constexpr int64_t kAtOnce = 8;

template <bool kSquares, class T>
HOMEBOOTH_INLINE void sumNeighbours(const T* values, double* sums) {
    double found[kAtOnce] = {};
    for (int64_t k = 0; k < kSumGroup; ++k)
        for (int64_t one = 0; one < kAtOnce; ++one)
            found[one] += termOf<kSquares>(values[one * kSumGroup + k]);
    for (int64_t one = 0; one < kAtOnce; ++one) sums[one] = found[one];
}

template <bool kSquares, class T>
HOMEBOOTH_INLINE void sumRow(const T* values, int64_t count, int64_t inner, double* sums) {
    if (inner == 1) {
        double sum = 0.0;
        for (int64_t k = 0; k < count; ++k) sum += termOf<kSquares>(values[k]);
        *sums = sum;
        return;
    }
    for (int64_t i = 0; i < inner; ++i) sums[i] = 0.0;
    for (int64_t k = 0; k < count; ++k)
        for (int64_t i = 0; i < inner; ++i) sums[i] += termOf<kSquares>(values[k * inner + i]);
}

template <bool kSquares, class T>
HOMEBOOTH_INLINE void sumRows(const T* values, const SummedSides& sides, int64_t begin, int64_t end,
                              double* sums) {
    const int64_t groups = sides.groups();
    int64_t row = begin;
    if (sides.inner == 1 &&
        (sides.outer == 1 || sides.count % kSumGroup == 0)) { // without gaps or short ones
        const int64_t whole = sides.outer * sides.count / kSumGroup;
        for (; row + kAtOnce <= (end < whole ? end : whole); row += kAtOnce)
            sumNeighbours<kSquares>(values + row * kSumGroup, sums + row);
    }
    int64_t outer = row / groups;
    int64_t group = row % groups;
    for (; row < end; ++row) {
        const int64_t first = group * kSumGroup;
        const int64_t left = sides.count - first;
        sumRow<kSquares>(values + (outer * sides.count + first) * sides.inner,
                         left < kSumGroup ? left : kSumGroup, sides.inner, sums + row * sides.inner);
        if (++group < groups) continue;
        group = 0;
        ++outer;
    }
}

} // namespace

HOMEBOOTH_CLONES void groupSums(const float* values, Summed what, const SummedSides& sides, int64_t begin,
                                int64_t end, double* sums) {
    if (what == Summed::Squares)
        sumRows<true>(values, sides, begin, end, sums);
    else
        sumRows<false>(values, sides, begin, end, sums);
}

HOMEBOOTH_CLONES void groupSums(const double* values, const SummedSides& sides, int64_t begin, int64_t end,
                                double* sums) {
    sumRows<false>(values, sides, begin, end, sums);
}

} // namespace homebooth::kernels

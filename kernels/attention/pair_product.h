// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The one product that flash attention is made of: C (+)= A B with A and B in bf16 and C in fp32.
//   A  row-major, read as pairs of neighbouring columns:  [rows, depth / 2] of 32 bits
//   B  rows interleaved by pairs:                         [depth / 2, columns] of 32 bits
//   C  row-major fp32                                     [rows, columns]
// `columns` is a multiple of 16, `depth` is even. For files compiled with AVX-512 BF16 only.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace homebooth::kernels {

struct PairMatrix {
    const uint32_t* pairs;
    int64_t stride; ///< in pairs, between rows
};

namespace detail {

template <int Rows, int Vectors>
inline void pairTile(PairMatrix a, PairMatrix b, int64_t pairCount, float* c, int64_t cStride,
                     bool accumulate) {
    __m512 sums[Rows][Vectors];
    for (int r = 0; r < Rows; ++r)
        for (int n = 0; n < Vectors; ++n)
            sums[r][n] = accumulate ? _mm512_loadu_ps(c + r * cStride + 16 * n) : _mm512_setzero_ps();
    for (int64_t k = 0; k < pairCount; ++k) {
        __m512i right[Vectors];
        for (int n = 0; n < Vectors; ++n) right[n] = _mm512_loadu_si512(b.pairs + k * b.stride + 16 * n);
        for (int r = 0; r < Rows; ++r) {
            const __m512i left = _mm512_set1_epi32(static_cast<int>(a.pairs[r * a.stride + k]));
            for (int n = 0; n < Vectors; ++n)
                sums[r][n] = _mm512_dpbf16_ps(sums[r][n], (__m512bh)left, (__m512bh)right[n]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int n = 0; n < Vectors; ++n) _mm512_storeu_ps(c + r * cStride + 16 * n, sums[r][n]);
}

/// All rows against one strip of Vectors * 16 columns; Rows is as many as the registers hold.
template <int Rows, int Vectors>
inline void pairStrip(PairMatrix a, PairMatrix b, int64_t rows, int64_t pairCount, float* c, int64_t cStride,
                      bool accumulate) {
    int64_t r = 0;
    for (; r + Rows <= rows; r += Rows)
        pairTile<Rows, Vectors>({a.pairs + r * a.stride, a.stride}, b, pairCount, c + r * cStride, cStride,
                                accumulate);
    for (; r < rows; ++r)
        pairTile<1, Vectors>({a.pairs + r * a.stride, a.stride}, b, pairCount, c + r * cStride, cStride,
                             accumulate);
}

} // namespace detail

/// @param accumulate  add to C instead of overwriting it
inline void pairProduct(PairMatrix a, PairMatrix b, int64_t rows, int64_t columns, int64_t pairCount,
                        float* c, int64_t cStride, bool accumulate) {
    int64_t n = 0;
    while (n < columns) {
        const int64_t left = (columns - n) / 16;
        const PairMatrix strip{b.pairs + n, b.stride};
        if (left >= 4 && left != 5) {
            detail::pairStrip<6, 4>(a, strip, rows, pairCount, c + n, cStride, accumulate);
            n += 64;
        } else if (left == 5) {
            detail::pairStrip<5, 5>(a, strip, rows, pairCount, c + n, cStride, accumulate);
            n += 80;
        } else if (left == 3) {
            detail::pairStrip<8, 3>(a, strip, rows, pairCount, c + n, cStride, accumulate);
            n += 48;
        } else if (left == 2) {
            detail::pairStrip<8, 2>(a, strip, rows, pairCount, c + n, cStride, accumulate);
            n += 32;
        } else {
            detail::pairStrip<8, 1>(a, strip, rows, pairCount, c + n, cStride, accumulate);
            n += 16;
        }
    }
}

} // namespace homebooth::kernels

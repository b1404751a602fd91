// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest code of the dynamic map, written once for CPU and GPU.
// Included by the variants of adamw8bit only.
#pragma once

#include "kernels/numeric/inline.h"

#include <cmath>
#include <cstdint>

namespace homebooth::kernels {

inline constexpr int kDecades = 7;
inline constexpr int32_t kLastCode = 255;

/// Takes a magnitude to its code without a search: decade d has parts of one size, so that a product and a
/// sum give the part. At the edges of decades the middles of neighbours decide.
struct Decades {
    float above[kDecades] = {};  ///< greater magnitudes belong to this decade, or to a higher one
    float factor[kDecades] = {}; ///< part = magnitude * factor + offset
    float offset[kDecades] = {};
    float lastPart[kDecades] = {};
    float aboveAll = 0.0f; ///< greater ones are 1
    int32_t firstParts = 0;
    int32_t zeroCode = 0;
};

/// Of the map that is signed, or the other one.
[[nodiscard]] const Decades& decadesOf(bool isSigned);

/// The code whose value is nearest to `value`, which lies within [-1, 1]. Without a branch, so that a
/// compiler does it for many at once.
HOMEBOOTH_INLINE uint8_t nearestCode(const Decades& map, float value) {
    const float magnitude = fabsf(value);
    float factor = 0.0f;
    float offset = 0.0f;
    float last = 0.0f;
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 7
#endif
    for (int decade = 0; decade < kDecades; ++decade) {
        const bool reached = magnitude > map.above[decade];
        factor = reached ? map.factor[decade] : factor;
        offset = reached ? map.offset[decade] : offset;
        last = reached ? map.lastPart[decade] : last;
    }
    float part = magnitude * factor + offset;
    part = part > 0.0f ? part : 0.0f;
    part = part < last ? part : last;
    // Below a decade of n parts lie n - firstParts others, and zero.
    int32_t rank = static_cast<int32_t>(last) + 2 - map.firstParts + static_cast<int32_t>(part);
    rank = magnitude > map.above[0] ? rank : 0;
    rank = magnitude > map.aboveAll ? kLastCode - map.zeroCode : rank;
    const int32_t down = rank < map.zeroCode ? rank : map.zeroCode; // -1 is not in the map
    const int32_t away = value < 0.0f ? -down : rank;
    return static_cast<uint8_t>(map.zeroCode + away);
}

} // namespace homebooth::kernels

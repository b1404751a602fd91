// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Each block is widened to fp32 on the stack, stepped by the AdamW kernel of this processor, and narrowed
// again, so the arithmetic is that of adamw.h.
#include "kernels/optim/adamw8bit.h"

#include "kernels/numeric/clones.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace homebooth::kernels {
namespace {

constexpr int kDecades = 7;
constexpr int32_t kLastCode = 255;

/// Takes a magnitude to its code without a search: decade d has parts of one size, so that a product and a
/// sum give the part. At the edges of decades the middles of neighbours decide.
struct Decades {
    std::array<float, kDecades> above = {};  ///< greater magnitudes belong to this decade, or to a higher one
    std::array<float, kDecades> factor = {}; ///< part = magnitude * factor + offset
    std::array<float, kDecades> offset = {};
    std::array<float, kDecades> lastPart = {};
    float aboveAll = 0.0f; ///< greater ones are 1
    int32_t firstParts = 0;
    int32_t zeroCode = 0;
};

/// The map with what finding the nearest code needs.
struct Quantiser {
    std::array<float, 256> values = {};
    Decades decades;

    explicit Quantiser(bool isSigned) {
        decades.firstParts = isSigned ? 1 : 2;
        fillValues(isSigned);
        decades.zeroCode =
            static_cast<int32_t>(std::find(values.begin(), values.end(), 0.0f) - values.begin());
        size_t first = static_cast<size_t>(decades.zeroCode) + 1; // of the decade
        for (int decade = 0; decade < kDecades; ++decade) {
            const int parts = decades.firstParts << decade;
            const double unit = unitOf(decade);
            decades.above[decade] = middleBelow(first);
            decades.factor[decade] = static_cast<float>(parts / (0.9 * unit));
            decades.offset[decade] = static_cast<float>(-parts / 9.0);
            decades.lastPart[decade] = static_cast<float>(parts - 1);
            first += static_cast<size_t>(parts);
        }
        decades.aboveAll = middleBelow(first);
    }

    static double unitOf(int decade) { return std::pow(10.0, decade - kDecades + 1); }
    [[nodiscard]] float middleBelow(size_t code) const { return 0.5f * (values[code - 1] + values[code]); }

    /// Decade d has n = 2^d values (twice as many without sign): the middles of n equal parts of [0.1, 1],
    /// times its power of ten. Zero and one complete the 256.
    void fillValues(bool isSigned) {
        size_t next = 0;
        for (int decade = 0; decade < kDecades; ++decade) {
            const int parts = decades.firstParts << decade;
            const double unit = unitOf(decade);
            for (int part = 0; part < parts; ++part) {
                const auto value = static_cast<float>(unit * (0.1 + 0.9 * (part + 0.5) / parts));
                values[next++] = value;
                if (isSigned) values[next++] = -value;
            }
        }
        values[next++] = 0.0f;
        values[next++] = 1.0f;
        assert(next == values.size());
        std::sort(values.begin(), values.end());
    }
};

const Quantiser& quantiser(bool isSigned) {
    static const Quantiser withSign(true);
    static const Quantiser withoutSign(false);
    return isSigned ? withSign : withoutSign;
}

/// The nearest codes of value / unit, without a branch, so that the compiler does it for many at once.
/// @param given  copied: for all the compiler knows, writing codes might change it
HOMEBOOTH_CLONES void encode(const Decades& given, const float* __restrict values, float unit, int64_t count,
                             uint8_t* __restrict codes) {
    const Decades map = given;
    const int32_t mostRank = kLastCode - map.zeroCode;
    for (int64_t i = 0; i < count; ++i) {
        const float value = values[i] / unit;
        const float magnitude = std::fabs(value);
        float factor = 0.0f;
        float offset = 0.0f;
        float last = 0.0f;
#pragma GCC unroll 7
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
        rank = magnitude > map.aboveAll ? mostRank : rank;
        const int32_t down = rank < map.zeroCode ? rank : map.zeroCode; // -1 is not in the map
        const int32_t away = value < 0.0f ? -down : rank;
        codes[i] = static_cast<uint8_t>(map.zeroCode + away);
    }
}

/// The bits of finite magnitudes are in the order of their values, and integers have a greatest one at once.
HOMEBOOTH_CLONES float greatestMagnitude(const float* values, int64_t count) {
    constexpr uint32_t kMagnitudeBits = 0x7fffffffu;
    uint32_t greatest = 0;
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t bits = bitsOf(values[i]) & kMagnitudeBits;
        greatest = bits > greatest ? bits : greatest;
    }
    return floatOf(greatest);
}

} // namespace

const std::array<float, 256>& dynamicMap(bool isSigned) {
    return quantiser(isSigned).values;
}

float quantiseBlock(const float* values, int64_t count, bool isSigned, uint8_t* codes) {
    const float scale = greatestMagnitude(values, count);
    encode(quantiser(isSigned).decades, values, scale > 0.0f ? scale : 1.0f, count, codes);
    return scale;
}

void dequantiseBlock(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    const std::array<float, 256>& map = dynamicMap(isSigned);
    for (int64_t i = 0; i < count; ++i) values[i] = map[codes[i]] * scale;
}

void adamW8bit(const AdamWRange& range, const QuantisedMoments& moments, const AdamWStep& step,
               const RandomStream& random) {
    assert(range.firstElement % kQuantisationBlock == 0);
    float first[kQuantisationBlock];
    float second[kQuantisationBlock];
    for (int64_t begin = 0; begin < range.count; begin += kQuantisationBlock) {
        const int64_t count = std::min(kQuantisationBlock, range.count - begin);
        const int64_t block = begin / kQuantisationBlock;
        dequantiseBlock(moments.firstCodes + begin, moments.firstScales[block], count, true, first);
        dequantiseBlock(moments.secondCodes + begin, moments.secondScales[block], count, false, second);
        AdamWRange part = slice(range, begin, count);
        part.momentType = NumberType::Float32;
        part.firstMoment = first;
        part.secondMoment = second;
        adamW(part, step, random);
        moments.firstScales[block] = quantiseBlock(first, count, true, moments.firstCodes + begin);
        moments.secondScales[block] = quantiseBlock(second, count, false, moments.secondCodes + begin);
    }
}

} // namespace homebooth::kernels

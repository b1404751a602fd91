// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Each block is widened to fp32 on the stack, stepped by the AdamW kernel of this processor, and narrowed
// again, so the arithmetic is that of adamw.h.
#include "kernels/optim/adamw8bit.h"

#include "kernels/numeric/clones.h"
#include "kernels/optim/dynamic_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace homebooth::kernels {
namespace {

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

/// The nearest codes of value / unit.
/// @param given  copied: for all the compiler knows, writing codes might change it
HOMEBOOTH_CLONES void encode(const Decades& given, const float* __restrict values, float unit, int64_t count,
                             uint8_t* __restrict codes) {
    const Decades map = given;
    for (int64_t i = 0; i < count; ++i) codes[i] = nearestCode(map, values[i] / unit);
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

const Decades& decadesOf(bool isSigned) {
    return quantiser(isSigned).decades;
}

const std::array<float, 256>& dynamicMap(bool isSigned) {
    return quantiser(isSigned).values;
}

float quantiseBlock(const float* values, int64_t count, bool isSigned, uint8_t* codes) {
    const float scale = greatestMagnitude(values, count);
    encode(decadesOf(isSigned), values, scale > 0.0f ? scale : 1.0f, count, codes);
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

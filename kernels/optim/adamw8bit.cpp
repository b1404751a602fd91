// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Each block is widened to fp32 on the stack, stepped by the AdamW kernel of this processor, and narrowed
// again, so the arithmetic is that of adamw.h.
#include "kernels/optim/adamw8bit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace homebooth::kernels {
namespace {

constexpr int kDecades = 7;

/// The map with what finding the nearest code needs.
struct Quantiser {
    std::array<float, 256> values = {};
    std::array<float, 255> limits = {}; ///< middles between neighbours
    /// By the upper 16 bits of a float: the lowest code that such a number can have. A cell spans less than
    /// 1 % and rarely holds more than one limit, so the search ends after a step or two.
    std::vector<uint8_t> lowestCode;

    explicit Quantiser(bool isSigned) {
        fillValues(isSigned);
        for (size_t i = 0; i < limits.size(); ++i) limits[i] = 0.5f * (values[i] + values[i + 1]);
        lowestCode.resize(0x10000);
        for (uint32_t upper = 0; upper < lowestCode.size(); ++upper) {
            const float a = floatOf(upper << 16);
            const float b = floatOf((upper << 16) | 0xffffu);
            const float lowest = std::min(a, b);
            const auto limit = std::lower_bound(limits.begin(), limits.end(), lowest);
            lowestCode[upper] =
                std::isnan(a) || std::isnan(b) ? uint8_t{0} : static_cast<uint8_t>(limit - limits.begin());
        }
    }

    /// Decade d has n = 2^d values (twice as many without sign): the middles of n equal parts of [0.1, 1],
    /// times its power of ten. Zero and one complete the 256.
    void fillValues(bool isSigned) {
        size_t next = 0;
        for (int decade = 0; decade < kDecades; ++decade) {
            const int parts = (isSigned ? 1 : 2) << decade;
            const double unit = std::pow(10.0, decade - kDecades + 1);
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

    [[nodiscard]] uint8_t code(float value) const {
        uint32_t found = lowestCode[bitsOf(value) >> 16];
        while (found < limits.size() && value > limits[found]) ++found;
        return static_cast<uint8_t>(found);
    }
};

const Quantiser& quantiser(bool isSigned) {
    static const Quantiser withSign(true);
    static const Quantiser withoutSign(false);
    return isSigned ? withSign : withoutSign;
}

} // namespace

const std::array<float, 256>& dynamicMap(bool isSigned) {
    return quantiser(isSigned).values;
}

float quantiseBlock(const float* values, int64_t count, bool isSigned, uint8_t* codes) {
    const Quantiser& map = quantiser(isSigned);
    float scale = 0.0f;
    for (int64_t i = 0; i < count; ++i) scale = std::max(scale, std::fabs(values[i]));
    const float unit = scale > 0.0f ? scale : 1.0f;
    for (int64_t i = 0; i < count; ++i) codes[i] = map.code(values[i] / unit);
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamic map, the tables of the vector variants, and the scalar reference.
#include "kernels/optim/moment_codes.h"

#include "kernels/numeric/clones.h"
#include "kernels/numeric/float16.h"
#include "kernels/optim/adamw8bit.h"
#include "kernels/optim/decode_vector.h"
#include "kernels/optim/encode_vector.h"

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
    static double valueOf(int decade, int part, int parts) {
        return unitOf(decade) * (0.1 + 0.9 * (part + 0.5) / parts);
    }
    [[nodiscard]] float middleBelow(size_t code) const { return 0.5f * (values[code - 1] + values[code]); }

    /// Decade d has n = 2^d values (twice as many without sign): the middles of n equal parts of [0.1, 1],
    /// times its power of ten. Zero and one complete the 256.
    void fillValues(bool isSigned) {
        size_t next = 0;
        for (int decade = 0; decade < kDecades; ++decade) {
            const int parts = decades.firstParts << decade;
            for (int part = 0; part < parts; ++part) {
                const auto value = static_cast<float>(valueOf(decade, part, parts));
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

/// Row 0 gives rank 0 to magnitudes near zero, and that of 1 to those near 1.
void fillRowOfZeroAndOne(CodeRows& rows, int32_t rankOfOne) {
    const int32_t lowestPart = -(rankOfOne + rows.rankBeforeLast);
    rows.factor[0] = static_cast<float>(rankOfOne + 1 - rows.rankBeforeLast);
    rows.offset[0] = static_cast<float>(lowestPart) - 0.5f;
    rows.last[0] = rankOfOne;
}

CodeRows codeRows(const Decades& decades) {
    CodeRows rows = {};
    rows.rankBeforeLast = 2 - decades.firstParts;
    fillRowOfZeroAndOne(rows, kLastCode - decades.zeroCode);
    for (int decade = 0; decade < kDecades; ++decade) {
        rows.edge[decade] = decades.above[decade];
        rows.factor[decade + 1] = decades.factor[decade];
        rows.offset[decade + 1] = decades.offset[decade];
        rows.last[decade + 1] = static_cast<int32_t>(decades.lastPart[decade]);
    }
    rows.edge[kDecades] = decades.aboveAll;
    for (uint32_t upper = bitsOf(kLeastMagnitude) >> 24; upper <= bitsOf(1.0f) >> 24; ++upper) {
        const float lowest = floatOf(upper << 24);
        const auto* row = std::lower_bound(rows.edge, rows.edge + kDecades, lowest);
        rows.lowest[upper & 15u] = static_cast<uint8_t>(row - rows.edge);
    }
    for (int row = 0; row < kCodeRows; ++row) {
        rows.edge[row + kCodeRows] = rows.edge[row];
        rows.factor[row + kCodeRows] = rows.factor[row];
        rows.offset[row + kCodeRows] = rows.offset[row];
        rows.last[row + kCodeRows] = rows.last[row];
    }
    return rows;
}

/// The upper 16 bits of a significand; a product with a place of 8 bits is exact.
float upperHalf(double value) {
    return floatOf(bitsOf(static_cast<float>(value)) & 0xffffff00u);
}

/// Sets the row of a place to the line value = place * factor + offset.
void setLine(ValueRows& rows, double place, double factor, double offset) {
    for (uint32_t row = bitsOf(static_cast<float>(place)) >> 23 & 7u; row < 2 * kValueRows;
         row += kValueRows) {
        rows.factor[row] = upperHalf(factor);
        rows.offset[row] = upperHalf(offset);
        rows.fineFactor[row] = static_cast<float>(factor - rows.factor[row]);
        rows.fineOffset[row] = static_cast<float>(offset - rows.offset[row]);
    }
}

ValueRows valueRows(bool isSigned) {
    ValueRows rows = {};
    const double zero = isSigned ? 0.5 : 1.0; // its place
    for (int decade = 0; decade < kDecades; ++decade) {
        const int parts = (isSigned ? 1 : 2) << decade;
        const double first = isSigned ? parts + zero : parts;
        const double factor = 0.9 * Quantiser::unitOf(decade) / parts;
        setLine(rows, first, factor, Quantiser::valueOf(decade, 0, parts) - first * factor);
    }
    const double ofOne = isSigned ? 1.0 / 128.0 : 1.0 / 255.0;
    setLine(rows, zero, ofOne, -zero * ofOne);
    return rows;
}

const Quantiser& quantiser(bool isSigned) {
    static const Quantiser withSign(true);
    static const Quantiser withoutSign(false);
    return isSigned ? withSign : withoutSign;
}

/// @param given  copied: for all the compiler knows, writing codes might change it
HOMEBOOTH_CLONES void encode(const Decades& given, const float* __restrict values, float unit, int64_t count,
                             uint8_t* __restrict codes) {
    const Decades map = given;
    for (int64_t i = 0; i < count; ++i) codes[i] = nearestCode(map, values[i] / unit);
}

} // namespace

const Decades& decadesOf(bool isSigned) {
    return quantiser(isSigned).decades;
}

const std::array<float, 256>& dynamicMap(bool isSigned) {
    return quantiser(isSigned).values;
}

const CodeRows& codeRowsOf(bool isSigned) {
    static const CodeRows withSign = codeRows(decadesOf(true));
    static const CodeRows withoutSign = codeRows(decadesOf(false));
    return isSigned ? withSign : withoutSign;
}

const ValueRows& valueRowsOf(bool isSigned) {
    static const ValueRows withSign = valueRows(true);
    static const ValueRows withoutSign = valueRows(false);
    return isSigned ? withSign : withoutSign;
}

void encodeScalar(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes) {
    encode(decadesOf(isSigned), values, unit, count, codes);
}

void decodeScalar(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    const std::array<float, 256>& map = dynamicMap(isSigned);
    for (int64_t i = 0; i < count; ++i) values[i] = map[codes[i]] * scale;
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamic map, the tables that find its codes, and the scalar reference.
#include "kernels/optim/nearest_codes.h"

#include "kernels/numeric/clones.h"
#include "kernels/numeric/float16.h"
#include "kernels/optim/adamw8bit.h"
#include "kernels/optim/nearest_codes_vector.h"

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

void encodeScalar(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes) {
    encode(decadesOf(isSigned), values, unit, count, codes);
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest codes in vectors, as a template over lanes.
// Included by the file of each instruction set, and by the one that makes the tables.
//
// The uppermost bits of a magnitude say which decade it belongs to, but for one comparison: four powers of
// two hold the edge of one decade at most. Everything else that the reference chooses by seven comparisons
// comes from tables that fit a register, and is computed in the reference's order of operations.
#pragma once

#include "kernels/optim/dynamic_map.h"
#include "kernels/optim/moment_codes.h"

namespace homebooth::kernels {

inline constexpr int kCodeRows = 8;

/// What is chosen for a magnitude by its row: 1 to 7 for the decades from the lowest on, 0 for magnitudes
/// below and above them all. Row 8 is row 0 again, as is every eighth.
struct CodeRows {
    alignas(64) float edge[2 * kCodeRows];   ///< greater magnitudes belong to the next row
    alignas(64) float factor[2 * kCodeRows]; ///< as in Decades
    alignas(64) float offset[2 * kCodeRows]; ///<
    alignas(64) int32_t last[2 * kCodeRows]; ///<
    alignas(16) uint8_t lowest[16]; ///< row of the lowest magnitude, by bits 24 to 27 of the magnitude
    int32_t rankBeforeLast;         ///< rank = part + last + rankBeforeLast
};

/// Lower magnitudes are zero in both maps; below, the same bits 24 to 27 would come again.
inline constexpr float kLeastMagnitude = 0x1p-24f;

/// Of the map that is signed, or the other one.
[[nodiscard]] const CodeRows& codeRowsOf(bool isSigned);

/// The tables in registers.
template <class S>
struct CodeLanes {
    typename S::Float edge, factor, offset;
    typename S::Int last, lowest, rankBeforeLast;

    explicit CodeLanes(const CodeRows& rows)
        : edge(S::load(rows.edge))
        , factor(S::load(rows.factor))
        , offset(S::load(rows.offset))
        , last(S::load(rows.last))
        , lowest(S::loadBytes(rows.lowest))
        , rankBeforeLast(S::integer(static_cast<uint32_t>(rows.rankBeforeLast))) {}

    /// How many values of the map lie between zero and the nearest one.
    [[nodiscard]] typename S::Int rank(typename S::Float magnitude) const {
        const typename S::Int guess = S::lookUp(lowest, S::template shiftRight<24>(S::bits(magnitude)));
        const typename S::Int row = S::addWhereGreater(guess, magnitude, S::choose(edge, guess));
        const typename S::Float part = magnitude * S::choose(factor, row) + S::choose(offset, row);
        const typename S::Int ofRow = S::choose(last, row);
        return S::add(S::least(S::truncated(part), ofRow), S::add(ofRow, rankBeforeLast));
    }
};

/// Codes of 4 * S::kWidth values.
template <class S, bool kSigned>
HOMEBOOTH_INLINE void encodeFour(const CodeLanes<S>& lanes, typename S::Float unit, const float* values,
                                 uint8_t* codes) {
    const typename S::Float least = S::broadcast(kLeastMagnitude);
    typename S::Int found[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const typename S::Float value = S::load(values + i * S::kWidth) / unit;
        if constexpr (kSigned) {
            const typename S::Int rank = lanes.rank(S::greatest(S::magnitude(value), least));
            found[i] = S::withSignOf(value, rank);
        } else {
            found[i] = lanes.rank(S::greatest(value, least)); // negative ones are zero
        }
    }
    if constexpr (kSigned)
        S::storeBelow127(codes, found);
    else
        S::storeBytes(codes, found);
}

template <class S, bool kSigned>
void encodeWhole(const float* values, float unit, int64_t count, uint8_t* codes) {
    const CodeLanes<S> lanes(codeRowsOf(kSigned));
    // With the opposite sign, the signed ranks are -128 to 127 when -1, which is not in the map, is cut off.
    const typename S::Float divisor = S::broadcast(kSigned ? -unit : unit);
    for (int64_t i = 0; i < count; i += 4 * S::kWidth)
        encodeFour<S, kSigned>(lanes, divisor, values + i, codes + i);
}

template <class S>
void encodeVectorised(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes) {
    const int64_t whole = count / (4 * S::kWidth) * (4 * S::kWidth);
    if (isSigned)
        encodeWhole<S, true>(values, unit, whole, codes);
    else
        encodeWhole<S, false>(values, unit, whole, codes);
    if (whole < count) encodeScalar(values + whole, unit, count - whole, isSigned, codes + whole);
}

} // namespace homebooth::kernels

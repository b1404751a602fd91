// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of codes in vectors, as a template over lanes.
// Included by the file of each instruction set, and by the one that makes the tables.
//
// A decade's values lie on a line over their ranks, which is computed here instead of read from the map. Its
// upper halves give exact products and sums, so that one rounding is left and every value is the map's.
#pragma once

#include "kernels/optim/moment_codes.h"

namespace homebooth::kernels {

inline constexpr int kValueRows = 8;

/// value = (place * factor + offset) + (place * fineFactor + fineOffset), where the place is code + 1, of the
/// signed map half of that above |code - 127|. The row is the exponent of the place, as decades begin with
/// its powers of two; zero and one, eight exponents apart, share a row.
struct ValueRows {
    alignas(64) float factor[2 * kValueRows];
    alignas(64) float offset[2 * kValueRows];
    alignas(64) float fineFactor[2 * kValueRows];
    alignas(64) float fineOffset[2 * kValueRows];
};

/// Of the map that is signed, or the other one.
[[nodiscard]] const ValueRows& valueRowsOf(bool isSigned);

/// The tables in registers.
template <class S>
struct ValueLanes {
    typename S::Float factor, offset, fineFactor, fineOffset;

    explicit ValueLanes(const ValueRows& rows)
        : factor(S::load(rows.factor))
        , offset(S::load(rows.offset))
        , fineFactor(S::load(rows.fineFactor))
        , fineOffset(S::load(rows.fineOffset)) {}

    [[nodiscard]] typename S::Float at(typename S::Float place) const {
        const typename S::Int row = S::template shiftRight<23>(S::bits(place));
        const typename S::Float coarse = place * S::choose(factor, row) + S::choose(offset, row);
        const typename S::Float fine = place * S::choose(fineFactor, row) + S::choose(fineOffset, row);
        return coarse + fine;
    }
};

template <class S, bool kSigned>
void decodeWhole(const uint8_t* codes, float scale, int64_t count, float* values) {
    const ValueLanes<S> lanes(valueRowsOf(kSigned));
    const typename S::Float unit = S::broadcast(scale);
    const typename S::Int shift = S::integer(kSigned ? static_cast<uint32_t>(-127) : 1u);
    for (int64_t i = 0; i < count; i += S::kWidth) {
        const typename S::Float place = S::toFloat(S::add(S::loadWidened(codes + i), shift));
        typename S::Float value;
        if constexpr (kSigned)
            value = S::withSignOf(place, lanes.at(S::magnitude(place) + S::broadcast(0.5f)));
        else
            value = lanes.at(place);
        S::store(values + i, value * unit);
    }
}

template <class S>
void decodeVectorised(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    const int64_t whole = count / S::kWidth * S::kWidth;
    if (isSigned)
        decodeWhole<S, true>(codes, scale, whole, values);
    else
        decodeWhole<S, false>(codes, scale, whole, values);
    if (whole < count) decodeScalar(codes + whole, scale, count - whole, isSigned, values + whole);
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// bf16 and fp16 as bits: conversion from and to fp32, to the nearest (ties to even) and stochastic.
// CPU and GPU; pure functions. The vector variants in kernels/simd give the same bits.
//
// Stochastic rounding takes 16 random bits and rounds up with the probability of the part that is cut off, so
// the expected value is the value itself: updates smaller than half a unit in the last place are not lost.
// A value that is representable never changes; NaN and infinity are converted as by the nearest.
#pragma once

#include "kernels/numeric/inline.h"

#include <cstdint>
#include <cstring>

namespace homebooth::kernels {

struct Bf16 {
    uint16_t bits;
};
struct Half {
    uint16_t bits;
};

/// What a buffer holds.
enum class NumberType : uint8_t { Float32, Bf16, Half };

[[nodiscard]] constexpr int64_t bytesOf(NumberType type) {
    return type == NumberType::Float32 ? 4 : 2;
}

HOMEBOOTH_INLINE uint32_t bitsOf(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

HOMEBOOTH_INLINE float floatOf(uint32_t bits) {
    float value = 0.0f;
    memcpy(&value, &bits, sizeof value);
    return value;
}

HOMEBOOTH_INLINE float toFloat(float value) {
    return value;
}

HOMEBOOTH_INLINE float toFloat(Bf16 value) {
    return floatOf(static_cast<uint32_t>(value.bits) << 16);
}

HOMEBOOTH_INLINE float toFloat(Half value) {
    const uint32_t sign = (value.bits & 0x8000u) << 16;
    const uint32_t magnitude = value.bits & 0x7fffu;
    if (magnitude < 0x0400u) // zero or subnormal: a multiple of 2^-24
        return floatOf(sign | bitsOf(static_cast<float>(magnitude) * 0x1p-24f));
    if (magnitude < 0x7c00u) return floatOf(sign | ((magnitude << 13) + 0x38000000u));
    const uint32_t quiet = magnitude > 0x7c00u ? 0x00400000u : 0u;
    return floatOf(sign | 0x7f800000u | quiet | ((magnitude & 0x03ffu) << 13));
}

HOMEBOOTH_INLINE bool isNonFinite(uint32_t bits) {
    return (bits & 0x7f800000u) == 0x7f800000u;
}

HOMEBOOTH_INLINE Bf16 nearestBf16(float value) {
    const uint32_t bits = bitsOf(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>((bits >> 16) | 0x0040u)};
    return {static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

/// @param random  16 bits
HOMEBOOTH_INLINE Bf16 stochasticBf16(float value, uint32_t random) {
    const uint32_t bits = bitsOf(value);
    if (isNonFinite(bits)) return nearestBf16(value);
    return {static_cast<uint16_t>((bits + random) >> 16)};
}

HOMEBOOTH_INLINE Half nearestHalf(float value) {
    const uint32_t bits = bitsOf(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return {static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x03ffu))};
    if (magnitude >= 0x47800000u) return {static_cast<uint16_t>(sign | 0x7c00u)}; // 65536 and above
    if (magnitude < 0x38800000u) { // below 2^-14: adding 0.5 rounds to multiples of 2^-24
        const float shifted = floatOf(magnitude) + 0.5f;
        return {static_cast<uint16_t>(sign | (bitsOf(shifted) - 0x3f000000u))};
    }
    magnitude += 0x0fffu + ((magnitude >> 13) & 1u);
    return {static_cast<uint16_t>(sign | ((magnitude - 0x38000000u) >> 13))};
}

/// Uses 13 of the 16 random bits, as many as are cut off; more would not survive the sum below 2^-14.
HOMEBOOTH_INLINE Half stochasticHalf(float value, uint32_t random) {
    const uint32_t bits = bitsOf(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x47800000u) return nearestHalf(value);
    const uint32_t random13 = random >> 3;
    if (magnitude >= 0x38800000u)
        return {static_cast<uint16_t>(sign | ((magnitude + random13 - 0x38000000u) >> 13))};
    const float scaled = floatOf(magnitude) * 0x1p24f;
    const float noise = static_cast<float>(static_cast<int32_t>(random13)) * 0x1p-13f;
    return {static_cast<uint16_t>(sign | static_cast<uint32_t>(static_cast<int32_t>(scaled + noise)))};
}

} // namespace homebooth::kernels

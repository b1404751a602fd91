// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Eight lanes of AVX2 with F16C. Same bits as kernels/simd/scalar.h in every lane.
// Only for files compiled with that instruction set.
#pragma once

#include "kernels/numeric/float16.h"
#include "kernels/random/philox.h"

#include <immintrin.h>

namespace homebooth::kernels {

struct Avx2 {
    using Float = __m256;
    using Int = __m256i;
    static constexpr int kWidth = 8;

    HOMEBOOTH_INLINE Float broadcast(float value) { return _mm256_set1_ps(value); }
    HOMEBOOTH_INLINE Float squareRoot(Float value) { return _mm256_sqrt_ps(value); }
    HOMEBOOTH_INLINE Int integer(uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }

    HOMEBOOTH_INLINE Float load(const float* from) { return _mm256_loadu_ps(from); }
    HOMEBOOTH_INLINE Float load(const Bf16* from) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load16(from)), 16));
    }
    HOMEBOOTH_INLINE Float load(const Half* from) { return _mm256_cvtph_ps(load16(from)); }

    HOMEBOOTH_INLINE void store(float* to, Float value) { _mm256_storeu_ps(to, value); }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value) { store16(to, nearest(value)); }
    HOMEBOOTH_INLINE void store(Half* to, Float value) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), nearestHalves(value));
    }

    HOMEBOOTH_INLINE void store(float* to, Float value, Int) { store(to, value); }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value, Int random) {
        const Int bits = _mm256_castps_si256(value);
        const Int raised = _mm256_add_epi32(bits, _mm256_and_si256(random, integer(0xffffu)));
        const Int exponent = integer(0x7f800000u);
        const Int special = _mm256_cmpeq_epi32(_mm256_and_si256(bits, exponent), exponent);
        store16(to, _mm256_blendv_epi8(_mm256_srli_epi32(raised, 16), nearest(value), special));
    }
    HOMEBOOTH_INLINE void store(Half* to, Float value, Int random) {
        const Int bits = _mm256_castps_si256(value);
        const Int magnitude = _mm256_and_si256(bits, integer(0x7fffffffu));
        const Int random13 = _mm256_srli_epi32(_mm256_and_si256(random, integer(0xffffu)), 3);
        const Int normal = _mm256_srli_epi32(
            _mm256_sub_epi32(_mm256_add_epi32(magnitude, random13), integer(0x38000000u)), 13);
        const Float scaled = _mm256_castsi256_ps(magnitude) * broadcast(0x1p24f);
        const Float noise = _mm256_cvtepi32_ps(random13) * broadcast(0x1p-13f);
        const Int small = _mm256_cvttps_epi32(scaled + noise);
        const Int isSmall = _mm256_cmpgt_epi32(integer(0x38800000u), magnitude);
        const Int isLarge = _mm256_cmpgt_epi32(magnitude, integer(0x477fffffu));
        const Int sign = _mm256_and_si256(_mm256_srli_epi32(bits, 16), integer(0x8000u));
        const Int rounded = _mm256_or_si256(sign, _mm256_blendv_epi8(normal, small, isSmall));
        store16(to, _mm256_blendv_epi8(rounded, _mm256_cvtepu16_epi32(nearestHalves(value)), isLarge));
    }
    HOMEBOOTH_INLINE Int upperHalf(Int random) { return _mm256_srli_epi32(random, 16); }

    /// The four words of counters firstCounter .. firstCounter + 7 of a stream.
    HOMEBOOTH_INLINE void random(const RandomStream& stream, int64_t firstCounter, Int words[4]) {
        const PhiloxBlock first = streamCounter(stream, firstCounter);
        Int c0 = _mm256_add_epi32(integer(first.word[0]), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        Int c1 = integer(first.word[1]);
        Int c2 = integer(first.word[2]);
        Int c3 = integer(first.word[3]);
        uint32_t key0 = static_cast<uint32_t>(stream.seed);
        uint32_t key1 = static_cast<uint32_t>(stream.seed >> 32);
        for (int round = 0; round < kPhiloxRounds; ++round) {
            Int high0, low0, high1, low1;
            multiply(c0, kPhiloxMultiplier0, high0, low0);
            multiply(c2, kPhiloxMultiplier1, high1, low1);
            c0 = _mm256_xor_si256(_mm256_xor_si256(high1, c1), integer(key0));
            c2 = _mm256_xor_si256(_mm256_xor_si256(high0, c3), integer(key1));
            c1 = low1;
            c3 = low0;
            key0 += kPhiloxWeyl0;
            key1 += kPhiloxWeyl1;
        }
        words[0] = c0;
        words[1] = c1;
        words[2] = c2;
        words[3] = c3;
    }

private:
    template <class T>
    HOMEBOOTH_INLINE __m128i load16(const T* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    }
    /// Packs within 128-bit halves, so the halves are put together afterwards. Lanes hold at most 0xffff.
    template <class T>
    HOMEBOOTH_INLINE void store16(T* to, Int lowHalves) {
        const Int packed = _mm256_packus_epi32(lowHalves, lowHalves);
        const Int joined = _mm256_permute4x64_epi64(packed, 0x08);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(joined));
    }
    /// bf16 to the nearest, in the low half of each lane.
    HOMEBOOTH_INLINE Int nearest(Float value) {
        const Int bits = _mm256_castps_si256(value);
        const Int upper = _mm256_srli_epi32(bits, 16);
        const Int odd = _mm256_and_si256(upper, integer(1));
        const Int rounded =
            _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(bits, integer(0x7fffu)), odd), 16);
        const Int notANumber = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
        return _mm256_blendv_epi8(rounded, _mm256_or_si256(upper, integer(0x0040u)), notANumber);
    }
    HOMEBOOTH_INLINE __m128i nearestHalves(Float value) {
        return _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    HOMEBOOTH_INLINE void multiply(Int factor, uint32_t multiplier, Int& high, Int& low) {
        const Int even = _mm256_mul_epu32(factor, integer(multiplier));
        const Int odd = _mm256_mul_epu32(_mm256_srli_epi64(factor, 32), integer(multiplier));
        high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
        low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
    }
};

} // namespace homebooth::kernels

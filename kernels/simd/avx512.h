// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen lanes of AVX-512 (F, BW, DQ, VL). Same bits as kernels/simd/scalar.h in every lane.
// Only for files compiled with that instruction set.
#pragma once

#include "kernels/numeric/float16.h"
#include "kernels/random/philox.h"

#include <immintrin.h>

namespace homebooth::kernels {

struct Avx512 {
    using Float = __m512;
    using Int = __m512i;
    static constexpr int kWidth = 16;

    HOMEBOOTH_INLINE Float broadcast(float value) { return _mm512_set1_ps(value); }
    HOMEBOOTH_INLINE Float squareRoot(Float value) { return _mm512_sqrt_ps(value); }
    HOMEBOOTH_INLINE Int integer(uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }

    HOMEBOOTH_INLINE Float load(const float* from) { return _mm512_loadu_ps(from); }
    HOMEBOOTH_INLINE Float load(const Bf16* from) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load16(from)), 16));
    }
    HOMEBOOTH_INLINE Float load(const Half* from) { return _mm512_cvtph_ps(load16(from)); }

    HOMEBOOTH_INLINE void store(float* to, Float value) { _mm512_storeu_ps(to, value); }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value) { store16(to, nearest(value)); }
    HOMEBOOTH_INLINE void store(Half* to, Float value) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), nearestHalves(value));
    }

    HOMEBOOTH_INLINE void store(float* to, Float value, Int) { store(to, value); }
    HOMEBOOTH_INLINE void store(Bf16* to, Float value, Int random) {
        const Int bits = _mm512_castps_si512(value);
        const Int raised = _mm512_add_epi32(bits, _mm512_and_si512(random, integer(0xffffu)));
        const Int exponent = integer(0x7f800000u);
        const __mmask16 special = _mm512_cmpeq_epi32_mask(_mm512_and_si512(bits, exponent), exponent);
        Int rounded = _mm512_srli_epi32(raised, 16);
        if (special != 0) rounded = _mm512_mask_blend_epi32(special, rounded, nearest(value));
        store16(to, rounded);
    }
    HOMEBOOTH_INLINE void store(Half* to, Float value, Int random) {
        const Int bits = _mm512_castps_si512(value);
        const Int magnitude = _mm512_and_si512(bits, integer(0x7fffffffu));
        const Int random13 = _mm512_srli_epi32(_mm512_and_si512(random, integer(0xffffu)), 3);
        const Int normal = _mm512_srli_epi32(
            _mm512_sub_epi32(_mm512_add_epi32(magnitude, random13), integer(0x38000000u)), 13);
        const Float scaled = _mm512_castsi512_ps(magnitude) * broadcast(0x1p24f);
        const Float noise = _mm512_cvtepi32_ps(random13) * broadcast(0x1p-13f);
        const Int small = _mm512_cvttps_epi32(scaled + noise);
        const __mmask16 isSmall = _mm512_cmplt_epi32_mask(magnitude, integer(0x38800000u));
        const __mmask16 isLarge = _mm512_cmpge_epi32_mask(magnitude, integer(0x47800000u));
        const Int sign = _mm512_and_si512(_mm512_srli_epi32(bits, 16), integer(0x8000u));
        Int rounded = _mm512_or_si512(sign, _mm512_mask_blend_epi32(isSmall, normal, small));
        if (isLarge != 0)
            rounded = _mm512_mask_blend_epi32(isLarge, rounded, _mm512_cvtepu16_epi32(nearestHalves(value)));
        store16(to, rounded);
    }
    HOMEBOOTH_INLINE Int upperHalf(Int random) { return _mm512_srli_epi32(random, 16); }

    /// The four words of counters firstCounter .. firstCounter + 15 of a stream.
    /// Even and odd counters are computed apart, one in each 64-bit lane, so that a product lies where the
    /// next round needs it; what is left in the upper halves of the lanes never enters a product.
    HOMEBOOTH_INLINE void random(const RandomStream& stream, int64_t firstCounter, Int words[4]) {
        const PhiloxBlock first = streamCounter(stream, firstCounter);
        const Int start = _mm512_add_epi64(wide(first.word[0]), _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14));
        Int even[4] = {start, wide(first.word[1]), wide(first.word[2]), wide(first.word[3])};
        Int odd[4] = {_mm512_add_epi64(start, _mm512_set1_epi64(1)), even[1], even[2], even[3]};
        uint32_t key0 = static_cast<uint32_t>(stream.seed);
        uint32_t key1 = static_cast<uint32_t>(stream.seed >> 32);
        for (int round = 0; round < kPhiloxRounds; ++round) {
            philoxRound(even, wide(key0), wide(key1));
            philoxRound(odd, wide(key0), wide(key1));
            key0 += kPhiloxWeyl0;
            key1 += kPhiloxWeyl1;
        }
        for (int i = 0; i < 4; ++i) words[i] = interleave(even[i], odd[i]);
    }

private:
    template <class T>
    HOMEBOOTH_INLINE __m256i load16(const T* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    template <class T>
    HOMEBOOTH_INLINE void store16(T* to, Int lowHalves) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(lowHalves));
    }
    /// bf16 to the nearest, in the low half of each lane.
    HOMEBOOTH_INLINE Int nearest(Float value) {
        const Int bits = _mm512_castps_si512(value);
        const Int upper = _mm512_srli_epi32(bits, 16);
        const Int odd = _mm512_and_si512(upper, integer(1));
        const Int rounded =
            _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(bits, integer(0x7fffu)), odd), 16);
        const __mmask16 notANumber = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
        return _mm512_mask_blend_epi32(notANumber, rounded, _mm512_or_si512(upper, integer(0x0040u)));
    }
    HOMEBOOTH_INLINE __m256i nearestHalves(Float value) {
        return _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    HOMEBOOTH_INLINE Int wide(uint32_t value) { return _mm512_set1_epi64(value); }
    HOMEBOOTH_INLINE void philoxRound(Int c[4], Int key0, Int key1) {
        const Int product0 = _mm512_mul_epu32(c[0], wide(kPhiloxMultiplier0));
        const Int product1 = _mm512_mul_epu32(c[2], wide(kPhiloxMultiplier1));
        c[0] = _mm512_ternarylogic_epi32(_mm512_srli_epi64(product1, 32), c[1], key0, 0x96);
        c[2] = _mm512_ternarylogic_epi32(_mm512_srli_epi64(product0, 32), c[3], key1, 0x96);
        c[1] = product1;
        c[3] = product0;
    }
    HOMEBOOTH_INLINE Int interleave(Int even, Int odd) {
        return _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
    }
};

} // namespace homebooth::kernels

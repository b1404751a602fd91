// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Codes of quantised moments by AVX2.
#include "kernels/optim/decode_vector.h"
#include "kernels/optim/encode_vector.h"
#include "kernels/simd/avx2.h"

namespace homebooth::kernels {
namespace {

struct Lanes : Avx2 {
    HOMEBOOTH_INLINE Int load(const int32_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    using Avx2::load;
    /// 16 bytes for lookUp().
    HOMEBOOTH_INLINE Int loadBytes(const uint8_t* from) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }

    HOMEBOOTH_INLINE Int loadWidened(const uint8_t* from) {
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
    }

    HOMEBOOTH_INLINE Int bits(Float value) { return _mm256_castps_si256(value); }
    HOMEBOOTH_INLINE Float magnitude(Float value) {
        return _mm256_and_ps(value, _mm256_castsi256_ps(integer(0x7fffffffu)));
    }
    /// b where a is NaN
    HOMEBOOTH_INLINE Float greatest(Float a, Float b) { return _mm256_max_ps(a, b); }
    HOMEBOOTH_INLINE Float toFloat(Int value) { return _mm256_cvtepi32_ps(value); }
    HOMEBOOTH_INLINE Float withSignOf(Float sign, Float value) {
        return _mm256_xor_ps(value, _mm256_and_ps(sign, broadcast(-0.0f)));
    }
    HOMEBOOTH_INLINE Int truncated(Float value) { return _mm256_cvttps_epi32(value); }

    HOMEBOOTH_INLINE Int add(Int a, Int b) { return _mm256_add_epi32(a, b); }
    HOMEBOOTH_INLINE Int least(Int a, Int b) { return _mm256_min_epi32(a, b); }
    template <int kBits>
    HOMEBOOTH_INLINE Int shiftRight(Int value) {
        return _mm256_srli_epi32(value, kBits);
    }
    HOMEBOOTH_INLINE Int withSignOf(Float sign, Int value) { return _mm256_sign_epi32(value, bits(sign)); }

    /// Reads the low four bits of an index; the upper bytes of a lane become the table's first byte.
    HOMEBOOTH_INLINE Int lookUp(Int table, Int index) { return _mm256_shuffle_epi8(table, index); }
    /// Reads the low three bits of an index.
    HOMEBOOTH_INLINE Float choose(Float table, Int index) { return _mm256_permutevar8x32_ps(table, index); }
    HOMEBOOTH_INLINE Int choose(Int table, Int index) { return _mm256_permutevar8x32_epi32(table, index); }
    /// to + (a > b)
    HOMEBOOTH_INLINE Int addWhereGreater(Int to, Float a, Float b) {
        return _mm256_sub_epi32(to, bits(_mm256_cmp_ps(a, b, _CMP_GT_OQ)));
    }

    HOMEBOOTH_INLINE void storeBytes(uint8_t* to, const Int lanes[4]) {
        const Int low = _mm256_packs_epi32(lanes[0], lanes[1]);
        const Int high = _mm256_packs_epi32(lanes[2], lanes[3]);
        storeJoined(to, _mm256_packus_epi16(low, high));
    }
    /// 127 - lane, where a lane above 127 is 127.
    HOMEBOOTH_INLINE void storeBelow127(uint8_t* to, const Int lanes[4]) {
        const Int low = _mm256_packs_epi32(lanes[0], lanes[1]);
        const Int high = _mm256_packs_epi32(lanes[2], lanes[3]);
        storeJoined(to, _mm256_xor_si256(_mm256_packs_epi16(low, high), _mm256_set1_epi8(0x7f)));
    }

private:
    /// Packing works within 128-bit halves.
    HOMEBOOTH_INLINE void storeJoined(uint8_t* to, Int packed) {
        const Int joined = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), joined);
    }
};

} // namespace

void encodeAvx2(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes) {
    encodeVectorised<Lanes>(values, unit, count, isSigned, codes);
}

void decodeAvx2(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    decodeVectorised<Lanes>(codes, scale, count, isSigned, values);
}

} // namespace homebooth::kernels

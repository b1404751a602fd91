// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Codes of quantised moments by AVX-512.
#include "kernels/optim/decode_vector.h"
#include "kernels/optim/encode_vector.h"
#include "kernels/simd/avx512.h"

namespace homebooth::kernels {
namespace {

struct Lanes : Avx512 {
    HOMEBOOTH_INLINE Int load(const int32_t* from) { return _mm512_loadu_si512(from); }
    using Avx512::load;
    /// 16 bytes for lookUp().
    HOMEBOOTH_INLINE Int loadBytes(const uint8_t* from) {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }

    HOMEBOOTH_INLINE Int loadWidened(const uint8_t* from) {
        return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }

    HOMEBOOTH_INLINE Int bits(Float value) { return _mm512_castps_si512(value); }
    HOMEBOOTH_INLINE Float magnitude(Float value) { return _mm512_abs_ps(value); }
    /// b where a is NaN
    HOMEBOOTH_INLINE Float greatest(Float a, Float b) { return _mm512_max_ps(a, b); }
    HOMEBOOTH_INLINE Float toFloat(Int value) { return _mm512_cvtepi32_ps(value); }
    HOMEBOOTH_INLINE Float withSignOf(Float sign, Float value) {
        return _mm512_xor_ps(value, _mm512_and_ps(sign, broadcast(-0.0f)));
    }
    HOMEBOOTH_INLINE Int truncated(Float value) { return _mm512_cvttps_epi32(value); }

    HOMEBOOTH_INLINE Int add(Int a, Int b) { return _mm512_add_epi32(a, b); }
    HOMEBOOTH_INLINE Int least(Int a, Int b) { return _mm512_min_epi32(a, b); }
    template <int kBits>
    HOMEBOOTH_INLINE Int shiftRight(Int value) {
        return _mm512_srli_epi32(value, kBits);
    }
    HOMEBOOTH_INLINE Int withSignOf(Float sign, Int value) {
        const __mmask16 negative = _mm512_movepi32_mask(bits(sign));
        return _mm512_mask_sub_epi32(value, negative, _mm512_setzero_si512(), value);
    }

    /// Reads the low four bits of an index; the upper bytes of a lane become the table's first byte.
    HOMEBOOTH_INLINE Int lookUp(Int table, Int index) { return _mm512_shuffle_epi8(table, index); }
    /// Reads the low four bits of an index.
    HOMEBOOTH_INLINE Float choose(Float table, Int index) { return _mm512_permutexvar_ps(index, table); }
    HOMEBOOTH_INLINE Int choose(Int table, Int index) { return _mm512_permutexvar_epi32(index, table); }
    /// to + (a > b)
    HOMEBOOTH_INLINE Int addWhereGreater(Int to, Float a, Float b) {
        return _mm512_mask_add_epi32(to, _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), to, integer(1));
    }

    HOMEBOOTH_INLINE void storeBytes(uint8_t* to, const Int lanes[4]) {
        const Int low = _mm512_packs_epi32(lanes[0], lanes[1]);
        const Int high = _mm512_packs_epi32(lanes[2], lanes[3]);
        storeJoined(to, _mm512_packus_epi16(low, high));
    }
    /// 127 - lane, where a lane above 127 is 127.
    HOMEBOOTH_INLINE void storeBelow127(uint8_t* to, const Int lanes[4]) {
        const Int low = _mm512_packs_epi32(lanes[0], lanes[1]);
        const Int high = _mm512_packs_epi32(lanes[2], lanes[3]);
        storeJoined(to, _mm512_xor_si512(_mm512_packs_epi16(low, high), integer(0x7f7f7f7fu)));
    }

private:
    /// Packing works within 128-bit quarters.
    HOMEBOOTH_INLINE void storeJoined(uint8_t* to, Int packed) {
        const Int order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, packed));
    }
};

} // namespace

void encodeAvx512(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes) {
    encodeVectorised<Lanes>(values, unit, count, isSigned, codes);
}

void decodeAvx512(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    decodeVectorised<Lanes>(codes, scale, count, isSigned, values);
}

} // namespace homebooth::kernels

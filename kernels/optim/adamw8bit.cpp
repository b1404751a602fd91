// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Each block is widened to fp32 on the stack, stepped by the AdamW kernel of this processor, and narrowed
// again, so the arithmetic is that of adamw.h.
#include "kernels/optim/adamw8bit.h"

#include "kernels/cpu/features.h"
#include "kernels/numeric/clones.h"
#include "kernels/optim/moment_codes.h"

#include <algorithm>
#include <cassert>

namespace homebooth::kernels {
namespace {

/// The bits of finite magnitudes are in the order of their values, and integers have a greatest one at once.
HOMEBOOTH_CLONES float greatestMagnitude(const float* values, int64_t count) {
    constexpr uint32_t kMagnitudeBits = 0x7fffffffu;
    uint32_t greatest = 0;
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t bits = bitsOf(values[i]) & kMagnitudeBits;
        greatest = bits > greatest ? bits : greatest;
    }
    return floatOf(greatest);
}

} // namespace

float quantiseBlock(const float* values, int64_t count, bool isSigned, uint8_t* codes) {
    const float scale = greatestMagnitude(values, count);
    const bool forVectors = scale > 0.0f; // neither zero nor NaN
    if (forVectors && cpuFeatures().avx512) {
        encodeAvx512(values, scale, count, isSigned, codes);
    } else if (forVectors && cpuFeatures().avx2) {
        encodeAvx2(values, scale, count, isSigned, codes);
    } else {
        encodeScalar(values, scale > 0.0f ? scale : 1.0f, count, isSigned, codes);
    }
    return scale;
}

void dequantiseBlock(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values) {
    if (cpuFeatures().avx512) {
        decodeAvx512(codes, scale, count, isSigned, values);
    } else if (cpuFeatures().avx2) {
        decodeAvx2(codes, scale, count, isSigned, values);
    } else {
        decodeScalar(codes, scale, count, isSigned, values);
    }
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

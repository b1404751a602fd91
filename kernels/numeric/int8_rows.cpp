// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/numeric/int8_rows.h"

#include "kernels/numeric/clones.h"

namespace homebooth::kernels {
namespace {

constexpr float kMostInteger = 127.0f;
constexpr float kRounds = 12582912.0f; // 1.5 * 2^23: a sum with it is an integer
constexpr float kLeastScale = 0x1p-120f;

HOMEBOOTH_INLINE void fromFloat(float value, float& to) {
    to = value;
}
HOMEBOOTH_INLINE void fromFloat(float value, Bf16& to) {
    to = nearestBf16(value);
}
HOMEBOOTH_INLINE void fromFloat(float value, Half& to) {
    to = nearestHalf(value);
}

/// Compared as integers, in whose order magnitudes are: a maximum of numbers would not be vectorised.
template <class T>
HOMEBOOTH_INLINE float greatestOf(const T* from, int64_t count) {
    uint32_t greatest = 0;
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t magnitude = bitsOf(toFloat(from[i])) & 0x7fffffffu;
        greatest = magnitude > greatest ? magnitude : greatest;
    }
    return floatOf(greatest);
}

template <class T>
HOMEBOOTH_INLINE float quantizeOne(const T* from, int8_t* to, int64_t count) {
    const float scale = greatestOf(from, count) / kMostInteger;
    const bool zero = scale < kLeastScale;
    const float inverse = zero ? 0.0f : 1.0f / scale;
    for (int64_t i = 0; i < count; ++i) {
        const float rounded = (toFloat(from[i]) * inverse + kRounds) - kRounds;
        const float low = rounded > -kMostInteger ? rounded : -kMostInteger; // also of NaN
        to[i] = static_cast<int8_t>(low > kMostInteger ? kMostInteger : low);
    }
    return zero ? 0.0f : scale;
}

template <class T>
HOMEBOOTH_INLINE void dequantizeOne(const int8_t* from, float scale, T* to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) fromFloat(static_cast<float>(from[i]) * scale, to[i]);
}

template <class T>
HOMEBOOTH_INLINE void rescaleOne(const int32_t* sums, float rowScale, const float* scales, const T* bias,
                                 T* to, int64_t count) {
    if (bias == nullptr) {
        for (int64_t i = 0; i < count; ++i)
            fromFloat(static_cast<float>(sums[i]) * rowScale * scales[i], to[i]);
        return;
    }
    for (int64_t i = 0; i < count; ++i)
        fromFloat(static_cast<float>(sums[i]) * rowScale * scales[i] + toFloat(bias[i]), to[i]);
}

HOMEBOOTH_CLONES float quantizeRow(const float* from, int8_t* to, int64_t count) {
    return quantizeOne(from, to, count);
}
HOMEBOOTH_CLONES float quantizeRow(const Bf16* from, int8_t* to, int64_t count) {
    return quantizeOne(from, to, count);
}
HOMEBOOTH_CLONES float quantizeRow(const Half* from, int8_t* to, int64_t count) {
    return quantizeOne(from, to, count);
}

HOMEBOOTH_CLONES void dequantizeRow(const int8_t* from, float scale, float* to, int64_t count) {
    dequantizeOne(from, scale, to, count);
}
HOMEBOOTH_CLONES void dequantizeRow(const int8_t* from, float scale, Bf16* to, int64_t count) {
    dequantizeOne(from, scale, to, count);
}
HOMEBOOTH_CLONES void dequantizeRow(const int8_t* from, float scale, Half* to, int64_t count) {
    dequantizeOne(from, scale, to, count);
}

HOMEBOOTH_CLONES void rescaleRow(const int32_t* sums, float rowScale, const float* scales, const float* bias,
                                 float* to, int64_t count) {
    rescaleOne(sums, rowScale, scales, bias, to, count);
}
HOMEBOOTH_CLONES void rescaleRow(const int32_t* sums, float rowScale, const float* scales, const Bf16* bias,
                                 Bf16* to, int64_t count) {
    rescaleOne(sums, rowScale, scales, bias, to, count);
}
HOMEBOOTH_CLONES void rescaleRow(const int32_t* sums, float rowScale, const float* scales, const Half* bias,
                                 Half* to, int64_t count) {
    rescaleOne(sums, rowScale, scales, bias, to, count);
}

/// Calls use(T()) with the element type that `type` names.
template <class Use>
void withType(NumberType type, const Use& use) {
    switch (type) {
    case NumberType::Float32:
        return use(float());
    case NumberType::Bf16:
        return use(Bf16());
    case NumberType::Half:
        return use(Half());
    }
}

} // namespace

void quantizeRows(const void* from, NumberType type, int8_t* to, float* scales, int64_t rows,
                  int64_t columns) {
    withType(type, [&](auto element) {
        const auto* values = static_cast<const decltype(element)*>(from);
        for (int64_t row = 0; row < rows; ++row)
            scales[row] = quantizeRow(values + row * columns, to + row * columns, columns);
    });
}

void dequantizeRows(const int8_t* from, const float* scales, void* to, NumberType type, int64_t rows,
                    int64_t columns) {
    withType(type, [&](auto element) {
        auto* values = static_cast<decltype(element)*>(to);
        for (int64_t row = 0; row < rows; ++row)
            dequantizeRow(from + row * columns, scales[row], values + row * columns, columns);
    });
}

void rescaleSums(const int32_t* sums, const float* rowScales, const float* columnScales, const void* bias,
                 void* to, NumberType type, int64_t rows, int64_t columns) {
    withType(type, [&](auto element) {
        using T = decltype(element);
        for (int64_t row = 0; row < rows; ++row)
            rescaleRow(sums + row * columns, rowScales[row], columnScales, static_cast<const T*>(bias),
                       static_cast<T*>(to) + row * columns, columns);
    });
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions by bit arithmetic, the same on every machine. A double goes over float only where it is stored
// as float; to half types it is rounded once, through a float rounded to odd.
#include "core/base/formats/convert_type.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace homebooth::core {

namespace {

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

template <class T>
void store(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof(T));
}

/// Drops the low `shift` bits, to nearest, ties to even.
uint32_t roundedShift(uint32_t value, unsigned shift) {
    const uint32_t half = (1U << (shift - 1)) - 1;
    return (value + half + ((value >> shift) & 1U)) >> shift;
}

/// A float that rounds to any narrower type as `value` itself would (inexact results get an odd last bit).
float roundedToOdd(double value) {
    auto near = static_cast<float>(value);
    if (!std::isfinite(near) || static_cast<double>(near) == value) return near;
    if (std::abs(static_cast<double>(near)) > std::abs(value)) near = std::nextafter(near, 0.0F);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(near) | 1U);
}

double loadAsDouble(const std::byte* from, DataType type) {
    switch (type) {
    case DataType::F64:
        return load<double>(from);
    case DataType::F32:
        return static_cast<double>(load<float>(from));
    case DataType::F16:
        return static_cast<double>(floatOfHalf(load<uint16_t>(from)));
    case DataType::BF16:
        return static_cast<double>(floatOfBfloat16(load<uint16_t>(from)));
    case DataType::I64:
        return static_cast<double>(load<int64_t>(from));
    case DataType::I32:
        return load<int32_t>(from);
    case DataType::I16:
        return load<int16_t>(from);
    case DataType::I8:
        return load<int8_t>(from);
    case DataType::U8:
    case DataType::Bool:
        return load<uint8_t>(from);
    }
    return 0.0;
}

template <class Load, class Store>
void forEach(size_t count, size_t fromWidth, size_t toWidth, std::span<const std::byte> from,
             std::span<std::byte> to, Load loadOne, Store storeOne) {
    for (size_t i = 0; i < count; ++i)
        storeOne(to.data() + i * toWidth, loadOne(from.data() + i * fromWidth));
}

} // namespace

float floatOfHalf(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16U;
    const uint32_t exponent = (bits >> 10U) & 0x1fU;
    const uint32_t mantissa = bits & 0x3ffU;
    if (exponent == 0x1fU) return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13U));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
    const float small = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -small : small;
}

uint16_t halfOfFloat(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>((bits >> 16U) & 0x8000U);
    const uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return static_cast<uint16_t>(sign | 0x7e00U | ((magnitude >> 13U) & 0x1ffU));
    if (magnitude >= 0x47800000U) return static_cast<uint16_t>(sign | 0x7c00U); // 65536 and more
    if (magnitude >= 0x38800000U) // normal: a carry out of the mantissa raises the exponent, up to infinity
        return static_cast<uint16_t>(sign | (roundedShift(magnitude, 13U) - (112U << 10U)));
    if (magnitude < 0x33000000U) return sign; // below half of the smallest subnormal
    const unsigned shift = 126U - (magnitude >> 23U);
    return static_cast<uint16_t>(sign | roundedShift((magnitude & 0x7fffffU) | 0x800000U, shift));
}

float floatOfBfloat16(uint16_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16U);
}

uint16_t bfloat16OfFloat(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<uint16_t>((bits >> 16U) | 0x40U);
    return static_cast<uint16_t>(roundedShift(bits, 16U));
}

void convertElements(std::span<const std::byte> from, DataType fromType, std::span<std::byte> to,
                     DataType toType) {
    assert(isFloatingPoint(fromType) && isFloatingPoint(toType));
    const auto fromWidth = static_cast<size_t>(byteWidth(fromType));
    const auto toWidth = static_cast<size_t>(byteWidth(toType));
    const size_t count = from.size() / fromWidth;
    assert(to.size() == count * toWidth);
    if (fromType == toType) {
        std::memcpy(to.data(), from.data(), from.size());
        return;
    }
    const auto run = [&](auto loadOne) {
        const auto each = [&](auto storeOne) {
            forEach(count, fromWidth, toWidth, from, to, loadOne, storeOne);
        };
        if (toType == DataType::F16)
            each([](std::byte* p, float v) { store(p, halfOfFloat(v)); });
        else if (toType == DataType::BF16)
            each([](std::byte* p, float v) { store(p, bfloat16OfFloat(v)); });
        else if (toType == DataType::F32)
            each([](std::byte* p, float v) { store(p, v); });
        else
            each([](std::byte* p, float v) { store(p, static_cast<double>(v)); });
    };
    if (fromType == DataType::F64 && toType == DataType::F32)
        run([](const std::byte* p) { return static_cast<float>(load<double>(p)); });
    else if (fromType == DataType::F64)
        run([](const std::byte* p) { return roundedToOdd(load<double>(p)); });
    else if (fromType == DataType::F32)
        run([](const std::byte* p) { return load<float>(p); });
    else if (fromType == DataType::F16)
        run([](const std::byte* p) { return floatOfHalf(load<uint16_t>(p)); });
    else
        run([](const std::byte* p) { return floatOfBfloat16(load<uint16_t>(p)); });
}

double scalarValue(std::span<const std::byte> bytes, DataType type) {
    assert(static_cast<int64_t>(bytes.size()) >= byteWidth(type));
    return loadAsDouble(bytes.data(), type);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Floating-point types into each other, for files: to nearest, ties to even; too large becomes infinite,
// NaN stays NaN. Stateless; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

[[nodiscard]] float floatOfHalf(uint16_t bits);
[[nodiscard]] uint16_t halfOfFloat(float value);
[[nodiscard]] float floatOfBfloat16(uint16_t bits);
[[nodiscard]] uint16_t bfloat16OfFloat(float value);

/// Converts all of `from` (little-endian elements of `fromType`) to `toType`.
/// Both types are floating-point; `to` has room for exactly as many elements.
void convertElements(std::span<const std::byte> from, DataType fromType, std::span<std::byte> to,
                     DataType toType);

/// The first element of a floating-point or integer tensor as a number.
/// @param bytes at least byteWidth(type)
[[nodiscard]] double scalarValue(std::span<const std::byte> bytes, DataType type);

} // namespace homebooth::core

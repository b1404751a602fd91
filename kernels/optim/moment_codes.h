// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Codes of quantised moments: the scalar reference, and vector variants of equal codes and values.
// Pure functions; any thread.
#pragma once

#include <cstdint>

namespace homebooth::kernels {

/// The nearest codes of value / unit.
/// @param unit  greater than 0
void encodeScalar(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);

/// The values of codes times scale.
void decodeScalar(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values);

// Call them only where cpuFeatures() has the instruction set.
/// @param values  magnitudes of at most `unit`
void encodeAvx2(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);
void encodeAvx512(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);
void decodeAvx2(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values);
void decodeAvx512(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values);

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest codes of many values: the scalar reference, and variants that give the same codes.
// Pure functions; any thread.
#pragma once

#include <cstdint>

namespace homebooth::kernels {

/// The nearest codes of value / unit.
/// @param unit  greater than 0
void encodeScalar(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);

// Call them only where cpuFeatures() has the instruction set.
/// @param values  magnitudes of at most `unit`
void encodeAvx2(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);
void encodeAvx512(const float* values, float unit, int64_t count, bool isSigned, uint8_t* codes);

} // namespace homebooth::kernels

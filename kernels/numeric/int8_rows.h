// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of numbers as integers of 8 bits with a scale each: value = integer * scale, integers from -127 to
// 127. The integers lie in the order of the values. Rows are independent; any threads.
#pragma once

#include "kernels/numeric/float16.h"

#include <cstdint>

namespace homebooth::kernels {

/// The integers nearest to the values over their row's scale (ties to even), which is its greatest magnitude
/// over 127.
/// @param from    [rows, columns] of `type`. NaN or infinity makes a row's scale that, whatever its integers
/// @param to      [rows, columns], written
/// @param scales  [rows], written; 0 for a row whose scale would be below 2^-120, of zeros above all
void quantizeRows(const void* from, NumberType type, int8_t* to, float* scales, int64_t rows,
                  int64_t columns);

/// integer * scale in fp32, rounded to the nearest of `type`.
/// @param from  [rows, columns]
/// @param to    [rows, columns] of `type`, written
void dequantizeRows(const int8_t* from, const float* scales, void* to, NumberType type, int64_t rows,
                    int64_t columns);

/// What sums of products of integers stand for: sum * rowScale * columnScale + bias in fp32, rounded to the
/// nearest of `type`.
/// @param sums  [rows, columns]
/// @param bias  [columns] of `type`; null: none
/// @param to    [rows, columns] of `type`, written
void rescaleSums(const int32_t* sums, const float* rowScales, const float* columnScales, const void* bias,
                 void* to, NumberType type, int64_t rows, int64_t columns);

} // namespace homebooth::kernels

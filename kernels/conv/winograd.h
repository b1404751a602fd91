// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The transforms of Winograd's minimal filtering F(2x2, 3x3) (Lavin and Gray, "Fast Algorithms for
// Convolutional Neural Networks", 2015): a 3x3 convolution of stride 1 and padding 1 becomes 16 matrix
// products, one for each place of a 4x4 tile, with 4/9 of the multiplications.
//   tiles   [16, T, C]  = winogradInput(picture)        each tile overlaps its neighbours by two pixels
//   weights [16, O, C]  = winogradWeights(weight)
//   picture             = winogradOutput(tiles[k] weights[k]^T for k in 0..15)
// All in bf16 with sums in fp32: what is stored between the steps is rounded, so that the result's error is
// about three times that of a direct convolution whose result is rounded. Meant for sampling.
// Stateless; a caller splits the ranges over its threads. CPU only.
#pragma once

#include "kernels/numeric/float16.h"

#include <cstdint>

namespace homebooth::kernels {

/// Places of a tile, and so the number of matrix products.
inline constexpr int64_t kWinogradPlaces = 16;
/// Numbers of channels must be multiples of this.
inline constexpr int64_t kWinogradLanes = 16;

/// Pictures cut into tiles of 2x2 output pixels, counted over (batch, tile row, tile column).
struct WinogradShape {
    int64_t batch = 0;
    int64_t height = 0; ///< pixels, of input and output
    int64_t width = 0;

    [[nodiscard]] int64_t tileRows() const { return (height + 1) / 2; }
    [[nodiscard]] int64_t tileColumns() const { return (width + 1) / 2; }
    [[nodiscard]] int64_t tiles() const { return batch * tileRows() * tileColumns(); }
};

/// @param weight   [outputs, 3, 3, channels]
/// @param target   [16, outputs, channels]; the rows of outputs [first, last) are written
void winogradWeights(const Bf16* weight, Bf16* target, int64_t outputs, int64_t channels, int64_t first,
                     int64_t last);

/// Tiles [first, last) of the pictures; what lies outside a picture counts as zero.
/// @param input     [batch, height, width, channels]
/// @param target    [16, rows, channels]; tile t goes to row t - origin
void winogradInput(const Bf16* input, Bf16* target, const WinogradShape& shape, int64_t channels,
                   int64_t rows, int64_t origin, int64_t first, int64_t last);

/// The output pixels of tiles [first, last).
/// @param products  [16, rows, outputs]; tile t lies in row t - origin
/// @param bias      [outputs], or null
/// @param output    [batch, height, width, outputs]
void winogradOutput(const Bf16* products, const Bf16* bias, Bf16* output, const WinogradShape& shape,
                    int64_t outputs, int64_t rows, int64_t origin, int64_t first, int64_t last);

} // namespace homebooth::kernels

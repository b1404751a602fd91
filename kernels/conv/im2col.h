// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two memory movements that turn a convolution on channels-last data into a matrix product:
//   forward and weight gradient:  columns = im2col(input),  output = columns * W^T
//   input gradient:               input gradient = col2im(output gradient * W)
// On the CPU the product runs at the rate of a plain GEMM, several times that of a direct convolution.
// Stateless; a caller splits the ranges over its threads. CPU only.
#pragma once

#include "kernels/numeric/float16.h"

#include <cstdint>

namespace homebooth::kernels {

/// A two-dimensional convolution, the same stride and padding in both directions.
struct ConvolutionShape {
    int64_t batch = 0;
    int64_t height = 0; ///< of the input, pixels
    int64_t width = 0;
    int64_t channels = 0;
    int64_t kernelHeight = 0;
    int64_t kernelWidth = 0;
    int64_t stride = 1;
    int64_t padding = 0;

    [[nodiscard]] int64_t outputHeight() const { return (height + 2 * padding - kernelHeight) / stride + 1; }
    [[nodiscard]] int64_t outputWidth() const { return (width + 2 * padding - kernelWidth) / stride + 1; }
    /// Elements of one row of columns.
    [[nodiscard]] int64_t columnCount() const { return kernelHeight * kernelWidth * channels; }
};

/// Copies the input's patches, one row an output pixel, zeros where a patch leaves the picture.
/// @param input         [batch, height, width, channels]
/// @param columns       [rowEnd - rowBegin, kernelHeight, kernelWidth, channels], written
/// @param shape         of the convolution
/// @param elementBytes  size of one element; the copy does not look at values
/// @param rowBegin, rowEnd  rows [rowBegin, rowEnd) counted over (batch, output y, output x)
void im2col(const void* input, void* columns, const ConvolutionShape& shape, int64_t elementBytes,
            int64_t rowBegin, int64_t rowEnd);

/// The same, widened to fp32 on the way.
void im2colWidened(const Bf16* input, float* columns, const ConvolutionShape& shape, int64_t rowBegin,
                   int64_t rowEnd);
void im2colWidened(const Half* input, float* columns, const ConvolutionShape& shape, int64_t rowBegin,
                   int64_t rowEnd);

/// Adds up, for each input pixel, the entries of all patches that contain it; sums in fp32, rounded once.
/// @param columns    rows from firstRow on of [batch * outputHeight * outputWidth, kernelHeight,
///                   kernelWidth, channels]; must hold every row that touches the wanted pixels
/// @param gradInput  [batch, height, width, channels]; only the wanted pixels are written
/// @param shape      of the convolution
/// @param firstRow   that `columns` begins with, counted over (batch, output y, output x)
/// @param pixelBegin, pixelEnd  the wanted pixels, counted over (batch, y, x): [pixelBegin, pixelEnd)
void col2im(const float* columns, float* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd);
/// The same; rounds to the nearest, ties to even.
void col2im(const Bf16* columns, Bf16* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd);
void col2im(const Half* columns, Half* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd);

} // namespace homebooth::kernels

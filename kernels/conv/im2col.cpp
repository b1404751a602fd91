// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv/im2col.h"

#include "kernels/numeric/clones.h"
#include "kernels/numeric/float16.h"

#include <algorithm>
#include <cstring>

namespace homebooth::kernels {
namespace {

struct Pixel {
    int64_t image, y, x;
};

Pixel pixelAt(int64_t index, int64_t height, int64_t width) {
    return {index / (height * width), index / width % height, index % width};
}

/// The rows of columns (as offsets, in elements) whose patches contain one input pixel.
struct Contributions {
    int64_t offsets[64];
    int count = 0;
};

Contributions contributionsTo(const Pixel& pixel, const ConvolutionShape& shape, int64_t firstRow) {
    Contributions found;
    const int64_t outputHeight = shape.outputHeight();
    const int64_t outputWidth = shape.outputWidth();
    for (int64_t ky = 0; ky < shape.kernelHeight; ++ky) {
        const int64_t top = pixel.y + shape.padding - ky;
        if (top < 0 || top % shape.stride != 0 || top / shape.stride >= outputHeight) continue;
        for (int64_t kx = 0; kx < shape.kernelWidth; ++kx) {
            const int64_t left = pixel.x + shape.padding - kx;
            if (left < 0 || left % shape.stride != 0 || left / shape.stride >= outputWidth) continue;
            const int64_t row = (pixel.image * outputHeight + top / shape.stride) * outputWidth +
                                left / shape.stride - firstRow;
            found.offsets[found.count++] =
                row * shape.columnCount() + (ky * shape.kernelWidth + kx) * shape.channels;
        }
    }
    return found;
}

HOMEBOOTH_INLINE void store(float value, float& target) {
    target = value;
}
HOMEBOOTH_INLINE void store(float value, Bf16& target) {
    target = nearestBf16(value);
}
HOMEBOOTH_INLINE void store(float value, Half& target) {
    target = nearestHalf(value);
}

HOMEBOOTH_INLINE void copyElements(const char* source, char* target, int64_t count) {
    std::memcpy(target, source, static_cast<size_t>(count));
}
template <class From>
HOMEBOOTH_INLINE void copyElements(const From* __restrict__ source, float* __restrict__ target,
                                   int64_t count) {
    for (int64_t i = 0; i < count; ++i) target[i] = toFloat(source[i]);
}

template <class T>
HOMEBOOTH_INLINE void clear(T* target, int64_t count) {
    std::memset(target, 0, static_cast<size_t>(count) * sizeof(T));
}

/// One row of one patch: kernelWidth pixels, of which those outside the picture are zero.
template <class From, class To>
HOMEBOOTH_INLINE void copyPatchRow(const From* inputRow, To* target, const ConvolutionShape& shape,
                                   int64_t pixelElements, int64_t firstX) {
    const int64_t skipLeft = std::max<int64_t>(0, -firstX);
    const int64_t inside = std::min(shape.kernelWidth, shape.width - firstX) - skipLeft;
    if (inside <= 0) return clear(target, shape.kernelWidth * pixelElements);
    const int64_t after = shape.kernelWidth - skipLeft - inside;
    if (skipLeft > 0) clear(target, skipLeft * pixelElements);
    copyElements(inputRow + (firstX + skipLeft) * pixelElements, target + skipLeft * pixelElements,
                 inside * pixelElements);
    if (after > 0) clear(target + (skipLeft + inside) * pixelElements, after * pixelElements);
}

/// @param pixelElements  of one pixel of the input, and of its copy
template <class From, class To>
HOMEBOOTH_INLINE void copyPatches(const From* input, To* target, const ConvolutionShape& shape,
                                  int64_t pixelElements, int64_t rowBegin, int64_t rowEnd) {
    const int64_t patchRow = shape.kernelWidth * pixelElements;
    for (int64_t row = rowBegin; row < rowEnd; ++row) {
        const Pixel pixel = pixelAt(row, shape.outputHeight(), shape.outputWidth());
        const int64_t firstX = pixel.x * shape.stride - shape.padding;
        for (int64_t ky = 0; ky < shape.kernelHeight; ++ky, target += patchRow) {
            const int64_t y = pixel.y * shape.stride - shape.padding + ky;
            if (y < 0 || y >= shape.height)
                clear(target, patchRow);
            else
                copyPatchRow(input + (pixel.image * shape.height + y) * shape.width * pixelElements, target,
                             shape, pixelElements, firstX);
        }
    }
}

/// kCount channels, known when this is compiled so that the sums stay in registers.
template <int64_t kCount, class T>
HOMEBOOTH_INLINE void sumBlock(const T* columns, const Contributions& from, T* target, int64_t begin) {
    float sums[kCount] = {};
    for (int i = 0; i < from.count; ++i) {
        const T* source = columns + from.offsets[i] + begin;
        for (int64_t c = 0; c < kCount; ++c) sums[c] += toFloat(source[c]);
    }
    for (int64_t c = 0; c < kCount; ++c) store(sums[c], target[begin + c]);
}

template <class T>
HOMEBOOTH_INLINE void sumPixel(const T* columns, const Contributions& from, T* target, int64_t channels) {
    int64_t c = 0;
    for (; c + 64 <= channels; c += 64) sumBlock<64>(columns, from, target, c);
    for (; c + 16 <= channels; c += 16) sumBlock<16>(columns, from, target, c);
    for (; c < channels; ++c) sumBlock<1>(columns, from, target, c);
}

template <class T>
HOMEBOOTH_INLINE void sumPixels(const T* columns, T* gradInput, const ConvolutionShape& shape,
                                int64_t firstRow, int64_t pixelBegin, int64_t pixelEnd) {
    for (int64_t index = pixelBegin; index < pixelEnd; ++index)
        sumPixel(columns, contributionsTo(pixelAt(index, shape.height, shape.width), shape, firstRow),
                 gradInput + index * shape.channels, shape.channels);
}

} // namespace

void im2col(const void* input, void* columns, const ConvolutionShape& shape, int64_t elementBytes,
            int64_t rowBegin, int64_t rowEnd) {
    copyPatches(static_cast<const char*>(input), static_cast<char*>(columns), shape,
                shape.channels * elementBytes, rowBegin, rowEnd);
}

HOMEBOOTH_CLONES
void im2colWidened(const Bf16* input, float* columns, const ConvolutionShape& shape, int64_t rowBegin,
                   int64_t rowEnd) {
    copyPatches(input, columns, shape, shape.channels, rowBegin, rowEnd);
}

HOMEBOOTH_CLONES
void im2colWidened(const Half* input, float* columns, const ConvolutionShape& shape, int64_t rowBegin,
                   int64_t rowEnd) {
    copyPatches(input, columns, shape, shape.channels, rowBegin, rowEnd);
}

HOMEBOOTH_CLONES
void col2im(const float* columns, float* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd) {
    sumPixels(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
}

HOMEBOOTH_CLONES
void col2im(const Bf16* columns, Bf16* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd) {
    sumPixels(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
}

HOMEBOOTH_CLONES
void col2im(const Half* columns, Half* gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd) {
    sumPixels(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
}

} // namespace homebooth::kernels

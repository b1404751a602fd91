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

/// One row of one patch: kernelWidth * channels elements, of which those outside the picture are zero.
void copyPatchRow(const char* inputRow, char* target, const ConvolutionShape& shape, int64_t pixelBytes,
                  int64_t firstX) {
    const int64_t skipLeft = std::max<int64_t>(0, -firstX);
    const int64_t inside = std::min(shape.kernelWidth, shape.width - firstX) - skipLeft;
    if (inside <= 0) {
        std::memset(target, 0, shape.kernelWidth * pixelBytes);
        return;
    }
    const int64_t after = shape.kernelWidth - skipLeft - inside;
    if (skipLeft > 0) std::memset(target, 0, skipLeft * pixelBytes);
    std::memcpy(target + skipLeft * pixelBytes, inputRow + (firstX + skipLeft) * pixelBytes,
                inside * pixelBytes);
    if (after > 0) std::memset(target + (skipLeft + inside) * pixelBytes, 0, after * pixelBytes);
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

HOMEBOOTH_INLINE float widen(uint16_t bits) {
    return toFloat(Bf16{bits});
}
HOMEBOOTH_INLINE float widen(float value) {
    return value;
}
HOMEBOOTH_INLINE void store(float value, float& target) {
    target = value;
}
HOMEBOOTH_INLINE void store(float value, uint16_t& target) {
    target = nearestBf16(value).bits;
}

/// kCount channels, known when this is compiled so that the sums stay in registers.
template <int64_t kCount, class T>
HOMEBOOTH_INLINE void sumBlock(const T* columns, const Contributions& from, T* target, int64_t begin) {
    float sums[kCount] = {};
    for (int i = 0; i < from.count; ++i) {
        const T* source = columns + from.offsets[i] + begin;
        for (int64_t c = 0; c < kCount; ++c) sums[c] += widen(source[c]);
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

} // namespace

void im2col(const void* input, void* columns, const ConvolutionShape& shape, int64_t elementBytes,
            int64_t rowBegin, int64_t rowEnd) {
    const int64_t pixelBytes = shape.channels * elementBytes;
    const int64_t patchRowBytes = shape.kernelWidth * pixelBytes;
    auto* target = static_cast<char*>(columns);
    for (int64_t row = rowBegin; row < rowEnd; ++row) {
        const Pixel pixel = pixelAt(row, shape.outputHeight(), shape.outputWidth());
        const int64_t firstX = pixel.x * shape.stride - shape.padding;
        for (int64_t ky = 0; ky < shape.kernelHeight; ++ky, target += patchRowBytes) {
            const int64_t y = pixel.y * shape.stride - shape.padding + ky;
            if (y < 0 || y >= shape.height) {
                std::memset(target, 0, patchRowBytes);
                continue;
            }
            const char* inputRow =
                static_cast<const char*>(input) + (pixel.image * shape.height + y) * shape.width * pixelBytes;
            copyPatchRow(inputRow, target, shape, pixelBytes, firstX);
        }
    }
}

HOMEBOOTH_CLONES
void col2imFloat(const float* columns, float* gradInput, const ConvolutionShape& shape, int64_t firstRow,
                 int64_t pixelBegin, int64_t pixelEnd) {
    for (int64_t index = pixelBegin; index < pixelEnd; ++index)
        sumPixel(columns, contributionsTo(pixelAt(index, shape.height, shape.width), shape, firstRow),
                 gradInput + index * shape.channels, shape.channels);
}

HOMEBOOTH_CLONES
void col2imBfloat16(const uint16_t* columns, uint16_t* gradInput, const ConvolutionShape& shape,
                    int64_t firstRow, int64_t pixelBegin, int64_t pixelEnd) {
    for (int64_t index = pixelBegin; index < pixelEnd; ++index)
        sumPixel(columns, contributionsTo(pixelAt(index, shape.height, shape.width), shape, firstRow),
                 gradInput + index * shape.channels, shape.channels);
}

} // namespace homebooth::kernels

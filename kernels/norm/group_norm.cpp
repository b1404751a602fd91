// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm/group_norm.h"

#include "kernels/numeric/clones.h"
#include "kernels/numeric/float16.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace homebooth::kernels {
namespace {

HOMEBOOTH_INLINE float widen(uint16_t bits) {
    return toFloat(Bf16{bits});
}

/// e^x within 2e-7 of its value for -87 <= x <= 87 (clamped); written so that a loop of it vectorises.
/// The shift by 1.5 * 2^23 rounds to an integer; Taylor series of 2^f, |f| <= 1/2.
HOMEBOOTH_INLINE float fastExp(float x) {
    const float t = std::min(std::max(x, -87.0f), 87.0f) * 1.44269504088896340736f;
    const float shifted = t + 12582912.0f;
    const float f = t - (shifted - 12582912.0f);
    float y = 1.540353039338161e-4f;
    y = y * f + 1.333355814642844e-3f;
    y = y * f + 9.618129107628477e-3f;
    y = y * f + 5.550410866482158e-2f;
    y = y * f + 2.402265069591007e-1f;
    y = y * f + 6.931471805599453e-1f;
    y = y * f + 1.0f;
    return floatOf(bitsOf(y) + (bitsOf(shifted) << 23));
}

HOMEBOOTH_INLINE float sigmoid(float x) {
    return 1.0f / (1.0f + fastExp(-x));
}

/// First and last pixel (over the batch) of a block, and the image that it lies in.
struct BlockRange {
    int64_t image, begin, end;
};

BlockRange blockRange(const GroupNormShape& shape, int64_t block) {
    const int64_t image = block / shape.blocksPerImage();
    const int64_t first = block % shape.blocksPerImage() * GroupNormShape::kBlockPixels;
    const int64_t last = std::min(first + GroupNormShape::kBlockPixels, shape.pixels);
    return {image, image * shape.pixels + first, image * shape.pixels + last};
}

/// Per channel: normalised = x * scale + shift; z = normalised * weight + bias.
struct ChannelFactors {
    std::vector<float> scale, shift, weight, bias;

    explicit ChannelFactors(int64_t channels)
        : scale(channels)
        , shift(channels)
        , weight(channels)
        , bias(channels) {}

    void load(const GroupNormShape& shape, const float* mean, const float* inverseDeviation,
              const uint16_t* weights, const uint16_t* biases, int64_t image) {
        const int64_t width = shape.channels / shape.groups;
        for (int64_t c = 0; c < shape.channels; ++c) {
            const int64_t group = image * shape.groups + c / width;
            scale[c] = inverseDeviation[group];
            shift[c] = -mean[group] * inverseDeviation[group];
            weight[c] = widen(weights[c]);
            bias[c] = widen(biases[c]);
        }
    }
};

HOMEBOOTH_CLONES
void addSums(const uint16_t* x, int64_t pixels, int64_t channels, float* sum, float* squares) {
    for (int64_t p = 0; p < pixels; ++p)
        for (int64_t c = 0; c < channels; ++c) {
            const float value = widen(x[p * channels + c]);
            sum[c] += value;
            squares[c] += value * value;
        }
}

/// Per channel, what one pixel after the other is computed with. No array may overlap a result.
struct PixelFactors {
    const float* __restrict__ scale;
    const float* __restrict__ shift;
    const float* __restrict__ weight;
    const float* __restrict__ bias;

    explicit PixelFactors(const ChannelFactors& from)
        : scale(from.scale.data())
        , shift(from.shift.data())
        , weight(from.weight.data())
        , bias(from.bias.data()) {}
};

template <bool kSilu>
HOMEBOOTH_INLINE void normaliseLoop(const uint16_t* __restrict__ x, PixelFactors f, int64_t pixels,
                                    int64_t channels, uint16_t* __restrict__ y) {
    for (int64_t p = 0; p < pixels; ++p, x += channels, y += channels)
        for (int64_t c = 0; c < channels; ++c) {
            const float z = (widen(x[c]) * f.scale[c] + f.shift[c]) * f.weight[c] + f.bias[c];
            y[c] = nearestBf16(kSilu ? z * sigmoid(z) : z).bits;
        }
}

HOMEBOOTH_CLONES
void normalisePixels(const uint16_t* x, PixelFactors factors, int64_t pixels, int64_t channels, bool silu,
                     uint16_t* y) {
    if (silu)
        normaliseLoop<true>(x, factors, pixels, channels, y);
    else
        normaliseLoop<false>(x, factors, pixels, channels, y);
}

/// Gradient before SiLU from the one after it: d silu(z) / dz = s + z s (1 - s).
HOMEBOOTH_INLINE float gradientBeforeSilu(float gradient, float z) {
    const float s = sigmoid(z);
    return gradient * s * (1.0f + z * (1.0f - s));
}

template <bool kSilu>
HOMEBOOTH_INLINE void gradientSumsLoop(const uint16_t* __restrict__ x, const uint16_t* __restrict__ gradient,
                                       PixelFactors f, int64_t pixels, int64_t channels,
                                       float* __restrict__ sum, float* __restrict__ products) {
    for (int64_t p = 0; p < pixels; ++p, x += channels, gradient += channels)
        for (int64_t c = 0; c < channels; ++c) {
            const float normalised = widen(x[c]) * f.scale[c] + f.shift[c];
            const float after = widen(gradient[c]);
            const float before =
                kSilu ? gradientBeforeSilu(after, normalised * f.weight[c] + f.bias[c]) : after;
            sum[c] += before;
            products[c] += before * normalised;
        }
}

HOMEBOOTH_CLONES
void addGradientSums(const uint16_t* x, const uint16_t* gradient, PixelFactors factors, int64_t pixels,
                     int64_t channels, bool silu, float* sum, float* products) {
    if (silu)
        gradientSumsLoop<true>(x, gradient, factors, pixels, channels, sum, products);
    else
        gradientSumsLoop<false>(x, gradient, factors, pixels, channels, sum, products);
}

template <bool kSilu>
HOMEBOOTH_INLINE void inputGradientLoop(const uint16_t* __restrict__ x, const uint16_t* __restrict__ gradient,
                                        PixelFactors f, const float* __restrict__ meanGradient,
                                        const float* __restrict__ meanProduct, int64_t pixels,
                                        int64_t channels, uint16_t* __restrict__ result) {
    for (int64_t p = 0; p < pixels; ++p, x += channels, gradient += channels, result += channels)
        for (int64_t c = 0; c < channels; ++c) {
            const float normalised = widen(x[c]) * f.scale[c] + f.shift[c];
            const float after = widen(gradient[c]);
            const float before =
                kSilu ? gradientBeforeSilu(after, normalised * f.weight[c] + f.bias[c]) : after;
            const float own = f.weight[c] * before - meanGradient[c] - normalised * meanProduct[c];
            result[c] = nearestBf16(f.scale[c] * own).bits;
        }
}

HOMEBOOTH_CLONES
void inputGradientPixels(const uint16_t* x, const uint16_t* gradient, PixelFactors factors,
                         const float* meanGradient, const float* meanProduct, int64_t pixels,
                         int64_t channels, bool silu, uint16_t* result) {
    if (silu)
        inputGradientLoop<true>(x, gradient, factors, meanGradient, meanProduct, pixels, channels, result);
    else
        inputGradientLoop<false>(x, gradient, factors, meanGradient, meanProduct, pixels, channels, result);
}

/// Calls part(image, first pixel, how many) for the pixels [first, last) over the batch, an image at a time.
template <typename Part>
void forImages(const GroupNormShape& shape, int64_t first, int64_t last, Part part) {
    while (first < last) {
        const int64_t image = first / shape.pixels;
        const int64_t end = std::min(last, (image + 1) * shape.pixels);
        part(image, first, end - first);
        first = end;
    }
}

} // namespace

void groupNormBlockSums(const GroupNormShape& shape, const uint16_t* x, float* sums, int64_t first,
                        int64_t last) {
    for (int64_t block = first; block < last; ++block) {
        const BlockRange range = blockRange(shape, block);
        float* target = sums + block * 2 * shape.channels;
        std::fill_n(target, 2 * shape.channels, 0.0f);
        addSums(x + range.begin * shape.channels, range.end - range.begin, shape.channels, target,
                target + shape.channels);
    }
}

void groupNormFinishMoments(const GroupNormShape& shape, const float* sums, float* mean,
                            float* inverseDeviation) {
    const int64_t width = shape.channels / shape.groups;
    const double count = static_cast<double>(width * shape.pixels);
    for (int64_t group = 0; group < shape.batch * shape.groups; ++group) {
        const int64_t image = group / shape.groups;
        const int64_t firstChannel = group % shape.groups * width;
        double sum = 0.0;
        double squares = 0.0;
        for (int64_t b = 0; b < shape.blocksPerImage(); ++b) {
            const float* block = sums + (image * shape.blocksPerImage() + b) * 2 * shape.channels;
            for (int64_t c = firstChannel; c < firstChannel + width; ++c) {
                sum += block[c];
                squares += block[shape.channels + c];
            }
        }
        const double average = sum / count;
        const double variance = std::max(0.0, squares / count - average * average);
        mean[group] = static_cast<float>(average);
        inverseDeviation[group] = static_cast<float>(1.0 / std::sqrt(variance + shape.epsilon));
    }
}

void groupNormNormalise(const GroupNormShape& shape, const uint16_t* x, const float* mean,
                        const float* inverseDeviation, const uint16_t* weight, const uint16_t* bias,
                        uint16_t* y, int64_t first, int64_t last) {
    ChannelFactors factors(shape.channels);
    forImages(shape, first, last, [&](int64_t image, int64_t pixel, int64_t pixels) {
        factors.load(shape, mean, inverseDeviation, weight, bias, image);
        normalisePixels(x + pixel * shape.channels, PixelFactors(factors), pixels, shape.channels, shape.silu,
                        y + pixel * shape.channels);
    });
}

void groupNormBlockGradientSums(const GroupNormShape& shape, const GroupNormBackward& from, float* sums,
                                int64_t first, int64_t last) {
    ChannelFactors factors(shape.channels);
    for (int64_t block = first; block < last; ++block) {
        const BlockRange range = blockRange(shape, block);
        factors.load(shape, from.mean, from.inverseDeviation, from.weight, from.bias, range.image);
        float* target = sums + block * 2 * shape.channels;
        std::fill_n(target, 2 * shape.channels, 0.0f);
        addGradientSums(from.x + range.begin * shape.channels, from.gradOutput + range.begin * shape.channels,
                        PixelFactors(factors), range.end - range.begin, shape.channels, shape.silu, target,
                        target + shape.channels);
    }
}

void groupNormFinishGradients(const GroupNormShape& shape, const float* sums, const uint16_t* weight,
                              float* groupSums, float* gradWeight, float* gradBias) {
    const int64_t width = shape.channels / shape.groups;
    const double count = static_cast<double>(width * shape.pixels);
    std::vector<double> totals(2 * shape.channels, 0.0);
    for (int64_t image = 0; image < shape.batch; ++image) {
        std::vector<double> own(2 * shape.channels, 0.0);
        for (int64_t b = 0; b < shape.blocksPerImage(); ++b) {
            const float* block = sums + (image * shape.blocksPerImage() + b) * 2 * shape.channels;
            for (int64_t i = 0; i < 2 * shape.channels; ++i) own[i] += block[i];
        }
        for (int64_t i = 0; i < 2 * shape.channels; ++i) totals[i] += own[i];
        for (int64_t group = 0; group < shape.groups; ++group) {
            double gradient = 0.0;
            double product = 0.0;
            for (int64_t c = group * width; c < (group + 1) * width; ++c) {
                gradient += widen(weight[c]) * own[c];
                product += widen(weight[c]) * own[shape.channels + c];
            }
            float* target = groupSums + (image * shape.groups + group) * 2;
            target[0] = static_cast<float>(gradient / count);
            target[1] = static_cast<float>(product / count);
        }
    }
    for (int64_t c = 0; c < shape.channels; ++c) {
        gradBias[c] = static_cast<float>(totals[c]);
        gradWeight[c] = static_cast<float>(totals[shape.channels + c]);
    }
}

void groupNormInputGradient(const GroupNormShape& shape, const GroupNormBackward& from,
                            const float* groupSums, uint16_t* gradInput, int64_t first, int64_t last) {
    ChannelFactors factors(shape.channels);
    std::vector<float> meanGradient(shape.channels);
    std::vector<float> meanProduct(shape.channels);
    const int64_t width = shape.channels / shape.groups;
    forImages(shape, first, last, [&](int64_t image, int64_t pixel, int64_t pixels) {
        factors.load(shape, from.mean, from.inverseDeviation, from.weight, from.bias, image);
        for (int64_t c = 0; c < shape.channels; ++c) {
            meanGradient[c] = groupSums[(image * shape.groups + c / width) * 2];
            meanProduct[c] = groupSums[(image * shape.groups + c / width) * 2 + 1];
        }
        inputGradientPixels(from.x + pixel * shape.channels, from.gradOutput + pixel * shape.channels,
                            PixelFactors(factors), meanGradient.data(), meanProduct.data(), pixels,
                            shape.channels, shape.silu, gradInput + pixel * shape.channels);
    });
}

} // namespace homebooth::kernels

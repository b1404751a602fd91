// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Group normalisation of channels-last bf16 data, with SiLU after it if wanted, forward and backward.
// CPU only. Sums are taken over fixed blocks of pixels and added in order, so the result does not depend on
// how many threads share the blocks. Stateless.
//
//   forward:   blockSums for every block, finishMoments, then normalise in ranges of pixels
//   backward:  blockGradientSums for every block, finishGradients, then inputGradient in ranges of pixels
#pragma once

#include <cstdint>

namespace homebooth::kernels {

struct GroupNormShape {
    int64_t batch = 0;
    int64_t pixels = 0; ///< height * width
    int64_t channels = 0;
    int64_t groups = 0;
    float epsilon = 1e-5f;
    bool silu = false;

    static constexpr int64_t kBlockPixels = 256;
    [[nodiscard]] int64_t blocksPerImage() const { return (pixels + kBlockPixels - 1) / kBlockPixels; }
    [[nodiscard]] int64_t blockCount() const { return batch * blocksPerImage(); }
};

/// Sums of one block's values and squares, per channel.
/// @param x     [batch, pixels, channels] bf16
/// @param sums  [blockCount, 2, channels] fp32; blocks [first, last) are written
void groupNormBlockSums(const GroupNormShape& shape, const uint16_t* x, float* sums, int64_t first,
                        int64_t last);

/// @param mean, inverseDeviation  [batch, groups] fp32, written
void groupNormFinishMoments(const GroupNormShape& shape, const float* sums, float* mean,
                            float* inverseDeviation);

/// y = silu?((x - mean) * inverseDeviation * weight + bias), for pixels [first, last) over the batch.
/// @param weight, bias  [channels] bf16
void groupNormNormalise(const GroupNormShape& shape, const uint16_t* x, const float* mean,
                        const float* inverseDeviation, const uint16_t* weight, const uint16_t* bias,
                        uint16_t* y, int64_t first, int64_t last);

/// What backward reads.
struct GroupNormBackward {
    const uint16_t* x = nullptr;
    const uint16_t* gradOutput = nullptr; ///< [batch, pixels, channels] bf16
    const float* mean = nullptr;
    const float* inverseDeviation = nullptr;
    const uint16_t* weight = nullptr;
    const uint16_t* bias = nullptr;
};

/// Per channel, sums over a block of the gradient before SiLU, and of it times the normalised value.
/// @param sums  [blockCount, 2, channels] fp32; blocks [first, last) are written
void groupNormBlockGradientSums(const GroupNormShape& shape, const GroupNormBackward& from, float* sums,
                                int64_t first, int64_t last);

/// @param groupSums   [batch, groups, 2] fp32, written: means over a group, for `groupNormInputGradient`
/// @param gradWeight, gradBias  [channels] fp32, written
void groupNormFinishGradients(const GroupNormShape& shape, const float* sums, const uint16_t* weight,
                              float* groupSums, float* gradWeight, float* gradBias);

/// @param gradInput  [batch, pixels, channels] bf16; pixels [first, last) over the batch are written
void groupNormInputGradient(const GroupNormShape& shape, const GroupNormBackward& from,
                            const float* groupSums, uint16_t* gradInput, int64_t first, int64_t last);

} // namespace homebooth::kernels

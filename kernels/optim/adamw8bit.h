// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with block-wise 8-bit moments: codes of a dynamic map, scaled by the greatest value of each block.
// Borrows every pointer; disjoint ranges that begin at a block may run on any threads at the same time.
// Blocks are counted within the parameter, so the result does not depend on chunks or threads.
// Source: Dettmers, Lewis, Shleifer, Zettlemoyer, "8-bit optimizers via block-wise quantization", 2022
#pragma once

#include "kernels/optim/adamw.h"

#include <array>

namespace homebooth::kernels {

/// Elements that share one scale.
inline constexpr int64_t kQuantisationBlock = 256;

/// The 256 values of the dynamic map, ascending: seven decades from 1e-6 to 1, each with twice the steps of
/// the one below; signed for the first moment, not signed (twice as fine) for the second.
[[nodiscard]] const std::array<float, 256>& dynamicMap(bool isSigned);

/// Codes and scale of one block: codes of the nearest map values of value / scale.
/// @param values  finite; one NaN or infinity spoils its block's scale, as it spoils the parameter
/// @param count   1 to kQuantisationBlock
/// @returns       the scale: greatest magnitude of the block
float quantiseBlock(const float* values, int64_t count, bool isSigned, uint8_t* codes);

void dequantiseBlock(const uint8_t* codes, float scale, int64_t count, bool isSigned, float* values);

/// The moments of a range that begins at a block; scales are one for each block.
struct QuantisedMoments {
    uint8_t* firstCodes = nullptr;
    float* firstScales = nullptr;
    uint8_t* secondCodes = nullptr;
    float* secondScales = nullptr;
};

/// One step. The moments of `range` itself are not used.
/// @param range  firstElement is a multiple of kQuantisationBlock
void adamW8bit(const AdamWRange& range, const QuantisedMoments& moments, const AdamWStep& step,
               const RandomStream& random);

/// The same on the GPU; the pointers are device pointers.
/// @param stream  a cudaStream_t
/// @returns       the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchAdamW8bit(const AdamWRange& range, const QuantisedMoments& moments, const AdamWStep& step,
                    const RandomStream& random, void* stream);

} // namespace homebooth::kernels

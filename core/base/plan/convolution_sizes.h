// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What convolutions, and products beside them, work in: by the same numbers core/engine/nn takes it and plans
// foresee it. Of pieces that are not widened kMostPatchBytes says it (value_sizes.h). Constants alone.
#pragma once

#include <algorithm>
#include <cstdint>

namespace homebooth::core {

/// Columns and factors that are widened to fp32 live in pieces of at most this size, which the product reads
/// from the cache.
inline constexpr int64_t kWidenedPieceBytes = int64_t{4} << 20;

/// Of a convolution in bf16 on the host by tiles of 2x2 pixels (core/engine/nn/winograd).
struct TileSizes {
    static constexpr int64_t kPlaces = 16; ///< of a tile
    static constexpr int64_t kLanes = 16;  ///< channels must be multiples of this
    /// Tiles and products live in pieces of at most this size together.
    static constexpr int64_t kPieceBytes = int64_t{48} << 20;
    /// Below this number of output pixels transforming the weight costs more than it saves.
    static constexpr int64_t kLeastPixels = 512;
};

/// What cuDNN works in: sums in fp32 as large as the weight, several where they are small. How many, and up
/// to how much, is fitted to an H200's peaks. @param weightBytes  in fp32
[[nodiscard]] constexpr int64_t gpuConvolutionBytes(int64_t weightBytes) {
    constexpr int64_t kSums = 16;
    constexpr int64_t kMostBytes = int64_t{120} << 20; // of more than one
    return std::max(weightBytes, std::min(kSums * weightBytes, kMostBytes));
}

} // namespace homebooth::core

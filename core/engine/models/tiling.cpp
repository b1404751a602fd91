// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/tiling.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr double kOverlap = 0.25; // of a tile's side

/// Fades the last `extent` rows (or columns) of `before` into the first ones of `tile`, in place.
void blend(const at::Tensor& before, at::Tensor& tile, int64_t extent, int64_t dimension) {
    extent = std::min({extent, before.size(dimension), tile.size(dimension)});
    if (extent <= 0) return;
    at::Tensor ramp = at::arange(extent, at::TensorOptions().dtype(at::kFloat).device(tile.device())) /
                      static_cast<double>(extent);
    ramp = dimension == 2 ? ramp.view({1, 1, extent, 1}) : ramp.view({1, 1, 1, extent});
    const at::Tensor end = before.narrow(dimension, before.size(dimension) - extent, extent);
    at::Tensor start = tile.narrow(dimension, 0, extent);
    start.copy_(end * (1 - ramp) + start * ramp);
}

} // namespace

at::Tensor runTiled(const TilePass& pass, const at::Tensor& x, const TileSizes& sizes) {
    const int64_t H = x.size(2);
    const int64_t W = x.size(3);
    if (H <= sizes.input && W <= sizes.input) return pass(x);
    const auto step =
        std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(sizes.input) * (1 - kOverlap)));
    const auto extent = static_cast<int64_t>(static_cast<double>(sizes.output) * kOverlap);
    const int64_t kept = sizes.output - extent;

    std::vector<at::Tensor> resultRows;
    std::vector<at::Tensor> above;
    for (int64_t top = 0; top < H; top += step) {
        std::vector<at::Tensor> row;
        std::vector<at::Tensor> cut;
        for (int64_t left = 0; left < W; left += step) {
            const at::Tensor part = x.narrow(2, top, std::min(sizes.input, H - top))
                                        .narrow(3, left, std::min(sizes.input, W - left));
            at::Tensor tile = pass(part);
            if (!above.empty()) blend(above[row.size()], tile, extent, 2);
            if (!row.empty()) blend(row.back(), tile, extent, 3);
            cut.push_back(
                tile.narrow(2, 0, std::min(kept, tile.size(2))).narrow(3, 0, std::min(kept, tile.size(3))));
            row.push_back(std::move(tile));
        }
        resultRows.push_back(at::cat(cut, 3));
        above = std::move(row);
    }
    return at::cat(resultRows, 2);
}

} // namespace homebooth::core

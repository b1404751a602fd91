// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a picture-to-picture pass tile by tile and blends the overlaps. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

#include <functional>

namespace homebooth::core {

/// Shapes: [B, C, h, w] -> [B, C', h * s, w * s] for a scale s of its own
using TilePass = std::function<at::Tensor(const at::Tensor&)>;

/// Sides of a tile before and after the pass; their ratio is the pass's scale.
struct TileSizes {
    int64_t input = 0;
    int64_t output = 0;
};

/// Tiles overlap by a quarter of their side and fade into each other linearly, as in diffusers.
/// An input no larger than one tile is passed whole.
/// Shapes: x [B, C, H, W] -> [B, C', H * s, W * s]
[[nodiscard]] at::Tensor runTiled(const TilePass& pass, const at::Tensor& x, const TileSizes& sizes);

} // namespace homebooth::core

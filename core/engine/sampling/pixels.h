// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Between pictures and what the autoencoder sees: fp32 in -1..1, channels first. Pure functions; any thread.
#pragma once

#include "core/base/util/picture.h"

#include <ATen/ATen.h>

#include <vector>

namespace homebooth::core {

/// Shapes: -> [1, 3, H, W] fp32 on the CPU, -1..1
[[nodiscard]] at::Tensor pixelsOf(const Picture& picture);

/// Scales to another size with anti-aliased cubic interpolation; the same pixels when the size fits.
/// Shapes: [B, 3, H, W] -> [B, 3, heightPixels, widthPixels]
[[nodiscard]] at::Tensor scaledPixels(const at::Tensor& pixels, int64_t widthPixels, int64_t heightPixels);

/// Shapes: pixels [B, 3, H, W] of any real type and device, about -1..1; values beyond are cut
[[nodiscard]] std::vector<Picture> picturesOf(const at::Tensor& pixels);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The size that a training learns a picture at, and which part of it: what the engine does, and what the
// window tells beforehand.
// Pure functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/picture_size.h"

#include <cstddef>

namespace homebooth::core {

/// The size that a picture is trained at: a square, or with buckets the shape nearest to its own whose area
/// is not above resolution x resolution. Sides are multiples of `multiple` pixels, which is at least 1.
[[nodiscard]] PictureSize trainingSize(PictureSize original, int64_t resolutionPixels, FramingMode framing,
                                       int64_t multiple);

/// Where the part of a picture that is learned begins, in pixels of the scaled picture.
struct CutCorner {
    int64_t topPixels = 0;
    int64_t leftPixels = 0;
    friend bool operator==(const CutCorner&, const CutCorner&) = default;
};

/// Of a picture that is scaled to cover `size` and cut equally on both sides (PictureSource::load).
/// @param original  its upright size. @param mirrored  left to right, before the part is cut out
[[nodiscard]] CutCorner cutCorner(PictureSize original, PictureSize size, bool mirrored);

/// What the sides of pictures in buckets must be divisible by, pixels.
/// @param vaeDownscale  pixels of a picture to one of its latents. @param unetLevels  at least 1; each but
/// the last halves the latents
[[nodiscard]] int64_t bucketMultiple(int64_t vaeDownscale, size_t unetLevels);

} // namespace homebooth::core

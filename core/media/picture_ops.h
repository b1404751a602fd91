// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Resizing, cropping and mirroring of pictures in memory.
// Free functions without state; any thread; results do not depend on the number of threads.
#pragma once

#include "core/base/util/picture.h"

#include <cstdint>

namespace homebooth::core {

/// A rectangle of a picture, in pixels.
struct PictureRegion {
    int64_t leftPixels = 0;
    int64_t topPixels = 0;
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
};

/// Scales a picture so that it covers width x height and cuts what sticks out, equally on both sides.
/// Averages over areas when shrinking, cubic interpolation when growing.
/// @param picture  not empty
/// @param width, height  pixels, at least 1
[[nodiscard]] Picture resizeAndCrop(const Picture& picture, int64_t width, int64_t height);

/// The part of `picture` that resizeAndCrop(picture, width, height) shows.
[[nodiscard]] PictureRegion centreRegion(const Picture& picture, int64_t width, int64_t height);

/// Scales one region of a picture to width x height. The region is clamped to the picture.
[[nodiscard]] Picture resizeRegion(const Picture& picture, const PictureRegion& region, int64_t width,
                                   int64_t height);

/// The picture mirrored left to right.
[[nodiscard]] Picture mirrored(const Picture& picture);

} // namespace homebooth::core

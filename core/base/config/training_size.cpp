// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/training_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace homebooth::core {
namespace {

constexpr double kMostAspect = 2.5; // longer pictures are cropped to this

/// The shape of area at most resolution^2 whose sides' ratio is nearest to the picture's.
PictureSize bucketOf(PictureSize original, int64_t resolution, int64_t multiple) {
    const double wanted =
        std::clamp(static_cast<double>(original.widthPixels) / static_cast<double>(original.heightPixels),
                   1.0 / kMostAspect, kMostAspect);
    PictureSize best{resolution, resolution};
    double bestError = std::numeric_limits<double>::infinity();
    for (int64_t width = multiple; width <= 2 * resolution; width += multiple) {
        const int64_t height = resolution * resolution / width / multiple * multiple;
        if (height < multiple) break;
        const double aspect = static_cast<double>(width) / static_cast<double>(height);
        const double error = std::abs(std::log(aspect / wanted));
        if (error < bestError) {
            bestError = error;
            best = {width, height};
        }
    }
    return best;
}

} // namespace

PictureSize trainingSize(PictureSize original, int64_t resolutionPixels, FramingMode framing,
                         int64_t multiple) {
    if (framing == FramingMode::Crop) return {resolutionPixels, resolutionPixels};
    return bucketOf(original, resolutionPixels, multiple);
}

int64_t bucketMultiple(int64_t vaeDownscale, size_t unetLevels) {
    return vaeDownscale << (unetLevels - 1);
}

} // namespace homebooth::core

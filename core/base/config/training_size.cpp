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

CutCorner cutCorner(PictureSize original, PictureSize size, bool mirrored) {
    const auto ratio = [](int64_t to, int64_t from) {
        return static_cast<double>(to) / static_cast<double>(std::max<int64_t>(from, 1));
    };
    const double scale = std::max(ratio(size.widthPixels, original.widthPixels),
                                  ratio(size.heightPixels, original.heightPixels));
    const auto beyond = [scale](int64_t from, int64_t kept) { // what sticks out on both sides together
        return std::max<int64_t>(std::llround(static_cast<double>(from) * scale) - kept, 0);
    };
    const int64_t width = beyond(original.widthPixels, size.widthPixels);
    return {beyond(original.heightPixels, size.heightPixels) / 2, (width + (mirrored ? 1 : 0)) / 2};
}

int64_t bucketMultiple(int64_t vaeDownscale, size_t unetLevels) {
    return vaeDownscale << (unetLevels - 1);
}

} // namespace homebooth::core

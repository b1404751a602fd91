// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/start_size.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace homebooth::core {
namespace {

/// @param modelSide  pixels of a side of the model's area. @param multiple  pixels that sides are
/// multiples of
PictureSize startSize(PictureSize start, PictureSize asked, int64_t modelSide, int64_t multiple) {
    const auto width = static_cast<double>(start.widthPixels);
    const auto height = static_cast<double>(start.heightPixels);
    double scale = std::min(1.0, static_cast<double>(modelSide) / std::sqrt(width * height));
    if (asked.widthPixels > 0) scale = static_cast<double>(asked.widthPixels) / width;
    if (asked.heightPixels > 0) scale = static_cast<double>(asked.heightPixels) / height;
    const auto side = [&](double pixels, int64_t wanted) {
        if (wanted > 0) return wanted;
        const int64_t steps = std::llround(pixels * scale / static_cast<double>(multiple));
        return std::max<int64_t>(steps, 1) * multiple;
    };
    return {side(width, asked.widthPixels), side(height, asked.heightPixels)};
}

std::string inWords(PictureSize size) {
    return std::to_string(size.widthPixels) + " x " + std::to_string(size.heightPixels);
}

Error tooLong(const SampleConfig& asked, PictureSize start, PictureSize size) {
    const bool width = asked.widthPixels > 0;
    const bool none = !width && asked.heightPixels == 0;
    return {ErrorCode::Usage,
            "expected pictures whose sides have at most " + std::to_string(kMostSidePixels) +
                " pixels, found " + inWords(size) + ", as the picture to start from is " + inWords(start) +
                (none    ? "; name --width and --height, and it is cut to that shape"
                 : width ? "; name a smaller one, or --height, too, and it is cut to that shape"
                         : "; name a smaller one, or --width, too, and it is cut to that shape"),
            none    ? "--init"
            : width ? "--width"
                    : "--height"};
}

} // namespace

int64_t ownSidePixels(const UNetConfig& unet, const VaeConfig& vae) {
    return unet.sampleSize > 0 ? unet.sampleSize * vae.downscale() : vae.sampleSize;
}

Result<SampleConfig> withStartSize(SampleConfig config, PictureSize start, const ModelSource& model) {
    const PictureSize size = startSize(start, {config.widthPixels, config.heightPixels},
                                       ownSidePixels(model.unet, model.vae), model.vae.downscale());
    if (std::max(size.widthPixels, size.heightPixels) > kMostSidePixels) return tooLong(config, start, size);
    config.widthPixels = size.widthPixels;
    config.heightPixels = size.heightPixels;
    return config;
}

} // namespace homebooth::core

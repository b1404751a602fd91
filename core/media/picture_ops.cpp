// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_ops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace homebooth::core {
namespace {

cv::Mat matOf(const Picture& picture) {
    return cv::Mat(static_cast<int>(picture.heightPixels), static_cast<int>(picture.widthPixels), CV_8UC3,
                   const_cast<uint8_t*>(picture.rgb.data()));
}

Picture blank(int64_t width, int64_t height) {
    return Picture{width, height, std::vector<uint8_t>(static_cast<size_t>(width * height * 3))};
}

} // namespace

PictureRegion centreRegion(const Picture& picture, int64_t width, int64_t height) {
    assert(!picture.empty() && width >= 1 && height >= 1);
    const double scale = std::min(static_cast<double>(picture.widthPixels) / static_cast<double>(width),
                                  static_cast<double>(picture.heightPixels) / static_cast<double>(height));
    const auto side = [scale](int64_t wanted, int64_t available) {
        return std::clamp<int64_t>(std::llround(static_cast<double>(wanted) * scale), 1, available);
    };
    PictureRegion region;
    region.widthPixels = side(width, picture.widthPixels);
    region.heightPixels = side(height, picture.heightPixels);
    region.leftPixels = (picture.widthPixels - region.widthPixels) / 2;
    region.topPixels = (picture.heightPixels - region.heightPixels) / 2;
    return region;
}

Picture resizeRegion(const Picture& picture, const PictureRegion& region, int64_t width, int64_t height) {
    assert(!picture.empty() && width >= 1 && height >= 1);
    const int64_t left = std::clamp<int64_t>(region.leftPixels, 0, picture.widthPixels - 1);
    const int64_t top = std::clamp<int64_t>(region.topPixels, 0, picture.heightPixels - 1);
    const int64_t fromWidth = std::clamp<int64_t>(region.widthPixels, 1, picture.widthPixels - left);
    const int64_t fromHeight = std::clamp<int64_t>(region.heightPixels, 1, picture.heightPixels - top);
    Picture out = blank(width, height);
    cv::Mat to = matOf(out);
    const cv::Mat from = matOf(picture)(cv::Rect(static_cast<int>(left), static_cast<int>(top),
                                                 static_cast<int>(fromWidth), static_cast<int>(fromHeight)));
    const bool same = fromWidth == width && fromHeight == height;
    const bool shrinks = fromWidth >= width && fromHeight >= height;
    if (same) {
        from.copyTo(to);
    } else {
        // Lanczos rings at hard edges, which a small model learns as a halo; cubic does so less.
        cv::resize(from, to, to.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_CUBIC);
    }
    return out;
}

Picture resizeAndCrop(const Picture& picture, int64_t width, int64_t height) {
    return resizeRegion(picture, centreRegion(picture, width, height), width, height);
}

Picture mirrored(const Picture& picture) {
    Picture out = blank(picture.widthPixels, picture.heightPixels);
    cv::Mat to = matOf(out);
    cv::flip(matOf(picture), to, 1);
    return out;
}

} // namespace homebooth::core

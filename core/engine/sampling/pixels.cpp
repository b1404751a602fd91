// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/pixels.h"

#include <c10/util/Exception.h>
#include <cstring>

namespace homebooth::core {

at::Tensor pixelsOf(const Picture& picture) {
    TORCH_INTERNAL_ASSERT(!picture.empty());
    at::Tensor bytes = at::empty({1, picture.heightPixels, picture.widthPixels, 3}, at::kByte);
    std::memcpy(bytes.data_ptr<uint8_t>(), picture.rgb.data(), picture.rgb.size());
    return (2.0 * (bytes.to(at::kFloat) / 255.0) - 1.0).permute({0, 3, 1, 2}).contiguous();
}

at::Tensor scaledPixels(const at::Tensor& pixels, int64_t widthPixels, int64_t heightPixels) {
    if (pixels.size(2) == heightPixels && pixels.size(3) == widthPixels) return pixels;
    return at::_upsample_bicubic2d_aa(pixels, {heightPixels, widthPixels}, false).clamp(-1.0, 1.0);
}

std::vector<Picture> picturesOf(const at::Tensor& pixels) {
    const at::Tensor unit = (pixels.to(at::kCPU, at::kFloat) / 2 + 0.5).clamp(0.0, 1.0);
    const at::Tensor bytes = (unit * 255.0).round().to(at::kByte).permute({0, 2, 3, 1}).contiguous();
    std::vector<Picture> pictures;
    for (int64_t index = 0; index < bytes.size(0); ++index) {
        const at::Tensor one = bytes[index];
        Picture picture;
        picture.heightPixels = one.size(0);
        picture.widthPixels = one.size(1);
        picture.rgb.assign(one.const_data_ptr<uint8_t>(), one.const_data_ptr<uint8_t>() + one.numel());
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

} // namespace homebooth::core

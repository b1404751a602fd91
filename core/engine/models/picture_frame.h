// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What SDXL's UNet is told of a picture besides text. Plain values; any thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace homebooth::core {

/// The size that a picture had, the corner of the part that was cut out of it after scaling, and the size of
/// that part. Pixels.
struct PictureFrame {
    int64_t originalHeight = 0;
    int64_t originalWidth = 0;
    int64_t top = 0;
    int64_t left = 0;
    int64_t height = 0;
    int64_t width = 0;
};

/// Shapes: [UNetConfig::kTimeIds] fp32, in the order of PictureFrame, which is diffusers'
[[nodiscard]] at::Tensor timeIdsOf(const PictureFrame& frame);

} // namespace homebooth::core

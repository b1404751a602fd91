// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/picture_frame.h"

#include <ATen/ATen.h>

namespace homebooth::core {

at::Tensor timeIdsOf(const PictureFrame& frame) {
    return at::tensor(
               {frame.originalHeight, frame.originalWidth, frame.top, frame.left, frame.height, frame.width},
               at::kLong)
        .to(at::kFloat);
}

} // namespace homebooth::core

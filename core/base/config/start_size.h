// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of pictures that begin with another one (img2img), of which the user may have named both
// sides, one or none: what is planned for, and what is made. Pure functions; any thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/model_source.h"
#include "core/base/util/picture_size.h"
#include "core/base/util/result.h"

namespace homebooth::core {

constexpr int64_t kMostSidePixels = 8192; ///< of pictures that are made

/// The side of a model's own pictures, in pixels.
[[nodiscard]] int64_t ownSidePixels(const UNetConfig& unet, const VaeConfig& vae);

/// Settings with the size that pictures will have. Where one side was named, the other one is as the
/// picture's shape has it; where none was, the picture is made smaller to the area that the model was
/// made for: a photo's own millions of pixels would fit nowhere.
/// @param start  upright size of the picture to begin with
/// Errors: Usage for a side above kMostSidePixels, naming the option that leads to it
[[nodiscard]] Result<SampleConfig> withStartSize(SampleConfig config, PictureSize start,
                                                 const ModelSource& model);

} // namespace homebooth::core

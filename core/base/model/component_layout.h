// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a model's components as files hold them: names of diffusers and transformers, in the
// order of the schedules. Stateless; any thread.
#pragma once

#include "core/base/model/configs/clip_config.h"
#include "core/base/model/configs/unet_config.h"
#include "core/base/model/configs/vae_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct LayoutEntry {
    std::string name; ///< "down_blocks.0.resnets.0.conv1.weight"
    std::vector<int64_t> shape;
};
using ComponentLayout = std::vector<LayoutEntry>;

[[nodiscard]] ComponentLayout unetLayout(const UNetConfig& config);
/// Encoder, then decoder.
[[nodiscard]] ComponentLayout vaeLayout(const VaeConfig& config);
[[nodiscard]] ComponentLayout textEncoderLayout(const ClipConfig& config);
/// Likewise with the text projection, of SDXL's second one.
[[nodiscard]] ComponentLayout projectingTextEncoderLayout(const ClipConfig& config);

} // namespace homebooth::core

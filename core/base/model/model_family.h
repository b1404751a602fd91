// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The families of Stable Diffusion and what their original releases are configured as.
// Plain values; any thread.
#pragma once

#include "core/base/model/configs/clip_config.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/model/configs/unet_config.h"
#include "core/base/model/configs/vae_config.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Other: a Stable Diffusion of no published size, laid out like SD 1.x.
enum class ModelFamily { StableDiffusion1, StableDiffusion2, StableDiffusionXl, Other };

/// "SD 1.x", for people.
[[nodiscard]] std::string_view familyName(ModelFamily family);

/// The name for `modelspec.architecture`, e.g. "stable-diffusion-v2-768-v"; empty for Other.
[[nodiscard]] std::string architectureName(ModelFamily family, PredictionType prediction);

/// The family that these configurations belong to, by what single-file loaders look at: whether the UNet
/// takes pooled text, the width of the text that it takes, and its first block.
[[nodiscard]] ModelFamily familyOf(const UNetConfig& unet);

/// Whether single files of this text encoder use OpenCLIP's names (SD 2.x) rather than transformers'.
[[nodiscard]] bool usesOpenClipNames(const ClipConfig& textEncoder);

/// The configurations of an original release. Defined for SD 1.x, SD 2.x and SDXL.
struct FamilyConfigs {
    UNetConfig unet;
    VaeConfig vae;
    ClipConfig textEncoder;
    std::optional<ClipConfig> secondTextEncoder; ///< of SDXL
};
[[nodiscard]] FamilyConfigs originalConfigs(ModelFamily family, PredictionType prediction);

/// The scheduler of an original release: for single files, which carry none.
[[nodiscard]] SchedulerConfig originalScheduler(ModelFamily family, PredictionType prediction);

/// The prediction type that a file's metadata names (modelspec, kohya's ss_ keys), or nothing.
[[nodiscard]] std::optional<PredictionType>
predictionTypeOfMetadata(const std::map<std::string, std::string>& metadata);

} // namespace homebooth::core

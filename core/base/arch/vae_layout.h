// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two halves of a variational autoencoder as schedules of blocks, with the names of diffusers.
// Value sizes are relative to the picture: in the decoder, too, downscale 1 means picture size.
#pragma once

#include "core/base/model/configs/vae_config.h"
#include "core/base/schedule/schedule.h"

namespace homebooth::core {

/// Lays the encoder out, quant_conv included.
/// Input:  pixels [B, inChannels, H, W] in -1..1
/// Output: moments [B, 2 * latentChannels, H / f, W / f]: mean, then logarithm of the variance
[[nodiscard]] Schedule vaeEncoderSchedule(const VaeConfig& config);

/// Lays the decoder out, post_quant_conv included.
/// Input:  latents [B, latentChannels, h, w], already divided by the scaling factor
/// Output: pixels [B, outChannels, h * f, w * f]
[[nodiscard]] Schedule vaeDecoderSchedule(const VaeConfig& config);

} // namespace homebooth::core

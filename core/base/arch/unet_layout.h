// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A UNet as a schedule of blocks, in execution order, with the parameter names and shapes of diffusers.
#pragma once

#include "core/base/model/configs/unet_config.h"
#include "core/base/schedule/schedule.h"

namespace homebooth::core {

/// Lays a UNet out.
/// Inputs:  sample [B, inChannels, H, W], timestep [B] (integer or real), context [B, T, crossAttentionDim];
///          with textTimeEmbedding also pooled text [B, D] and time ids [B, N]
/// Output:  prediction [B, outChannels, H, W]
/// Blocks:  conv_in, time embedding, each resnet, each transformer (split by layer where it has several),
///          each sampler, head. Skip connections are values; an up resnet joins its skip itself.
[[nodiscard]] Schedule unetSchedule(const UNetConfig& config);

} // namespace homebooth::core

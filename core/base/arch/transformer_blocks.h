// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Specifications of a spatial transformer (Transformer2DModel): whole, or split by layer.
#pragma once

#include "core/base/schedule/schedule.h"

#include <string>

namespace homebooth::core {

struct TransformerOptions {
    int64_t channels = 0;
    int64_t contextChannels = 0;
    int64_t heads = 1;
    int64_t layers = 1;
    int64_t groups = 32;
    int64_t downscale = 1; ///< of the value it works on
    bool linearProjection = false;
    bool upcastAttention = false;
};

/// Appends a transformer to `schedule`: one block, or three kinds of blocks where it has several layers, so
/// that no block holds many times the parameters of the others.
/// @param hidden   value [B, channels, H, W]
/// @param context  value [B, T, contextChannels]
/// @returns        value [B, channels, H, W]
ValueId appendTransformer(Schedule& schedule, const std::string& name, const TransformerOptions& options,
                          ValueId hidden, ValueId context);

} // namespace homebooth::core

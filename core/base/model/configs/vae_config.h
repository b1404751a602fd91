// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a variational autoencoder, as diffusers' AutoencoderKL writes it (vae/config.json).
// Plain values.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// Defaults are those of the class in diffusers: what a missing key means.
struct VaeConfig {
    int64_t inChannels = 3;
    int64_t outChannels = 3;
    int64_t latentChannels = 4;
    std::vector<int64_t> blockOutChannels{64};
    int64_t layersPerBlock = 1; ///< resnets of an encoder stage; decoder stages have one more
    std::string activation = "silu";
    int64_t normGroups = 32;
    int64_t sampleSize = 32; ///< side in pixels
    double scalingFactor = 0.18215;
    std::optional<double> shiftFactor;
    bool forceUpcast = true; ///< it overflows in fp16, so run it in a wider type
    bool useQuantConv = true;
    bool usePostQuantConv = true;
    bool midBlockAttention = true;

    /// Pixels for each latent, along a side.
    [[nodiscard]] int64_t downscale() const { return int64_t{1} << (blockOutChannels.size() - 1); }

    /// Parses the text of a config.json.
    /// Errors: BadInput; the message lists every key that cannot be used, what it holds and what would do.
    static Result<VaeConfig> fromJson(std::string_view text);
    /// The text of a config.json that diffusers loads.
    [[nodiscard]] std::string toJson() const;
};

} // namespace homebooth::core

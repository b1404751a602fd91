// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Specifications of the blocks that the UNet and the autoencoder share. Kinds and attributes are read by
// core/engine/models.
#pragma once

#include "core/base/schedule/schedule.h"

#include <string>

namespace homebooth::core {

struct ResnetOptions {
    int64_t in = 0; ///< channels of the input, a joined skip included
    int64_t out = 0;
    int64_t timeChannels = 0; ///< 0: no time embedding
    int64_t groups = 32;
    double epsilon = 1e-5;
    double outputScale = 1.0; ///< the sum of both branches is divided by it
    bool joinsSkip = false;   ///< the second input is joined to the first along the channels
    bool scaleShift = false;
    std::string activation = "silu";
};

/// Inputs: hidden, [skip], [time embedding]. Output: hidden.
[[nodiscard]] BlockSpec resnetBlock(const std::string& name, const ResnetOptions& options);

/// A single convolution with "same" padding and stride 1. `name` is the convolution's own key.
[[nodiscard]] BlockSpec convolutionBlock(const std::string& name, int64_t in, int64_t out, int64_t kernel);

/// A 3x3 convolution of stride 2; padding 0 pads one row and column at the far end instead.
[[nodiscard]] BlockSpec downsampleBlock(const std::string& name, int64_t channels, int64_t padding);

/// Nearest-neighbour doubling, or to the size of the second input, then a 3x3 convolution.
[[nodiscard]] BlockSpec upsampleBlock(const std::string& name, int64_t channels, bool sizeFromInput);

/// Norm, activation, convolution: `prefix`.conv_norm_out and `prefix`.conv_out.
[[nodiscard]] BlockSpec headBlock(const std::string& prefix, int64_t in, int64_t out, int64_t kernel,
                                  int64_t groups, double epsilon, const std::string& activation);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that texts of a language model were asked for. Plain values.
#pragma once

#include "core/base/config/sample_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct GenerateConfig {
    std::string model;
    std::vector<LoraReference> loras; ///< folders
    std::string prompt;
    int64_t tokens = 200;     ///< of each text, at most
    double temperature = 0.8; ///< 0: always the likeliest token
    int64_t topK = 0;         ///< choose among so many; 0: among all
    double topP = 0.95;       ///< choose among the likeliest that have this share together
    double repetitionPenalty = 1.0;
    uint64_t seed = 0; ///< text i uses seed + i
    int64_t count = 1;
    std::string stop; ///< a text ends before this; empty: nothing
    Precision precision = Precision::Fp32;
    Quantization quantization = Quantization::None; ///< not W8A8
    ComputeDevice device = ComputeDevice::Auto;
    PlacementPolicy policy = PlacementPolicy::Auto;
    int64_t deviceBytes = 0; ///< of the GPU; 0: what is free. On the CPU host memory then stands for one
    int64_t threads = 0;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What `bench` was asked for. Plain values.
#pragma once

#include "core/base/config/train_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What stays between the forward and the backward pass of a block; the rest is computed again.
enum class KeptActivations : uint8_t { Inputs, Products, Everything, Searched };

struct BenchOptions {
    std::string what;        ///< train, sample or all
    std::string modelConfig; ///< diffusers folder or a language model's; its weights are not read
    Precision precision = Precision::Bf16;
    Quantization quantization = Quantization::None; ///< of weights that do not learn
    OptimizerKind optimizer = OptimizerKind::AdamW;
    StateType states = StateType::Fp32;
    MasterWeights master = MasterWeights::None;
    ComputeDevice device = ComputeDevice::Auto;
    PlacementPolicy policy = PlacementPolicy::Auto;
    TrainMethod method = TrainMethod::Full;
    int64_t loraRank = 16;
    bool trainTextEncoder = false;
    double maxGradientNorm = 0.0; ///< 0: no clipping
    int64_t resolutionPixels = 0; ///< 0: the model's own
    int64_t contextTokens = 0;    ///< of a language model; 0: as many as suit it, none of others
    int64_t batchSize = 1;
    int64_t steps = 3; ///< timed, behind those of the warm-up
    int64_t threads = 0;
    int64_t deviceBytes = 0;         ///< limit of the device tier, where host memory stands for it; 0: none
    int64_t ramBytes = 0;            ///< limit of RAM that a search plans for; 0: what is free
    std::string swapDir;             ///< where optimizer states lie; empty: in memory
    bool swapParameters = false;     ///< the home of streamed parameters, too
    bool updatesOnDevice = false;    ///< states come to the device for their update,
    double shareAtHome = 0.0;        ///< but for so much of what learns, whose gradients go to RAM
    bool valuesInRam = false;        ///< those that are not read soon
    int64_t turnsAhead = 0;          ///< for whose streamed blocks there is room; 0: as usual, two ahead
    double linkBytesPerSecond = 0.0; ///< of the link that is simulated; 0: as fast as the memory
    double linkLatencySeconds = 0.0; ///< of each of its transfers
    bool blocking = false;           ///< computing stands still while something is transferred
    KeptActivations kept = KeptActivations::Products;
    bool json = false;
};

/// Parses the arguments behind "bench". Nothing, with a line on standard error or standard output, when there
/// is nothing to run; `exitCode` says why.
[[nodiscard]] std::optional<BenchOptions> parseBenchOptions(const std::vector<std::string>& arguments,
                                                            int& exitCode);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast this machine computes what a training consists of, measured in a few tenths of a second: each kind
// of product, norms and activations, and the optimizer, on shapes like the model's, since none of them runs
// at a machine's rated speed and each at another part of it. Free functions; one thread (Torch's pool works
// inside). Not during a rehearsal.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/engine/memory/rehearsed_memory.h"

#include <ATen/ATen.h>

#include <array>
#include <functional>

namespace homebooth::core {

/// A result that is written was made of about two that were read.
inline constexpr double kPassesPerResult = 3.0;

struct MachineSpeed {
    std::array<double, kProductKinds>
        multiplyAddsPerSecond{};           ///< by ProductKind, less what memory takes of it
    double bytesPerSecond = 0.0;           ///< of results of norms, activations and sums
    double unpackedBytesPerSecond = 0.0;   ///< read and written, of weights that are made whole
    double secondsPerOperation = 0.0;      ///< that none falls below, however small its tensors are
    double updatedElementsPerSecond = 0.0; ///< by the optimizer, where it computes
    double updatedInRamPerSecond = 0.0;    ///< the same of what is streamed
    bool updatesBeside = false;            ///< what is streamed is updated by others than those that compute
    double linkBytesPerSecond = 0.0;       ///< between the tiers; 0: it takes no time
    double linkBothWaysBytesPerSecond = 0.0; ///< in each direction, both in use; 0: as much as in one alone

    /// The same speed for every kind of product.
    [[nodiscard]] static MachineSpeed uniform(double multiplyAddsPerSecond, double bytesPerSecond,
                                              double secondsPerOperation, double updatedElementsPerSecond);

    [[nodiscard]] double seconds(const RehearsedWork& work) const;
};

/// The best of a few calls after one that warms up: what other programs take of the machine is not its
/// speed. Where they have the processors all the while, what the call works on them.
[[nodiscard]] double leastSeconds(at::Device device, const std::function<void()>& call);

/// Elements a second that the processor updates beside a GPU, measured on more of them than a cache has,
/// as a model has: those in a cache are updated several times as fast as those in RAM. Where that many
/// would take long, on fewer: a processor that is so slow does not wait for its memory.
/// @param type  of parameters and gradients
/// Errors: throws c10::Error where memory is refused (it takes less than 256 MiB)
[[nodiscard]] double updatedInRamPerSecond(const OptimizerConfig& config, at::ScalarType type);

/// @param config  its precision, optimizer, batch and resolution
/// @param model   only its configurations are read
/// Errors: throws c10::Error where LibTorch does, e.g. out of memory (it takes less than 256 MiB)
[[nodiscard]] MachineSpeed measureSpeed(at::Device device, const TrainConfig& config,
                                        const ModelSource& model);

} // namespace homebooth::core

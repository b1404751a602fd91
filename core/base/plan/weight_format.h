// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan says of the format of the weights beside a LoRA. The format is the user's: a plan tells what
// int8 spares, or proposes it, and never takes it by itself. And what it advises, that format among it, where
// there is no room for a training. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/event.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <string>

namespace homebooth::core {

/// Decisions that tell what int8 spares, and what it would.
inline constexpr const char* kWeightsInt8 = "weights-int8";
inline constexpr const char* kWeightsInt8Proposed = "weights-int8-proposed";

/// Of the weights that int8 is for, bytes.
struct WeightBytes {
    int64_t whole = 0;     ///< in the model's own format
    int64_t quantized = 0; ///< with their scales
};

/// Adds those of a network that learns, as prepareLearning has left it, quantized or not.
void addWeights(const Schedule& network, Precision precision, WeightBytes& sum);

/// What int8 spares, or would where there is no room for all; nothing where it has nothing to do.
/// @param streams  whether parameters lie elsewhere because the device has no room for them
[[nodiscard]] std::optional<PlanDecision> aboutWeights(const TrainConfig& config, const WeightBytes& bytes,
                                                       bool streams);

/// Whether the run has checkpoints, which fit no other precision, method, optimizer or data: what is advised
/// then is what such a run takes.
[[nodiscard]] bool hasCheckpoints(const TrainConfig& config);

/// "raise --gpu-memory, or ", ahead of other advice, where that limit is what binds; else nothing.
/// @param deviceBytes  that may be used
[[nodiscard]] std::string higherDeviceLimit(const MemoryConfig& memory, int64_t deviceBytes);
/// What to do where a training finds no room: "try --precision bf16, ... or close other programs".
/// @param inRam  what computes lies in RAM, of which a disk may hold some
[[nodiscard]] std::string leanerTraining(const TrainConfig& config, bool inRam);
/// The same where RAM beside the device is what lacks.
[[nodiscard]] std::string leanerInRam(const TrainConfig& config);
/// What to do where memory ran out in spite of a plan: a lower limit of the same memory makes another one,
/// which streams more, holds fewer latents or leaves more on the disk.
/// @param gpu    computes; else all memory is RAM
/// @param ofRam  is what ran out, and not the GPU's
[[nodiscard]] std::string planForLess(const TrainConfig& config, bool gpu, bool ofRam);

} // namespace homebooth::core

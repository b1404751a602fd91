// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training will need and why, before anything is loaded. The worker rehearses the step and says what
// it takes (StepNeed); what lies on the disk, the program and the preparation follow from schedules and
// settings. Free functions; any thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/plan/ranks/ram_split.h"
#include "core/base/run/journal/event.h"
#include "core/base/util/result.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What may be used.
struct MachineLimits {
    bool gpu = false;
    int64_t deviceBytes = 0; ///< of the GPU; 0 without one
    int64_t ramBytes = 0;
    RamSplit split = {}; ///< that ramBytes is a part of
};

/// What this machine has, made smaller by the budgets that the user set.
/// Errors: BadInput where a GPU is wanted or may be used and its driver is too old or broken: the CPU
///         never takes its place silently
[[nodiscard]] Result<MachineLimits> machineLimits(const MemoryConfig& memory);
/// What of it is free now, for who places things by that alone: other programs hold the rest of a GPU's
/// memory. @param gpus  by UUID, those of which each does the same; none: the first one
/// Errors: as above
[[nodiscard]] Result<MachineLimits> freeLimits(const MemoryConfig& memory,
                                               const std::vector<std::string>& gpus = {});

/// What each tier holds at its peak, by kind.
struct TierPeaks {
    TierMemory device;
    TierMemory ram; ///< the program and its libraries count as workspace
    TierMemory swap;
};

struct TrainPlan {
    PlanEvent event;
    bool gpu = false; ///< computes; else, where deviceBytes are planned, RAM stands for a device
    TierMemory tier;  ///< of the tier that computes, at the peak of the steps
    TierPeaks peaks;  ///< each sums up to the bytes that the event predicts for its tier
    int64_t swapBytesReadPerStep = 0;
    std::vector<PlanDecision> blocks;  ///< a line each (planned_block.h), where they were asked for
    int64_t checkpointBytes = 0;       ///< of one checkpoint with optimizer states
    int64_t resultBytes = 0;           ///< of all its files
    int64_t largestCheckpointFile = 0; ///< in bytes
    int64_t largestResultFile = 0;
};

/// What a rehearsed step takes of both tiers, and what was decided for it.
struct StepNeed {
    TierMemory device; ///< of the tier that computes, whichever memory that is
    TierMemory ram;    ///< beside it: homes of what is streamed
    TierMemory swap;   ///< what is set aside on the disk of --swap
    double stepSeconds = 0.0;
    int64_t linkBytesPerStep = 0;
    int64_t swapBytes = 0; ///< on the disk of --swap
    int64_t swapBytesWrittenPerStep = 0;
    int64_t swapBytesReadPerStep = 0;
    /// What the budget of the tier that computes leaves beside the steps; none: not known.
    std::optional<int64_t> freeBytes = {};
    /// Beside the steps, for pictures and captions that are encoded ahead of them; none: not decided yet.
    std::optional<int64_t> encodingBytes = {};
    std::vector<PlanDecision> decisions = {};
    std::vector<PlanDecision> blocks = {}; ///< a line each (planned_block.h)
};

/// What encoding takes: the autoencoder's half with one picture, and the text encoders unless they learn.
struct EncodingNeed {
    int64_t pictureBytes = 0;
    int64_t textBytes = 0;
    [[nodiscard]] int64_t bytes() const { return pictureBytes + textBytes; } ///< at the same time
    /// First the pictures, then the captions.
    [[nodiscard]] int64_t mostAtOnceBytes() const { return std::max(pictureBytes, textBytes); }
};
[[nodiscard]] EncodingNeed encodingNeed(const TrainConfig& config, const ModelSource& model);

[[nodiscard]] int64_t totalBytes(const TierMemory& tier); ///< without what is free

/// Whether what the settings want to learn can. Errors: Usage, BadInput: of SDXL, whose text encoders stay as
/// they are
[[nodiscard]] Result<void> checkLearning(const TrainConfig& config, const ModelSource& model);

/// Previews that find no room are told of, and refuse nothing.
/// @param need  from the worker; without it (an autoencoder, which is not rehearsed) sizes are estimated
/// Errors: OutOfResources naming what is needed, what there is, and what to change; BadInput from a LoRA that
///         finds nothing to adapt; those of checkLearning
[[nodiscard]] Result<TrainPlan> planTraining(const TrainConfig& config, const ModelSource& model,
                                             const MachineLimits& limits,
                                             const std::optional<StepNeed>& need = std::nullopt);

} // namespace homebooth::core

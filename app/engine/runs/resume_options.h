// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a run goes on: with more steps, within other limits of memory, swapping elsewhere, at a lower
// learning rate or one that falls no more, without some pictures, in one process, with the processor,
// in bf16, with its model in another place, or saving in another folder.
// Pure functions; any thread.
#pragma once

#include "app/engine/runs/run_data.h"
#include "core/base/config/train_config.h"

#include <optional>
#include <string>

namespace homebooth::app {

struct SwapPlace {
    std::string folder; ///< empty: no swapping
    int64_t bytes = 0;  ///< at the most; 0: no limit
};

struct ResumeOptions {
    int64_t steps = 0; ///< > 0: so many in all
    bool lessMemory = false;
    bool halfRate = false;   ///< of learning
    bool skipBroken = false; ///< go on without pictures that cannot be read
    bool onProcessor = false;
    bool inBf16 = false;                ///< of a run that has saved nothing
    bool unlimited = false;             ///< without limits of memory
    bool alone = false;                 ///< in one process, on whatever card there is
    std::optional<SwapPlace> swap = {}; ///< in place of what the run has
    bool lessRam = false;               ///< with lessMemory: it is RAM that lacks, whatever else it took
    bool steadyRate = false;            ///< as atSteadyRate
    std::string model = {};   ///< where the one that it learns from is now; the engine compares what it is
    std::string savesIn = {}; ///< a folder: what is saved is brought there, and nothing else changes
    [[nodiscard]] bool changes() const {
        return steps > 0 || lessMemory || halfRate || skipBroken || onProcessor || inBf16 || unlimited ||
               alone || swap || steadyRate || !model.empty() || !savesIn.empty();
    }
};

/// The most that a run took of graphics memory and RAM, by its samples and its plan, in bytes.
[[nodiscard]] core::ResourceUse mostUsed(const RunData& data);

/// The same of the memory that ran out alone, where the run failed for want of RAM.
[[nodiscard]] core::ResourceUse mostUsedOfLacking(const RunData& data);

/// Of that, RAM alone.
[[nodiscard]] core::ResourceUse ramAlone(core::ResourceUse use);

/// `config` with a limit a fifth below what was taken (and below a limit that there was): the engine then
/// computes parts twice instead of keeping them. What is learned does not change.
/// @param seen  bytes; where nothing is known no limit is set
[[nodiscard]] core::TrainConfig withLessMemory(core::TrainConfig config, const core::ResourceUse& seen);

/// `config` with half of all learning rates.
[[nodiscard]] core::TrainConfig atHalfRate(core::TrainConfig config);

/// Whether the learning rate falls from step to step, to nothing at the last one.
[[nodiscard]] bool rateFalls(const core::TrainConfig& config);

/// `config` with half of the learning rate in every step from now on, about the mean of one that fell:
/// were it to fall over all steps, those that are added would begin far down and learn next to nothing.
/// One that does not fall stays as it is, and warm-up lies behind.
[[nodiscard]] core::TrainConfig atSteadyRate(core::TrainConfig config);

/// Whether the limit is that low already: the next attempt is planned with less than the last one took.
[[nodiscard]] bool hasLessMemory(const core::TrainConfig& config, const core::ResourceUse& seen);

} // namespace homebooth::app

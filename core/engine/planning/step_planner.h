// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides where a training's parameters lie and what each block keeps for backward: the least time that fits
// into the budget; before it begins, and again when its first steps have been measured. Every decision is
// rehearsed before it is taken, and a fiftieth of the budget held back for what a rehearsal may miss. Chooses
// place and time only, never a number's format, a resolution or a batch. Free function; not two at a time in
// one process.
#pragma once

#include "core/base/plan/ranks/ram_split.h"
#include "core/base/plan/ranks/rank_links.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/step_costs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

struct StepBudget {
    int64_t deviceBytes = 0;  ///< of the tier that computes: what LibTorch may allocate; not above 0: nothing
    int64_t programBytes = 0; ///< that the program takes of the same memory beside it, for messages
    /// Of a second tier, from which parameters can be streamed; none: there is no such tier; not above 0:
    /// nothing is left of it.
    std::optional<int64_t> ramBytes = {};
    bool oneMemory = false;      ///< both tiers lie in one memory: together they may take ramBytes
    bool inRam = false;          ///< what computes has all that there is of RAM for this process,
    RamSplit split = {};         ///< which is a part of the machine's; for messages
    int64_t ramProgramBytes = 0; ///< that the program takes of a second tier of its own, for messages
    int64_t textBytes = 0;       ///< of the program's in RAM, what texts take at most, for messages
    /// The device is a part of the memory of the second tier, which may have what the device does not take.
    bool partOfRam = false;
    /// Of the program's in RAM, what is held all through a training: texts, latents and encoded captions;
    /// for messages.
    int64_t heldBytes = 0;

    /// What the second tier may hold beside steps that take so much of the device; none: there is none.
    [[nodiscard]] std::optional<int64_t> ramBeside(int64_t devicePeakBytes) const {
        if (!ramBytes || !partOfRam) return ramBytes;
        return *ramBytes + std::max<int64_t>(deviceBytes - devicePeakBytes, 0);
    }
};

/// What a rank has to do with the others in a step.
struct PlannedExchange {
    NamedLink link;
    double waitedSeconds = 0.0; ///< of the step: what computing does not hide
    int64_t sentBytes = 0;      ///< by each rank
};

struct StepPlan {
    StepPlacement placement;
    Rehearsal need;           ///< of that placement
    double stepSeconds = 0.0; ///< predicted
    bool measured = false;    ///< from the run's own steps; else from the machine's speed
    int64_t budgetBytes = 0;  ///< of the device, that it was made for
    int64_t recomputed = 0;   ///< blocks that keep their inputs alone,
    int64_t partlyKept = 0;   ///< those that keep the results of costly products, too,
    int64_t wholeGraphs = 0;  ///< and those that keep everything
    /// Predicted for a micro-step, by block as in Rehearsal::blocks.
    std::vector<TurnSeconds> turns = {};
    /// With several ranks, where what lies between them is known: is part of stepSeconds.
    std::optional<PlannedExchange> exchange = {};
};

/// @param config  with the policy that the user set
/// @param model   only its configurations are read
/// Errors: OutOfResources naming the least that would do; those of rehearseStep
[[nodiscard]] Result<StepPlan> planStep(const TrainConfig& config, const ModelSource& model,
                                        const StepBudget& budget, const MachineSpeed& speed);

/// The same again in the middle of a run, from what its steps took. With policy auto blocks may get other
/// homes, but a disk neither comes nor goes. Errors: as above
[[nodiscard]] Result<StepPlan> planAgain(const TrainConfig& config, const ModelSource& model,
                                         const StepBudget& budget, const MachineSpeed& speed,
                                         const MeasuredStep& measured, const StepPlan& current);

/// All blocks alike, whatever the budget; streamed ones keep products at most.
/// @param deviceBytes  of the device, within which gradients may wait there for their way to RAM or their
///                     update, as in other plans; 0: as far as that raises no peak
/// Errors: those of rehearseStep
[[nodiscard]] Result<StepPlan> planAlike(const TrainConfig& config, const ModelSource& model,
                                         const MachineSpeed& speed, KeptForBackward kept,
                                         const StepPlacement& homes, int64_t deviceBytes = 0);

/// The present plan with its step's time predicted from what steps took, and with the room for gradients that
/// helps by those times. @param deviceBytes  as planAlike has it. Errors: those of rehearseStep
[[nodiscard]] Result<StepPlan> timedAgain(const TrainConfig& config, const ModelSource& model,
                                          const MachineSpeed& speed, const MeasuredStep& measured,
                                          const StepPlan& current, int64_t deviceBytes = 0);

/// Which of several plans to take where a later one is better in all but time: the last of those that are
/// about as fast as the fastest (2 %). @param seconds  of their steps, at least one
[[nodiscard]] size_t lastOfFastest(const std::vector<double>& seconds);

/// By block as in Rehearsal::blocks.
[[nodiscard]] std::vector<KeptForBackward> keptOf(const StepPlan& plan);

} // namespace homebooth::core

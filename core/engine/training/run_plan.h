// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How a run's steps are planned as it begins, and what of that its steps go on with. Free functions; one
// thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/run/journal/event.h"
#include "core/engine/data/job_context.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/step_planner.h"

#include <functional>
#include <vector>

namespace homebooth::core {

struct RunPlan {
    UseAtStart atStart;
    HeldPictures pictures; ///< latents and encoded captions that will be held in RAM
    /// What the steps leave for encoding beside them; 0: they were planned without.
    int64_t encodingBytes = 0;
    MachineSpeed speed;
    StepBudget budget; ///< of the steps and of encoding beside them
    StepPlan steps;
};

/// What a run has in memory all through its steps.
struct BesideRun {
    int64_t textBytes = 0; ///< of tokens, which are there already
    /// Ways to hold latents and encoded captions, of which one is chosen; none: there are no such.
    std::vector<HeldPictures> pictures = {};
    EncodingWish encoding = EncodingWish::First;
};

/// Plans for the memory that is free now; nothing is loaded yet but texts. Errors: those of planStep and
/// checkDiskLimit, with as few latents and captions held as may be and all encoded first
[[nodiscard]] Result<RunPlan> planRun(const JobContext& job, const ModelSource& model,
                                      const BesideRun& beside);

/// Plans once more before anything is loaded, with another way to hold latents and captions. Errors: as above
[[nodiscard]] Result<RunPlan> planAgainHolding(const JobContext& job, const ModelSource& model, RunPlan run,
                                               const HeldPictures& way);

/// The memory that steps may be planned for now, of a run that began so.
[[nodiscard]] StepBudget budgetOfSteps(const JobContext& job, const RunPlan& run);

/// Adds what several ranks have to do with each other in a step, over the link that was measured as they met.
void addExchangeOfRanks(const JobContext& job, RunPlan& run);

/// What planned steps need of a run, borrowed.
struct PlannedRun {
    const ModelSource& source;
    const RunPlan& plan;
    /// What the plan leaves beside the steps for encoding, now.
    std::function<int64_t()> encodingBytes = [] { return int64_t{0}; };
    /// Gives some of what is held beside the steps up, which the plan then says; false: there is no more.
    std::function<bool()> holdFewer = [] { return false; };
    /// Of what was given up so, what the next part takes that can be had again; 0: there is none.
    std::function<int64_t()> givenUpBytes = [] { return int64_t{0}; };
    /// Holds that part again, which the plan then says.
    std::function<void()> holdMore = [] {};
    /// What else its plans tell, beside how memory is shared out.
    std::vector<PlanDecision> decisions = {};
};

} // namespace homebooth::core

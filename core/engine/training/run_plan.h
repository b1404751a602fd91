// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How a run's steps are planned as it begins, and what of that its steps go on with. Free functions; one
// thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/engine/data/job_context.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/step_planner.h"

#include <functional>

namespace homebooth::core {

struct RunPlan {
    UseAtStart atStart;
    int64_t pictureBytes = 0; ///< that latents and encoded captions will take in RAM
    MachineSpeed speed;
    StepBudget budget; ///< that the steps were planned for
    StepPlan steps;
};

/// What a run holds in RAM all through its steps.
struct HeldInRam {
    int64_t textBytes = 0;    ///< of tokens, which are there already
    int64_t pictureBytes = 0; ///< of latents and encoded captions, which will be
};

/// Plans for the memory that is free now; nothing is loaded yet but texts. Errors: those of planStep
[[nodiscard]] Result<RunPlan> planRun(const JobContext& job, const ModelSource& model, const HeldInRam& held);

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
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How a run's steps are planned as it begins, and what of that its steps go on with. Free functions; one
// thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/engine/data/job_context.h"
#include "core/engine/memory/tier_room.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/step_planner.h"

#include <functional>

namespace homebooth::core {

struct RunPlan {
    TierRoom roomAtStart; ///< of the memory that computes, before anything was loaded
    MachineSpeed speed;
    StepBudget budget; ///< that the steps were planned for
    StepPlan steps;
    int64_t textBytes = 0; ///< that tokens take in RAM
};

/// Plans for the memory that is free now; nothing is loaded yet but texts. Errors: those of planStep
/// @param textBytes  that tokens take in RAM already
[[nodiscard]] Result<RunPlan> planRun(const JobContext& job, const ModelSource& model, int64_t textBytes = 0);

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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Carries a run's steps out as planned, and on where the plan does not hold: follows what steps really take,
// and repeats a step for which memory ran out before anything was updated. What changes is said in the
// journal. Borrows job, run and learner. One thread.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/planning/step_tuner.h"
#include "core/engine/training/run_plan.h"
#include "core/engine/training/trainee.h"

#include <functional>

namespace homebooth::core {

class PlannedSteps {
public:
    /// @param learner  placed as the run's plan says
    PlannedSteps(const JobContext& job, PlannedRun run, Learner& learner);

    /// @param asPlanned  whether its pictures have the size that was planned for; of smaller ones what a step
    ///                   takes says nothing about the plan
    /// @param compute    one whole step; the same one when it is called again
    /// Errors: throws what `compute` throws; out of memory only where nothing is left to give up, or after
    ///         the first update
    [[nodiscard]] StepReport run(int64_t step, bool asPlanned, const std::function<StepReport()>& compute);

    [[nodiscard]] const StepPlan& plan() const { return m_tuner.plan(); }

private:
    [[nodiscard]] StepReport attempt(int64_t step, const std::function<StepReport()>& compute);
    /// @param needed  bytes of the plan that did not hold
    void planLower(int64_t step, int64_t needed);
    void warn(int64_t step, const MemoryShortage& shortage);
    void tell(const PlanDecision& why);

    const JobContext& m_job;
    PlannedRun m_run;
    Learner& m_learner;
    StepTuner m_tuner;
};

} // namespace homebooth::core

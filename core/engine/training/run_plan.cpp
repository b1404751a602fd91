// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/run_plan.h"

#include "core/engine/planning/rank_exchange.h"

namespace homebooth::core {

StepBudget budgetOfSteps(const JobContext& job, const RunPlan& run) {
    const StepBudget budget =
        stepBudgetOfRun(job.options.device, job.config.memory, run.atStart, job.ranks().onThisMachine());
    return withinRam(besideHeld(budget, run.pictureBytes), job.options.ramTierBytes);
}

Result<RunPlan> planRun(const JobContext& job, const ModelSource& model, const HeldInRam& held) {
    const at::Device device = job.options.device;
    RunPlan run;
    run.atStart.deviceBytes = roomOn(device).usedBytes;
    run.speed = measureSpeed(device, job.config, model);
    run.atStart.ramBytes = roomOn(at::kCPU).usedBytes; // with libraries that were loaded for that
    run.atStart.textBytes = held.textBytes;
    run.pictureBytes = held.pictureBytes;
    run.budget = budgetOfSteps(job, run);
    HOMEBOOTH_ASSIGN(run.steps, planStep(job.config, model, run.budget, run.speed));
    return run;
}

void addExchangeOfRanks(const JobContext& job, RunPlan& run) {
    if (const auto& link = job.ranks().link())
        addExchange({kMeasuredAsRanksMet, *link}, job.config, run.speed, run.steps);
}

} // namespace homebooth::core

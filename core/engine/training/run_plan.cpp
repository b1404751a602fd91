// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/run_plan.h"

#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/rank_exchange.h"

namespace homebooth::core {

Result<RunPlan> planRun(const JobContext& job, const ModelSource& model, int64_t textBytes) {
    const at::Device device = job.options.device;
    RunPlan run;
    run.roomAtStart = roomOn(device);
    run.speed = measureSpeed(device, job.config, model);
    run.budget = withinRam(stepBudget(device, job.config.memory, job.ranks().onThisMachine()),
                           job.options.ramTierBytes);
    run.textBytes = run.budget.textBytes = textBytes;
    HOMEBOOTH_ASSIGN(run.steps, planStep(job.config, model, run.budget, run.speed));
    return run;
}

void addExchangeOfRanks(const JobContext& job, RunPlan& run) {
    if (const auto& link = job.ranks().link())
        addExchange({kMeasuredAsRanksMet, *link}, job.config, run.speed, run.steps);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/run_plan.h"

#include "core/engine/parallel/rank_disk.h"
#include "core/engine/planning/held_room.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_exchange.h"

#include <utility>

namespace homebooth::core {

StepBudget budgetOfSteps(const JobContext& job, const RunPlan& run) {
    const StepBudget budget =
        stepBudgetOfRun(job.options.device, job.config.memory, run.atStart, job.ranks().onThisMachine());
    return besideHeld(withinRam(budget, job.options.ramTierBytes), run.pictures.bytes);
}

Result<RunPlan> planRun(const JobContext& job, const ModelSource& model, const BesideRun& beside) {
    const at::Device device = job.options.device;
    const bool gpu = !device.is_cpu();
    RunPlan begun;
    begun.atStart.deviceBytes = roomOn(device).usedBytes;
    begun.speed = measureSpeed(device, job.config, model);
    begun.atStart.ramBytes = roomOn(at::kCPU).usedBytes; // with libraries that were loaded for that
    begun.atStart.textBytes = beside.textBytes;
    std::vector<HeldPictures> ways = beside.pictures;
    if (ways.empty()) ways.emplace_back();
    BesideSearch<RunPlan> search;
    search.plan = [&](const BesideSteps& steps) {
        RunPlan run = begun;
        run.encodingBytes = steps.encodingBytes;
        return planAgainHolding(job, model, std::move(run), steps.pictures);
    };
    search.hasRoom = [&](const RunPlan& run) {
        StepNeed need = stepNeedOf(job.config, run.steps, kThisMachine);
        need.encodingBytes = run.encodingBytes;
        return hasRoomBeside(job.config, model, std::move(need), run.pictures.bytes, gpu,
                             ramOfRun(run.budget, gpu));
    };
    search.stepSeconds = [](const RunPlan& run) { return run.steps.stepSeconds; };
    search.disk = [&job](const RunPlan& run) {
        return diskTrafficOf(stepNeedOf(job.config, run.steps, kThisMachine), run.pictures);
    };
    return planBeside(ways, beside.encoding, encodingNeed(job.config, model).bytes(), search);
}

Result<RunPlan> planAgainHolding(const JobContext& job, const ModelSource& model, RunPlan run,
                                 const HeldPictures& way) {
    run.pictures = way;
    run.budget = budgetOfSteps(job, run);
    const StepBudget left =
        budgetBeside(run.budget, run.encodingBytes, job.options.device, job.config.memory);
    HOMEBOOTH_ASSIGN(run.steps, planStep(job.config, model, left, run.speed));
    HOMEBOOTH_CHECK(checkDiskLimit(job.config.memory, job.ranks(), run.steps.need.fileBytes()));
    return run;
}

void addExchangeOfRanks(const JobContext& job, RunPlan& run) {
    if (const auto& link = job.ranks().link())
        addExchange({kMeasuredAsRanksMet, *link}, job.config, run.speed, run.steps);
}

} // namespace homebooth::core

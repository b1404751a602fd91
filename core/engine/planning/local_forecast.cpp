// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/local_forecast.h"

#include "core/base/config/parallel_check.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_exchange.h"
#include "core/engine/planning/stage_report.h"

#include <utility>

namespace homebooth::core {
namespace {

TrainConfig configOf(const LocalRequest& request, int64_t zero) {
    TrainConfig config = request.config;
    config.parallel.zero = zero;
    return config;
}

Result<StepPlan> planOf(const LocalRequest& request, int64_t zero) {
    const TrainConfig config = configOf(request, zero);
    HOMEBOOTH_CHECK(checkParallel(config));
    return planStep(config, request.model, request.budget, request.speed);
}

/// The need of the own stage with what all of them would take.
Result<StepNeed> needWithStages(const LocalRequest& request) {
    const TrainConfig& config = request.config;
    const std::vector<StageForecast> stages = forecastStages(request);
    HOMEBOOTH_ASSIGN(StepPlan plan, chosenOf(stages, config.parallel.zero));
    plan.exchange = exchangeOf(request.link, stages[static_cast<size_t>(config.parallel.zero)].step);
    StepNeed need = stepNeedOf(config, plan, kThisMachine);
    // In host memory alone there is one place for parameters.
    const StageWords words{request.gpu ? "GPU" : "process", request.budget.ramBytes.has_value()};
    for (const StageForecast& stage : stages)
        need.decisions.push_back(aboutStage(configOf(request, stage.zero), stage, words));
    if (const StageForecast* best = bestStage(stages)) need.decisions.push_back(aboutBest(*best, words));
    return need;
}

} // namespace

std::vector<StageForecast> forecastStages(const LocalRequest& request) {
    return forecastStages([&](int64_t zero) { return planOf(request, zero); },
                          [&](const StepPlan& plan, int64_t zero) {
                              return stepOfRanks(request.link.link, configOf(request, zero), request.speed,
                                                 plan);
                          });
}

Result<StepNeed> forecastNeed(const LocalRequest& request, bool stages) {
    if (stages) return needWithStages(request);
    HOMEBOOTH_ASSIGN(StepPlan plan, planOf(request, request.config.parallel.zero));
    addExchange(request.link, request.config, request.speed, plan);
    return stepNeedOf(request.config, plan, kThisMachine);
}

} // namespace homebooth::core

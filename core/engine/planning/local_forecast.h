// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training in several processes on this machine would need and take: a rank's step is rehearsed and
// planned for this machine's memory and speed, and what goes between the ranks is simulated beside it
// (rank_exchange). Free functions; not two at a time in one process.
#pragma once

#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/rank_forecast.h"

#include <vector>

namespace homebooth::core {

/// What is asked, borrowed.
struct LocalRequest {
    const TrainConfig& config; ///< with its processes and --zero
    const ModelSource& model;  ///< only its configurations are read
    const MachineSpeed& speed; ///< of a rank's device, with its share of the cores
    StepBudget budget;         ///< of a rank
    NamedLink link;            ///< between the ranks; without a rate what they send takes no time
    bool gpu = false;
};

/// By stage, 0 to 3.
[[nodiscard]] std::vector<StageForecast> forecastStages(const LocalRequest& request);

/// The need of the request's own stage. @param stages  with what others would take and the one to choose
/// among its decisions
/// Errors: those of planStep and checkParallel; with `stages` naming one that would do
[[nodiscard]] Result<StepNeed> forecastNeed(const LocalRequest& request, bool stages);

} // namespace homebooth::core

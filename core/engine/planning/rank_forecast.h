// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training on several cards that are not at hand would need and take: each rank's step is rehearsed
// and planned like that of one card, and what goes over the links is simulated beside it (base/plan/
// rank_simulation). Nothing of this was ever compared with such machines, and no training was ever run on
// several GPUs; every forecast says both. Free functions; not two at a time in one process.
#pragma once

#include "core/base/plan/ranks/rank_simulation.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/card_speed.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What is asked, borrowed.
struct RankRequest {
    const TrainConfig& config; ///< with its processes and --zero
    const ModelSource& model;  ///< only its configurations are read
    const CardInMachine& card; ///< all are of its kind
    const MachineSpeed& speed; ///< of that card
    int64_t ramBytes = 0;      ///< of a machine, for all of its cards
    int64_t textBytes = 0;     ///< of that, what texts take for each of them,
    int64_t pictureBytes = 0;  ///< or latents and encoded captions
    int64_t encodingBytes = 0; ///< of each card, what encoding beside the steps takes
};

/// A rank's step where so many train together: each has as many pictures as each of the request's ranks.
/// Errors: those of planStep and checkParallel
[[nodiscard]] Result<StepPlan> planOfRank(const RankRequest& request, int64_t ranks, int64_t zero);

/// A planned step as what several ranks do.
/// @param config  that it was planned for, but for the number of processes
/// @param zero    as ParallelConfig::zero
[[nodiscard]] RankSchedule rankScheduleOf(const TrainConfig& config, const StepPlan& plan,
                                          const MachineSpeed& speed, int64_t zero);

/// One stage of --zero for the request's ranks.
struct StageForecast {
    int64_t zero = 0;
    std::optional<StepPlan> plan; ///< none: it is refused
    RankedStep step;              ///< over NVLink or the card's own bus, and 100 Gb/s between machines
    Error refusal;
};

/// By stage, 0 to 3. @param planOf, stepOf  of a stage
[[nodiscard]] std::vector<StageForecast>
forecastStages(const std::function<Result<StepPlan>(int64_t zero)>& planOf,
               const std::function<RankedStep(const StepPlan& plan, int64_t zero)>& stepOf);
/// The same of the request's ranks.
[[nodiscard]] std::vector<StageForecast> forecastStages(const RankRequest& request);

/// The least stage that is about as fast as the fastest; null where none fits.
[[nodiscard]] const StageForecast* bestStage(const std::vector<StageForecast>& stages);

/// The plan of a stage, with the time of a step that all ranks make. Errors: why it is refused, naming a
/// stage that would do
[[nodiscard]] Result<StepPlan> chosenOf(const std::vector<StageForecast>& stages, int64_t zero);

/// The need of the request's own stage, with what other stages would take and the one to choose among its
/// decisions; of one rank the plain plan's. Errors: as planOfRank, naming a stage that would do
/// @param scaling  with a table for more and fewer cards (base/plan/ranks/scaling_table)
[[nodiscard]] Result<StepNeed> forecastNeed(const RankRequest& request, bool scaling);

} // namespace homebooth::core

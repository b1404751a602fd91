// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the step of one rank takes longer because others step with it: collectives over the link between
// them, as far as computing does not hide them (base/plan/ranks/rank_simulation). Free functions; any thread.
#pragma once

#include "core/base/plan/ranks/rank_simulation.h"
#include "core/base/run/journal/event.h"
#include "core/engine/planning/step_planner.h"

namespace homebooth::core {

/// Where the link's figures come from in a training.
constexpr const char* kMeasuredAsRanksMet = "measured between them as they met";

/// Simulated. @param plan  with the step of one rank alone, as planners make it
[[nodiscard]] RankedStep stepOfRanks(const RankLink& link, const TrainConfig& config,
                                     const MachineSpeed& speed, const StepPlan& plan);
[[nodiscard]] PlannedExchange exchangeOf(const NamedLink& link, const RankedStep& step);

/// Makes the plan's step that of all ranks together.
void addExchange(const NamedLink& link, const TrainConfig& config, const MachineSpeed& speed, StepPlan& plan);

/// A line of the plan. @param measured  what was waited is the first steps' own
[[nodiscard]] PlanDecision aboutExchange(const PlannedExchange& exchange, bool measured);

} // namespace homebooth::core

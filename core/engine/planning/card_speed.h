// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast a graphics card that is not at hand would train, reckoned from its published facts. Nothing of
// this was ever compared with such a card: the parts of the peaks that a training reaches are assumptions,
// named here and printed with every plan made of them. Free functions; any thread.
#pragma once

#include "core/base/plan/card_facts.h"
#include "core/engine/planning/step_planner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// @param updatedInRamPerSecond  elements that this machine's processor would update beside the card
///                               (machine_speed)
[[nodiscard]] MachineSpeed speedOf(const CardInMachine& machine, const TrainConfig& config,
                                   double updatedInRamPerSecond);

/// What a step may take of the card: what the user named, else what a run there would take of what a desktop
/// leaves.
/// @param ramBytes  beside it, the program's included; none: nothing is streamed
[[nodiscard]] StepBudget budgetOf(const CardInMachine& machine, const MemoryConfig& memory,
                                  std::optional<int64_t> ramBytes);

/// What was taken for granted, a line each.
[[nodiscard]] std::vector<std::string> assumptionsOf(const CardInMachine& machine, const TrainConfig& config,
                                                     const StepPlan& plan);

} // namespace homebooth::core

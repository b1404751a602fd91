// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What there is to say where everything is streamed because that was asked for. Free function; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"

#include <functional>
#include <optional>

namespace homebooth::core {

/// What auto would take at most, if that is much faster: with all that stays on the device, which is a single
/// plan. A search as auto makes it would take as long as that of the plan itself, or longer. Where not all
/// has room there, nothing is said.
/// @param streamedSeconds  a step as it was asked for
/// @param plan             makes the plan of a configuration
[[nodiscard]] std::optional<PlanDecision>
aboutAuto(const TrainConfig& config, double streamedSeconds,
          const std::function<Result<StepNeed>(const TrainConfig&)>& plan);

} // namespace homebooth::core

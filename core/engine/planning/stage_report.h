// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What stages of --zero would take, as people and programs read it. Free functions; any thread.
#pragma once

#include "core/engine/planning/rank_forecast.h"

namespace homebooth::core {

/// How stages are told.
struct StageWords {
    const char* owner = "GPU"; ///< whose memory it is
    bool policies = true;      ///< there is a choice of --policy
};

[[nodiscard]] PlanDecision aboutStage(const TrainConfig& config, const StageForecast& stage,
                                      const StageWords& words);

/// The one to choose.
[[nodiscard]] PlanDecision aboutBest(const StageForecast& best, const StageWords& words);

} // namespace homebooth::core

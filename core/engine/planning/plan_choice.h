// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Choices between plans that were tried. Free functions; any thread.
#pragma once

#include "core/engine/planning/placement_planner.h"

#include <utility>

namespace homebooth::core {

/// Whether it found no room.
[[nodiscard]] inline bool tight(const Result<StepPlan>& plan) {
    return !plan && plan.error().code == ErrorCode::OutOfResources;
}

/// The faster one; the first where both are about as fast. One that found no room loses.
[[nodiscard]] inline Result<StepPlan> faster(Result<StepPlan> first, Result<StepPlan> second) {
    if (!first) return second ? std::move(second) : std::move(first);
    return second && second->stepSeconds < kWorthIt * first->stepSeconds ? std::move(second)
                                                                         : std::move(first);
}

} // namespace homebooth::core

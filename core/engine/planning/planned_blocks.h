// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A planned step block by block. Free function; any thread.
#pragma once

#include "core/base/plan/training/planned_block.h"
#include "core/engine/planning/step_planner.h"

#include <vector>

namespace homebooth::core {

/// In the order of forward: the text encoder's come first.
[[nodiscard]] std::vector<PlannedBlock> plannedBlocks(const StepPlan& plan);

} // namespace homebooth::core

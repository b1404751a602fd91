// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses whether a component keeps the activations of its training pass or computes them again in backward,
// and tells blocks what was chosen for them. Free functions; one thread for each component.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/models/component.h"
#include "core/engine/planning/memory_room.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// A generous count of what one training pass keeps when nothing is recomputed, bytes.
/// @param heightUnits, widthUnits  size of the component's spatial input
[[nodiscard]] int64_t keptActivationBytes(const Component& component, int64_t batch, int64_t heightUnits,
                                          int64_t widthUnits);

/// Keeps everything where that fits into `budgetBytes`, else the results of costly products, else only the
/// inputs of blocks.
void chooseRecomputation(Component& component, int64_t keptBytes, int64_t budgetBytes);

/// What activations may take: a share of the room, where neither the memory nor the user's budget is
/// exceeded.
/// @param budgetBytes     for the whole process on that tier; 0: all that is free
/// @param untouchedBytes  allocated already, but not yet counted as used (fresh zero pages of RAM)
[[nodiscard]] int64_t activationBudget(const TierRoom& room, int64_t budgetBytes, int64_t untouchedBytes);

/// The same for the device that a job computes on, within memory.deviceBytes or memory.ramBytes. Ranks of one
/// machine share its RAM equally.
/// @param stateBytes  of optimizers and averages, allocated and still zero
[[nodiscard]] int64_t activationBudget(const JobContext& job, int64_t stateBytes);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses whether a component keeps the activations of its training pass or computes them again in backward.
// Free functions; one thread for each component.
#pragma once

#include "core/engine/models/component.h"
#include "core/engine/training/job_context.h"
#include "core/engine/training/step_planner.h"

#include <cstdint>

namespace homebooth::core {

/// A generous count of what one training pass keeps when nothing is recomputed, bytes.
/// @param heightUnits, widthUnits  size of the component's spatial input
[[nodiscard]] int64_t keptActivationBytes(const Component& component, int64_t batch, int64_t heightUnits,
                                          int64_t widthUnits);

/// Keeps everything where that fits into `budgetBytes`, else the results of costly products, else only the
/// inputs of blocks.
void chooseRecomputation(Component& component, int64_t keptBytes, int64_t budgetBytes);

/// Memory of one tier as it stands.
struct TierRoom {
    int64_t freeBytes = 0; ///< nobody uses it; 0 if that cannot be found out
    int64_t usedBytes = 0; ///< by this process
};

/// Of the machine's RAM, or of the GPU: there what LibTorch keeps for itself without using it counts as free.
/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] TierRoom roomOn(at::Device device);

/// What a job on `device` may let LibTorch allocate there and beside it, less a margin for what nobody
/// counts. Host memory may stand for a smaller device (memory.deviceBytes); what is left of it is then the
/// second tier.
[[nodiscard]] StepBudget stepBudget(at::Device device, const MemoryConfig& memory);

/// The same in the middle of a run: what it holds itself is its own.
/// @param atStart  the room when nothing was loaded
[[nodiscard]] StepBudget stepBudgetOfRun(at::Device device, const MemoryConfig& memory,
                                         const TierRoom& atStart);

/// What activations may take: a share of the room, where neither the memory nor the user's budget is
/// exceeded.
/// @param budgetBytes     for the whole process on that tier; 0: all that is free
/// @param untouchedBytes  allocated already, but not yet counted as used (fresh zero pages of RAM)
[[nodiscard]] int64_t activationBudget(const TierRoom& room, int64_t budgetBytes, int64_t untouchedBytes);

/// The same for the device that a job computes on, within memory.deviceBytes or memory.ramBytes.
/// @param stateBytes  of optimizers and averages, allocated and still zero
[[nodiscard]] int64_t activationBudget(const JobContext& job, int64_t stateBytes);

} // namespace homebooth::core

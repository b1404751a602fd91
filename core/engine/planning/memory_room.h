// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory there is for a job, on the tier that it computes on and beside it. Free functions; any
// thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/engine/memory/tier_room.h"
#include "core/engine/planning/step_planner.h"

#include <cstdint>
#include <optional>

namespace homebooth::core {

/// What there will be when a job begins that waits until others are done.
struct RoomThen {
    /// Free for it where it computes, beside its own context; none: as much as is free now.
    std::optional<int64_t> deviceBytes = std::nullopt;
    int64_t comingRamBytes = 0; ///< of RAM, that somebody holds now
};

/// What a job on `device` may let LibTorch allocate there and beside it, less a margin for what nobody
/// counts. Host memory may stand for a smaller device (memory.deviceBytes); what is left of it, or of
/// memory.ramBytes, is then the second tier, if only in name where nothing is.
/// @param processes  that share the machine's RAM (and memory.ramBytes) equally
/// @param then  of a job that waits: where it says so, nothing is asked of the device
[[nodiscard]] StepBudget stepBudget(at::Device device, const MemoryConfig& memory, int64_t processes = 1,
                                    const RoomThen& then = {});

/// What a process has taken before its run has loaded anything but texts.
struct UseAtStart {
    int64_t deviceBytes = 0; ///< where it computes
    int64_t ramBytes = 0;
    int64_t textBytes = 0; ///< of it
};

/// The same of a run, from its start on: what it holds itself, beyond program and texts, is its own.
[[nodiscard]] StepBudget stepBudgetOfRun(at::Device device, const MemoryConfig& memory,
                                         const UseAtStart& atStart, int64_t processes = 1);

/// What one of so many processes may take of RAM beyond what it holds.
[[nodiscard]] int64_t ramBeyond(const MemoryConfig& memory, int64_t processes = 1);

/// What one of so many processes may allocate where it computes beyond what it holds there.
/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] int64_t computingBeyond(at::Device device, const MemoryConfig& memory, int64_t processes = 1);

/// A budget with no more than that in RAM. @param mostBytes  0: as it is
[[nodiscard]] StepBudget withinRam(StepBudget budget, int64_t mostBytes);

/// A budget less what is held in RAM all through a training, before it is there.
[[nodiscard]] StepBudget besideHeld(StepBudget budget, int64_t bytes);
/// Likewise of texts, which messages name.
[[nodiscard]] StepBudget besideTexts(StepBudget budget, int64_t textBytes);

/// A budget less what shall lie beside the steps in LibTorch's memory: on the device, or in RAM where a part
/// of that stands for the device.
[[nodiscard]] StepBudget budgetBeside(StepBudget budget, int64_t bytes, at::Device device,
                                      const MemoryConfig& memory);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training step will take, asked of the worker: it alone can rehearse one. Free function; main thread.
#pragma once

#include "core/base/plan/training/train_plan.h"

namespace homebooth::core {

/// A card to plan for instead of this machine's, as the user wrote it; no name: this machine.
struct CardName {
    std::string name;
    std::string pcie;
    bool scaling = false; ///< with a table for more and fewer of it (base/plan/ranks/scaling_table)
    bool stages = false;  ///< with what each stage of --zero would take in several processes of this machine
    std::string pictures; ///< a file that lists what will be in the folder of pictures; empty: it is there
    bool blocks = false;  ///< with a line for each block of the model, whatever card (planned_block)
    bool inTurn = false;  ///< this machine as it is once trainings and pictures of Homebooth have ended
};

/// @param sharing  processes that share this machine's memory and cores
/// @param gpu      that the worker sees, as CUDA_VISIBLE_DEVICES takes it; empty: what there is
/// @returns  nothing for what cannot be rehearsed (an autoencoder)
/// Errors: OutOfResources naming the least that would do; what opening the model says; Internal when
///         the worker cannot be started; Cancelled
[[nodiscard]] Result<std::optional<StepNeed>> askStepNeed(const TrainConfig& config, const CardName& card,
                                                          int64_t sharing, const std::string& gpu);

} // namespace homebooth::core

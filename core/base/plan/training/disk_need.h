// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training lays on the disk. Free functions; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"

#include <algorithm>

namespace homebooth::core {

/// In bytes: one more than are kept, since the new one is there before the oldest goes. What the clock saves
/// is written where there is room beside that, and gives way. @param saved  that are there already
/// @param givesWay  whether one of them is what the clock saved, beside one that counts
[[nodiscard]] inline int64_t checkpointBytesOnDisk(const TrainPlan& plan, int64_t keptCheckpoints,
                                                   int64_t saved = 0, bool givesWay = false) {
    return plan.checkpointBytes * std::max<int64_t>(givesWay ? 0 : 1, keptCheckpoints + 1 - saved);
}

/// At the most, in bytes. An earlier one is there until it is written, and takes none of what is free.
[[nodiscard]] inline int64_t resultBytesOnDisk(const TrainPlan& plan) {
    return plan.resultBytes;
}

/// Of the files on the disk of --swap the largest one, in bytes: what waits there between steps is one,
/// and so are the parameters of each network, of all of which together a plan knows what they take.
[[nodiscard]] int64_t largestSwapFile(const TrainPlan& plan, const TrainConfig& config,
                                      const ModelSource& model);

[[nodiscard]] inline int64_t diskBytes(const TrainPlan& plan, int64_t keptCheckpoints) {
    return checkpointBytesOnDisk(plan, keptCheckpoints) + resultBytesOnDisk(plan);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training lays on the disk. Free functions; any thread.
#pragma once

#include "core/base/plan/train_plan.h"

namespace homebooth::core {

/// At the most, in bytes: one more than are kept, since the new one is there before the oldest goes.
[[nodiscard]] inline int64_t checkpointBytesOnDisk(const TrainPlan& plan, int64_t keptCheckpoints) {
    return plan.checkpointBytes * (keptCheckpoints + 1);
}

/// At the most, in bytes. An earlier one is there until it is written, and takes none of what is free.
[[nodiscard]] inline int64_t resultBytesOnDisk(const TrainPlan& plan) {
    return plan.resultBytes;
}

[[nodiscard]] inline int64_t diskBytes(const TrainPlan& plan, int64_t keptCheckpoints) {
    return checkpointBytesOnDisk(plan, keptCheckpoints) + resultBytesOnDisk(plan);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training lays on the disk. Free functions; any thread.
#pragma once

#include "core/base/plan/train_plan.h"

namespace homebooth::core {

/// Checkpoints and result at the most, in bytes: one checkpoint more than are kept, since the new one is
/// there before the oldest goes, and the result twice while it is written.
[[nodiscard]] inline int64_t diskBytes(const TrainPlan& plan, int64_t keptCheckpoints) {
    return plan.checkpointBytes * (keptCheckpoints + 1) + 2 * plan.resultBytes;
}

} // namespace homebooth::core

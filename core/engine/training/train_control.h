// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What other threads may ask of a running training. The training thread looks between steps.
// Shared by reference; every member is safe from any thread.
#pragma once

#include "core/base/util/cancel.h"

#include <atomic>

namespace homebooth::core {

struct TrainControl {
    std::atomic<bool> paused{false};    ///< wait between two steps while set
    std::atomic<bool> saveNow{false};   ///< cleared when the checkpoint is written
    std::atomic<bool> sampleNow{false}; ///< cleared when the pictures are made
    std::atomic<bool> finish{false};    ///< end after the running step, with a checkpoint and the result
    CancelToken stop;                   ///< end after the running step, with a checkpoint
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What swapping to a disk writes, and what that is of the disk's life. Free functions; any thread.
#pragma once

#include "core/base/run/event.h"

#include <cstdint>

namespace homebooth::core {

struct SwapWear {
    int64_t heldBytes = 0;           ///< on the disk
    int64_t writtenBytesPerStep = 0; ///< everything that a step changes
    double writtenBytesPerDay = 0.0; ///< of steps without a pause
    double endurancePerDay = 0.0;    ///< part of what a typical drive is made for
};

/// @param stateBytes    of optimizer states and averages, all of which change in a step
/// @param homeBytes     of parameters whose home is streamed; 0 where they stay in memory
/// @param trainedBytes  of those that change in a step
[[nodiscard]] SwapWear swapWear(int64_t stateBytes, int64_t homeBytes, int64_t trainedBytes,
                                double stepSeconds);

/// For a plan: "swap: 2.4 GiB ..."
[[nodiscard]] PlanDecision decisionOf(const SwapWear& wear);

} // namespace homebooth::core

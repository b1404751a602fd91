// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What swapping to a disk reads and writes, and what that is of the disk's life. Free functions; any thread.
#pragma once

#include "core/base/plan/training/swap_pages.h"
#include "core/base/run/journal/event.h"

#include <cstdint>

namespace homebooth::core {

/// The figure of a plan's decision about swapping that says what a step reads.
inline constexpr const char* kStepReadBytes = "stepReadBytes";

struct SwapWear {
    int64_t heldBytes = 0;           ///< on the disk
    int64_t writtenBytesPerStep = 0; ///< everything that a step changes
    int64_t readBytesPerStep = 0;    ///< everything that a step needs, as often as it does
    double writtenBytesPerDay = 0.0; ///< of steps without a pause
    double endurancePerDay = 0.0;    ///< part of what a typical drive is made for
};

/// What lies on the disk, in bytes; of several processes on that of one.
struct SwapUse {
    int64_t setAsideBytes = 0;     ///< for optimizer states, averages and gradients
    int64_t changingBytes = 0;     ///< of states and averages there, all of which change in a step
    int64_t gradientBytes = 0;     ///< of gradients that rest there, as often as a step writes them
    int64_t gradientReadBytes = 0; ///< of them, as often as a step reads them
    int64_t homeBytes = 0;         ///< of networks that learn; 0 where their home is memory
    int64_t frozenBytes = 0;       ///< of models that do not learn, which no step reads
    int64_t fetchedBytes = 0;      ///< of homes, what comes to the device in a step, as often as it does
    int64_t againBytes = 0;        ///< of masters and parameters there, read once more when all are updated
    int64_t trainedBytes = 0;      ///< of all parameters that change in a step
    SwapExtra extra;               ///< what pages make of all that
};

[[nodiscard]] SwapWear swapWear(const SwapUse& use, double stepSeconds);

/// For a plan: "swap: 2.4 GiB ..."
/// @param processes  that train together, each of them with a disk, or its part of one, that is used so
[[nodiscard]] PlanDecision decisionOf(const SwapWear& wear, int64_t processes = 1);

} // namespace homebooth::core

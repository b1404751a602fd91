// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts what a job takes into a plan, tier by tier, and refuses what does not fit. Private to core/base/plan.
// Free functions; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"

#include <string>

namespace homebooth::core {

/// A refusal.
/// @param what    is needed, behind its size, e.g. " of GPU memory"
/// @param advice  what to do about it
[[nodiscard]] Error tooLittle(int64_t neededBytes, const char* what, int64_t haveBytes, const RamSplit& split,
                              const std::string& advice);

/// Puts the sum where it will lie and refuses what cannot fit there, or into RAM beside it.
/// @param besideBytes  in RAM, whatever computes
[[nodiscard]] Result<void> place(TrainPlan& plan, const MachineLimits& limits, int64_t needBytes,
                                 int64_t besideBytes, const std::string& advice);

/// Says by kind what was placed.
/// @param computing  of the tier that computes, at its fullest
/// @param beside     in RAM, whatever computes, without the program
void tellPeaks(TrainPlan& plan, const TierMemory& computing, TierMemory beside);

/// Host memory that stands for a device is told once; what else there may be beside the program at other
/// times stays with RAM.
/// @param device  what that holds at its fullest
void tellDeviceApart(TrainPlan& plan, const TierMemory& device, TierMemory beside);

} // namespace homebooth::core

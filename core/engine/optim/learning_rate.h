// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The learning rate of a step. Pure functions.
#pragma once

#include "core/base/config/train_config.h"

#include <cstdint>

namespace homebooth::core {

/// The factor on the base learning rate in step `step` of `steps`.
/// @param step         1-based. With warm-up the first step has factor 0, as diffusers' schedulers have it.
/// @param warmupSteps  linear rise from 0 to 1 over so many steps; applies to the constant schedule too
///                     (diffusers calls that one constant_with_warmup)
/// Source: the values are those of diffusers.optimization.get_scheduler
[[nodiscard]] double learningRateFactor(LearningRateSchedule schedule, int64_t step, int64_t steps,
                                        int64_t warmupSteps);

} // namespace homebooth::core

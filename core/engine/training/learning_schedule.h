// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a network learns in a training. Free function; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/schedule/schedule.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// Makes a network's parameters trainable or not, or adds its adapters.
/// @param learns  whether this network takes part in the training
/// Errors: BadInput from a LoRA that finds nothing to adapt
[[nodiscard]] Result<void> prepareLearning(Schedule& schedule, const TrainConfig& config, bool learns);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a network learns in a training, and how the rest of it is kept. Plans, rehearsals and trainings
// make their schedules here, so that all of them have the same. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/schedule/schedule.h"
#include "core/base/util/result.h"

#include <vector>

namespace homebooth::core {

/// Makes a network's parameters trainable or not, or adds its adapters; quantizes the weights beside these
/// where that is asked for. A network that does not learn keeps its numbers: it encodes before the first step
/// and leaves, so its bytes cost the steps nothing, and what it has made in the cache serves every training.
/// @param learns  whether this network takes part in the training
/// Errors: BadInput from a LoRA that finds nothing to adapt
[[nodiscard]] Result<void> prepareLearning(Schedule& schedule, const TrainConfig& config, bool learns);

/// Whether the text encoder learns beside the UNet.
[[nodiscard]] bool learnsText(const TrainConfig& config);

/// The networks that learn together in planned steps, in the order of their parts: the UNet and the text
/// encoder where it does; or the language model. Errors: as above
[[nodiscard]] Result<std::vector<Schedule>> learningSchedules(const TrainConfig& config,
                                                              const ModelSource& model);

} // namespace homebooth::core

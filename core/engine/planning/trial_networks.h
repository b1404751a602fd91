// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a trial step computes, by the kind of model. Free function; any thread.
#pragma once

#include "core/engine/planning/trial_step.h"

namespace homebooth::core {

/// @param config, model  borrowed
/// Errors: BadInput from a scheduler that cannot train
[[nodiscard]] Result<std::unique_ptr<TrialNetworks>> trialNetworks(const TrainConfig& config,
                                                                   const ModelSource& model);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Language models and models for pictures, told apart before anything is planned. Free function; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// Whether the model is of the kind that the settings want to train, and sees as many tokens together as they
/// say. Errors: BadInput
[[nodiscard]] Result<void> checkModelKind(const TrainConfig& config, const ModelSource& model);

} // namespace homebooth::core

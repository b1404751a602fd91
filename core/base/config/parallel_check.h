// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what was asked for can be trained by several processes. Free function; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// @param config  with every setting filled in. Errors: Usage: what was expected, found, and what to do
[[nodiscard]] Result<void> checkParallel(const TrainConfig& config);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what was asked for can be trained by several processes. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// The least batch from this one on that so many processes share equally.
[[nodiscard]] int64_t sharedBatch(int64_t batch, int64_t processes);

/// @param config  with every setting filled in. Errors: Usage: what was expected, found, and what to do
[[nodiscard]] Result<void> checkParallel(const TrainConfig& config);

} // namespace homebooth::core

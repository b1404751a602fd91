// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what a plan puts on a disk will fit there. Free function; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <cstdint>

namespace homebooth::core {

/// Of a run that has not begun: one that has holds its space already. What dead owners left counts as free.
/// @param bytes          that shall lie in memory.swapDir; 0: nothing is looked at
/// @param onThisMachine  else the disk is not at hand, and only --swap-size counts
/// Errors: OutOfResources if --swap-size or the disk's free space is less; BadInput if nobody can look at the
/// folder
[[nodiscard]] Result<void> checkSwapRoom(const MemoryConfig& memory, int64_t bytes, bool onThisMachine);

} // namespace homebooth::core

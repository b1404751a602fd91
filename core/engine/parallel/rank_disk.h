// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a rank's part of the disk's tier lies: one process has the folder that the user named, each of
// several a folder of its own in there, which may lead to a disk of its own. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/engine/memory/disk_tier.h"
#include "core/engine/parallel/ranks.h"

namespace homebooth::core {

/// Ranks of one machine share what may be taken there equally, as they share its RAM.
[[nodiscard]] DiskPlace diskOf(const MemoryConfig& memory, const Ranks& ranks, SwapDevice& device);

/// Whether all of a rank's files may be there together, before the first of them is made.
/// @param bytes  of these files, in whole pages. Every rank of this machine takes as much
/// Errors: OutOfResources if --swap-size allows less: names what would do
[[nodiscard]] Result<void> checkDiskLimit(const MemoryConfig& memory, const Ranks& ranks, int64_t bytes);

} // namespace homebooth::core

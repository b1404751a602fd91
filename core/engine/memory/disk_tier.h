// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The third tier: memory on a disk, of which a window is in RAM. What is in memory counts in Tier::Ram.
// Free functions; any thread.
#pragma once

#include "core/base/swap/swapped_memory.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// Where the disk's tier lies.
struct DiskPlace {
    std::string folder;
    int64_t limitBytes = 0;                     ///< of one of its memories; 0: what the disk has
    SwapDevice* device = &SwapDevice::system(); ///< another one for tests
    bool isOfRank = false; ///< a folder within the one that the user named, made where it is missing
};

/// How bytes on the disk are cut up.
struct SwapShape {
    int64_t pageBytes = 0;
    int64_t windowBytes = 0; ///< in memory at a time
};

/// Pages large enough for the disk's full speed, and as many in memory as reading ahead and writing behind
/// need; less of both for a few bytes.
[[nodiscard]] SwapShape swapShapeFor(int64_t bytes);

/// Reserves the space, and removes what dead owners left in the folder, ranks of theirs included.
/// @param what  shall lie there, for messages
/// Errors: OutOfResources (the disk or the limit is too small: names what is needed), BadInput (folder, disk)
[[nodiscard]] Result<std::unique_ptr<SwappedMemory>> makeDiskTier(const DiskPlace& place, int64_t bytes,
                                                                  const std::string& what);

} // namespace homebooth::core

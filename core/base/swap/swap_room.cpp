// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/swap_room.h"

#include "core/base/config/byte_size.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/system/disk_facts.h"

#include <algorithm>

namespace homebooth::core {

Result<void> checkSwapRoom(const MemoryConfig& memory, int64_t bytes, bool onThisMachine) {
    if (bytes == 0) return {};
    int64_t most = memory.swapBytes > 0 ? memory.swapBytes : bytes;
    if (onThisMachine) {
        HOMEBOOTH_ASSIGN(const DiskFacts disk, diskFacts(memory.swapDir));
        int64_t stale = 0;
        for (const std::string& folder : swapFoldersIn(memory.swapDir))
            stale += findStaleSwap(folder, SwapDevice::system()).bytes;
        if (disk.totalBytes > 0) most = std::min(most, disk.freeBytes + stale); // some do not say it
    }
    if (bytes <= most) return {};
    return Error{ErrorCode::OutOfResources,
                 "what does not lie in memory needs " + byteSizeText(bytes) + " for swapping, and " +
                     byteSizeText(most) +
                     " are free or allowed; free some space, name another folder (--swap), allow more "
                     "(--swap-size), or take a leaner optimizer (--optimizer adamw8bit)",
                 memory.swapDir};
}

} // namespace homebooth::core

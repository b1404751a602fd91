// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/rank_disk.h"

#include "core/base/swap/stale_swap.h"

namespace homebooth::core {

DiskPlace diskOf(const MemoryConfig& memory, const Ranks& ranks, SwapDevice& device) {
    DiskPlace place{memory.swapDir, memory.swapBytes, &device};
    if (memory.swapDir.empty() || ranks.count() == 1) return place;
    place.folder = swapFolderOf(memory.swapDir, ranks.rank());
    place.limitBytes /= ranks.onThisMachine();
    place.isOfRank = true;
    return place;
}

} // namespace homebooth::core

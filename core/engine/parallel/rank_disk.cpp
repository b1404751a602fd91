// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/rank_disk.h"

#include "core/base/config/byte_size.h"
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

Result<void> checkDiskLimit(const MemoryConfig& memory, const Ranks& ranks, int64_t bytes) {
    const int64_t processes = ranks.onThisMachine();
    const int64_t all = bytes * processes;
    if (memory.swapBytes == 0 || all <= memory.swapBytes) return {};
    std::string whose;
    if (processes > 1) whose.append(" for ").append(std::to_string(processes)).append(" processes");
    return Error{ErrorCode::OutOfResources,
                 "swapping: expected at least " + wholeMebibytes(all) + whose +
                     ", found that --swap-size allows " + byteSizeText(memory.swapBytes) + "; allow more",
                 memory.swapDir};
}

} // namespace homebooth::core

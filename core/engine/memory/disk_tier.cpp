// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/disk_tier.h"

#include "core/base/config/byte_size.h"
#include "core/base/files/atomic_file.h"
#include "core/base/swap/stale_swap.h"
#include "core/engine/memory/disk_space.h"
#include "core/engine/memory/tier_meter.h"

#include <algorithm>
#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

/// Jobs of other numbers of processes have had other folders; whoever comes removes what is left in them.
void removeStaleOfRanks(const DiskPlace& place) {
    const fs::path named = place.isOfRank ? fs::path(place.folder).parent_path() : fs::path(place.folder);
    for (const std::string& folder : swapFoldersIn(named.string()))
        if (folder != place.folder) removeStaleSwap(folder, *place.device); // there whoever makes a file does
}

/// Makes the folder of a rank in the one that the user named, which has to be there.
Result<void> makeFolder(const DiskPlace& place) {
    if (!place.isOfRank) return {};
    std::error_code error;
    const fs::path named = fs::path(place.folder).parent_path();
    if (!fs::is_directory(named, error))
        return badInput("--swap: expected a folder for swapping, found none; make it, or name another",
                        named.string());
    fs::create_directory(place.folder, error);
    if (error) return systemError("make a folder for swapping", place.folder, error.value());
    return {};
}

} // namespace

SwapShape swapShapeFor(int64_t bytes) {
    constexpr int64_t kLargestPage = int64_t{2} << 20;
    constexpr int64_t kSmallestPage = int64_t{16} << 10;
    constexpr int64_t kPagesOfAll = 64;    // at least, where that does not make them too small
    constexpr int64_t kPagesInMemory = 32; // held, read ahead, and waiting to be written
    constexpr int64_t kShareInMemory = 4;
    SwapShape shape{kLargestPage, 0};
    while (shape.pageBytes > kSmallestPage && bytes / shape.pageBytes < kPagesOfAll) shape.pageBytes /= 2;
    const int64_t pages = bytes / shape.pageBytes / kShareInMemory;
    shape.windowBytes = std::clamp<int64_t>(pages, 1, kPagesInMemory) * shape.pageBytes;
    return shape;
}

Result<std::unique_ptr<SwappedMemory>> makeDiskTier(const DiskPlace& place, int64_t bytes,
                                                    const std::string& what) {
    const SwapShape shape = swapShapeFor(bytes);
    const int64_t space = diskSpaceFor(bytes);
    if (place.limitBytes > 0 && space > place.limitBytes)
        return Error{ErrorCode::OutOfResources,
                     "swapping " + what + ": expected at least " + wholeMebibytes(space) +
                         (place.isOfRank ? " for each process" : "") + ", found that --swap-size allows " +
                         byteSizeText(place.limitBytes) + "; allow more",
                     place.folder};
    removeStaleOfRanks(place);
    HOMEBOOTH_CHECK(makeFolder(place));
    SwappedMemoryOptions options;
    options.folder = place.folder;
    options.bytes = bytes;
    options.pageBytes = shape.pageBytes;
    options.residentBytes = shape.windowBytes;
    options.inMemory = [](int64_t change) { countInTier(Tier::Ram, change); };
    auto made = SwappedMemory::create(options, *place.device);
    if (made || made.error().code != ErrorCode::OutOfResources) return made;
    return Error{ErrorCode::OutOfResources,
                 "swapping " + what + ", " + byteSizeText(space) + ": " + made.error().message,
                 made.error().context};
}

} // namespace homebooth::core

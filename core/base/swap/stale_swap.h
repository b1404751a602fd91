// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of swap files, and what dead owners left behind.
// A file is in use while somebody holds its lock; the kernel drops it with the owner, however that ends. The
// process number in the name is for people. Unlinking the file right after making it would need no cleaning;
// but then 40 GiB would be gone from a disk without anything that `ls` or `du` could show. Free functions
// without state; any thread, any number of processes at once.
#pragma once

#include "core/base/swap/swap_device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// Where the process of that number has its part of the disk whose folder a user named.
[[nodiscard]] std::string swapFolderOf(const std::string& named, int64_t rank);

/// A folder that a user named, and those of processes in it.
[[nodiscard]] std::vector<std::string> swapFoldersIn(const std::string& named);

/// A new random name, "homebooth-PID-XXXXXXXX.swap"; with `kept`, one that `removeStaleSwap` never touches.
[[nodiscard]] std::string swapFileName(bool kept);

struct StaleSwap {
    int files = 0;
    int64_t bytes = 0;
};

/// Swap files in the folder that are this user's and that nobody holds; best effort. Where the file system
/// has no locks, there are none: nobody could tell whether another machine uses them.
[[nodiscard]] StaleSwap findStaleSwap(const std::string& folder, SwapDevice& device);

/// Removes them. @returns what is gone
StaleSwap removeStaleSwap(const std::string& folder, SwapDevice& device);

} // namespace homebooth::core

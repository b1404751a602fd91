// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is left of the RAM for a job that begins beside others. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace homebooth::core {

/// A job that runs.
struct RamPromise {
    int64_t plannedBytes = 0; ///< that its plan says it will take, at the peak
    int64_t takenBytes = 0;   ///< that it has by now: those are not free any more
};

/// What a job may take beside these. At least 1: what is nothing would count as no limit.
/// @param freeBytes  of the machine, at this moment
[[nodiscard]] inline int64_t ramBeside(int64_t freeBytes, const std::vector<RamPromise>& others) {
    for (const RamPromise& one : others) freeBytes -= std::max<int64_t>(0, one.plannedBytes - one.takenBytes);
    return std::max<int64_t>(1, freeBytes);
}

/// The same of a limit that all of them share, in which what they have by now counts, too.
[[nodiscard]] inline int64_t ramWithin(int64_t limitBytes, const std::vector<RamPromise>& others) {
    for (const RamPromise& one : others) limitBytes -= std::max(one.plannedBytes, one.takenBytes);
    return std::max<int64_t>(1, limitBytes);
}

} // namespace homebooth::core

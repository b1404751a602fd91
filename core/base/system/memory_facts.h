// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory this machine and this process have. Free functions; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>

namespace homebooth::core {

/// What this process and those that it starts may have of the RAM, in bytes, where somebody set it: the
/// supervisor that runs several jobs at once (ram_share.h).
constexpr const char* kRamLimitVariable = "HOMEBOOTH_RAM_LIMIT";

struct MemoryFacts {
    int64_t totalBytes = 0;
    int64_t availableBytes = 0; ///< MemAvailable: what can be had without swapping
    int64_t limitBytes = 0;     ///< of the control group, or of this process; 0: none
    int64_t limitUsedBytes = 0; ///< of it, already used
    /// What a new process may count on: the smaller of both.
    [[nodiscard]] int64_t usableBytes() const;
};

[[nodiscard]] MemoryFacts memoryFacts();

struct MemoryLimit {
    int64_t bytes = 0; ///< 0: none
    int64_t usedBytes = 0;
};

/// Of a control group and those that it is in, the limit that leaves least; files' pages that give way when
/// memory is wanted do not count as used.
/// @param root   where groups of their version are mounted
/// @param group  its path there, "/" and names
[[nodiscard]] MemoryLimit tightestLimit(const std::filesystem::path& root, const std::string& group);

/// Of all groups, of version 1 or 2, that are named as in /proc/PID/cgroup.
/// @param root  where those of version 2 are mounted, and in "memory" there those of version 1
[[nodiscard]] MemoryLimit tightestOf(const std::filesystem::path& root, std::istream& groups);

/// VmHWM: the most that was resident at a time since the process began; 0 if unknown.
[[nodiscard]] int64_t peakResidentBytes();
/// VmRSS.
[[nodiscard]] int64_t residentBytes();
/// The same of another process and all that it started; 0 if unknown or gone.
[[nodiscard]] int64_t residentBytesBelow(int64_t process);

/// How often the kernel killed a process of this control group (else: of this machine) for want of memory;
/// -1 if unknown.
[[nodiscard]] int64_t memoryKillCount();

} // namespace homebooth::core

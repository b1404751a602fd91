// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/memory_facts.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace homebooth::core {
namespace {

constexpr const char* kGroups = "/sys/fs/cgroup";

/// The number behind "key" in a file of lines "key[:] number [kB]"; -1 if there is none.
int64_t numberOf(const std::string& file, const std::string& key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        std::string unit;
        int64_t number = 0;
        if (!(words >> name) || (name != key && name != key + ":") || !(words >> number)) continue;
        words >> unit;
        return unit == "kB" ? number * 1024 : number;
    }
    return -1;
}

/// A file with a single number; -1 for "max", absence and everything else.
int64_t onlyNumber(const std::filesystem::path& file) {
    std::ifstream stream(file);
    int64_t number = -1;
    return stream >> number ? number : -1;
}

/// This process's control group (version 2), beginning with "/"; empty if there is none.
std::string ownGroup() {
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return {};
}

/// What one group may have and has; no bytes where it is not limited.
MemoryLimit limitOf(const std::filesystem::path& folder) {
    const int64_t limit = onlyNumber(folder / "memory.max");
    const int64_t used = onlyNumber(folder / "memory.current");
    if (limit <= 0 || used < 0) return {};
    // The page cache counts as used but gives way; of what was read more than once the kernel keeps a part
    // as long as it can.
    const std::filesystem::path kinds = folder / "memory.stat";
    const int64_t cache = std::max<int64_t>(0, numberOf(kinds, "inactive_file")) +
                          std::max<int64_t>(0, numberOf(kinds, "active_file")) / 2;
    return {limit, std::max<int64_t>(0, used - cache)};
}

/// What whoever started this process granted it, if that is tighter than what the system does.
void readOwnLimit(MemoryFacts& facts) {
    const char* told = std::getenv(kRamLimitVariable);
    const int64_t limit = told != nullptr ? std::strtoll(told, nullptr, 10) : 0;
    if (limit <= 0) return;
    const int64_t used = residentBytes();
    if (facts.limitBytes > 0 && facts.limitBytes - facts.limitUsedBytes <= limit - used) return;
    facts.limitBytes = limit;
    facts.limitUsedBytes = used;
}

} // namespace

MemoryLimit tightestLimit(const std::filesystem::path& root, const std::string& group) {
    MemoryLimit tightest;
    if (!group.starts_with('/')) return tightest;
    for (std::string path = group;; path.erase(path.rfind('/'))) {
        const MemoryLimit one = limitOf(root.string() + path);
        const bool tighter =
            tightest.bytes == 0 || one.bytes - one.usedBytes < tightest.bytes - tightest.usedBytes;
        if (one.bytes > 0 && tighter) tightest = one;
        if (path.empty()) return tightest;
    }
}

int64_t MemoryFacts::usableBytes() const {
    if (limitBytes == 0) return availableBytes;
    return std::min(availableBytes, std::max<int64_t>(0, limitBytes - limitUsedBytes));
}

MemoryFacts memoryFacts() {
    MemoryFacts facts;
    facts.totalBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemTotal"));
    facts.availableBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemAvailable"));
    const MemoryLimit limit = tightestLimit(kGroups, ownGroup());
    facts.limitBytes = limit.bytes;
    facts.limitUsedBytes = limit.usedBytes;
    readOwnLimit(facts);
    return facts;
}

int64_t peakResidentBytes() {
    return std::max<int64_t>(0, numberOf("/proc/self/status", "VmHWM"));
}

int64_t residentBytes() {
    return std::max<int64_t>(0, numberOf("/proc/self/status", "VmRSS"));
}

int64_t residentBytesBelow(int64_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    int64_t bytes = std::max<int64_t>(0, numberOf(folder + "/status", "VmRSS"));
    // Of the main thread, which starts everything here.
    std::ifstream children(folder + "/task/" + std::to_string(process) + "/children");
    for (int64_t child = 0; children >> child;) bytes += residentBytesBelow(child);
    return bytes;
}

int64_t memoryKillCount() {
    const std::string group = ownGroup();
    const int64_t ofGroup = group.empty() ? -1 : numberOf(kGroups + group + "/memory.events", "oom_kill");
    return ofGroup >= 0 ? ofGroup : numberOf("/proc/vmstat", "oom_kill");
}

} // namespace homebooth::core

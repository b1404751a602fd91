// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/memory_facts.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

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

/// How the files of a group are called, and what counts in them.
struct GroupNames {
    const char* limit;
    const char* used;
    const char* inactive;
    const char* active;
};
constexpr GroupNames kVersion2{"memory.max", "memory.current", "inactive_file", "active_file"};
constexpr GroupNames kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                               "total_active_file"};

/// What one group may have and has; no bytes where it is not limited.
MemoryLimit limitOf(const std::filesystem::path& folder) {
    constexpr int64_t kNone = int64_t{1} << 60; // version 1 has a number where there is no limit
    std::error_code ignored;
    const bool first = std::filesystem::exists(folder / kVersion1.limit, ignored);
    const GroupNames& names = first ? kVersion1 : kVersion2;
    const int64_t limit = onlyNumber(folder / names.limit);
    const int64_t used = onlyNumber(folder / names.used);
    if (limit <= 0 || limit >= kNone || used < 0) return {};
    // The page cache counts as used but gives way; of what was read more than once the kernel keeps a part
    // as long as it can.
    const std::filesystem::path kinds = folder / "memory.stat";
    const int64_t cache = std::max<int64_t>(0, numberOf(kinds, names.inactive)) +
                          std::max<int64_t>(0, numberOf(kinds, names.active)) / 2;
    return {limit, std::max<int64_t>(0, used - cache)};
}

bool isTighter(const MemoryLimit& one, const MemoryLimit& other) {
    return one.bytes > 0 && (other.bytes == 0 || one.bytes - one.usedBytes < other.bytes - other.usedBytes);
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
        if (isTighter(one, tightest)) tightest = one;
        if (path.empty()) return tightest;
    }
}

MemoryLimit tightestOf(const std::filesystem::path& root, std::istream& groups) {
    constexpr std::string_view kOfMemory = ":memory:"; // version 1, which has a hierarchy for each resource
    MemoryLimit tightest;
    for (std::string line; std::getline(groups, line);) {
        const size_t version1 = line.find(kOfMemory);
        MemoryLimit one;
        if (line.starts_with("0::"))
            one = tightestLimit(root, line.substr(3));
        else if (version1 != std::string::npos)
            one = tightestLimit(root / "memory", line.substr(version1 + kOfMemory.size()));
        if (isTighter(one, tightest)) tightest = one;
    }
    return tightest;
}

int64_t MemoryFacts::usableBytes() const {
    if (limitBytes == 0) return availableBytes;
    return std::min(availableBytes, std::max<int64_t>(0, limitBytes - limitUsedBytes));
}

MemoryFacts memoryFacts() {
    MemoryFacts facts;
    facts.totalBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemTotal"));
    facts.availableBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemAvailable"));
    std::ifstream groups("/proc/self/cgroup");
    const MemoryLimit limit = tightestOf(kGroups, groups);
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

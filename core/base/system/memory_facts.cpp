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

/// The folder of this process's control group (version 2); empty if there is none.
std::filesystem::path groupFolder() {
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::")) return std::filesystem::path("/sys/fs/cgroup" + line.substr(3));
    return {};
}

/// The tightest limit on the way up.
void readLimits(MemoryFacts& facts) {
    std::filesystem::path folder = groupFolder();
    while (folder.string().starts_with("/sys/fs/cgroup")) {
        const int64_t limit = onlyNumber(folder / "memory.max");
        const int64_t used = onlyNumber(folder / "memory.current");
        const bool tighter = facts.limitBytes == 0 || limit - used < facts.limitBytes - facts.limitUsedBytes;
        if (limit > 0 && used >= 0 && tighter) {
            // The page cache counts as used but gives way.
            const int64_t cache = std::max<int64_t>(0, numberOf(folder / "memory.stat", "inactive_file"));
            facts.limitBytes = limit;
            facts.limitUsedBytes = std::max<int64_t>(0, used - cache);
        }
        if (folder == "/sys/fs/cgroup") break;
        folder = folder.parent_path();
    }
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

int64_t MemoryFacts::usableBytes() const {
    if (limitBytes == 0) return availableBytes;
    return std::min(availableBytes, std::max<int64_t>(0, limitBytes - limitUsedBytes));
}

MemoryFacts memoryFacts() {
    MemoryFacts facts;
    facts.totalBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemTotal"));
    facts.availableBytes = std::max<int64_t>(0, numberOf("/proc/meminfo", "MemAvailable"));
    readLimits(facts);
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
    const std::filesystem::path folder = groupFolder();
    const int64_t ofGroup = folder.empty() ? -1 : numberOf(folder / "memory.events", "oom_kill");
    return ofGroup >= 0 ? ofGroup : numberOf("/proc/vmstat", "oom_kill");
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/held_elsewhere.h"

#include "core/base/system/driver_library.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

/// Of a folder in /proc; 0 for one that is no process's.
int64_t numberOf(const fs::path& folder) {
    const std::string name = folder.filename();
    int64_t number = 0;
    const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
    return failed == std::errc() && end == name.data() + name.size() ? number : 0;
}

/// What a process holds that is in no file.
int64_t ramOf(const fs::path& folder) {
    constexpr int64_t kKibi = 1024;
    std::ifstream lines(folder / "status");
    int64_t bytes = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        int64_t kibis = 0;
        if (words >> name >> kibis && (name == "RssAnon:" || name == "RssShmem:")) bytes += kibis * kKibi;
    }
    return bytes;
}

struct ProcessOnGpu { // nvmlProcessInfo_t, since the driver's version 510
    unsigned process = 0;
    unsigned long long usedBytes = 0;
    unsigned instance = 0;
    unsigned computeInstance = 0;
};

/// @param library  the management library, initialised
std::vector<ProcessOnGpu> processesOn(const DriverLibrary& library, const std::string& uuid) {
    constexpr unsigned kMost = 256;
    const auto find = symbol<int (*)(const char*, void**)>(library, "nvmlDeviceGetHandleByUUID");
    const auto get =
        symbol<int (*)(void*, unsigned*, ProcessOnGpu*)>(library, "nvmlDeviceGetComputeRunningProcesses_v3");
    void* device = nullptr;
    if (find == nullptr || get == nullptr || find(uuid.c_str(), &device) != 0) return {};
    std::vector<ProcessOnGpu> found(kMost);
    unsigned count = kMost;
    if (get(device, &count, found.data()) != 0) return {};
    found.resize(std::min(count, kMost));
    return found;
}

} // namespace

std::vector<int64_t> processesOf(const fs::path& program, const fs::path& processes) {
    std::vector<int64_t> found;
    std::error_code code;
    fs::directory_iterator entry(processes, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
        const int64_t number = numberOf(entry->path());
        std::error_code unseen; // it is gone, or another user's
        if (number > 0 && number != ::getpid() && fs::equivalent(entry->path() / "exe", program, unseen))
            found.push_back(number);
    }
    return found;
}

int64_t ramHeldBy(const std::vector<int64_t>& processes, const fs::path& told) {
    int64_t bytes = 0;
    for (const int64_t process : processes) bytes += ramOf(told / std::to_string(process));
    return bytes;
}

int64_t gpuHeldBy(const std::vector<int64_t>& processes, const std::string& uuid) {
    if (processes.empty() || uuid.empty()) return 0;
    constexpr auto kUnknown = std::numeric_limits<unsigned long long>::max();
    unsigned long long bytes = 0;
    withManagement([&](const DriverLibrary& library) {
        for (const ProcessOnGpu& one : processesOn(library, uuid)) {
            const bool ours = std::find(processes.begin(), processes.end(), one.process) != processes.end();
            if (ours && one.usedBytes != kUnknown) bytes += one.usedBytes;
        }
    });
    return static_cast<int64_t>(bytes);
}

} // namespace homebooth::core

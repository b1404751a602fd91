// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/worker_signal.h"

#include "core/base/run/run_folder.h"
#include "core/base/system/process_id.h"

#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

struct Process {
    std::string name;
    int64_t parent = 0;
    uint64_t caught = 0; ///< a bit for each signal
};

Process lookAt(const fs::path& folder) {
    Process process;
    std::ifstream status(folder / "status");
    for (std::string key; status >> key;) {
        if (key == "Name:") status >> process.name;
        if (key == "PPid:") status >> process.parent;
        if (key == "SigCgt:") status >> std::hex >> process.caught >> std::dec;
        status.ignore(4096, '\n');
    }
    return process;
}

bool isListeningWorker(const Process& process, int64_t supervisor) {
    constexpr const char* kName = "homebooth-worke"; // the kernel keeps 15 letters
    return process.parent == supervisor && process.name.starts_with(kName) &&
           (process.caught >> (SIGTERM - 1) & 1) != 0;
}

} // namespace

bool stopBySignal(const std::string& lockFile) {
    const auto owner = RunLock::owner(lockFile);
    if (!owner || !owner->alive || owner->pid <= 0 || processStartTicks(owner->pid) != owner->startTicks)
        return false;
    bool asked = false;
    std::error_code code;
    for (fs::directory_iterator entry("/proc", code), end; !code && entry != end; entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [rest, failed] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (failed != std::errc{} || rest != name.data() + name.size() || process <= 0) continue;
        if (isListeningWorker(lookAt(entry->path()), owner->pid)) asked |= ::kill(process, SIGTERM) == 0;
    }
    return asked;
}

} // namespace homebooth::core

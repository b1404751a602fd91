// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/queue.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/files/sync_folder.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kLargestJob = 65536;

/// The run that a job file names; empty if it is no job.
std::string runOf(const std::string& file) {
    const auto text = readRegularFile(file, kLargestJob);
    if (!text) return {};
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("run") || !json["run"].is_string()) return {};
    return json["run"].get<std::string>();
}

} // namespace

std::string queueFolder() {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    if (state != nullptr && state[0] == '/') return std::string(state) + "/homebooth/queue";
    return std::string(home != nullptr ? home : "/tmp") + "/.local/state/homebooth/queue";
}

Result<JobQueue> JobQueue::open(const std::string& folder) {
    HOMEBOOTH_CHECK(MadeFolders::make(folder));
    HOMEBOOTH_ASSIGN(RunLock lock, RunLock::acquire(folder + "/lock"));
    return JobQueue(folder, std::move(lock));
}

Result<std::optional<QueuedJob>> JobQueue::next() const {
    std::vector<std::string> files;
    std::error_code code;
    for (fs::directory_iterator it(m_folder, code), end; !code && it != end; it.increment(code))
        if (it->path().extension() == ".json" && !it->path().filename().string().starts_with("."))
            files.push_back(it->path().string());
    if (code) return systemError("read the queue", m_folder, code.value());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
        const std::string run = runOf(file);
        if (!run.empty()) return std::optional(QueuedJob{file, run});
        log(LogLevel::Warning, file + ": expected {\"run\": PATH}; put aside");
        HOMEBOOTH_CHECK(putAside({file, {}}));
    }
    return std::optional<QueuedJob>();
}

Result<void> JobQueue::finish(const QueuedJob& job) const {
    if (::unlink(job.file.c_str()) != 0)
        return systemError("take a finished job out of the queue", job.file, errno);
    return syncFolder(m_folder);
}

Result<void> JobQueue::putAside(const QueuedJob& job) const {
    const std::string failed = m_folder + "/failed";
    HOMEBOOTH_CHECK(MadeFolders::make(failed));
    const std::string aside = failed + "/" + fs::path(job.file).filename().string();
    if (::rename(job.file.c_str(), aside.c_str()) != 0)
        return systemError("put a job aside", job.file, errno);
    HOMEBOOTH_CHECK(syncFolder(failed));
    return syncFolder(m_folder);
}

} // namespace homebooth::core

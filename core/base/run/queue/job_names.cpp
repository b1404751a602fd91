// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the queue that follows runs whose folders were moved.
#include "core/base/files/atomic_file.h"
#include "core/base/files/sync_folder.h"
#include "core/base/run/queue/job_queue.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <thread>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClaim = ".claim";
constexpr std::string_view kNext = ".next";
constexpr const char* kOperation = "tell a job where its run is";

/// Moves a file. @returns false if there is none
Result<bool> moveFile(const std::string& from, const std::string& to) {
    if (::rename(from.c_str(), to.c_str()) == 0) return true;
    if (errno == ENOENT) return false;
    return systemError(kOperation, from, errno);
}

Result<void> writeJob(const std::string& file, const std::string& runDir) {
    const nlohmann::json job{{"run", runDir}};
    return writeFileAtomically(file,
                               job.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

} // namespace

std::string JobQueue::nextOf(const std::string& id) const {
    return (m_folder + "/.").append(id).append(kNext);
}

std::string JobQueue::claimOf(const std::string& id) const {
    return (m_folder + "/.").append(id).append(kClaim);
}

std::string JobQueue::idOfClaim(const std::string& name) {
    if (!name.starts_with('.') || !name.ends_with(kClaim) || name.size() <= kClaim.size() + 1) return {};
    return name.substr(1, name.size() - kClaim.size() - 1);
}

Result<RunLock> JobQueue::lockNames() const {
    constexpr int kTries = 100;
    constexpr std::chrono::milliseconds kPause(20);
    const std::string file = m_folder + "/names";
    for (int look = 0; look < kTries; ++look) {
        HOMEBOOTH_ASSIGN(auto lock, RunLock::tryAcquire(file, "the names in the queue"));
        if (lock) return std::move(*lock);
        std::this_thread::sleep_for(kPause); // it is a matter of milliseconds
    }
    return badInput("tell a job where its run is: another program does that; try again", file);
}

Result<void> JobQueue::putRight() const {
    std::vector<std::string> left;
    std::error_code code;
    for (fs::directory_iterator it(m_folder, code), end; !code && it != end; it.increment(code))
        if (const std::string name = it->path().filename().string();
            !idOfClaim(name).empty() || (name.starts_with('.') && name.ends_with(kNext)))
            left.push_back(name);
    if (left.empty()) return {};
    HOMEBOOTH_ASSIGN(const auto lock, RunLock::tryAcquire(m_folder + "/names", "the names in the queue"));
    if (!lock) return {};
    for (const std::string& name : left) {
        if (const std::string id = idOfClaim(name); !id.empty())
            HOMEBOOTH_CHECK(moveFile(claimOf(id), fileOf(id, JobState::Waiting)));
        else
            ::unlink((m_folder + "/" + name).c_str()); // what a job was to say, or said before
    }
    return syncFolder(m_folder);
}

Result<void> JobQueue::follow(const std::string& from, const std::string& to) const {
    std::error_code ignored;
    if (!fs::is_directory(m_folder, ignored)) return {};
    HOMEBOOTH_CHECK(putRight());
    if (from != to) HOMEBOOTH_CHECK(removeEnded(from));
    if (from != to) HOMEBOOTH_CHECK(letCutWait(from));
    const auto named = [&from](const QueuedJob& job) { return job.runDir == from; };
    HOMEBOOTH_ASSIGN(auto waiting, jobs());
    HOMEBOOTH_ASSIGN(auto lost, jobs(JobState::Lost));
    std::erase_if(waiting, [&](const QueuedJob& job) { return from == to || !named(job); });
    std::erase_if(lost, [&](const QueuedJob& job) { return !named(job); });
    if (waiting.empty() && lost.empty()) return {};
    HOMEBOOTH_ASSIGN(const RunLock lock, lockNames());
    for (const QueuedJob& job : waiting) HOMEBOOTH_CHECK(rename(job.id, to));
    for (const QueuedJob& job : lost) HOMEBOOTH_CHECK(bringBack(job.id, to));
    return {};
}

Result<void> JobQueue::removeEnded(const std::string& runDir) const {
    for (const JobState state : {JobState::Stopped, JobState::Failed}) {
        HOMEBOOTH_ASSIGN(const auto ended, jobs(state));
        for (const QueuedJob& job : ended)
            if (job.runDir == runDir) HOMEBOOTH_CHECK(remove(job.id, state));
    }
    return {};
}

Result<void> JobQueue::letCutWait(const std::string& runDir) const {
    HOMEBOOTH_ASSIGN(auto cut, jobs(JobState::Running));
    std::erase_if(cut, [&runDir](const QueuedJob& job) { return job.runDir != runDir; });
    if (cut.empty()) return {};
    HOMEBOOTH_ASSIGN(const auto lock, RunLock::tryAcquire(m_folder + "/lock", "the queue"));
    if (!lock) return {}; // somebody works on it
    HOMEBOOTH_ASSIGN(auto ids, order());
    for (const QueuedJob& job : cut) ids.insert(ids.begin(), job.id);
    HOMEBOOTH_CHECK(setOrder(ids));
    for (const QueuedJob& job : cut) HOMEBOOTH_CHECK(move(job.id, JobState::Running, JobState::Waiting));
    return {};
}

Result<void> JobQueue::rename(const std::string& id, const std::string& to) const {
    const std::string file = fileOf(id, JobState::Waiting);
    const std::string next = nextOf(id);
    HOMEBOOTH_CHECK(writeJob(next, to));
    // A plain rename would make the job anew that somebody has taken at this very moment.
    const int failed =
        ::renameat2(AT_FDCWD, next.c_str(), AT_FDCWD, file.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
    Result<void> done;
    if (failed == EINVAL || failed == ENOSYS || failed == EOPNOTSUPP)
        done = renameByClaim(id, JobState::Waiting, next);
    else if (failed != 0 && failed != ENOENT)
        done = systemError(kOperation, file, failed);
    ::unlink(next.c_str()); // what it said before
    if (done) done = syncFolder(m_folder);
    return done;
}

Result<void> JobQueue::renameByClaim(const std::string& id, JobState from, const std::string& next) const {
    const std::string claim = claimOf(id);
    HOMEBOOTH_ASSIGN(const bool ours, moveFile(fileOf(id, from), claim));
    if (!ours) return {};
    const auto told = moveFile(next, claim);
    HOMEBOOTH_CHECK(moveFile(claim, fileOf(id, JobState::Waiting))); // also under its old name
    if (!told) return told.error();
    return syncFolder(m_folder);
}

Result<void> JobQueue::bringBack(const std::string& id, const std::string& to) const {
    HOMEBOOTH_ASSIGN(const auto known, find(to));
    if (known && known->id != id &&
        (known->state == JobState::Waiting || known->state == JobState::Running)) {
        HOMEBOOTH_CHECK(remove(id, JobState::Lost)); // somebody has let it wait again
        return {};
    }
    HOMEBOOTH_CHECK(writeJob(nextOf(id), to));
    HOMEBOOTH_ASSIGN(auto ids, order());
    std::erase(ids, id);
    ids.insert(ids.begin(), id);
    HOMEBOOTH_CHECK(setOrder(ids)); // first: a job that the supervisor can see has its place
    const auto done = renameByClaim(id, JobState::Lost, nextOf(id));
    ::unlink(nextOf(id).c_str());
    return done;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/queue/job_crew.h"

#include "core/base/util/log.h"
#include "core/cli/power/desktop_notice.h"

#include <filesystem>
#include <system_error>

namespace homebooth::core {
namespace {

/// Where nobody can tell, it is there.
bool isThere(const std::string& runDir) {
    std::error_code code;
    return std::filesystem::exists(runDir + "/run.json", code) || code;
}

/// Of a job that ended with a failure.
JobState failedState(const QueuedJob& job) {
    if (isThere(job.runDir)) return JobState::Failed;
    log(LogLevel::Warning, job.runDir + ": expected a run there when its turn came, found none; it waits "
                                        "again once the window has found its folder, or it is put back");
    return JobState::Lost;
}

} // namespace

Result<void> settle(const JobQueue& queue, const QueuedJob& job, const JobEnd& end) {
    tellDesktop(queue, job, end);
    if (end.code == kExitDone) {
        HOMEBOOTH_CHECK(queue.remove(job.id, JobState::Running));
        return {};
    }
    const JobState state = end.code != kExitCancelled ? failedState(job)
                           : end.interrupted          ? JobState::Waiting
                                                      : JobState::Stopped;
    HOMEBOOTH_CHECK(queue.move(job.id, JobState::Running, state));
    return {};
}

Result<void> settleNamed(const JobQueue& queue, const QueuedJob& job, const JobEnd& end) {
    tellDesktop(queue, job, end);
    if (end.interrupted && end.code == kExitCancelled) // else it has ended by itself meanwhile
        HOMEBOOTH_CHECK(queue.move(job.id, JobState::Running, JobState::Waiting));
    else
        HOMEBOOTH_CHECK(queue.remove(job.id, JobState::Running));
    return {};
}

void sayWhoComesFirst(const JobQueue& queue, int slot) {
    const auto owner = queue.turnOwner(slot);
    if (!owner) return; // it has just ended
    log(LogLevel::Info, "process " + std::to_string(*owner) + " has work that comes first; waiting for it");
}

} // namespace homebooth::core

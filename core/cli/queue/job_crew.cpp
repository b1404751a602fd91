// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/queue/job_crew.h"

#include "core/base/util/log.h"
#include "core/cli/power/desktop_notice.h"

namespace homebooth::core {

Result<void> settle(const JobQueue& queue, const QueuedJob& job, const JobEnd& end) {
    tellDesktop(queue, job, end);
    if (end.code == kExitDone) {
        HOMEBOOTH_CHECK(queue.remove(job.id, JobState::Running));
        return {};
    }
    const JobState state = end.code != kExitCancelled ? JobState::Failed
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

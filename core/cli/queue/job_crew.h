// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Who works on the jobs of the queue, how one ended, and what becomes of it then. Main thread.
#pragma once

#include "core/base/run/queue/job_queue.h"
#include "core/base/util/exit_codes.h"

#include <string>

namespace homebooth::core {

/// How a job ended, and whether it was the supervisor that was told to end.
struct JobEnd {
    int code = kExitDone;
    bool interrupted = false;
};

/// Works on jobs, one at a time or several at once. Owned by the supervisor.
class JobCrew {
public:
    virtual ~JobCrew() = default;

    /// Works the queue off. A stop ends the one job that it was meant for; who wants rest holds the queue.
    /// What tells this program to end ends the work. @returns the exit code
    [[nodiscard]] virtual Result<int> workOff() = 0;

    /// Works on a run that was named, ahead of the queue and as a part of it: a shutdown lets it wait as the
    /// first, and an entry of its own does not bring it a second time.
    [[nodiscard]] virtual Result<JobEnd> runAhead(const std::string& runDir) = 0;
};

/// What becomes of a job after its end. One that was cut short by a signal to the supervisor (the computer is
/// switched off) waits again; one that the user stopped does not. One that failed since its folder was moved
/// is lost, until that is found. The desktop is told (desktop_notice.h).
[[nodiscard]] Result<void> settle(const JobQueue& queue, const QueuedJob& job, const JobEnd& end);

/// The same of a run that was named: how it ended otherwise is for whoever named it to know.
[[nodiscard]] Result<void> settleNamed(const JobQueue& queue, const QueuedJob& job, const JobEnd& end);

/// Says on standard error whose work comes first in a slot. Nothing if it has just ended.
void sayWhoComesFirst(const JobQueue& queue, int slot = 0);

} // namespace homebooth::core

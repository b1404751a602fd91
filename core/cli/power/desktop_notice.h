// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells the desktop that a job has ended, or needs somebody, through busctl or notify-send where one of them
// exists; nothing happens elsewhere, and nobody waits for it. Free functions; the supervisor's main thread.
#pragma once

#include "core/cli/queue/job_crew.h"

#include <string>

namespace homebooth::core {

/// One notification of a job that is done or has failed, in the window's words; none while a window lives,
/// which tells it itself, and none of what somebody stopped.
void tellDesktop(const JobQueue& queue, const QueuedJob& job, const JobEnd& end);

/// One of a training that has not ended, but stands still until somebody does something.
void tellItNeedsSomebody(const JobQueue& queue, const std::string& runDir);

} // namespace homebooth::core

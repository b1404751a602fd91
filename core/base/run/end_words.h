// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the desktop is told of jobs that end while no window is there to tell it. The words are the window's,
// in the user's language; it leaves them in the queue's folder, and holds a lock there while it lives.
//
//   words    {"done": "%1 is ready", "failed": "%1 needs you"}; %1 stands for the run's name
//   window   the lock
//
// Free functions; any thread, any number of processes.
#pragma once

#include "core/base/run/queue/job_queue.h"

#include <optional>
#include <string>

namespace homebooth::core {

struct EndWords {
    std::string done; ///< empty: nothing is told
    std::string failed;
};

/// Errors: BadInput or OutOfResources (the folder cannot be written)
[[nodiscard]] Result<void> setEndWords(const JobQueue& queue, const EndWords& words);

/// Empty ones where no window has been here.
[[nodiscard]] EndWords endWords(const JobQueue& queue);

/// Makes the caller the window while the lock lives; nothing where there is one already. Errors: as above
[[nodiscard]] Result<std::optional<RunLock>> beTheWindow(const JobQueue& queue);
[[nodiscard]] bool windowLives(const JobQueue& queue);

/// The words with the name of a run in them.
[[nodiscard]] std::string wordsOf(const std::string& words, const std::string& runDir);

} // namespace homebooth::core

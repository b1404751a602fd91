// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of jobs: a folder with one JSON file for each, taken in the order of their names. The window adds
// files (atomically) and moves them; one supervisor at a time works them off and holds the folder's lock.
#pragma once

#include "core/base/run/run_folder.h"
#include "core/base/util/result.h"

#include <optional>
#include <string>

namespace homebooth::core {

struct QueuedJob {
    std::string file;
    std::string runDir;
};

/// $XDG_STATE_HOME/homebooth/queue, else ~/.local/state/homebooth/queue.
[[nodiscard]] std::string queueFolder();

class JobQueue {
public:
    /// Errors: BadInput if another supervisor works on it or the folder cannot be made
    [[nodiscard]] static Result<JobQueue> open(const std::string& folder);

    /// The first job; nothing when there is none. Files that are no job are put aside.
    [[nodiscard]] Result<std::optional<QueuedJob>> next() const;

    /// Takes a job that is done out of the queue.
    [[nodiscard]] Result<void> finish(const QueuedJob& job) const;
    /// Moves one that failed into "failed/", so that it does not block the others.
    [[nodiscard]] Result<void> putAside(const QueuedJob& job) const;

private:
    JobQueue(std::string folder, RunLock lock)
        : m_folder(std::move(folder))
        , m_lock(std::move(lock)) {}
    std::string m_folder;
    RunLock m_lock;
};

} // namespace homebooth::core

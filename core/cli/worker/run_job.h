// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the worker on a run folder: lock, journal, progress, outcome. Used by train, resume and supervise.
// One thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class SleepInhibitor;

/// Fresh: this program has just made the folder. Queued: it was made by somebody else, nothing is done yet.
enum class RunAttempt { Fresh, Queued, Resumed };

struct RunJobOptions {
    RunAttempt attempt = RunAttempt::Fresh;
    bool json = false; ///< print journal lines instead of progress
    std::optional<PlanEvent> plan;
    std::vector<WarningEvent> warnings; ///< of the preparation, for the journal
    /// Of a resumed run: its settings before this attempt; they come back if that fails before its first
    /// step.
    std::optional<TrainConfig> before = {};
    const char* verb = "train"; ///< that the user gave, for errors
    bool launched = false;      ///< by a launcher, beside others: one worker, the first rank
    /// What each worker sees, see rankGpus; empty: what there is.
    std::vector<std::string> gpus = {};
    bool* interrupted = nullptr;          ///< becomes true if a signal to this program asked for the end
    SleepInhibitor* awake = nullptr;      ///< let go while the battery is low; null: somebody else's
    std::function<void()> lacksRoom = {}; ///< it waits for room on its disk: once until its next step
};

/// Takes the run's lock; waits a few seconds, and says so, for a worker that is ending because its supervisor
/// died. @param quiet  say nothing. Errors: BadInput while somebody works on the run
[[nodiscard]] Result<RunLock> takeRun(const RunFolder& run, bool quiet);

/// The same where nobody waits for an answer: however long that worker needs to save. A job that failed for
/// that would be lost, and the next one would have to share the memory with it.
/// @returns nothing if this program was told to end meanwhile
[[nodiscard]] Result<std::optional<RunLock>> awaitRun(const RunFolder& run);

/// Trains until the end, a stop or a failure. Prints the end and how to go on.
/// A fresh run that failed on its input before its first step leaves no folder behind.
/// @returns the exit code
int runJob(const RunFolder& run, RunLock lock, const RunJobOptions& options);

/// Removes the folder of a run that never began: only what this program put there itself.
void removeUnbegun(const RunFolder& run);

/// Writes the failure of a run that could not even begin into its journal and on standard error; the run
/// stays.
/// @returns the exit code
int refuseJob(const RunFolder& run, const Error& error);

} // namespace homebooth::core

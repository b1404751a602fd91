// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// homebooth-worker as a child, or several that work together: started beside this program, watched, asked to
// stop, their end explained.
// Owned by the verb that started it; one thread, the main one (the child is told when that one dies).
#pragma once

#include "core/base/run/journal/event_json.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace homebooth::core {

/// Exit code of a child whose program could not be loaded, as shells have it.
constexpr int kExitNotStarted = 127;

/// Why that may be. @param what  e.g. "the worker"
/// @returns  OutOfResources where this program's children may have less than all addresses, else Internal
[[nodiscard]] Error notStarted(const std::string& what);

struct WorkerOptions {
    std::vector<std::string> arguments; ///< e.g. {"train", RUN}
    std::string input;                  ///< what the child reads on its standard input, unless `inheritInput`
    bool inheritInput = false;
    bool events = true;     ///< give it a pipe for journal lines: --events-fd N
    std::string device;     ///< the GPU that it sees, as CUDA_VISIBLE_DEVICES takes it; empty: what there is
    int inheritedFile = -1; ///< a descriptor that it keeps open, e.g. the run's lock
    bool saves = true; ///< when this program dies it is asked to end; else it is killed, even if it hangs
};

/// How a worker ended.
struct WorkerEnd {
    int exitCode = 0; ///< when it exited
    int signal = 0;   ///< when a signal ended it
    bool killedByUs = false;
    bool unheard = false;         ///< our request to stop ended it before it listened
    bool endedWithOthers = false; ///< this program killed it after another rank had failed
    bool memoryKill = false;      ///< the kernel killed something for want of memory meanwhile
    int64_t peakResidentBytes = 0;
    std::optional<OutcomeEvent> outcome; ///< what it said itself
};

/// How one of several ranks ended.
struct RankEnd {
    int rank = 0;
    WorkerEnd end;
};

/// Told every journal line of the worker, parsed where it could be.
using EventListener = std::function<void(const std::string& line, const std::optional<JournalEntry>& entry)>;
/// The same of several workers, with the rank of the one that said it.
using RankListener =
    std::function<void(int rank, const std::string& line, const std::optional<JournalEntry>& entry)>;
/// How the user asked: the first time, and again.
enum class StopRequest { Gently, AtOnce };
/// Called after the worker was asked to stop, and when it is going to be killed.
using StopListener = std::function<void(StopRequest request)>;
/// Called about ten times a second while workers run.
using RoundListener = std::function<void()>;

/// Starts a worker and stays until it ended. The first SIGINT, SIGTERM or SIGHUP (those that this program
/// does not ignore) asks it to save and stop (SIGTERM); the second (StopSignals::take) kills it after a
/// short grace, a third at once. Errors: Internal if it cannot be started
[[nodiscard]] Result<WorkerEnd> runWorker(const WorkerOptions& options, const EventListener& onEvent,
                                          const StopListener& onStop);

/// The same for workers that work together. The first one's lines are told; requests to stop go to all. When
/// one fails and the others do not end by themselves, they are killed. @returns  all, in the order of their
/// ends
[[nodiscard]] Result<std::vector<RankEnd>> runRanks(const std::vector<WorkerOptions>& ranks,
                                                    const EventListener& onEvent, const StopListener& onStop,
                                                    const RoundListener& onRound = {});
/// The same where the lines of all are told, and none notices the end of another: they are asked to stop
/// then.
[[nodiscard]] Result<std::vector<RankEnd>> runHeardRanks(const std::vector<WorkerOptions>& ranks,
                                                         const RankListener& onEvent,
                                                         const StopListener& onStop);

/// The end as an outcome: the worker's own, or one in words for an end that it could not describe.
[[nodiscard]] OutcomeEvent outcomeOf(const WorkerEnd& end);
/// The same of several ranks: the end of the one that brought the others to theirs.
[[nodiscard]] OutcomeEvent outcomeOf(const std::vector<RankEnd>& ends);
/// The same where each rank has made a part of its own: done where all are, else the end that was the cause.
[[nodiscard]] OutcomeEvent outcomeOfParts(const std::vector<RankEnd>& ends);

/// Where the worker program is: beside this one.
[[nodiscard]] std::string workerPath();

} // namespace homebooth::core

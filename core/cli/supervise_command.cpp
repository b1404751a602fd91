// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoint.h"
#include "core/base/run/job_queue.h"
#include "core/base/util/log.h"
#include "core/cli/options.h"
#include "core/cli/run_job.h"
#include "core/cli/sleep_inhibitor.h"
#include "core/cli/train_request.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <optional>
#include <thread>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// How a job ended, and whether it was this program that was told to end.
struct JobEnd {
    int code = kExitDone;
    bool interrupted = false;
};

/// What this program and the worker say from now on goes into the run's folder, where it can be looked for.
/// A folder that cannot be written says so soon enough by itself.
void speakInto(const RunFolder& run) {
    const std::string log = run.path() + "/supervisor.log";
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) return;
    std::fflush(stdout);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file, stream);
    ::close(file);
}

/// Trains a run from where it is.
Result<int> runOne(const std::string& path, bool logInRun, bool& interrupted) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    if (logInRun) speakInto(run);
    HOMEBOOTH_ASSIGN(RunLock lock, takeRun(run, /*quiet=*/false));
    // What was right when the job was queued may be gone by now: photos, model, space.
    const auto ready = checkAgain(run);
    if (!ready &&
        static_cast<int>(ready.error().code) == kExitCancelled) { // told to end while it was planned
        interrupted = true;
        return kExitCancelled;
    }
    if (!ready) return refuseJob(run, ready.error());
    RunJobOptions options;
    options.attempt =
        listCheckpoints(run.checkpointsDir()).empty() ? RunAttempt::Queued : RunAttempt::Resumed;
    options.plan = ready->plan.event;
    options.warnings = ready->warnings;
    options.verb = "supervise";
    options.interrupted = &interrupted;
    return runJob(run, std::move(lock), options);
}

/// Works on the run in a folder.
using Work = std::function<JobEnd(const std::string& run)>;

JobEnd runAndReport(const std::string& path, bool logInRun) {
    JobEnd end;
    const auto code = runOne(path, logInRun, end.interrupted);
    end.code = code ? *code : fail("supervise", code.error());
    return end;
}

/// What becomes of a job after its end. One that was cut short by a signal to the supervisor (the computer is
/// switched off) waits again; one that the user stopped does not.
Result<void> settle(const JobQueue& queue, const QueuedJob& job, const JobEnd& end) {
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

void sayWhoComesFirst(const JobQueue& queue) {
    const auto owner = queue.turnOwner();
    if (!owner) return; // it has just ended
    log(LogLevel::Info, "process " + std::to_string(*owner) + " has work that comes first; waiting for it");
}

/// Waits while somebody else's jobs come first. @param wanted  whether there still is something to begin with
Result<std::optional<RunLock>> awaitTurn(const JobQueue& queue, const std::function<Result<bool>()>& wanted) {
    constexpr std::chrono::milliseconds kPause(200);
    for (bool told = false;; told = true) {
        HOMEBOOTH_ASSIGN(std::optional<RunLock> turn, queue.takeTurn());
        if (turn) return turn;
        HOMEBOOTH_ASSIGN(const bool go, wanted());
        if (!go) return std::optional<RunLock>();
        if (!told) sayWhoComesFirst(queue);
        std::this_thread::sleep_for(kPause);
    }
}

/// The next job once it is its turn, running from now on. Whoever wants the turn after it may have it at
/// once.
Result<std::optional<QueuedJob>> takeNext(const JobQueue& queue) {
    const auto wanted = [&queue]() -> Result<bool> {
        HOMEBOOTH_ASSIGN(const auto left, queue.jobs());
        return !left.empty() && !queue.held();
    };
    HOMEBOOTH_ASSIGN(const std::optional<RunLock> turn, awaitTurn(queue, wanted));
    if (!turn) return std::optional<QueuedJob>();
    return queue.take();
}

/// Begins with a job that waits once it is its turn. @returns false if it was taken out meanwhile
Result<bool> beginWith(const JobQueue& queue, const std::string& id) {
    const auto waits = [&queue, &id]() -> Result<bool> {
        HOMEBOOTH_ASSIGN(const auto left, queue.jobs());
        return std::any_of(left.begin(), left.end(), [&id](const QueuedJob& job) { return job.id == id; });
    };
    HOMEBOOTH_ASSIGN(const std::optional<RunLock> turn, awaitTurn(queue, waits));
    return queue.move(id, JobState::Waiting, JobState::Running);
}

/// Works the queue off. A stop ends the one job that it was meant for; who wants rest holds the queue. What
/// tells this program to end ends the work.
Result<int> workQueueOff(const JobQueue& queue, const Work& work) {
    while (true) {
        HOMEBOOTH_ASSIGN(const auto job, takeNext(queue));
        if (!job) return kExitDone;
        const JobEnd end = work(job->runDir);
        HOMEBOOTH_CHECK(settle(queue, *job, end));
        if (end.interrupted) return end.code;
    }
}

/// Works the queue off until nothing is left, also of what came just when the lock was given back.
Result<int> superviseQueue(const JobQueue& queue, RunLock lock, const Work& work) {
    while (true) {
        {
            const RunLock held = std::move(lock);
            HOMEBOOTH_ASSIGN(const int code, workQueueOff(queue, work));
            if (code != kExitDone) return code;
        }
        HOMEBOOTH_ASSIGN(const auto left, queue.jobs());
        if (left.empty() || queue.held()) return kExitDone;
        auto again = queue.supervise();
        if (!again) return kExitDone; // somebody else has it
        lock = std::move(again).value();
    }
}

/// A run that was named, ahead of the queue and as a part of it: a shutdown lets it wait as the first, and an
/// entry of its own does not bring it a second time. How it ended otherwise is for whoever named it to know.
Result<JobEnd> runAhead(const JobQueue& queue, const std::string& runDir, const Work& work) {
    HOMEBOOTH_ASSIGN(const std::string id, queue.add(runDir, /*first=*/true));
    HOMEBOOTH_ASSIGN(const bool begun, beginWith(queue, id));
    if (!begun) return JobEnd{kExitCancelled, false};
    const JobEnd end = work(runDir);
    if (end.interrupted)
        HOMEBOOTH_CHECK(queue.move(id, JobState::Running, JobState::Waiting));
    else
        HOMEBOOTH_CHECK(queue.remove(id, JobState::Running));
    return end;
}

/// Works on a run and then on the queue. Where another supervisor works, the run waits for it as the next
/// one.
Result<int> superviseRun(const JobQueue& queue, const std::string& path, const Work& work) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    auto lock = queue.supervise();
    if (!lock && !queue.supervised()) { // there can be no queue: no folder for it, say
        const JobEnd end = work(run.path());
        return end.code != kExitDone ? Result<int>(end.code) : lock.error();
    }
    if (!lock) {
        HOMEBOOTH_CHECK(queue.add(run.path(), /*first=*/true));
        lock = queue.supervise(); // the other one may have found the queue empty just before
        if (lock) return superviseQueue(queue, std::move(lock).value(), work);
        std::printf("another supervisor works; this run is the next one in the queue\n");
        return kExitDone;
    }
    HOMEBOOTH_ASSIGN(const JobEnd end, runAhead(queue, run.path(), work));
    if (end.interrupted) return end.code;
    HOMEBOOTH_ASSIGN(const int rest, superviseQueue(queue, std::move(lock).value(), work));
    return end.code != kExitDone ? end.code : rest;
}

Result<int> supervise(const JobQueue& queue, const std::string& run, const Work& work) {
    if (!run.empty()) return superviseRun(queue, run, work);
    HOMEBOOTH_ASSIGN(RunLock lock, queue.supervise());
    return superviseQueue(queue, std::move(lock), work);
}

} // namespace

int runSupervise(const Arguments& arguments) {
    CLI::App app(
        "Runs a job, then those in the queue. Closing the window or the terminal does not end it.\n"
        " The queue is $XDG_STATE_HOME/homebooth/queue, one JSON file a job:\n"
        "{\"run\": \"/path/of/the/run\"}. The file \"order\" there may say which come first, one name\n"
        "without \".json\" a line; the others follow by name. While there is a file \"hold\", none begins.",
        "homebooth-engine supervise");
    std::string run;
    bool once = false;
    bool logsInRuns = false;
    app.add_option("RUN", run, "the run to begin with");
    app.add_flag("--no-queue", once, "leave the queue alone");
    app.add_flag("--logs-in-runs", logsInRuns,
                 "what is said of a run goes into its folder, as supervisor.log");
    if (const auto done = parseArguments(app, arguments)) return *done;

    // No session of its own where this leads a process group, as every program of an interactive shell does:
    // what keeps it alive there is that it and, through it, the worker do not listen when the terminal goes.
    ::setsid();
    std::signal(SIGHUP, SIG_IGN);
    const SleepInhibitor inhibitor;
    const auto work = [logsInRuns](const std::string& path) { return runAndReport(path, logsInRuns); };
    if (once) return run.empty() ? kExitDone : work(run).code;
    const auto code = supervise(JobQueue(), run, work);
    return code ? *code : fail("supervise", code.error());
}

} // namespace homebooth::core

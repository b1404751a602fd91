// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoint.h"
#include "core/cli/options.h"
#include "core/cli/queue.h"
#include "core/cli/run_job.h"
#include "core/cli/sleep_inhibitor.h"
#include "core/cli/train_request.h"

#include <csignal>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// Trains a run from where it is.
Result<int> runOne(const std::string& path) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    HOMEBOOTH_ASSIGN(RunLock lock, takeRun(run, /*quiet=*/false));
    // What was right when the job was queued may be gone by now: photos, model, space.
    const auto ready = checkAgain(run);
    if (!ready) return refuseJob(run, ready.error());
    RunJobOptions options;
    options.attempt =
        listCheckpoints(run.checkpointsDir()).empty() ? RunAttempt::Queued : RunAttempt::Resumed;
    options.plan = ready->plan.event;
    options.warnings = ready->warnings;
    options.verb = "supervise";
    return runJob(run, std::move(lock), options);
}

int runAndReport(const std::string& path) {
    const auto code = runOne(path);
    return code ? *code : fail("supervise", code.error());
}

/// Works the queue off. A job that was cancelled ends the work: whoever stopped it wants rest.
Result<int> workQueueOff(JobQueue& queue) {
    while (true) {
        HOMEBOOTH_ASSIGN(const auto job, queue.next());
        if (!job) return kExitDone;
        const int code = runAndReport(job->runDir);
        if (code == kExitCancelled) return code;
        HOMEBOOTH_CHECK(code == kExitDone ? queue.finish(*job) : queue.putAside(*job));
    }
}

} // namespace

int runSupervise(const Arguments& arguments) {
    CLI::App app("Runs a job, then those in the queue. Closing the window or the terminal does not end it.\n"
                 " The queue is $XDG_STATE_HOME/homebooth/queue, one JSON file a job,\n"
                 "in the order of their names: {\"run\": \"/path/of/the/run\"}.",
                 "homebooth-engine supervise");
    std::string run;
    bool once = false;
    app.add_option("RUN", run, "the run to begin with");
    app.add_flag("--no-queue", once, "leave the queue alone");
    if (const auto done = parseArguments(app, arguments)) return *done;

    // No session of its own where this leads a process group, as every program of an interactive shell does:
    // what keeps it alive there is that it and, through it, the worker do not listen when the terminal goes.
    ::setsid();
    std::signal(SIGHUP, SIG_IGN);
    const SleepInhibitor inhibitor;
    const int code = run.empty() ? kExitDone : runAndReport(run);
    if (once || code == kExitCancelled) return code;
    auto queue = JobQueue::open(queueFolder());
    if (!queue) return fail("supervise", queue.error());
    const auto rest = workQueueOff(*queue);
    if (!rest) return fail("supervise", rest.error());
    return code != kExitDone ? code : *rest;
}

} // namespace homebooth::core

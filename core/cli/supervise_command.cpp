// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/log_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/run/queue/job_slots.h"
#include "core/base/util/log.h"
#include "core/cli/options.h"
#include "core/cli/power/desktop_notice.h"
#include "core/cli/power/sleep_inhibitor.h"
#include "core/cli/queue/job_crew.h"
#include "core/cli/queue/job_pool.h"
#include "core/cli/queue/job_process.h"
#include "core/cli/train/train_request.h"
#include "core/cli/worker/run_job.h"
#include "core/cli/worker/stop_signals.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

constexpr std::chrono::milliseconds kTurnPause(200); // between two looks at the queue

/// What this program and the worker say from now on goes into the run's folder, where it can be looked for.
/// A folder that cannot be written says so soon enough by itself.
void speakInto(const RunFolder& run) {
    const int file = openLog(run.path() + "/supervisor.log");
    if (file < 0) return;
    std::fflush(stdout);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file, stream);
    ::close(file);
}

/// How a run is worked on.
struct Manner {
    bool logInRun = false;           ///< what is said of it goes into its folder
    bool mayWait = false;            ///< for room: then it is no failure that there is none
    SleepInhibitor* awake = nullptr; ///< this program's
};

/// Trains a run from where it is.
Result<int> runOne(const std::string& path, const Manner& manner, bool& interrupted) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    if (manner.logInRun) speakInto(run);
    HOMEBOOTH_ASSIGN(std::optional<RunLock> lock, awaitRun(run));
    if (!lock) {
        interrupted = true;
        return kExitCancelled;
    }
    // What was right when the job was queued may be gone by now: photos, model, space.
    bool lacksMemory = false;
    const auto ready = checkAgain(run, lacksMemory);
    if (!ready &&
        static_cast<int>(ready.error().code) == kExitCancelled) { // told to end while it was planned
        interrupted = true;
        return kExitCancelled;
    }
    if (!ready && manner.mayWait && lacksMemory) {
        log(LogLevel::Info, "there is no room for it at present: " + ready.error().text());
        return kExitNoRoom;
    }
    if (!ready) return refuseJob(run, ready.error());
    RunJobOptions options;
    options.attempt =
        listCheckpoints(run.checkpointsDir()).empty() ? RunAttempt::Queued : RunAttempt::Resumed;
    options.plan = ready->plan.event;
    options.warnings = ready->warnings;
    options.gpus = ready->gpus;
    options.verb = "supervise";
    options.interrupted = &interrupted;
    options.awake = manner.awake;
    options.lacksRoom = [&run] { tellItNeedsSomebody(JobQueue(), run.path()); };
    return runJob(run, std::move(*lock), options);
}

JobEnd runAndReport(const std::string& path, const Manner& manner) {
    JobEnd end;
    const auto code = runOne(path, manner, end.interrupted);
    end.code = code ? *code : fail("supervise", code.error());
    return end;
}

/// Waits while somebody else's jobs come first. @param wanted  whether there still is something to begin with
Result<std::optional<RunLock>> awaitTurn(const JobQueue& queue, const std::function<Result<bool>()>& wanted) {
    for (bool told = false;; told = true) {
        HOMEBOOTH_ASSIGN(std::optional<RunLock> turn, queue.takeTurn());
        if (turn) return turn;
        HOMEBOOTH_ASSIGN(const bool go, wanted());
        if (!go) return std::optional<RunLock>();
        if (!told) sayWhoComesFirst(queue);
        std::this_thread::sleep_for(kTurnPause);
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

/// One job at a time, in this process.
class OneByOne : public JobCrew {
public:
    OneByOne(JobQueue queue, const Manner& manner)
        : m_queue(std::move(queue))
        , m_manner(manner) {}

    Result<int> workOff() override {
        while (true) {
            HOMEBOOTH_ASSIGN(const auto job, takeNext(m_queue));
            if (!job) return kExitDone;
            const JobEnd end = runAndReport(job->runDir, m_manner);
            HOMEBOOTH_CHECK(settle(m_queue, *job, end));
            // Also behind one that came to its end all the same: nothing begins any more.
            if (end.interrupted) return end.code == kExitDone ? kExitCancelled : end.code;
        }
    }

    Result<JobEnd> runAhead(const std::string& runDir) override {
        HOMEBOOTH_ASSIGN(const std::string id, m_queue.add(runDir, /*first=*/true));
        HOMEBOOTH_ASSIGN(const bool begun, beginWith(m_queue, id));
        if (!begun) return JobEnd{kExitCancelled, false};
        const JobEnd end = runAndReport(runDir, m_manner);
        HOMEBOOTH_CHECK(settleNamed(m_queue, {id, runDir}, end));
        return end;
    }

private:
    const JobQueue m_queue;
    const Manner m_manner;
};

/// What there is to compute on, asked while requests to stop wait: threads of a driver must not take them.
std::vector<JobSlot> findSlots() {
    const StopSignals held;
    return jobSlots();
}

/// Who works on this machine. The window reads in the queue's folder what there is.
std::unique_ptr<JobCrew> crewFor(const JobQueue& queue, const Manner& manner) {
    std::vector<JobSlot> slots = findSlots();
    if (const auto told = queue.setKnownSlots(slots); !told) log(LogLevel::Warning, told.error().text());
    if (slots.size() < 2) return std::make_unique<OneByOne>(queue, manner);
    return std::make_unique<JobPool>(queue, std::move(slots), manner.logInRun);
}

/// Works the queue off until nothing is left, also of what came just when the lock was given back.
Result<int> superviseQueue(const JobQueue& queue, RunLock lock, JobCrew& crew) {
    while (true) {
        {
            const RunLock held = std::move(lock);
            HOMEBOOTH_ASSIGN(const int code, crew.workOff());
            if (code != kExitDone) return code;
        }
        HOMEBOOTH_ASSIGN(const auto left, queue.jobs());
        if (left.empty() || queue.held()) return kExitDone;
        std::this_thread::sleep_for(kTurnPause); // a job may be told its new name at this very moment
        auto again = queue.supervise();
        if (!again) return kExitDone; // somebody else has it
        lock = std::move(again).value();
    }
}

/// Says why no job begins; nothing where one does.
void sayWhyIdle(const JobQueue& queue) {
    const auto left = queue.jobs();
    if (left && left->empty())
        std::printf("the queue is empty\n");
    else if (left && queue.held())
        std::printf("the queue is held: nothing begins while there is %s/hold\n", queue.folder().c_str());
    std::fflush(stdout);
}

/// Works on a run and then on the queue. Where another supervisor works, the run waits for it as the next
/// one. How the run ended is for whoever named it to know.
Result<int> superviseRun(const JobQueue& queue, const std::string& path, const Manner& manner) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    auto lock = queue.supervise();
    if (!lock && !queue.supervised()) { // there can be no queue: no folder for it, say
        const JobEnd end = runAndReport(run.path(), manner);
        return end.code != kExitDone ? Result<int>(end.code) : lock.error();
    }
    if (!lock) {
        HOMEBOOTH_CHECK(queue.add(run.path(), /*first=*/true));
        lock = queue.supervise(); // the other one may have found the queue empty just before
        if (lock) return superviseQueue(queue, std::move(lock).value(), *crewFor(queue, manner));
        std::printf("another supervisor works; this run is the next one in the queue\n");
        return kExitDone;
    }
    const std::unique_ptr<JobCrew> crew = crewFor(queue, manner);
    HOMEBOOTH_ASSIGN(const JobEnd end, crew->runAhead(run.path()));
    if (end.interrupted) return end.code;
    HOMEBOOTH_ASSIGN(const int rest, superviseQueue(queue, std::move(lock).value(), *crew));
    return end.code != kExitDone ? end.code : rest;
}

Result<int> supervise(const JobQueue& queue, const std::string& run, const Manner& manner) {
    if (!run.empty()) return superviseRun(queue, run, manner);
    HOMEBOOTH_ASSIGN(RunLock lock, queue.supervise());
    sayWhyIdle(queue);
    return superviseQueue(queue, std::move(lock), *crewFor(queue, manner));
}

/// What becomes of this process: nobody's any more, or a supervisor's own for one job.
void becomeSupervisor(bool job) {
    if (job) return listenToSupervisor();
    // No session of its own where this leads a process group, as every program of an interactive shell does:
    // what keeps it alive there is that it and, through it, the worker do not listen when the terminal goes.
    ::setsid();
    std::signal(SIGHUP, SIG_IGN);
}

} // namespace

int runSupervise(const Arguments& arguments) {
    CLI::App app(
        "Runs a job, then those in the queue; with several GPUs one on each. Closing the window or\n"
        "the terminal does not end it.\n"
        " The queue is $XDG_STATE_HOME/homebooth/queue, one JSON file a job:\n"
        "{\"run\": \"/path/of/the/run\"}. The file \"order\" there may say which come first, one name\n"
        "without \".json\" a line; the others follow by name. While there is a file \"hold\", none begins.\n"
        "The program ends when nothing is left to do or the queue is held, with 0: a service that starts it\n"
        "again at once would do so for ever.\n"
        " Its exit code is that of RUN. How the jobs of the queue end does not change it, and is said in\n"
        "their runs.",
        "homebooth-engine supervise");
    std::string run;
    bool once = false;
    bool job = false;
    Manner manner;
    app.add_option("RUN", run, "the run to begin with");
    app.add_flag("--no-queue", once, "leave the queue alone");
    app.add_flag("--logs-in-runs", manner.logInRun,
                 "what is said of a run goes into its folder, as supervisor.log");
    // Of a supervisor to the processes of its jobs; not for people.
    app.add_flag("--job", job)->group("");
    app.add_flag("--may-wait", manner.mayWait)->group("");
    if (const auto done = parseArguments(app, arguments)) return *done;

    becomeSupervisor(job);
    std::optional<SleepInhibitor> inhibitor;
    if (!job) inhibitor.emplace(SleepInhibitor::Kind::Awake);
    manner.awake = inhibitor ? &*inhibitor : nullptr;
    if (once) return run.empty() ? kExitDone : runAndReport(run, manner).code;
    const auto code = supervise(JobQueue(), run, manner);
    return code ? *code : fail("supervise", code.error());
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/run_job.h"

#include "core/base/config/byte_size.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/control/control.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/journal/progress.h"
#include "core/base/run/lock_wait.h"
#include "core/base/system/power_facts.h"
#include "core/base/system/slept_time.h"
#include "core/cli/power/battery_watch.h"
#include "core/cli/power/sleep_watch.h"
#include "core/cli/told_lines.h"
#include "core/cli/train/left_out.h"
#include "core/cli/verb.h"
#include "core/cli/worker/meeting_folder.h"
#include "core/cli/worker/own_program.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_process.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr const char* kGoOnWith = "go on with: ";

/// A command that can be copied.
std::string howToGoOn(const RunFolder& run) {
    return kGoOnWith + ownCommand() + " resume " + quoted(run.path());
}

/// What is safe on disk, in words.
std::string keptText(const RunFolder& run) {
    if (!RunFolder::open(run.path())) return {}; // nothing there to go on from
    const std::vector<CheckpointEntry> all = listCheckpoints(run.checkpointsDir());
    for (const CheckpointEntry& entry : all)
        if (verifyCheckpoint(entry.path, VerifyDepth::Sizes))
            return "the checkpoint of step " + std::to_string(entry.step) + " is safe; " + howToGoOn(run);
    if (diskFails(run.checkpointsDir())) return kCheckpointsUnread;
    if (auto loss = lossInWords(run)) return std::move(*loss);
    return all.empty() ? "nothing was saved yet" : "no checkpoint is whole any more";
}

using LineListener = std::function<void(const std::string& line)>;

Error journalError(const Error& error) {
    return {error.code, "the run's journal cannot be written: " + error.message, error.context};
}

/// Writes what the worker could not say any more. It is dead, so this is the only writer.
/// @param begun  as JournalWriter::open has it
/// @param told   who hears of it, too
void writeOutcome(const RunFolder& run, const OutcomeEvent& outcome,
                  std::optional<JournalWriter::Instant> begun = {}, const LineListener& told = {}) {
    auto journal = JournalWriter::open(run.journalFile(), begun);
    if (journal && told) (*journal)->setListener(told);
    if (journal) (*journal)->emit(outcome);
    if (!journal) {
        if (told) told(toJsonLine({0, isoTime(std::chrono::system_clock::now()), outcome}));
        fail("journal", journalError(journal.error()));
    } else if (const auto failure = (*journal)->failure()) {
        fail("journal", journalError(*failure));
    }
}

class RunWatch {
public:
    RunWatch(const RunJobOptions& options, int64_t totalSteps)
        : m_json(options.json)
        , m_totalSteps(totalSteps)
        , m_lacksRoom(options.lacksRoom) {}

    /// What an earlier one measured tells nothing of this one's pace, and what it had not saved is lost.
    void beginAttempt() {
        m_progress.emplace(!m_json && ::isatty(STDERR_FILENO) != 0, m_totalSteps);
        m_unsaved = false;
        m_learns = false;
        m_switchedOn = switchedOn();
    }
    void note(const std::string& text) {
        if (!m_json) m_progress->note(text);
    }
    void take(const std::string& line, const std::optional<JournalEntry>& entry) {
        if (m_json) {
            tellLine(line);
        } else if (entry) {
            m_progress->show(entry->event);
        }
        if (entry) look(entry->event);
    }
    void stopping(StopRequest request) {
        m_stopped = true;
        if (m_json) return;
        m_progress->note(request == StopRequest::Gently
                             ? "saving and stopping; press Ctrl-C again to stop at once"
                             : "stopping at once, without saving");
    }
    void finish() { m_progress->finish(); }
    void takeEnds(const std::vector<RankEnd>& ends) {
        m_alone = std::any_of(ends.begin(), ends.end(), [](const RankEnd& one) {
            return one.end.outcome && one.end.outcome->code == kExitRankAbsent;
        });
    }
    [[nodiscard]] bool begun() const { return m_begun; }
    [[nodiscard]] bool learns() const { return m_learns; }   ///< this attempt has done a step
    [[nodiscard]] bool stopped() const { return m_stopped; } ///< by a person, or whoever called this
    [[nodiscard]] bool unsaved() const { return m_unsaved; } ///< something that was learned
    [[nodiscard]] bool alone() const { return m_alone; }     ///< other ranks never came
    [[nodiscard]] const LeftOut& leftOut() const { return m_leftOut; }
    /// As JournalWriter::open has it: the attempt's worker begins with the same clock.
    [[nodiscard]] JournalWriter::Instant machineBegun() const { return m_switchedOn; }

private:
    void look(const Event& event) {
        if (const auto* warning = std::get_if<WarningEvent>(&event)) m_leftOut.take(*warning);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == kEndsOnRequest) m_stopped = true;
        const bool waits = state != nullptr && state->state == kWaitsForRoom;
        if (waits && !std::exchange(m_waits, true) && m_lacksRoom) m_lacksRoom();
        if (std::holds_alternative<CheckpointEvent>(event)) m_unsaved = false;
        if (!std::holds_alternative<StepEvent>(event)) return;
        m_begun = true;
        m_learns = true;
        m_unsaved = true;
        m_waits = false;
    }

    bool m_json;
    int64_t m_totalSteps;
    std::optional<Progress> m_progress; // of this attempt
    const std::function<void()>& m_lacksRoom;
    bool m_begun = false;
    bool m_learns = false;
    bool m_stopped = false;
    bool m_unsaved = false;
    bool m_waits = false; // for room, since the last step
    bool m_alone = false;
    LeftOut m_leftOut;
    JournalWriter::Instant m_switchedOn;
};

/// Keeps the list of what the training went on without, and says where it is.
void tellLeftOut(const RunFolder& run, const LeftOut& leftOut, bool json) {
    const auto lines = leftOut.write(run);
    const std::string file = run.path() + "/" + kLeftOutName;
    if (!lines)
        std::fprintf(stderr, "warning: the list of pictures that were left out was not written: %s\n",
                     lines.error().text().c_str());
    else if (*lines > 0 && !json)
        std::printf("left out: %zu %s, listed in %s\n", *lines, *lines == 1 ? "file" : "files", file.c_str());
}

/// What a training took at most; of several processes the first one's, which alone is in the outcome.
std::string peakText(const RunFolder& run, const OutcomeEvent& outcome) {
    if (outcome.measured.residentBytes <= 0) return "";
    const auto config = run.config();
    const int64_t processes = config ? config->parallel.processes : 1;
    return ", peak memory " + byteSizeText(outcome.measured.residentBytes) +
           (processes > 1 ? " in the first of " + std::to_string(processes) + " processes" : "");
}

int reportEnd(const RunFolder& run, const OutcomeEvent& outcome, bool json, const char* verb) {
    if (outcome.result == "failed") {
        std::string message = outcome.message;
        if (!outcome.kept.empty()) message += "; " + outcome.kept;
        // Without a whole checkpoint there is nothing to go on from, and the message says what else to do.
        const bool hasCheckpoint = RunFolder::open(run.path()).ok() &&
                                   newestValidCheckpoint(run.checkpointsDir(), VerifyDepth::Sizes).ok();
        if (hasCheckpoint && message.find("begin again") == std::string::npos &&
            message.find(kGoOnWith) == std::string::npos)
            message += "; " + howToGoOn(run);
        return fail(verb, {static_cast<ErrorCode>(outcome.code), message, {}});
    }
    if (json) return outcome.code;
    if (outcome.result == "cancelled") {
        std::string text = outcome.kept.empty() ? "stopped" : "stopped; " + outcome.kept;
        if (text.find(kGoOnWith) == std::string::npos && RunFolder::open(run.path()))
            text += "; " + howToGoOn(run);
        std::printf("%s\n", text.c_str());
        return kExitCancelled;
    }
    std::printf("done%s\n", peakText(run, outcome).c_str());
    for (const std::string& path : outcome.resultPaths) std::printf("%s\n", path.c_str());
    return kExitDone;
}

/// An attempt that came to nothing changes nothing.
void restoreSettings(const RunFolder& run, const RunJobOptions& options) {
    if (!options.before) return;
    if (const auto restored = run.setConfig(*options.before); !restored) fail(options.verb, restored.error());
}

/// Takes back what an attempt that failed before its first step has changed.
/// @param alone  other ranks never came: its start is to be repeated
void undo(const RunFolder& run, const RunJobOptions& options, bool alone, OutcomeEvent& outcome) {
    const bool badInput = outcome.code == static_cast<int>(ErrorCode::BadInput) ||
                          outcome.code == static_cast<int>(ErrorCode::Usage);
    if (options.attempt == RunAttempt::Fresh && (badInput || alone)) {
        removeUnbegun(run);
        outcome.kept.clear();
    }
    restoreSettings(run, options);
}

/// What this program writes into the journal is told like what a worker does.
LineListener linesTo(RunWatch& watch) {
    return [&watch](const std::string& line) { watch.take(line, parseJournalLine(line)); };
}

/// What is known before the worker starts goes first into the journal.
Result<void> writePreparation(const RunFolder& run, const RunJobOptions& options, RunWatch& watch) {
    HOMEBOOTH_ASSIGN(const auto journal, JournalWriter::open(run.journalFile(), watch.machineBegun()));
    journal->setListener(linesTo(watch));
    if (options.plan) journal->emit(*options.plan);
    for (const WarningEvent& warning : options.warnings) journal->emit(warning);
    if (const auto failure = journal->failure()) return journalError(*failure);
    return {};
}

/// What each worker is started with; several meet in a folder of their own.
std::vector<WorkerOptions> workersOf(const RunFolder& run, const RunLock& lock, const RunJobOptions& options,
                                     int64_t processes, const MeetingFolder& meeting) {
    const bool resumed = options.attempt == RunAttempt::Resumed;
    std::vector<WorkerOptions> workers;
    for (int64_t rank = 0; rank < processes; ++rank) {
        WorkerOptions worker;
        worker.arguments = {resumed ? "resume" : "train", run.path()};
        const std::vector<std::string> place = meeting.argumentsOf(rank, processes);
        worker.arguments.insert(worker.arguments.end(), place.begin(), place.end());
        if (options.launched) worker.arguments.emplace_back("--launched");
        if (!options.gpus.empty()) worker.device = options.gpus.at(static_cast<size_t>(rank));
        worker.inheritedFile = lock.descriptor();
        workers.push_back(std::move(worker));
    }
    return workers;
}

/// What a run's surroundings ask of it.
struct Watches {
    SleepWatch sleep;
    BatteryWatch battery;
};

bool isFailure(const Event& event) {
    const auto* outcome = std::get_if<OutcomeEvent>(&event);
    return outcome != nullptr && outcome->result == "failed";
}

/// Runs all workers of a run until the last one has ended; of one that a launcher has started, its own.
Result<std::vector<RankEnd>> runWorkers(const RunFolder& run, const RunLock& lock,
                                        const RunJobOptions& options, int64_t processes, RunWatch& watch,
                                        Watches& watches) {
    const int64_t here = options.launched ? 1 : processes;
    MeetingFolder meeting;
    if (here > 1) HOMEBOOTH_CHECK(meeting.make());
    return runRanks(
        workersOf(run, lock, options, here, meeting),
        [&watch, &watches, ofSeveral = processes > 1](const std::string& line, const auto& entry) {
            if (ofSeveral && entry && isFailure(entry->event))
                return; // perhaps the consequence of another one's
            watch.take(line, entry);
            if (entry && std::holds_alternative<CheckpointEvent>(entry->event)) watches.sleep.saved();
        },
        [&watch, &options](StopRequest request) {
            if (options.interrupted != nullptr) *options.interrupted = true;
            watch.stopping(request);
        },
        [&watches] {
            watches.sleep.look();
            watches.battery.look();
        });
}

/// Whether the journal says how the run ended: a worker wrote that itself. Of several ranks nobody writes a
/// failure, since it may be the consequence of another one's.
bool hasOutcome(const std::vector<RankEnd>& ends, bool ofSeveral) {
    return std::any_of(ends.begin(), ends.end(), [ofSeveral](const RankEnd& one) {
        if (one.rank != 0 || !one.end.outcome) return false;
        return !ofSeveral || one.end.outcome->result != "failed";
    });
}

/// The end of a run that cannot begin, or go on; it is in the journal then.
/// @param told  who hears of it, too
OutcomeEvent refused(const RunFolder& run, const Error& error, const LineListener& told = {}) {
    OutcomeEvent outcome;
    outcome.result = "failed";
    outcome.code = static_cast<int>(error.code);
    outcome.message = error.text();
    outcome.kept = keptText(run);
    writeOutcome(run, outcome, {}, told);
    return outcome;
}

/// One attempt to its end, which is in the journal then. Errors: it could not begin
Result<OutcomeEvent> runAttempt(const RunFolder& run, const RunLock& lock, const RunJobOptions& options,
                                int64_t processes, RunWatch& watch, Watches& watches) {
    watch.beginAttempt();
    watches.battery.beginAttempt();
    HOMEBOOTH_CHECK(writePreparation(run, options, watch));
    const auto ends = runWorkers(run, lock, options, processes, watch, watches);
    watch.finish();
    if (!ends) return ends.error();
    watch.takeEnds(*ends);
    OutcomeEvent outcome = outcomeOf(*ends);
    if (hasOutcome(*ends, processes > 1)) return outcome;
    outcome.kept = keptText(run);
    writeOutcome(run, outcome, watch.machineBegun(), linesTo(watch));
    std::error_code ignored;
    std::filesystem::remove(run.controlFile(), ignored); // a dead worker's
    return outcome;
}

/// Whether the worker was asked to save what is not saved yet, and will.
bool asksToSave(const RunFolder& run, const RunWatch& watch) {
    // Until it is reached, and again until it answers; nobody looks after the workers meanwhile.
    constexpr int kPatienceMs = 1000;
    if (!watch.unsaved()) return false;
    const auto reply = sendControl(run.controlFile(), {ControlVerb::SaveNow, {}}, kPatienceMs);
    return reply && reply->ok;
}

/// Has a training whose battery is low pause, for which it saves what it learned, or go on. Before its steps
/// there is nothing to save, and nothing pauses. @returns  whether the worker has heard of it
bool tellOfBattery(const RunFolder& run, RunWatch& watch, bool low) {
    constexpr int kPatienceMs = 1000; // as where it is asked to save
    if (low && !watch.learns()) return false;
    const ControlVerb verb = low ? ControlVerb::Pause : ControlVerb::Resume;
    const auto reply = sendControl(run.controlFile(), {verb, {}, {}, /*battery=*/true}, kPatienceMs);
    if (!reply || !reply->ok) return false;
    std::string note = "the battery has been charged: going on";
    if (low) {
        note = "the battery is low: saving after this step, and pausing until a charger has brought it to ";
        note.append(std::to_string(kSafePercent)).append(" %");
    }
    watch.note(note);
    return true;
}

/// Whether a sleep may be why a training ended: a GPU may lose its memory in it. Then it answers with errors,
/// its driver crashes, or what comes out of it is no number.
bool mayComeOfSleep(const OutcomeEvent& outcome) {
    constexpr std::array kSigns{FailureCause::DeviceLost, FailureCause::Crash, FailureCause::Diverged,
                                FailureCause::RankLost};
    const FailureCause cause = causeOf(outcome.code, outcome.message);
    return outcome.result == "failed" && std::find(kSigns.begin(), kSigns.end(), cause) != kSigns.end();
}

/// Whether there is a checkpoint to go on from behind a sleep. A drive comes back some seconds after its
/// machine; until then it is waited for, unless this program is told to end.
/// Errors: BadInput where the checkpoints are out of reach, or none of them is whole
Result<bool> isSaved(const RunFolder& run, const StopSignals& signals, SleepWatch& sleep) {
    constexpr std::chrono::seconds kPatience(15);
    constexpr int kPauseMs = 200;
    const auto latest = std::chrono::steady_clock::now() + kPatience;
    pollfd told{signals.descriptor(), POLLIN, 0};
    const int64_t savedStep = lastSavedStep(run);
    auto there = expectSavedThere(run, savedStep);
    while (!there && std::chrono::steady_clock::now() < latest && ::poll(&told, 1, kPauseMs) == 0) {
        sleep.look();
        there = expectSavedThere(run, savedStep);
    }
    if (!there) return there.error();
    if (listCheckpoints(run.checkpointsDir()).empty()) return false;
    HOMEBOOTH_CHECK(newestValidCheckpoint(run.checkpointsDir(), VerifyDepth::Sizes));
    return true;
}

/// The same attempt once more, from what is saved.
RunJobOptions againAfterSleep(RunJobOptions options, bool saved) {
    if (saved) options.attempt = RunAttempt::Resumed;
    options.warnings = {WarningEvent{
        "after-sleep",
        std::string("the training ended when the computer slept; ") +
            (saved ? "it goes on from the last checkpoint" : "nothing was saved yet, so it begins again")}};
    return options;
}

/// Attempts until one ends otherwise than by a sleep. Errors: the last one could not begin
Result<OutcomeEvent> runAttempts(const RunFolder& run, const RunLock& lock, const RunJobOptions& options,
                                 const StopSignals& signals, int64_t processes, RunWatch& watch) {
    Watches watches{
        SleepWatch([&run, &watch] { return asksToSave(run, watch); }),
        BatteryWatch([&run, &watch](bool low) { return tellOfBattery(run, watch, low); }, options.awake)};
    SleepWatch& sleep = watches.sleep;
    auto end = runAttempt(run, lock, options, processes, watch, watches);
    // Those that a launcher has started elsewhere would not come to a second attempt.
    while (end && mayComeOfSleep(*end) && !options.launched && !watch.stopped() && sleep.takeSleep()) {
        const auto saved = isSaved(run, signals, sleep);
        if (!saved) return refused(run, saved.error(), linesTo(watch));
        end = runAttempt(run, lock, againAfterSleep(options, *saved), processes, watch, watches);
    }
    return end;
}

void sayThatItWaits() {
    Progress(::isatty(STDERR_FILENO) != 0, 0).note("waiting for the run's last worker to end");
}

} // namespace

Result<RunLock> takeRun(const RunFolder& run, bool quiet) {
    return acquireFromDying(run.lockFile(), kLockPatience,
                            quiet ? std::function<void()>() : std::function<void()>(sayThatItWaits));
}

Result<std::optional<RunLock>> awaitRun(const RunFolder& run) {
    const StopSignals signals;
    bool told = false;
    auto lock = acquireFromDying(run.lockFile(), std::nullopt, sayThatItWaits,
                                 [&signals, &told] { return told = signals.take(); });
    if (told) return std::optional<RunLock>();
    if (!lock) return lock.error();
    return std::optional(std::move(lock).value());
}

void removeUnbegun(const RunFolder& run) {
    std::error_code ignored;
    for (const std::string& folder : {run.checkpointsDir(), run.samplesDir(), run.resultDir()})
        std::filesystem::remove(folder, ignored); // only if empty
    for (const std::string& file :
         {run.journalFile(), run.controlFile(), run.lockFile(), run.runFile(), run.copyFile()})
        std::filesystem::remove(file, ignored);
    std::filesystem::remove(run.path(), ignored);
}

int runJob(const RunFolder& run, RunLock lock, const RunJobOptions& options) {
    const StopSignals held;
    const bool fresh = options.attempt == RunAttempt::Fresh;
    const auto config = run.config();
    if (!config) return failTold(options.verb, config.error(), options.json);
    RunWatch watch(options, config->steps);
    auto end = runAttempts(run, lock, options, held, config->parallel.processes, watch);
    if (!end) {
        if (fresh && !watch.begun()) removeUnbegun(run);
        if (!watch.begun()) restoreSettings(run, options);
        return failTold(options.verb, end.error(), options.json);
    }
    OutcomeEvent outcome = std::move(*end);
    if (outcome.result == "failed" && !watch.begun())
        undo(run, options, watch.alone(), outcome);
    else
        tellLeftOut(run, watch.leftOut(), options.json);
    return reportEnd(run, outcome, options.json, options.verb);
}

int refuseJob(const RunFolder& run, const Error& error) {
    return reportEnd(run, refused(run, error), /*json=*/false, "supervise");
}

} // namespace homebooth::core

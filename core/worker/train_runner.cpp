// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/colour.h"
#include "core/base/config/parallel_check.h"
#include "core/base/files/made_folders.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/run/control/control.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/orphan.h"
#include "core/base/util/exit_codes.h"
#include "core/base/util/log.h"
#include "core/engine/collective/roll_call.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/training/train_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"
#include "core/worker/rank_assignment.h"
#include "core/worker/rank_device.h"
#include "core/worker/rank_meeting.h"
#include "core/worker/run_charts.h"
#include "core/worker/run_status.h"

#include <atomic>

namespace homebooth::core {
namespace {

/// What others ask of a training.
struct Wishes {
    TrainControl control;
    std::atomic<bool> stop = false; ///< by a person: signals may come from the system
};

ControlReply goOn(const ControlCommand& command, TrainControl& control) {
    if (command.battery && !control.lowBattery) return {true, "it is not paused for the battery", {}};
    control.lowBattery = false;
    control.paused = false;
    ++control.tries;
    return {true, "going on", {}};
}

ControlReply obey(const ControlCommand& command, Wishes& wishes, const RunStatus& status,
                  EventSink& supervisor) {
    TrainControl& control = wishes.control;
    if (command.verb == ControlVerb::Stop || command.verb == ControlVerb::Finish)
        supervisor.emit(StateEvent{kEndsOnRequest, "on request", 0, 0});
    switch (command.verb) {
    case ControlVerb::Pause:
        control.lowBattery = command.battery && (control.lowBattery || !control.paused);
        control.paused = true;
        if (command.battery) control.saveRolling = true; // also of what a person has paused
        return {true, "pausing after this step", {}};
    case ControlVerb::Resume:
        return goOn(command, control);
    case ControlVerb::Stop:
        wishes.stop = true;
        control.stop.request();
        return {true, "saving and stopping after this step", {}};
    case ControlVerb::Finish:
        control.finish = true;
        return {true, "saving the result after this step", {}};
    case ControlVerb::SaveNow:
        control.saveNow = true;
        return {true, "saving after this step", {}};
    case ControlVerb::SampleNow:
        control.sampleNow = true;
        return {true, "making previews after this step", {}};
    case ControlVerb::Status:
        return {true, "", status.toJson(control.paused)};
    case ControlVerb::Elsewhere:
        if (!status.waitsForRoom())
            return {false, "checkpoints can be moved only while the run waits for room", {}};
        control.elsewhere.ask(command.folder);
        return {true, "moving the checkpoints", {}};
    case ControlVerb::Generate:
        return {false, "this worker trains; start another one to generate", {}};
    }
    return {false, "unknown command", {}};
}

/// Training goes on without a control socket: only remote control is lost, and the journal says so.
std::unique_ptr<ControlServer> listen(const RunFolder& run, Wishes& wishes, RunStatus& status,
                                      EventSink& supervisor) {
    auto path = controlSocketPath(run.path());
    auto server = path ? ControlServer::start(*path, run.controlFile(),
                                              [&wishes, &status, &supervisor](const ControlCommand& command) {
                                                  return obey(command, wishes, status, supervisor);
                                              })
                       : Result<std::unique_ptr<ControlServer>>(path.error());
    if (server) return std::move(server).value();
    status.emit(WarningEvent{"control", "the run cannot be controlled: " + server.error().text()});
    return nullptr;
}

/// Events of ranks that nobody listens to.
class Silence : public EventSink {
public:
    void emit(const Event& /*event*/) override {}
};

/// This process among those that train together; null: it is alone, or was stopped before the others came.
/// Errors: of meeting the others
Result<std::unique_ptr<Ranks>> meetOthers(const TrainConfig& config, const RankPlace& place,
                                          const CancelToken& stop, EventSink& status) {
    HOMEBOOTH_CHECK(checkParallel(config));
    if (config.parallel.processes != place.ranks)
        return Error{ErrorCode::Usage,
                     "expected " + std::to_string(config.parallel.processes) +
                         " processes, as the run's settings say, found " + std::to_string(place.ranks) +
                         "; resume the run with homebooth-engine",
                     {}};
    if (place.ranks == 1) return std::unique_ptr<Ranks>();
    return meetUnlessStopped(place, stop, status);
}

OutcomeEvent stoppedBeforeMeeting() {
    OutcomeEvent outcome;
    outcome.result = "cancelled";
    outcome.code = kExitCancelled;
    outcome.message = "stopped on request, before all processes had come";
    return outcome;
}

struct TrainingTask {
    const RunFolder& run;
    const TrainConfig& config;
    bool resumed = false;   ///< the settings are those in the folder
    Ranks* ranks = nullptr; ///< null: this process alone
};

OutcomeEvent trainOn(const Result<at::Device>& device, const TrainingTask& task, EventSink& status,
                     TrainControl& control) {
    const TrainConfig& config = task.config;
    if (!device) return failedOutcome(device.error());
    if (const auto placed = checkPlacement(config.memory, *device); !placed)
        return failedOutcome(placed.error());
    warnOfFormat(*device, config.precision, config.mode != TrainMode::Language, status);
    if (task.ranks == nullptr) warnOfDevice(*device, config.memory.device, status); // others chose together
    // Counting shifts every allocation by a header: only where RAM stands for a device.
    if (device->is_cpu() && (config.memory.deviceBytes > 0 || config.memory.policy == PlacementPolicy::Cpu))
        meterHostMemory();
    JobOptions options;
    options.cacheDir = cacheFolder();
    static_cast<void>(MadeFolders::make(options.cacheDir)); // where that fails, the job says so
    options.vocabularyFile = publishedVocabularyPath().string();
    options.device = *device;
    if (task.ranks != nullptr) options.ranks = task.ranks;
    MediaPictureSource pictures(colourParts(parseColour(config.data.background).value_or(kWhite)));
    MediaPictureWriter writer;
    if (task.resumed) return resumeTrainJob(task.run, status, control, pictures, writer, options);
    return runTrainJob(config, task.run, status, control, pictures, writer, options);
}

OutcomeEvent trainTogether(const TrainingTask& task, EventSink& status, TrainControl& control) {
    const ComputeDevice wanted = task.config.memory.device;
    if (task.ranks == nullptr) return trainOn(chooseDevice(wanted), task, status, control);
    Result<at::Device> device(at::Device(at::kCPU));
    try {
        device = deviceOfRanks(wanted, *task.ranks);
        if (device) task.ranks->measureLink(*device, scalarTypeOf(task.config.precision));
    } catch (const RankLost& lost) {
        return notMetOutcome(lost.error());
    }
    return trainOn(device, task, status, control);
}

/// Where nobody sees how all ranks end, who fails tells the others, and they take that for their own end.
OutcomeEvent explained(OutcomeEvent outcome, std::unique_ptr<Ranks> ranks) {
    if (ranks == nullptr || outcome.result != "failed") return outcome;
    if (outcome.code != kExitRankLost) {
        ranks->tellFailure({static_cast<ErrorCode>(outcome.code), outcome.message, {}});
    } else if (const auto failure = ranks->failureOfAnother()) {
        outcome.code = static_cast<int>(failure->code);
        outcome.message = failure->message;
    }
    Ranks::endAfterFailure(std::move(ranks));
    return outcome;
}

/// @param launched  the others have yet to hear what is trained
OutcomeEvent trainWith(const TrainingTask& task, bool launched, EventSink& status, TrainControl& control) {
    try {
        if (launched && task.ranks != nullptr)
            if (const auto told = shareAssignment(*task.ranks, {task.run.path(), task.config}); !told)
                return failedOutcome(told.error());
    } catch (const RankLost& lost) {
        return notMetOutcome(lost.error());
    }
    return trainTogether(task, status, control);
}

/// Tells ranks that never came from those that were there and did not find together.
OutcomeEvent unmetOutcome(const Error& error) {
    OutcomeEvent outcome = notMetOutcome(error);
    const auto missing = RollCall::ofThisProcess().missing();
    if (missing && !missing->empty() && outcome.code == kExitRankLost) outcome.code = kExitRankAbsent;
    return outcome;
}

OutcomeEvent trainRun(const RunFolder& run, const TrainingArguments& arguments, EventSink& status,
                      TrainControl& control) {
    const auto config = run.config();
    if (!config) return failedOutcome(config.error());
    auto met = meetOthers(*config, arguments.place, control.stop, status);
    if (!met) return unmetOutcome(met.error());
    if (*met == nullptr && arguments.place.ranks > 1) return stoppedBeforeMeeting();
    std::unique_ptr<Ranks> ranks = std::move(met).value();
    const TrainingTask task{run, *config, arguments.resumed, ranks.get()};
    OutcomeEvent outcome = trainWith(task, arguments.launched, status, control);
    return explained(std::move(outcome), std::move(ranks));
}

/// Joins those that a launcher has started beside this process, whatever they train.
OutcomeEvent joinRun(Ranks& ranks, EventSink& status, TrainControl& control) {
    const auto assignment = shareAssignment(ranks, {});
    if (!assignment) return failedOutcome(assignment.error());
    const auto run = RunFolder::open(assignment->runDir);
    if (!run)
        return failedOutcome(
            badInput("expected the folder of the run on this machine, too, found none; choose "
                     "--output on storage that all machines share",
                     assignment->runDir));
    return trainTogether({*run, assignment->config, /*resumed=*/false, &ranks}, status, control);
}

OutcomeEvent meetAndJoin(const RankPlace& place, EventSink& status, TrainControl& control) {
    auto ranks = meetUnlessStopped(place, control.stop, status);
    if (!ranks) return notMetOutcome(ranks.error());
    if (*ranks == nullptr) return stoppedBeforeMeeting();
    OutcomeEvent outcome;
    try {
        outcome = joinRun(**ranks, status, control);
    } catch (const RankLost& lost) {
        outcome = notMetOutcome(lost.error());
    }
    return explained(std::move(outcome), std::move(ranks).value());
}

/// Charts that fail are worth a warning, whatever the outcome.
void drawCharts(const RunFolder& run, RunStatus& status) {
    std::string failure;
    try {
        const auto drawn = drawRunCharts(run);
        if (!drawn) failure = drawn.error().text();
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (!failure.empty()) status.emit(WarningEvent{"charts", "the charts could not be drawn: " + failure});
}

/// A rank that is not the first one: it writes nothing and says how it ended.
int runOther(const TrainingArguments& arguments, EventStream& events) {
    Silence silence;
    TrainControl control;
    stopOnSignals(control.stop);
    const OutcomeEvent outcome = guardedTraining(arguments.runDir, [&] {
        if (arguments.launched) return meetAndJoin(arguments.place, silence, control);
        const auto run = RunFolder::open(arguments.runDir);
        return run ? trainRun(*run, arguments, silence, control) : failedOutcome(run.error());
    });
    events.emit(outcome);
    return outcome.code;
}

} // namespace

int runTraining(const TrainingArguments& arguments, EventStream& events) {
    const ParentWatch supervisor;
    if (arguments.place.rank > 0) return runOther(arguments, events);
    const auto run = RunFolder::open(arguments.runDir);
    auto journal =
        run ? JournalWriter::open(run->journalFile()) : Result<std::unique_ptr<JournalWriter>>(run.error());
    if (!journal) {
        events.emit(failedOutcome(journal.error()));
        return static_cast<int>(journal.error().code);
    }
    (*journal)->setListener([&events](const std::string& line) { events.send(line); });
    RunStatus status(**journal);
    Wishes wishes;
    stopOnSignals(wishes.control.stop);
    const std::unique_ptr<ControlServer> server = listen(*run, wishes, status, events);
    OutcomeEvent outcome =
        guardedTraining(arguments.runDir, [&] { return trainRun(*run, arguments, status, wishes.control); });
    const bool orphaned = supervisor.gone();
    if (orphaned && !wishes.stop) outcome = orphanedOutcome(std::move(outcome));
    drawCharts(*run, status);
    // Of several ranks' failures the supervisor, while there is one, writes the first.
    if (arguments.place.ranks > 1 && outcome.result == "failed" && !orphaned)
        events.emit(outcome);
    else
        (*journal)->emit(outcome);
    // A failed outcome is reported by the supervisor, in one line; it heard it through the pipe.
    if (const auto failure = (*journal)->failure(); failure && outcome.result != "failed")
        log(LogLevel::Error, failure->text());
    return outcome.code;
}

} // namespace homebooth::core

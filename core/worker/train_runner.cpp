// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_tokenizer.h"
#include "core/base/run/control.h"
#include "core/base/run/journal.h"
#include "core/base/run/orphan.h"
#include "core/base/util/log.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/training/train_job.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"
#include "core/worker/run_charts.h"
#include "core/worker/run_status.h"

#include <atomic>
#include <torch/version.h>

namespace homebooth::core {
namespace {

/// What others ask of a training.
struct Wishes {
    TrainControl control;
    std::atomic<bool> stop = false; ///< by a person: signals may come from the system
};

ControlReply obey(const ControlCommand& command, Wishes& wishes, const RunStatus& status) {
    TrainControl& control = wishes.control;
    switch (command.verb) {
    case ControlVerb::Pause:
        control.paused = true;
        return {true, "pausing after this step", {}};
    case ControlVerb::Resume:
        control.paused = false;
        return {true, "going on", {}};
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
    case ControlVerb::Generate:
        return {false, "this worker trains; start another one to generate", {}};
    }
    return {false, "unknown command", {}};
}

/// Training goes on without a control socket: only remote control is lost, and the journal says so.
std::unique_ptr<ControlServer> listen(const RunFolder& run, Wishes& wishes, RunStatus& status) {
    auto path = controlSocketPath(run.path());
    auto server = path ? ControlServer::start(*path, run.controlFile(),
                                              [&wishes, &status](const ControlCommand& command) {
                                                  return obey(command, wishes, status);
                                              })
                       : Result<std::unique_ptr<ControlServer>>(path.error());
    if (server) return std::move(server).value();
    status.emit(WarningEvent{"control", "the run cannot be controlled: " + server.error().text()});
    return nullptr;
}

OutcomeEvent trainRun(const RunFolder& run, bool resumed, RunStatus& status, TrainControl& control) {
    const auto config = run.config();
    if (!config) return failedOutcome(config.error());
    const auto device = chooseDevice(config->memory.device);
    if (!device) return failedOutcome(device.error());
    if (const auto placed = checkPlacement(config->memory, *device); !placed)
        return failedOutcome(placed.error());
    if (const auto recorded = run.addFacts({{"torch", TORCH_VERSION}}); !recorded)
        return failedOutcome(recorded.error());
    // Counting shifts every allocation by a header: only where RAM stands for a device.
    if (device->is_cpu() && (config->memory.deviceBytes > 0 || config->memory.policy == PlacementPolicy::Cpu))
        meterHostMemory();
    JobOptions options;
    options.cacheDir = cacheFolder();
    options.vocabularyFile = publishedVocabularyPath().string();
    options.device = *device;
    MediaPictureSource pictures;
    MediaPictureWriter writer;
    if (resumed) return resumeTrainJob(run, status, control, pictures, writer, options);
    return runTrainJob(*config, run, status, control, pictures, writer, options);
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

} // namespace

int runTraining(const std::string& runDir, bool resumed, EventStream& events) {
    const ParentWatch supervisor;
    const auto run = RunFolder::open(runDir);
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
    const std::unique_ptr<ControlServer> server = listen(*run, wishes, status);
    OutcomeEvent outcome = guarded([&] { return trainRun(*run, resumed, status, wishes.control); });
    if (supervisor.gone() && !wishes.stop) outcome = orphanedOutcome(std::move(outcome));
    drawCharts(*run, status);
    (*journal)->emit(outcome);
    // A failed outcome is reported by the supervisor, in one line; it heard it through the pipe.
    if (const auto failure = (*journal)->failure(); failure && outcome.result != "failed")
        log(LogLevel::Error, failure->text());
    return outcome.code;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/train_job.h"

#include "core/base/plan/training/train_plan.h"
#include "core/base/plan/weight_format.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/run/own_places.h"
#include "core/base/system/memory_nodes.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/jobs/bound_threads.h"
#include "core/engine/jobs/engine_versions.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/training/checkpointing.h"
#include "core/engine/training/denoiser_trainee.h"
#include "core/engine/training/early_checks.h"
#include "core/engine/training/language_trainee.h"
#include "core/engine/training/memory_report.h"
#include "core/engine/training/room_wait.h"
#include "core/engine/training/run_start.h"
#include "core/engine/training/scratch_result.h"
#include "core/engine/training/train_loop.h"
#include "core/engine/training/vae_trainee.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <map>
#include <string>

namespace homebooth::core {
namespace {

OutcomeEvent failed(const RunFolder& run, const Error& error) {
    OutcomeEvent outcome;
    outcome.result = "failed";
    outcome.code = static_cast<int>(error.code);
    outcome.message = error.text();
    outcome.kept = keptInWords(run);
    return outcome;
}

OutcomeEvent cancelled(const RunFolder& run) {
    OutcomeEvent outcome;
    outcome.result = "cancelled";
    outcome.code = kExitCancelled;
    outcome.message = "stopped on request; resume the run to go on";
    outcome.kept = keptInWords(run);
    return outcome;
}

MemoryAdvice memoryAdvice(const TrainConfig& config, bool onCpu) {
    return {planForLess(config, !onCpu, /*ofRam=*/false), planForLess(config, !onCpu, /*ofRam=*/true)};
}

Result<std::unique_ptr<Trainee>> makeTrainee(const JobContext& job) {
    if (job.config.mode == TrainMode::Language) {
        HOMEBOOTH_ASSIGN(std::unique_ptr<LanguageTrainee> language, LanguageTrainee::make(job));
        return std::unique_ptr<Trainee>(std::move(language));
    }
    const bool autoencoder =
        job.config.mode == TrainMode::FromScratch && job.config.scratch.component == "vae";
    if (autoencoder) {
        HOMEBOOTH_ASSIGN(std::unique_ptr<VaeTrainee> vae, VaeTrainee::make(job));
        return std::unique_ptr<Trainee>(std::move(vae));
    }
    HOMEBOOTH_ASSIGN(std::unique_ptr<DenoiserTrainee> denoiser, DenoiserTrainee::make(job));
    return std::unique_ptr<Trainee>(std::move(denoiser));
}

/// What comes before the model, which the first rank does for all. @returns  false: stop was requested of any
Result<bool> prepareRun(const JobContext& job) {
    bool goesOn = true;
    if (job.ranks().isFirst()) {
        HOMEBOOTH_CHECK(expectOwnPlaces(job.run));
        warnOfAnothersRun(job);
        removeLeftOvers(job);
        HOMEBOOTH_CHECK(checkDevice(job));
        HOMEBOOTH_CHECK(job.run.setVersions(engineVersions(job.options.device)));
        HOMEBOOTH_CHECK(checkBeforeLoading(job));
        HOMEBOOTH_ASSIGN(goesOn, checkModels(job));
    }
    return !job.ranks().any(!goesOn || job.control.stop.requested());
}

/// Whether the journal tells of steps already. Where none of them was saved they are done again.
bool toldSteps(const RunFolder& run) {
    const auto history = readHistory(run.journalFile());
    return history && !history->steps.empty();
}

Result<Restored> restore(const JobContext& job, Trainee& trainee) {
    HOMEBOOTH_CHECK(job.ranks().expectSame(
        job.config.mode == TrainMode::Language ? "texts" : "pictures and captions", trainee.wholeDataHash()));
    HOMEBOOTH_ASSIGN(Restored restored, restoreCheckpoint(job, trainee));
    job.ranks().meetAgain(); // before the first one writes or removes any
    for (const std::string& warning : restored.warnings) job.events.emit(WarningEvent{"resume", warning});
    if (!restored.path.empty() || (job.ranks().isFirst() && toldSteps(job.run)))
        job.events.emit(ResumedEvent{restored.step});
    // What wrote it may have been killed ahead of this, and of the last one no later one follows.
    if (!restored.path.empty() && job.ranks().isFirst()) dropSpareCheckpoints(job, restored.step);
    return restored;
}

/// What the data turned out to be.
std::map<std::string, std::string> dataFacts(const DataConfig& data, const Trainee& trainee) {
    std::map<std::string, std::string> facts{{"datasetSha256", trainee.dataHash()}};
    if (data.validationShare > 0.0) facts[kHeldOutFact] = std::to_string(trainee.heldOutPictures());
    return facts;
}

/// What another user has made stays where only that one may remove it.
void tellEarlierResults(const JobContext& job) {
    for (const std::string& path : earlierResultsIn(job.run.resultDir()))
        job.events.emit(WarningEvent{
            "left-over", "an earlier result could not be removed: " + path +
                             "; if another user has gone on with this run, that one has to remove it"});
}

/// Tries to, and to note that it is done. @param paths  of the result, at the first rank
Result<void> tryResult(const JobContext& job, Trainee& trainee, int64_t step,
                       std::vector<std::string>& paths) {
    if (!job.ranks().isFirst()) {
        trainee.contributeToResult();
        return {};
    }
    auto written = trainee.writeResult(job.run.resultDir(), step);
    const std::string steps = std::to_string(step);
    if (!written)
        return Error{written.error().code,
                     "writing the result of step " + steps + ": " + written.error().message,
                     written.error().context};
    paths = std::move(written).value();
    tellEarlierResults(job);
    HOMEBOOTH_CHECK(job.run.addFacts({{kFinishedFact, steps}}));
    pruneOptimizerStates(job);
    return {};
}

Result<void> makeResultDir(const RunFolder& run, const TrainLoop& loop) {
    HOMEBOOTH_CHECK(isLink(run.resultDir()) ? loop.expectPlaces() : loop.place().there());
    return makeOwnPlace(run, run.resultDir());
}

/// Where the disk is full, all ranks wait for room and write it anew.
Result<std::vector<std::string>> writeResult(const JobContext& job, Trainee& trainee, const TrainLoop& loop) {
    const int64_t step = loop.savedStep();
    const Ranks& ranks = job.ranks();
    std::vector<std::string> paths;
    const auto write = [&]() -> Result<void> {
        job.events.emit(StateEvent{"saving", "result", 0, 0});
        HOMEBOOTH_CHECK(ranks.agreeOn(ranks.isFirst() ? makeResultDir(job.run, loop) : Result<void>()));
        return ranks.agreeOn(tryResult(job, trainee, step, paths));
    };
    const RoomNeed need{
        job.run.resultDir(), {}, [&loop] { return loop.expectDrive(); }, &loop.place(), /*saved=*/true};
    HOMEBOOTH_CHECK(writeWithRoom(job, need, write));
    return paths;
}

/// @param onCpu  RAM stands for the device, whose part of it is told by itself
ResourceUse resourcesOf(Trainee& trainee, const TrainLoop& loop, bool onCpu) {
    const MemoryPeaks peaks = loop.peaks();
    ResourceUse used;
    used.stepSeconds = loop.stepSeconds();
    used.deviceBytes = peaks.deviceBytes;
    used.residentBytes = peaks.residentBytes;
    used.ramBytes = std::max<int64_t>(0, peaks.residentBytes - (onCpu ? peaks.deviceBytes : 0));
    const StepTraffic traffic = loop.trafficPerStep();
    used.linkBytesPerStep = traffic.linkBytes;
    used.swapBytesWrittenPerStep = traffic.swapBytesWritten;
    used.swapBytes = totalBytes(swapKinds(trainee.learner())) + trainee.frozenDiskBytes();
    return used;
}

Result<OutcomeEvent> train(const JobContext& job) {
    job.events.emit(StateEvent{"loading", "", 0, 0});
    HOMEBOOTH_ASSIGN(const bool prepared, prepareRun(job));
    if (!prepared) return cancelled(job.run);
    HOMEBOOTH_ASSIGN(const std::unique_ptr<Trainee> trainee, makeTrainee(job));
    if (job.ranks().any(!trainee || job.control.stop.requested())) return cancelled(job.run);
    HOMEBOOTH_ASSIGN(const Restored done, restore(job, *trainee));
    if (job.ranks().isFirst()) HOMEBOOTH_CHECK(job.run.addFacts(dataFacts(job.config.data, *trainee)));
    TrainLoop loop(job, *trainee);
    HOMEBOOTH_ASSIGN(const LoopEnd end, loop.run(done.step, done.kind));
    if (end == LoopEnd::Stopped) {
        OutcomeEvent outcome = cancelled(job.run);
        outcome.measured = resourcesOf(*trainee, loop, job.options.device.is_cpu());
        return outcome;
    }

    OutcomeEvent outcome;
    HOMEBOOTH_ASSIGN(outcome.resultPaths, writeResult(job, *trainee, loop));
    outcome.result = "done";
    outcome.measured = resourcesOf(*trainee, loop, job.options.device.is_cpu());
    return outcome;
}

} // namespace

OutcomeEvent runTrainJob(const TrainConfig& config, const RunFolder& run, EventSink& events,
                         TrainControl& control, PictureSource& pictures, PictureWriter& writer,
                         const JobOptions& options) {
    RankWarnings warnings(*options.ranks, events);
    const bool alone = options.ranks->count() == 1;
    const JobContext job{.config = config,
                         .run = run,
                         .events = alone ? events : warnings,
                         .control = control,
                         .pictures = pictures,
                         .writer = writer,
                         .options = options,
                         .rankWarnings = alone ? nullptr : &warnings};
    try {
        const auto threads = threadsOf(job);
        if (!threads) return failed(run, threads.error());
        at::set_num_threads(*threads);
        bindThreads(memoryNodes(), options.ranks->placeOnMachine(), options.ranks->onThisMachine());
        auto outcome = train(job);
        if (outcome && !alone) warnings.exchange(); // and with that all have come here
        return outcome ? *outcome : failed(run, outcome.error());
    } catch (const RankLost& lost) {
        OutcomeEvent outcome = failed(run, lost.error());
        outcome.code = kExitRankLost;
        return outcome;
    } catch (const TrainingFailure& failure) {
        return failed(run, failure.error());
    } catch (const std::exception&) {
        return failed(run, failureInFlight("training", memoryAdvice(config, options.device.is_cpu())));
    }
}

OutcomeEvent resumeTrainJob(const RunFolder& run, EventSink& events, TrainControl& control,
                            PictureSource& pictures, PictureWriter& writer, const JobOptions& options) {
    const auto config = run.config();
    if (!config) return failed(run, config.error());
    return runTrainJob(*config, run, events, control, pictures, writer, options);
}

} // namespace homebooth::core

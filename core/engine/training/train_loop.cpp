// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/train_loop.h"

#include "core/base/run/control/control.h"
#include "core/base/run/failure_cause.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/training/rank_turns.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/room_wait.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kStepsBetweenMemoryEvents = 20;
constexpr int64_t kMostBadSteps = 20; // fp16 may overflow a few times until its loss scale fits
/// A checkpoint that takes longer is written the more rarely by the clock: some 2 % of the time at most.
constexpr double kBriefSaveSeconds = 24.0;
constexpr auto kPausePoll = std::chrono::milliseconds(50);
constexpr const char* kWithoutPreviews = "train without previews (--preview-every 0)";
constexpr const char* kWithoutAverages = "train without moving averages (--ema 0)";

/// Of what a training can do without. @param without  how it does
MemoryAdvice adviceFor(const char* without) {
    const std::string close = "the training goes on; close other programs, ";
    return {close + "raise --gpu-memory, or " + without, close + "or " + without};
}

std::string ofPreviews(int64_t step) {
    return "making the previews of step " + std::to_string(step);
}

std::string previewPath(const RunFolder& run, int64_t step, int64_t place) {
    char name[64];
    std::snprintf(name, sizeof name, "/step-%06lld-%02lld.png", static_cast<long long>(step),
                  static_cast<long long>(place));
    return run.samplesDir() + name;
}

/// Says that the previews of a step are being made up for.
std::string triedMark(const RunFolder& run, int64_t step) {
    return run.samplesDir() + "/.step-" + std::to_string(step) + ".tried";
}

/// @returns  false where there is one, or none can be made
bool layMark(const std::string& path) {
    std::FILE* mark = std::fopen(path.c_str(), "wxe");
    return mark != nullptr && std::fclose(mark) == 0;
}

/// Whether previews of a step are to be made up for, since not all were made: what saved it may have been
/// killed ahead of them. Where making up for them ended it, too, who resumes goes on without them.
bool lacksPreviews(const JobContext& job, int64_t step) {
    const TrainConfig& config = job.config;
    if (config.mode == TrainMode::Language) return false; // none of it is a picture
    // Of an autoencoder the pictures themselves say how many there are.
    const bool autoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    const int64_t last = autoencoder ? 0 : config.output.previewCount - 1;
    std::error_code ignored;
    const auto lacks = [&] {
        if (std::filesystem::exists(previewPath(job.run, step, last), ignored)) return false;
        std::filesystem::create_directory(job.run.samplesDir(), ignored); // never the run's folder
        return layMark(triedMark(job.run, step));
    };
    return job.ranks().any(job.ranks().isFirst() && lacks());
}

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Holds the part of RAM that stands for a device to its size while something computes on it.
class DeviceLimit {
public:
    explicit DeviceLimit(const JobContext& job) {
        if (job.options.device.is_cpu()) limitDeviceTier(job.config.memory.deviceBytes);
    }
    ~DeviceLimit() { limitDeviceTier(0); }
    DeviceLimit(const DeviceLimit&) = delete;
    DeviceLimit& operator=(const DeviceLimit&) = delete;
};

/// Where parameters that are streamed to the device come from, in RAM.
int64_t streamedHomeBytes(const Learner& learner) {
    int64_t bytes = 0;
    for (size_t part = 0; part < learner.partCount(); ++part)
        if (const ParameterStore& store = learner.part(part).component->store(); store.swap() == nullptr)
            bytes += store.streamedBytes();
    return bytes;
}

/// RAM that values wait in between their uses.
int64_t shelfBytes(const Learner& learner) {
    int64_t bytes = 0;
    for (size_t part = 0; part < learner.partCount(); ++part)
        bytes += learner.part(part).component->executor().shelfBytes();
    return bytes;
}

/// What was moved up to now.
StepTraffic trafficOf(const Learner& learner) {
    StepTraffic traffic;
    for (size_t part = 0; part < learner.partCount(); ++part)
        traffic.linkBytes += learner.part(part).component->store().traffic().bytes;
    traffic.swapBytesWritten = learner.swapTraffic().bytes.bytesWritten;
    return traffic;
}

/// What every rank takes, in their order. Each calls it behind the same step. Errors: throws RankLost
std::vector<RankMemory> ofEachRank(const Ranks& ranks, const RankMemory& own) {
    const auto count = static_cast<size_t>(ranks.count());
    const auto place = static_cast<size_t>(ranks.rank());
    std::vector<int64_t> numbers(2 * count); // of the others: 0, so that sums are what each has said
    numbers[2 * place] = own.deviceBytes;
    numbers[2 * place + 1] = own.ramBytes;
    numbers = ranks.sums(std::move(numbers));
    std::vector<RankMemory> each;
    for (size_t rank = 0; rank < count; ++rank) each.push_back({numbers[2 * rank], numbers[2 * rank + 1]});
    return each;
}

} // namespace

bool TrainLoop::longUnsaved(int64_t doneSteps) const {
    if (m_doneSteps == 0 || m_savedStep == doneSteps || m_badSteps > 0) return false; // a better one comes
    const double factor = std::max(1.0, m_saveSeconds / kBriefSaveSeconds);
    return secondsSince(m_savedAt) >= factor * m_job.options.saveEverySeconds;
}

TrainLoop::Asked TrainLoop::asked(int64_t doneSteps) const {
    TrainControl& control = m_job.control;
    RankWarnings* warnings = m_job.rankWarnings;
    const Ranks& ranks = m_job.ranks();
    const bool battery = control.saveRolling.exchange(false); // asked for once it is paused
    const std::vector<int64_t> sums = ranks.sums(
        {control.saveNow.exchange(false), control.sampleNow.exchange(false), control.stop.requested(),
         control.finish, control.paused, warnings != nullptr && warnings->waits(),
         ranks.isFirst() && longUnsaved(doneSteps), battery});
    if (sums[5] > 0 && warnings != nullptr) warnings->exchange();
    return {sums[0] > 0, sums[1] > 0, sums[2] > 0, sums[3] > 0, sums[4] > 0, sums[6] > 0, sums[7] > 0};
}

Result<bool> TrainLoop::obey(int64_t doneSteps) {
    do {
        const Asked now = asked(doneSteps);
        m_saveDue = m_saveDue || now.save;
        HOMEBOOTH_CHECK(saveIfDue(doneSteps, /*goesOn=*/!now.pause));
        if ((now.clock || now.battery) && !now.stop && !now.finish)
            saveRolling(doneSteps, /*needsRoom=*/!now.battery);
        if (now.sample) preview(doneSteps);
        if (now.stop || now.finish) return false;
        if (now.save || now.sample) continue; // that took its time, and more may have been asked for
        if (!now.pause) break;
        if (!m_paused) sayPaused(true, doneSteps);
        std::this_thread::sleep_for(kPausePoll);
    } while (true);
    if (m_paused) sayPaused(false, doneSteps);
    return true;
}

void TrainLoop::sayPaused(bool paused, int64_t step) {
    m_paused = paused;
    const char* why = paused && m_job.control.lowBattery ? kBatteryIsLow : "";
    m_job.events.emit(StateEvent{paused ? "paused" : "training", why, step, m_job.config.steps});
}

void TrainLoop::reportMemory(int64_t step) {
    const at::Device device = m_job.options.device;
    const Learner& learner = m_trainee.learner();
    KnownMemory known{m_trainee.memory(), {}};
    known.beside.parameterBytes = streamedHomeBytes(learner);
    known.beside.stateBytes = learner.stateBytesIn(Tier::Ram);
    known.computing.stateBytes = learner.stateBytesIn(Tier::Device);
    known.beside.activationBytes = shelfBytes(learner);
    known.beside.gradientBytes = learner.restingGradients().peakBytes(Tier::Ram);
    known.computing.gradientBytes = learner.restingGradients().peakBytes(Tier::Device);
    MemoryEvent event = memoryEventOf(known, roomOn(device), device, peaks());
    event.step = step;
    event.ram.otherBytes = roomOn(at::kCPU).otherBytes;
    event.swap = swapKinds(learner);
    const Ranks& ranks = m_job.ranks();
    if (ranks.count() > 1)
        addRanks(event, ofEachRank(ranks, rankMemoryOf(event)), ranks.rank(), ranks.onThisMachine());
    m_job.events.emit(event);
}

void TrainLoop::report(int64_t step, const StepReport& report, double seconds) {
    StepEvent event;
    event.step = step;
    event.epoch = report.epoch;
    event.loss = report.loss;
    event.learningRate = m_trainee.learner().learningRate();
    event.seconds = seconds;
    event.samplesPerSecond = static_cast<double>(report.sampleCount) / std::max(seconds, 1e-9);
    event.dataSeconds = report.dataSeconds;
    event.encodeSeconds = report.encodeSeconds;
    event.gradientNorm = report.outcome.gradientNorm;
    event.lossScale = m_trainee.learner().lossScale();
    event.lossParts = report.lossParts;
    m_job.events.emit(event);
}

StepReport TrainLoop::ofAllRanks(StepReport own) const {
    own.loss = m_job.ranks().mean(own.loss);
    for (auto& [name, value] : own.lossParts) value = m_job.ranks().mean(value);
    own.sampleCount *= m_job.ranks().count();
    return own;
}

Result<void> TrainLoop::oneStep(int64_t step) {
    const StepTraffic before = trafficOf(m_trainee.learner());
    const auto begin = Clock::now();
    const StepReport done = ofAllRanks([&] {
        const DeviceLimit limit(m_job);
        return m_trainee.step(step);
    }());
    const double seconds = secondsSince(begin);
    const StepTraffic now = trafficOf(m_trainee.learner());
    m_traffic.linkBytes += now.linkBytes - before.linkBytes;
    m_traffic.swapBytesWritten += now.swapBytesWritten - before.swapBytesWritten;
    ++m_doneSteps;
    if (!m_firstSeconds) {
        m_firstSeconds = seconds;
    } else {
        m_seconds += seconds;
        ++m_timedSteps;
    }
    report(step, done, seconds);
    const bool bad = done.outcome.skipped || !std::isfinite(done.loss);
    m_badSteps = bad ? m_badSteps + 1 : 0;
    const bool scaling = m_trainee.learner().lossScale().has_value();
    if (!bad || (scaling && m_badSteps <= kMostBadSteps)) return {};
    return failureAt(step);
}

bool TrainLoop::learnedNothing(int64_t step) const {
    const Learner& learner = m_trainee.learner();
    return step > 0 && learner.lossScale().has_value() && learner.flowState().skippedSteps == step;
}

Error TrainLoop::failureAt(int64_t step) const {
    return learnedNothing(step) ? beyondFp16(step) : notFinite(step);
}

Result<void> TrainLoop::expectDrive() const {
    return expectSavedThere(m_job.run, m_savedStep, m_savedIn);
}

Result<void> TrainLoop::expectPlaces() const {
    HOMEBOOTH_CHECK(m_place.there());
    return expectDrive();
}

Result<void> TrainLoop::writeOnce(int64_t step, SaveKind kind) {
    const auto begin = Clock::now();
    const Ranks& ranks = m_job.ranks();
    m_job.events.emit(StateEvent{"saving", "checkpoint", 0, 0});
    HOMEBOOTH_CHECK(ranks.agreeOn(ranks.isFirst() ? expectPlaces() : Result<void>()));
    HOMEBOOTH_ASSIGN(const std::string path, saveCheckpoint(m_job, m_trainee, step, kind));
    m_savedStep = step;
    m_savedKind = kind;
    m_savedIn = savedElsewhere(m_job.run);
    m_savedAt = Clock::now();
    m_saveSeconds = secondsSince(begin);
    m_job.events.emit(CheckpointEvent{step, path});
    sayPaused(m_paused, step);
    return {};
}

Result<void> TrainLoop::save(int64_t step) {
    if (m_savedStep == step && m_savedKind == SaveKind::Counted) return {};
    const RoomNeed need{m_job.run.checkpointsDir(), [this] { return m_trainee.learner().savedBytes(); },
                        [this] { return expectDrive(); }, &m_place};
    return writeWithRoom(m_job, need, [&] { return writeCounted(step); });
}

Result<void> TrainLoop::writeCounted(int64_t step) {
    const auto written = writeOnce(step, SaveKind::Counted);
    if (written) return written;
    const Ranks& ranks = m_job.ranks();
    const bool full = lacksRoom(static_cast<int>(written.error().code), written.error().message);
    const bool gives =
        ranks.isFirst() && full && giveUpRolling(m_job, step, m_trainee.learner().savedBytes());
    return ranks.any(gives) ? writeOnce(step, SaveKind::Counted) : written;
}

Result<void> TrainLoop::writeRolling(int64_t step, bool needsRoom) {
    const Ranks& ranks = m_job.ranks();
    const bool looks = needsRoom && ranks.isFirst();
    HOMEBOOTH_CHECK(
        ranks.agreeOn(looks ? expectRoomToRoll(m_job, m_trainee.learner().savedBytes()) : Result<void>()));
    return writeOnce(step, SaveKind::Rolling);
}

void TrainLoop::saveRolling(int64_t step, bool needsRoom) {
    const bool saved = m_doneSteps == 0 || m_savedStep == step; // as somebody asked just now
    if (saved || spoiled() || learnedNothing(step)) return;
    const auto written = writeRolling(step, needsRoom);
    if (written) return;
    m_savedAt = Clock::now();
    m_job.events.emit(
        WarningEvent{"not-saved", written.error().text() + "; the training goes on, and tries again later"});
    sayPaused(m_paused, step);
}

/// Weights that fp16 is no longer enough for can be finite themselves, and fail every step behind them.
/// A checkpoint of them would be the newest, and the run could not go on from it. The loss scale overflows
/// now and then, and often before the first checkpoint, without harm.
bool TrainLoop::spoiled() const {
    constexpr int64_t kHarmless = 2;
    return m_savedStep >= 0 && m_badSteps > kHarmless;
}

Result<void> TrainLoop::saveIfDue(int64_t step, bool goesOn) {
    const bool better = goesOn && m_badSteps > 0; // comes with a later step
    if (!m_saveDue || better || spoiled()) return {};
    m_saveDue = false;
    return save(step);
}

Result<void> TrainLoop::saveAtEnd(int64_t step) {
    return spoiled() ? failureAt(step) : save(step);
}

void TrainLoop::writePreviews(int64_t step, const std::vector<PreviewPicture>& previews) {
    for (const PreviewPicture& preview : previews) {
        const std::string path = previewPath(m_job.run, step, preview.place);
        const auto written = m_job.writer.write(path, preview.picture, {{"parameters", preview.parameters}});
        if (!written) {
            m_job.events.emit(WarningEvent{"preview-not-written", written.error().text()});
            return;
        }
        m_job.events.emit(PreviewEvent{step, preview.place, path});
    }
}

/// No plan counts the weights that averages stand for meanwhile: where any rank lacks the memory for them,
/// that must not end hours of training. All go on without, since none may swap alone: of several, one that
/// fails at that ends the job.
Result<void> TrainLoop::useAverages(const std::string& operation, const char* without) {
    Result<void> kept;
    try {
        m_trainee.learner().keepOriginals();
    } catch (const std::exception&) {
        if (!memoryRanOut()) throw;
        kept = failureInFlight(operation, adviceFor(without));
    }
    HOMEBOOTH_CHECK(m_job.ranks().agreeOn(kept));
    try {
        m_trainee.learner().swapInAverages();
    } catch (const std::exception&) {
        if (m_job.ranks().count() > 1 || !memoryRanOut()) throw;
        return failureInFlight(operation, adviceFor(without));
    }
    return {};
}

/// One that fails, e.g. for lack of memory, must not end hours of training.
Result<std::vector<PreviewPicture>> TrainLoop::ownPreviews(int64_t step) {
    try {
        const DeviceLimit limit(m_job);
        return m_trainee.preview(step);
    } catch (const std::exception&) {
        if (m_job.ranks().count() > 1 && m_job.spreadsParameters()) throw; // the others wait for what it has
        return failureInFlight(ofPreviews(step), adviceFor(kWithoutPreviews));
    }
}

/// With the weights that the result will have.
Result<std::vector<PreviewPicture>> TrainLoop::previewsOf(int64_t step) {
    HOMEBOOTH_CHECK(useAverages(ofPreviews(step), kWithoutPreviews));
    return gatherPreviews(m_job.ranks(), ownPreviews(step));
}

bool TrainLoop::previewDue(int64_t step) const {
    const int64_t every = m_job.config.output.previewEverySteps;
    return due(step, every) || (every > 0 && step == m_job.config.steps);
}

void TrainLoop::preview(int64_t step) {
    m_job.events.emit(StateEvent{"sampling", "preview", 0, 0});
    m_devicePeakBytes = peaks().deviceBytes;
    std::error_code ignored;
    std::filesystem::create_directory(m_job.run.samplesDir(), ignored); // never the run's folder
    const auto previews = previewsOf(step);
    if (previews)
        writePreviews(step, *previews);
    else
        m_job.events.emit(WarningEvent{"preview-failed", previews.error().text()});
    m_job.ranks().meetAgain(); // writing takes its time
    m_trainee.learner().swapOutAverages();
    restartDevicePeak(m_job.options.device);
    sayPaused(m_paused, step);
}

void TrainLoop::makeUpForPreviews(int64_t step) {
    if (!lacksPreviews(m_job, step)) return;
    preview(step);
    std::error_code ignored;
    if (m_job.ranks().isFirst()) std::filesystem::remove(triedMark(m_job.run, step), ignored);
}

/// Of the weights that the result will have.
Result<std::optional<double>> TrainLoop::heldOutLoss(int64_t step) {
    const std::string operation = "validating at step " + std::to_string(step);
    HOMEBOOTH_CHECK(useAverages(operation, kWithoutAverages));
    try {
        const DeviceLimit limit(m_job);
        return m_trainee.validate();
    } catch (const std::exception&) {
        if (m_job.ranks().count() > 1 || !memoryRanOut()) throw; // other ranks wait for what this one has
        return failureInFlight(operation, adviceFor(kWithoutAverages));
    }
}

void TrainLoop::validate(int64_t step) {
    const auto loss = heldOutLoss(step);
    m_trainee.learner().swapOutAverages();
    if (!loss) {
        releaseIdleMemory(m_job.options.device);
        m_job.events.emit(WarningEvent{"validation-failed", loss.error().text()});
    } else if (*loss) {
        m_job.events.emit(ValidationEvent{step, **loss});
    }
}

Result<LoopEnd> TrainLoop::run(int64_t doneSteps, SaveKind from) {
    const OutputConfig& output = m_job.config.output;
    const int64_t last = m_job.config.steps;
    m_savedStep = doneSteps > 0 ? doneSteps : -1;
    m_savedKind = from;
    m_savedAt = Clock::now();
    if (doneSteps > 0) m_savedIn = savedElsewhere(m_job.run);
    restartDevicePeak(m_job.options.device); // what preparing took is not a step's
    sayPaused(false, doneSteps);
    const bool validates = m_job.config.data.validationShare > 0.0;
    if (validates && doneSteps == 0) validate(0);
    if (doneSteps > 0 && previewDue(doneSteps)) makeUpForPreviews(doneSteps);
    for (int64_t step = doneSteps + 1; step <= last; ++step) {
        HOMEBOOTH_ASSIGN(const bool goOn, obey(step - 1));
        if (!goOn) return stopAfter(step - 1);
        HOMEBOOTH_CHECK(oneStep(step));
        if (step == doneSteps + 1 || step % kStepsBetweenMemoryEvents == 0 || step == last)
            reportMemory(step);
        if (step == last && learnedNothing(step)) return beyondFp16(step);
        m_saveDue = m_saveDue || due(step, output.checkpointEverySteps);
        HOMEBOOTH_CHECK(step == last ? saveAtEnd(step) : saveIfDue(step, /*goesOn=*/true));
        if (validates && (due(step, output.validateEverySteps) || step == last)) validate(step);
        if (previewDue(step)) preview(step);
    }
    HOMEBOOTH_CHECK(save(last)); // what was done already may have been saved by the clock alone
    return LoopEnd::Done;
}

Result<LoopEnd> TrainLoop::stopAfter(int64_t step) {
    const auto finishes = [&] {
        const Asked now = asked(step); // one may ask to stop what another one wanted to finish
        return step > 0 && now.finish && !now.stop;
    };
    // With a checkpoint the run could not begin anew in another format.
    if (finishes() && learnedNothing(step)) return beyondFp16(step);
    HOMEBOOTH_CHECK(saveAtEnd(step));
    return finishes() ? LoopEnd::Done : LoopEnd::Stopped;
}

MemoryPeaks TrainLoop::peaks() const {
    MemoryPeaks peaks = memoryPeaks(m_job.options.device);
    peaks.deviceBytes = std::max(peaks.deviceBytes, m_devicePeakBytes);
    return peaks;
}

StepTraffic TrainLoop::trafficPerStep() const {
    const int64_t steps = std::max<int64_t>(m_doneSteps, 1);
    return {m_traffic.linkBytes / steps, m_traffic.swapBytesWritten / steps};
}

double TrainLoop::stepSeconds() const {
    return m_timedSteps > 0 ? m_seconds / static_cast<double>(m_timedSteps) : m_firstSeconds.value_or(0.0);
}

} // namespace homebooth::core

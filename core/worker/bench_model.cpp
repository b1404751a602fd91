// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_model.h"

#include "core/base/arch/unet_layout.h"
#include "core/base/config/byte_size.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/io/precision.h"
#include "core/engine/io/weights.h"
#include "core/engine/memory/arena_allocator.h"
#include "core/engine/memory/device_wait.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/step_tuner.h"
#include "core/engine/planning/trial_step.h"
#include "core/engine/planning/visiting_plans.h"
#include "core/engine/training/memory_report.h"
#include "core/worker/environment.h"
#include "core/worker/median.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>

namespace homebooth::core {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int64_t kTimestep = 500;

/// Times the calls of one measurement.
class Stopwatch {
public:
    Stopwatch(const BenchOptions& options, at::Device device, const BenchProgress& progress)
        : m_count(options.steps)
        , m_device(device)
        , m_progress(progress) {}

    /// Median seconds of the timed calls. @param name  of the calls, for the progress
    /// @param warmUp  calls before them
    [[nodiscard]] double median(const char* name, const std::function<void(int64_t)>& call,
                                int64_t warmUp = 1) const {
        using Clock = std::chrono::steady_clock;
        std::vector<double> seconds;
        for (int64_t index = 1 - warmUp; index <= m_count; ++index) {
            const auto start = Clock::now();
            call(index);
            waitForDevice(m_device);
            if (index > 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
            m_progress(name, index, m_count);
        }
        return medianOf(std::move(seconds));
    }
    [[nodiscard]] int64_t calls() const { return m_count + 1; }

private:
    int64_t m_count;
    at::Device m_device;
    const BenchProgress& m_progress;
};

/// What the tiers take while this lives; nothing where nobody counts. A limit holds for host memory that
/// stands for a device.
class TierWatch {
public:
    TierWatch(at::Device device, int64_t deviceBytes)
        : m_device(device) {
        restart();
        limitDeviceTier(deviceBytes);
    }
    ~TierWatch() { limitDeviceTier(0); }
    TierWatch(const TierWatch&) = delete;
    TierWatch& operator=(const TierWatch&) = delete;

    /// Peaks are those from here on.
    void restart() const {
        restartDevicePeak(m_device);
        restartTierPeak(Tier::Ram);
    }

    void addTo(Figures& found) const {
        const int64_t peak = memoryPeaks(m_device).deviceBytes;
        if (peak == 0) return;
        found.bytes.emplace_back("devicePeakBytes", peak);
        found.bytes.emplace_back("ramPeakBytes", tierUse(Tier::Ram).peakBytes);
    }

private:
    at::Device m_device;
};

/// What went to and from the disk of swapped states.
void addSwap(Figures& found, const SwapTraffic& before, const SwapTraffic& now, int64_t calls) {
    found.bytes.emplace_back("swapBytesReadPerStep", (now.bytes.bytesRead - before.bytes.bytesRead) / calls);
    found.bytes.emplace_back("swapBytesWrittenPerStep",
                             (now.bytes.bytesWritten - before.bytes.bytesWritten) / calls);
    found.seconds.emplace_back("swapWaitSecondsPerStep",
                               (now.waitedSeconds - before.waitedSeconds) / static_cast<double>(calls));
}

/// What each timed step took of pages that tensors had not used before or had given back, and how many of all
/// steps changed nothing because a gradient overflowed.
void addCounts(Figures& found, const Learner& learner, int64_t takenBefore, int64_t calls) {
    found.bytes.emplace_back("pageBytesTakenPerStep", (arenaUse().takenBytes - takenBefore) / calls);
    found.counts.emplace_back("skippedSteps", static_cast<double>(learner.flowState().skippedSteps));
}

bool streams(const std::vector<LearningPart>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [](const LearningPart& part) { return part.component->store().streams(); });
}

/// What has gone over the link of all that learns.
LinkTraffic trafficOf(const std::vector<LearningPart>& parts) {
    LinkTraffic sum;
    for (const LearningPart& part : parts) {
        const LinkTraffic one = part.component->store().traffic();
        sum.bytes += one.bytes;
        sum.waitedSeconds += one.waitedSeconds;
    }
    return sum;
}

/// What went over the link of what is streamed. @param unit  Step or Call
void addTraffic(Figures& found, const LinkTraffic& before, const LinkTraffic& now, int64_t calls,
                const std::string& unit) {
    found.bytes.emplace_back("linkBytesPer" + unit, (now.bytes - before.bytes) / calls);
    found.seconds.emplace_back("linkWaitSecondsPer" + unit,
                               (now.waitedSeconds - before.waitedSeconds) / static_cast<double>(calls));
}

LinkSpeed linkOf(const BenchOptions& options) {
    return {options.linkBytesPerSecond, options.linkLatencySeconds, options.blocking};
}

ParameterStore::Options storeOptions(const BenchOptions& options, at::Device device) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(options.precision);
    store.device = device;
    store.link = linkOf(options);
    if (options.policy == PlacementPolicy::Cpu) {
        store.streaming = StreamingOptions{};
        if (options.turnsAhead > 0) {
            store.streaming->prefetchDistance = static_cast<int>(options.turnsAhead);
            store.streaming->asSoonAsPossible = !options.valuesInRam;
        }
        store.streaming->homeOnDisk = options.swapParameters && !options.swapDir.empty();
        store.streaming->updatesOnDevice = options.updatesOnDevice;
    }
    store.disk.folder = options.swapDir;
    return store;
}

KeptForBackward keptFor(KeptActivations kept) {
    if (kept == KeptActivations::Everything) return KeptForBackward::Everything;
    return kept == KeptActivations::Products ? KeptForBackward::Products : KeptForBackward::Inputs;
}

TrainConfig trainConfigOf(const BenchOptions& options, const ModelSource& model) {
    TrainConfig config;
    if (model.language) config.mode = TrainMode::Language;
    config.data.contextTokens = options.contextTokens;
    config.precision = options.precision;
    config.quantization = options.quantization;
    config.batchSize = options.batchSize;
    config.data.resolutionPixels = options.resolutionPixels;
    config.optimizer.kind = options.optimizer;
    config.optimizer.states = options.states;
    config.optimizer.master = options.master;
    config.optimizer.learningRate = 1e-6; // far from what would make random weights diverge
    config.optimizer.maxGradientNorm = options.maxGradientNorm;
    config.method = options.method;
    config.lora.rank = options.loraRank;
    config.lora.alpha = static_cast<double>(options.loraRank);
    config.trainTextEncoder = options.trainTextEncoder;
    config.memory.policy = options.policy;
    config.memory.deviceBytes = options.deviceBytes;
    config.memory.ramBytes = options.ramBytes;
    config.memory.swapDir = options.swapDir;
    return config;
}

/// Gradients wait where `train` lets them wait. Without a limit host memory is none of a device.
int64_t gradientLimit(const BenchOptions& options, at::Device device, const StepBudget& budget) {
    return device.is_cpu() && options.deviceBytes == 0 ? 0 : budget.deviceBytes;
}

/// All blocks alike as asked for, or what the planner finds within the device's memory.
Result<StepPlan> placementOf(const TrainConfig& config, const ModelSource& model, const BenchOptions& options,
                             at::Device device, const StepBudget& budget, const MachineSpeed& speed) {
    if (options.kept == KeptActivations::Searched) return planStep(config, model, budget, speed);
    StepPlacement homes;
    homes.streaming = storeOptions(options, device).streaming;
    homes.valuesInRam = options.valuesInRam;
    homes.diskOfStreamed = !device.is_cpu() && !options.swapDir.empty();
    const auto alike = [&] {
        return planAlike(config, model, speed, keptFor(options.kept), homes,
                         gradientLimit(options, device, budget));
    };
    if (options.shareAtHome > 0.0) {
        HOMEBOOTH_ASSIGN(const StepPlan visiting, alike());
        homes.updatedAtHome = updatedAtHome(visiting.need, options.shareAtHome);
    }
    return alike();
}

/// Where a run stands behind its warm-up.
struct WarmedUp {
    int64_t steps = 0;
    StepPlan plan;                      // from what the first steps took
    std::optional<double> movedSeconds; // of the first step after blocks moved or keep something else
    int64_t peakBytes = 0;              // of the device, before they did
};

/// The first steps as a run does them: measured, and then planned once more.
WarmedUp warmedUp(const TrainConfig& config, const ModelSource& model, TrialStep& trial, const StepPlan& plan,
                  const MachineSpeed& speed, const StepTuner::Options& options, const StepBudget& budget,
                  at::Device device) {
    using Clock = std::chrono::steady_clock;
    StepTuner tuner(
        config, model, trial.learner(), plan, speed, [budget] { return budget; }, options);
    WarmedUp found;
    const auto timed = [&] {
        const auto start = Clock::now();
        trial.run(++found.steps);
        waitForDevice(device);
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (ReplanReason why = ReplanReason::None; why == ReplanReason::None;) {
        tuner.stepBegins();
        const double seconds = timed();
        found.peakBytes = memoryPeaks(device).deviceBytes;
        why = tuner.stepEnded(seconds);
        if (found.steps >= tuner.warmUpSteps()) break; // also where there was nothing to plan
    }
    found.plan = tuner.plan();
    // Memory that was moved to is touched for the first time; the steps behind that are the plan's.
    if (found.plan.placement != plan.placement) found.movedSeconds = timed();
    return found;
}

/// Of the device, what gradients may take while others compute: in the turn that leaves them least.
void addGradientRoom(Figures& found, const StepPlan& plan) {
    if (!plan.placement.streaming) return;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const RehearsedBlock& block : plan.need.blocks) least = std::min(least, block.gradientRoomBytes);
    found.bytes.emplace_back("leastGradientRoomBytes", least);
}

/// What the plan in use says that a step reads from the disk and writes to it.
void addPredictedSwap(Figures& found, const TrainConfig& config, const StepPlan& plan) {
    const StepNeed need = stepNeedOf(config, plan, kThisMachine);
    found.bytes.emplace_back("predictedSwapBytesReadPerStep", need.swapBytesReadPerStep);
    found.bytes.emplace_back("predictedSwapBytesWrittenPerStep", need.swapBytesWrittenPerStep);
}

/// Before anything is made: all blocks alike may need more than there is.
Result<void> checkLimit(const StepPlan& plan, const BenchOptions& options, at::Device device) {
    if (!device.is_cpu() || options.deviceBytes == 0 || plan.need.devicePeakBytes <= options.deviceBytes)
        return {};
    return Error{ErrorCode::OutOfResources,
                 "this step needs at least " + wholeMebibytes(plan.need.devicePeakBytes) +
                     " of memory where it computes, and " + fullMebibytes(options.deviceBytes) +
                     " may be used; raise --gpu-memory, or name another --keep or --policy",
                 {}};
}

int64_t latentSide(const ModelSource& model, const BenchOptions& options) {
    return options.resolutionPixels / model.vae.downscale();
}

/// What was predicted of the tiers, before the first step and after those that were measured.
void addPeaks(Figures& found, const StepPlan& plan, const StepPlan& measured, int64_t warmUpPeakBytes) {
    if (warmUpPeakBytes == 0) return; // nobody counts
    found.bytes.emplace_back("predictedDeviceBytes", plan.need.devicePeakBytes);
    found.bytes.emplace_back("warmUpDevicePeakBytes", warmUpPeakBytes);
    found.bytes.emplace_back("measuredPlanDeviceBytes", measured.need.devicePeakBytes);
    found.bytes.emplace_back("predictedRamBytes", plan.need.ramPeakBytes);
}

/// What the plan that follows the measured steps says, beside the first one.
void addMeasuredPlan(Figures& found, const StepPlan& plan, const WarmedUp& warm) {
    found.seconds.emplace_back("measuredPlanStepSeconds", warm.plan.stepSeconds);
    if (warm.movedSeconds) found.seconds.emplace_back("firstStepOfMeasuredPlanSeconds", *warm.movedSeconds);
    addPeaks(found, plan, warm.plan, warm.peakBytes);
    addGradientRoom(found, warm.plan);
}

/// @param seconds  of all these steps
void addOptimizerWait(Figures& found, double seconds, int64_t steps) {
    found.seconds.emplace_back("optimizerWaitSecondsPerStep", seconds / static_cast<double>(steps));
}

} // namespace

Result<Figures> timeTraining(const ModelSource& model, const BenchOptions& options, at::Device device,
                             const BenchProgress& progress) {
    const TrainConfig config = trainConfigOf(options, model);
    MachineSpeed speed = measureSpeed(device, config, model);
    if (options.linkBytesPerSecond > 0.0) speed.linkBytesPerSecond = options.linkBytesPerSecond;
    const StepBudget budget = stepBudget(device, config.memory); // before anything is taken of it
    HOMEBOOTH_ASSIGN(const StepPlan plan, placementOf(config, model, options, device, budget, speed));
    HOMEBOOTH_CHECK(checkLimit(plan, options, device));
    const TierWatch tiers(device, options.deviceBytes); // the limit holds for what is made, too
    HOMEBOOTH_ASSIGN(const std::unique_ptr<TrialStep> trial,
                     TrialStep::make(config, model, storeOptions(options, device), plan.placement));
    tiers.restart();
    Figures found;
    found.seconds.emplace_back("predictedStepSeconds", plan.stepSeconds);
    const bool fixed = options.kept != KeptActivations::Searched;
    StepTuner::Options tuning{{}, fixed, gradientLimit(options, device, budget)};
    if (fixed) tuning.rule.warmUpSteps = 2; // no other ways to try
    const WarmedUp warm = warmedUp(config, model, *trial, plan, speed, tuning, budget, device);
    const Stopwatch watch(options, device, progress);
    const LinkTraffic before = trafficOf(trial->parts());
    const SwapTraffic swapBefore = trial->learner().swapTraffic();
    const double waitedBefore = trial->learner().gradientWaitSeconds();
    const int64_t takenBefore = arenaUse().takenBytes;
    restartDevicePeak(device); // another plan may hold from here on
    int64_t step = warm.steps;
    found.seconds.emplace_back("stepSeconds", watch.median(
                                                  "training steps", [&](int64_t) { trial->run(++step); }, 0));
    addMeasuredPlan(found, plan, warm);
    tiers.addTo(found);
    addCounts(found, trial->learner(), takenBefore, options.steps);
    if (!options.swapDir.empty()) {
        addSwap(found, swapBefore, trial->learner().swapTraffic(), options.steps);
        addPredictedSwap(found, config, warm.plan);
    }
    if (!streams(trial->parts())) return found;
    addTraffic(found, before, trafficOf(trial->parts()), options.steps, "Step");
    addOptimizerWait(found, trial->learner().gradientWaitSeconds() - waitedBefore, options.steps);
    return found;
}

Result<Figures> timeSampling(const ModelSource& model, const BenchOptions& options, at::Device device,
                             const BenchProgress& progress) {
    constexpr int64_t kGuidanceCopies = 2;
    const c10::NoGradGuard noGradients;
    const int64_t side = latentSide(model, options);
    const at::ScalarType type = scalarTypeOf(options.precision);
    const int64_t batch = options.batchSize * kGuidanceCopies;
    const Stopwatch watch(options, device, progress);
    const TierWatch tiers(device, options.deviceBytes);
    Figures found;
    {
        ParameterStore::Options stored = storeOptions(options, device);
        stored.changes = true; // as a model's that LoRAs may be added to
        UNetModel unet(model.unet, frozenSchedule(unetSchedule(model.unet), options.quantization), stored);
        initialiseParameters(unet.component().store(), kSeed);
        const at::Tensor sample = at::randn({batch, model.unet.inChannels, side, side}).to(device, type);
        const at::Tensor context =
            at::randn({batch, model.text.config.maxPositions, model.unet.crossAttentionDim}).to(device, type);
        const at::Tensor timestep = at::full({batch}, kTimestep, at::kLong).to(device);
        const bool textTime = model.unet.textTimeEmbedding;
        const at::Tensor pooled = at::randn({batch, textTime ? model.unet.pooledTextChannels() : 0});
        const at::Tensor ids = at::full({batch, UNetConfig::kTimeIds}, static_cast<double>(side));
        found.seconds.emplace_back("unetCallSeconds", watch.median("calls of the UNet", [&](int64_t) {
            static_cast<void>(textTime ? unet.predict(sample, timestep, context, pooled, ids)
                                       : unet.predict(sample, timestep, context));
        }));
        const ParameterStore& parameters = unet.component().store();
        if (parameters.streams()) addTraffic(found, {}, parameters.traffic(), watch.calls(), "Call");
    }
    ParameterStore::Options store = storeOptions(options, device);
    store.type = safeVaeType(model.vae, type);
    VaeModel vae(model.vae, store, VaeModel::Part::Decoder);
    initialiseParameters(vae.decoder()->store(), kSeed);
    const at::Tensor latents = at::randn({1, model.vae.latentChannels, side, side}).to(device, store.type);
    found.seconds.emplace_back(
        "decodeSeconds", watch.median("decodings", [&](int64_t) { static_cast<void>(vae.decode(latents)); }));
    tiers.addTo(found);
    return found;
}

} // namespace homebooth::core

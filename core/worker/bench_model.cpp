// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_model.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/engine/io/precision.h"
#include "core/engine/io/weights.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/trial_step.h"
#include "core/worker/environment.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace homebooth::core {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int64_t kTimestep = 500;

void finish(at::Device device) {
    if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

/// Times the calls of one measurement.
class Stopwatch {
public:
    Stopwatch(const BenchOptions& options, at::Device device, const BenchProgress& progress)
        : m_count(options.steps)
        , m_device(device)
        , m_progress(progress) {}

    /// Median seconds of the timed calls after one of warm-up. @param name  of the calls, for the progress
    [[nodiscard]] double median(const char* name, const std::function<void(int64_t)>& call) const {
        using Clock = std::chrono::steady_clock;
        std::vector<double> seconds;
        for (int64_t index = 0; index <= m_count; ++index) {
            const auto start = Clock::now();
            call(index);
            finish(m_device);
            if (index > 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
            m_progress(name, index, m_count);
        }
        std::sort(seconds.begin(), seconds.end());
        const size_t middle = seconds.size() / 2;
        return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2.0;
    }
    [[nodiscard]] int64_t calls() const { return m_count + 1; }

private:
    int64_t m_count;
    at::Device m_device;
    const BenchProgress& m_progress;
};

/// What the tiers take while this lives, the device's within its limit; nothing where nobody counts.
class TierWatch {
public:
    explicit TierWatch(int64_t deviceBytes) {
        restartTierPeak(Tier::Device);
        restartTierPeak(Tier::Ram);
        limitDeviceTier(deviceBytes);
    }
    ~TierWatch() { limitDeviceTier(0); }
    TierWatch(const TierWatch&) = delete;
    TierWatch& operator=(const TierWatch&) = delete;

    [[nodiscard]] static bool counts() { return tierUse(Tier::Device).peakBytes > 0; }
    static void addTo(Figures& found) {
        if (!counts()) return;
        found.bytes.emplace_back("devicePeakBytes", tierUse(Tier::Device).peakBytes);
        found.bytes.emplace_back("ramPeakBytes", tierUse(Tier::Ram).peakBytes);
    }
};

/// What came over the link of a streamed store. @param unit  Step or Call
void addTraffic(Figures& found, const ParameterStore& store, const LinkTraffic& before, int64_t calls,
                const std::string& unit) {
    if (!store.streams()) return;
    const LinkTraffic now = store.traffic();
    found.bytes.emplace_back("linkBytesPer" + unit, (now.bytes - before.bytes) / calls);
    found.seconds.emplace_back("linkWaitSecondsPer" + unit,
                               (now.waitedSeconds - before.waitedSeconds) / static_cast<double>(calls));
}

ParameterStore::Options storeOptions(const BenchOptions& options, at::Device device) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(options.precision);
    store.device = device;
    if (options.policy == PlacementPolicy::Cpu) {
        store.streaming = StreamingOptions{};
        store.streaming->link.bytesPerSecond = options.linkBytesPerSecond;
    }
    return store;
}

Recompute recomputationFor(KeptActivations kept) {
    if (kept == KeptActivations::Everything) return Recompute::Never;
    return kept == KeptActivations::Products ? Recompute::CheapParts : Recompute::Always;
}

TrainConfig trainConfigOf(const BenchOptions& options) {
    TrainConfig config;
    config.precision = options.precision;
    config.batchSize = options.batchSize;
    config.data.resolutionPixels = options.resolutionPixels;
    config.optimizer.kind = options.optimizer;
    config.optimizer.states = options.states;
    config.optimizer.learningRate = 1e-6; // far from what would make random weights diverge
    config.optimizer.maxGradientNorm = options.maxGradientNorm;
    config.method = options.method;
    config.lora.rank = options.loraRank;
    config.lora.alpha = static_cast<double>(options.loraRank);
    config.trainTextEncoder = options.trainTextEncoder;
    config.memory.policy = options.policy;
    config.memory.deviceBytes = options.deviceBytes;
    return config;
}

/// All blocks alike as asked for, or what the planner finds within the device's memory.
Result<StepPlan> placementOf(const TrainConfig& config, const ModelSource& model, const BenchOptions& options,
                             at::Device device) {
    const MachineSpeed speed = measureSpeed(device, scalarTypeOf(options.precision));
    if (options.kept == KeptActivations::Searched)
        return planStep(config, model, stepBudget(device, config.memory), speed);
    StepPlan plan;
    plan.placement.streaming = storeOptions(options, device).streaming;
    plan.placement.recompute = {{unetSchedule(model.unet).blocks().size(), recomputationFor(options.kept)}};
    if (options.trainTextEncoder)
        plan.placement.recompute.emplace_back(clipSchedule(model.textEncoder).blocks().size(),
                                              recomputationFor(options.kept));
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(config, model, plan.placement));
    plan.stepSeconds = speed.seconds(plan.need.work);
    return plan;
}

int64_t latentSide(const ModelSource& model, const BenchOptions& options) {
    return options.resolutionPixels / model.vae.downscale();
}

} // namespace

Result<Figures> timeTraining(const ModelSource& model, const BenchOptions& options, at::Device device,
                             const BenchProgress& progress) {
    const TrainConfig config = trainConfigOf(options);
    HOMEBOOTH_ASSIGN(const StepPlan plan, placementOf(config, model, options, device));
    ParameterStore::Options store = storeOptions(options, device);
    store.streaming = plan.placement.streaming;
    if (store.streaming) store.streaming->link.bytesPerSecond = options.linkBytesPerSecond;
    HOMEBOOTH_ASSIGN(const std::unique_ptr<TrialStep> trial, TrialStep::make(config, model, store));
    trial->setRecompute(plan.placement.recompute);
    const Rehearsal& rehearsed = plan.need;
    const Stopwatch watch(options, device, progress);
    const TierWatch tiers(options.deviceBytes);
    const ParameterStore& parameters = trial->parts().front().component->store();
    const LinkTraffic before = parameters.traffic();
    Figures found;
    found.seconds.emplace_back("stepSeconds",
                               watch.median("training steps", [&](int64_t index) { trial->run(index + 1); }));
    found.seconds.emplace_back("predictedStepSeconds", plan.stepSeconds);
    if (TierWatch::counts()) {
        found.bytes.emplace_back("predictedDeviceBytes", rehearsed.devicePeakBytes);
        found.bytes.emplace_back("predictedRamBytes", rehearsed.ramPeakBytes);
    }
    TierWatch::addTo(found);
    addTraffic(found, parameters, before, watch.calls(), "Step");
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
    const TierWatch tiers(options.deviceBytes);
    Figures found;
    {
        UNetModel unet(model.unet, storeOptions(options, device));
        initialiseParameters(unet.component().store(), kSeed);
        const at::Tensor sample = at::randn({batch, model.unet.inChannels, side, side}).to(device, type);
        const at::Tensor context =
            at::randn({batch, model.textEncoder.maxPositions, model.unet.crossAttentionDim}).to(device, type);
        const at::Tensor timestep = at::full({batch}, kTimestep, at::kLong).to(device);
        found.seconds.emplace_back("unetCallSeconds", watch.median("calls of the UNet", [&](int64_t) {
            static_cast<void>(unet.predict(sample, timestep, context));
        }));
        addTraffic(found, unet.component().store(), {}, watch.calls(), "Call");
    }
    ParameterStore::Options store = storeOptions(options, device);
    store.type = safeVaeType(model.vae, type);
    VaeModel vae(model.vae, store, VaeModel::Part::Decoder);
    initialiseParameters(vae.decoder()->store(), kSeed);
    const at::Tensor latents = at::randn({1, model.vae.latentChannels, side, side}).to(device, store.type);
    found.seconds.emplace_back(
        "decodeSeconds", watch.median("decodings", [&](int64_t) { static_cast<void>(vae.decode(latents)); }));
    TierWatch::addTo(found);
    return found;
}

} // namespace homebooth::core

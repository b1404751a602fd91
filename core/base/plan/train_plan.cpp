// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/train_plan.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/config/byte_size.h"
#include "core/base/plan/disk_need.h"
#include "core/base/plan/train_sizes.h"
#include "core/base/schedule/adapters.h"
#include "core/base/system/disk_facts.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr int64_t kNoLimit = int64_t{1} << 60; // of a run that works already

bool learnsText(const TrainConfig& config) {
    return config.trainTextEncoder || config.mode == TrainMode::FromScratch;
}

struct TrainedNetworks {
    std::vector<std::pair<Schedule, InputShape>> networks;
    EncodingNeed encoding; ///< of captions and latents: before training only, or beside it
};

Result<TrainedNetworks> networksOf(const TrainConfig& config, const ModelSource& model) {
    TrainedNetworks found;
    const int64_t side = config.data.resolutionPixels;
    const int64_t latentSide = side / model.vae.downscale();
    const int64_t batch = config.ownBatchSize() * (config.data.classPrompt.empty() ? 1 : 2);
    const int64_t cropSide = std::min(side, model.vae.sampleSize); // an autoencoder learns on crops
    const InputShape pixels{batch, cropSide, cropSide, 77};
    if (config.mode == TrainMode::FromScratch && config.scratch.component == "vae") {
        found.networks.emplace_back(vaeEncoderSchedule(model.vae), pixels);
        found.networks.emplace_back(vaeDecoderSchedule(model.vae), pixels);
        return found;
    }
    const InputShape latents{batch, latentSide, latentSide, model.textEncoder.maxPositions};
    found.networks.emplace_back(unetSchedule(model.unet), latents);
    found.encoding = encodingNeed(config, model);
    if (learnsText(config)) found.networks.emplace_back(clipSchedule(model.textEncoder), latents);
    if (config.method != TrainMethod::Lora) return found;
    for (auto& [schedule, shape] : found.networks)
        HOMEBOOTH_CHECK(attachAdapters(
            schedule, {config.lora.rank, config.lora.alpha, config.lora.dropout, config.lora.convolutions}));
    return found;
}

/// @param what  is needed, behind its size
Error tooLittle(int64_t neededBytes, const char* what, int64_t haveBytes, const RamSplit& split,
                const std::string& advice) {
    return {ErrorCode::OutOfResources,
            "this needs about " + byteSizeText(neededBytes) + what + ", and " + byteSizeText(haveBytes) +
                " may be used" + split.inWords() + "; " + split.advice() + advice,
            {}};
}

/// Puts the sum where it will lie and refuses what cannot fit there, or into RAM beside it.
/// @param besideBytes  in RAM, whatever computes
Result<void> place(TrainPlan& plan, const MachineLimits& limits, int64_t needBytes, int64_t besideBytes,
                   const std::string& advice) {
    ResourceUse& use = plan.event.predicted;
    plan.gpu = limits.gpu;
    if (limits.gpu) use.deviceBytes = needBytes;
    use.ramBytes = programBytes(limits.gpu) + besideBytes + (limits.gpu ? 0 : needBytes);
    if (limits.gpu && use.deviceBytes > limits.deviceBytes)
        return tooLittle(use.deviceBytes, " of GPU memory", limits.deviceBytes, RamSplit(), advice);
    if (use.ramBytes > limits.ramBytes)
        return tooLittle(use.ramBytes, limits.gpu ? " of memory beside the GPU" : " of memory",
                         limits.ramBytes, limits.split, advice);
    return {};
}

std::string activationsInWords(const TrainSizes& sizes) {
    const std::string kept = byteSizeText(sizes.tier.activationBytes);
    if (sizes.kept == KeptForBackward::Everything)
        return "activations: up to " + kept + ", all kept: there is room, and it is faster";
    return "activations: " + std::string(sizes.kept == KeptForBackward::Products ? "up to " : "") + kept +
           " kept" + (sizes.kept == KeptForBackward::Products ? " with the results of costly products" : "") +
           ", the rest is computed again in backward (up to " + byteSizeText(sizes.workspace) +
           " for one block)";
}

void explain(std::vector<PlanDecision>& lines, const TrainConfig& config, const TrainSizes& sizes, bool gpu) {
    lines.push_back({std::string("parameters: ") + byteSizeText(sizes.tier.parameterBytes) +
                     (gpu ? " on the GPU" : " in memory") + ", all of them all the time"});
    lines.push_back({"optimizer states: " + byteSizeText(sizes.tier.stateBytes)});
    lines.push_back({"gradients: " + byteSizeText(sizes.gradients) +
                     (sizes.gradientsRest()
                          ? " at a time: clipping, accumulation or fp16 need all of them before the update"
                          : " at a time: the optimizer runs inside backward, block by block")});
    lines.push_back({activationsInWords(sizes)});
    if (config.optimizer.emaDecay > 0.0)
        lines.push_back({"moving average: " + byteSizeText(sizes.tier.cacheBytes) + " in fp32"});
}

/// @param besideBytes  of what goes on beside the steps instead
PlanDecision aboutPreparation(int64_t beforeBytes, int64_t besideBytes) {
    const bool ahead = besideBytes > 0;
    const int64_t bytes = ahead ? besideBytes : beforeBytes;
    const std::map<std::string, double> facts{{"preparationBytes", static_cast<double>(bytes)}};
    if (ahead)
        return {"beside the steps: up to " + byteSizeText(bytes) +
                    " to encode pictures and captions ahead of them",
                "encoding-ahead", facts};
    return {"before training: up to " + byteSizeText(bytes) +
                " to encode pictures and captions, released again",
            "preparation", facts};
}

/// The result that the first process puts together on the host where parameters are spread.
int64_t gatheredResultBytes(const TrainConfig& config, const TrainSizes& sizes) {
    if (!config.parallel.spreadsParameters()) return 0;
    if (config.method != TrainMethod::Full) return sizes.trained;
    const bool exact =
        config.optimizer.emaDecay > 0.0 || config.optimizer.master == MasterWeights::Fp32; // in fp32
    return exact ? sizes.resultBytes / bytesOf(config.precision) * kFloatBytes : sizes.resultBytes;
}

/// What is encoded beside the steps takes, by the worker's decision or by the user's wish; 0 where all is
/// encoded before.
int64_t besideSteps(const TrainConfig& config, const EncodingNeed& encoding,
                    const std::optional<StepNeed>& need) {
    if (need && need->encodingBytes) return *need->encodingBytes;
    return config.data.encode == EncodeTime::Ahead ? encoding.bytes() : 0;
}

PlanDecision aboutBudget(const MachineLimits& limits) {
    PlanDecision budget{"budget: " + byteSizeText(limits.ramBytes) + " of memory",
                        "budget",
                        {{"ramBytes", static_cast<double>(limits.ramBytes)}}};
    if (!limits.gpu) return budget;
    budget.text += " and " + byteSizeText(limits.deviceBytes) + " of GPU memory";
    budget.code = "budget-gpu";
    budget.facts["deviceBytes"] = static_cast<double>(limits.deviceBytes);
    return budget;
}

/// What a rehearsal found.
void takeNeed(TrainPlan& plan, const StepNeed& need) {
    plan.tier = need.device;
    plan.event.decisions = need.decisions;
    plan.event.predicted.stepSeconds = need.stepSeconds;
    plan.event.predicted.linkBytesPerStep = need.linkBytesPerStep;
    plan.event.predicted.swapBytes = need.swapBytes;
    plan.event.predicted.swapBytesWrittenPerStep = need.swapBytesWrittenPerStep;
    plan.swapBytesReadPerStep = need.swapBytesReadPerStep;
    plan.blocks = need.blocks;
}

TierMemory sumOf(const TierMemory& one, const TierMemory& other) {
    TierMemory sum = one;
    sum.parameterBytes += other.parameterBytes;
    sum.gradientBytes += other.gradientBytes;
    sum.stateBytes += other.stateBytes;
    sum.activationBytes += other.activationBytes;
    sum.workspaceBytes += other.workspaceBytes;
    sum.cacheBytes += other.cacheBytes;
    return sum;
}

/// Of what a tier holds at several moments, that of which there is most.
TierMemory fullest(const std::vector<TierMemory>& moments) {
    return *std::max_element(
        moments.begin(), moments.end(),
        [](const TierMemory& one, const TierMemory& other) { return totalBytes(one) < totalBytes(other); });
}

/// Says by kind what was placed.
/// @param computing  of the tier that computes, at its fullest
/// @param beside     in RAM, whatever computes, without the program
void tellPeaks(TrainPlan& plan, const TierMemory& computing, TierMemory beside) {
    beside.workspaceBytes += programBytes(plan.gpu);
    plan.peaks.device = plan.gpu ? computing : TierMemory{};
    plan.peaks.ram = plan.gpu ? beside : sumOf(beside, computing);
}

/// Host memory that stands for a device is that of the steps, and is told once; what else there may be beside
/// the program before and behind them stays with RAM.
void tellDeviceApart(TrainPlan& plan, TierMemory beside) {
    ResourceUse& use = plan.event.predicted;
    use.deviceBytes = totalBytes(plan.tier);
    use.ramBytes -= use.deviceBytes;
    plan.peaks.device = plan.tier;
    beside.workspaceBytes += use.ramBytes - totalBytes(beside);
    plan.peaks.ram = beside;
}

/// What the tier that computes holds while it trains, before, and, where parameters are spread, while the
/// first process has the whole model: at the end the result, which is put together beside its part, and while
/// it makes class pictures, as every other may.
/// @param step    at the peak of the steps
/// @param before  that the preparation takes beside the model, @param beside  and what takes it beside the
/// steps
/// @param result  of what lies where the parameters do
std::vector<TierMemory> momentsOf(const TrainConfig& config, const TrainSizes& sizes, const TierMemory& step,
                                  int64_t before, int64_t beside, int64_t result) {
    TierMemory training = step;
    training.workspaceBytes += beside;
    TierMemory preparing;
    preparing.parameterBytes = step.parameterBytes; // the model that will learn is there already
    preparing.workspaceBytes = before;
    std::vector<TierMemory> moments{training, preparing};
    if (!config.parallel.spreadsParameters()) return moments;
    TierMemory& ending = moments.emplace_back();
    ending.parameterBytes = step.parameterBytes;
    ending.stateBytes = step.stateBytes;
    ending.cacheBytes = step.cacheBytes;
    ending.workspaceBytes = result;
    if (!config.usesClassPictures()) return moments;
    TierMemory& alone = moments.emplace_back();
    alone.parameterBytes = sizes.tier.parameterBytes;
    alone.workspaceBytes = before;
    return moments;
}

} // namespace

EncodingNeed encodingNeed(const TrainConfig& config, const ModelSource& model) {
    const int64_t side = config.data.resolutionPixels;
    const InputShape onePicture{1, side, side, 77};
    const Schedule encoder = vaeEncoderSchedule(model.vae);
    EncodingNeed need;
    need.pictureBytes =
        parameterBytes(encoder, kFloatBytes) +
        (peakLiveElements(encoder, onePicture) + peakBlockElements(encoder, onePicture, false)) * kFloatBytes;
    if (!learnsText(config))
        need.textBytes = parameterBytes(clipSchedule(model.textEncoder), bytesOf(config.precision));
    return need;
}

Result<MachineLimits> machineLimits(const MemoryConfig& memory) {
    const auto smaller = [](int64_t have, int64_t wanted) {
        return wanted > 0 ? std::min(have, wanted) : have;
    };
    MachineLimits limits;
    limits.ramBytes = smaller(memoryFacts().usableBytes(), memory.ramBytes);
    if (memory.device == ComputeDevice::Cpu) return limits;
    const GpuFacts gpu = gpuFacts();
    if (gpu.state == GpuState::DriverTooOld || gpu.state == GpuState::Broken)
        return badInput(gpu.message + "; or choose --device cpu");
    if (gpu.state != GpuState::Ready || gpu.devices.empty()) return limits;
    limits.gpu = true;
    limits.deviceBytes = smaller(gpu.devices.front().totalBytes, memory.deviceBytes);
    return limits;
}

int64_t totalBytes(const TierMemory& tier) {
    return tier.parameterBytes + tier.gradientBytes + tier.stateBytes + tier.activationBytes +
           tier.workspaceBytes + tier.cacheBytes;
}

Result<TrainPlan> planTraining(const TrainConfig& config, const ModelSource& model,
                               const MachineLimits& limits, const std::optional<StepNeed>& need) {
    HOMEBOOTH_ASSIGN(const TrainedNetworks trained, networksOf(config, model));
    TrainSizes sizes(config, limits.gpu);
    for (const auto& [schedule, shape] : trained.networks) sizes.addLearning(schedule, shape);
    TrainPlan plan;
    plan.checkpointBytes = sizes.trained - sizes.replaced + sizes.tier.stateBytes + sizes.tier.cacheBytes;
    plan.resultBytes = config.method == TrainMethod::Lora ? sizes.trained : sizes.resultBytes;
    if (need) {
        takeNeed(plan, *need);
    } else {
        sizes.chooseRecomputation(limits.gpu ? limits.deviceBytes : limits.ramBytes);
        plan.tier = sizes.tier;
        plan.tier.gradientBytes = sizes.gradients;
        plan.tier.workspaceBytes = sizes.workspace;
        explain(plan.event.decisions, config, sizes, limits.gpu);
    }
    const int64_t before = trained.encoding.bytes();
    const int64_t beside = besideSteps(config, trained.encoding, need);
    if (before > 0) plan.event.decisions.push_back(aboutPreparation(before, beside));
    if (limits.ramBytes < kNoLimit) plan.event.decisions.push_back(aboutBudget(limits));
    const int64_t result = gatheredResultBytes(config, sizes);
    const TierMemory most =
        fullest(momentsOf(config, sizes, plan.tier, before, beside, limits.gpu ? 0 : result));
    TierMemory besideIt = need ? need->ram : TierMemory{};
    if (limits.gpu) besideIt.workspaceBytes += result;
    HOMEBOOTH_CHECK(
        place(plan, limits, totalBytes(most), totalBytes(besideIt),
              "try --precision bf16, --optimizer adamw8bit, --method lora, a smaller --resolution or "
              "--batch, or close other programs"));
    tellPeaks(plan, most, besideIt);
    if (need) plan.peaks.swap = need->swap;
    const bool smallerDevice = config.memory.deviceBytes > 0 || config.memory.policy == PlacementPolicy::Cpu;
    if (need && !limits.gpu && smallerDevice) tellDeviceApart(plan, besideIt);
    return plan;
}

Result<TrainPlan> planSampling(const SampleConfig& config, const ModelSource& model,
                               const MachineLimits& limits) {
    const int64_t elementBytes = bytesOf(config.precision);
    const bool upcast = config.precision == Precision::Fp16 && model.vae.forceUpcast;
    const int64_t decoderBytes = upcast ? kFloatBytes : elementBytes;
    const int64_t ownSide = std::max<int64_t>(model.unet.sampleSize, 8) * model.vae.downscale();
    const int64_t width = config.widthPixels > 0 ? config.widthPixels : ownSide;
    const int64_t height = config.heightPixels > 0 ? config.heightPixels : ownSide;
    const int64_t copies = config.guidanceScale > 1.0 ? 2 : 1; // with and without the prompt
    const Schedule unet = unetSchedule(model.unet);
    const Schedule decoder = vaeDecoderSchedule(model.vae);
    const InputShape latents{config.batchSize * copies, height / model.vae.downscale(),
                             width / model.vae.downscale(), model.textEncoder.maxPositions};
    const InputShape picture{1, height, width, 0};
    const auto running = [](const Schedule& schedule, const InputShape& shape) {
        return peakLiveElements(schedule, shape) + peakBlockElements(schedule, shape, false);
    };
    TrainPlan plan;
    const auto add = [&](const Schedule& part, int64_t ofElement) {
        const int64_t parameters = parameterBytes(part, ofElement);
        plan.tier.parameterBytes += parameters + paddingBytes(part, parameters, limits.gpu);
    };
    add(unet, elementBytes);
    add(decoder, decoderBytes);
    add(clipSchedule(model.textEncoder), elementBytes);
    const int64_t denoising = running(unet, latents) * elementBytes;
    const int64_t decoding = running(decoder, picture) * decoderBytes;
    plan.tier.activationBytes = std::max(denoising, decoding);
    plan.event.decisions = {{"parameters: " + byteSizeText(plan.tier.parameterBytes)},
                            {"denoising: up to " + byteSizeText(denoising) + " of activations"},
                            {"decoding: up to " + byteSizeText(decoding) + ", one picture at a time"}};
    HOMEBOOTH_CHECK(place(plan, limits, totalBytes(plan.tier), 0,
                          "try --precision bf16, a smaller --batch, --width or --height, or --vae-tiling"));
    tellPeaks(plan, plan.tier, {});
    return plan;
}

Result<void> checkDiskSpace(const TrainPlan& plan, int64_t keptCheckpoints, const std::string& folder) {
    HOMEBOOTH_ASSIGN(const DiskFacts disk, diskFacts(folder));
    const int64_t needed = diskBytes(plan, keptCheckpoints);
    if (needed <= disk.freeBytes || disk.totalBytes == 0) return {}; // some file systems do not say it
    return Error{ErrorCode::OutOfResources,
                 "checkpoints and result need about " + byteSizeText(needed) + " of disk, and " +
                     byteSizeText(disk.freeBytes) + " are free; free some space or choose another --output",
                 folder};
}

} // namespace homebooth::core

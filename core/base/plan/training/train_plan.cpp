// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/train_plan.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/config/byte_size.h"
#include "core/base/config/training_defaults.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_writer.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/model_dropout.h"
#include "core/base/plan/model_kind.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/training/placed_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/plan/weight_format.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <algorithm>
#include <functional>

namespace homebooth::core {
namespace {

constexpr int64_t kNoLimit = int64_t{1} << 60; // of a run that works already

struct TrainedNetworks {
    std::vector<std::pair<Schedule, InputShape>> networks;
    EncodingNeed encoding; ///< of captions and latents: before training only, or beside it
};

Result<TrainedNetworks> networksOf(const TrainConfig& config, const ModelSource& model) {
    TrainedNetworks found;
    if (model.language) {
        HOMEBOOTH_ASSIGN(std::vector<Schedule> schedules, learningSchedules(config, model));
        const InputShape texts{config.ownBatchSize(), 0, 0, config.data.contextTokens};
        found.networks.emplace_back(std::move(schedules.front()), texts);
        return found;
    }
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
    const InputShape latents{batch, latentSide, latentSide, model.text.config.maxPositions};
    found.networks.emplace_back(unetSchedule(model.unet), latents);
    found.encoding = encodingNeed(config, model);
    if (learnsText(config)) found.networks.emplace_back(clipSchedule(model.text.config), latents);
    for (auto& [schedule, shape] : found.networks)
        HOMEBOOTH_CHECK(prepareLearning(schedule, config, /*learns=*/true));
    return found;
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

/// @param need  what is streamed though nobody asked for it has no room on the device
std::optional<PlanDecision> aboutWeights(const TrainConfig& config, const TrainedNetworks& trained,
                                         const std::optional<StepNeed>& need) {
    WeightBytes bytes;
    if (config.method == TrainMethod::Lora)
        for (const auto& [schedule, shape] : trained.networks) addWeights(schedule, config.precision, bytes);
    const bool elsewhere = need && need->ram.parameterBytes + need->swap.parameterBytes > 0;
    return aboutWeights(config, bytes, elsewhere && config.memory.policy == PlacementPolicy::Auto);
}

/// The result that the first process puts together on the host: all of it where parameters are spread, else
/// what every process has a part of, and those are numbers in fp32.
int64_t gatheredResultBytes(const TrainConfig& config, const TrainSizes& sizes) {
    if (config.parallel.processes == 1 || config.parallel.zero == 0) return 0;
    const int64_t masters = sizes.replaced / bytesOf(config.precision) * kFloatBytes;
    const int64_t averages = sizes.tier.cacheBytes;
    if (!config.parallel.spreadsParameters()) return averages > 0 ? averages : masters;
    if (config.method != TrainMethod::Full) return sizes.trained;
    const bool exact = averages > 0 || config.optimizer.master == MasterWeights::Fp32; // in fp32
    return exact ? sizes.resultBytes / bytesOf(config.precision) * kFloatBytes : sizes.resultBytes;
}

/// What a result takes on the disk. Of a denoiser that is a whole model, twice: a folder, and a file that
/// other programs take.
Result<void> planResult(TrainPlan& plan, const TrainConfig& config, const ModelSource& model,
                        const TrainSizes& sizes) {
    // A title, a card and words that call what is learned, and a scheduler's configuration with all its keys.
    constexpr int64_t kNamesBytes = 12 << 10;
    const bool ofAutoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    if (config.method == TrainMethod::Lora || model.language || ofAutoencoder) { // one file
        plan.resultBytes = config.method == TrainMethod::Lora ? sizes.trained : sizes.resultBytes;
        plan.largestResultFile = plan.resultBytes;
        return {};
    }
    WriteOptions options;
    options.floatType = config.precision == Precision::Fp32 ? DataType::F32 : DataType::F16;
    HOMEBOOTH_ASSIGN(const WrittenBytes written, writtenBytes(model, options));
    plan.resultBytes = written.folder + written.file + kNamesBytes;
    plan.largestResultFile = written.file;
    return {};
}

/// What is encoded beside the steps takes, by the worker's decision or by the user's wish; 0 where all is
/// encoded before.
int64_t besideSteps(const TrainConfig& config, const EncodingNeed& encoding,
                    const std::optional<StepNeed>& need) {
    if (need && need->encodingBytes) return *need->encodingBytes;
    return config.data.encode == EncodeTime::Ahead ? encoding.bytes() : 0;
}

/// @param standInBytes  of RAM that stands for a GPU's; 0: no limit was named for it
PlanDecision aboutBudget(const MachineLimits& limits, int64_t standInBytes) {
    PlanDecision budget{"budget: " + byteSizeText(limits.ramBytes) + " of memory",
                        "budget",
                        {{"ramBytes", static_cast<double>(limits.ramBytes)}}};
    if (!limits.gpu && standInBytes > 0)
        budget.text +=
            ", " + byteSizeText(standInBytes) + " of it for what stands for a GPU's (--gpu-memory)";
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

/// The same without one.
void takeEstimate(TrainPlan& plan, const TrainConfig& config, TrainSizes& sizes,
                  const MachineLimits& limits) {
    sizes.chooseRecomputation(limits.gpu ? limits.deviceBytes : limits.ramBytes);
    plan.tier = sizes.tier;
    plan.tier.gradientBytes = sizes.gradients;
    plan.tier.workspaceBytes = sizes.workspace;
    explain(plan.event.decisions, config, sizes, limits.gpu);
}

/// Of what a tier holds at several moments, that of which there is most.
TierMemory fullest(const std::vector<TierMemory>& moments) {
    return *std::max_element(
        moments.begin(), moments.end(),
        [](const TierMemory& one, const TierMemory& other) { return totalBytes(one) < totalBytes(other); });
}

/// What the preparation and the end of a training take beside what its steps do.
struct OtherNeeds {
    int64_t beforeBytes = 0;  ///< to encode, before the model is loaded
    int64_t laterBytes = 0;   ///< of RAM beside the steps, what comes into the same memory only then
    int64_t drawingBytes = 0; ///< to make class pictures, beside what learns
    int64_t besideBytes = 0;  ///< to encode beside the steps
    int64_t resultBytes = 0;  ///< of what lies where the parameters do
};

/// What comes into RAM only when all is encoded: homes of what is streamed, not what steps hold.
int64_t laterBytes(const TrainConfig& config, const std::optional<StepNeed>& need) {
    // Of class pictures each process keeps its part of the model.
    const bool stays = config.usesClassPictures() && config.parallel.spreadsParameters();
    return need && !stays ? totalBytes(need->ram) - need->ram.cacheBytes : 0;
}

/// What is computed for class pictures is taken for no more than encoding a picture takes: larger ones are
/// decoded in tiles where memory is short. Text encoders that a GPU has no room for are streamed.
int64_t drawingBytes(const EncodingNeed& encoding, bool gpu) {
    return gpu ? encoding.mostAtOnceBytes() : encoding.bytes();
}

/// What the tier that computes holds while it makes class pictures, all that it may. @param parameters  of
/// the model. @param besideBytes  what is needed beside them
TierMemory drawingMoment(const MachineLimits& limits, int64_t parameters, int64_t besideBytes) {
    TierMemory drawing;
    drawing.workspaceBytes = besideBytes;
    // What a GPU has no room for is streamed meanwhile.
    const int64_t room = limits.gpu ? std::max<int64_t>(limits.deviceBytes - besideBytes, 0) : kNoLimit;
    drawing.parameterBytes = std::min(parameters, room);
    return drawing;
}

/// What the tier that computes holds while it trains, before, and at the end, where the first process puts
/// the result together beside its part; and while class pictures are made, for which every process may have
/// the whole model.
/// @param step  at the peak of the steps
std::vector<TierMemory> momentsOf(const TrainConfig& config, const TrainSizes& sizes,
                                  const MachineLimits& limits, const TierMemory& step,
                                  const OtherNeeds& needs) {
    TierMemory training = step;
    training.workspaceBytes += needs.besideBytes;
    TierMemory preparing;
    preparing.workspaceBytes = std::max<int64_t>(needs.beforeBytes - needs.laterBytes, 0);
    std::vector<TierMemory> moments{training, preparing};
    if (needs.resultBytes > 0) {
        TierMemory& ending = moments.emplace_back();
        ending.parameterBytes = step.parameterBytes;
        ending.stateBytes = step.stateBytes;
        ending.cacheBytes = step.cacheBytes;
        ending.workspaceBytes = needs.resultBytes;
    }
    if (!config.usesClassPictures()) return moments;
    if (!config.parallel.spreadsParameters()) {
        moments.push_back(drawingMoment(limits, step.parameterBytes, needs.drawingBytes));
        return moments;
    }
    TierMemory& alone = moments.emplace_back();
    alone.parameterBytes = sizes.tier.parameterBytes;
    alone.workspaceBytes = needs.drawingBytes;
    return moments;
}

/// What a training takes as a whole, tier by tier.
struct WholeNeed {
    TierMemory most; ///< of the tier that computes, with RAM beside it where that is the same memory
    TierMemory besideIt;
    TierMemory device; ///< of memory that stands for a device
};

/// Previews are made with what there is: where that is too little, nothing of them counts.
/// @param resultBytes  of RAM beside a GPU at the end, when there are none
void addPreviews(const std::optional<PreviewPlan>& previews, const MachineLimits& limits, int64_t resultBytes,
                 TrainPlan& plan, WholeNeed& whole) {
    if (!previews) return;
    plan.event.decisions.push_back(previews->decision);
    if (!previews->fits) return;
    TierMemory meanwhile = previews->computing;
    whole.device = fullest({whole.device, meanwhile});
    if (limits.gpu)
        whole.besideIt.parameterBytes += std::max<int64_t>(previews->besideBytes - resultBytes, 0);
    else
        meanwhile.parameterBytes += previews->besideBytes;
    whole.most = fullest({whole.most, meanwhile});
}

/// @param plan  with the steps' tier
std::optional<PreviewPlan> previewsOf(const TrainConfig& config, const ModelSource& model,
                                      const MachineLimits& limits, const TrainedNetworks& trained,
                                      const TrainSizes& sizes, const TrainPlan& plan,
                                      const std::optional<StepNeed>& need) {
    if (config.output.previewEverySteps == 0 || trained.networks.empty()) return std::nullopt;
    std::vector<Schedule> learning;
    for (const auto& [schedule, shape] : trained.networks) learning.push_back(schedule);
    const bool ahead = besideSteps(config, trained.encoding, need) > 0;
    return planPreviews({config, model, limits, learning, plan.tier, need ? need->ram : TierMemory{},
                         need ? need->swap : TierMemory{}, need ? need->freeBytes : std::nullopt,
                         sizes.trained, ahead ? trained.encoding : EncodingNeed{}});
}

/// What to do where that finds no room. Texts take none of a GPU's; a picture is encoded alone and in fp32,
/// whatever else is set.
/// @param pictureBytes  to encode one, as moments count it
std::string adviceFor(const TrainConfig& config, const MachineLimits& limits, const WholeNeed& whole,
                      int64_t pictureBytes) {
    const bool gpuLacks = limits.gpu && totalBytes(whole.most) > limits.deviceBytes;
    const std::string limit = gpuLacks ? higherDeviceLimit(config.memory, limits.deviceBytes) : "";
    if ((gpuLacks || !limits.gpu) && totalBytes(whole.most) == pictureBytes) {
        constexpr const char* kSmaller =
            "try a smaller --resolution, since this is what encoding a picture takes, or ";
        return limit + (hasCheckpoints(config) ? "" : kSmaller) + "close other programs";
    }
    const bool ofTexts = config.mode == TrainMode::Language; // else pictures are what is held there
    return limit + fewerTexts(gpuLacks || !ofTexts ? 0 : whole.besideIt.cacheBytes) +
           leanerTraining(config, /*inRam=*/!gpuLacks);
}

} // namespace

EncodingNeed encodingNeed(const TrainConfig& config, const ModelSource& model) {
    EncodingNeed need;
    if (model.language) return need; // its texts are tokens at once
    const int64_t side = config.data.resolutionPixels;
    const InputShape onePicture{1, side, side, 77};
    const Schedule encoder = vaeEncoderSchedule(model.vae);
    need.pictureBytes =
        parameterBytes(encoder, kFloatBytes) +
        (peakLiveElements(encoder, onePicture) + peakBlockElements(encoder, onePicture, false)) * kFloatBytes;
    if (learnsText(config)) return need;
    for (size_t part = 0; part < model.textParts().size(); ++part)
        need.textBytes += parameterBytes(textSchedule(model, part), bytesOf(config.precision));
    return need;
}

Result<void> checkLearning(const TrainConfig& config, const ModelSource& model) {
    HOMEBOOTH_CHECK(checkModelKind(config, model));
    if (model.language) return {};
    HOMEBOOTH_CHECK(checkDropout(config, model));
    const bool ofAutoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    if (!model.unet.textTimeEmbedding || !learnsText(config) || ofAutoencoder) return {};
    if (config.mode == TrainMode::FromScratch)
        return badInput("training from scratch: expected the configuration of a model with one text encoder, "
                        "which learns along, found SDXL's two; name another folder as --scratch-config",
                        model.path);
    return Error{ErrorCode::Usage,
                 "training: expected SDXL's text encoders to stay as they are, found that they shall learn; "
                 "leave --train-text-encoder out, and \"trainTextEncoder\" of a configuration file",
                 {}};
}

namespace {

using Gpus = std::vector<GpuDevice>;

/// @param countedOf  of the GPUs that there are: what of their memory counts
Result<MachineLimits> limitsOf(const MemoryConfig& memory,
                               const std::function<int64_t(const Gpus& gpus)>& countedOf) {
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
    limits.deviceBytes = smaller(countedOf(gpu.devices), memory.deviceBytes);
    return limits;
}

} // namespace

Result<MachineLimits> machineLimits(const MemoryConfig& memory) {
    return limitsOf(memory, [](const Gpus& gpus) { return gpus.front().totalBytes; });
}

Result<MachineLimits> freeLimits(const MemoryConfig& memory, const std::vector<std::string>& gpus) {
    return limitsOf(memory, [&gpus](const Gpus& all) { return leastUsableBytes(all, gpuLoads(all), gpus); });
}

int64_t totalBytes(const TierMemory& tier) {
    return tier.parameterBytes + tier.gradientBytes + tier.stateBytes + tier.activationBytes +
           tier.workspaceBytes + tier.cacheBytes;
}

Result<TrainPlan> planTraining(const TrainConfig& config, const ModelSource& model,
                               const MachineLimits& limits, const std::optional<StepNeed>& need) {
    HOMEBOOTH_CHECK(checkLearning(config, model));
    HOMEBOOTH_ASSIGN(const TrainedNetworks trained, networksOf(config, model));
    TrainSizes sizes(config, limits.gpu);
    for (const auto& [schedule, shape] : trained.networks) sizes.addLearning(schedule, shape);
    TrainPlan plan;
    plan.checkpointBytes = sizes.trained - sizes.replaced + sizes.tier.stateBytes + sizes.tier.cacheBytes;
    plan.largestCheckpointFile = sizes.largestSaved;
    HOMEBOOTH_CHECK(planResult(plan, config, model, sizes));
    if (need) {
        takeNeed(plan, *need);
    } else {
        takeEstimate(plan, config, sizes, limits);
    }
    const int64_t result = gatheredResultBytes(config, sizes);
    const OtherNeeds others{trained.encoding.mostAtOnceBytes(), limits.gpu ? 0 : laterBytes(config, need),
                            drawingBytes(trained.encoding, limits.gpu),
                            besideSteps(config, trained.encoding, need), limits.gpu ? 0 : result};
    if (const auto weights = aboutWeights(config, trained, need)) plan.event.decisions.push_back(*weights);
    if (others.beforeBytes > 0)
        plan.event.decisions.push_back(aboutPreparation(others.beforeBytes, others.besideBytes));
    if (limits.ramBytes < kNoLimit)
        plan.event.decisions.push_back(aboutBudget(limits, config.memory.deviceBytes));
    if (const auto warning = smallPicturesWarning(config, model))
        plan.event.decisions.push_back({*warning, kSmallPictures});
    WholeNeed whole{fullest(momentsOf(config, sizes, limits, plan.tier, others)),
                    need ? need->ram : TierMemory{}, plan.tier};
    if (limits.gpu) whole.besideIt.workspaceBytes += result;
    addPreviews(previewsOf(config, model, limits, trained, sizes, plan, need), limits, result, plan, whole);
    const int64_t besideBytes = totalBytes(whole.besideIt);
    HOMEBOOTH_CHECK(
        place(plan, limits, totalBytes(whole.most), besideBytes,
              adviceFor(config, limits, whole, trained.encoding.pictureBytes - others.laterBytes)));
    tellPeaks(plan, whole.most, whole.besideIt);
    if (need) plan.peaks.swap = need->swap;
    const bool smallerDevice = config.memory.deviceBytes > 0 || config.memory.policy == PlacementPolicy::Cpu;
    if (need && !limits.gpu && smallerDevice) tellDeviceApart(plan, whole.device, whole.besideIt);
    return plan;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/sample_plan.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/generation_sizes.h"
#include "core/base/plan/training/placed_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/schedule/quantized_weights.h"

#include <algorithm>
#include <limits>

namespace homebooth::core {
namespace {

/// What one placement takes.
struct PlacedNeed {
    TierMemory computing;
    TierMemory beside; ///< in RAM: homes of what is streamed
    int64_t linkBytesPerStep = 0;
};

PlacedNeed needOf(const GenerationSizes& parts, const SamplePlacement& placement) {
    PlacedNeed need;
    need.computing.parameterBytes = parts.vae.parameterBytes;
    for (const PlannedNetwork& text : parts.texts) {
        const int64_t all = sumOf(text.paddedBytes);
        need.computing.parameterBytes += placement.streamsText ? deviceBytesOf(text, {}) : all;
        if (placement.streamsText) need.beside.parameterBytes += all;
    }
    const std::vector<bool> resident = placement.streamsUnet
                                           ? placement.residentBlocks
                                           : std::vector<bool>(parts.unet.blockBytes.size(), true);
    need.computing.parameterBytes += deviceBytesOf(parts.unet, resident);
    need.beside.parameterBytes += streamedBytesOf(parts.unet.paddedBytes, resident);
    need.linkBytesPerStep = streamedBytesOf(parts.unet.blockBytes, resident);
    need.computing.activationBytes =
        std::max(parts.denoisingBytes, placement.tilesVae ? parts.vae.tiledBytes : parts.vae.wholeBytes);
    return need;
}

/// From the fastest to the leanest, those in tiles last.
std::vector<SamplePlacement> waysOf(const GenerationSizes& parts, const SampleConfig& config, bool streams) {
    std::vector<SamplePlacement> ways;
    for (const bool tiles : {false, true}) {
        const bool helps = parts.vae.tiledBytes < parts.vae.wholeBytes;
        if (config.vaeTiling ? !tiles : tiles && !helps) continue;
        ways.push_back({false, false, {}, tiles});
        if (!streams) continue;
        ways.push_back({true, false, {}, tiles});
        for (int64_t share = kResidentShares - 1; share >= 0; --share)
            ways.push_back({true, true, spreadOver(parts.unet, share), tiles});
    }
    return ways;
}

/// Of the device, or of the host memory that stands for one; 0: there is one memory alone.
int64_t deviceLimit(const SampleConfig& config, const MachineLimits& limits) {
    if (!limits.gpu) return config.deviceBytes;
    return config.deviceBytes > 0 ? std::min(config.deviceBytes, limits.deviceBytes) : limits.deviceBytes;
}

/// What a generation takes of RAM, the program included.
int64_t ramBytesOf(const PlacedNeed& need, bool gpu) {
    return programBytes(gpu) + totalBytes(need.beside) + (gpu ? 0 : totalBytes(need.computing));
}

/// The first way that fits. Where none does, the one that takes least: of RAM among those that the device has
/// room for, else of the device.
SamplePlacement choose(const GenerationSizes& parts, const SampleConfig& config,
                       const MachineLimits& limits) {
    const int64_t device = deviceLimit(config, limits);
    const bool apart = limits.gpu || device > 0;
    const std::vector<SamplePlacement> ways = waysOf(parts, config, apart);
    const SamplePlacement* leanest = &ways.back();
    int64_t leastRam = std::numeric_limits<int64_t>::max();
    for (const SamplePlacement& way : ways) {
        const PlacedNeed need = needOf(parts, way);
        if (apart && totalBytes(need.computing) > device) continue;
        const int64_t ram = ramBytesOf(need, limits.gpu);
        if (ram <= limits.ramBytes) return way;
        if (ram >= leastRam) continue;
        leastRam = ram;
        leanest = &way;
    }
    return *leanest;
}

/// What weights in 8 bits save, or would: it is the user's to decide, since pictures differ by it.
/// @param whole  the networks before any of their weights is quantized
void explainWeights(std::vector<PlanDecision>& lines, const GenerationNetworks& whole,
                    const SampleConfig& config, const SamplePlacement& placement) {
    const bool quantized = config.quantization != Quantization::None;
    if (!quantized && !placement.streamsUnet && !placement.streamsText) return;
    const Quantization smaller = quantized ? config.quantization : Quantization::Int8;
    const int64_t elementBytes = bytesOf(config.precision);
    const std::string all = byteSizeText(whole.parameterBytes(elementBytes));
    const std::string less = byteSizeText(whole.quantized(smaller).parameterBytes(elementBytes));
    const bool products = config.quantization == Quantization::W8A8;
    if (quantized)
        lines.push_back({"weights of denoiser and text encoders: integers of 8 bits, " + less +
                         " instead of " + all +
                         (products ? ", and inputs of transformers with them on processors with VNNI" : "") +
                         "; pictures differ a little"});
    else
        lines.push_back({"--quantize int8 would keep denoiser and text encoders in " + less + " instead of " +
                         all + ": more of them stays on the device; pictures differ a little"});
}

void explain(std::vector<PlanDecision>& lines, const GenerationSizes& parts, const SamplePlacement& placement,
             const PlacedNeed& need) {
    lines.push_back({"parameters: " + byteSizeText(need.computing.parameterBytes)});
    if (placement.streamsText)
        lines.push_back({"text encoders: in RAM, from where their layers come for each prompt"});
    if (placement.streamsUnet)
        lines.push_back({"denoiser: " + byteSizeText(need.linkBytesPerStep) + " of " +
                         byteSizeText(sumOf(parts.unet.blockBytes)) +
                         " are in RAM, from where blocks come in each step"});
    lines.push_back({"denoising: up to " + byteSizeText(parts.denoisingBytes) + " of activations"});
    const int64_t decoding = placement.tilesVae ? parts.vae.tiledBytes : parts.vae.wholeBytes;
    lines.push_back(
        {"decoding: up to " + byteSizeText(decoding) + ", one picture at a time" +
         (placement.tilesVae ? std::string(": the autoencoder ") + kTilesInWords + " (without them up to " +
                                   byteSizeText(parts.vae.wholeBytes) + ")"
                             : std::string())});
}

std::string adviceFor(const SampleConfig& config, bool gpu) {
    return std::string(gpu ? "close other programs that use the GPU, or try " : "try ") +
           (config.precision == Precision::Fp32 ? "--precision bf16, " : "") +
           (config.quantization == Quantization::None ? "--quantize int8, " : "") +
           "a smaller --batch, --width or --height";
}

} // namespace

int64_t tileSidePixels(const VaeConfig& vae) {
    constexpr int64_t kMost = 512; // SDXL's was trained at twice that, where a tile would help nobody
    const int64_t unit = 4 * vae.downscale(); // a quarter of a tile overlaps the next one
    return std::max(std::min(vae.sampleSize, kMost) / unit * unit, unit);
}

int64_t decodingBytes(const SampleConfig& config, const ModelSource& model, bool gpu) {
    return AutoencoderSizes(config, model, {gpu, gpu}).wholeBytes;
}

Result<SamplePlan> planSampling(const SampleConfig& config, const ModelSource& model,
                                const MachineLimits& limits) {
    const GenerationNetworks whole = GenerationNetworks::whole(config, model);
    const GenerationSizes parts(whole.quantized(config.quantization), config, model,
                                {limits.gpu, limits.gpu});
    SamplePlan plan;
    plan.placement = choose(parts, config, limits);
    const PlacedNeed need = needOf(parts, plan.placement);
    plan.tier = need.computing;
    plan.event.predicted.linkBytesPerStep = need.linkBytesPerStep;
    explain(plan.event.decisions, parts, plan.placement, need);
    explainWeights(plan.event.decisions, whole, config, plan.placement);
    MachineLimits within = limits;
    const int64_t device = deviceLimit(config, limits);
    if (limits.gpu) within.deviceBytes = device;
    HOMEBOOTH_CHECK(
        place(plan, within, totalBytes(plan.tier), totalBytes(need.beside), adviceFor(config, limits.gpu)));
    tellPeaks(plan, plan.tier, need.beside);
    if (limits.gpu || device == 0) return plan;
    if (totalBytes(plan.tier) > device)
        return tooLittle(totalBytes(plan.tier), " of device memory", device, RamSplit(),
                         adviceFor(config, limits.gpu));
    tellDeviceApart(plan, plan.tier, need.beside);
    return plan;
}

SamplePlacement placeSampling(const SampleConfig& config, const ModelSource& model,
                              const MachineLimits& limits) {
    const GenerationNetworks networks =
        GenerationNetworks::whole(config, model).quantized(config.quantization);
    return choose(GenerationSizes(networks, config, model, {limits.gpu, limits.gpu}), config, limits);
}

SamplePlacement placeSampling(const SampleConfig& config, const ModelSource& model,
                              const MachineLimits& limits, const std::vector<Schedule>& learning) {
    const GenerationNetworks networks = GenerationNetworks::ofTraining(learning, model);
    return choose(GenerationSizes(networks, config, model, {limits.gpu, limits.gpu}), config, limits);
}

} // namespace homebooth::core

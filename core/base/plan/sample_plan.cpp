// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/sample_plan.h"

#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/config/byte_size.h"
#include "core/base/model/text_schedule.h"
#include "core/base/plan/placed_plan.h"
#include "core/base/plan/streamed_network.h"
#include "core/base/plan/train_sizes.h"
#include "core/base/plan/value_sizes.h"
#include "core/base/schedule/quantized_weights.h"

#include <algorithm>
#include <limits>

namespace homebooth::core {
namespace {

struct PictureSide {
    int64_t width = 0;
    int64_t height = 0;
};

PictureSide sideOf(const SampleConfig& config, const ModelSource& model) {
    const int64_t own =
        model.unet.sampleSize > 0 ? model.unet.sampleSize * model.vae.downscale() : model.vae.sampleSize;
    return {config.widthPixels > 0 ? config.widthPixels : own,
            config.heightPixels > 0 ? config.heightPixels : own};
}

/// The autoencoder. Pictures go through it one at a time.
struct Autoencoder {
    int64_t parameterBytes = 0; ///< of both halves
    int64_t wholeBytes = 0;     ///< while it runs
    int64_t tiledBytes = 0;     ///< the same in tiles

    Autoencoder(const SampleConfig& config, const ModelSource& model, bool gpu) {
        const bool upcast = config.precision == Precision::Fp16 && model.vae.forceUpcast;
        const int64_t elementBytes = upcast ? kFloatBytes : bytesOf(config.precision);
        const PictureSide side = sideOf(config, model);
        const int64_t tile = tileSidePixels(model.vae);
        const Schedule decoder = vaeDecoderSchedule(model.vae);
        const Schedule encoder = vaeEncoderSchedule(model.vae);
        for (const Schedule* half : {&encoder, &decoder}) {
            parameterBytes += sumOf(PlannedNetwork(*half, elementBytes, gpu).paddedBytes);
            if (half == &encoder && config.initImage.empty()) continue;
            const int64_t pixels = 3 * side.width * side.height * elementBytes;
            wholeBytes =
                std::max(wholeBytes, runningBytes(*half, {1, side.height, side.width, 0}, elementBytes));
            const InputShape one{1, std::min(side.height, tile), std::min(side.width, tile), 0};
            tiledBytes = std::max(tiledBytes, runningBytes(*half, one, elementBytes) + 2 * pixels);
        }
        tiledBytes = std::min(tiledBytes, wholeBytes);
    }
};

/// What a generation consists of.
struct Generation {
    PlannedNetwork unet;
    std::vector<PlannedNetwork> texts; ///< those with layers left out come beside the others
    Autoencoder vae;
    int64_t denoisingBytes = 0;

    Generation(const SampleConfig& config, const ModelSource& model, bool gpu)
        : unet(frozenSchedule(unetSchedule(model.unet), config.quantization), bytesOf(config.precision), gpu)
        , vae(config, model, gpu) {
        const int64_t elementBytes = bytesOf(config.precision);
        const auto asStored = [&](Schedule schedule) {
            return PlannedNetwork(frozenSchedule(std::move(schedule), config.quantization), elementBytes,
                                  gpu);
        };
        for (size_t part = 0; part < model.textParts().size(); ++part) {
            texts.push_back(asStored(textSchedule(model, part)));
            const int64_t skip = std::min(config.clipSkip, mostClipSkip(model));
            if (skip > 0) texts.push_back(asStored(textSchedule(model, part, skip)));
        }
        const PictureSide side = sideOf(config, model);
        const int64_t copies = config.guidanceScale > 1.0 ? 2 : 1; // with and without the prompt
        const InputShape latents{config.batchSize * copies, side.height / model.vae.downscale(),
                                 side.width / model.vae.downscale(), model.text.config.maxPositions};
        const Schedule schedule = frozenSchedule(unetSchedule(model.unet), config.quantization);
        denoisingBytes =
            runningBytes(schedule, latents, elementBytes) + quantizedWorkBytes(schedule, elementBytes);
    }
    /// Parameters of denoiser and text encoders.
    [[nodiscard]] int64_t modelBytes() const {
        int64_t bytes = sumOf(unet.blockBytes);
        for (const PlannedNetwork& text : texts) bytes += sumOf(text.blockBytes);
        return bytes;
    }
};

/// What one placement takes.
struct PlacedNeed {
    TierMemory computing;
    TierMemory beside; ///< in RAM: homes of what is streamed
    int64_t linkBytesPerStep = 0;
};

PlacedNeed needOf(const Generation& parts, const SamplePlacement& placement) {
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
std::vector<SamplePlacement> waysOf(const Generation& parts, const SampleConfig& config, bool streams) {
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
SamplePlacement choose(const Generation& parts, const SampleConfig& config, const MachineLimits& limits) {
    const int64_t device = deviceLimit(config, limits);
    const std::vector<SamplePlacement> ways = waysOf(parts, config, device > 0);
    const SamplePlacement* leanest = &ways.back();
    int64_t leastRam = std::numeric_limits<int64_t>::max();
    for (const SamplePlacement& way : ways) {
        const PlacedNeed need = needOf(parts, way);
        if (device > 0 && totalBytes(need.computing) > device) continue;
        const int64_t ram = ramBytesOf(need, limits.gpu);
        if (ram <= limits.ramBytes) return way;
        if (ram >= leastRam) continue;
        leastRam = ram;
        leanest = &way;
    }
    return *leanest;
}

/// What weights in 8 bits save, or would: it is the user's to decide, since pictures differ by it.
void explainWeights(std::vector<PlanDecision>& lines, const Generation& parts, const SampleConfig& config,
                    const ModelSource& model, const SamplePlacement& placement, bool gpu) {
    const bool quantized = config.quantization != Quantization::None;
    if (!quantized && !placement.streamsUnet && !placement.streamsText) return;
    SampleConfig other = config;
    other.quantization = quantized ? Quantization::None : Quantization::Int8;
    const std::string own = byteSizeText(parts.modelBytes());
    const std::string others = byteSizeText(Generation(other, model, gpu).modelBytes());
    const bool products = config.quantization == Quantization::W8A8;
    if (quantized)
        lines.push_back({"weights of denoiser and text encoders: integers of 8 bits, " + own +
                         " instead of " + others +
                         (products ? ", and inputs of transformers with them on processors with VNNI" : "") +
                         "; pictures differ a little"});
    else
        lines.push_back({"--quantize int8 would keep denoiser and text encoders in " + others +
                         " instead of " + own +
                         ": more of them stays on the device; pictures differ a little"});
}

void explain(std::vector<PlanDecision>& lines, const Generation& parts, const SamplePlacement& placement,
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

std::string adviceFor(const SampleConfig& config) {
    return std::string("try ") + (config.precision == Precision::Fp32 ? "--precision bf16, " : "") +
           (config.quantization == Quantization::None ? "--quantize int8, " : "") +
           "a smaller --batch, --width or --height";
}

} // namespace

int64_t tileSidePixels(const VaeConfig& vae) {
    constexpr int64_t kMost = 512; // SDXL's was trained at twice that, where a tile would help nobody
    const int64_t unit = 4 * vae.downscale(); // a quarter of a tile overlaps the next one
    return std::max(std::min(vae.sampleSize, kMost) / unit * unit, unit);
}

int64_t decodingBytes(const SampleConfig& config, const ModelSource& model) {
    return Autoencoder(config, model, /*gpu=*/false).wholeBytes;
}

Result<SamplePlan> planSampling(const SampleConfig& config, const ModelSource& model,
                                const MachineLimits& limits) {
    const Generation parts(config, model, limits.gpu);
    SamplePlan plan;
    plan.placement = choose(parts, config, limits);
    const PlacedNeed need = needOf(parts, plan.placement);
    plan.tier = need.computing;
    plan.event.predicted.linkBytesPerStep = need.linkBytesPerStep;
    explain(plan.event.decisions, parts, plan.placement, need);
    explainWeights(plan.event.decisions, parts, config, model, plan.placement, limits.gpu);
    MachineLimits within = limits;
    const int64_t device = deviceLimit(config, limits);
    if (limits.gpu) within.deviceBytes = device;
    HOMEBOOTH_CHECK(place(plan, within, totalBytes(plan.tier), totalBytes(need.beside), adviceFor(config)));
    tellPeaks(plan, plan.tier, need.beside);
    if (limits.gpu || device == 0) return plan;
    if (totalBytes(plan.tier) > device)
        return tooLittle(totalBytes(plan.tier), " of device memory", device, RamSplit(), adviceFor(config));
    tellDeviceApart(plan, need.beside);
    return plan;
}

SamplePlacement placeSampling(const SampleConfig& config, const ModelSource& model,
                              const MachineLimits& limits) {
    return choose(Generation(config, model, limits.gpu), config, limits);
}

} // namespace homebooth::core

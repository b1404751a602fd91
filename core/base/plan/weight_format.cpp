// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/weight_format.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/own_limits.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/schedule/quantized_weights.h"

#include <vector>

namespace homebooth::core {
namespace {

bool isQuantized(const TrainConfig& config) {
    return config.quantization == Quantization::Int8;
}

/// What to try, each with its option.
using Ways = std::vector<std::string>;

constexpr const char* kSwap = "--swap FOLDER";

/// Whether int8 is left to try.
bool mayQuantize(const TrainConfig& config) {
    return config.method == TrainMethod::Lora && !isQuantized(config);
}

/// Whether a disk is left to try; an autoencoder's training is planned without one.
bool maySwap(const TrainConfig& config) {
    const bool ofAutoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    return config.memory.swapDir.empty() && !ofAutoencoder;
}

/// What makes parameters and states smaller, of what may still change.
Ways leanerSettings(const TrainConfig& config) {
    Ways ways;
    if (!hasCheckpoints(config)) {
        if (config.precision == Precision::Fp32) ways.emplace_back("--precision bf16");
        if (config.optimizer.kind == OptimizerKind::AdamW) ways.emplace_back("--optimizer adamw8bit");
        if (config.method == TrainMethod::Full && config.mode != TrainMode::FromScratch)
            ways.emplace_back("--method lora");
    }
    if (mayQuantize(config)) ways.emplace_back("--quantize int8");
    return ways;
}

/// What makes what a step computes smaller; empty: nothing may change.
std::string smallerSteps(const TrainConfig& config) {
    const bool batch = config.ownBatchSize() > 1;
    if (hasCheckpoints(config)) return batch ? "a smaller --batch" : "";
    const char* size = config.mode == TrainMode::Language ? "--context" : "--resolution";
    return std::string("a smaller ") + size + (batch ? " or --batch" : "");
}

std::string tryThem(const Ways& ways) {
    std::string words;
    for (const std::string& way : ways) words += (words.empty() ? "try " : ", ") + way;
    return words + (words.empty() ? "" : ", or ") + "close other programs";
}

} // namespace

void addWeights(const Schedule& network, Precision precision, WeightBytes& sum) {
    Schedule quantized = network;
    static_cast<void>(quantizeWeights(quantized)); // nothing more where it is already
    const int64_t elementBytes = bytesOf(precision);
    for (const BlockSpec& block : quantized.blocks())
        for (const ParameterSpec& parameter : block.parameters) {
            const bool isWeight = parameter.storage == StorageType::Int8;
            if (isWeight) sum.whole += parameter.elementCount() * elementBytes;
            if (isWeight || !weightOfScale(parameter.name).empty())
                sum.quantized += parameter.byteCount(elementBytes);
        }
}

std::optional<PlanDecision> aboutWeights(const TrainConfig& config, const WeightBytes& bytes, bool streams) {
    if (config.method != TrainMethod::Lora || (!isQuantized(config) && !streams)) return std::nullopt;
    const std::string sizes = byteSizeText(bytes.quantized) + " instead of " + byteSizeText(bytes.whole);
    const std::map<std::string, double> facts{{"weightBytes", static_cast<double>(bytes.quantized)},
                                              {"wholeWeightBytes", static_cast<double>(bytes.whole)}};
    if (isQuantized(config))
        return PlanDecision{"weights beside the LoRA: int8, " + sizes +
                                ", each made whole while a product is computed with it",
                            kWeightsInt8, facts};
    return PlanDecision{"proposed: --quantize int8, for the weights beside the LoRA take room that the "
                        "device lacks: " +
                            sizes + "; what they compute differs a little",
                        kWeightsInt8Proposed, facts};
}

bool hasCheckpoints(const TrainConfig& config) {
    const std::string& folder = config.output.runDir;
    return !folder.empty() && !listCheckpoints(folder + "/checkpoints").empty();
}

std::string higherDeviceLimit(const MemoryConfig& memory, int64_t deviceBytes) {
    const bool binds = memory.deviceBytes > 0 && deviceBytes >= memory.deviceBytes;
    return binds ? std::string(kRaiseDeviceLimit).append(", or ") : std::string();
}

std::string leanerTraining(const TrainConfig& config, bool inRam) {
    Ways ways = leanerSettings(config);
    const bool staysOnGpu = !inRam && config.memory.policy == PlacementPolicy::Gpu;
    if (staysOnGpu) ways.insert(ways.begin(), "--policy auto");
    if (inRam && maySwap(config)) ways.emplace_back(kSwap);
    if (const std::string smaller = smallerSteps(config); !smaller.empty()) ways.push_back(smaller);
    return tryThem(ways);
}

std::string leanerInRam(const TrainConfig& config) {
    Ways ways = leanerSettings(config);
    if (maySwap(config)) ways.emplace_back(kSwap);
    return tryThem(ways);
}

std::string planForLess(const TrainConfig& config, bool gpu, bool ofRam) {
    if (gpu && !ofRam)
        return "plan for less with a lower --gpu-memory, or " + leanerTraining(config, /*inRam=*/false);
    const std::string ways = gpu ? leanerInRam(config) : leanerTraining(config, /*inRam=*/true);
    return "plan for less with a lower --ram, or " + ways;
}

} // namespace homebooth::core

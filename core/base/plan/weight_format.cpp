// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/weight_format.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/train_sizes.h"
#include "core/base/schedule/quantized_weights.h"

namespace homebooth::core {
namespace {

bool isQuantized(const TrainConfig& config) {
    return config.quantization == Quantization::Int8;
}

/// Whether int8 is left to try.
bool mayQuantize(const TrainConfig& config) {
    return config.method == TrainMethod::Lora && !isQuantized(config);
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

std::string leanerTraining(const TrainConfig& config) {
    std::string settings;
    if (config.precision == Precision::Fp32) settings += "--precision bf16, ";
    if (config.optimizer.kind == OptimizerKind::AdamW) settings += "--optimizer adamw8bit, ";
    if (config.method == TrainMethod::Full) settings += "--method lora, ";
    if (mayQuantize(config)) settings += "--quantize int8, ";
    const char* size = config.mode == TrainMode::Language ? "--context" : "--resolution";
    return "try " + settings + "a smaller " + size + " or --batch, or close other programs";
}

std::string leanerInRam(const TrainConfig& config) {
    return std::string("close other programs, or take ") +
           (mayQuantize(config) ? "--quantize int8" : "a leaner optimizer");
}

} // namespace homebooth::core

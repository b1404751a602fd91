// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/schedule/quantized_weights.h"

#include "core/base/schedule/adapters.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr std::string_view kScaleSuffix = ".weight_scale";

/// Parts of names of weights that stay as they are.
constexpr std::array<std::string_view, 12> kWhole = {"conv_in.",
                                                     "conv_out.",
                                                     "time_embedding.",
                                                     "add_embedding.",
                                                     "token_embedding.",
                                                     "position_embedding.",
                                                     "lm_head.",
                                                     "embed_tokens.",
                                                     "embed_positions.",
                                                     ".wte.",
                                                     ".wpe.",
                                                     "word_embeddings."};

bool isQuantizable(const ParameterSpec& parameter) {
    const size_t sides = parameter.shape.size();
    return !parameter.trainable && parameter.storage == StorageType::Model && (sides == 2 || sides == 4) &&
           parameter.name.ends_with(kWeightSuffix) &&
           std::none_of(kWhole.begin(), kWhole.end(), [&](std::string_view part) {
               return parameter.name.find(part) != std::string::npos;
           });
}

/// A linear layer of a transformer whose inputs are of pixels.
bool takesPixels(const ParameterSpec& weight) {
    constexpr std::array<std::string_view, 2> kOfText = {"attn2.to_k.", "attn2.to_v."};
    const auto has = [&](std::string_view part) { return weight.name.find(part) != std::string::npos; };
    return weight.shape.size() == 2 && has("attentions.") &&
           std::none_of(kOfText.begin(), kOfText.end(), has);
}

ParameterSpec scalesOf(const ParameterSpec& weight) {
    ParameterSpec scales;
    scales.name = scaleName(weight.name);
    scales.shape = {weight.shape.front()};
    scales.initialisation = Initialisation::Ones;
    scales.trainable = false;
    scales.storage = StorageType::Float32;
    return scales;
}

} // namespace

int64_t quantizeWeights(Schedule& schedule, Quantization quantization) {
    int64_t quantized = 0;
    for (BlockSpec& block : schedule.blocks()) {
        const size_t count = block.parameters.size();
        for (size_t index = 0; index < count; ++index) {
            if (!isQuantizable(block.parameters[index])) continue;
            ParameterSpec& weight = block.parameters[index];
            weight.storage = StorageType::Int8;
            weight.integerProducts = quantization == Quantization::W8A8 && takesPixels(weight);
            block.parameters.push_back(scalesOf(block.parameters[index]));
            ++quantized;
        }
    }
    return quantized;
}

Schedule frozenSchedule(Schedule schedule, Quantization quantization) {
    setTrainable(schedule, false);
    if (quantization != Quantization::None) quantizeWeights(schedule, quantization);
    return schedule;
}

const char* quantizationName(Quantization quantization) {
    switch (quantization) {
    case Quantization::None:
        return "none";
    case Quantization::Int8:
        return "int8";
    case Quantization::W8A8:
        return "w8a8";
    }
    return "";
}

std::string scaleName(const std::string& weight) {
    return weight.substr(0, weight.size() - kWeightSuffix.size()) + std::string(kScaleSuffix);
}

std::string weightOfScale(const std::string& scale) {
    if (!scale.ends_with(kScaleSuffix)) return {};
    return scale.substr(0, scale.size() - kScaleSuffix.size()) + std::string(kWeightSuffix);
}

int64_t largestWholeWeightBytes(const Schedule& schedule, int64_t elementBytes) {
    int64_t most = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.storage == StorageType::Int8)
                most = std::max(most, parameter.elementCount() * elementBytes);
    return most;
}

int64_t quantizedWorkBytes(const Schedule& schedule, int64_t elementBytes) {
    int64_t most = largestWholeWeightBytes(schedule, elementBytes);
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters) {
            if (!parameter.integerProducts) continue;
            const int64_t rows = kMostIntegerSums / parameter.shape[0] + 1;
            most = std::max(most, kMostIntegerSums * int64_t{sizeof(int32_t)} + rows * parameter.shape[1]);
        }
    return most;
}

} // namespace homebooth::core

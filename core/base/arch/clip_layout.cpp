// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/clip_layout.h"

#include "core/base/arch/block_builder.h"

#include <cassert>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr double kEmbeddingDeviation = 0.02; // as CLIP was trained

BlockSpec embeddingsBlock(const ClipConfig& config) {
    const double deviation = kEmbeddingDeviation * config.initializerFactor;
    return BlockBuilder("clip_embeddings", "text_model.embeddings")
        .embedding("token_embedding", config.vocabularySize, config.hiddenSize, deviation)
        .embedding("position_embedding", config.maxPositions, config.hiddenSize, deviation)
        .take();
}

BlockSpec layerBlock(const ClipConfig& config, const std::string& name) {
    const double width = static_cast<double>(config.hiddenSize);
    const double depth = static_cast<double>(config.layerCount);
    const double out = config.initializerFactor / std::sqrt(width);
    const double in = out / std::sqrt(2.0 * depth);
    const double wide = config.initializerFactor / std::sqrt(2.0 * width);
    const int64_t channels = config.hiddenSize;
    return BlockBuilder("clip_layer", name)
        .attribute("heads", static_cast<double>(config.headCount))
        .attribute("epsilon", config.normEpsilon)
        .label("activation", config.activation)
        .norm("layer_norm1", channels)
        .normalLinear("self_attn.q_proj", channels, channels, in)
        .normalLinear("self_attn.k_proj", channels, channels, in)
        .normalLinear("self_attn.v_proj", channels, channels, in)
        .normalLinear("self_attn.out_proj", channels, channels, out)
        .norm("layer_norm2", channels)
        .normalLinear("mlp.fc1", channels, config.intermediateSize, wide)
        .normalLinear("mlp.fc2", config.intermediateSize, channels, in)
        .take();
}

BlockSpec normBlock(const ClipConfig& config) {
    return BlockBuilder("clip_norm", "text_model")
        .attribute("epsilon", config.normEpsilon)
        .norm("final_layer_norm", config.hiddenSize)
        .take();
}

BlockSpec poolBlock(const ClipConfig& config) {
    return BlockBuilder("clip_pool", "")
        .attribute("vocabularySize", static_cast<double>(config.vocabularySize))
        .attribute("endToken", static_cast<double>(config.eosTokenId))
        .linear("text_projection", config.hiddenSize, config.projectionDim, /*bias=*/false)
        .take();
}

} // namespace

Schedule clipSchedule(const ClipConfig& config, int64_t clipSkip, ClipInput input, ClipOutput output) {
    assert(clipSkip >= 0 && clipSkip < config.layerCount);
    Schedule schedule;
    const auto value = [&](const std::string& name) {
        return ValueSpec{name, config.hiddenSize, 0, config.maxPositions};
    };
    std::vector<ValueId> inputs = {schedule.addInput({"token_ids", 1, 0, config.maxPositions})};
    if (input == ClipInput::TokensAndVectors)
        inputs.push_back(schedule.addInput({"vectors", config.hiddenSize, 0, config.maxPositions}));
    const bool pools = output == ClipOutput::HiddenAndPooled;
    const int64_t given = config.layerCount - clipSkip; // layers before the hidden states that are given
    ValueId hidden = schedule.add(embeddingsBlock(config), inputs, {value("embeddings")}).front();
    ValueId wanted = hidden;
    for (int64_t layer = 0; layer < (pools ? config.layerCount : given); ++layer) {
        const std::string name = "text_model.encoder.layers." + std::to_string(layer);
        hidden = schedule.add(layerBlock(config, name), {hidden}, {value(name)}).front();
        if (layer + 1 == given) wanted = hidden;
    }
    if (output == ClipOutput::Normed)
        wanted = schedule.add(normBlock(config), {hidden}, {value("hidden_states")}).front();
    schedule.addOutput(wanted);
    if (!pools) return schedule;
    const ValueId normed = schedule.add(normBlock(config), {hidden}, {value("normed")}).front();
    schedule.addOutput(
        schedule
            .add(poolBlock(config), {normed, inputs.front()}, {{"pooled_text", config.projectionDim, 0, 0}})
            .front());
    return schedule;
}

} // namespace homebooth::core

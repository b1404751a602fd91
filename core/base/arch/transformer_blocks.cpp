// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/transformer_blocks.h"

#include "core/base/arch/block_builder.h"

namespace homebooth::core {
namespace {

constexpr double kGroupNormEpsilon = 1e-6;
constexpr double kLayerNormEpsilon = 1e-5;
constexpr int64_t kFeedForwardWidth = 4; // hidden width of the feed-forward part, in channels

BlockBuilder startTransformer(const std::string& kind, const std::string& name,
                              const TransformerOptions& options) {
    BlockBuilder block(kind, name);
    block.attribute("heads", static_cast<double>(options.heads))
        .attribute("groups", static_cast<double>(options.groups))
        .attribute("epsilon", kGroupNormEpsilon)
        .attribute("layerEpsilon", kLayerNormEpsilon)
        .attribute("linearProjection", options.linearProjection)
        .attribute("upcastAttention", options.upcastAttention);
    return block;
}

void addProjection(BlockBuilder& block, const std::string& name, const TransformerOptions& options) {
    if (options.linearProjection) {
        block.linear(name, options.channels, options.channels);
    } else {
        block.convolution(name, options.channels, options.channels, 1);
    }
}

void addInput(BlockBuilder& block, const TransformerOptions& options) {
    block.norm("norm", options.channels);
    addProjection(block, "proj_in", options);
}

void addAttention(BlockBuilder& block, const std::string& prefix, int64_t channels, int64_t contextChannels) {
    block.linear(prefix + ".to_q", channels, channels, /*bias=*/false)
        .linear(prefix + ".to_k", contextChannels, channels, /*bias=*/false)
        .linear(prefix + ".to_v", contextChannels, channels, /*bias=*/false)
        .linear(prefix + ".to_out.0", channels, channels);
}

void addLayer(BlockBuilder& block, const std::string& prefix, const TransformerOptions& options) {
    const int64_t channels = options.channels;
    const int64_t inner = kFeedForwardWidth * channels;
    block.norm(prefix + "norm1", channels);
    addAttention(block, prefix + "attn1", channels, channels);
    block.norm(prefix + "norm2", channels);
    addAttention(block, prefix + "attn2", channels, options.contextChannels);
    block.norm(prefix + "norm3", channels)
        .linear(prefix + "ff.net.0.proj", channels, 2 * inner) // value and gate
        .linear(prefix + "ff.net.2", inner, channels);
}

} // namespace

ValueId appendTransformer(Schedule& schedule, const std::string& name, const TransformerOptions& options,
                          ValueId hidden, ValueId context) {
    const auto value = [&](const std::string& suffix) {
        return ValueSpec{name + suffix, options.channels, options.downscale, 0};
    };
    if (options.layers == 1) {
        BlockBuilder block = startTransformer("transformer", name, options);
        addInput(block, options);
        addLayer(block, "transformer_blocks.0.", options);
        addProjection(block, "proj_out", options);
        return schedule.add(block.take(), {hidden, context}, {value("")}).front();
    }
    BlockBuilder input = startTransformer("transformer_in", name, options);
    addInput(input, options);
    ValueId sequence = schedule.add(input.take(), {hidden}, {value(".proj_in")}).front();
    for (int64_t layer = 0; layer < options.layers; ++layer) {
        const std::string suffix = ".transformer_blocks." + std::to_string(layer);
        BlockBuilder block = startTransformer("transformer_layer", name + suffix, options);
        addLayer(block, "", options);
        sequence = schedule.add(block.take(), {sequence, context}, {value(suffix)}).front();
    }
    BlockBuilder output = startTransformer("transformer_out", name, options);
    addProjection(output, "proj_out", options);
    return schedule.add(output.take(), {sequence, hidden}, {value("")}).front();
}

} // namespace homebooth::core

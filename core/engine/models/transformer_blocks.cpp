// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/transformer_blocks.h"

namespace homebooth::core {
namespace {

AttentionOptions optionsOf(const BlockSpec& spec) {
    return {spec.integer("heads"), /*causal=*/false, spec.flag("upcastAttention")};
}

/// x + delta, into the memory of delta where no gradient is recorded and nobody else holds it.
at::Tensor residual(const at::Tensor& x, at::Tensor delta) {
    return mayOverwrite(delta) ? delta.add_(x) : delta + x;
}

/// Splits [..., 2 F] into value and gate and returns value * gelu(gate), [..., F].
at::Tensor gated(const at::Tensor& x) {
    const std::vector<at::Tensor> parts = x.chunk(2, -1);
    at::Tensor gate = at::gelu(parts[1]);
    return mayOverwrite(gate) ? gate.mul_(parts[0]) : parts[0] * gate;
}

/// [B, C, H, W] -> [B, H * W, C]; a view when x is channels-last
at::Tensor sequenceOf(const at::Tensor& x) {
    return x.permute({0, 2, 3, 1}).reshape({x.size(0), x.size(2) * x.size(3), x.size(1)});
}

/// [B, H * W, C] -> [B, C, H, W], a channels-last view
at::Tensor pictureOf(const at::Tensor& x, int64_t height, int64_t width) {
    return x.view({x.size(0), height, width, x.size(2)}).permute({0, 3, 1, 2});
}

} // namespace

AttentionLayer::AttentionLayer(const BlockSpec& spec, const std::string& prefix)
    : m_query(spec, prefix + ".to_q")
    , m_key(spec, prefix + ".to_k")
    , m_value(spec, prefix + ".to_v")
    , m_output(spec, prefix + ".to_out.0")
    , m_options(optionsOf(spec)) {}

at::Tensor AttentionLayer::operator()(const BlockContext& context, const at::Tensor& x,
                                      const at::Tensor& source) const {
    const at::Tensor mixed = attend(m_query(context, x), m_key(context, source), m_value(context, source),
                                    m_options, context.products);
    return m_output(context, mixed);
}

TransformerLayer::TransformerLayer(const BlockSpec& spec, const std::string& prefix)
    : m_norm1(spec, prefix + "norm1", spec.attribute("layerEpsilon"))
    , m_selfAttention(spec, prefix + "attn1")
    , m_norm2(spec, prefix + "norm2", spec.attribute("layerEpsilon"))
    , m_crossAttention(spec, prefix + "attn2")
    , m_norm3(spec, prefix + "norm3", spec.attribute("layerEpsilon"))
    , m_feedForwardIn(spec, prefix + "ff.net.0.proj")
    , m_feedForwardOut(spec, prefix + "ff.net.2") {}

at::Tensor TransformerLayer::operator()(const BlockContext& context, at::Tensor x,
                                        const at::Tensor& source) const {
    const at::Tensor normed = m_norm1(context, x);
    x = residual(x, m_selfAttention(context, normed, normed));
    x = residual(x, m_crossAttention(context, m_norm2(context, x), source));
    const at::Tensor wide = gated(m_feedForwardIn(context, m_norm3(context, x)));
    return residual(x, m_feedForwardOut(context, wide));
}

SpatialProjection::SpatialProjection(const BlockSpec& spec, const std::string& name)
    : m_layer(spec.flag("linearProjection") ? std::variant<Linear, Conv2d>(Linear(spec, name))
                                            : std::variant<Linear, Conv2d>(Conv2d(spec, name, 0))) {}

at::Tensor SpatialProjection::toSequence(const BlockContext& context, const at::Tensor& x) const {
    if (const Conv2d* convolution = std::get_if<Conv2d>(&m_layer))
        return sequenceOf((*convolution)(context, x));
    return std::get<Linear>(m_layer)(context, sequenceOf(x));
}

at::Tensor SpatialProjection::toPicture(const BlockContext& context, const at::Tensor& x, int64_t height,
                                        int64_t width) const {
    if (const Conv2d* convolution = std::get_if<Conv2d>(&m_layer))
        return convolution->last(context, pictureOf(x, height, width));
    return pictureOf(std::get<Linear>(m_layer)(context, x), height, width);
}

TransformerBlock::TransformerBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(spec, "norm", spec.integer("groups"), spec.attribute("epsilon"))
    , m_in(spec, "proj_in")
    , m_layer(spec, "transformer_blocks.0.")
    , m_out(spec, "proj_out") {}

std::vector<at::Tensor> TransformerBlock::forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const {
    const at::Tensor& x = inputs[0];
    at::Tensor sequence = m_in.toSequence(context, m_norm(context, x));
    sequence = m_layer(context, std::move(sequence), inputs[1]);
    return {residual(x, m_out.toPicture(context, sequence, x.size(2), x.size(3)))};
}

TransformerInBlock::TransformerInBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(spec, "norm", spec.integer("groups"), spec.attribute("epsilon"))
    , m_in(spec, "proj_in") {}

std::vector<at::Tensor> TransformerInBlock::forward(const BlockContext& context,
                                                    std::span<const at::Tensor> inputs) const {
    return {m_in.toSequence(context, m_norm(context, inputs[0]))};
}

TransformerLayerBlock::TransformerLayerBlock(const BlockSpec& spec)
    : Block(spec)
    , m_layer(spec, "") {}

std::vector<at::Tensor> TransformerLayerBlock::forward(const BlockContext& context,
                                                       std::span<const at::Tensor> inputs) const {
    return {m_layer(context, inputs[0], inputs[1])};
}

TransformerOutBlock::TransformerOutBlock(const BlockSpec& spec)
    : Block(spec)
    , m_out(spec, "proj_out") {}

std::vector<at::Tensor> TransformerOutBlock::forward(const BlockContext& context,
                                                     std::span<const at::Tensor> inputs) const {
    const at::Tensor& x = inputs[1];
    return {residual(x, m_out.toPicture(context, inputs[0], x.size(2), x.size(3)))};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/clip_blocks.h"

#include "core/engine/nn/embedding.h"

namespace homebooth::core {

namespace {

/// Rows of the table, and of `vectors` for ids beyond it. Shapes: as ClipEmbeddingsBlock
at::Tensor rowsOfBoth(const at::Tensor& table, const at::Tensor& vectors, const at::Tensor& ids) {
    const int64_t own = table.size(0);
    const at::Tensor beyond = ids.ge(own);
    const at::Tensor rows = rowsOf(table, ids.clamp_max(own - 1));
    return at::where(beyond.unsqueeze(-1), rowsOf(vectors, (ids - own).clamp_min(0)), rows);
}

constexpr int64_t kUnnamedEnd = 2; ///< an end token's number in configurations that do not name it

/// Where each text ends. Shapes: ids [B, T] int64 -> [B]
at::Tensor endsOf(const at::Tensor& ids, int64_t vocabularySize, int64_t endToken) {
    // Ids beyond the vocabulary stand for learned vectors.
    if (endToken == kUnnamedEnd) return ids.masked_fill(ids.ge(vocabularySize), 0).argmax(1);
    return ids.eq(endToken).to(at::kInt).argmax(1);
}

} // namespace

ClipEmbeddingsBlock::ClipEmbeddingsBlock(const BlockSpec& spec)
    : Block(spec)
    , m_token(requireParameter(spec, "token_embedding.weight"))
    , m_position(requireParameter(spec, "position_embedding.weight")) {}

std::vector<at::Tensor> ClipEmbeddingsBlock::forward(const BlockContext& context,
                                                     std::span<const at::Tensor> inputs) const {
    const at::Tensor& positions = context.parameters[m_position];
    const int64_t length = inputs[0].size(1);
    TORCH_CHECK(length <= positions.size(0), "the text encoder takes at most ", positions.size(0),
                " tokens, got ", length);
    const at::Tensor& table = context.parameters[m_token];
    const bool more = inputs.size() > 1 && inputs[1].size(0) > 0;
    const at::Tensor rows = more ? rowsOfBoth(table, inputs[1], inputs[0]) : rowsOf(table, inputs[0]);
    return {rows + positions.slice(0, 0, length)};
}

ClipLayerBlock::ClipLayerBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm1(spec, "layer_norm1", spec.attribute("epsilon"))
    , m_query(spec, "self_attn.q_proj")
    , m_key(spec, "self_attn.k_proj")
    , m_value(spec, "self_attn.v_proj")
    , m_output(spec, "self_attn.out_proj")
    , m_norm2(spec, "layer_norm2", spec.attribute("epsilon"))
    , m_feedForwardIn(spec, "mlp.fc1")
    , m_feedForwardOut(spec, "mlp.fc2")
    , m_attention{spec.integer("heads"), /*causal=*/true, /*upcast=*/false}
    , m_activation(activationNamed(spec.labels.at("activation"))) {}

std::vector<at::Tensor> ClipLayerBlock::forward(const BlockContext& context,
                                                std::span<const at::Tensor> inputs) const {
    const at::Tensor normed = m_norm1(context, inputs[0]);
    const at::Tensor mixed = attend(m_query(context, normed), m_key(context, normed),
                                    m_value(context, normed), m_attention, context.products);
    const at::Tensor x = inputs[0] + m_output(context, mixed);
    const at::Tensor wide = activate(m_activation, m_feedForwardIn(context, m_norm2(context, x)));
    return {x + m_feedForwardOut(context, wide)};
}

ClipNormBlock::ClipNormBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(spec, "final_layer_norm", spec.attribute("epsilon")) {}

std::vector<at::Tensor> ClipNormBlock::forward(const BlockContext& context,
                                               std::span<const at::Tensor> inputs) const {
    return {m_norm(context, inputs[0])};
}

ClipPoolBlock::ClipPoolBlock(const BlockSpec& spec)
    : Block(spec)
    , m_projection(spec, "text_projection")
    , m_vocabularySize(spec.integer("vocabularySize"))
    , m_endToken(spec.integer("endToken")) {}

std::vector<at::Tensor> ClipPoolBlock::forward(const BlockContext& context,
                                               std::span<const at::Tensor> inputs) const {
    const at::Tensor ends = endsOf(inputs[1], m_vocabularySize, m_endToken);
    const at::Tensor rows = at::arange(ends.size(0), ends.options());
    return {m_projection(context, inputs[0].index({rows, ends}))};
}

} // namespace homebooth::core

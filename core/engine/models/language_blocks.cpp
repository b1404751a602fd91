// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/language_blocks.h"

#include "core/engine/nn/embedding.h"

#include <sstream>

namespace homebooth::core {
namespace {

std::string labelOf(const BlockSpec& spec, const char* key) {
    const auto found = spec.labels.find(key);
    return found == spec.labels.end() ? std::string() : found->second;
}

std::optional<Linear> linearIfNamed(const BlockSpec& spec, const char* key) {
    const std::string name = labelOf(spec, key);
    return name.empty() ? std::nullopt : std::optional<Linear>(Linear(spec, name));
}

std::optional<LayerNorm> normIfNamed(const BlockSpec& spec, const char* key) {
    const std::string name = labelOf(spec, key);
    return name.empty() ? std::nullopt
                        : std::optional<LayerNorm>(LayerNorm(spec, name, spec.attribute("epsilon")));
}

std::vector<Linear> projectionsOf(const BlockSpec& spec) {
    std::vector<Linear> found;
    std::istringstream names(labelOf(spec, "projections"));
    for (std::string name; std::getline(names, name, ',');) found.emplace_back(spec, name);
    return found;
}

/// A parameter as a value.
at::Tensor asValue(const BlockContext& context, const at::Tensor& table) {
    return context.parametersStay ? table : table.clone();
}

} // namespace

TokenEmbeddingBlock::TokenEmbeddingBlock(const BlockSpec& spec)
    : Block(spec)
    , m_tokens(requireParameter(spec, labelOf(spec, "tokens") + ".weight"))
    , m_positions(labelOf(spec, "positions").empty()
                      ? -1
                      : requireParameter(spec, labelOf(spec, "positions") + ".weight"))
    , m_positionOffset(spec.integer("positionOffset"))
    , m_givesTable(spec.flag("givesTable"))
    , m_projection(linearIfNamed(spec, "projection"))
    , m_norm(normIfNamed(spec, "norm")) {}

/// What the rows of the tokens become at their places. Shapes: [B, T, E] -> [B, T, C]
at::Tensor TokenEmbeddingBlock::placed(const BlockContext& context, const at::Tensor& rows,
                                       std::span<const at::Tensor> inputs) const {
    at::Tensor x = m_projection ? (*m_projection)(context, rows) : rows;
    if (m_positions >= 0) {
        const at::Tensor& positions = context.parameters[static_cast<size_t>(m_positions)];
        const int64_t first = m_positionOffset + (inputs.size() > 1 ? inputs[1].item<int64_t>() : 0);
        const int64_t end = first + rows.size(1);
        TORCH_CHECK(end <= positions.size(0), "the language model takes at most ",
                    positions.size(0) - m_positionOffset, " tokens, got ", end - m_positionOffset);
        x = x + positions.slice(0, first, end);
    }
    return m_norm ? (*m_norm)(context, x) : x;
}

std::vector<at::Tensor> TokenEmbeddingBlock::forward(const BlockContext& context,
                                                     std::span<const at::Tensor> inputs) const {
    const TableUse use = useTable(context.parameters[m_tokens], inputs[0]);
    std::vector<at::Tensor> outputs = {placed(context, use.rows, inputs)};
    if (m_givesTable) outputs.push_back(asValue(context, use.table));
    return outputs;
}

LanguageLayerBlock::LanguageLayerBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm1(spec, labelOf(spec, "norm1"), spec.attribute("epsilon"))
    , m_projections(projectionsOf(spec))
    , m_attentionOut(spec, labelOf(spec, "attentionOut"))
    , m_norm2(spec, labelOf(spec, "norm2"), spec.attribute("epsilon"))
    , m_wide(spec, labelOf(spec, "wide"))
    , m_narrow(spec, labelOf(spec, "narrow"))
    , m_activation(activationNamed(labelOf(spec, "activation")))
    , m_heads(spec.integer("heads"))
    , m_normFirst(spec.flag("normFirst"))
    , m_distances(spec.flag("distances"))
    , m_byHead(labelOf(spec, "arrangement") == "joined_by_head") {}

/// Shapes: [B, T, C] -> [B, heads, T, d] each
Projected LanguageLayerBlock::project(const BlockContext& context, const at::Tensor& x) const {
    const int64_t width = x.size(2) / m_heads;
    const auto byHead = [&](const at::Tensor& y) {
        return y.view({x.size(0), x.size(1), m_heads, width}).transpose(1, 2);
    };
    if (m_projections.size() == 3)
        return {byHead(m_projections[0](context, x)), byHead(m_projections[1](context, x)),
                byHead(m_projections[2](context, x))};
    const at::Tensor joined = m_projections[0](context, x);
    if (!m_byHead) {
        const std::vector<at::Tensor> parts = joined.chunk(3, 2);
        return {byHead(parts[0]), byHead(parts[1]), byHead(parts[2])};
    }
    const at::Tensor parts = joined.view({x.size(0), x.size(1), m_heads, 3, width}).transpose(1, 2);
    return {parts.select(3, 0), parts.select(3, 1), parts.select(3, 2)};
}

std::vector<at::Tensor> LanguageLayerBlock::forward(const BlockContext& context,
                                                    std::span<const at::Tensor> inputs) const {
    const bool follows = inputs.size() > 1;
    const at::Tensor& x = inputs[0];
    const Projected now = project(context, m_normFirst ? m_norm1(context, x) : x);
    const at::Tensor mixed = attendCausally(now, follows ? inputs[1] : at::Tensor(),
                                            follows ? inputs[2] : at::Tensor(), m_distances);
    at::Tensor y = x + m_attentionOut(context, mixed);
    if (!m_normFirst) y = m_norm1(context, y);
    const at::Tensor wide = activate(m_activation, m_wide(context, m_normFirst ? m_norm2(context, y) : y));
    y = y + m_narrow(context, wide);
    if (!m_normFirst) y = m_norm2(context, y);
    if (!follows) return {y};
    return {y, now.keys, now.values};
}

LanguageEndBlock::LanguageEndBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(normIfNamed(spec, "norm"))
    , m_projection(linearIfNamed(spec, "projection")) {}

std::vector<at::Tensor> LanguageEndBlock::forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const {
    const at::Tensor x = m_norm ? (*m_norm)(context, inputs[0]) : inputs[0];
    return {m_projection ? (*m_projection)(context, x) : x};
}

LanguageHeadBlock::LanguageHeadBlock(const BlockSpec& spec)
    : Block(spec)
    , m_table(requireParameter(spec, "lm_head.weight")) {}

std::vector<at::Tensor> LanguageHeadBlock::forward(const BlockContext& context,
                                                   std::span<const at::Tensor> /*inputs*/) const {
    return {asValue(context, context.parameters[m_table])};
}

} // namespace homebooth::core

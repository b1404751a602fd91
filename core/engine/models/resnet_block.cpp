// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/resnet_block.h"

namespace homebooth::core {
namespace {

constexpr int64_t kPadding = 1;

/// a + b, into the memory of a where no gradient is recorded and nobody else holds it.
at::Tensor addTo(at::Tensor a, const at::Tensor& b) {
    return mayOverwrite(a) ? a.add_(b) : a + b;
}

} // namespace

ResnetBlock::ResnetBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm1(spec, "norm1", spec.integer("groups"), spec.attribute("epsilon"))
    , m_conv1(spec, "conv1", kPadding)
    , m_norm2(spec, "norm2", spec.integer("groups"), spec.attribute("epsilon"))
    , m_conv2(spec, "conv2", kPadding)
    , m_activation(activationNamed(spec.labels.at("activation")))
    , m_joinsSkip(spec.flag("joinsSkip"))
    , m_scaleShift(spec.flag("scaleShift"))
    , m_outputScale(spec.attribute("outputScale")) {
    if (spec.parameterIndex("time_emb_proj.weight") >= 0) m_timeProjection.emplace(spec, "time_emb_proj");
    if (spec.parameterIndex("conv_shortcut.weight") >= 0) m_shortcut.emplace(spec, "conv_shortcut", 0);
}

std::vector<at::Tensor> ResnetBlock::forward(const BlockContext& context,
                                             std::span<const at::Tensor> inputs) const {
    const at::Tensor x = m_joinsSkip ? at::cat({inputs[0], inputs[1]}, 1) : inputs[0];
    at::Tensor hidden = m_conv1(context, m_norm1(context, x, m_activation));
    hidden = modulated(context, std::move(hidden), m_timeProjection ? inputs.back() : at::Tensor());
    hidden = m_conv2.last(context, hidden);
    hidden = addTo(std::move(hidden), m_shortcut ? m_shortcut->last(context, x) : x);
    if (m_outputScale != 1.0) hidden = hidden / m_outputScale;
    return {hidden};
}

at::Tensor ResnetBlock::modulated(const BlockContext& context, at::Tensor hidden,
                                  const at::Tensor& time) const {
    if (!m_timeProjection) return m_norm2(context, hidden, m_activation);
    // The embedding is shared by all resnets: never activate it in place.
    const at::Tensor activated = activate(m_activation, time.clone());
    const at::Tensor projected = (*m_timeProjection)(context, activated).unsqueeze(-1).unsqueeze(-1);
    if (!m_scaleShift) return m_norm2(context, addTo(std::move(hidden), projected), m_activation);
    const std::vector<at::Tensor> parts = projected.chunk(2, 1);
    return activate(m_activation, m_norm2(context, hidden) * (1 + parts[0]) + parts[1]);
}

} // namespace homebooth::core

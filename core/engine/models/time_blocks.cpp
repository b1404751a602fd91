// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/time_blocks.h"

namespace homebooth::core {
namespace {

SinusoidOptions sinusoidOf(const BlockSpec& spec) {
    return {spec.integer("channels"), spec.flag("flipSinToCos"), spec.attribute("freqShift")};
}

} // namespace

TimeEmbeddingBlock::TimeEmbeddingBlock(const BlockSpec& spec)
    : Block(spec)
    , m_sinusoid(sinusoidOf(spec))
    , m_linear1(spec, "linear_1")
    , m_linear2(spec, "linear_2")
    , m_activation(activationNamed(spec.labels.at("activation"))) {}

std::vector<at::Tensor> TimeEmbeddingBlock::forward(const BlockContext& context,
                                                    std::span<const at::Tensor> inputs) const {
    const at::Tensor embedding = sinusoidalEmbedding(inputs[0], m_sinusoid).to(m_linear1.type(context));
    return {m_linear2(context, activate(m_activation, m_linear1(context, embedding)))};
}

TextTimeEmbeddingBlock::TextTimeEmbeddingBlock(const BlockSpec& spec)
    : Block(spec)
    , m_sinusoid(sinusoidOf(spec))
    , m_linear1(spec, "linear_1")
    , m_linear2(spec, "linear_2")
    , m_activation(activationNamed(spec.labels.at("activation"))) {}

std::vector<at::Tensor> TextTimeEmbeddingBlock::forward(const BlockContext& context,
                                                        std::span<const at::Tensor> inputs) const {
    const at::Tensor ids = sinusoidalEmbedding(inputs[2].flatten(), m_sinusoid);
    const at::Tensor joined =
        at::cat({inputs[1].to(at::kFloat), ids.view({inputs[2].size(0), -1})}, 1).to(m_linear1.type(context));
    return {inputs[0] + m_linear2(context, activate(m_activation, m_linear1(context, joined)))};
}

} // namespace homebooth::core

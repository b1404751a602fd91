// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/vae_attention_block.h"

#include "core/engine/nn/attention.h"

namespace homebooth::core {

VaeAttentionBlock::VaeAttentionBlock(const BlockSpec& spec)
    : Block(spec)
    , m_norm(spec, "group_norm", spec.integer("groups"), spec.attribute("epsilon"))
    , m_query(spec, "to_q")
    , m_key(spec, "to_k")
    , m_value(spec, "to_v")
    , m_output(spec, "to_out.0") {}

std::vector<at::Tensor> VaeAttentionBlock::forward(const BlockContext& context,
                                                   std::span<const at::Tensor> inputs) const {
    const at::Tensor& x = inputs[0];
    const int64_t B = x.size(0);
    const int64_t C = x.size(1);
    const int64_t H = x.size(2);
    const int64_t W = x.size(3);
    const at::Tensor sequence = m_norm(context, x).permute({0, 2, 3, 1}).reshape({B, H * W, C});
    const at::Tensor mixed = attend(m_query(context, sequence), m_key(context, sequence),
                                    m_value(context, sequence), AttentionOptions{}, context.products);
    return {x + m_output(context, mixed).view({B, H, W, C}).permute({0, 3, 1, 2})};
}

} // namespace homebooth::core

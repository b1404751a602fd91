// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/attention.h"

#include "core/engine/nn/attention_type.h"
#include "core/engine/nn/flash_attention.h"

namespace homebooth::core {
namespace {

/// [B, T, heads * d] -> [B, heads, T, d], a view
at::Tensor splitHeads(const at::Tensor& x, int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

} // namespace

at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                  const AttentionOptions& options, KeptProducts* products) {
    if (!options.causal && flashAttentionServes(q, k, options.heads))
        return flashAttend(q, k, v, options.heads, products);
    const at::ScalarType type = q.scalar_type();
    const at::ScalarType inner = options.upcast && type == at::kHalf ? at::kFloat : attentionType(q);
    // Without memory LibTorch would take the way that makes all scores, which it takes nowhere else.
    if (q.is_meta()) return flashAttend(q.to(inner), k.to(inner), v.to(inner), options.heads).to(type);
    const at::Tensor mixed = at::scaled_dot_product_attention(
        splitHeads(q.to(inner), options.heads), splitHeads(k.to(inner), options.heads),
        splitHeads(v.to(inner), options.heads), /*attn_mask=*/{}, /*dropout_p=*/0.0, options.causal);
    return mixed.transpose(1, 2).reshape({q.size(0), q.size(1), q.size(2)}).to(type);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The low-rank addition to one weight (LoRA): scale * up(down(dropout(x))).
// Immutable; stores no tensor. Its matrices may be wider than the base's type; the product is then computed
// in theirs and cast.
// Source: Hu et al., LoRA: Low-Rank Adaptation of Large Language Models, 2021.
#pragma once

#include "core/engine/graph/block.h"

#include <optional>

namespace homebooth::core {

class LowRank {
public:
    /// The adapter of the parameter `weight`, or nothing.
    static std::optional<LowRank> find(const BlockSpec& spec, int weight);

    /// Shapes: x [..., in], down [rank, in], up [out, rank] -> [..., out] in the type of x
    at::Tensor linear(const BlockContext& context, const at::Tensor& x) const;
    /// Shapes: x [B, in, H, W], down [rank, in, k, k], up [out, rank, 1, 1] -> [B, out, H', W']
    at::Tensor convolution(const BlockContext& context, const at::Tensor& x, int64_t stride,
                           int64_t padding) const;

private:
    explicit LowRank(const AdapterSpec& spec)
        : m_spec(spec) {}
    [[nodiscard]] at::Tensor input(const BlockContext& context, const at::Tensor& x) const;

    AdapterSpec m_spec;
};

} // namespace homebooth::core

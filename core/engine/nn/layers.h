// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The layers that blocks are made of. A layer knows where its parameters stand in its block's list and takes
// the tensors from the context of each call; it stores none.
// Constructed from the block's specification and the layer's name relative to the block; a name that the
// specification lacks is a programming error and throws. Immutable; any thread.
#pragma once

#include "core/engine/graph/block.h"
#include "core/engine/nn/activation.h"
#include "core/engine/nn/convolution.h"
#include "core/engine/nn/low_rank.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// Index of a parameter that must be there. Throws c10::Error otherwise.
[[nodiscard]] int requireParameter(const BlockSpec& spec, const std::string& relativeName);

/// y = x W^T + b, plus the adapter of W if it has one.
class Linear {
public:
    Linear(const BlockSpec& spec, const std::string& name);
    /// Shapes: x [..., in] -> [..., out]
    at::Tensor operator()(const BlockContext& context, const at::Tensor& x) const;
    /// What it computes in, of a weight that is never quantized.
    [[nodiscard]] at::ScalarType type(const BlockContext& context) const {
        return context.parameters[m_weight].scalar_type();
    }

private:
    int m_weight;
    int m_scales;    // of a quantized weight; -1: none
    int m_bias;      // -1: none
    bool m_integers; // inputs may become integers, too
    std::optional<LowRank> m_adapter;
};

/// A two-dimensional convolution with bias, plus the adapter of its weight if it has one.
/// Works in channels-last order, which is how the parameter store keeps the weights; input in another order
/// is copied into it.
class Conv2d {
public:
    Conv2d(const BlockSpec& spec, const std::string& name, int64_t padding, int64_t stride = 1);
    /// Shapes: x [B, in, H, W] -> [B, out, H', W'], channels-last
    at::Tensor operator()(const BlockContext& context, const at::Tensor& x) const;
    /// The same for the last operation of a block: not computed when the context wants gradients only.
    at::Tensor last(const BlockContext& context, const at::Tensor& x) const;

private:
    at::Tensor apply(const BlockContext& context, const at::Tensor& x, ResultUse use,
                     KeptProducts* products) const;

    int m_weight;
    int m_scales; // of a quantized weight; -1: none
    int m_bias;
    int64_t m_padding;
    int64_t m_stride;
    std::optional<LowRank> m_adapter;
};

/// Group normalisation, with the activation that follows it if the caller names one (SiLU costs no extra
/// pass).
class GroupNorm {
public:
    GroupNorm(const BlockSpec& spec, const std::string& name, int64_t groups, double epsilon);
    /// Shapes: x [B, C, ...] -> the same, in the same memory order
    at::Tensor operator()(const BlockContext& context, const at::Tensor& x,
                          std::optional<Activation> then = std::nullopt) const;

private:
    int m_weight;
    int m_bias;
    int64_t m_groups;
    double m_epsilon;
};

/// Normalises over the last dimension.
class LayerNorm {
public:
    LayerNorm(const BlockSpec& spec, const std::string& name, double epsilon);
    /// Shapes: x [..., C] -> [..., C]
    at::Tensor operator()(const BlockContext& context, const at::Tensor& x) const;

private:
    int m_weight;
    int m_bias;
    double m_epsilon;
};

} // namespace homebooth::core

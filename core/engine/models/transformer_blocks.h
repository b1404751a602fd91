// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The spatial transformer of the UNet: whole (one layer), or split into input, layers and output.
// Between them the picture is a sequence [B, H * W, C]; in channels-last order that is a view.
#pragma once

#include "core/engine/nn/attention.h"
#include "core/engine/nn/layers.h"

#include <variant>

namespace homebooth::core {

/// Projections around one attention.
class AttentionLayer {
public:
    AttentionLayer(const BlockSpec& spec, const std::string& prefix);
    /// Shapes: x [B, T, C], source [B, S, D] -> [B, T, C]
    at::Tensor operator()(const BlockContext& context, const at::Tensor& x, const at::Tensor& source) const;

private:
    Linear m_query;
    Linear m_key;
    Linear m_value;
    Linear m_output;
    AttentionOptions m_options;
};

/// Self-attention, cross-attention and a gated feed-forward part, each behind a norm and around a residual.
class TransformerLayer {
public:
    /// @param prefix  of the parameters within the block, with its final dot, or empty
    TransformerLayer(const BlockSpec& spec, const std::string& prefix);
    /// Shapes: x [B, T, C], source [B, S, D] -> [B, T, C]
    at::Tensor operator()(const BlockContext& context, at::Tensor x, const at::Tensor& source) const;

private:
    LayerNorm m_norm1;
    AttentionLayer m_selfAttention;
    LayerNorm m_norm2;
    AttentionLayer m_crossAttention;
    LayerNorm m_norm3;
    Linear m_feedForwardIn;
    Linear m_feedForwardOut;
};

/// proj_in or proj_out: linear, or a 1x1 convolution, between a picture and a sequence.
class SpatialProjection {
public:
    SpatialProjection(const BlockSpec& spec, const std::string& name);
    /// Shapes: x [B, C, H, W] -> [B, H * W, C]
    at::Tensor toSequence(const BlockContext& context, const at::Tensor& x) const;
    /// The last operation of its block.
    /// Shapes: x [B, H * W, C] -> [B, C, H, W], channels-last
    at::Tensor toPicture(const BlockContext& context, const at::Tensor& x, int64_t height,
                         int64_t width) const;

private:
    std::variant<Linear, Conv2d> m_layer;
};

/// Inputs: hidden [B, C, H, W], context [B, S, D]. Output: [B, C, H, W].
class TransformerBlock : public Block {
public:
    explicit TransformerBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    GroupNorm m_norm;
    SpatialProjection m_in;
    TransformerLayer m_layer;
    SpatialProjection m_out;
};

/// Input: hidden [B, C, H, W]. Output: sequence [B, H * W, C].
class TransformerInBlock : public Block {
public:
    explicit TransformerInBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    GroupNorm m_norm;
    SpatialProjection m_in;
};

/// Inputs: sequence [B, T, C], context [B, S, D]. Output: sequence.
class TransformerLayerBlock : public Block {
public:
    explicit TransformerLayerBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    TransformerLayer m_layer;
};

/// Inputs: sequence [B, H * W, C], residual [B, C, H, W]. Output: [B, C, H, W].
class TransformerOutBlock : public Block {
public:
    explicit TransformerOutBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    SpatialProjection m_out;
};

} // namespace homebooth::core

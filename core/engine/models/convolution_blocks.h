// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of one convolution: plain, behind norm and activation, halving and doubling the size.
#pragma once

#include "core/engine/nn/activation.h"
#include "core/engine/nn/layers.h"

namespace homebooth::core {

/// Input: [B, in, H, W]. Output: [B, out, H, W], channels-last.
class ConvolutionBlock : public Block {
public:
    explicit ConvolutionBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    Conv2d m_convolution;
    bool m_centerInput; // maps 0..1 to -1..1 first
};

/// Norm, activation, convolution. Input: [B, in, H, W]. Output: [B, out, H, W].
class HeadBlock : public Block {
public:
    explicit HeadBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    GroupNorm m_norm;
    Conv2d m_convolution;
    Activation m_activation;
};

/// Input: [B, C, H, W]. Output: half the size; rounded up with padding 1, down with padding 0.
class DownsampleBlock : public Block {
public:
    explicit DownsampleBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    Conv2d m_convolution;
    bool m_padsFarEnd;
};

/// Inputs: [B, C, H, W]; with "sizeFromInput" a second value, of which only the size is read.
/// Output: twice the size, or that of the second input.
class UpsampleBlock : public Block {
public:
    explicit UpsampleBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    Conv2d m_convolution;
    bool m_sizeFromInput;
};

} // namespace homebooth::core

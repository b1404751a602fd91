// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Two convolutions with group norms and a shortcut; may join a skip connection and take a time embedding.
#pragma once

#include "core/engine/nn/activation.h"
#include "core/engine/nn/layers.h"

#include <optional>

namespace homebooth::core {

/// Inputs:  hidden [B, C, H, W]; skip [B, S, H, W] with "joinsSkip"; time embedding [B, T] if it has a
///          projection for it
/// Output:  [B, out, H, W], channels-last
class ResnetBlock : public Block {
public:
    explicit ResnetBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    /// The second norm, into which the time embedding enters, with the activation behind it.
    [[nodiscard]] at::Tensor modulated(const BlockContext& context, at::Tensor hidden,
                                       const at::Tensor& time) const;

    GroupNorm m_norm1;
    Conv2d m_conv1;
    std::optional<Linear> m_timeProjection;
    GroupNorm m_norm2;
    Conv2d m_conv2;
    std::optional<Conv2d> m_shortcut;
    Activation m_activation;
    bool m_joinsSkip;
    bool m_scaleShift;
    double m_outputScale;
};

} // namespace homebooth::core

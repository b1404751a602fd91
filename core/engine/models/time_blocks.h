// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Embeddings of what a UNet is told besides picture and text: the timestep, and sizes in SDXL.
#pragma once

#include "core/engine/nn/activation.h"
#include "core/engine/nn/layers.h"
#include "core/engine/nn/timestep_embedding.h"

namespace homebooth::core {

/// Input: timestep [B]. Output: [B, T] in the type of the parameters.
class TimeEmbeddingBlock : public Block {
public:
    explicit TimeEmbeddingBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    SinusoidOptions m_sinusoid;
    Linear m_linear1;
    Linear m_linear2;
    Activation m_activation;
};

/// Inputs: time embedding [B, T], pooled text [B, D], time ids [B, N]. Output: [B, T].
class TextTimeEmbeddingBlock : public Block {
public:
    explicit TextTimeEmbeddingBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    SinusoidOptions m_sinusoid;
    Linear m_linear1;
    Linear m_linear2;
    Activation m_activation;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a CLIP text encoder.
#pragma once

#include "core/engine/nn/activation.h"
#include "core/engine/nn/attention.h"
#include "core/engine/nn/layers.h"

namespace homebooth::core {

/// Inputs: token ids [B, T] int64 and, where the schedule has it, vectors [N, C] that ids beyond the table
/// stand for. Output: [B, T, C].
class ClipEmbeddingsBlock : public Block {
public:
    explicit ClipEmbeddingsBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    int m_token;
    int m_position;
};

/// Causal self-attention and a feed-forward part. Input and output: [B, T, C].
class ClipLayerBlock : public Block {
public:
    explicit ClipLayerBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    LayerNorm m_norm1;
    Linear m_query;
    Linear m_key;
    Linear m_value;
    Linear m_output;
    LayerNorm m_norm2;
    Linear m_feedForwardIn;
    Linear m_feedForwardOut;
    AttentionOptions m_attention;
    Activation m_activation;
};

/// Input and output: [B, T, C].
class ClipNormBlock : public Block {
public:
    explicit ClipNormBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    LayerNorm m_norm;
};

/// What the text projection makes of the end of each text: of its first end token or, where the configuration
/// names none (2, of releases before transformers knew it), of the greatest id of the vocabulary.
/// Inputs: [B, T, C] after the final norm, token ids [B, T] int64. Output: [B, P].
/// Source: CLIPTextModelWithProjection of transformers
class ClipPoolBlock : public Block {
public:
    explicit ClipPoolBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    Linear m_projection;
    int64_t m_vocabularySize;
    int64_t m_endToken;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a language model (core/base/arch/language_layout.h).
#pragma once

#include "core/engine/nn/activation.h"
#include "core/engine/nn/causal_attention.h"
#include "core/engine/nn/layers.h"

#include <array>
#include <optional>
#include <vector>

namespace homebooth::core {

/// Inputs: token ids [B, T] int64 and, of what follows other tokens, the place of the first of them, int64
/// []. Outputs: [B, T, C] and, where the schedule has it, the table of tokens [V, E]: the parameter itself
/// where that stays where it is, else a copy.
class TokenEmbeddingBlock : public Block {
public:
    explicit TokenEmbeddingBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    [[nodiscard]] at::Tensor placed(const BlockContext& context, const at::Tensor& rows,
                                    std::span<const at::Tensor> inputs) const;

    int m_tokens;
    int m_positions; // -1: none
    int64_t m_positionOffset;
    bool m_givesTable;
    std::optional<Linear> m_projection;
    std::optional<LayerNorm> m_norm;
};

/// Causal self-attention and a feed-forward part.
/// Inputs: [B, T, C] and, of what follows other tokens, their keys and values [B, heads, P, d].
/// Outputs: [B, T, C], and then also the keys and values of these tokens [B, heads, T, d].
class LanguageLayerBlock : public Block {
public:
    explicit LanguageLayerBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    [[nodiscard]] Projected project(const BlockContext& context, const at::Tensor& x) const;

    LayerNorm m_norm1;
    std::vector<Linear> m_projections; // one for all, or three
    Linear m_attentionOut;
    LayerNorm m_norm2;
    Linear m_wide;
    Linear m_narrow;
    Activation m_activation;
    int64_t m_heads;
    bool m_normFirst;
    bool m_distances;
    bool m_byHead;
};

/// Input: [B, T, C]. Output: [B, T, E].
class LanguageEndBlock : public Block {
public:
    explicit LanguageEndBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    std::optional<LayerNorm> m_norm;
    std::optional<Linear> m_projection;
};

/// No input. Output: the table of the head [V, E], as TokenEmbeddingBlock gives it.
class LanguageHeadBlock : public Block {
public:
    explicit LanguageHeadBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    int m_table;
};

} // namespace homebooth::core

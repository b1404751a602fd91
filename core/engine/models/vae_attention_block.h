// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The single-headed attention over all positions in the middle of the autoencoder.
#pragma once

#include "core/engine/nn/layers.h"

namespace homebooth::core {

/// Input: [B, C, H, W]. Output: [B, C, H, W].
class VaeAttentionBlock : public Block {
public:
    explicit VaeAttentionBlock(const BlockSpec& spec);
    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override;

private:
    GroupNorm m_norm;
    Linear m_query;
    Linear m_key;
    Linear m_value;
    Linear m_output;
};

} // namespace homebooth::core

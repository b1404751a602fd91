// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model's one or two text encoders as one: what its UNet is told of texts. Owns them; neither copied nor
// moved. One thread.
#pragma once

#include "core/engine/models/model_components.h"

#include <memory>
#include <span>
#include <vector>

namespace homebooth::core {

/// Hidden states times their tokens' weights, brought back to the mean that each text had, as A1111 has it.
/// Shapes: context [B, T, D], weights [B, T] fp32 -> [B, T, D], in the type of the context
[[nodiscard]] at::Tensor weighed(const at::Tensor& context, const at::Tensor& weights);

class TextEncoders {
public:
    /// @param encoders  one, or SDXL's two in order (textSchedule)
    explicit TextEncoders(std::vector<std::unique_ptr<TextEncoder>> encoders);
    TextEncoders(const TextEncoders&) = delete;
    TextEncoders& operator=(const TextEncoders&) = delete;

    [[nodiscard]] size_t count() const { return m_encoders.size(); }
    [[nodiscard]] TextEncoder& at(size_t index) { return *m_encoders.at(index); }
    [[nodiscard]] const TextEncoder& at(size_t index) const { return *m_encoders.at(index); }
    [[nodiscard]] TextEncoder& first() { return at(0); }

    /// @param tokenIds  for each encoder: [B, T] int64, of the same T
    /// @param vectors   for each encoder what ids beyond its vocabulary stand for (TextEncoder::encode);
    ///                  empty: there are none
    /// @param weights   for each encoder [B, T] fp32, how much its tokens count in its hidden states
    ///                  (weighed); empty: all of them alike. Pooled text knows nothing of it
    [[nodiscard]] TextCondition encode(std::span<const at::Tensor> tokenIds,
                                       std::span<const at::Tensor> vectors = {},
                                       std::span<const at::Tensor> weights = {});

private:
    std::vector<std::unique_ptr<TextEncoder>> m_encoders;
};

} // namespace homebooth::core

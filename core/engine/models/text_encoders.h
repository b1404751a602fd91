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
    [[nodiscard]] TextCondition encode(std::span<const at::Tensor> tokenIds,
                                       std::span<const at::Tensor> vectors = {});

private:
    std::vector<std::unique_ptr<TextEncoder>> m_encoders;
};

} // namespace homebooth::core

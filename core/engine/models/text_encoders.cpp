// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/text_encoders.h"

namespace homebooth::core {

TextEncoders::TextEncoders(std::vector<std::unique_ptr<TextEncoder>> encoders)
    : m_encoders(std::move(encoders)) {
    TORCH_CHECK(!m_encoders.empty(), "a model has at least one text encoder");
}

TextCondition TextEncoders::encode(std::span<const at::Tensor> tokenIds,
                                   std::span<const at::Tensor> vectors) {
    TORCH_CHECK(tokenIds.size() == count(), "expected tokens for each of ", count(), " text encoders, got ",
                tokenIds.size());
    TORCH_CHECK(vectors.empty() || vectors.size() == count(), "expected vectors for each of ", count(),
                " text encoders, got ", vectors.size());
    TextCondition all;
    std::vector<at::Tensor> contexts;
    for (size_t i = 0; i < count(); ++i) {
        TextCondition one =
            m_encoders[i]->condition(tokenIds[i], vectors.empty() ? at::Tensor() : vectors[i]);
        contexts.push_back(std::move(one.context));
        if (one.pooled.defined()) all.pooled = std::move(one.pooled);
    }
    all.context = count() == 1 ? contexts.front() : at::cat(contexts, -1);
    return all;
}

} // namespace homebooth::core

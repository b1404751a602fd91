// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/text_encoders.h"

namespace homebooth::core {

TextEncoders::TextEncoders(std::vector<std::unique_ptr<TextEncoder>> encoders)
    : m_encoders(std::move(encoders)) {
    TORCH_CHECK(!m_encoders.empty(), "a model has at least one text encoder");
}

at::Tensor weighed(const at::Tensor& context, const at::Tensor& weights) {
    const auto meanOf = [](const at::Tensor& states) {
        return states.mean({1, 2}, /*keepdim=*/true, at::kDouble); // which may be next to nothing
    };
    const at::Tensor own = context.to(at::kFloat);
    const at::Tensor scaled = own * weights.to(own.device(), at::kFloat).unsqueeze(-1);
    const at::Tensor ratio = (meanOf(own) / meanOf(scaled)).to(at::kFloat);
    const at::Tensor lost = ratio.isfinite().logical_not(); // there is none to go by
    return (scaled * ratio.masked_fill(lost, 1.0)).to(context.scalar_type());
}

TextCondition TextEncoders::encode(std::span<const at::Tensor> tokenIds, std::span<const at::Tensor> vectors,
                                   std::span<const at::Tensor> weights) {
    TORCH_CHECK(tokenIds.size() == count(), "expected tokens for each of ", count(), " text encoders, got ",
                tokenIds.size());
    TORCH_CHECK(vectors.empty() || vectors.size() == count(), "expected vectors for each of ", count(),
                " text encoders, got ", vectors.size());
    TORCH_CHECK(weights.empty() || weights.size() == count(), "expected weights for each of ", count(),
                " text encoders, got ", weights.size());
    TextCondition all;
    std::vector<at::Tensor> contexts;
    for (size_t i = 0; i < count(); ++i) {
        TextCondition one =
            m_encoders[i]->condition(tokenIds[i], vectors.empty() ? at::Tensor() : vectors[i]);
        contexts.push_back(weights.empty() ? std::move(one.context) : weighed(one.context, weights[i]));
        if (one.pooled.defined()) all.pooled = std::move(one.pooled);
    }
    all.context = count() == 1 ? contexts.front() : at::cat(contexts, -1);
    return all;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/low_rank.h"

#include "core/engine/nn/convolution.h"
#include "core/engine/nn/dropout.h"

namespace homebooth::core {

std::optional<LowRank> LowRank::find(const BlockSpec& spec, int weight) {
    const int index = spec.adapterIndex(weight);
    if (index < 0) return std::nullopt;
    return LowRank(spec.adapters[index]);
}

at::Tensor LowRank::input(const BlockContext& context, const at::Tensor& x) const {
    const at::Tensor converted = x.to(context.parameters[m_spec.down].scalar_type());
    if (!context.training || m_spec.dropout <= 0.0) return converted;
    // The stream of random numbers belongs to the adapted weight, so that adapters of one block differ.
    return dropout(converted, m_spec.dropout, context.dropoutSeed, static_cast<uint64_t>(m_spec.weight),
                   context.batchPart);
}

at::Tensor LowRank::linear(const BlockContext& context, const at::Tensor& x) const {
    const at::Tensor narrow = at::linear(input(context, x), context.parameters[m_spec.down]);
    return at::linear(narrow, context.parameters[m_spec.up]).mul(m_spec.scale).to(x.scalar_type());
}

at::Tensor LowRank::convolution(const BlockContext& context, const at::Tensor& x, int64_t stride,
                                int64_t padding) const {
    const at::Tensor narrow =
        convolve(input(context, x), context.parameters[m_spec.down], {}, padding, stride);
    const at::Tensor wide = convolve(narrow, context.parameters[m_spec.up], {}, /*padding=*/0, /*stride=*/1);
    return wide.mul(m_spec.scale).to(x.scalar_type());
}

} // namespace homebooth::core

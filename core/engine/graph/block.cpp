// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/graph/block.h"

#include "core/engine/graph/differentiate.h"

#include <ATen/core/grad_mode.h>

namespace homebooth::core {

BlockGradients Block::backward(const BlockContext& context, std::span<const at::Tensor> inputs,
                               std::span<const at::Tensor> gradOutputs,
                               const std::vector<bool>& needInputs) const {
    const at::AutoGradMode enableGrad(true);
    const BlockLeaves leaves = makeLeaves(m_spec, context.parameters, inputs, needInputs);
    BlockContext recompute = context;
    recompute.parameters = leaves.parameters;
    recompute.gradientsOnly = true;
    const std::vector<at::Tensor> outputs = forward(recompute, leaves.inputs);
    return differentiate(leaves, outputs, gradOutputs);
}

} // namespace homebooth::core

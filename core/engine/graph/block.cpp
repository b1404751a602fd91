// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/graph/block.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace homebooth::core {
namespace {

/// The tensors to differentiate, with the place where each gradient belongs.
struct Targets {
    std::vector<at::Tensor> tensors;
    std::vector<at::Tensor*> places;

    void add(const at::Tensor& tensor, at::Tensor& place) {
        tensors.push_back(tensor);
        places.push_back(&place);
    }
};

at::Tensor detachedLeaf(const at::Tensor& tensor, bool needsGradient) {
    return tensor.defined() ? tensor.detach().requires_grad_(needsGradient) : tensor;
}

} // namespace

BlockGradients Block::backward(const BlockContext& context, std::span<const at::Tensor> inputs,
                               std::span<const at::Tensor> gradOutputs,
                               const std::vector<bool>& needInputs) const {
    const at::AutoGradMode enableGrad(true);
    BlockGradients gradients;
    gradients.inputs.resize(inputs.size());
    gradients.parameters.resize(context.parameters.size());

    Targets targets;
    std::vector<at::Tensor> leafInputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
        leafInputs.push_back(detachedLeaf(inputs[i], needInputs[i]));
        if (needInputs[i]) targets.add(leafInputs.back(), gradients.inputs[i]);
    }
    std::vector<at::Tensor> leafParameters;
    for (size_t i = 0; i < context.parameters.size(); ++i) {
        const bool trainable = m_spec.parameters[i].trainable;
        leafParameters.push_back(detachedLeaf(context.parameters[i], trainable));
        if (trainable) targets.add(leafParameters.back(), gradients.parameters[i]);
    }
    if (targets.tensors.empty()) return gradients;

    BlockContext recompute = context;
    recompute.parameters = leafParameters;
    const std::vector<at::Tensor> outputs = forward(recompute, leafInputs);

    std::vector<at::Tensor> roots;
    std::vector<at::Tensor> rootGradients;
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (!gradOutputs[i].defined() || !outputs[i].requires_grad()) continue;
        roots.push_back(outputs[i]);
        rootGradients.push_back(gradOutputs[i]);
    }
    if (roots.empty()) return gradients;
    const std::vector<at::Tensor> found =
        torch::autograd::grad(roots, targets.tensors, rootGradients,
                              /*retain_graph=*/false, /*create_graph=*/false,
                              /*allow_unused=*/true);
    for (size_t i = 0; i < found.size(); ++i) *targets.places[i] = found[i];
    return gradients;
}

} // namespace homebooth::core

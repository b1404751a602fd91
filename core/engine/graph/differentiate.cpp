// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/graph/differentiate.h"

#include "core/engine/graph/autograd_pass.h"

namespace homebooth::core {
namespace {

at::Tensor detachedLeaf(const at::Tensor& tensor, bool needsGradient) {
    return tensor.defined() ? tensor.detach().requires_grad_(needsGradient) : tensor;
}

/// The tensors to differentiate, each with the place where its gradient belongs.
struct Targets {
    std::vector<at::Tensor> tensors;
    std::vector<at::Tensor*> places;

    void addAll(const std::vector<at::Tensor>& leaves, std::vector<at::Tensor>& gradients) {
        gradients.resize(leaves.size());
        for (size_t i = 0; i < leaves.size(); ++i) {
            if (!leaves[i].defined() || !leaves[i].requires_grad()) continue;
            tensors.push_back(leaves[i]);
            places.push_back(&gradients[i]);
        }
    }
};

} // namespace

BlockLeaves makeLeaves(const BlockSpec& spec, std::span<const at::Tensor> parameters,
                       std::span<const at::Tensor> inputs, const std::vector<bool>& needInputs) {
    BlockLeaves leaves;
    for (size_t i = 0; i < inputs.size(); ++i)
        leaves.inputs.push_back(detachedLeaf(inputs[i], needInputs[i]));
    for (size_t i = 0; i < parameters.size(); ++i)
        leaves.parameters.push_back(detachedLeaf(parameters[i], spec.parameters[i].trainable));
    return leaves;
}

BlockGradients differentiate(const BlockLeaves& leaves, std::span<const at::Tensor> outputs,
                             std::span<const at::Tensor> gradOutputs) {
    BlockGradients gradients;
    Targets targets;
    targets.addAll(leaves.inputs, gradients.inputs);
    targets.addAll(leaves.parameters, gradients.parameters);

    std::vector<at::Tensor> roots;
    std::vector<at::Tensor> rootGradients;
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (!gradOutputs[i].defined() || !outputs[i].requires_grad()) continue;
        roots.push_back(outputs[i]);
        rootGradients.push_back(gradOutputs[i]);
    }
    if (roots.empty() || targets.tensors.empty()) return gradients;

    const std::vector<at::Tensor> found =
        autogradPass(roots, targets.tensors, rootGradients, {.allowUnused = true});
    for (size_t i = 0; i < found.size(); ++i) *targets.places[i] = found[i];
    return gradients;
}

} // namespace homebooth::core

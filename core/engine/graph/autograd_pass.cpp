// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/graph/autograd_pass.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace homebooth::core {
namespace {

/// A pass over tensors without data: it needs no memory of a tier, and LibTorch drops by it what it skipped.
void emptyQueueOfThread() noexcept try {
    const at::AutoGradMode recording(true);
    const at::Tensor leaf = at::empty({1}, at::TensorOptions().device(at::kMeta)).requires_grad_(true);
    static_cast<void>(torch::autograd::grad({leaf * leaf}, {leaf}, {at::empty_like(leaf)}));
} catch (const std::exception&) { // the failure of the pass is what is to be told
}

} // namespace

std::vector<at::Tensor> autogradPass(const std::vector<at::Tensor>& outputs,
                                     const std::vector<at::Tensor>& inputs,
                                     const std::vector<at::Tensor>& gradOutputs,
                                     const AutogradPassOptions& options) {
    try {
        return torch::autograd::grad(outputs, inputs, gradOutputs, options.retainGraph,
                                     /*create_graph=*/false, options.allowUnused);
    } catch (...) {
        emptyQueueOfThread();
        throw;
    }
}

} // namespace homebooth::core

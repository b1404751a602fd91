// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A backward pass of LibTorch's autograd that gives back its memory where it fails, too.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace homebooth::core {

struct AutogradPassOptions {
    bool retainGraph = false; ///< to differentiate it again
    bool allowUnused = false; ///< an input that no output depends on has an undefined gradient; else an error
};

/// Gradients of `outputs` for each of `inputs`, as torch::autograd::grad.
/// @param gradOutputs  one per output, or none for outputs of one element: ones then
/// Errors: those of the operators, such as c10::OutOfMemoryError. On a CPU nothing of the pass is held then:
/// by itself, LibTorch (2.11) keeps the nodes that were still to be computed, and all that they saved, until
/// the thread's next pass. A GPU's nodes are computed by a thread of LibTorch, which by its source drops them
/// itself; not tried.
/// Any thread, but not from within a pass.
std::vector<at::Tensor> autogradPass(const std::vector<at::Tensor>& outputs,
                                     const std::vector<at::Tensor>& inputs,
                                     const std::vector<at::Tensor>& gradOutputs,
                                     const AutogradPassOptions& options = {});

} // namespace homebooth::core

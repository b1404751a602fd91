// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Differentiating one block with autograd: leaves in, gradients out. Used by the recomputing default of
// Block::backward and by the executor for blocks whose graph it keeps from forward to backward.
#pragma once

#include "core/engine/graph/block.h"

namespace homebooth::core {

/// The inputs and parameters of a block as autograd leaves. They alias the originals.
struct BlockLeaves {
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> parameters;
};

/// @param needInputs  for which inputs a gradient is wanted
BlockLeaves makeLeaves(const BlockSpec& spec, std::span<const at::Tensor> parameters,
                       std::span<const at::Tensor> inputs, const std::vector<bool>& needInputs);

/// Gradients of `outputs` (computed from `leaves` in grad mode) for every leaf that requires one.
/// Frees the graph.
/// @param gradOutputs  one per output; undefined means zero
BlockGradients differentiate(const BlockLeaves& leaves, std::span<const at::Tensor> outputs,
                             std::span<const at::Tensor> gradOutputs);

} // namespace homebooth::core

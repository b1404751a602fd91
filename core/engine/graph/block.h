// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A block that computes: the Torch side of a BlockSpec.
// Owned by its Network; stateless and const, so the same block serves training and sampling on any thread.
//
// Invariants:
//   1. A block never stores a tensor. Parameters come in with every call, because their memory moves.
//   2. forward is a pure function of (parameters, inputs, dropoutSeed): recomputing it gives the same bits.
//   3. No autograd graph made inside backward outlives the call.
#pragma once

#include "core/base/schedule/schedule.h"
#include "core/engine/graph/batch_part.h"
#include "core/engine/graph/kept_products.h"

#include <ATen/ATen.h>

#include <memory>
#include <span>
#include <vector>

namespace homebooth::core {

/// What a block may use during one call. Everything is borrowed for the length of the call.
struct BlockContext {
    std::span<const at::Tensor> parameters; ///< in the order of BlockSpec::parameters, on the device
    bool training = false;                  ///< dropout of adapters is active
    uint64_t dropoutSeed = 0; ///< of run seed, step and block; the same again in the recomputation
    BatchPart batchPart = {}; ///< which samples of the whole batch are computed
    /// Only gradients will be read of this call, not the values of its outputs. A block may then leave out
    /// its last linear operation, whose gradients need nothing but its inputs.
    bool gradientsOnly = false;
    bool parametersStay = false;      ///< where they are until the pass is over: values may be them
    bool exact = false;               ///< outside training, too, nothing may round more than it does there
    KeptProducts* products = nullptr; ///< where costly results are kept for, or taken in, the recomputation
};

/// Gradients of one block; undefined tensors where none was asked for.
struct BlockGradients {
    std::vector<at::Tensor> inputs;     ///< one per input
    std::vector<at::Tensor> parameters; ///< one per parameter; undefined for those that are not trainable
};

class Block {
public:
    explicit Block(BlockSpec spec)
        : m_spec(std::move(spec)) {}
    virtual ~Block() = default;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    [[nodiscard]] const BlockSpec& spec() const { return m_spec; }

    /// Computes the outputs in the order of the node's outputs. Works with and without grad mode.
    /// Errors: throws c10::Error where LibTorch does (shape mismatch, out of memory).
    [[nodiscard]] virtual std::vector<at::Tensor> forward(const BlockContext& context,
                                                          std::span<const at::Tensor> inputs) const = 0;

    /// Computes gradients from the block's inputs; nothing else was kept.
    /// The default recomputes forward under autograd; hot blocks override it with hand-written gradients.
    /// @param gradOutputs  one per output; undefined means zero
    /// @param needInputs   for which inputs a gradient is wanted
    [[nodiscard]] virtual BlockGradients backward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs,
                                                  std::span<const at::Tensor> gradOutputs,
                                                  const std::vector<bool>& needInputs) const;

private:
    BlockSpec m_spec;
};

} // namespace homebooth::core

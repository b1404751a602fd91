// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Homes of blocks that are spread over several ranks: each has its part of every block for good, and the rest
// only while the block computes. Addresses never change, so parameters stay ordinary tensors; what is not
// there has no memory behind it. Called by a ParameterStore, on its thread; every rank's asks for the same
// blocks in the same order.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

class BlockSpread {
public:
    virtual ~BlockSpread() = default;

    /// The place of a block's parameters, all of it there. Shapes: uint8 [bytes]
    [[nodiscard]] virtual at::Tensor home(int block, int64_t bytes) = 0;

    /// Begins to bring what this rank has not. @param parameters  of the block, at home
    /// Errors of all: throw RankLost
    virtual void ask(int block, const std::vector<at::Tensor>& parameters) = 0;
    /// Returns when all of a block is there, asked for or not.
    virtual void gather(int block, const std::vector<at::Tensor>& parameters) = 0;
    /// Gives back what is not this rank's part.
    virtual void drop(int block, const std::vector<at::Tensor>& parameters) = 0;

    /// Memory behind the homes now.
    [[nodiscard]] virtual int64_t heldBytes() const = 0;
};

} // namespace homebooth::core

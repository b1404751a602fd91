// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Homes of blocks that are spread over several ranks: each has its part of every block for good, and the rest
// only while the block computes: at home, where that is possible, else in other memory of the device.
// Parameters stay ordinary tensors with the addresses of the whole; what is not there has no memory behind
// it, and on a GPU its addresses may not be touched. Called by a ParameterStore, on its thread, but for
// `put`; every rank's asks for the same blocks in the same order.
#pragma once

#include "core/base/swap/swapped_memory.h"
#include "core/engine/memory/tier_meter.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

class BlockSpread {
public:
    virtual ~BlockSpread() = default;

    /// Of a block's parameters the bytes that are this rank's, each aligned.
    [[nodiscard]] virtual int64_t partBytes(int block, const std::vector<at::Tensor>& parameters) const = 0;
    /// Before there is a home: parts whose tier is RAM lie on a disk. Who touches one holds it.
    /// @param disk    borrowed; null in a rehearsal
    /// @param begins  of each block's part there, bytes; a multiple of what aligns parameters
    virtual void useDisk(SwappedMemory* disk, std::vector<int64_t> begins) = 0;

    /// The place of a block's parameters, all of it there. Shapes: uint8 [bytes]
    [[nodiscard]] virtual at::Tensor home(int block, int64_t bytes, Tier tier) = 0;
    /// From now on a home is in another tier, or counts there. @param parameters  become those of the new
    /// home
    virtual void moveTo(int block, Tier tier, std::vector<at::Tensor>& parameters) = 0;
    /// Whether a block of the device's tier computes where its home is. If not, `gather` is for those alone
    /// that are there as a whole.
    [[nodiscard]] virtual bool gathersAtHome() const = 0;
    /// Takes over this rank's part of a parameter, or all of it where all of the block is there. Several
    /// threads may do so for different parameters. @param whole  in the parameter's memory order
    virtual void put(int block, int index, const at::Tensor& parameter, const at::Tensor& whole) const = 0;

    /// Begins to bring what this rank has not. @param parameters  of the block, at home
    /// Errors of all: throw RankLost
    virtual void ask(int block, const std::vector<at::Tensor>& parameters) = 0;
    /// Returns when all of a block is there, asked for or not.
    virtual void gather(int block, const std::vector<at::Tensor>& parameters) = 0;
    /// The same for a copy elsewhere; of the home the part stays that is there.
    virtual void gatherInto(int block, const std::vector<at::Tensor>& parameters,
                            const std::vector<at::Tensor>& whole) = 0;
    /// Lets go of what was asked for and is not used any more.
    virtual void forget() = 0;
    /// Gives back what is not this rank's part. @param parameters  become those that are left
    virtual void drop(int block, std::vector<at::Tensor>& parameters) = 0;

    /// Memory behind the homes of one tier now.
    [[nodiscard]] virtual int64_t heldBytes(Tier tier) const = 0;
    /// The same of one block.
    [[nodiscard]] virtual int64_t heldBytesOf(int block) const = 0;
};

} // namespace homebooth::core

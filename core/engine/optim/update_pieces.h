// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the blocks that visit a device are cut for their updates, and where a piece lies there.
//
//   block   | p0                | p1 | p2 | p3 | p4      |
//   pieces  | 1       | 2                 | 3            |     large parameters are cut, small ones share
//
// What lies behind one another at home does so on the device, too, so it goes in one copy: parameters of a
// block, and its states where one room has them (memory/ram_room.h). Immutable; any thread.
#pragma once

#include "core/base/memory/link.h"
#include "core/engine/optim/optimizer.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// Elements of one parameter of a block.
struct UpdateStretch {
    int index = -1; ///< of the parameter
    int64_t begin = 0;
    int64_t count = 0;
    bool ends = false; ///< it is the parameter's last one
};
using UpdatePiece = std::vector<UpdateStretch>; // in the order of the block's memory

class UpdatePieces {
public:
    /// Of a piece with all that its update touches: 4 Mi elements of 16-bit parameters with 8-bit states.
    /// Large enough that neither a link's latency nor what asking for copies takes counts.
    static constexpr int64_t kMostBytes = int64_t{17} << 20;
    /// Elements of a parameter beyond which it may be cut; a multiple of Optimizer::kRangeUnit.
    static constexpr int64_t kFewestElements = int64_t{1} << 12;

    /// Nothing visits.
    UpdatePieces() = default;
    /// @param mostBytes  of a piece, as far as kFewestElements of each parameter fit
    UpdatePieces(const Optimizer& optimizer, int64_t mostBytes);

    /// Bytes that the updates of all that visits touch.
    [[nodiscard]] static int64_t bytesOf(const Optimizer& optimizer);

    [[nodiscard]] const std::vector<UpdatePiece>& of(int block) const {
        return m_blocks.at(place(block)).pieces;
    }
    /// Parameters of a block that visit.
    [[nodiscard]] int64_t parametersOf(int block) const { return m_blocks.at(place(block)).parameters; }
    /// Copies over the link that the update of a block takes where one room has its states.
    [[nodiscard]] int64_t copiesOf(int block) const { return m_blocks.at(place(block)).copies; }
    /// Of the largest piece.
    [[nodiscard]] int64_t slotBytes() const { return m_slotBytes; }

private:
    struct Block {
        std::vector<UpdatePiece> pieces;
        int64_t parameters = 0;
        int64_t copies = 0;
    };
    [[nodiscard]] static size_t place(int block) { return static_cast<size_t>(block); }
    void cut(const Optimizer& optimizer, int block, int64_t mostBytes);

    std::vector<Block> m_blocks;
    int64_t m_slotBytes = 0;
};

/// A piece on the device, and the copies between it and its home.
struct LandedPiece {
    struct Copies {
        std::vector<LinkCopy> all;
        int64_t gapBytes = 0; ///< of them, what aligns those that go in one copy
    };
    std::vector<std::vector<at::Tensor>> tensors; ///< of each stretch, as Optimizer::touched has them
    Copies coming;                                ///< states, and a parameter that is read and not there yet
    Copies leaving;                               ///< all of it
};

/// Lays a piece out.
/// @param parameters  of each stretch, where they lie on the device; undefined: in the slot
/// @param slot        UpdatePieces::slotBytes of memory, aligned as a GPU's is
/// Shapes: parameters [count] each; slot uint8 [bytes]
[[nodiscard]] LandedPiece landedIn(const at::Tensor& slot, const Optimizer& optimizer, int block,
                                   const UpdatePiece& piece, const std::vector<at::Tensor>& parameters);

} // namespace homebooth::core

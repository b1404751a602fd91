// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the RAM tier that a GPU copies to and from: those of one block lie behind one another, in the
// order in which they were taken, so that several go in one copy. Locking memory, too, takes its time each
// time. One thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

class RamRoom {
public:
    /// @param beside      as ramTensor has it
    /// @param blockBytes  of all tensors of each block, each with what aligns it (kParameterAlignment)
    RamRoom(at::Device beside, std::vector<int64_t> blockBytes)
        : m_beside(beside)
        , m_blockBytes(std::move(blockBytes)) {}

    /// Zeros in a block's pages, which are one storage, and are given back with the last tensor on them; new
    /// ones where they are full. Shapes: `sizes`
    /// Errors: throws c10::OutOfMemoryError when the system refuses pages
    [[nodiscard]] at::Tensor take(int block, at::IntArrayRef sizes, at::IntArrayRef strides,
                                  at::ScalarType type);

private:
    struct Pages {
        at::Tensor memory; // uint8
        int64_t used = 0;
    };

    at::Device m_beside;
    std::vector<int64_t> m_blockBytes;
    std::unordered_map<int, Pages> m_open; // by block, those that have room
};

} // namespace homebooth::core

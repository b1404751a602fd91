// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the parameters of each block lie within it, and tensors over them wherever the block is.
// Immutable after construction; any thread.
#pragma once

#include "core/base/memory/chunk_stream.h"
#include "core/base/schedule/schedule.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// Alignment of every parameter within its block, bytes.
inline constexpr int64_t kParameterAlignment = 64;

class ParameterViews {
public:
    /// @param type  of parameters that have no storage type of their own
    ParameterViews(const Schedule& schedule, at::ScalarType type);

    /// Sizes of the blocks' parameters, each aligned, bytes.
    [[nodiscard]] const std::vector<int64_t>& blockBytes() const { return m_blockBytes; }
    /// The chunks of all blocks in order; a block begins with a chunk of its own.
    [[nodiscard]] std::vector<Chunk> chunks(int64_t chunkBytes) const;

    /// The parameters of a block that begins at `begin`, which belongs to `owner` and lives as long; without
    /// addresses where `begin` is null (a rehearsal).
    /// Convolution weights lie in channels-last order, which is what convolutions on channels-last input
    /// read.
    [[nodiscard]] std::vector<at::Tensor> of(int block, uint8_t* begin, const at::Tensor& owner) const;

private:
    const Schedule& m_schedule;
    at::ScalarType m_type;
    std::vector<std::vector<int64_t>> m_offsets; // [block][parameter]
    std::vector<int64_t> m_blockBytes;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the parameters of a network live: chunks (equal fixed pages) in execution order.
//
//   block 0              block 1              block 2
//   |p0 |p1     |p2|pad| |p0   |p1 |   pad  | |p0 ...    parameters, each aligned to 64 bytes
//   |chunk 0 |chunk 1  | |chunk 2  |chunk 3 | |chunk 4   chunks of one size; padding ends a block's last one
//
// A block owns consecutive chunks; their device addresses are adjacent, so a tensor may span them. All chunks
// of a store have the same size; `usedBytes` says how much of one would move. On the CPU nobody touches
// padding, so it takes addresses and no memory. One thread (the executor's). With placement `gpu` all chunks
// stay on the device for the store's life; other tiers plug in behind acquire and release, which are already
// the only way to reach a parameter.
#pragma once

#include "core/base/schedule/schedule.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// FREE: no valid data on the device. HOLD: resident, nobody computes. COMPUTE: in use by the running block.
///   FREE -> HOLD (filled) -> COMPUTE (acquired) -> HOLD (released) -> FREE (evicted)
enum class ChunkState : uint8_t { Free, Hold, Compute };

struct Chunk {
    int block = -1;
    int64_t offsetBytes = 0; ///< in the device arena
    int64_t usedBytes = 0;   ///< without padding: what a transfer moves
    ChunkState state = ChunkState::Free;
};

/// Names one parameter: block and index within it.
struct ParameterId {
    int block = -1;
    int index = -1;
    friend bool operator==(const ParameterId&, const ParameterId&) = default;
};

/// The size of chunks for blocks of these sizes: the largest power of two up to 16 MiB whose padding is at
/// most a thirty-second of the parameters; at least 64 KiB, for models too small to care.
[[nodiscard]] int64_t chunkBytesFor(const std::vector<int64_t>& blockBytes);

class ParameterStore {
public:
    struct Options {
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        int64_t chunkBytes = 0; ///< 0: searched, see chunkBytesFor
    };

    /// Lays out and allocates the parameters of `schedule`, whose lifetime must exceed the store's.
    /// Contents are undefined until they are filled through `parameter`.
    ParameterStore(const Schedule& schedule, Options options);

    /// The parameters of a block, in order, while the block computes. Asserts that the chunks are in HOLD.
    [[nodiscard]] const std::vector<at::Tensor>& acquire(int block);
    void release(int block);

    /// A view of one parameter for loading, saving and the optimizer; valid until the store dies.
    [[nodiscard]] at::Tensor parameter(ParameterId id) const;
    /// Looks a parameter up by its full key; {-1, -1} if there is none.
    [[nodiscard]] ParameterId find(const std::string& name) const;
    [[nodiscard]] const ParameterSpec& spec(ParameterId id) const;

    [[nodiscard]] const Schedule& schedule() const { return *m_schedule; }
    [[nodiscard]] const Options& options() const { return m_options; }
    [[nodiscard]] const std::vector<Chunk>& chunks() const { return m_chunks; }
    [[nodiscard]] int64_t chunkBytes() const { return m_options.chunkBytes; }
    /// Device memory of all chunks, padding included.
    [[nodiscard]] int64_t residentBytes() const { return m_arena.numel(); }

private:
    void layOut();
    /// @param begins   of each block in the arena, bytes
    /// @param offsets  of each parameter within its block, bytes
    void makeViews(const std::vector<int64_t>& begins, const std::vector<std::vector<int64_t>>& offsets);
    void setState(int block, ChunkState from, ChunkState to);

    const Schedule* m_schedule;
    Options m_options;
    at::Tensor m_arena; // uint8 [bytes]
    std::vector<Chunk> m_chunks;
    std::vector<std::pair<int, int>> m_blockChunks; // first chunk, count
    std::vector<std::vector<at::Tensor>> m_views;   // [block][parameter], in the file's shape
    std::unordered_map<std::string, ParameterId> m_byName;
};

} // namespace homebooth::core

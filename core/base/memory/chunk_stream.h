// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Brings the chunks of each block to the device ahead of its use and gives their place to others afterwards,
// as a ResidencyPlan says. Contents come from the chunks' home, in RAM; they never go back: whatever changes
// parameters changes them at home, between their last use in one pass and their fetch for the next. That may
// be issued before the pass has ended; who changes a home from then on lets go of what came, first.
//
//            fetch              arrived            acquire
//   FREE ------------> FETCHING ---------> HOLD -----------> COMPUTE
//    ^                                     |  ^                 |
//    +-------------------------------------+  +-----------------+
//                  leave                            release
//
// Any other transition is a programming error: std::logic_error, in every build. A link that fails does not
// say for which fetch: all that were on their way are FREE then, and the pass can only be ended.
// Borrowed: link, arena and homes, which are null where there is no memory (a rehearsal). One thread. Free of
// Torch, so that it runs under the thread sanitizer.
#pragma once

#include "core/base/memory/link.h"
#include "core/base/memory/residency_plan.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace homebooth::core {

/// Whether a block at home will not change any more before the pass that comes next.
using IsFinal = std::function<bool(int block)>;

enum class ChunkState : uint8_t { Free, Fetching, Hold, Compute };

struct Chunk {
    int block = -1;
    int64_t homeOffsetBytes = 0;  ///< where all blocks are at home in one row
    int64_t blockOffsetBytes = 0; ///< from the beginning of the block
    int64_t usedBytes = 0;        ///< without padding: what a transfer moves
    ChunkState state = ChunkState::Free;
};

class ChunkStream {
public:
    /// @param chunks  of one size, in the order of their blocks; a block's chunks are neighbours
    /// @param homes   by block: where its first chunk lies in RAM
    ChunkStream(std::vector<Chunk> chunks, std::vector<const uint8_t*> homes, Link& link);
    /// With all blocks at home in one row.
    ChunkStream(std::vector<Chunk> chunks, const uint8_t* home, Link& link);
    /// Waits for what is on its way to the arena.
    ~ChunkStream();
    ChunkStream(const ChunkStream&) = delete;
    ChunkStream& operator=(const ChunkStream&) = delete;

    /// Takes a plan and the arena that it was made for. Nothing may be in use; what was fetched is dropped.
    void use(ResidencyPlan plan, uint8_t* device);

    /// Starts a pass: issues the fetches that lie ahead of the first use.
    void beginPass();
    /// The next use of the pass, which must be of `block`: issues the fetches that are due, waits for the
    /// block.
    /// @returns  where the block begins on the device, until `release`; null where that has no memory
    [[nodiscard]] uint8_t* acquire(int block);
    void release(int block);
    /// Whether a block is in use: acquired and not yet released.
    [[nodiscard]] bool computes(int block) const {
        const auto [first, count] = m_blockChunks.at(static_cast<size_t>(block));
        return count > 0 && m_chunks[static_cast<size_t>(first)].state == ChunkState::Compute;
    }
    /// Ends a pass, also early, e.g. after an error: everything leaves but permanent stays and, after a whole
    /// pass, what has come for the next one. What else is at home may be changed from now on, also where this
    /// throws what the link threw.
    void endPass();
    /// Lets blocks come for the next pass, which is thought to be the same one, before this one has ended.
    /// @param isFinal  asked at each use, of blocks that have had their last one; empty: none shall come
    void fetchForNextPass(IsFinal isFinal) { m_isFinal = std::move(isFinal); }
    /// Between passes: what has come for the next one leaves again. Everything at home may be changed.
    void forgetNextPass() noexcept;

    [[nodiscard]] const std::vector<Chunk>& chunks() const { return m_chunks; }
    [[nodiscard]] const ResidencyPlan& plan() const { return m_plan; }

private:
    void issueUntil(int use);
    void issueForNextPass();
    [[nodiscard]] bool isPassOver() const { return m_nextUse >= static_cast<int>(m_plan.stayOfUse.size()); }
    void fetch(size_t stay);
    void arrive(size_t stay);
    void leave(size_t stay);
    void dropFetches() noexcept;
    void setState(int block, ChunkState from, ChunkState to);

    std::vector<Chunk> m_chunks;
    std::vector<std::pair<int, int>> m_blockChunks; // first, count
    std::vector<const uint8_t*> m_homes;
    Link& m_link;
    ResidencyPlan m_plan;
    uint8_t* m_device = nullptr;
    std::vector<LinkTicket> m_tickets; // per stay; 0: not on its way
    std::vector<bool> m_present;       // per stay: its fetch was issued
    std::vector<bool> m_isAhead;       // per stay: that was for the next pass
    size_t m_nextFetch = 0;            // first stay that was not issued in this pass
    size_t m_nextAhead = 0;            // and for the next one
    IsFinal m_isFinal;
    int m_nextUse = 0;
};

} // namespace homebooth::core

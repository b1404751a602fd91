// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for large, short-lived pieces of many sizes, in one stretch of addresses. Freed pieces leave holes
// whose pages stay with the process, because taking pages from the system again costs time; but never more of
// them than were in use at once, and a little: before new pages are taken, as many are given back from holes.
// So the process is about as large as what it holds at its largest, and gives back no more than that takes.
//
//           allocate                       free
//   untouched ----> in use (pages are there) ----> hole (pages are there) ----> hole without pages
//                     ^------------------------------'   too many pages: give back
//                     ^-----------------------------------------------------------'  (they come anew)
//
// Pages are counted in stretches of 64 KiB, which come and go together; huge pages are declined, for they
// would come and go otherwise. Which hole a piece goes into depends on nothing but what was asked before.
// Thread-safe. Addresses are kept until the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace homebooth::core {

struct ArenaUse {
    int64_t usedBytes = 0;     ///< of pieces that were not freed, with a page beside some large ones
    int64_t peakUsedBytes = 0; ///< of them, at most
    int64_t pageBytes = 0;     ///< of pages that are there
    int64_t takenBytes = 0;    ///< of pages, ever: each time that they came
};

class HostArena {
public:
    /// Reserves addresses, not memory. Where the system refuses, `allocate` has nothing to give.
    /// @param bytes  of all pieces together, holes included: a multiple of what is in use at once
    explicit HostArena(size_t bytes);
    ~HostArena();
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    /// @returns  aligned to 64 bytes, content undefined; null where no stretch of addresses is large enough
    [[nodiscard]] void* allocate(size_t bytes);
    /// @param piece  of `allocate`
    void free(void* piece);
    [[nodiscard]] bool holds(const void* piece) const;

    /// Gives back all holes; the peak begins anew.
    void giveBack();
    [[nodiscard]] ArenaUse use() const;

private:
    struct Block {
        size_t bytes = 0;
        bool used = false;
        uint64_t turn = 0; // of the last freeing in it
    };
    using Blocks = std::map<size_t, Block>; // by offset

    [[nodiscard]] Blocks::iterator choose(size_t bytes, size_t& offset);
    void take(Blocks::iterator block, size_t offset, size_t bytes);
    void makeRoom(int64_t bytes);
    [[nodiscard]] int64_t dropPages(const Block& block, size_t offset, int64_t bytes);
    [[nodiscard]] size_t missingStretches(size_t offset, size_t bytes) const;
    void addHole(Blocks::iterator block);
    [[nodiscard]] int64_t mostPageBytes() const;

    size_t m_bytes = 0;
    uint8_t* m_begin = nullptr;
    Blocks m_blocks;
    std::set<std::pair<size_t, size_t>> m_holes; // size, offset
    std::vector<bool> m_there;                   // pages of a stretch
    uint64_t m_turn = 0;
    ArenaUse m_use;
    mutable std::mutex m_mutex;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What memory on a disk (core/base/swap/swapped_memory.h) reads and writes, foretold: its pages without
// their memory, by the same rules, where every transfer ends at once. All pages have been changed before.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Of memory on a disk. Bytes, never negative.
struct SwapStretch {
    int64_t begin = 0;
    int64_t bytes = 0;
};

/// What a disk reads and writes beyond the bytes that are meant, or short of them.
struct SwapExtra {
    int64_t readBytes = 0;
    int64_t writtenBytes = 0;
};

class SwapPages {
public:
    /// @param bytes        all that lies there
    /// @param pageBytes    of a page, at least 1
    /// @param windowBytes  in memory at a time, at least one page
    SwapPages(int64_t bytes, int64_t pageBytes, int64_t windowBytes);

    /// As SwappedMemory has them.
    void want(const SwapStretch& stretch);
    void forgetWanted();
    void hold(const SwapStretch& stretch);
    void release(const SwapStretch& stretch, bool changed);

    [[nodiscard]] int64_t readBytes() const { return m_reads * m_pageBytes; }
    [[nodiscard]] int64_t writtenBytes() const { return m_writes * m_pageBytes; }

private:
    enum class State : uint8_t { OnDisk, Ahead, Here };
    struct Page {
        State state = State::OnDisk;
        bool changed = false;
        int holds = 0;
        std::list<size_t>::iterator place = {}; // in m_idle: it is here and nobody holds it
    };

    [[nodiscard]] std::pair<size_t, size_t> pagesOf(const SwapStretch& stretch) const;
    void makePlace();
    bool dropOldest();
    void writeBehind(size_t most);
    void readAhead();
    void rest(size_t page, bool first);

    int64_t m_pageBytes;
    size_t m_most; // pages in memory
    std::vector<Page> m_pages;
    std::list<size_t> m_idle; // here and not held, the first to go first
    std::deque<size_t> m_wanted;
    size_t m_inMemory = 0;
    size_t m_ahead = 0;
    size_t m_idleChanged = 0;
    int64_t m_reads = 0;
    int64_t m_writes = 0;
};

} // namespace homebooth::core

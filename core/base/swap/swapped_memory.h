// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory whose contents lie on a disk, but for the pages in use. Addresses never change: tensors may point
// into it for good, and whoever touches a stretch holds it for that time. Zero at first.
//
//              want, hold              arrived                   written
//   ON DISK ---------------> READING ----------> HERE <------------------------ WRITING
//      ^                                          |  |   changed, oldest first     ^
//      +------------------------------------------+  +-----------------------------+
//            the oldest that nobody holds, when
//            others need its place
//
// 1. What is held is in memory and stays; its contents may be changed, and `release` says whether they were.
// 2. Beside what is held or read ahead, at most `residentBytes` are in memory; held pages go beyond it rather
//    than fail. Where that memory may be registered with the kernel, it is, and stays in use for good.
// 3. Pages that were never changed are zero, and take no place in memory or time of the disk until then.
// 4. After an error of the disk the contents are of no use: every later `hold` fails with it.
// Thread-safe; one stretch must not be changed by two holders.
#pragma once

#include "core/base/memory/page_memory.h"
#include "core/base/swap/frame_pool.h"
#include "core/base/swap/swap_file.h"

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

namespace homebooth::core {

struct SwappedMemoryOptions {
    std::string folder;
    int64_t bytes = 0;                     ///< rounded up to pages
    int64_t pageBytes = int64_t{2} << 20;  ///< a multiple of kSwapAlignment
    int64_t residentBytes = 0;             ///< in memory at a time, at least one page
    int depth = 8;                         ///< of the disk's queue
    std::function<void(int64_t)> inMemory; ///< hears of bytes that come into memory, or leave it: < 0
    std::function<void(int64_t, int64_t)> progress; ///< of reserving space, as SwapOptions has it
    CancelToken cancel;
};

class SwappedMemory {
public:
    /// @returns null when cancelled. Errors: as SwapFile::create
    [[nodiscard]] static Result<std::unique_ptr<SwappedMemory>>
    create(const SwappedMemoryOptions& options, SwapDevice& device = SwapDevice::system());
    ~SwappedMemory();
    SwappedMemory(const SwappedMemory&) = delete;
    SwappedMemory& operator=(const SwappedMemory&) = delete;

    [[nodiscard]] std::span<std::byte> bytes() const { return m_memory.bytes(); }

    /// Says that this stretch will be held, after everything that was wanted before: it is read ahead as far
    /// as there is place. What is wanted must be held in the end, or forgotten.
    void want(std::span<const std::byte> stretch) noexcept;
    /// What was wanted and not yet held takes no place any more.
    void forgetWanted();

    /// Returns when the stretch is in memory, until `release`. Holds may overlap.
    /// Errors: BadInput (the disk failed, now or before), OutOfResources; throws std::bad_alloc; nothing is
    /// held then
    [[nodiscard]] Result<void> hold(std::span<const std::byte> stretch);
    void release(std::span<const std::byte> stretch, bool changed) noexcept;
    /// Says that contents are of no use any more: pages that lie within the stretch as a whole, are not held
    /// and do not move are zero again, and neither read nor written for it.
    void discard(std::span<const std::byte> stretch) noexcept;

    [[nodiscard]] const SwapFacts& facts() const { return m_file->facts(); }
    [[nodiscard]] SwapCounters counters() const { return m_file->counters(); }
    /// How long holders have waited for the disk.
    [[nodiscard]] double waitedSeconds() const;
    [[nodiscard]] int64_t residentBytes() const;

private:
    enum class State : uint8_t { OnDisk, Reading, Here, Writing };
    struct Page {
        State state = State::OnDisk;
        bool blank = true;            ///< never changed: zero, and not on the disk
        bool changed = false;         ///< since it was read or written
        bool awaited = false;         ///< by a thread that uses its ticket up
        bool framed = false;          ///< in memory that is registered
        int frame = FramePool::kNone; ///< there now, or last
        int holds = 0;
        SwapTicket ticket = 0;
        std::list<size_t>::iterator place; ///< in one of the lists
    };
    using Lock = std::unique_lock<std::mutex>;

    SwappedMemory(const SwappedMemoryOptions& options, PageMemory memory, std::optional<FramePool> frames,
                  std::unique_ptr<SwapFile> file);
    [[nodiscard]] std::pair<size_t, size_t> pagesOf(std::span<const std::byte> stretch) const;
    [[nodiscard]] std::span<std::byte> memoryOf(size_t page) const;
    [[nodiscard]] std::span<std::byte> transferMemoryOf(size_t page) const;
    void enter(size_t page);
    void leave(size_t page) noexcept;
    Result<void> bringAll(size_t first, size_t end, Lock& lock);
    Result<void> begin(size_t page, Lock& lock);
    Result<void> finish(size_t page, Lock& lock);
    void settle(size_t page, const Result<SwapOutcome>& outcome);
    Result<void> makePlace(Lock& lock);
    void startRead(size_t page);
    bool startWrite(size_t page);
    bool dropOldest(bool onlyUnframed = false);
    void addHold(size_t page);
    void letGo(size_t page, bool changed);
    void tellMemory(int64_t bytes);
    void readAhead();
    void writeBehind(size_t most);
    void reap();

    const SwappedMemoryOptions m_options;
    const size_t m_most; ///< pages in memory
    PageMemory m_memory;
    std::optional<FramePool> m_frames; ///< registered memory for as many pages; none where that is refused

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::vector<Page> m_pages;
    std::list<size_t> m_busy;    // on the disk, held or being moved
    std::list<size_t> m_idle;    // in memory and not held, the oldest first
    std::list<size_t> m_writing; // in the order of asking
    std::deque<size_t> m_wanted;
    size_t m_inMemory = 0; // pages
    int64_t m_toldBytes = 0;
    size_t m_ahead = 0; // pages that are read ahead of their hold
    std::optional<Error> m_failure;
    double m_waitedSeconds = 0.0;

    std::unique_ptr<SwapFile> m_file; // last: what is in flight uses the memory
};

/// Holds a stretch for the length of a scope.
class SwapHold {
public:
    /// Errors: as SwappedMemory::hold
    [[nodiscard]] static Result<SwapHold> take(SwappedMemory& memory, std::span<const std::byte> stretch,
                                               bool changes) {
        if (const auto held = memory.hold(stretch); !held) return held.error();
        return SwapHold(memory, stretch, changes);
    }
    SwapHold(SwapHold&& other) noexcept
        : m_memory(std::exchange(other.m_memory, nullptr))
        , m_stretch(other.m_stretch)
        , m_changes(other.m_changes) {}
    SwapHold& operator=(SwapHold&&) = delete;
    ~SwapHold() {
        if (m_memory != nullptr) m_memory->release(m_stretch, m_changes);
    }

private:
    SwapHold(SwappedMemory& memory, std::span<const std::byte> stretch, bool changes)
        : m_memory(&memory)
        , m_stretch(stretch)
        , m_changes(changes) {}
    SwappedMemory* m_memory;
    std::span<const std::byte> m_stretch;
    bool m_changes;
};

} // namespace homebooth::core

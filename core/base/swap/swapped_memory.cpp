// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/swapped_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the pages in memory, one in so many may wait to be written, and one in so many may be read ahead.
constexpr size_t kShareToWrite = 4;
constexpr size_t kShareAhead = 2;

int64_t pageCount(const SwappedMemoryOptions& options) {
    return options.pageBytes > 0 ? (options.bytes + options.pageBytes - 1) / options.pageBytes : 0;
}

size_t pagesInMemory(const SwappedMemoryOptions& options) {
    return static_cast<size_t>(std::max<int64_t>(1, options.residentBytes / options.pageBytes));
}

} // namespace

Result<std::unique_ptr<SwappedMemory>> SwappedMemory::create(const SwappedMemoryOptions& options,
                                                             SwapDevice& device) {
    SwapOptions file;
    file.folder = options.folder;
    file.pageBytes = options.pageBytes;
    file.pageCount = pageCount(options);
    file.depth = options.depth;
    file.progress = options.progress;
    file.cancel = options.cancel;
    HOMEBOOTH_ASSIGN(PageMemory memory,
                     PageMemory::create(file.pageCount * file.pageBytes, PageSize::HugeOnDemand));
    auto pool = FramePool::create(options.pageBytes, static_cast<int64_t>(pagesInMemory(options)));
    if (pool) file.buffers = {pool->registered()};
    HOMEBOOTH_ASSIGN(auto made, SwapFile::create(file, device));
    if (made == nullptr) return std::unique_ptr<SwappedMemory>();
    std::optional<FramePool> frames;
    if (made->facts().registered) frames = std::move(pool).value();
    return std::unique_ptr<SwappedMemory>(
        new SwappedMemory(options, std::move(memory), std::move(frames), std::move(made)));
}

SwappedMemory::SwappedMemory(const SwappedMemoryOptions& options, PageMemory memory,
                             std::optional<FramePool> frames, std::unique_ptr<SwapFile> file)
    : m_options(options)
    , m_most(pagesInMemory(options))
    , m_memory(std::move(memory))
    , m_frames(std::move(frames))
    , m_pages(static_cast<size_t>(pageCount(options)))
    , m_file(std::move(file)) {
    for (size_t page = 0; page < m_pages.size(); ++page)
        m_pages[page].place = m_busy.insert(m_busy.end(), page);
    if (m_frames) tellMemory(m_frames->count() * m_options.pageBytes);
}

SwappedMemory::~SwappedMemory() {
    m_file.reset();
    if (m_toldBytes > 0) tellMemory(-m_toldBytes);
}

double SwappedMemory::waitedSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_waitedSeconds;
}

int64_t SwappedMemory::residentBytes() const {
    const std::lock_guard lock(m_mutex);
    return m_toldBytes;
}

/// The first page and the one behind the last.
std::pair<size_t, size_t> SwappedMemory::pagesOf(std::span<const std::byte> stretch) const {
    if (stretch.empty()) return {0, 0};
    const auto begin = static_cast<size_t>(stretch.data() - m_memory.bytes().data());
    const auto pageBytes = static_cast<size_t>(m_options.pageBytes);
    return {begin / pageBytes, (begin + stretch.size() - 1) / pageBytes + 1};
}

std::span<std::byte> SwappedMemory::memoryOf(size_t page) const {
    const auto pageBytes = static_cast<size_t>(m_options.pageBytes);
    return m_memory.bytes().subspan(page * pageBytes, pageBytes);
}

/// What transfers of a page name.
std::span<std::byte> SwappedMemory::transferMemoryOf(size_t page) const {
    return m_pages[page].framed ? m_frames->transferMemory(m_pages[page].frame) : memoryOf(page);
}

/// Gives a page memory, in a frame as long as there is one.
void SwappedMemory::enter(size_t page) {
    Page& one = m_pages[page];
    const int frame = m_frames ? m_frames->take(memoryOf(page).data(), one.frame) : FramePool::kNone;
    one.framed = frame != FramePool::kNone;
    if (one.framed) one.frame = frame;
    if (!one.framed) tellMemory(m_options.pageBytes);
    ++m_inMemory;
}

void SwappedMemory::leave(size_t page) noexcept {
    Page& one = m_pages[page];
    --m_inMemory;
    if (one.framed) {
        m_frames->giveBack(one.frame);
        one.framed = false;
        return;
    }
    m_memory.giveBack(memoryOf(page));
    tellMemory(-m_options.pageBytes);
}

void SwappedMemory::want(std::span<const std::byte> stretch) noexcept {
    const Lock lock(m_mutex);
    const auto [first, end] = pagesOf(stretch);
    try {
        for (size_t page = first; page < end; ++page) m_wanted.push_back(page);
        readAhead();
    } catch (const std::bad_alloc&) { // it is only about being early
    }
}

void SwappedMemory::forgetWanted() {
    Lock lock(m_mutex);
    m_wanted.clear();
    for (size_t page = 0; page < m_pages.size(); ++page)
        while (m_pages[page].state == State::Reading && m_pages[page].holds == 0)
            if (!finish(page, lock)) break; // whoever holds next hears of it
}

Result<void> SwappedMemory::hold(std::span<const std::byte> stretch) {
    Lock lock(m_mutex);
    if (m_failure) return *m_failure;
    const auto [first, end] = pagesOf(stretch);
    for (size_t page = first; page < end; ++page) addHold(page);
    Result<void> brought;
    try {
        brought = bringAll(first, end, lock);
    } catch (...) {
        for (size_t page = first; page < end; ++page) letGo(page, false);
        throw;
    }
    if (!brought)
        for (size_t page = first; page < end; ++page) letGo(page, false);
    return brought;
}

void SwappedMemory::release(std::span<const std::byte> stretch, bool changed) noexcept {
    const Lock lock(m_mutex);
    const auto [first, end] = pagesOf(stretch);
    for (size_t page = first; page < end; ++page) letGo(page, changed);
    try {
        reap();
        writeBehind(m_most / kShareToWrite);
        // After a hold that went beyond: what is not registered first.
        while (m_inMemory > m_most && (dropOldest(true) || dropOldest())) {
        }
        readAhead();
    } catch (const std::bad_alloc&) { // it is only about being early
    }
}

void SwappedMemory::discard(std::span<const std::byte> stretch) noexcept {
    if (stretch.empty()) return;
    const Lock lock(m_mutex);
    const auto pageBytes = static_cast<size_t>(m_options.pageBytes);
    const auto begin = static_cast<size_t>(stretch.data() - m_memory.bytes().data());
    const size_t end = (begin + stretch.size()) / pageBytes;
    for (size_t page = (begin + pageBytes - 1) / pageBytes; page < end; ++page) {
        Page& one = m_pages[page];
        if (one.holds > 0 || one.state == State::Reading || one.state == State::Writing) continue;
        one.blank = true;
        one.changed = false;
        if (one.state == State::OnDisk) continue;
        one.state = State::OnDisk;
        m_busy.splice(m_busy.end(), m_idle, one.place);
        leave(page);
    }
}

void SwappedMemory::addHold(size_t page) {
    Page& one = m_pages[page];
    if (++one.holds > 1) return;
    if (one.state == State::Here) m_busy.splice(m_busy.end(), m_idle, one.place);
    if (one.state == State::Reading) --m_ahead;
}

/// Takes one hold away.
void SwappedMemory::letGo(size_t page, bool changed) {
    Page& one = m_pages[page];
    if (changed) {
        one.changed = true;
        one.blank = false;
    }
    if (--one.holds > 0) return;
    if (one.state == State::Here) m_idle.splice(m_idle.end(), m_busy, one.place);
    if (one.state == State::Reading) ++m_ahead;
}

/// Asks for everything before it waits for anything.
Result<void> SwappedMemory::bringAll(size_t first, size_t end, Lock& lock) {
    for (size_t page = first; page < end; ++page) HOMEBOOTH_CHECK(begin(page, lock));
    for (size_t page = first; page < end; ++page)
        while (m_pages[page].state != State::Here) {
            HOMEBOOTH_CHECK(begin(page, lock)); // another thread may have waited for a read that failed
            HOMEBOOTH_CHECK(finish(page, lock));
        }
    return {};
}

Result<void> SwappedMemory::begin(size_t page, Lock& lock) {
    if (m_pages[page].state != State::OnDisk) return {};
    HOMEBOOTH_CHECK(makePlace(lock));
    if (m_pages[page].state == State::OnDisk) startRead(page); // nobody else began meanwhile
    return {};
}

/// Waits until a page that moves has arrived.
Result<void> SwappedMemory::finish(size_t page, Lock& lock) {
    Page& one = m_pages[page];
    if (one.state == State::Here || one.state == State::OnDisk) return {};
    const auto start = Clock::now();
    if (one.awaited) {
        m_changed.wait(lock, [&one] { return !one.awaited; });
    } else {
        one.awaited = true;
        lock.unlock();
        const Result<SwapOutcome> outcome = m_file->wait(one.ticket);
        lock.lock();
        one.awaited = false;
        settle(page, outcome);
        m_changed.notify_all();
    }
    m_waitedSeconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (m_failure) return *m_failure;
    return {};
}

/// A transfer has ended: the page is in memory, or an error is known.
void SwappedMemory::settle(size_t page, const Result<SwapOutcome>& outcome) {
    Page& one = m_pages[page];
    const bool wasWriting = one.state == State::Writing;
    if (!outcome && !m_failure) m_failure = outcome.error();
    if (!wasWriting && one.holds == 0) --m_ahead;
    if (!wasWriting && !outcome) {
        one.state = State::OnDisk;
        leave(page);
        return;
    }
    one.state = State::Here;
    one.changed = wasWriting && !outcome;
    std::list<size_t>& from = wasWriting ? m_writing : m_busy;
    if (one.holds > 0)
        m_busy.splice(m_busy.end(), from, one.place);
    else // what was written is the first to go
        m_idle.splice(wasWriting ? m_idle.begin() : m_idle.end(), from, one.place);
}

Result<void> SwappedMemory::makePlace(Lock& lock) {
    while (m_inMemory >= m_most) {
        if (dropOldest()) continue;
        if (m_writing.empty()) writeBehind(0);
        if (m_writing.empty()) break; // all of it is held or about to be: that goes beyond
        HOMEBOOTH_CHECK(finish(m_writing.front(), lock));
    }
    return {};
}

/// Takes a page into memory: at once where it is zero, else by a read. Throws std::bad_alloc, and did nothing
void SwappedMemory::startRead(size_t page) {
    Page& one = m_pages[page];
    enter(page);
    try {
        if (!one.blank) one.ticket = m_file->read(static_cast<int64_t>(page), transferMemoryOf(page));
    } catch (...) {
        leave(page);
        throw;
    }
    if (one.blank && one.framed) std::memset(memoryOf(page).data(), 0, memoryOf(page).size());
    one.state = one.blank ? State::Here : State::Reading;
    if (!one.blank && one.holds == 0) ++m_ahead;
}

bool SwappedMemory::startWrite(size_t page) {
    Page& one = m_pages[page];
    try {
        one.ticket = m_file->write(static_cast<int64_t>(page), transferMemoryOf(page));
    } catch (const std::bad_alloc&) {
        return false;
    }
    one.state = State::Writing;
    m_writing.splice(m_writing.end(), m_idle, one.place);
    return true;
}

/// Gives the place of the oldest page that is as on the disk to others.
bool SwappedMemory::dropOldest(bool onlyUnframed) {
    const auto found = std::find_if(m_idle.begin(), m_idle.end(), [&](size_t page) {
        return !m_pages[page].changed && !(onlyUnframed && m_pages[page].framed);
    });
    if (found == m_idle.end()) return false;
    const size_t page = *found;
    m_pages[page].state = State::OnDisk;
    m_busy.splice(m_busy.end(), m_idle, found);
    leave(page);
    return true;
}

/// More bytes are in memory than before, or less.
void SwappedMemory::tellMemory(int64_t bytes) {
    m_toldBytes += bytes;
    if (m_options.inMemory) m_options.inMemory(bytes);
}

void SwappedMemory::readAhead() {
    while (!m_wanted.empty() && !m_failure) {
        const size_t page = m_wanted.front();
        Page& one = m_pages[page];
        if (one.state == State::Here && one.holds == 0) m_idle.splice(m_idle.end(), m_idle, one.place);
        if (one.state == State::OnDisk && !one.blank) {
            if (m_ahead >= std::max<size_t>(1, m_most / kShareAhead)) return;
            if (m_inMemory >= m_most && !dropOldest()) return;
            startRead(page);
        }
        m_wanted.pop_front();
    }
}

/// Begins to write changed pages that nobody holds, the oldest first, until `most` of them are left.
void SwappedMemory::writeBehind(size_t most) {
    auto changed = static_cast<size_t>(
        std::count_if(m_idle.begin(), m_idle.end(), [this](size_t page) { return m_pages[page].changed; }));
    for (auto next = m_idle.begin(); next != m_idle.end() && changed > most;) {
        const size_t page = *next++;
        if (!m_pages[page].changed) continue;
        if (!startWrite(page)) return;
        --changed;
    }
}

/// Takes note of the writes that have ended.
void SwappedMemory::reap() {
    for (auto next = m_writing.begin(); next != m_writing.end();) {
        const size_t page = *next++;
        if (m_pages[page].awaited || !m_file->finished(m_pages[page].ticket)) continue;
        settle(page, m_file->wait(m_pages[page].ticket));
    }
}

} // namespace homebooth::core

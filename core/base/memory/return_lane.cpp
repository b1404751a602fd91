// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/return_lane.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

ReturnLane::ReturnLane(std::span<std::byte> memory, int64_t pageBytes)
    : m_memory(memory)
    , m_pageBytes(pageBytes)
    , m_pages(pageBytes > 0 ? memory.size() / static_cast<size_t>(pageBytes) : 0) {
    if (m_pages.empty())
        throw std::logic_error("a lane of pages of " + std::to_string(pageBytes) +
                               " bytes needs one, found " + std::to_string(memory.size()) + " bytes");
    m_thread = std::thread([this] { work(); });
}

ReturnLane::~ReturnLane() {
    discard();
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

uint64_t ReturnLane::send(Link& link, Parcel parcel) {
    auto sent = std::make_shared<Sent>(Sent{&link, link.mark(), std::move(parcel)});
    uint64_t number = 0;
    {
        std::unique_lock lock(m_mutex);
        throwFailure(lock);
        if (sent->parcel.data.empty()) return m_sent;
        number = ++m_sent;
        m_onDeviceBytes += static_cast<int64_t>(sent->parcel.data.size());
        m_waiting.push_back(std::move(sent));
        startPieces(); // the lane's thread may be busy with a use for long
    }
    m_changed.notify_all();
    return number;
}

bool ReturnLane::isDone(uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    return number <= m_done || isIdle();
}

void ReturnLane::waitUntilAtMost(int64_t bytes) {
    std::unique_lock lock(m_mutex);
    const Clock::time_point start = Clock::now();
    while (m_onDeviceBytes > bytes) {
        // What has arrived has left, also while the lane's thread is busy with what came before.
        const std::optional<size_t> page = oldestEnding();
        if (!page) {
            m_changed.wait(lock);
            continue;
        }
        const std::shared_ptr<Sent> sent = m_pages[*page].sent;
        const LinkTicket ticket = m_pages[*page].ticket;
        lock.unlock();
        sent->link->wait(ticket);
        lock.lock();
        if (m_pages[*page].sent == sent && m_pages[*page].isLast) letGo(m_pages[*page], lock);
    }
    m_waitedSeconds += secondsSince(start);
}

void ReturnLane::settle() {
    std::unique_lock lock(m_mutex);
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [this] { return isIdle(); });
    m_waitedSeconds += secondsSince(start);
    throwFailure(lock);
}

void ReturnLane::discard() noexcept {
    std::unique_lock lock(m_mutex);
    dropWaiting();
    m_changed.wait(lock, [this] { return isIdle(); });
    m_failure = nullptr;
}

double ReturnLane::waitedSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_waitedSeconds;
}

/// Only when nothing is under way any more: what is must not be used once the error is forgotten.
void ReturnLane::throwFailure(std::unique_lock<std::mutex>& lock) {
    if (!m_failure) return;
    dropWaiting();
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [this] { return isIdle(); });
    m_waitedSeconds += secondsSince(start);
    std::rethrow_exception(std::exchange(m_failure, nullptr));
}

ReturnLane::Piece& ReturnLane::newestPage() {
    return m_pages[(m_oldestPage + m_underWay - 1) % m_pages.size()];
}

/// The oldest page under way with which a parcel leaves.
std::optional<size_t> ReturnLane::oldestEnding() const {
    for (size_t i = 0; i < m_underWay; ++i)
        if (const size_t page = (m_oldestPage + i) % m_pages.size(); m_pages[page].isLast) return page;
    return std::nullopt;
}

/// What is on its way in part leaves with the last of its pieces that are.
void ReturnLane::dropWaiting() {
    const bool partly = m_startedBytes > 0 && m_underWay > 0;
    if (partly) newestPage().isLast = true;
    for (size_t index = partly ? 1 : 0; index < m_waiting.size(); ++index) haveLeft(m_waiting[index]->parcel);
    m_startedBytes = 0;
    m_waiting.clear();
}

/// Puts as many pieces on their way as there are pages.
void ReturnLane::startPieces() {
    while (!m_waiting.empty() && m_underWay < m_pages.size()) {
        const std::shared_ptr<Sent> sent = m_waiting.front();
        const std::span<const std::byte> data = sent->parcel.data;
        const auto left = static_cast<int64_t>(data.size()) - m_startedBytes;
        const size_t page = (m_oldestPage + m_underWay) % m_pages.size();
        Piece piece{sent, 0, m_startedBytes, std::min(m_pageBytes, left), left <= m_pageBytes};
        try {
            piece.ticket =
                sent->link->copyAfter(sent->made, m_memory.data() + static_cast<int64_t>(page) * m_pageBytes,
                                      data.data() + m_startedBytes, piece.bytes);
        } catch (...) {
            m_failure = std::current_exception();
            dropWaiting();
            m_changed.notify_all();
            return;
        }
        m_startedBytes = piece.isLast ? 0 : m_startedBytes + piece.bytes;
        if (piece.isLast) m_waiting.pop_front();
        m_pages[page] = std::move(piece);
        ++m_underWay;
    }
}

/// The parcel has left with its last piece: gives its place on the device back.
void ReturnLane::letGo(Piece& piece, std::unique_lock<std::mutex>& lock) {
    const std::shared_ptr<Sent> sent = piece.sent; // the page may be taken for another one meanwhile
    std::shared_ptr<const void> owner = std::move(sent->parcel.owner);
    piece.isLast = false;
    lock.unlock();
    owner.reset(); // may take time, and the sender need not wait for it
    lock.lock();
    haveLeft(sent->parcel);
    m_changed.notify_all();
}

void ReturnLane::finishOldest(std::unique_lock<std::mutex>& lock) {
    Piece& piece = m_pages[m_oldestPage];
    const std::shared_ptr<Sent> sent = piece.sent;
    std::exception_ptr failure;
    lock.unlock();
    try {
        sent->link->wait(piece.ticket);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    if (piece.isLast) letGo(piece, lock);
    const bool useful = !m_failure && !failure;
    lock.unlock();
    try {
        const auto page = static_cast<int64_t>(m_oldestPage) * m_pageBytes; // this thread alone moves it
        if (useful)
            sent->parcel.use({m_memory.data() + page, static_cast<size_t>(piece.bytes)}, piece.offsetBytes);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
        if (!m_failure) m_failure = failure;
        dropWaiting();
    }
    if (piece.isLast) letGo(piece, lock); // the rest of its parcel was dropped meanwhile
    const int64_t end = piece.offsetBytes + piece.bytes;
    if (end == static_cast<int64_t>(sent->parcel.data.size())) ++m_done;
    piece.sent.reset();
    m_oldestPage = (m_oldestPage + 1) % m_pages.size();
    --m_underWay;
    if (isIdle()) m_done = m_sent; // dropped ones, too
    m_changed.notify_all();
}

void ReturnLane::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stopping || !isIdle(); });
        startPieces();
        if (m_underWay > 0)
            finishOldest(lock);
        else if (m_stopping)
            return;
    }
}

} // namespace homebooth::core

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

/// Of where pieces begin, for the kernels that read them.
constexpr int64_t kPieceAlignment = 64;
/// Fewer than a link has tickets for, beside whatever else it carries.
constexpr size_t kMostUnderWay = 32;

double waitedSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

ReturnLane::ReturnLane(std::span<std::byte> memory, int64_t pageBytes)
    : m_memory(memory)
    , m_pageBytes(pageBytes) {
    if (pageBytes <= 0 || std::ssize(memory) < pageBytes)
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
    const auto sent = std::make_shared<Sent>(Sent{&link, link.mark(), std::move(parcel)});
    uint64_t number = 0;
    {
        std::unique_lock lock(m_mutex);
        throwFailure(lock);
        if (sent->parcel.data.empty()) return m_sent;
        m_waiting.push_back(sent);
        number = ++m_sent;
        m_onDeviceBytes += static_cast<int64_t>(sent->parcel.data.size());
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
    while (m_onDeviceBytes > bytes)
        if (!letOldestGo(lock)) m_changed.wait(lock);
    m_waitedSeconds += waitedSince(start);
}

bool ReturnLane::letOldestGo() {
    std::unique_lock lock(m_mutex);
    return letOldestGo(lock);
}

/// What has arrived has left, also while the lane's thread is busy with what came before.
bool ReturnLane::letOldestGo(std::unique_lock<std::mutex>& lock) {
    LinkTicket ticket = 0;
    const std::shared_ptr<Sent> sent = oldestEnding(ticket);
    if (!sent) return false;
    lock.unlock();
    sent->link->wait(ticket);
    lock.lock();
    if (Piece* const piece = endingOf(sent)) letGo(*piece, lock);
    return true;
}

void ReturnLane::settle() {
    std::unique_lock lock(m_mutex);
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [this] { return isIdle(); });
    m_waitedSeconds += waitedSince(start);
    throwFailure(lock);
}

void ReturnLane::discard() noexcept {
    std::unique_lock lock(m_mutex);
    dropWaiting();
    m_changed.wait(lock, [this] { return isIdle(); });
    m_failure = nullptr;
}

int64_t ReturnLane::onDeviceBytes() const {
    const std::lock_guard lock(m_mutex);
    return m_onDeviceBytes;
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
    m_waitedSeconds += waitedSince(start);
    std::rethrow_exception(std::exchange(m_failure, nullptr));
}

/// The parcel that leaves next with a piece that is under way; null: none.
std::shared_ptr<ReturnLane::Sent> ReturnLane::oldestEnding(LinkTicket& ticket) const {
    for (const Piece& piece : m_underWay) {
        if (!piece.isLast) continue;
        ticket = piece.ticket;
        return piece.sent;
    }
    return nullptr;
}

/// The piece with which it leaves; null: it has left.
ReturnLane::Piece* ReturnLane::endingOf(const std::shared_ptr<Sent>& sent) {
    for (Piece& piece : m_underWay)
        if (piece.isLast && piece.sent == sent) return &piece;
    return nullptr;
}

/// What is on its way in part leaves with the last of its pieces that are.
void ReturnLane::dropWaiting() {
    const bool partly = m_startedBytes > 0 && !m_underWay.empty();
    if (partly) m_underWay.back().isLast = true;
    for (size_t index = partly ? 1 : 0; index < m_waiting.size(); ++index) haveLeft(m_waiting[index]->parcel);
    m_startedBytes = 0;
    m_waiting.clear();
}

/// Behind the newest piece, or at the beginning of the memory.
std::optional<int64_t> ReturnLane::placeFor(int64_t bytes) const {
    if (m_underWay.empty()) return 0;
    const int64_t oldest = m_underWay.front().place;
    const Piece& newest = m_underWay.back();
    const int64_t next =
        (newest.place + newest.bytes + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
    if (newest.place < oldest) return next + bytes <= oldest ? std::optional(next) : std::nullopt;
    if (next + bytes <= std::ssize(m_memory)) return next;
    return bytes <= oldest ? std::optional<int64_t>(0) : std::nullopt;
}

/// Puts as many pieces on their way as there is room for. What fails is told to the sender.
void ReturnLane::startPieces() noexcept {
    while (!m_waiting.empty() && m_underWay.size() < kMostUnderWay) {
        const std::shared_ptr<Sent> sent = m_waiting.front();
        const std::span<const std::byte> data = sent->parcel.data;
        const auto left = static_cast<int64_t>(data.size()) - m_startedBytes;
        const int64_t bytes = std::min(m_pageBytes, left);
        const std::optional<int64_t> place = placeFor(bytes);
        if (!place) return;
        const size_t before = m_underWay.size();
        try {
            m_underWay.push_back({sent, *place, m_startedBytes, bytes, 0, left == bytes});
            m_underWay.back().ticket = sent->link->copyAfter(sent->made, m_memory.data() + *place,
                                                             data.data() + m_startedBytes, bytes);
        } catch (...) {
            m_failure = std::current_exception();
            if (m_underWay.size() > before) m_underWay.pop_back();
            dropWaiting();
            m_changed.notify_all();
            return;
        }
        m_startedBytes = left == bytes ? 0 : m_startedBytes + bytes;
        if (left == bytes) m_waiting.pop_front();
    }
}

/// The parcel has left with its last piece: gives its place on the device back.
void ReturnLane::letGo(Piece& piece, std::unique_lock<std::mutex>& lock) {
    const std::shared_ptr<Sent> sent = piece.sent; // the piece may be gone meanwhile
    std::shared_ptr<const void> owner = std::move(sent->parcel.owner);
    piece.isLast = false;
    lock.unlock();
    owner.reset(); // may take time, and the sender need not wait for it
    lock.lock();
    haveLeft(sent->parcel);
    m_changed.notify_all();
}

void ReturnLane::finishOldest(std::unique_lock<std::mutex>& lock) {
    Piece& piece = m_underWay.front(); // stays where it is: this thread alone takes it away
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
        if (useful)
            sent->parcel.use(
                m_memory.subspan(static_cast<size_t>(piece.place), static_cast<size_t>(piece.bytes)),
                piece.offsetBytes);
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
    m_underWay.pop_front();
    if (isIdle()) m_done = m_sent; // dropped ones, too
    m_changed.notify_all();
}

void ReturnLane::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stopping || !isIdle(); });
        startPieces();
        if (!m_underWay.empty())
            finishOldest(lock);
        else if (m_stopping)
            return;
    }
}

} // namespace homebooth::core

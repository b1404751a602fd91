// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/swap_queue.h"

#include "core/base/util/quiet_thread.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <chrono>

namespace homebooth::core {
namespace {

constexpr int kMaxRetries = 64; // in a row, without progress
constexpr int kQuickRetries = 4;
constexpr std::chrono::milliseconds kRetryDelay{1};

bool isTransient(int64_t result) {
    return result == -EINTR || result == -EAGAIN || result == -EBUSY;
}

} // namespace

struct SwapQueue::Request {
    SwapTicket ticket = 0;
    bool write = false;
    int64_t slot = 0;
    std::byte* data = nullptr;
    int64_t bytes = 0;

    Request* nextInSlot = nullptr;
    Request* nextReady = nullptr;
    bool begun = false;
    bool cancelled = false; // before it began
    bool ended = false;
    int error = 0;

    int64_t done = 0; // bytes; the worker's alone, like the next
    int retries = 0;
};

SwapQueue::SwapQueue(std::unique_ptr<SwapRing> ring, const QueueLayout& layout)
    : m_layout(layout)
    , m_ring(std::move(ring))
    , m_slots(static_cast<size_t>(layout.pageCount)) {
    m_worker = startQuietThread([this] { work(); });
}

SwapQueue::~SwapQueue() {
    cancelAll();
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_ring->wake();
    m_worker.join();
}

SwapTicket SwapQueue::submit(bool write, int64_t slot, std::byte* data, int64_t bytes) {
    assert(slot >= 0 && slot < m_layout.pageCount);
    assert(bytes > 0 && bytes <= m_layout.pageBytes && bytes % kSwapAlignment == 0);
    assert(reinterpret_cast<uintptr_t>(data) % kSwapAlignment == 0);
    auto made = std::make_unique<Request>();
    Request& request = *made;
    request.write = write;
    request.slot = slot;
    request.data = data;
    request.bytes = bytes;
    const std::lock_guard lock(m_mutex);
    request.ticket = m_nextTicket;
    m_requests.emplace(request.ticket, std::move(made));
    ++m_nextTicket;
    Slot& place = m_slots[static_cast<size_t>(slot)];
    if (place.last != nullptr)
        place.last->nextInSlot = &request;
    else
        pushReady(request);
    place.last = &request;
    m_ring->wake();
    return request.ticket;
}

void SwapQueue::pushReady(Request& request) {
    if (m_lastReady != nullptr)
        m_lastReady->nextReady = &request;
    else
        m_firstReady = &request;
    m_lastReady = &request;
}

bool SwapQueue::finished(SwapTicket ticket) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_requests.find(ticket);
    assert(found != m_requests.end());
    return found->second->ended;
}

SwapEnd SwapQueue::wait(SwapTicket ticket) {
    std::unique_lock lock(m_mutex);
    const auto found = m_requests.find(ticket);
    assert(found != m_requests.end());
    const Request& request = *found->second;
    m_ended.wait(lock, [&request] { return request.ended; });
    const SwapEnd end{request.cancelled, request.error, request.write, request.slot};
    m_requests.erase(ticket);
    return end;
}

std::optional<SwapEnd> SwapQueue::waitOldest() {
    std::unique_lock lock(m_mutex);
    while (m_oldestTicket < m_nextTicket && !m_requests.contains(m_oldestTicket)) ++m_oldestTicket;
    if (m_oldestTicket == m_nextTicket) return std::nullopt;
    const SwapTicket ticket = m_oldestTicket;
    lock.unlock();
    return wait(ticket);
}

void SwapQueue::cancel(SwapTicket ticket) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_requests.find(ticket);
    assert(found != m_requests.end());
    Request& request = *found->second;
    if (!request.begun && !request.ended) request.cancelled = true;
}

void SwapQueue::cancelAll() {
    const std::lock_guard lock(m_mutex);
    for (const auto& [ticket, request] : m_requests)
        if (!request->begun && !request->ended) request->cancelled = true;
}

SwapCounters SwapQueue::counters() const {
    const std::lock_guard lock(m_mutex);
    return m_counters;
}

void SwapQueue::work() {
    std::array<SwapCompletion, 32> completions;
    while (startReady()) {
        const int count = m_ring->wait(completions);
        for (int i = 0; i < count; ++i) complete(completions[static_cast<size_t>(i)]);
    }
}

/// Gives the ring what is ready and fits. False: nothing is left, and nothing more will come.
bool SwapQueue::startReady() {
    std::unique_lock lock(m_mutex);
    while (m_firstReady != nullptr) {
        Request& request = *m_firstReady;
        const int refused = refusal(request);
        const bool begins = !request.cancelled && refused == 0;
        if (begins && m_inFlight == m_layout.depth) break;
        m_firstReady = request.nextReady;
        if (m_firstReady == nullptr) m_lastReady = nullptr;
        if (!begins) {
            endLocked(request, request.cancelled ? 0 : refused);
            continue;
        }
        request.begun = true;
        ++m_inFlight;
        lock.unlock();
        offer(request);
        lock.lock();
    }
    return !m_stopping || m_inFlight > 0;
}

int SwapQueue::refusal(const Request& request) const {
    using Content = Slot::Content;
    const Content content = m_slots[static_cast<size_t>(request.slot)].content;
    if (request.write || content == Content::Whole) return 0;
    return content == Content::Empty ? SwapEnd::kEmptySlot : SwapEnd::kLostSlot;
}

/// Gives the ring what is left of a request. No lock is held: the kernel may take its time.
void SwapQueue::offer(Request& request) {
    SwapTransfer transfer;
    transfer.write = request.write;
    transfer.data = request.data + request.done;
    transfer.bytes = std::min(request.bytes - request.done, m_layout.largestTransferBytes);
    transfer.offset = request.slot * m_layout.pageBytes + request.done;
    transfer.tag = reinterpret_cast<uintptr_t>(&request);
    for (; request.retries <= kMaxRetries; ++request.retries) {
        if (request.retries > kQuickRetries) std::this_thread::sleep_for(kRetryDelay);
        const int result = m_ring->submit(transfer);
        if (result == 0) return;
        if (!isTransient(result)) return end(request, -result);
    }
    end(request, EIO); // it never came to anything
}

void SwapQueue::complete(const SwapCompletion& completion) {
    Request& request = *reinterpret_cast<Request*>(completion.tag);
    const int64_t result = completion.result;
    if (result < 0 && !isTransient(result)) return end(request, static_cast<int>(-result));
    if (result == 0 && !request.write) return end(request, SwapEnd::kFileEnd);
    int64_t progress = std::max<int64_t>(result, 0);
    // Past the page cache, the rest must begin where a block begins; what was transferred of one is
    // transferred again.
    if (m_layout.direct && request.done + progress < request.bytes) progress -= progress % kSwapAlignment;
    request.done += progress;
    if (request.done == request.bytes) return end(request, 0);
    request.retries = progress > 0 ? 0 : request.retries + 1;
    offer(request);
}

void SwapQueue::end(Request& request, int error) {
    const std::lock_guard lock(m_mutex);
    --m_inFlight;
    (request.write ? m_counters.bytesWritten : m_counters.bytesRead) += request.done;
    endLocked(request, error);
}

void SwapQueue::endLocked(Request& request, int error) {
    Slot& place = m_slots[static_cast<size_t>(request.slot)];
    if (request.write)
        place.content = error == 0 && !request.cancelled ? Slot::Content::Whole : Slot::Content::Lost;
    if (request.nextInSlot != nullptr)
        pushReady(*request.nextInSlot);
    else
        place.last = nullptr;
    request.error = error;
    request.ended = true; // from here on the caller may take it away
    m_ended.notify_all();
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests on slots: their order, how many are in flight, what is tried again, how each ended.
// Owned by a SwapFile. One worker thread alone talks to the ring; it allocates nothing and never throws.
//
//            submit                 the slot's earlier ones ended        ring took it
//   (none) ---------> Blocked / Ready -----------------------> Ready ----------------> InFlight --> Ended
//                            | cancelled, or a read of a slot without content                         ^
//                            +-----------------------------------------------------------------------+
// An InFlight request goes to the ring again for what a short transfer left over and after EINTR and EAGAIN;
// without progress at most kMaxRetries times.
#pragma once

#include "core/base/swap/swap_device.h"
#include "core/base/swap/swap_file.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

struct QueueLayout {
    int64_t pageBytes = 0;
    int64_t pageCount = 0;
    int64_t largestTransferBytes = 0;
    int depth = 1;
    bool direct = false; ///< what a short transfer leaves over begins at a multiple of kSwapAlignment again
};

/// How a request ended. `error`: errno; kEmptySlot and kLostSlot are ours.
struct SwapEnd {
    static constexpr int kEmptySlot = -1; ///< nothing was ever written there
    static constexpr int kLostSlot = -2;  ///< its last write failed or was cancelled
    static constexpr int kFileEnd = -3;   ///< the file is shorter than it was
    bool cancelled = false;
    int error = 0;
    bool write = false;
    int64_t slot = 0;
};

class SwapQueue {
public:
    /// Errors: throws std::system_error where no thread can be made
    SwapQueue(std::unique_ptr<SwapRing> ring, const QueueLayout& layout);
    ~SwapQueue();
    SwapQueue(const SwapQueue&) = delete;
    SwapQueue& operator=(const SwapQueue&) = delete;

    /// @param data  only read when `write`. Errors: throws std::bad_alloc, and nothing was begun
    SwapTicket submit(bool write, int64_t slot, std::byte* data, int64_t bytes);
    [[nodiscard]] bool finished(SwapTicket ticket) const;
    SwapEnd wait(SwapTicket ticket);
    /// Waits for the oldest ticket; nothing when there is none.
    std::optional<SwapEnd> waitOldest();
    void cancel(SwapTicket ticket);
    void cancelAll();
    [[nodiscard]] SwapCounters counters() const;

private:
    struct Request;
    struct Slot {
        Request* last = nullptr; ///< the latest that has not ended
        enum class Content : uint8_t { Empty, Whole, Lost } content = Content::Empty;
    };

    void work();
    bool startReady();
    void offer(Request& request);
    void complete(const SwapCompletion& completion);
    void end(Request& request, int error);
    void endLocked(Request& request, int error);
    void pushReady(Request& request);
    [[nodiscard]] int refusal(const Request& request) const;

    const QueueLayout m_layout;
    std::unique_ptr<SwapRing> m_ring;

    mutable std::mutex m_mutex; // guards what follows, and the requests but for their progress
    std::condition_variable m_ended;
    std::unordered_map<SwapTicket, std::unique_ptr<Request>> m_requests;
    std::vector<Slot> m_slots;
    Request* m_firstReady = nullptr;
    Request* m_lastReady = nullptr;
    SwapTicket m_nextTicket = 1;
    SwapTicket m_oldestTicket = 1; // none below is known
    int m_inFlight = 0;
    bool m_stopping = false;
    SwapCounters m_counters;

    std::thread m_worker;
};

} // namespace homebooth::core

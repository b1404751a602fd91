// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The way back from the device: what backward makes goes over a link into a little RAM, where a thread of the
// lane's own uses it up while blocks go on computing.
//
//   send ---> parcels, on the device ---> link ---> | page | page |small|small|..| ---> use
//                                                     piece by piece, in the order of sending
//
// 1. A parcel is used in pieces of a page, the last one shorter; a piece is gone when its use returns. Pieces
//    lie behind each other in a ring and take what they have: most parameters of a model are small, and would
//    each keep a page from what is behind them.
// 2. After a use has thrown nothing is used any more: parcels are dropped until the error was reported.
// 3. One thread sends, waits and settles; uses run on the lane's thread, one at a time.
// Borrowed: the pages, and the links of what was sent. Free of Torch, so that it runs under the thread
// sanitizer.
#pragma once

#include "core/base/memory/link.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

namespace homebooth::core {

class ReturnLane {
public:
    /// @param offsetBytes  of the piece within its parcel, a multiple of the page
    using Use = std::function<void(std::span<const std::byte> piece, int64_t offsetBytes)>;

    struct Parcel {
        std::span<const std::byte> data;   ///< on the device, unchanged until it has left
        std::shared_ptr<const void> owner; ///< of the data; let go as soon as that has left
        Use use;
    };

    /// @param memory  at least one page long
    /// Errors: throws std::system_error where no thread can be made
    ReturnLane(std::span<std::byte> memory, int64_t pageBytes);
    /// Waits for what is on its way; drops the rest.
    ~ReturnLane();
    ReturnLane(const ReturnLane&) = delete;
    ReturnLane& operator=(const ReturnLane&) = delete;

    /// Returns at once, with the parcel's number, counted from 1; an empty one has that of the one before.
    /// Errors: throws what an earlier use threw, when what is under way is done with, or std::bad_alloc;
    /// nothing was sent then
    uint64_t send(Link& link, Parcel parcel);
    /// Whether this parcel and those before it were used up, or dropped.
    [[nodiscard]] bool isDone(uint64_t number) const;
    /// Returns when no more than `bytes` of what was sent are on the device; a parcel leaves as a whole.
    void waitUntilAtMost(int64_t bytes);
    /// Waits for the parcel that leaves next, if the last of it is on its way; used it need not be.
    /// @returns  false where none leaves before something was used, or nothing is here
    bool letOldestGo();
    /// Returns when everything was used up. Errors: throws what a use or a link threw first
    void settle();
    /// Drops what has not begun and waits for the rest; errors are forgotten.
    void discard() noexcept;

    /// Of what was sent, bytes that are on the device.
    [[nodiscard]] int64_t onDeviceBytes() const;
    /// How long the sender has stood still here.
    [[nodiscard]] double waitedSeconds() const;

private:
    struct Sent {
        Link* link;
        LinkMark made; ///< when the data was
        Parcel parcel;
    };
    /// Part of a parcel, in the memory or on its way there.
    struct Piece {
        std::shared_ptr<Sent> sent;
        int64_t place = 0;       ///< in the memory
        int64_t offsetBytes = 0; ///< in the parcel
        int64_t bytes = 0;
        LinkTicket ticket = 0;
        bool isLast = false; ///< of its parcel
    };

    void work();
    [[nodiscard]] bool isIdle() const { return m_waiting.empty() && m_underWay.empty(); }
    [[nodiscard]] std::optional<int64_t> placeFor(int64_t bytes) const;
    void startPieces() noexcept;
    void dropWaiting();
    void finishOldest(std::unique_lock<std::mutex>& lock);
    void letGo(Piece& piece, std::unique_lock<std::mutex>& lock);
    bool letOldestGo(std::unique_lock<std::mutex>& lock);
    void haveLeft(const Parcel& parcel) { m_onDeviceBytes -= static_cast<int64_t>(parcel.data.size()); }
    [[nodiscard]] std::shared_ptr<Sent> oldestEnding(LinkTicket& ticket) const;
    [[nodiscard]] Piece* endingOf(const std::shared_ptr<Sent>& sent);
    void throwFailure(std::unique_lock<std::mutex>& lock);

    const std::span<std::byte> m_memory;
    const int64_t m_pageBytes;

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<Sent>> m_waiting; // the first may be on its way in part
    int64_t m_startedBytes = 0;                  // of the first one
    std::deque<Piece> m_underWay;                // oldest first
    int64_t m_onDeviceBytes = 0;                 // of parcels that were sent and have not left
    uint64_t m_sent = 0;                         // parcels
    uint64_t m_done = 0;
    std::exception_ptr m_failure;
    double m_waitedSeconds = 0.0;
    bool m_stopping = false;

    std::thread m_thread; // last: it uses the others
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The update of streamed blocks on the device, beside backward: states, at home in RAM, come for it and go
// back with the parameters, a piece at a time through a few slots of device memory, while backward goes on.
//
//   to the device  | piece 2 | piece 3 | piece 4 |        links of their own
//   updating           | 1 |     | 2 |     | 3 |          a thread; on a GPU a stream of its own
//   to RAM               | piece 1 | piece 2 |
//
// Where a processor is slow beside its GPU this is what takes least; it moves more than gradients that go
// home (gradient_return.h). The numbers are the same: updates depend on no order and no place.
// Gradients of a block are one parcel (update_parcel.h): its thread hears of them when the last one was sent,
// another block's is, or somebody waits. A piece (update_pieces.h) may have elements of several parameters,
// since a copy that is asked for takes as long as some hundred kilobytes. A parameter need not come again:
// what backward has read is copied on the device, since its place there is promised to the next block, and
// updated in that copy. A gradient stays until its parameter is at home, copies until those of the block are.
// A link that pretends to be slow has its speed for these copies alone. In a rehearsal there is no thread:
// gradients stay for as long as they ever may. One thread reserves, sends, waits, settles and discards.
#pragma once

#include "core/engine/memory/tier_link.h"
#include "core/engine/optim/optimizer.h"
#include "core/engine/optim/update_parcel.h"
#include "core/engine/optim/update_pieces.h"

#include <ATen/ATen.h>
#include <c10/core/Stream.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace homebooth::core {

class DeviceUpdate {
public:
    /// Pieces on the device at a time: those that come and go beside the one that is updated.
    static constexpr size_t kSlots = 8;
    /// All slots together take one part in so many of what visits, at most.
    static constexpr int64_t kPartForSlots = 8;

    DeviceUpdate() = default;
    /// Waits for what is on its way; drops the rest.
    ~DeviceUpdate();
    DeviceUpdate(const DeviceUpdate&) = delete;
    DeviceUpdate& operator=(const DeviceUpdate&) = delete;

    /// What is on the device for another reason, and leaves it in another way. None of it: no functions.
    struct Others {
        std::function<int64_t()> bytes; ///< now; asked again and again, by one thread
        std::function<bool()> letOneGo; ///< by the thread that waits; false: none is about to go
    };

    /// Takes the device memory that the updates of these optimizers' blocks will want, or gives it back where
    /// none comes to the device any more. Between steps. Errors: throws c10::OutOfMemoryError
    void reserve(const std::vector<Optimizer*>& optimizers);

    /// Has the parameter of a block that `visitsDevice` updated, with those of its block that are sent next,
    /// behind blocks that were sent before. One without a master comes from its home only where its block did
    /// not compute when its first gradient was sent, or memory for a copy was refused. Over a link that
    /// blocks the last gradient of a block returns when all of them are done.
    /// @param gradient  on the device
    /// @returns         the number that `isDone` asks for
    /// Errors: throws what an earlier update threw, c10::Error
    uint64_t send(Optimizer& optimizer, ParameterId id, const at::Tensor& gradient);
    /// Whether this parameter, its block and those before it are at home, updated.
    [[nodiscard]] bool isDone(uint64_t number) const;
    /// Of gradients and parameters, what is on the device because of an update.
    [[nodiscard]] int64_t bytesOnDevice() const;
    /// Waits until that and what else is there are no more than `bytes` together, or that is nothing.
    void waitUntilAtMost(int64_t bytes, const Others& others = {});
    /// Waits until everything is at home. Errors: throws what an update threw first
    void settle();
    /// Drops what has not begun; errors are forgotten.
    void discard() noexcept;

    /// How long waiting for room and settling took because the thread was not done.
    [[nodiscard]] double waitedSeconds() const;
    /// Of that, settling.
    [[nodiscard]] double tailSeconds() const { return m_tailSeconds; }
    /// How often memory was refused for a copy of a block's parameters, which then came from their home.
    [[nodiscard]] int64_t refusedCopies() const { return m_refusedCopies; }
    /// Copies over the link that the update of a block takes; 0 where nothing was reserved for it.
    [[nodiscard]] int64_t copiesOf(const Optimizer& optimizer, int block) const {
        const auto found = m_pieces.find(&optimizer);
        return found != m_pieces.end() ? found->second.copiesOf(block) : 0;
    }

private:
    /// A piece of a parcel in a slot.
    struct Piece {
        std::shared_ptr<UpdateParcel> parcel;
        UpdatePiece stretches;
        bool isFirst = false; // of its parcel
        bool isLast = false;
        LandedPiece landed;
        LinkTicket arrives = 0;
        LinkTicket leaves = 0;
    };

    void takeSlots(ParameterStore& store, int64_t bytes);
    void open(const LinkSpeed& link);
    void close() noexcept;
    [[nodiscard]] int64_t leaveRehearsed();
    void beginParcel(Optimizer& optimizer, int block);
    void publish();
    void countTraffic();
    // Under the mutex:
    [[nodiscard]] bool idle() const { return m_waiting.empty() && m_underWay == 0; }
    void dropWaiting();
    [[nodiscard]] std::optional<Piece> nextPiece();
    // On the thread:
    void work();
    void advance(std::optional<Piece> next);
    [[nodiscard]] size_t slotBehind(size_t pieces) const { return (m_oldest + pieces) % kSlots; }
    void begin(size_t slot);
    void update(Piece& piece);
    void carry(Link& link, LinkMark after, const LandedPiece::Copies& copies, LinkTicket& last);
    void finishOldest();
    void waitForPiece(const Piece& piece);
    [[nodiscard]] bool failed() const;
    template <class Work>
    void attempt(const Work& work);
    void fail(std::exception_ptr failure);

    at::Tensor m_slots; // uint8 [kSlots times m_slotBytes]
    int64_t m_slotBytes = 0;
    std::optional<c10::Stream> m_stream; // of a GPU
    std::unique_ptr<Link> m_toDevice;
    std::unique_ptr<Link> m_toHost;
    LinkTraffic m_counted;               // of both
    std::atomic<int64_t> m_gapBytes = 0; // of both, which a rehearsal does not know and nobody counts
    ParameterStore* m_store = nullptr;   // which that is counted with: the first one of those that visit
    std::map<const Optimizer*, UpdatePieces> m_pieces;
    std::shared_ptr<UpdateParcel> m_open; // gradients are added to it, and the thread knows nothing of it
    uint64_t m_opened = 0;                // parcels
    std::deque<std::shared_ptr<UpdateParcel>> m_rehearsed;
    bool m_copyRefused = false; // since everything was at home
    int64_t m_refusedCopies = 0;
    double m_tailSeconds = 0.0;

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<UpdateParcel>> m_waiting; // the first may have begun
    size_t m_underWay = 0;                               // pieces
    int64_t m_onDeviceBytes = 0;                         // of parcels
    uint64_t m_sent = 0;                                 // the number of the last parcel
    uint64_t m_done = 0;                                 // likewise
    std::exception_ptr m_failure;
    double m_waitedSeconds = 0.0;
    bool m_stopping = false;

    // The thread's: by slot, in a ring, those that leave and behind them those that arrive. Of a fixed size,
    // so that a failure for want of memory finds all of them.
    std::array<Piece, kSlots> m_inSlots;
    size_t m_oldest = 0;
    size_t m_leaving = 0;
    size_t m_arriving = 0;

    std::thread m_thread; // last: it uses the others
};

} // namespace homebooth::core

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
// A parameter need not come again: what backward has read is copied on the device, since its place there
// is promised to the next block, and updated in that copy. Gradient and copy stay until the parameter is at
// home. A link that pretends to be slow has its speed for these copies alone. In a rehearsal there is no
// thread: gradients stay for as long as they ever may. One thread reserves, sends, settles and discards.
#pragma once

#include "core/engine/memory/tier_link.h"
#include "core/engine/optim/optimizer.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace homebooth::core {

class DeviceUpdate {
public:
    /// Large enough that a link's latency does not count; a multiple of Optimizer::kRangeUnit.
    static constexpr int64_t kPieceElements = int64_t{1} << 20;
    static constexpr size_t kSlots = 4;

    DeviceUpdate() = default;
    /// Waits for what is on its way; drops the rest.
    ~DeviceUpdate();
    DeviceUpdate(const DeviceUpdate&) = delete;
    DeviceUpdate& operator=(const DeviceUpdate&) = delete;

    /// Takes the device memory that the updates of these optimizers' blocks will want, or gives it back where
    /// none comes to the device any more. Between steps. Errors: throws c10::OutOfMemoryError
    void reserve(const std::vector<Optimizer*>& optimizers);

    /// Has the parameter of a block that `visitsDevice` updated, behind those that were sent before. One
    /// without a master comes from its home only where its block does not compute or memory for a copy was
    /// refused. Over a link that blocks it returns when that is done.
    /// @param gradient  on the device
    /// @returns         the number that `isDone` asks for
    /// Errors: throws what an earlier update threw, c10::Error
    uint64_t send(Optimizer& optimizer, ParameterId id, const at::Tensor& gradient);
    /// Whether this parameter and those before it are at home, updated.
    [[nodiscard]] bool isDone(uint64_t number) const;
    /// Waits until no more than `bytes` of gradients and parameters are on the device because of an update.
    void waitUntilAtMost(int64_t bytes);
    /// Waits until everything is at home. Errors: throws what an update threw first
    void settle();
    /// Drops what has not begun; errors are forgotten.
    void discard() noexcept;

    /// How long waiting for room and settling took because the thread was not done.
    [[nodiscard]] double waitedSeconds() const;
    /// Of that, settling.
    [[nodiscard]] double tailSeconds() const { return m_tailSeconds; }
    /// How often memory was refused for a copy of a parameter, which then came from its home.
    [[nodiscard]] int64_t refusedCopies() const { return m_refusedCopies; }
    /// Copies over the link that an update takes.
    /// @param tensors  that come and that go
    [[nodiscard]] static int64_t copiesOf(int64_t elements, int64_t tensors) {
        return tensors * ((elements + kPieceElements - 1) / kPieceElements);
    }

private:
    /// A parameter that waits for its update or is in the middle of it.
    struct Parcel {
        Optimizer* optimizer = nullptr;
        ParameterId id;
        at::Tensor gradient;            // flat, in the parameter's memory order
        at::Tensor parameter;           // a copy, as flat; undefined: it is only written, or comes from home
        std::optional<c10::Event> made; // when it was, on a GPU
        int64_t begun = 0;              // elements

        [[nodiscard]] int64_t bytesOnDevice() const {
            return static_cast<int64_t>(gradient.nbytes() + (parameter.defined() ? parameter.nbytes() : 0));
        }
        void leave() {
            gradient.reset();
            parameter.reset();
        }
    };
    /// Elements of it in a slot.
    struct Piece {
        std::shared_ptr<Parcel> parcel;
        int64_t begin = 0;
        int64_t count = 0;
        bool isLast = false;
        std::vector<at::Tensor> own;    // at home
        std::vector<at::Tensor> copies; // in the slot; of the parameter perhaps in its parcel
        LinkTicket arrives = 0;
        LinkTicket leaves = 0;
    };

    void open(const LinkSpeed& link);
    void close() noexcept;
    void leaveRehearsed();
    [[nodiscard]] at::Tensor copyOnDevice(const Optimizer& optimizer, ParameterId id);
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
    LinkTraffic m_counted;             // of both
    ParameterStore* m_store = nullptr; // which that is counted with: the first one of those that visit
    std::deque<std::shared_ptr<Parcel>> m_rehearsed;
    bool m_copyRefused = false; // since everything was at home
    int64_t m_refusedCopies = 0;
    double m_tailSeconds = 0.0;

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<Parcel>> m_waiting; // the first may have begun
    size_t m_underWay = 0;                         // pieces
    int64_t m_onDeviceBytes = 0;                   // of parcels
    uint64_t m_sent = 0;
    uint64_t m_done = 0;
    std::exception_ptr m_failure;
    double m_waitedSeconds = 0.0;
    bool m_stopping = false;

    // The thread's: by slot, in a ring, those that leave and behind them those that arrive. Of a fixed size,
    // so that a failure for want of memory finds all of them.
    std::array<Piece, kSlots> m_pieces;
    size_t m_oldest = 0;
    size_t m_leaving = 0;
    size_t m_arriving = 0;

    std::thread m_thread; // last: it uses the others
};

} // namespace homebooth::core

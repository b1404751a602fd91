// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The way of gradients from the device to RAM, where the parameters of streamed stores lie, and the thread
// that uses them there while backward goes on with the next block.
//   on the device   of the blocks that have computed no more than the one that computes next has room for
//                   (waitUntilAtMost)
//   in RAM          a few pages; larger gradients pass through them in pieces
// In a rehearsal there is no thread: gradients stay on the device for as long as they ever may.
// One thread sends, settles and discards; uses run on another one.
#pragma once

#include "core/base/memory/return_lane.h"
#include "core/engine/memory/parameter_store.h"

#include <ATen/ATen.h>

#include <deque>
#include <functional>
#include <memory>

namespace homebooth::core {

class GradientReturn {
public:
    /// Elements of a gradient from `begin` on, in its parameter's memory order.
    /// Shapes: piece [n], in RAM, until the use returns
    using Use = std::function<void(const at::Tensor& piece, int64_t begin)>;

    /// Pages in RAM, for gradients under way.
    struct Landing {
        int64_t pageBytes = 0;
        int64_t pages = 0;
        [[nodiscard]] int64_t bytes() const { return pageBytes * pages; }
    };
    /// So large that a link's latency does not count. Where the processor computes backward, one thread
    /// updates beside it, and a page lies in its cache. Beside a GPU most threads update, and each has
    /// work for longer than it takes to wake it; the next pages arrive meanwhile.
    [[nodiscard]] static constexpr Landing landing(bool besideGpu) {
        return besideGpu ? Landing{int64_t{8} << 20, 6} : Landing{int64_t{1} << 20, 8};
    }

    GradientReturn() = default;
    GradientReturn(const GradientReturn&) = delete;
    GradientReturn& operator=(const GradientReturn&) = delete;

    /// Takes the pages and makes the thread; else the first gradient does.
    /// Errors: throws c10::OutOfMemoryError, std::system_error
    void reserve(at::Device device);

    /// Lets a gradient go home, behind those that were sent before.
    /// Over a link that blocks it returns when the gradient was used.
    /// @param store  streamed
    /// @returns      the number that `isDone` asks for
    /// Errors: throws what an earlier use threw, c10::Error, std::system_error
    uint64_t send(ParameterStore& store, ParameterId id, const at::Tensor& gradient, Use use);
    /// The same for what is to be used of a gradient; pieces count from its beginning.
    /// Shapes: flat [n], in its parameter's memory order
    uint64_t sendFlat(ParameterStore& store, const at::Tensor& flat, Use use);
    /// Whether this gradient and those before it were used.
    [[nodiscard]] bool isDone(uint64_t number) const { return !m_lane || m_lane->isDone(number); }
    /// Of gradients, what is on the device because of its way home.
    [[nodiscard]] int64_t bytesOnDevice() const;
    /// Waits until that is no more than `bytes`; not above 0: until it is nothing.
    void waitUntilAtMost(int64_t bytes);
    /// As ReturnLane has it; of a rehearsal none goes.
    bool letOldestGo() { return m_lane && m_lane->letOldestGo(); }
    /// Waits until everything was used. Errors: throws what a use threw first
    void settle();
    /// Drops what has not begun; errors are forgotten.
    void discard() noexcept;

    /// How long sending and settling took because the thread was not done.
    [[nodiscard]] double waitedSeconds() const { return m_lane ? m_lane->waitedSeconds() : 0.0; }

private:
    struct Rehearsed {
        at::Tensor gradient; // flat, in its parameter's order
        Link* link;
        Use use;
    };
    at::Tensor m_pages; // uint8, in RAM
    std::deque<Rehearsed> m_rehearsed;
    std::unique_ptr<ReturnLane> m_lane; // last: it uses the pages
};

} // namespace homebooth::core

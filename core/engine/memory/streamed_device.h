// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The device's part of blocks whose home is RAM: an arena into which each block's chunks are streamed ahead
// of its use. Here they are only read: updates change what is at home. Gradients leave by a link of their
// own, so that both directions are used at a time, as a bus allows. Owns arena and links; borrows views and
// home. One thread; the link back may have another one.
#pragma once

#include "core/base/memory/chunk_stream.h"
#include "core/base/swap/swapped_memory.h"
#include "core/engine/memory/parameter_views.h"

#include <map>
#include <memory>
#include <vector>

namespace homebooth::core {

/// How parameters are streamed.
struct StreamingOptions {
    int64_t deviceBytes = 0;  ///< of the arena, at most; 0: as little as prefetching needs
    int prefetchDistance = 2; ///< uses between asking for a block and computing with it
    bool homeOnDisk = false;  ///< parameters are at home on the disk; in RAM is only what is on its way
    /// Blocks come as soon as there is room in an arena for that distance, also for the next pass. Right
    /// where nothing else has to come over the link in time; has no effect on a home on the disk.
    bool asSoonAsPossible = false;
    /// Optimizer states, at home in RAM, come to the device for their update and go back with the parameters;
    /// else gradients leave it, and the processor updates at home. Of updates inside backward alone.
    bool updatesOnDevice = false;
    /// By block: its gradients leave the device all the same, so that link and processor share the work;
    /// blocks that are not named do as the others.
    std::vector<bool> updatedAtHome = {};

    [[nodiscard]] bool updates(int block) const {
        const auto index = static_cast<size_t>(block);
        return updatesOnDevice && !(index < updatedAtHome.size() && updatedAtHome[index]);
    }
    friend bool operator==(const StreamingOptions&, const StreamingOptions&) = default;
};

class StreamedDevice {
public:
    /// Blocks by number.
    struct Blocks {
        std::vector<Chunk> chunks;         ///< of all of them
        std::vector<const uint8_t*> homes; ///< where they lie in RAM; null: not to be streamed
        std::vector<bool> writable;        ///< parameters are updated at home between passes
    };

    /// @param link  how slow the link to a device that is host memory pretends to be
    /// @param swap  which homes belong to; null: they are always in memory
    StreamedDevice(const ParameterViews& views, Blocks blocks, at::Device device, StreamingOptions options,
                   LinkSpeed link, SwappedMemory* swap);

    /// Starts a pass over blocks in this order; plans it when the order is new.
    /// Errors: throws c10::OutOfMemoryError when the budget is too small for the largest block
    void beginPass(const std::vector<int>& order);
    [[nodiscard]] const std::vector<at::Tensor>& acquire(int block);
    void release(int block) { m_stream.release(block); }
    /// A parameter of a block between `acquire` and `release`; else undefined.
    [[nodiscard]] at::Tensor copyInUse(int block, int index) const;
    void endPass() { m_stream.endPass(); }
    /// As ChunkStream has them.
    void fetchForNextPass(IsFinal isFinal) { m_stream.fetchForNextPass(std::move(isFinal)); }
    void forgetNextPass() noexcept { m_stream.forgetNextPass(); }

    [[nodiscard]] const std::vector<Chunk>& chunks() const { return m_stream.chunks(); }
    [[nodiscard]] const ResidencyPlan& plan() const { return m_stream.plan(); }
    [[nodiscard]] int64_t arenaBytes() const { return m_arena.defined() ? m_arena.numel() : 0; }
    /// Of both directions; waiting is the thread's that computes.
    [[nodiscard]] LinkTraffic traffic() const;
    /// From RAM to the device.
    [[nodiscard]] Link& fetchLink() { return *m_link; }
    /// From the device to RAM.
    [[nodiscard]] Link& returnLink() { return *m_returnLink; }

private:
    [[nodiscard]] ResidencyPlan planFor(const std::vector<int>& order) const;
    void adopt(const std::vector<int>& order);

    const ParameterViews& m_views;
    std::vector<int64_t> m_paddedBytes; // by block
    std::vector<bool> m_writable;
    at::Device m_device;
    StreamingOptions m_options;
    std::map<std::vector<int>, ResidencyPlan> m_plans;      // by order: training and sampling have their own
    std::vector<int> m_order;                               // of the plan in use
    at::Tensor m_arena;                                     // uint8 [bytes]
    using Views = std::vector<at::Tensor>;                  // by parameter
    std::vector<std::map<const uint8_t*, Views>> m_viewsAt; // by block and where it begins: stays differ
    std::vector<const Views*> m_current;                    // by block; null: it was never there
    std::unique_ptr<LinkSource> m_source;                   // of the link, where the home is on a disk
    std::unique_ptr<Link> m_link;
    std::unique_ptr<Link> m_returnLink;
    ChunkStream m_stream; // last: it waits for the link
};

} // namespace homebooth::core

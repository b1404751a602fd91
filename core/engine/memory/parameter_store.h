// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the parameters of a network live: chunks (equal fixed pages) in execution order.
//
//   block 0              block 1              block 2
//   |p0 |p1     |p2|pad| |p0   |p1 |   pad  | |p0 ...    parameters, each aligned to 64 bytes
//   |chunk 0 |chunk 1  | |chunk 2  |chunk 3 | |chunk 4   chunks of one size; padding ends a block's last one
//
// A block owns consecutive chunks with adjacent addresses, so a tensor may span them. All chunks of a store
// have the same size; `usedBytes` says how much of one would move. On the CPU nobody touches padding, so it
// takes addresses and no memory.
//
// Two placements, block by block:
//   resident  the home of its chunks is the device
//   streamed  their home is RAM, or a disk; StreamedDevice brings them to the device for each use
// Homes may be spread over the ranks of a job: a block is whole from `acquire` to `release` alone, and of
// what `parameter` names only this rank's part is there at any other time. Streamed blocks then need no
// arena: each is put together on the device for its use, of the part that lies in RAM and those of the
// others, and on a GPU so is every block. `parameter` is always the one at home: what loads, saves and
// updates does it there, under a `hold` where the home is a disk. `place` gives blocks other homes between
// passes. One thread (the executor's), but for `parameter`, `put` and `hold`.
#pragma once

#include "core/base/schedule/schedule.h"
#include "core/engine/memory/block_spread.h"
#include "core/engine/memory/disk_tier.h"
#include "core/engine/memory/parameter_views.h"
#include "core/engine/memory/streamed_device.h"
#include "core/engine/memory/tier_meter.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// Names one parameter: block and index within it.
struct ParameterId {
    int block = -1;
    int index = -1;
    friend bool operator==(const ParameterId&, const ParameterId&) = default;
};

class ParameterStore {
public:
    struct Options {
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        int64_t chunkBytes = 0;                                   ///< 0: searched (chunk_bytes.h)
        std::optional<StreamingOptions> streaming = std::nullopt; ///< none: every block is resident
        std::vector<bool> resident = {}; ///< by block: it is all the same; those not named are streamed
        bool changes = false;            ///< contents may change at home between passes though nothing learns
        LinkSpeed link = {};             ///< how slow the way to a device that is host memory pretends to be
        DiskPlace disk = {};             ///< of a home on a disk
        std::shared_ptr<BlockSpread> spread = nullptr; ///< of homes that are spread over ranks
        bool startsWhole = false; ///< all of them is here until `becomeSpread`: this rank computes alone
    };

    /// Lays out and allocates the parameters of `schedule`, whose lifetime must exceed the store's.
    /// Contents are undefined until they are filled through `parameter`; spread ones through `put`.
    /// Errors: throws ExpectedFailure when the home shall be a disk that is too small or fails
    ParameterStore(const Schedule& schedule, Options options);
    ~ParameterStore() = default;
    ParameterStore(const ParameterStore&) = delete;
    ParameterStore& operator=(const ParameterStore&) = delete;

    /// Gives blocks the homes that these options say, as in Options; contents move along. Not within a pass.
    /// Tensors of `parameter` hold on to old homes. A home on a disk is one that the store was made with.
    /// Errors: throws c10::OutOfMemoryError when a home is refused, ExpectedFailure when the disk failed;
    ///         blocks that have moved are then where they should be, the others where they were
    void place(std::optional<StreamingOptions> streaming, std::vector<bool> resident);

    /// Says which blocks will be acquired, in which order, up to the next call. Resident ones do not
    /// mind. Errors: throws c10::OutOfMemoryError when a streamed block does not fit into the device's arena
    void beginPass(const std::vector<int>& order);
    /// Nothing is acquired any more until the next pass: parameters may be changed at home, after
    /// `forgetNextPass` where any may have come for it.
    void endPass() {
        if (m_streamed) m_streamed->endPass();
    }
    /// Lets streamed blocks come for the next pass before one has ended, where their contents at home are
    /// final by then. Whoever changes them between passes all the same, under a `hold` or not, calls
    /// `forgetNextPass` first, once and from the executor's thread.
    void fetchForNextPass(IsFinal isFinal);
    void forgetNextPass() const noexcept {
        if (m_streamed) m_streamed->forgetNextPass();
    }
    /// The parameters of a block on the device, in order, while the block computes. Asserts the chunks'
    /// states.
    [[nodiscard]] const std::vector<at::Tensor>& acquire(int block);
    void release(int block);
    /// The copy of a streamed parameter that its block computes with, from `acquire` to `release`; undefined
    /// where it does not, and of spread homes.
    [[nodiscard]] at::Tensor copyInUse(ParameterId id) const;

    /// A view of one parameter at home, for loading, saving and the optimizer; valid until the store dies.
    /// Its contents may be touched under a `hold` only.
    [[nodiscard]] at::Tensor parameter(ParameterId id) const;
    /// Keeps a parameter's contents in memory for a scope; nothing to do unless the home is a disk. Of spread
    /// ones there is no whole to keep: `put` holds what it changes, others hold this rank's part.
    /// Errors: throws ExpectedFailure when the disk failed
    [[nodiscard]] std::optional<SwapHold> hold(ParameterId id, bool changes) const;
    /// The same for an alias of part of a parameter.
    [[nodiscard]] std::optional<SwapHold> holdPart(const at::Tensor& part, bool changes) const;
    /// Whether homes are spread over ranks.
    [[nodiscard]] bool isSpread() const { return m_options.spread != nullptr; }
    /// Takes contents over: all of them, or this rank's part. Several threads may do so for different
    /// parameters. @param whole  of the parameter's shape, type and memory order
    void put(ParameterId id, const at::Tensor& whole) const;
    /// Gives back what other ranks have, where all of it was here and no rank was asked for anything.
    void becomeSpread();
    /// What comes to the device at a use of a streamed block, from its home.
    [[nodiscard]] int64_t fetchBytes(int block) const;
    /// Which the homes of streamed blocks belong to; null: they are always in memory.
    [[nodiscard]] SwappedMemory* swap() const { return m_swap.get(); }
    /// The same for one parameter's home.
    [[nodiscard]] SwappedMemory* swapOf(ParameterId id) const {
        return streams(id.block) && !m_isWhole ? m_swap.get() : nullptr;
    }
    /// Bytes of homes on a disk.
    [[nodiscard]] int64_t swappedBytes() const { return homeOnDisk() ? streamedBytes() : 0; }
    /// Looks a parameter up by its full key; {-1, -1} if there is none.
    [[nodiscard]] ParameterId find(const std::string& name) const;
    [[nodiscard]] const ParameterSpec& spec(ParameterId id) const;

    [[nodiscard]] const Schedule& schedule() const { return *m_schedule; }
    [[nodiscard]] const Options& options() const { return m_options; }
    /// Their states are those of streamed blocks as soon as any may be.
    [[nodiscard]] const std::vector<Chunk>& chunks() const {
        return m_streamed ? m_streamed->chunks() : m_chunks;
    }
    [[nodiscard]] int64_t chunkBytes() const { return m_options.chunkBytes; }
    /// Of a block in whole chunks.
    [[nodiscard]] int64_t paddedBytes(int block) const {
        return m_blockChunks.at(block).second * m_options.chunkBytes;
    }
    /// Device memory of the chunks that are or may be there, padding included.
    [[nodiscard]] int64_t residentBytes() const;
    /// Of the blocks whose home is not the device, padding included.
    [[nodiscard]] int64_t streamedBytes() const;
    /// Where a block's parameters and their optimizer states are at home.
    [[nodiscard]] Tier homeTier(int block) const { return streams(block) ? Tier::Ram : Tier::Device; }
    /// Whether a block's home is not the device.
    [[nodiscard]] bool streams(int block) const { return !m_resident.at(block); }
    /// Whether its states come to the device for their update.
    [[nodiscard]] bool updatesOnDevice(int block) const {
        return streams(block) && m_options.streaming && m_options.streaming->updates(block);
    }
    /// Whether any may be, so that there are ways between RAM and the device.
    [[nodiscard]] bool streams() const { return m_streamed != nullptr; }
    /// Blocks as `beginPass` last heard of them.
    [[nodiscard]] const std::vector<int>& passOrder() const { return m_passOrder; }
    /// Of the streamed ones in that order; empty for a resident store.
    [[nodiscard]] ResidencyPlan residency() const {
        return m_streamed ? m_streamed->plan() : ResidencyPlan{};
    }
    /// The ways between RAM and the device of a streamed store; they assert that it is one.
    [[nodiscard]] Link& fetchLink() {
        TORCH_CHECK(m_streamed, "nothing comes to the device of a resident store");
        return m_streamed->fetchLink();
    }
    [[nodiscard]] Link& returnLink() {
        TORCH_CHECK(m_streamed, "gradients of a resident store stay where they are");
        return m_streamed->returnLink();
    }
    /// What went over the link up to now, in both directions; nothing for a resident store.
    [[nodiscard]] LinkTraffic traffic() const;
    /// Of that, what went over the store's own links.
    [[nodiscard]] LinkTraffic streamTraffic() const;
    /// Counts what went between RAM and the device by another way than the store's own links.
    void addTraffic(const LinkTraffic& other);

private:
    /// A spread block that is on the device as a whole, while its home is not.
    struct Visit {
        at::Tensor memory; // uint8 [bytes]; undefined: it is not
        std::vector<at::Tensor> parameters;
    };

    [[nodiscard]] bool homeOnDisk() const { return m_swap != nullptr || m_rehearsedWindow.defined(); }
    /// Whether a block comes to the device by way of the arena.
    [[nodiscard]] bool usesArena(int block) const { return streams(block) && !isSpread(); }
    /// Whether a spread block is put together beside its home for each use.
    [[nodiscard]] bool visits(int block) const {
        return streams(block) || !(m_isWhole || m_options.spread->gathersAtHome());
    }
    const std::vector<at::Tensor>& acquireSpread(int block);
    void askFor(int block);
    const std::vector<at::Tensor>& visit(int block);
    void releaseSpread(int block);
    void forgetVisits();
    [[nodiscard]] bool shouldBeResident(int block) const;
    void openDisk();
    [[nodiscard]] std::vector<int64_t> partsOnDisk() const;
    [[nodiscard]] at::Tensor newHome(int block, bool resident) const;
    void makeStream();
    void moveHome(int block);
    void copyHome(int block, bool resident);
    [[nodiscard]] bool isOnDisk(const at::Tensor& part) const;
    void findParameters();
    void setState(int block, ChunkState from, ChunkState to);
    /// The block that will be acquired next in this pass; -1: none, or that is not known.
    [[nodiscard]] int nextInPass() const {
        return m_passAt < m_passOrder.size() ? m_passOrder[m_passAt] : -1;
    }

    const Schedule* m_schedule;
    Options m_options;
    ParameterViews m_layout;
    std::unique_ptr<SwappedMemory> m_swap; // of homes on a disk, all blocks in one row
    at::Tensor m_rehearsedWindow;          // stands for what of that is in memory, in a rehearsal
    std::vector<at::Tensor> m_homes;       // by block, uint8 [bytes]; its views share it; of no spread one
    std::vector<bool> m_resident;          // by block
    std::vector<Chunk> m_chunks;
    std::vector<std::pair<int, int>> m_blockChunks; // first chunk, count
    std::vector<std::vector<at::Tensor>> m_views;   // [block][parameter], at home, in the file's shape
    std::unordered_map<std::string, ParameterId> m_byName;
    std::vector<int> m_passOrder;
    size_t m_passAt = 0;          // acquired so far
    bool m_isWhole = false;       // all of spread homes is here
    int m_askedFor = -1;          // of spread blocks, and not used yet
    std::vector<Visit> m_visits;  // by block
    int64_t m_visitBytes = 0;     // of streamed ones, now
    int64_t m_mostVisitBytes = 0; // at a time
    LinkTraffic m_trafficBefore;  // of links that are no more, and of visits whose time is known
    LinkTraffic m_otherTraffic;   // of links of others, and of visits without a known time
    IsFinal m_isFinal;
    std::unique_ptr<StreamedDevice> m_streamed; // last: it reads the others
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Spread homes of a rank that computes on a GPU, whose memory gives no pages back, or that has its part on a
// disk, where nothing is set aside for what others have: this rank's part of a block lies in memory of its
// own, one piece behind the other, on the GPU, in RAM or on that disk.
//
//   parameter   |.......|own part|..........|    shape and addresses of the whole, which are valid within the
//   memory           ...|own part|own part of the next|...                                    own part alone
//
// So whoever loads, updates and saves finds ordinary tensors here, too, of which it touches the own part, as
// with pages. A block has other tensors after it moved or gave back what is not this rank's. It never is
// whole at home, but while this rank computes alone: for its use it is put together on the device. To map and
// unmap pages of the GPU was considered (cuMemMap): they have 2 MiB, most blocks' parts a few of them. In a
// rehearsal (the meta device) there are no addresses, and memory is counted as LibTorch allocates it. Borrows
// the ranks; homes live as long as their tensors. One thread, but for `put`.
#pragma once

#include "core/engine/parallel/spread_exchange.h"

#include <memory>

namespace homebooth::core {

class PackedHomes final : public SpreadExchange {
public:
    /// @param device  that computes
    PackedHomes(const Ranks& ranks, const Schedule& schedule, at::Device device);

    void useDisk(SwappedMemory* disk, std::vector<int64_t> begins) override;
    [[nodiscard]] at::Tensor home(int block, int64_t bytes, Tier tier) override;
    void moveTo(int block, Tier tier, std::vector<at::Tensor>& parameters) override;
    [[nodiscard]] bool gathersAtHome() const override { return false; }
    void gather(int block, const std::vector<at::Tensor>& parameters) override;
    void drop(int block, std::vector<at::Tensor>& parameters) override;
    [[nodiscard]] int64_t heldBytes(Tier tier) const override;
    [[nodiscard]] int64_t heldBytesOf(int block) const override { return m_homes.at(block).heldBytes; }

private:
    struct Home {
        Tier tier = Tier::Device;
        bool isWhole = true;
        int64_t heldBytes = 0;
    };

    [[nodiscard]] bool isWhole(int block) const override { return m_homes.at(block).isWhole; }
    [[nodiscard]] std::optional<SwapHold> holdOwn(const at::Tensor& part, bool changes) const override;
    [[nodiscard]] at::Tensor newMemory(int64_t bytes, Tier tier) const;
    [[nodiscard]] at::Tensor placeOnDisk(int block, int64_t bytes) const;
    void settle(int block, const Home& home, std::vector<at::Tensor>& parameters);

    std::vector<Home> m_homes;         // by block
    SwappedMemory* m_disk = nullptr;   // of parts whose tier is RAM; null in a rehearsal, too
    std::vector<int64_t> m_diskBegins; // by block; empty: nothing lies there
};

/// Homes that suit the device that computes, or that a rehearsal stands for.
/// @param onDisk  parts whose home is not that device will lie on a disk
[[nodiscard]] std::shared_ptr<BlockSpread> spreadFor(const Ranks& ranks, const Schedule& schedule,
                                                     at::Device device, bool onDisk = false);

} // namespace homebooth::core

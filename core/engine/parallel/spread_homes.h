// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Homes in host memory of which a rank keeps the pages that hold its own part: of what learns the elements
// that it updates, of the rest as many. Gathering is one all-gather of each. In a rehearsal (the meta device)
// homes have no addresses, and tensors that stand for their memory are counted instead.
// Where host memory stands for the device, homes of both tiers are alike and only count in another one.
// Owns the homes; borrows the ranks. One thread, but for `put`.
#pragma once

#include "core/engine/memory/block_spread.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"

#include <optional>

namespace homebooth::core {

class SpreadHomes final : public BlockSpread {
public:
    SpreadHomes(const Ranks& ranks, const Schedule& schedule, at::Device device = at::kCPU);
    ~SpreadHomes() override;
    SpreadHomes(const SpreadHomes&) = delete;
    SpreadHomes& operator=(const SpreadHomes&) = delete;

    [[nodiscard]] at::Tensor home(int block, int64_t bytes, Tier tier) override;
    void moveTo(int block, Tier tier) override;
    void put(int block, int index, const at::Tensor& parameter, const at::Tensor& whole) const override;
    void ask(int block, const std::vector<at::Tensor>& parameters) override;
    void gather(int block, const std::vector<at::Tensor>& parameters) override;
    void gatherInto(int block, const std::vector<at::Tensor>& parameters,
                    const std::vector<at::Tensor>& whole) override;
    void forget() override { m_asked.reset(); } // a collective keeps its tensors until it is done
    void drop(int block, const std::vector<at::Tensor>& parameters) override;
    [[nodiscard]] int64_t heldBytes(Tier tier) const override;
    [[nodiscard]] int64_t heldBytesOf(int block) const override { return m_homes.at(block).heldBytes; }

private:
    struct Home {
        at::Tensor memory;
        at::Tensor standIn; ///< for what is held of it, in a rehearsal
        Tier tier = Tier::Device;
        bool isWhole = true;
        int64_t heldBytes = 0;
    };
    /// What is on its way of one layout.
    struct Parcel {
        const ShardLayout* layout = nullptr;
        at::Tensor whole; // [ranks * slice]
        CollectiveTicket ticket = 0;
    };
    struct Asked {
        int block = -1;
        std::vector<Parcel> parcels;
    };

    [[nodiscard]] Parcel send(const ShardLayout& layout, int block,
                              const std::vector<at::Tensor>& parameters) const;
    [[nodiscard]] std::vector<Parcel> takeAsked(int block, const std::vector<at::Tensor>& parameters);
    /// @param ownToo  what is this rank's is not there, either
    void take(const Parcel& parcel, int block, const std::vector<at::Tensor>& targets, bool ownToo) const;
    [[nodiscard]] std::vector<bool> ownPages(int block, const std::vector<at::Tensor>& parameters) const;
    void hold(Home& home, int64_t bytes) const;

    const Ranks& m_ranks;
    at::Device m_device;
    ShardLayout m_trained;
    ShardLayout m_frozen;
    std::vector<Home> m_homes; // by block
    std::optional<Asked> m_asked;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Homes in host memory of which a rank keeps the pages that hold its own part. In a rehearsal (the meta
// device) homes have no addresses, and tensors that stand for their memory are counted instead.
// Where host memory stands for the device, homes of both tiers are alike and only count in another one.
// Owns the homes; borrows the ranks. One thread, but for `put`.
#pragma once

#include "core/engine/parallel/spread_exchange.h"

namespace homebooth::core {

class SpreadHomes final : public SpreadExchange {
public:
    SpreadHomes(const Ranks& ranks, const Schedule& schedule, at::Device device = at::kCPU);
    ~SpreadHomes() override;
    SpreadHomes(const SpreadHomes&) = delete;
    SpreadHomes& operator=(const SpreadHomes&) = delete;

    void useDisk(SwappedMemory* disk, std::vector<int64_t> begins) override;
    [[nodiscard]] at::Tensor home(int block, int64_t bytes, Tier tier) override;
    void moveTo(int block, Tier tier, std::vector<at::Tensor>& parameters) override;
    [[nodiscard]] bool gathersAtHome() const override { return true; }
    void gather(int block, const std::vector<at::Tensor>& parameters) override;
    void drop(int block, std::vector<at::Tensor>& parameters) override;
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

    [[nodiscard]] bool isWhole(int block) const override { return m_homes.at(block).isWhole; }
    [[nodiscard]] std::vector<bool> ownPages(int block, const std::vector<at::Tensor>& parameters) const;
    void hold(Home& home, int64_t bytes) const;

    std::vector<Home> m_homes; // by block
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective of a job with one rank: copies, or nothing where the shard is the whole. All is done when
// its call returns. Any device.
#pragma once

#include "core/engine/collective/collective.h"

namespace homebooth::core {

class LoneCollective final : public Collective {
public:
    /// @param device  on which the tensors lie
    explicit LoneCollective(at::DeviceType device = at::kCPU)
        : m_device(device) {}

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override;
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override;
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override;
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override;
    void wait(CollectiveTicket ticket) override;
    [[nodiscard]] CollectiveTraffic traffic() const override { return m_traffic; }

private:
    CollectiveTicket next() { return static_cast<CollectiveTicket>(++m_traffic.collectives); }

    at::DeviceType m_device;
    CollectiveTraffic m_traffic;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One collective of ranks that have a GPU each: what lies on the host goes over processors, what lies on the
// GPU over another one. Who uses it does not mind. Neither waits for the other, so each is asked by every
// rank for the same things in the same order, as rule 1 of collective.h says of all of them together. Tickets
// are counted here. Owns both; one owner thread.
#pragma once

#include "core/engine/collective/collective.h"

#include <deque>
#include <memory>

namespace homebooth::core {

class DeviceCollective final : public Collective {
public:
    /// @param device  serves tensors that are not the host's; it may borrow `host`
    DeviceCollective(std::unique_ptr<Collective> host, std::unique_ptr<Collective> device);

    [[nodiscard]] int rank() const override { return m_host->rank(); }
    [[nodiscard]] int ranks() const override { return m_host->ranks(); }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override;
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override;
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override;
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override;
    void wait(CollectiveTicket ticket) override;
    void requireAll() override { m_device->requireAll(); }
    /// The sum of both.
    [[nodiscard]] CollectiveTraffic traffic() const override;

private:
    struct Asked {
        Collective* of = nullptr;
        CollectiveTicket ticket = 0; // its own
    };
    [[nodiscard]] Collective& serving(const at::Tensor& any) const;
    CollectiveTicket note(Collective& of, CollectiveTicket ticket);

    std::unique_ptr<Collective> m_host;
    std::unique_ptr<Collective> m_device; // goes first
    std::deque<Asked> m_asked;            // and not waited for; the last one has the ticket m_last
    CollectiveTicket m_last = 0;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective of a rehearsal: the first of so many ranks, without the others, as if they had zeros. Says
// what it would send, and leaves tensors alone that have no memory. All is done when its call returns.
#pragma once

#include "core/engine/collective/collective.h"

namespace homebooth::core {

class PretendedCollective final : public Collective {
public:
    explicit PretendedCollective(int ranks)
        : m_ranks(ranks) {}

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return m_ranks; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override;
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override;
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override;
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override;
    void wait(CollectiveTicket /*ticket*/) override {}
    [[nodiscard]] CollectiveTraffic traffic() const override { return m_traffic; }

private:
    CollectiveTicket count(int64_t bytesToEach);

    int m_ranks;
    CollectiveTraffic m_traffic;
};

} // namespace homebooth::core

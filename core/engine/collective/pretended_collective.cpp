// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/pretended_collective.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace homebooth::core {

CollectiveTicket PretendedCollective::count(int64_t bytesToEach) {
    m_traffic.sentBytes += (m_ranks - 1) * bytesToEach;
    m_traffic.receivedBytes += (m_ranks - 1) * bytesToEach;
    return static_cast<CollectiveTicket>(++m_traffic.collectives);
}

CollectiveTicket PretendedCollective::allGather(const at::Tensor& whole, const at::Tensor& shard) {
    if (!whole.is_meta()) {
        const at::NoGradGuard noGrad;
        const at::Tensor own = whole.narrow(0, 0, shard.numel());
        if (own.data_ptr() != shard.data_ptr()) own.copy_(shard);
        whole.narrow(0, shard.numel(), whole.numel() - shard.numel()).zero_();
    }
    return count(static_cast<int64_t>(shard.nbytes()));
}

CollectiveTicket PretendedCollective::reduceScatter(const at::Tensor& shard, const at::Tensor& whole) {
    const bool apart = !whole.is_meta() && whole.data_ptr() != shard.data_ptr();
    if (apart) {
        const at::NoGradGuard noGrad;
        at::Tensor(shard).copy_(whole.narrow(0, 0, shard.numel()));
    }
    return count(shard.numel() * whole.element_size());
}

CollectiveTicket PretendedCollective::allReduce(const at::Tensor& values) {
    return count(static_cast<int64_t>(values.nbytes()));
}

CollectiveTicket PretendedCollective::broadcast(const at::Tensor& values, int /*root*/) {
    return count(static_cast<int64_t>(values.nbytes()));
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/lone_collective.h"

#include "core/engine/collective/collective_check.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace homebooth::core {
namespace {

void copyElements(const at::Tensor& target, const at::Tensor& source) {
    if (target.data_ptr() == source.data_ptr()) return;
    const at::NoGradGuard noGrad;
    target.view(-1).copy_(source.view(-1));
}

} // namespace

CollectiveTicket LoneCollective::allGather(const at::Tensor& whole, const at::Tensor& shard) {
    checkGathered(whole, shard, 1, m_device);
    copyElements(whole, shard);
    return next();
}

CollectiveTicket LoneCollective::reduceScatter(const at::Tensor& shard, const at::Tensor& whole) {
    checkScattered(shard, whole, 1, m_device);
    copyElements(shard, whole);
    return next();
}

CollectiveTicket LoneCollective::allReduce(const at::Tensor& values) {
    checkReduced(values, m_device);
    return next();
}

CollectiveTicket LoneCollective::broadcast(const at::Tensor& values, int root) {
    checkBroadcast(values, root, 1, m_device);
    return next();
}

void LoneCollective::wait(CollectiveTicket ticket) {
    TORCH_CHECK(ticket <= static_cast<CollectiveTicket>(m_traffic.collectives), "nobody asked for number ",
                ticket);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/device_collective.h"

#include <c10/util/Exception.h>

#include <utility>

namespace homebooth::core {

DeviceCollective::DeviceCollective(std::unique_ptr<Collective> host, std::unique_ptr<Collective> device)
    : m_host(std::move(host))
    , m_device(std::move(device)) {
    TORCH_CHECK(m_host->rank() == m_device->rank() && m_host->ranks() == m_device->ranks(),
                "both collectives are of the same ranks");
}

Collective& DeviceCollective::serving(const at::Tensor& any) const {
    return any.is_cpu() ? *m_host : *m_device;
}

CollectiveTicket DeviceCollective::note(Collective& of, CollectiveTicket ticket) {
    m_asked.push_back({&of, ticket});
    return ++m_last;
}

CollectiveTicket DeviceCollective::allGather(const at::Tensor& whole, const at::Tensor& shard) {
    Collective& of = serving(whole);
    return note(of, of.allGather(whole, shard));
}

CollectiveTicket DeviceCollective::reduceScatter(const at::Tensor& shard, const at::Tensor& whole) {
    Collective& of = serving(whole);
    return note(of, of.reduceScatter(shard, whole));
}

CollectiveTicket DeviceCollective::allReduce(const at::Tensor& values) {
    Collective& of = serving(values);
    return note(of, of.allReduce(values));
}

CollectiveTicket DeviceCollective::broadcast(const at::Tensor& values, int root) {
    Collective& of = serving(values);
    return note(of, of.broadcast(values, root));
}

void DeviceCollective::wait(CollectiveTicket ticket) {
    TORCH_CHECK(ticket <= m_last, "nobody asked for number ", ticket);
    while (m_last - m_asked.size() < ticket) {
        const Asked& first = m_asked.front();
        first.of->wait(first.ticket);
        m_asked.pop_front();
    }
}

CollectiveTraffic DeviceCollective::traffic() const {
    CollectiveTraffic sum = m_host->traffic();
    const CollectiveTraffic device = m_device->traffic();
    sum.sentBytes += device.sentBytes;
    sum.receivedBytes += device.receivedBytes;
    sum.collectives += device.collectives;
    sum.waitedSeconds += device.waitedSeconds;
    return sum;
}

} // namespace homebooth::core

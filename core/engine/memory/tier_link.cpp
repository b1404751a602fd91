// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/tier_link.h"

#include <c10/util/Exception.h>

namespace homebooth::core {
namespace {

/// To a device without memory, in a rehearsal: only counts.
class CountingLink final : public Link {
public:
    [[nodiscard]] LinkTicket copy(void* /*target*/, const void* /*source*/, int64_t bytes) override {
        m_traffic.bytes += bytes;
        return static_cast<LinkTicket>(++m_traffic.copies);
    }
    void wait(LinkTicket /*ticket*/) override {}
    [[nodiscard]] LinkTraffic traffic() const override { return m_traffic; }

private:
    LinkTraffic m_traffic;
};

} // namespace

std::unique_ptr<Link> makeTierLink(at::Device device, LinkDirection direction, LinkSpeed speed,
                                   LinkSource* source) {
    if (device.is_meta()) return std::make_unique<CountingLink>();
    if (device.is_cpu()) return std::make_unique<HostLink>(speed, source);
    TORCH_CHECK(source == nullptr, "parameters on a disk are streamed to host memory only, not to ", device);
    return std::make_unique<CudaLink>(device, direction);
}

} // namespace homebooth::core

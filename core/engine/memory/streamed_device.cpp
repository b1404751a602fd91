// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/streamed_device.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/memory/tier_link.h"

#include <algorithm>
#include <functional>

namespace homebooth::core {
namespace {

/// Bytes of each block in whole chunks.
std::vector<int64_t> paddedSizes(const std::vector<Chunk>& chunks, size_t blockCount, int64_t chunkBytes) {
    std::vector<int64_t> sizes(blockCount, 0);
    for (const Chunk& chunk : chunks) sizes[chunk.block] += chunkBytes;
    return sizes;
}

int64_t sizeOfChunks(const std::vector<Chunk>& chunks) {
    return chunks.size() < 2 ? chunks.front().usedBytes : chunks[1].homeOffsetBytes;
}

/// A home on a disk. What is copied from elsewhere is in memory.
class SwappedSource final : public LinkSource {
public:
    explicit SwappedSource(SwappedMemory& swap)
        : m_swap(swap) {}
    void want(const void* begin, int64_t bytes) override {
        if (isAtHome(begin)) m_swap.want(stretch(begin, bytes));
    }
    void hold(const void* begin, int64_t bytes) override {
        if (!isAtHome(begin)) return;
        if (const auto held = m_swap.hold(stretch(begin, bytes)); !held) throw ExpectedFailure(held.error());
    }
    void release(const void* begin, int64_t bytes) override {
        if (isAtHome(begin)) m_swap.release(stretch(begin, bytes), false);
    }

private:
    [[nodiscard]] bool isAtHome(const void* begin) const {
        const std::span<std::byte> home = m_swap.bytes();
        return std::greater_equal<>()(begin, home.data()) && std::less<>()(begin, home.data() + home.size());
    }
    static std::span<const std::byte> stretch(const void* begin, int64_t bytes) {
        return {static_cast<const std::byte*>(begin), static_cast<size_t>(bytes)};
    }
    SwappedMemory& m_swap;
};

std::unique_ptr<LinkSource> sourceIn(SwappedMemory* swap) {
    return swap != nullptr ? std::make_unique<SwappedSource>(*swap) : nullptr;
}

} // namespace

StreamedDevice::StreamedDevice(const ParameterViews& views, Blocks blocks, at::Device device,
                               StreamingOptions options, LinkSpeed link, SwappedMemory* swap)
    : m_views(views)
    , m_paddedBytes(paddedSizes(blocks.chunks, views.blockBytes().size(), sizeOfChunks(blocks.chunks)))
    , m_writable(std::move(blocks.writable))
    , m_device(device)
    , m_options(options)
    , m_viewsAt(m_paddedBytes.size())
    , m_current(m_paddedBytes.size(), nullptr)
    , m_source(sourceIn(swap))
    , m_link(makeTierLink(device, LinkDirection::ToDevice, link, m_source.get()))
    , m_returnLink(makeTierLink(device, LinkDirection::ToHost, link))
    , m_stream(std::move(blocks.chunks), std::move(blocks.homes), *m_link) {}

ResidencyPlan StreamedDevice::planFor(const std::vector<int>& order) const {
    ResidencyRequest request{order,
                             m_paddedBytes,
                             m_writable,
                             m_options.prefetchDistance,
                             m_options.deviceBytes,
                             m_options.asSoonAsPossible && !m_options.homeOnDisk};
    if (request.budgetBytes == 0) request.budgetBytes = leastArenaBytes(request, request.prefetchDistance);
    Result<ResidencyPlan> plan = planResidency(request);
    TORCH_CHECK_WITH(OutOfMemoryError, plan.ok(), plan.ok() ? "" : plan.error().text());
    return std::move(*plan);
}

/// Makes the plan of an order the one in use, with an arena that is large enough for it.
void StreamedDevice::adopt(const std::vector<int>& order) {
    const auto known = m_plans.find(order);
    ResidencyPlan plan = known != m_plans.end() ? known->second : planFor(order);
    m_plans.emplace(order, plan);
    m_order.clear(); // no plan is in use until the end: where memory is refused, the next pass begins here
    m_stream.use({}, nullptr);
    if (arenaBytes() < plan.arenaBytes) {
        std::fill(m_current.begin(), m_current.end(), nullptr);
        m_viewsAt.assign(m_viewsAt.size(), {});
        m_arena.reset();                 // first: both would not fit
        const WithinProduct laidOutOnce; // no step makes it
        m_arena = at::empty({plan.arenaBytes}, at::TensorOptions().dtype(at::kByte).device(m_device));
    }
    m_stream.use(std::move(plan), arenaBytes() > 0 ? static_cast<uint8_t*>(m_arena.data_ptr()) : nullptr);
    m_order = order;
}

LinkTraffic StreamedDevice::traffic() const {
    LinkTraffic both = m_link->traffic();
    const LinkTraffic back = m_returnLink->traffic();
    both.bytes += back.bytes;
    both.copies += back.copies;
    both.busySeconds += back.busySeconds;
    return both;
}

void StreamedDevice::beginPass(const std::vector<int>& order) {
    if (order != m_order) adopt(order);
    m_stream.beginPass();
}

const std::vector<at::Tensor>& StreamedDevice::acquire(int block) {
    uint8_t* begin = m_stream.acquire(block);
    auto& known = m_viewsAt[block];
    auto found = known.find(begin);
    if (found == known.end()) found = known.emplace(begin, m_views.of(block, begin, m_arena)).first;
    m_current[block] = &found->second;
    return found->second;
}

at::Tensor StreamedDevice::copyInUse(int block, int index) const {
    return m_stream.computes(block) ? m_current[block]->at(index) : at::Tensor();
}

} // namespace homebooth::core

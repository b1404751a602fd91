// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/frame_pool.h"

#include <algorithm>
#include <sys/mman.h>

namespace homebooth::core {

namespace {

/// Moves memory to another address. What was there before stays mapped, empty, so that nobody else gets these
/// addresses meanwhile.
bool moved(std::byte* from, size_t bytes, std::byte* to) {
    constexpr int kHow = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
    return ::mremap(from, bytes, bytes, kHow, to) != MAP_FAILED;
}

/// Whether this kernel can do that, found out with memory of no use.
Result<void> tryMoving() {
    constexpr size_t kPage = 4096;
    HOMEBOOTH_ASSIGN(const PageMemory pages, PageMemory::create(2 * kPage));
    if (moved(pages.bytes().data(), kPage, pages.bytes().data() + kPage)) return {};
    return Error{
        ErrorCode::OutOfResources, "cannot move memory to another address: the kernel is too old", {}};
}

} // namespace

Result<FramePool> FramePool::create(int64_t frameBytes, int64_t count) {
    HOMEBOOTH_CHECK(tryMoving());
    HOMEBOOTH_ASSIGN(PageMemory memory, PageMemory::create(frameBytes * count, PageSize::HugeOnDemand));
    return FramePool(std::move(memory), frameBytes, count);
}

FramePool::FramePool(PageMemory memory, int64_t frameBytes, int64_t count)
    : m_memory(std::move(memory))
    , m_frameBytes(static_cast<size_t>(frameBytes))
    , m_places(static_cast<size_t>(count)) {
    for (size_t frame = m_places.size(); frame-- > 0;) {
        m_places[frame] = m_memory.bytes().data() + frame * m_frameBytes;
        m_free.push_back(static_cast<int>(frame));
    }
}

std::span<std::byte> FramePool::transferMemory(int frame) const {
    return m_memory.bytes().subspan(static_cast<size_t>(frame) * m_frameBytes, m_frameBytes);
}

int FramePool::take(std::byte* place, int last) noexcept {
    if (m_free.empty()) return kNone;
    if (last != kNone && m_places[static_cast<size_t>(last)] == place) { // nobody has taken it since
        m_free.erase(std::find(m_free.begin(), m_free.end(), last));
        return last;
    }
    const int frame = m_free.back();
    std::byte*& from = m_places[static_cast<size_t>(frame)];
    if (!moved(from, m_frameBytes, place)) return kNone;
    from = place;
    m_free.pop_back();
    return frame;
}

void FramePool::giveBack(int frame) noexcept {
    m_free.push_back(frame);
}

} // namespace homebooth::core

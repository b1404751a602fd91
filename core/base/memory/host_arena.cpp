// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/host_arena.h"

#include <algorithm>
#include <limits>
#include <sys/mman.h>

namespace homebooth::core {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kStretchBytes = size_t{64} << 10; // a multiple of every page size
constexpr size_t kStaggeredFrom = size_t{1} << 20;
constexpr size_t kStaggerBytes = 4096;
constexpr int kLookedAt = 16;       // of the holes that a piece fits into, the smallest ones
constexpr int64_t kSparePart = 128; // of the peak, that holes take beyond it

size_t roundUp(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// What a piece takes. Large ones one behind the other, as a parameter, its gradient and its moments, shall
/// not lie a multiple of a cache's ways apart: walked side by side they would drive each other out of it.
size_t takenBytes(size_t bytes) {
    const size_t aligned = roundUp(std::max<size_t>(bytes, 1), kAlignment);
    const bool alike = aligned >= kStaggeredFrom && aligned % kStretchBytes == 0;
    return alike ? aligned + kStaggerBytes : aligned;
}

} // namespace

HostArena::HostArena(size_t bytes) {
    bytes = roundUp(std::max<size_t>(bytes, 1), kStretchBytes);
    void* begin =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) return;
    ::madvise(begin, bytes, MADV_NOHUGEPAGE);
    m_begin = static_cast<uint8_t*>(begin);
    m_bytes = bytes;
    m_there.assign(bytes / kStretchBytes, false);
    addHole(m_blocks.emplace(size_t{0}, Block{bytes, false, 0}).first);
}

HostArena::~HostArena() {
    if (m_begin != nullptr) ::munmap(m_begin, m_bytes);
}

void* HostArena::allocate(size_t bytes) {
    if (bytes > m_bytes) return nullptr;
    bytes = takenBytes(bytes);
    const std::lock_guard lock(m_mutex);
    size_t offset = 0;
    const auto block = choose(bytes, offset);
    if (block == m_blocks.end()) return nullptr;
    take(block, offset, bytes);
    return m_begin + offset;
}

/// The hole that needs the fewest pages; of those the smallest one. @param offset  where in it
HostArena::Blocks::iterator HostArena::choose(size_t bytes, size_t& offset) {
    auto best = m_blocks.end();
    size_t least = std::numeric_limits<size_t>::max();
    int looked = 0;
    for (auto hole = m_holes.lower_bound({bytes, 0});
         hole != m_holes.end() && looked < kLookedAt && least > 0; ++hole, ++looked) {
        const size_t last = hole->second + hole->first - bytes;
        for (const size_t at : {hole->second, last}) {
            const size_t missing = missingStretches(at, bytes);
            if (missing >= least) continue;
            least = missing;
            best = m_blocks.find(hole->second);
            offset = at;
        }
    }
    return best;
}

size_t HostArena::missingStretches(size_t offset, size_t bytes) const {
    size_t missing = 0;
    for (size_t i = offset / kStretchBytes; i <= (offset + bytes - 1) / kStretchBytes; ++i)
        missing += m_there[i] ? 0 : 1;
    return missing;
}

void HostArena::take(Blocks::iterator block, size_t offset, size_t bytes) {
    const size_t before = offset - block->first;
    const size_t behind = block->second.bytes - before - bytes;
    const uint64_t turn = block->second.turn;
    m_holes.erase({block->second.bytes, block->first});
    if (before > 0) {
        block->second.bytes = before;
        addHole(block);
        block = m_blocks.emplace(offset, Block{}).first;
    }
    block->second = {bytes, true, 0};
    if (behind > 0) addHole(m_blocks.emplace(offset + bytes, Block{behind, false, turn}).first);
    m_use.usedBytes += static_cast<int64_t>(bytes);
    m_use.peakUsedBytes = std::max(m_use.peakUsedBytes, m_use.usedBytes);
    const auto missing = static_cast<int64_t>(missingStretches(offset, bytes) * kStretchBytes);
    if (missing == 0) return;
    makeRoom(missing);
    for (size_t i = offset / kStretchBytes; i <= (offset + bytes - 1) / kStretchBytes; ++i) m_there[i] = true;
    m_use.pageBytes += missing;
    m_use.takenBytes += missing;
}

int64_t HostArena::mostPageBytes() const {
    return m_use.peakUsedBytes + m_use.peakUsedBytes / kSparePart;
}

/// Gives pages of holes back until `bytes` more fit below what there may be.
void HostArena::makeRoom(int64_t bytes) {
    int64_t excess = m_use.pageBytes + bytes - mostPageBytes();
    if (excess <= 0) return;
    std::vector<std::pair<uint64_t, size_t>> holes; // those that nothing fitted into for longest come first
    for (const auto& [size, offset] : m_holes) holes.emplace_back(m_blocks.at(offset).turn, offset);
    std::sort(holes.begin(), holes.end());
    for (const auto& [turn, offset] : holes) {
        if (excess <= 0) return;
        excess -= dropPages(m_blocks.at(offset), offset, excess);
    }
}

/// Gives back pages that lie within a hole, from its end. @returns  how many bytes
int64_t HostArena::dropPages(const Block& block, size_t offset, int64_t bytes) {
    const size_t first = roundUp(offset, kStretchBytes) / kStretchBytes;
    size_t end = (offset + block.bytes) / kStretchBytes;
    int64_t dropped = 0;
    while (end > first && dropped < bytes) {
        while (end > first && !m_there[end - 1]) --end;
        size_t begin = end;
        while (begin > first && m_there[begin - 1] && dropped < bytes) {
            m_there[--begin] = false;
            dropped += static_cast<int64_t>(kStretchBytes);
        }
        if (begin < end)
            ::madvise(m_begin + begin * kStretchBytes, (end - begin) * kStretchBytes, MADV_DONTNEED);
        end = begin;
    }
    m_use.pageBytes -= dropped;
    return dropped;
}

void HostArena::free(void* piece) {
    if (piece == nullptr) return;
    const std::lock_guard lock(m_mutex);
    auto block = m_blocks.find(static_cast<size_t>(static_cast<uint8_t*>(piece) - m_begin));
    m_use.usedBytes -= static_cast<int64_t>(block->second.bytes);
    block->second.used = false;
    block->second.turn = ++m_turn;
    const auto next = std::next(block);
    if (next != m_blocks.end() && !next->second.used) {
        m_holes.erase({next->second.bytes, next->first});
        block->second.bytes += next->second.bytes;
        m_blocks.erase(next);
    }
    if (block != m_blocks.begin() && !std::prev(block)->second.used) {
        const auto before = std::prev(block);
        m_holes.erase({before->second.bytes, before->first});
        before->second.bytes += block->second.bytes;
        before->second.turn = m_turn;
        m_blocks.erase(block);
        block = before;
    }
    addHole(block);
}

void HostArena::addHole(Blocks::iterator block) {
    m_holes.emplace(block->second.bytes, block->first);
}

bool HostArena::holds(const void* piece) const {
    const auto* at = static_cast<const uint8_t*>(piece);
    return m_begin != nullptr && at >= m_begin && at < m_begin + m_bytes;
}

void HostArena::giveBack() {
    const std::lock_guard lock(m_mutex);
    for (const auto& [size, offset] : m_holes)
        (void)dropPages(m_blocks.at(offset), offset, std::numeric_limits<int64_t>::max());
    m_use.peakUsedBytes = m_use.usedBytes;
}

ArenaUse HostArena::use() const {
    const std::lock_guard lock(m_mutex);
    return m_use;
}

} // namespace homebooth::core

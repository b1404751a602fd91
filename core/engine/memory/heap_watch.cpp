// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/heap_watch.h"

#include "core/base/system/memory_facts.h"
#include "core/engine/memory/memory_relief.h"

#include <algorithm>
#include <malloc.h>

namespace homebooth::core {
namespace {

constexpr int64_t kLeastBytes = int64_t{1} << 30;
constexpr int64_t kToleratedPart = 128;
constexpr int64_t kNoise = int64_t{1} << 20; // by which two looks at the same process differ

/// Of the process, what the heap has not handed out: holes among it, where they still lie in memory.
int64_t bytesOutside() {
    const struct mallinfo2 heap = ::mallinfo2();
    return residentBytes() - static_cast<int64_t>(heap.uordblks + heap.hblkhd);
}

} // namespace

bool HeapWatch::betweenBlocks() {
    if (m_expectedBytes < kLeastBytes) return false;
    const int64_t outside = std::max<int64_t>(bytesOutside(), 0);
    if (m_outsideBytes < 0 || outside < m_outsideBytes) m_outsideBytes = outside;
    const int64_t most =
        m_outsideBytes + m_unexpectedBytes + m_expectedBytes + m_expectedBytes / kToleratedPart;
    if (residentBytes() <= most) return false;
    releaseIdleMemory(at::kCPU);
    // What is still there are no holes: it must not be looked for at every block.
    const int64_t left = residentBytes();
    if (left > most) m_unexpectedBytes += left - most + kNoise;
    return true;
}

} // namespace homebooth::core

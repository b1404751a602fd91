// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/heap_watch.h"

#include "core/base/system/memory_facts.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/memory/tier_meter.h"

#include <algorithm>
#include <malloc.h>

namespace homebooth::core {
namespace {

constexpr int64_t kLeastBytes = int64_t{1} << 30;
constexpr int64_t kToleratedPart = 128;      // of what is expected, beyond the plan
constexpr int64_t kToleratedOfPeak = 256;    // of it, beyond what the process has to be
constexpr int64_t kSparePart = 16;           // of it, that holes take where nobody gives them back
constexpr int64_t kNoise = int64_t{1} << 20; // by which two looks at the same process differ

} // namespace

void HeapWatch::expect(int64_t bytes, int64_t limitBytes) {
    if (bytes != m_expectedBytes) m_rule = TrimRule(bytes / kToleratedOfPeak);
    m_expectedBytes = bytes;
    m_limitBytes = limitBytes;
}

/// Of the process, the least that neither the heap had handed out nor a plan counts beside it: homes in RAM
/// and what is in memory of a disk have pages of their own, and are among the bytes that are expected.
int64_t HeapWatch::outsideBytes() {
    const struct mallinfo2 heap = ::mallinfo2();
    const int64_t counted = static_cast<int64_t>(heap.uordblks + heap.hblkhd) + bytesBesideHeap();
    const int64_t outside = std::max<int64_t>(residentBytes() - counted, 0);
    if (m_leastOutsideBytes < 0 || outside < m_leastOutsideBytes) m_leastOutsideBytes = outside;
    return m_leastOutsideBytes;
}

bool HeapWatch::isShort() {
    if (m_limitBytes <= 0) return false;
    return outsideBytes() + m_expectedBytes + m_expectedBytes / kSparePart > m_limitBytes;
}

void HeapWatch::passBegins(size_t points) {
    m_short = isShort();
    m_rule.passBegins(points);
}

void HeapWatch::giveBack() {
    releaseIdleMemory(at::kCPU);
    ++m_trims;
}

/// Gives back where the process is larger than what is expected and what lies outside of tensors (libraries,
/// scratch memory), by more than is tolerated.
bool HeapWatch::keepToPlan() {
    const int64_t most =
        outsideBytes() + m_unexpectedBytes + m_expectedBytes + m_expectedBytes / kToleratedPart;
    if (residentBytes() <= most) return false;
    giveBack();
    // What is still there are no holes: it must not be looked for at every block.
    const int64_t left = residentBytes();
    if (left > most) m_unexpectedBytes += left - most + kNoise;
    return true;
}

bool HeapWatch::before(size_t point) {
    if (m_expectedBytes < kLeastBytes) return false;
    if (m_short) return keepToPlan();
    if (!m_rule.trims(point, residentBytes())) return false;
    giveBack();
    m_rule.trimmed(residentBytes());
    return true;
}

void HeapWatch::passEnds() {
    if (m_expectedBytes >= kLeastBytes && !m_short) m_rule.passEnds(residentBytes());
}

} // namespace homebooth::core

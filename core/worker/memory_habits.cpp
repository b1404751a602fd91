// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/memory_habits.h"

#include <malloc.h>

namespace homebooth::core {

void keepFreedMemory() {
    constexpr int kMappedFromBytes = 1 << 30; // parameters of a whole model: taken once, given back as one
    constexpr int kTrimFromBytes = 0x7fffffff;
    constexpr int kGrowByBytes = 64 << 20;
    ::mallopt(M_ARENA_MAX, 1); // each more would keep what its thread once needed
    ::mallopt(M_MMAP_THRESHOLD, kMappedFromBytes);
    ::mallopt(M_TRIM_THRESHOLD, kTrimFromBytes);
    ::mallopt(M_TOP_PAD, kGrowByBytes);
}

} // namespace homebooth::core

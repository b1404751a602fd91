// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/memory_habits.h"

#include <cstdlib>
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

void takeHugePages() {
    ::setenv("THP_MEM_ALLOC_ENABLE", "1", 0); // of LibTorch; what the user has set stays
}

void giveFreedMemoryBack() {
    ::malloc_trim(0);
}

} // namespace homebooth::core

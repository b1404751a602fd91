// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Large tensors lie in the arena and small ones in the heap, with and without a meter in front.
#include "core/engine/memory/arena_allocator.h"

#include "core/engine/memory/memory_relief.h"
#include "core/engine/memory/tier_meter.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

using namespace homebooth::core;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kStaggerBytes = 4096; // beside a piece of whole MiB

class ArenaAllocator : public testing::Test {
protected:
    static void SetUpTestSuite() { useArena(); }
};

at::Tensor filled(int64_t count) {
    return at::ones({count}, at::kByte);
}

TEST_F(ArenaAllocator, takesWhatIsLarge) {
    const int64_t before = arenaUse().usedBytes;
    const at::Tensor small = filled(1000);
    EXPECT_EQ(arenaUse().usedBytes, before);
    at::Tensor large = filled(3 * kMiB);
    EXPECT_EQ(arenaUse().usedBytes, before + 3 * kMiB + kStaggerBytes);
    const at::Tensor copy = large.clone();
    large.reset();
    EXPECT_EQ(arenaUse().usedBytes, before + 3 * kMiB + kStaggerBytes);
    EXPECT_EQ(copy.sum().item<int64_t>(), 3 * kMiB);
}

TEST_F(ArenaAllocator, growsAndEmptiesATensor) {
    const int64_t before = arenaUse().usedBytes;
    at::Tensor tensor = filled(1000);
    tensor.resize_({2 * kMiB});
    EXPECT_EQ(arenaUse().usedBytes, before + 2 * kMiB + kStaggerBytes);
    EXPECT_EQ(tensor.narrow(0, 0, 1000).sum().item<int64_t>(), 1000);
    tensor.set_();
    EXPECT_EQ(arenaUse().usedBytes, before);
    EXPECT_EQ(at::empty({0}).numel(), 0);
}

TEST_F(ArenaAllocator, idleMemoryLeavesIt) {
    const int64_t before = arenaUse().pageBytes;
    { const at::Tensor large = filled(32 * kMiB); }
    EXPECT_GE(arenaUse().pageBytes, 32 * kMiB);
    releaseIdleMemory(at::kCPU);
    EXPECT_LE(arenaUse().pageBytes, before);
}

TEST_F(ArenaAllocator, isCountedByAMeterInFrontOfIt) {
    const at::Tensor older = filled(kMiB); // of the arena alone
    meterHostMemory();
    const int64_t counted = tierUse(Tier::Device).currentBytes;
    const int64_t before = arenaUse().usedBytes;
    {
        const at::Tensor large = filled(kMiB);
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, counted + kMiB);
        EXPECT_GT(arenaUse().usedBytes, before + kMiB - 1);
    }
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, counted);
    EXPECT_EQ(arenaUse().usedBytes, before);
    EXPECT_EQ(older.sum().item<int64_t>(), kMiB);
}

} // namespace

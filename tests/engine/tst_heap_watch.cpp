// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Holes in the heap go back to the system where they make the process clearly larger than what it holds.
#include "core/engine/memory/heap_watch.h"

#include "core/base/system/memory_facts.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <malloc.h>
#include <vector>

using namespace homebooth::core;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

/// A heap that keeps what is freed, as the worker's does.
class HeapWatchTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
        ::mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
    }
    void SetUp() override { ::malloc_trim(0); }
};

at::Tensor filled(int64_t count) {
    return at::ones({count}, at::kByte);
}

/// Pairs of which one half goes, so that the rest stands between holes.
std::vector<at::Tensor> withHoles(int64_t pairs) {
    std::vector<at::Tensor> kept;
    std::vector<at::Tensor> dropped;
    for (int64_t pair = 0; pair < pairs; ++pair) {
        kept.push_back(filled(8 * kMiB));
        dropped.push_back(filled(8 * kMiB));
    }
    return kept;
}

TEST_F(HeapWatchTest, leavesSmallProcessesAlone) {
    HeapWatch watch;
    watch.expect(64 * kMiB);
    EXPECT_FALSE(watch.betweenBlocks());
    const std::vector<at::Tensor> kept = withHoles(16);
    EXPECT_FALSE(watch.betweenBlocks());
}

TEST_F(HeapWatchTest, givesHolesBackThatNobodyFills) {
    const at::Tensor first = filled(700 * kMiB);
    HeapWatch watch;
    watch.expect(1400 * kMiB);
    EXPECT_FALSE(watch.betweenBlocks());
    std::vector<at::Tensor> kept = withHoles(40); // 320 MiB of tensors, as much of holes
    EXPECT_FALSE(watch.betweenBlocks());          // which may be filled again within what is expected
    const int64_t before = residentBytes();
    kept.push_back(filled(256 * kMiB)); // for which the holes are too small
    EXPECT_TRUE(watch.betweenBlocks());
    EXPECT_LT(residentBytes(), before);
    EXPECT_EQ(kept.front().sum().item<int64_t>(), 8 * kMiB);
}

TEST_F(HeapWatchTest, doesNotLookForMemoryThatIsNoHole) {
    const at::Tensor large = filled(1100 * kMiB);
    HeapWatch watch;
    watch.expect(1100 * kMiB);
    (void)watch.betweenBlocks(); // what else the program has on the heap
    EXPECT_FALSE(watch.betweenBlocks());
    const at::Tensor notExpected = filled(256 * kMiB);
    EXPECT_TRUE(watch.betweenBlocks());
    EXPECT_FALSE(watch.betweenBlocks());
}

} // namespace

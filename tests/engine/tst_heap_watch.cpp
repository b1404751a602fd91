// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Holes in the heap go back to the system where they make the process clearly larger than what it holds.
#include "core/engine/memory/heap_watch.h"

#include "core/base/system/memory_facts.h"
#include "core/engine/memory/ram_tensor.h"

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

/// A watch in the middle of a pass. @param limitBytes  1: memory is short
HeapWatch watching(int64_t expectedBytes, int64_t limitBytes) {
    HeapWatch watch;
    watch.expect(expectedBytes, limitBytes);
    watch.passBegins(1);
    return watch;
}

/// A pass whose points take and free so many MiB each. @returns  how often holes were given back
int64_t trimsOfPass(HeapWatch& watch, const std::vector<int64_t>& points) {
    const int64_t before = watch.trims();
    watch.passBegins(points.size());
    for (size_t point = 0; point < points.size(); ++point) {
        watch.before(point);
        (void)filled(points[point] * kMiB);
    }
    watch.passEnds();
    return watch.trims() - before;
}

TEST_F(HeapWatchTest, leavesSmallProcessesAlone) {
    for (const int64_t limit : {0, 1}) {
        HeapWatch watch = watching(64 * kMiB, limit);
        EXPECT_FALSE(watch.before(0));
        const std::vector<at::Tensor> kept = withHoles(16);
        EXPECT_FALSE(watch.before(0));
        EXPECT_EQ(watch.trims(), 0);
    }
}

TEST_F(HeapWatchTest, givesHolesBackThatNobodyFillsWhereMemoryIsShort) {
    const at::Tensor first = filled(700 * kMiB);
    HeapWatch watch = watching(1400 * kMiB, 1);
    EXPECT_FALSE(watch.before(0));
    std::vector<at::Tensor> kept = withHoles(40); // 320 MiB of tensors, as much of holes
    EXPECT_FALSE(watch.before(0));                // which may be filled again within what is expected
    const int64_t before = residentBytes();
    kept.push_back(filled(256 * kMiB)); // for which the holes are too small
    EXPECT_TRUE(watch.before(0));
    EXPECT_EQ(watch.trims(), 1);
    EXPECT_LT(residentBytes(), before);
    EXPECT_EQ(kept.front().sum().item<int64_t>(), 8 * kMiB);
}

TEST_F(HeapWatchTest, doesNotLookForMemoryThatIsNoHole) {
    const at::Tensor large = filled(1100 * kMiB);
    HeapWatch watch = watching(1100 * kMiB, 1);
    (void)watch.before(0); // what else the program has on the heap
    EXPECT_FALSE(watch.before(0));
    const at::Tensor notExpected = filled(256 * kMiB);
    EXPECT_TRUE(watch.before(0));
    EXPECT_FALSE(watch.before(0));
}

/// They are expected like all that a plan counts, though the heap has not handed them out.
TEST_F(HeapWatchTest, doesNotTakeHomesInRamForOtherMemory) {
    const at::Tensor home = ramTensor(700 * kMiB).fill_(1);
    HeapWatch watch = watching(1100 * kMiB, 1);
    std::vector<at::Tensor> kept = withHoles(40); // within what is expected, but for 240 MiB of holes
    EXPECT_TRUE(watch.before(0));
    EXPECT_EQ(home.numel(), 700 * kMiB);
}

TEST_F(HeapWatchTest, isNotShortOfMemoryForCountingHomesTwice) {
    const at::Tensor home = ramTensor(700 * kMiB).fill_(1);
    // Room for what is expected beside the home, with its share of holes, and half of the home.
    HeapWatch watch = watching(1100 * kMiB, residentBytes() + 820 * kMiB);
    EXPECT_TRUE(watch.before(0)); // it learns, as wherever there is room
    EXPECT_EQ(home.numel(), 700 * kMiB);
}

TEST_F(HeapWatchTest, givesBackOnlyBeforeThePeakOnceItIsKnown) {
    const at::Tensor large = filled(1100 * kMiB);
    const std::vector<int64_t> points{64, 512, 64, 64};
    HeapWatch watch;
    watch.expect(1700 * kMiB, int64_t{1} << 40); // a limit that leaves room
    EXPECT_EQ(trimsOfPass(watch, points), 4);
    for (int pass = 0; pass < 2;
         ++pass) { // before the peak, and once more where a real heap keeps more holes
        const int64_t trims = trimsOfPass(watch, points);
        EXPECT_GE(trims, 1);
        EXPECT_LE(trims, 2);
    }
    watch.expect(1710 * kMiB); // another plan
    EXPECT_EQ(trimsOfPass(watch, points), 4);
}

} // namespace

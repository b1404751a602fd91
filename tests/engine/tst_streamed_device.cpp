// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Streamed parameters when memory is short, and how long their home lives.
#include "core/engine/memory/parameter_store.h"
#include "core/engine/memory/ram_tensor.h"

#include <gtest/gtest.h>

using namespace homebooth::core;

namespace {

constexpr int64_t kElements = 1 << 14;
constexpr int64_t kBlockBytes = kElements * 4;

/// Blocks of one parameter each, one after another.
Schedule chain(int blocks, bool sameNames = false) {
    Schedule schedule;
    ValueId value = schedule.addInput({.name = "x", .channels = 1});
    for (int i = 0; i < blocks; ++i) {
        BlockSpec block;
        block.name = "b" + std::to_string(i);
        block.parameters = {{.name = sameNames ? "weight" : block.name + ".weight", .shape = {kElements}}};
        value = schedule.add(block, {value}, {{.name = block.name, .channels = 1}})[0];
    }
    schedule.addOutput(value);
    return schedule;
}

ParameterStore::Options streamed() {
    ParameterStore::Options options;
    options.chunkBytes = kBlockBytes;
    options.streaming = StreamingOptions{};
    return options;
}

/// Runs a pass; whether each block had its number in every element.
bool passes(ParameterStore& store, const std::vector<int>& order) {
    store.beginPass(order);
    bool right = true;
    for (const int block : order) {
        right = right && store.acquire(block)[0].eq(block).all().item<bool>();
        store.release(block);
    }
    return right;
}

class StreamedDeviceTest : public testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    void TearDown() override { limitDeviceTier(0); }
};

TEST_F(StreamedDeviceTest, goesOnAfterAnArenaThatDidNotFit) {
    const Schedule schedule = chain(4);
    ParameterStore store(schedule, streamed());
    for (int block = 0; block < 4; ++block) store.parameter({block, 0}).fill_(block);
    const std::vector<int> small = {0};
    const std::vector<int> large = {0, 1, 2, 3, 2, 1};
    EXPECT_TRUE(passes(store, small));
    limitDeviceTier(tierUse(Tier::Device).currentBytes + kBlockBytes / 2);
    EXPECT_THROW(store.beginPass(large), c10::OutOfMemoryError);
    EXPECT_TRUE(passes(store, small)); // there is no half-adopted plan
    limitDeviceTier(0);
    EXPECT_TRUE(passes(store, large));
    EXPECT_TRUE(passes(store, small));
}

/// What transfers take (their number times the link's latency, and bytes over bandwidth) is no reason for one
/// size of chunks or another: a block's chunks move together, and their padding stays.
TEST_F(StreamedDeviceTest, movesTheSameInAsManyTransfersWhateverTheChunks) {
    const Schedule schedule = chain(4);
    for (const int64_t chunkBytes : {int64_t{4096}, kBlockBytes / 4, kBlockBytes, 4 * kBlockBytes}) {
        ParameterStore::Options options = streamed();
        options.chunkBytes = chunkBytes;
        ParameterStore store(schedule, options);
        for (int block = 0; block < 4; ++block) store.parameter({block, 0}).fill_(block);
        EXPECT_TRUE(passes(store, {0, 1, 2, 3, 2, 1, 0}));
        const LinkTraffic traffic = store.traffic();
        EXPECT_GE(traffic.copies, 4) << chunkBytes;
        EXPECT_EQ(traffic.bytes, traffic.copies * kBlockBytes) << chunkBytes;
        ParameterStore whole(schedule, streamed());
        for (int block = 0; block < 4; ++block) whole.parameter({block, 0}).fill_(block);
        EXPECT_TRUE(passes(whole, {0, 1, 2, 3, 2, 1, 0}));
        EXPECT_EQ(traffic.copies, whole.traffic().copies) << chunkBytes;
    }
}

/// A block has other places in forward and in backward, but the same in every pass.
TEST_F(StreamedDeviceTest, makesTheViewsOfAPlaceOnce) {
    const Schedule schedule = chain(4);
    ParameterStore store(schedule, streamed());
    for (int block = 0; block < 4; ++block) store.parameter({block, 0}).fill_(block);
    std::vector<at::Tensor> before; // so that no address is used again
    for (int pass = 0; pass < 3; ++pass) {
        const std::vector<int> order = {0, 1, 2, 3, 3, 2, 1, 0};
        store.beginPass(order);
        for (size_t use = 0; use < order.size(); ++use) {
            const at::Tensor view = store.acquire(order[use])[0];
            EXPECT_TRUE(view.eq(order[use]).all().item<bool>());
            EXPECT_TRUE(store.copyInUse({order[use], 0}).is_same(view));
            if (pass == 0) before.push_back(view);
            EXPECT_TRUE(before[use].is_same(view)) << "pass " << pass << ", use " << use;
            store.release(order[use]);
        }
        store.endPass();
    }
}

TEST_F(StreamedDeviceTest, aHomeLivesAsLongAsItsLastView) {
    const int64_t before = tierUse(Tier::Ram).currentBytes;
    const Schedule schedule = chain(2);
    at::Tensor view;
    {
        ParameterStore store(schedule, streamed());
        view = store.parameter({1, 0});
        view.fill_(7);
        EXPECT_EQ(tierUse(Tier::Ram).currentBytes - before, 2 * kBlockBytes);
    }
    EXPECT_EQ(view.sum().item<double>(), 7.0 * kElements);
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes - before, kBlockBytes); // of its block
    view.reset();
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes, before);
}

TEST_F(StreamedDeviceTest, aStoreThatCouldNotBeMadeTakesNothing) {
    const int64_t before = tierUse(Tier::Ram).currentBytes;
    const Schedule schedule = chain(2, /*sameNames=*/true);
    EXPECT_THROW(ParameterStore(schedule, streamed()), c10::Error);
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes, before);
}

TEST_F(StreamedDeviceTest, whatMustNotBeIsRefusedByItsSize) {
    EXPECT_THROW((void)ramTensor(int64_t{1} << 60), c10::OutOfMemoryError);
    EXPECT_EQ(ramTensor(0).numel(), 0);
}

} // namespace

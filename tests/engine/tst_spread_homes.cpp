// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of which a rank has its part: what is in memory while they are loaded, where a block is when it
// computes, and that what was there before is never taken for what is there now. The other ranks are
// pretended: what they have is zeros.
#include "core/base/config/byte_size.h"
#include "core/base/swap/stale_swap.h"
#include "core/engine/parallel/rank_disk.h"
#include "core/engine/parallel/spread_homes.h"
#include "rank_parts.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kPageBytes = 4096;

class SpreadHomesTest : public ::testing::Test, protected RankParts {
protected:
    static void SetUpTestSuite() {
        meterHostMemory();
        at::set_num_threads(1); // one tensor is read at a time
    }

    void SetUp() override { ASSERT_NO_FATAL_FAILURE(open()); }

    [[nodiscard]] ParameterStore::Options spread() const {
        ParameterStore::Options options;
        options.spread = std::make_shared<SpreadHomes>(*m_ranks, *m_schedule);
        return options;
    }

    [[nodiscard]] ParameterStore::Options streamed() const {
        ParameterStore::Options options = spread();
        options.streaming.emplace();
        return options;
    }

    /// What a block is where the other ranks have zeros.
    void expectOwnAmongZeros(const std::vector<at::Tensor>& found, const ParameterStore& whole,
                             int block) const {
        for (const ParameterId id : parametersOf(block)) {
            at::Tensor expected = at::zeros_like(whole.parameter(id));
            own(expected, id).copy_(own(whole.parameter(id), id));
            EXPECT_TRUE(at::equal(found.at(static_cast<size_t>(id.index)), expected))
                << m_schedule->blocks()[static_cast<size_t>(block)].name << ", " << id.index;
        }
    }
};

int64_t deviceBytes() {
    return tierUse(Tier::Device).currentBytes;
}

TEST_F(SpreadHomesTest, loadingTakesAPartAndABlock) {
    const auto whole = loaded({});
    int64_t all = 0;
    int64_t largest = 0;
    int64_t pages = 0;
    for (int block = 0; block < blockCount(); ++block) {
        all += whole->paddedBytes(block);
        largest = std::max(largest, whole->paddedBytes(block));
        pages += 2 * kPageBytes; // where a part begins and ends
    }
    const int64_t before = deviceBytes();
    restartTierPeak(Tier::Device);
    const auto store = loaded(spread());
    const int64_t peak = tierUse(Tier::Device).peakBytes - before;
    std::cout << "of " << all << " bytes " << store->residentBytes() << " are held, " << peak
              << " while they were loaded\n";
    EXPECT_LE(store->residentBytes(), all / kRanks + pages);
    EXPECT_LE(peak, all / kRanks + pages + 2 * largest); // read, and in the order of the parameter
    EXPECT_LT(peak, all / 2);
    for (int block = 0; block < blockCount(); ++block)
        for (const ParameterId id : parametersOf(block))
            EXPECT_TRUE(at::equal(own(store->parameter(id), id), own(whole->parameter(id), id)));
}

TEST_F(SpreadHomesTest, whatIsDrawnIsTheSamePart) {
    ParameterStore whole(*m_schedule, {});
    ParameterStore part(*m_schedule, spread());
    for (ParameterStore* store : {&whole, &part}) initialiseParameters(*store, 7);
    for (int block = 0; block < blockCount(); ++block)
        for (const ParameterId id : parametersOf(block))
            EXPECT_TRUE(at::equal(own(part.parameter(id), id), own(whole.parameter(id), id)));
    EXPECT_LT(part.residentBytes(), whole.residentBytes() / 2);
}

TEST_F(SpreadHomesTest, whoComputesAloneHasAllUntilThen) {
    const auto whole = loaded({});
    for (ParameterStore::Options options : {spread(), streamed()}) {
        options.startsWhole = true;
        const auto store = loaded(options);
        const int64_t sent = m_ranks->collective().traffic().sentBytes;
        store->beginPass({0, 1});
        for (const int block : {0, 1}) {
            const std::vector<at::Tensor>& parameters = store->acquire(block);
            for (const ParameterId id : parametersOf(block))
                EXPECT_TRUE(at::equal(parameters.at(static_cast<size_t>(id.index)), whole->parameter(id)));
            store->release(block);
        }
        store->endPass();
        EXPECT_EQ(m_ranks->collective().traffic().sentBytes, sent);
        store->becomeSpread();
        EXPECT_LT(store->residentBytes() + store->streamedBytes(), whole->residentBytes() / 2);
        store->beginPass({0});
        expectOwnAmongZeros(store->acquire(0), *whole, 0);
        store->release(0);
        store->endPass();
    }
}

TEST_F(SpreadHomesTest, streamedBlocksAreOnTheDeviceForTheirUseAlone) {
    const auto whole = loaded({});
    const int64_t device = deviceBytes();
    const int64_t ram = tierUse(Tier::Ram).currentBytes;
    const auto store = loaded(streamed());
    EXPECT_EQ(deviceBytes(), device);
    const int64_t held = tierUse(Tier::Ram).currentBytes - ram;
    EXPECT_EQ(store->streamedBytes(), held);
    EXPECT_LT(held, whole->residentBytes() / 2);
    const std::vector<int> order{0, 1, 2, 2, 1, 0};
    store->beginPass(order);
    for (const int block : order) {
        expectOwnAmongZeros(store->acquire(block), *whole, block);
        EXPECT_GT(deviceBytes(), device);
        store->release(block);
    }
    store->endPass();
    EXPECT_EQ(deviceBytes(), device);
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes - ram, held);
    // The one at the turn comes once.
    EXPECT_EQ(store->traffic().bytes,
              2 * (store->fetchBytes(0) + store->fetchBytes(1)) + store->fetchBytes(2));
}

/// Others ask alike, wherever a rank has its blocks.
TEST_F(SpreadHomesTest, homesOfBothTiersAskForTheSame) {
    const std::vector<int> order{0, 1, 2, 2, 1, 0};
    std::vector<int64_t> sent;
    for (const ParameterStore::Options& options : {spread(), streamed()}) {
        const auto store = loaded(options);
        const int64_t before = m_ranks->collective().traffic().sentBytes;
        store->beginPass(order);
        for (const int block : order) {
            static_cast<void>(store->acquire(block));
            store->release(block);
        }
        store->endPass();
        sent.push_back(m_ranks->collective().traffic().sentBytes - before);
    }
    EXPECT_GT(sent[0], 0);
    EXPECT_EQ(sent[1], sent[0]);
}

/// As on one device: a use that nobody planned would have the other ranks wait.
TEST_F(SpreadHomesTest, aUseInAWrongStateIsAnAssertion) {
    const auto whole = loaded({});
    for (const ParameterStore::Options& options : {spread(), streamed()}) {
        const auto store = loaded(options);
        EXPECT_THROW(store->release(0), c10::Error); // before it is used
        store->beginPass({0, 0, 1});
        static_cast<void>(store->acquire(0));
        EXPECT_THROW(static_cast<void>(store->acquire(0)), c10::Error); // while it is
        store->release(0);
        EXPECT_THROW(store->release(0), c10::Error); // and when it is not any more
        store->beginPass({1, 0});
        for (const int block : {1, 0}) {
            expectOwnAmongZeros(store->acquire(block), *whole, block);
            store->release(block);
        }
        store->endPass();
    }
}

TEST_F(SpreadHomesTest, aPassThatEndedEarlyLeavesNothingBehind) {
    for (const ParameterStore::Options& options : {spread(), streamed()}) {
        const auto store = loaded(options);
        const ParameterId id = parametersOf(0).front();
        store->beginPass({0, 0}); // it would stay for the second use
        static_cast<void>(store->acquire(0));
        store->release(0);
        store->endPass();
        own(store->parameter(id), id).fill_(7.0); // as an update does
        store->beginPass({0});
        const std::vector<at::Tensor>& parameters = store->acquire(0);
        at::Tensor expected = at::zeros_like(parameters.front());
        own(expected, id).fill_(7.0);
        EXPECT_TRUE(at::equal(parameters.front(), expected));
        store->release(0);
        store->endPass();
    }
}

TEST_F(SpreadHomesTest, whatAPassThatEndedEarlyHasAskedForIsAskedForAnew) {
    const auto whole = loaded({});
    for (const ParameterStore::Options& options : {spread(), streamed()}) {
        const auto store = loaded(options);
        store->beginPass({0, 1}); // 1 is on its way while 0 computes
        static_cast<void>(store->acquire(0));
        store->release(0);
        store->endPass();
        const ParameterId id = parametersOf(1).front();
        own(store->parameter(id), id).fill_(7.0);
        store->beginPass({1, 0});
        const std::vector<at::Tensor>& parameters = store->acquire(1);
        at::Tensor expected = at::zeros_like(parameters.front());
        own(expected, id).fill_(7.0);
        EXPECT_TRUE(at::equal(parameters.front(), expected));
        store->release(1);
        expectOwnAmongZeros(store->acquire(0), *whole, 0);
        store->release(0);
        store->endPass();
    }
}

TEST_F(SpreadHomesTest, aBlockMovesBetweenTheTiersWithItsPart) {
    const auto whole = loaded({});
    const auto store = loaded(spread());
    const int64_t all = store->residentBytes();
    store->place(StreamingOptions{}, {true});
    const int64_t staying = store->residentBytes();
    EXPECT_LT(staying, all);
    EXPECT_EQ(store->streamedBytes(), all - staying);
    store->beginPass({0, 1});
    for (const int block : {0, 1}) {
        expectOwnAmongZeros(store->acquire(block), *whole, block);
        store->release(block);
    }
    store->endPass();
    store->place(std::nullopt, {});
    EXPECT_EQ(store->streamedBytes(), 0);
    store->beginPass({1});
    expectOwnAmongZeros(store->acquire(1), *whole, 1);
    store->release(1);
    store->endPass();
}

TEST(RankDisk, isAFolderWithAShareOfTheSpace) {
    MemoryConfig memory;
    memory.swapDir = "/disk";
    memory.swapBytes = int64_t{12} << 30;
    const DiskPlace alone = diskOf(memory, Ranks::lone(), SwapDevice::system());
    EXPECT_EQ(alone.folder, "/disk");
    EXPECT_EQ(alone.limitBytes, memory.swapBytes);
    const auto ranks = Ranks::pretended(kRanks);
    const DiskPlace one = diskOf(memory, *ranks, SwapDevice::system());
    EXPECT_EQ(one.folder, "/disk/rank-0");
    EXPECT_EQ(one.limitBytes, memory.swapBytes / kRanks);
    memory.swapDir.clear();
    EXPECT_TRUE(diskOf(memory, *ranks, SwapDevice::system()).folder.empty());
}

/// The size in a refusal, bytes.
int64_t namedIn(const Error& refusal) {
    const std::string words = "expected at least ";
    const size_t begin = refusal.message.find(words) + words.size();
    const auto named = parseByteSize(refusal.message.substr(begin, refusal.message.find(" MiB") + 4 - begin));
    EXPECT_TRUE(named.ok()) << refusal.message;
    return named ? *named : 0;
}

TEST(RankDisk, holdsAllFilesOfAllProcessesToTheLimit) {
    constexpr int64_t kBytes = (int64_t{3} << 30) + 5000; // of one
    MemoryConfig memory;
    memory.swapDir = "/disk";
    const auto ranks = Ranks::pretended(kRanks);
    EXPECT_TRUE(checkDiskLimit(memory, *ranks, kBytes).ok()); // no limit was named
    memory.swapBytes = kRanks * kBytes;
    EXPECT_TRUE(checkDiskLimit(memory, *ranks, kBytes).ok());
    --memory.swapBytes;
    const auto refused = checkDiskLimit(memory, *ranks, kBytes);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    EXPECT_NE(refused.error().message.find(" for " + std::to_string(kRanks) + " processes"),
              std::string::npos)
        << refused.error().message;
    memory.swapBytes = namedIn(refused.error());
    EXPECT_TRUE(checkDiskLimit(memory, *ranks, kBytes).ok());
}

TEST(RankDisk, takesWhatARefusalNames) {
    constexpr int64_t kBytes = (int64_t{5} << 20) + 1;
    DiskPlace place{scratchFolder("rank-disk-limit"), int64_t{5} << 20};
    const auto refused = makeDiskTier(place, kBytes, "states");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    place.limitBytes = namedIn(refused.error());
    EXPECT_TRUE(makeDiskTier(place, kBytes, "states").ok());
}

TEST(RankDisk, isClearedOfWhatMoreProcessesHaveLeft) {
    const std::string root = scratchFolder("rank-disk");
    const std::string left = root + "/rank-5/" + swapFileName(false);
    const std::string other = root + "/photos/" + swapFileName(false);
    for (const std::string& file : {left, other}) {
        fs::create_directories(fs::path(file).parent_path());
        std::ofstream(file) << "of nobody";
    }
    DiskPlace place{root + "/rank-0"};
    place.isOfRank = true;
    for (const DiskPlace& one : {place, DiskPlace{root}}) {
        std::ofstream(left) << "of nobody";
        const auto made = makeDiskTier(one, int64_t{1} << 20, "states");
        ASSERT_TRUE(made.ok()) << made.error().text();
        EXPECT_FALSE(fs::exists(left));
        EXPECT_TRUE(fs::exists(other)); // no rank's
    }
    place.folder = root + "/nowhere/rank-0";
    EXPECT_FALSE(makeDiskTier(place, int64_t{1} << 20, "states").ok()); // what was named has to be there
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of parameters as a rank with a GPU keeps them: what is there of them at home, that blocks are whole
// for their use, and that they survive every move. Host memory stands for the GPU's; where there is one, on
// it, too. The other ranks are pretended: what they have is zeros.
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/parallel/spread_homes.h"
#include "rank_parts.h"
#include "usable_gpu.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <gtest/gtest.h>

namespace homebooth::core::testing {
namespace {

class PackedHomesTest : public ::testing::TestWithParam<at::DeviceType>, protected RankParts {
protected:
    void SetUp() override {
        if (GetParam() == at::kCUDA && !hasGpu()) GTEST_SKIP() << "there is no GPU";
        ASSERT_NO_FATAL_FAILURE(open());
        m_whole = loaded({});
    }

    [[nodiscard]] static at::Device device() {
        return GetParam() == at::kCUDA ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    }

    [[nodiscard]] ParameterStore::Options packed(bool streamed = false) const {
        ParameterStore::Options options;
        options.device = device();
        options.spread = std::make_shared<PackedHomes>(*m_ranks, *m_schedule, device());
        if (streamed) options.streaming.emplace();
        return options;
    }

    void expectOwnAtHome(const ParameterStore& store) const {
        for (int block = 0; block < blockCount(); ++block)
            for (const ParameterId id : parametersOf(block))
                EXPECT_TRUE(at::equal(own(store.parameter(id), id).cpu(), own(m_whole->parameter(id), id)));
    }

    /// Acquires these blocks in turn: each is this rank's part among zeros.
    void expectUses(ParameterStore& store, const std::vector<int>& order) const {
        store.beginPass(order);
        for (const int block : order) {
            const std::vector<at::Tensor>& found = store.acquire(block);
            for (const ParameterId id : parametersOf(block)) {
                at::Tensor expected = at::zeros_like(m_whole->parameter(id));
                own(expected, id).copy_(own(m_whole->parameter(id), id));
                const at::Tensor& parameter = found.at(static_cast<size_t>(id.index));
                EXPECT_EQ(parameter.device().type(), GetParam());
                EXPECT_TRUE(at::equal(parameter.cpu(), expected));
            }
            store.release(block);
        }
        store.endPass();
    }

    /// On a GPU: acquires block 1, with which block 2 is asked for, behind tens of milliseconds of products.
    /// @return  happens when they are done
    [[nodiscard]] c10::Event askBehindProducts(ParameterStore& store) const {
        constexpr int kProducts = 30;
        const std::vector<int> order{0, 1, 2};
        expectUses(store, order); // its memory is there
        const at::Tensor matrix = at::ones({4096, 4096}, at::TensorOptions().device(device()));
        at::Tensor product = at::mm(matrix, matrix);
        store.beginPass(order);
        static_cast<void>(store.acquire(0)); // asks for the next one, ahead of the products
        for (int i = 0; i < kProducts; ++i) at::mm_out(product, matrix, matrix);
        c10::Event computed(at::kCUDA);
        computed.record(c10::impl::VirtualGuardImpl(at::kCUDA).getStream(matrix.device()));
        store.release(0);
        static_cast<void>(store.acquire(1));
        return computed;
    }

    std::unique_ptr<ParameterStore> m_whole;
};

TEST_P(PackedHomesTest, holdItsPartAndNoMore) {
    for (const bool streamed : {false, true}) {
        const auto store = loaded(packed(streamed));
        expectOwnAtHome(*store);
        int64_t most = 0;
        for (int block = 0; block < blockCount(); ++block)
            most += m_whole->paddedBytes(block) / kRanks +
                    static_cast<int64_t>(parametersOf(block).size()) * kParameterAlignment +
                    2 * kShardUnit * 4; // where slices are cut
        const int64_t held = streamed ? store->streamedBytes() : store->residentBytes();
        EXPECT_GT(held, 0);
        EXPECT_LE(held, most);
        EXPECT_EQ(streamed ? store->residentBytes() : store->streamedBytes(), 0);
    }
}

TEST_P(PackedHomesTest, areWholeForTheirUse) {
    for (const bool streamed : {false, true}) {
        const auto store = loaded(packed(streamed));
        expectUses(*store, {0, 1, 2, 2, 1, 0});
        expectOwnAtHome(*store);
    }
}

TEST_P(PackedHomesTest, areNotUsedTwiceAtATime) {
    for (const bool streamed : {false, true}) {
        const auto store = loaded(packed(streamed));
        store->beginPass({0, 0});
        static_cast<void>(store->acquire(0));
        EXPECT_THROW(static_cast<void>(store->acquire(0)), c10::Error);
        store->release(0);
        EXPECT_THROW(store->release(0), c10::Error);
        expectUses(*store, {0, 1});
    }
}

TEST_P(PackedHomesTest, changesOfTheOwnPartAreSeenAtTheNextUse) {
    const auto store = loaded(packed());
    const ParameterId id = parametersOf(0).front();
    store->beginPass({0, 0});
    static_cast<void>(store->acquire(0));
    store->release(0);
    store->endPass(); // early
    own(store->parameter(id), id).fill_(7.0);
    store->beginPass({0});
    at::Tensor expected = at::zeros_like(m_whole->parameter(id));
    own(expected, id).fill_(7.0);
    EXPECT_TRUE(at::equal(store->acquire(0).front().cpu(), expected));
    store->release(0);
    store->endPass();
}

TEST_P(PackedHomesTest, changesOfWhatWasAskedForInVainAreSeenAtTheNextUse) {
    const auto store = loaded(packed(true));
    const ParameterId id = parametersOf(1).front();
    store->beginPass({0, 1});
    static_cast<void>(store->acquire(0)); // asks for the next one
    store->release(0);
    store->endPass(); // early
    own(store->parameter(id), id).fill_(7.0);
    store->beginPass({1});
    at::Tensor expected = at::zeros_like(m_whole->parameter(id));
    own(expected, id).fill_(7.0);
    EXPECT_TRUE(at::equal(store->acquire(1).front().cpu(), expected));
    store->release(1);
    store->endPass();
}

TEST_P(PackedHomesTest, partsInRamAreSentWhileTheDeviceComputes) {
    if (GetParam() != at::kCUDA) GTEST_SKIP() << "host memory stands for the device";
    const auto store = loaded(packed(true));
    const c10::Event computed = askBehindProducts(*store);
    EXPECT_FALSE(computed.query());
    store->release(1);
    store->endPass(); // early
    expectUses(*store, {0, 1, 2});
}

/// What was asked for in vain has been read when it is forgotten: its home may change, move or end then.
TEST_P(PackedHomesTest, nothingIsReadAnyMoreOfWhatIsForgotten) {
    if (GetParam() != at::kCUDA) GTEST_SKIP() << "host memory stands for the device";
    const auto store = loaded(packed(true));
    const c10::Event computed = askBehindProducts(*store);
    store->release(1);
    store->endPass(); // early
    EXPECT_FALSE(computed.query());
    store->beginPass({0});
    EXPECT_TRUE(computed.query()); // what was to be read comes after it
    store->endPass();
}

/// Bytes without their time say nothing of how fast a link is.
TEST_P(PackedHomesTest, countAsStreamedWhereTheirTimeIsKnown) {
    const auto store = loaded(packed(true));
    expectUses(*store, {0, 1, 2, 2, 1, 0});
    const int64_t bytes = 2 * (store->fetchBytes(0) + store->fetchBytes(1)) + store->fetchBytes(2);
    for (const bool moved : {false, true}) {
        if (moved) store->place(StreamingOptions{}, {true});
        const LinkTraffic streamed = store->streamTraffic();
        EXPECT_EQ(store->traffic().bytes, bytes);
        EXPECT_EQ(store->traffic().copies, 5);
        EXPECT_EQ(streamed.bytes, GetParam() == at::kCUDA ? 0 : bytes);
        EXPECT_EQ(streamed.busySeconds > 0.0, streamed.bytes > 0);
    }
}

TEST_P(PackedHomesTest, askForTheSameWhereverTheyLie) {
    const std::vector<int> order{0, 1, 2, 2, 1, 0};
    std::vector<int64_t> sent;
    for (const bool streamed : {false, true}) {
        const auto store = loaded(packed(streamed));
        const int64_t before = m_ranks->collective().traffic().sentBytes;
        expectUses(*store, order);
        sent.push_back(m_ranks->collective().traffic().sentBytes - before);
    }
    ParameterStore::Options pages; // of a rank on a processor
    pages.spread = std::make_shared<SpreadHomes>(*m_ranks, *m_schedule);
    const auto store = loaded(pages);
    const int64_t before = m_ranks->collective().traffic().sentBytes;
    store->beginPass(order);
    for (const int block : order) {
        static_cast<void>(store->acquire(block));
        store->release(block);
    }
    store->endPass();
    sent.push_back(m_ranks->collective().traffic().sentBytes - before);
    EXPECT_GT(sent[0], 0);
    EXPECT_EQ(sent[1], sent[0]);
    EXPECT_EQ(sent[2], sent[0]);
}

TEST_P(PackedHomesTest, moveBetweenTheTiersWithTheirPart) {
    const auto store = loaded(packed());
    const int64_t all = store->residentBytes();
    store->place(StreamingOptions{}, {true});
    const int64_t staying = store->residentBytes();
    EXPECT_LT(staying, all);
    EXPECT_EQ(store->streamedBytes(), all - staying);
    EXPECT_EQ(store->parameter({0, 0}).device().type(), GetParam());
    EXPECT_TRUE(store->parameter({1, 0}).is_cpu());
    expectOwnAtHome(*store);
    expectUses(*store, {0, 1});
    store->place(std::nullopt, {});
    EXPECT_EQ(store->streamedBytes(), 0);
    expectOwnAtHome(*store);
    expectUses(*store, {1, 0});
}

TEST_P(PackedHomesTest, whoComputesAloneHasAllUntilThen) {
    for (const bool streamed : {false, true}) {
        ParameterStore::Options options = packed(streamed);
        options.startsWhole = true;
        const auto store = loaded(options);
        const int64_t sent = m_ranks->collective().traffic().sentBytes;
        store->beginPass({0, 1});
        for (const int block : {0, 1}) {
            const std::vector<at::Tensor>& found = store->acquire(block);
            for (const ParameterId id : parametersOf(block))
                EXPECT_TRUE(at::equal(found.at(static_cast<size_t>(id.index)).cpu(), m_whole->parameter(id)));
            store->release(block);
        }
        store->endPass();
        EXPECT_EQ(m_ranks->collective().traffic().sentBytes, sent);
        store->becomeSpread();
        EXPECT_LT(store->residentBytes() + store->streamedBytes(), m_whole->residentBytes());
        expectOwnAtHome(*store);
        expectUses(*store, {0});
    }
}

std::string deviceName(const ::testing::TestParamInfo<at::DeviceType>& info) {
    return info.param == at::kCUDA ? "Gpu" : "Host";
}

INSTANTIATE_TEST_SUITE_P(Devices, PackedHomesTest, ::testing::Values(at::kCPU, at::kCUDA), deviceName);

TEST(SpreadFor, suitsTheDeviceThatARehearsalStandsFor) {
    auto model = openModel(defaultModel());
    ASSERT_TRUE(model.ok()) << model.error().text();
    const Schedule schedule = unetSchedule(model->unet);
    const auto ranks = Ranks::pretended(kRanks);
    EXPECT_TRUE(spreadFor(*ranks, schedule, at::kCPU)->gathersAtHome());
    for (const at::DeviceType computing : {at::kCPU, at::kCUDA}) {
        const RehearsedMemory rehearsed(computing);
        EXPECT_EQ(spreadFor(*ranks, schedule, at::kMeta)->gathersAtHome(), computing == at::kCPU);
    }
}

/// What a rehearsal counts is what is there.
TEST(PackedHomes, areCountedInARehearsalAsTheyAre) {
    auto model = openModel(defaultModel());
    ASSERT_TRUE(model.ok()) << model.error().text();
    const Schedule schedule = unetSchedule(model->unet);
    const auto ranks = Ranks::pretended(kRanks);
    const auto held = [&](at::Device device, bool streamed) {
        ParameterStore::Options options;
        options.device = device;
        options.spread = std::make_shared<PackedHomes>(*ranks, schedule, device);
        if (streamed) options.streaming.emplace();
        const ParameterStore store(schedule, options);
        return streamed ? store.streamedBytes() : store.residentBytes();
    };
    for (const bool streamed : {false, true}) {
        const int64_t real = held(at::kCPU, streamed);
        const RehearsedMemory rehearsed(at::kCUDA);
        EXPECT_EQ(held(at::kMeta, streamed), real);
        EXPECT_GE(rehearsed.use(streamed ? Tier::Ram : Tier::Device).peakBytes, real);
    }
}

} // namespace
} // namespace homebooth::core::testing

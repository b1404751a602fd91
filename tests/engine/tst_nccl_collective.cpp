// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One rank with real calls of NCCL, which refuses two on one GPU: what it is given comes back, in every type,
// and what a training exchanges goes its way.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/model_open.h"
#include "core/engine/collective/lone_collective.h"
#include "core/engine/collective/nccl_collective.h"
#include "core/engine/io/weights.h"
#include "core/engine/jobs/cuda_libraries.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/parallel/shard_gather.h"
#include "tests/engine/usable_gpu.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace homebooth::core {
namespace {

TEST(NcclCollective, isNotThereWithoutLibTorchsCudaHalf) {
    if (cudaIsUsable()) GTEST_SKIP() << "it is there";
    LoneCollective beside;
    const auto met = meetOverNccl(beside, {});
    ASSERT_FALSE(met);
    EXPECT_NE(met.error().text().find("NCCL"), std::string::npos) << met.error().text();
    const auto found = findNccl();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), met.error().text());
}

TEST(NcclCollective, ofOneRankHasItsOwnSumsAndShards) {
    if (!testing::hasGpu()) GTEST_SKIP() << "there is no GPU";
    LoneCollective beside;
    const auto met = meetOverNccl(beside, {});
    ASSERT_TRUE(met) << met.error().text();
    Collective& rank = **met;
    const at::Device gpu(at::kCUDA, 0);
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
        const at::Tensor brought = at::randn({9'000'007}).to(gpu, type);
        const at::Tensor shard = at::empty_like(brought);
        rank.wait(rank.reduceScatter(shard, brought));
        EXPECT_TRUE(shard.equal(brought)) << type;
        const at::Tensor whole = at::empty_like(brought);
        rank.wait(rank.allGather(whole, shard));
        EXPECT_TRUE(whole.equal(brought)) << type;
        const at::Tensor few = brought.slice(0, 0, 1000).clone();
        rank.wait(rank.allReduce(few));
        rank.wait(rank.broadcast(few, 0));
        EXPECT_TRUE(few.equal(brought.slice(0, 0, 1000))) << type;
    }
    EXPECT_EQ(rank.traffic().sentBytes, 0);
    rank.wait(0);
}

/// Loses its other rank when it is told to.
class LosingCollective final : public Collective {
public:
    [[nodiscard]] int rank() const override { return m_lone.rank(); }
    [[nodiscard]] int ranks() const override { return m_lone.ranks(); }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override {
        return m_lone.allGather(whole, shard);
    }
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override {
        return m_lone.reduceScatter(shard, whole);
    }
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override {
        return m_lone.allReduce(values);
    }
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override {
        return m_lone.broadcast(values, root);
    }
    void wait(CollectiveTicket ticket) override { m_lone.wait(ticket); }
    void requireAll() override {
        if (lost) throw RankLost({ErrorCode::Internal, "rank 1 is gone", {}});
    }
    [[nodiscard]] CollectiveTraffic traffic() const override { return m_lone.traffic(); }

    bool lost = false;

private:
    LoneCollective m_lone;
};

TEST(NcclCollective, endsWithTheRankThatProcessorsHaveLost) {
    if (!testing::hasGpu()) GTEST_SKIP() << "there is no GPU";
    LosingCollective beside;
    const auto met = meetOverNccl(beside, {});
    ASSERT_TRUE(met) << met.error().text();
    Collective& rank = **met;
    const at::Tensor values = at::ones({100}, at::TensorOptions().device(at::kCUDA));
    rank.wait(rank.allReduce(values));
    rank.requireAll();
    beside.lost = true;
    EXPECT_THROW(rank.requireAll(), RankLost);
    EXPECT_THROW(static_cast<void>(rank.allReduce(values)), RankLost);
    EXPECT_THROW(rank.wait(1), RankLost);
}

std::unique_ptr<Ranks> joinedRank() {
    auto ranks =
        std::make_unique<Ranks>(std::make_unique<LoneCollective>(), std::make_unique<LoneCollective>());
    const auto joined = ranks->joinGpus(at::Device(at::kCUDA, 0));
    EXPECT_TRUE(joined.ok()) << (joined.ok() ? "" : joined.error().text());
    return ranks;
}

TEST(Ranks, exchangeOnTheGpuWhatLiesThere) {
    if (!testing::hasGpu()) GTEST_SKIP() << "there is no GPU";
    const auto ranks = joinedRank();
    Collective& both = ranks->collective();
    const int64_t before = both.traffic().collectives; // the meeting's
    for (const at::DeviceType device : {at::kCPU, at::kCUDA, at::kCPU}) {
        const at::Tensor brought = at::randn({1000}).to(device);
        const at::Tensor shard = at::empty_like(brought);
        both.wait(both.reduceScatter(shard, brought));
        EXPECT_TRUE(shard.equal(brought));
    }
    EXPECT_EQ(both.traffic().collectives - before, 3);
    EXPECT_EQ(ranks->sum(2.0), 2.0);
}

/// All of a training's own ways over NCCL that need no second rank: blocks for their use, and parameters
/// after a step, of which some lie in RAM.
TEST(Ranks, putBlocksTogetherOverNccl) {
    if (!testing::hasGpu()) GTEST_SKIP() << "there is no GPU";
    const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/resources/models/sketch");
    ASSERT_TRUE(model.ok()) << model.error().text();
    const Schedule schedule = unetSchedule(model->unet);
    const auto ranks = joinedRank();
    ParameterStore::Options options;
    options.device = at::Device(at::kCUDA, 0);
    ParameterStore whole(schedule, options);
    options.streaming.emplace();
    options.resident = {true};
    ParameterStore streamed(schedule, options);
    options.spread = spreadFor(*ranks, schedule, options.device);
    ParameterStore spread(schedule, options);
    for (ParameterStore* store : {&whole, &streamed, &spread}) initialiseParameters(*store, 7);
    gatherParameters(*ranks, streamed, ShardLayout(schedule, 1));
    spread.beginPass({0, 1});
    for (const int block : {0, 1}) {
        const std::vector<at::Tensor>& found = spread.acquire(block);
        for (int index = 0; index < static_cast<int>(found.size()); ++index) {
            const at::Tensor expected = whole.parameter({block, index});
            EXPECT_TRUE(found[static_cast<size_t>(index)].equal(expected));
            EXPECT_TRUE(streamed.parameter({block, index}).cpu().equal(expected.cpu()));
        }
        spread.release(block);
    }
    spread.endPass();
    EXPECT_GT(ranks->collective().traffic().collectives, 2);
}

} // namespace
} // namespace homebooth::core

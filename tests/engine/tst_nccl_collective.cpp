// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One rank with real calls of NCCL, which refuses two on one GPU: what it is given comes back, in every type.
#include "core/engine/collective/lone_collective.h"
#include "core/engine/collective/nccl_collective.h"
#include "core/engine/jobs/cuda_libraries.h"

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
}

TEST(NcclCollective, ofOneRankHasItsOwnSumsAndShards) {
    if (!cudaIsUsable()) GTEST_SKIP() << "there is no GPU";
    LoneCollective beside;
    const auto met = meetOverNccl(beside, {});
    ASSERT_TRUE(met) << met.error().text();
    Collective& rank = **met;
    const at::Device gpu(at::kCUDA, 0);
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
        const at::Tensor brought = at::randn({100'003}).to(gpu, type);
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

} // namespace
} // namespace homebooth::core

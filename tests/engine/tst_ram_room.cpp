// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the RAM tier that share pages, or have their own.
#include "core/engine/memory/ram_room.h"
#include "core/engine/memory/tier_meter.h"

#include <gtest/gtest.h>

#include <vector>

namespace homebooth::core {
namespace {

int64_t held() {
    return tierUse(Tier::Ram).currentBytes;
}

TEST(RamRoom, givesZerosThatDoNotOverlap) {
    RamRoom room(at::kCPU);
    std::vector<at::Tensor> taken;
    const std::vector<int64_t> sizes = {1, 7, 5000, 262143, 262144, 0, 300000, 12};
    for (int round = 0; round < 8; ++round)
        for (const int64_t size : sizes) {
            taken.push_back(room.take({size}, {1}, at::kFloat));
            EXPECT_TRUE(at::equal(taken.back(), at::zeros({size})));
            taken.back().fill_(static_cast<double>(taken.size()));
        }
    for (size_t i = 0; i < taken.size(); ++i)
        EXPECT_TRUE(at::equal(taken[i], at::full_like(taken[i], static_cast<double>(i + 1)))) << i;
}

TEST(RamRoom, keepsTheOrderOfMemory) {
    RamRoom room(at::kCPU);
    const at::Tensor taken = room.take({2, 3, 4, 5}, {60, 1, 15, 3}, at::kByte);
    EXPECT_TRUE(taken.is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST(RamRoom, sharesPagesAmongSmallOnesAndGivesThemBack) {
    const int64_t before = held();
    {
        RamRoom room(at::kCPU);
        std::vector<at::Tensor> small;
        for (int i = 0; i < 100; ++i) small.push_back(room.take({1000}, {1}, at::kFloat));
        EXPECT_EQ(held() - before, RamRoom::kSharedBytes);
        const at::Tensor large = room.take({RamRoom::kOwnPages}, {1}, at::kByte);
        EXPECT_EQ(held() - before, RamRoom::kSharedBytes + RamRoom::kOwnPages);
    }
    EXPECT_EQ(held(), before);
}

} // namespace
} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the RAM tier that lie with others of their block.
#include "core/engine/memory/parameter_views.h"
#include "core/engine/memory/ram_room.h"
#include "core/engine/memory/tier_meter.h"

#include <gtest/gtest.h>

#include <vector>

namespace homebooth::core {
namespace {

int64_t held() {
    return tierUse(Tier::Ram).currentBytes;
}

constexpr int64_t kBlockBytes = 64000;

TEST(RamRoom, givesZerosThatDoNotOverlap) {
    RamRoom room(at::kCPU, {kBlockBytes, 1000 * kBlockBytes});
    std::vector<at::Tensor> taken;
    const std::vector<int64_t> sizes = {1, 7, 5000, 262143, 262144, 0, 300000, 12};
    for (int round = 0; round < 8; ++round)
        for (const int64_t size : sizes) {
            taken.push_back(room.take(round % 2, {size}, {1}, at::kFloat));
            EXPECT_TRUE(at::equal(taken.back(), at::zeros({size})));
            taken.back().fill_(static_cast<double>(taken.size()));
        }
    for (size_t i = 0; i < taken.size(); ++i)
        EXPECT_TRUE(at::equal(taken[i], at::full_like(taken[i], static_cast<double>(i + 1)))) << i;
}

TEST(RamRoom, keepsTheOrderOfMemory) {
    RamRoom room(at::kCPU, {kBlockBytes});
    (void)room.take(0, {3}, {1}, at::kByte);
    const at::Tensor taken = room.take(0, {2, 3, 4, 5}, {60, 1, 15, 3}, at::kFloat);
    EXPECT_TRUE(taken.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_EQ(taken.scalar_type(), at::kFloat);
}

/// Whatever is taken in between for other blocks.
TEST(RamRoom, putsABlocksTensorsBehindOneAnother) {
    RamRoom room(at::kCPU, {kBlockBytes, kBlockBytes});
    const at::Tensor first = room.take(0, {33}, {1}, at::kByte);
    const at::Tensor other = room.take(1, {100}, {1}, at::kByte);
    const at::Tensor second = room.take(0, {16}, {1}, at::kFloat);
    const auto* begin = static_cast<const std::byte*>(first.const_data_ptr());
    EXPECT_EQ(static_cast<const std::byte*>(second.const_data_ptr()) - begin, kParameterAlignment);
    EXPECT_TRUE(first.is_alias_of(second)); // one storage: what is between them is nobody else's
    EXPECT_FALSE(first.is_alias_of(other));
}

TEST(RamRoom, givesABlocksPagesBackWithTheLastOfItsTensors) {
    constexpr int64_t kTakenBytes = 4032; // of 1000 numbers, with what aligns them
    const int64_t before = held();
    RamRoom room(at::kCPU, {16 * kTakenBytes});
    for (int round = 0; round < 2; ++round) { // as where states move away and come back
        std::vector<at::Tensor> all;
        for (int i = 0; i < 16; ++i) all.push_back(room.take(0, {1000}, {1}, at::kFloat));
        EXPECT_EQ(held() - before, 16 * kTakenBytes);
        const at::Tensor last = all.back();
        all.clear();
        EXPECT_EQ(held() - before, 16 * kTakenBytes);
        EXPECT_TRUE(at::equal(last, at::zeros({1000})));
    }
    EXPECT_EQ(held(), before);
}

} // namespace
} // namespace homebooth::core

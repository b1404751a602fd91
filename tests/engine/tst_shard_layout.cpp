// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/shard_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace homebooth::core::testing {
namespace {

/// A block that learns, one that does not, and one with parameters of very different sizes.
Schedule scheduleOf(const std::vector<std::vector<int64_t>>& blocks) {
    Schedule schedule;
    for (size_t block = 0; block < blocks.size(); ++block) {
        BlockSpec spec;
        spec.name = "block" + std::to_string(block);
        for (size_t index = 0; index < blocks[block].size(); ++index) {
            ParameterSpec parameter;
            parameter.name = spec.name + "." + std::to_string(index);
            parameter.shape = {std::abs(blocks[block][index])};
            parameter.trainable = blocks[block][index] > 0;
            spec.parameters.push_back(parameter);
        }
        static_cast<void>(schedule.add(std::move(spec), {}, {}));
    }
    return schedule;
}

} // namespace

TEST(ShardLayout, givesEveryElementToOneRankAndCutsBetweenUnits) {
    const Schedule schedule = scheduleOf({{1000, 7, 320, 4096, 1}, {-500}, {3}, {100000, -64, 12345}});
    for (const int ranks : {1, 2, 3, 8}) {
        const ShardLayout layout(schedule, ranks);
        for (int block = 0; block < layout.blockCount(); ++block)
            for (const ParameterId id : layout.members(block)) {
                int64_t next = 0;
                for (int rank = 0; rank < ranks; ++rank) {
                    const ElementRange range = layout.range(rank, id);
                    if (range.count == 0) continue;
                    EXPECT_EQ(range.begin, next);
                    EXPECT_EQ(range.begin % kShardUnit, 0);
                    EXPECT_LE(layout.offset(rank, id) + range.count, layout.sliceElements(block));
                    next = range.begin + range.count;
                }
                EXPECT_EQ(next, schedule.blocks()[block].parameters[id.index].shape[0]);
            }
        EXPECT_EQ(layout.sliceElements(1), 0);
        EXPECT_TRUE(layout.members(1).empty());
    }
}

TEST(ShardLayout, slicesAreAboutEqual) {
    const Schedule schedule = scheduleOf({{100000, 64, 12345, 70000}});
    for (const int ranks : {2, 3, 8}) {
        const ShardLayout layout(schedule, ranks);
        EXPECT_LE(layout.sliceElements(0), 182409 / ranks + 2 * kShardUnit);
    }
}

TEST(ShardLayout, piecesOfASliceLieOneBehindTheOther) {
    const Schedule schedule = scheduleOf({{1000, 7, 320, 4096, 1}});
    const ShardLayout layout(schedule, 3);
    for (int rank = 0; rank < 3; ++rank) {
        int64_t next = 0;
        for (const ParameterId id : layout.members(0)) {
            const ElementRange range = layout.range(rank, id);
            if (range.count == 0) continue;
            EXPECT_EQ(layout.offset(rank, id), next);
            next += range.count;
        }
    }
}

/// What is exchanged has one type, so parameters of several types lie in several layouts, each in one.
TEST(ShardLayout, keepsTypesApart) {
    Schedule schedule = scheduleOf({{-2000, -3000, -64, -500, 700}});
    std::vector<ParameterSpec>& parameters = schedule.blocks()[0].parameters;
    parameters[1].storage = StorageType::Int8;
    parameters[2].storage = StorageType::Float32;
    parameters[4].storage = StorageType::Float32; // learns
    const std::vector<std::pair<ShardedParameters, std::vector<int>>> expected = {
        {ShardedParameters::Trainable, {4}},
        {ShardedParameters::Frozen, {0, 3}},
        {ShardedParameters::FrozenIntegers, {1}},
        {ShardedParameters::FrozenScales, {2}}};
    for (const auto& [which, indices] : expected) {
        const ShardLayout layout(schedule, 2, which);
        std::vector<int> found;
        for (const ParameterId id : layout.members(0)) found.push_back(id.index);
        EXPECT_EQ(found, indices);
    }
}

} // namespace homebooth::core::testing

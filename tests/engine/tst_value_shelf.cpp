// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that lie in RAM between their uses: the same bytes, less of the device.
#include "step_plan_support.h"

#include "core/engine/memory/value_shelf.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr int64_t kSteps = 3;

class ValuesInRam : public StepPlanTest {
protected:
    ValuesInRam() {
        m_config.batchSize = 2;
        m_config.data.resolutionPixels = 256;
        m_config.optimizer.learningRate = 1e-3;
        m_config.memory.policy = PlacementPolicy::Cpu;
    }

    /// Streamed over a slow link.
    [[nodiscard]] StepPlan alike(KeptForBackward kept, bool valuesInRam) const {
        StepPlacement homes;
        homes.streaming.emplace();
        homes.valuesInRam = valuesInRam;
        auto plan = planAlike(m_config, m_model, m_speed, kept, homes);
        if (!plan) throw std::runtime_error(plan.error().text());
        return std::move(*plan);
    }

    struct Trained {
        std::vector<NamedTensor> weights;
        int64_t devicePeakBytes = 0;
        ShelfTraffic values;
    };
    [[nodiscard]] Trained trained(const StepPlan& plan) const {
        const int64_t before = tierUse(Tier::Device).currentBytes;
        const auto steps = trial(plan, {500e6, 1e-4});
        restartTierPeak(Tier::Device);
        at::manual_seed(7); // batches are drawn
        for (int64_t step = 1; step <= kSteps; ++step) steps->run(step);
        Trained found;
        found.devicePeakBytes = tierUse(Tier::Device).peakBytes - before;
        found.values = steps->parts().front().component->executor().shelfTraffic();
        for (const NamedTensor& one : steps->learner().resultTensors(0))
            found.weights.push_back({one.name, one.tensor.clone()});
        return found;
    }
};

void expectEqual(const std::vector<NamedTensor>& actual, const std::vector<NamedTensor>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i)
        EXPECT_TRUE(at::equal(actual[i].tensor, expected[i].tensor)) << actual[i].name;
}

TEST_F(ValuesInRam, changeNoBitAndTakeLessOfTheDevice) {
    for (const KeptForBackward kept : {KeptForBackward::Inputs, KeptForBackward::Products}) {
        const Trained staying = trained(alike(kept, false));
        const Trained leaving = trained(alike(kept, true));
        expectEqual(leaving.weights, staying.weights);
        EXPECT_LT(leaving.devicePeakBytes, staying.devicePeakBytes); // by how much hangs on the processor
        EXPECT_EQ(staying.values.leftBytes, 0);
        EXPECT_GT(leaving.values.leftBytes, 0);
        EXPECT_GE(leaving.values.fetchedBytes, leaving.values.leftBytes); // skips come back twice
    }
}

TEST_F(ValuesInRam, areChosenWhereNothingElseFits) {
    const StepPlan staying = alike(KeptForBackward::Inputs, false);
    const StepPlan leaving = alike(KeptForBackward::Inputs, true);
    ASSERT_LT(leaving.need.devicePeakBytes, staying.need.devicePeakBytes);
    const int64_t budget = (leaving.need.devicePeakBytes + staying.need.devicePeakBytes) / 2;
    const auto found = plan({budget, 0, kPlenty});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_TRUE(found->placement.valuesInRam);
    EXPECT_LE(found->need.devicePeakBytes, budget);
    EXPECT_GT(found->need.valueBytesPerStep, 0);
    const Trained unlimited = trained(staying);
    limitDeviceTier(tierUse(Tier::Device).currentBytes + budget);
    expectEqual(trained(*found).weights, unlimited.weights);
    EXPECT_THROW(trained(staying), c10::OutOfMemoryError);
}

TEST_F(ValuesInRam, waitForTheirCopiesWhereAPassEndsEarly) {
    const StepPlan plan = alike(KeptForBackward::Inputs, true);
    const auto steps = trial(plan);
    Executor& executor = steps->parts().front().component->executor();
    for (const int stop : {2, 9, 20, 33}) {
        executor.setObserver([stop](int done, int) {
            if (done == stop) throw std::runtime_error("stopped");
        });
        EXPECT_THROW(steps->run(1), std::runtime_error);
        executor.discard();
    }
}

/// A forward of four blocks in a row and backward, with one value that skips them.
TEST(TurnsOfValues, leaveOutWhatOthersHold) {
    Schedule schedule;
    const ValueId input = schedule.addInput({.name = "x", .channels = 1});
    std::vector<ValueId> values = {input};
    for (int i = 0; i < 4; ++i) {
        BlockSpec block;
        block.name = "b" + std::to_string(i);
        std::vector<ValueId> read = {values.back()};
        if (i == 3) read.push_back(values[1]);
        values.push_back(schedule.add(block, read, {{.name = block.name, .channels = 1}})[0]);
    }
    schedule.addOutput(values.back());
    const auto turns = turnsOfValues(schedule, {false, true, true, true});
    EXPECT_TRUE(turns[input].empty());
    EXPECT_EQ(turns[values[1]], (std::vector<int>{1, 3, 4, 6}));
    EXPECT_EQ(turns[values[2]], (std::vector<int>{2, 5}));
    EXPECT_TRUE(turns[values[4]].empty());
}

} // namespace

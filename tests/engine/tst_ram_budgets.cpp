// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// RAM beside the device that is too little, or used up altogether: refused with a figure that is enough.
#include "core/engine/planning/tier_kinds.h"
#include "step_plan_support.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

class RamBudgets : public StepPlanTest {
protected:
    RamBudgets() {
        m_config.memory.device = ComputeDevice::Cpu; // whatever this machine has
        m_config.data.resolutionPixels = 64;         // parameters count more than activations
        m_config.batchSize = 2;
    }

    /// Refused for want of RAM with a figure that is enough, and no more than that.
    void expectRefusal(StepBudget budget) const {
        const auto refused = plan(budget);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
        const int64_t enough = ramNamedIn(refused.error());
        ASSERT_GT(enough, 0) << refused.error().message;
        budget.ramBytes = enough - budget.ramProgramBytes;
        const auto found = plan(budget);
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_TRUE(found->placement.streaming.has_value());
        *budget.ramBytes -= kMebibyte;
        EXPECT_FALSE(plan(budget).ok());
    }
};

TEST_F(RamBudgets, thatAreUsedUpAreRefusedWithWhatIsEnough) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    for (const int64_t left : {int64_t{1000}, int64_t{0}, -kPlenty}) expectRefusal({kPlenty, 0, left});
}

TEST_F(RamBudgets, thatHoldSomeOfTheBlocksAreEnoughWhereOthersStay) {
    const auto resident = plan({kPlenty});
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto streamed = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(resident.ok() && streamed.ok());
    m_config.memory.policy = PlacementPolicy::Auto;
    m_speed.linkBytesPerSecond = 1e7;
    StepBudget budget{resident->need.devicePeakBytes * 8 / 10, 0, kPlenty};
    const auto mixed = plan(budget);
    ASSERT_TRUE(mixed.ok()) << mixed.error().text();
    ASSERT_LT(mixed->need.ramPeakBytes, streamed->need.ramPeakBytes);
    budget.ramBytes = mixed->need.ramPeakBytes;
    const auto found = plan(budget);
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_TRUE(found->placement.streaming.has_value());
    EXPECT_LE(found->need.ramPeakBytes, *budget.ramBytes);
    EXPECT_LE(found->need.devicePeakBytes, budget.deviceBytes);
    budget.ramBytes = kMebibyte;
    EXPECT_FALSE(plan(budget).ok());
}

TEST_F(RamBudgets, thatTheProgramSharesCountIt) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepBudget budget{kPlenty, 0, -5 * kMebibyte};
    budget.ramProgramBytes = 105 * kMebibyte;
    expectRefusal(budget);
    EXPECT_NE(plan(budget).error().message.find("100 MiB may be used"), std::string::npos);
}

TEST_F(RamBudgets, thatTheUserLimitsDoForTheWholeRun) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.memory.deviceBytes = kPlenty / 8;
    StepBudget budget{m_config.memory.deviceBytes, 0, 0};
    const int64_t ofSteps = ramNamedIn(plan(budget).error());
    budget.split.limitBytes = kMebibyte;
    const int64_t named = ramNamedIn(plan(budget).error());
    EXPECT_GT(named, ofSteps);
    budget.ramBytes = named;
    const auto found = plan(budget);
    ASSERT_TRUE(found.ok()) << found.error().text();
    const TierPeaks peaks = tierPeaksOf(found->need);
    StepNeed need;
    need.device = peaks.device;
    need.ram = peaks.ram;
    EXPECT_TRUE(planTraining(m_config, m_model, {false, 0, named}, need).ok());
}

/// No tier lets all stay where it computes; a tier with nothing left is asked for its part.
TEST_F(RamBudgets, thatAreUsedUpAreNotTakenForNone) {
    m_config.memory.policy = PlacementPolicy::Auto;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok()) << resident.error().text();
    EXPECT_TRUE(plan({kPlenty, 0, 0}).ok()); // which needs none
    const int64_t tight = resident->need.devicePeakBytes * 45 / 100;
    const auto alone = plan({tight});
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(ramNamedIn(alone.error()), 0);
    expectRefusal({tight, 0, 0});
}

TEST_F(RamBudgets, thatAreUsedUpAreNamedBesideADeviceThatIsTooSmall) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto refused = plan({1, 0, 0});
    ASSERT_FALSE(refused.ok());
    EXPECT_GT(ramNamedIn(refused.error()), 0) << refused.error().message;
    const auto device = plan({1, 0, kPlenty});
    ASSERT_FALSE(device.ok());
    EXPECT_EQ(ramNamedIn(device.error()), 0) << device.error().message;
}

/// With values in RAM the device is large enough, so RAM is what to ask for.
TEST_F(RamBudgets, thatValuesDoNotFitIntoAreWhatIsRefused) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 256; // values count
    const auto peakWith = [this](bool valuesInRam) {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.valuesInRam = valuesInRam;
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes)->need.devicePeakBytes;
    };
    ASSERT_LT(peakWith(true), peakWith(false));
    const int64_t between = (peakWith(true) + peakWith(false)) / 2;
    ASSERT_TRUE(plan({between, 0, kPlenty}).ok());
    expectRefusal({between, 0, 0});
}

} // namespace

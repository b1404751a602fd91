// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that share updates between the device and the processor beside it, and the room and the bus that
// updates have.
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/visiting_plans.h"
#include "step_plan_support.h"

#include <algorithm>
#include <cmath>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

/// Where link and processor take about as long, each has some of the updates.
TEST_F(StepPlanning, sharesUpdatesBetweenDeviceAndProcessor) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    const int64_t budget = resident->need.devicePeakBytes * 6 / 10;
    m_speed.linkBytesPerSecond = 1e7; // whose bytes count more than its latency
    m_speed.updatesBeside = true;
    int shared = 0;
    for (const double elementsPerSecond : {6e5, 1e6, 2e6, 4e6}) {
        m_speed.updatedInRamPerSecond = elementsPerSecond;
        const auto found = plan({budget, 0, kPlenty});
        ASSERT_TRUE(found.ok()) << found.error().text();
        const UpdatedBlocks blocks = updatedBlocks(found->need);
        if (blocks.visiting == 0 || blocks.visiting == blocks.all) continue;
        ++shared;
        EXPECT_LE(measured(*found, budget + (int64_t{1} << 20)), budget + (int64_t{1} << 20));
        const StepNeed need = stepNeedOf(m_config, *found, "a test");
        const std::string says = "those of " + std::to_string(blocks.visiting) + " of " +
                                 std::to_string(blocks.all) + " streamed blocks come to the device";
        EXPECT_TRUE(std::any_of(need.decisions.begin(), need.decisions.end(), [&](const PlanDecision& one) {
            return one.text.find(says) != std::string::npos;
        })) << says;
        for (const bool allVisit : {true, false}) { // neither way alone takes as little
            StepPlacement alone = found->placement;
            alone.updatedAtHome.clear();
            alone.streaming->updatesOnDevice = allVisit;
            PlacementPlanner planner(m_config, m_model, {budget, 0, kPlenty}, StepCosts(m_speed, nullptr, 1));
            const auto other = planUpdating(planner, alone, allVisit);
            EXPECT_TRUE(!other || other->stepSeconds > found->stepSeconds) << allVisit;
        }
    }
    EXPECT_GE(shared, 1);
}

/// A plan that is told again after its steps were measured has run.
TEST_F(StepPlanning, saysThatUpdatesWereNeverRunOnlyBeforeStepsWereMeasured) {
    m_config.data.resolutionPixels = 64;
    m_speed.updatesBeside = true;
    const auto says = [&](bool visits, bool measured, const std::string& words) {
        const StepPlacement homes{.streaming = StreamingOptions{.updatesOnDevice = visits}};
        auto found = planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
        EXPECT_TRUE(found.ok());
        found->measured = measured;
        const StepNeed need = stepNeedOf(m_config, *found, "a test");
        return std::any_of(need.decisions.begin(), need.decisions.end(), [&](const PlanDecision& one) {
            return one.text.find(words) != std::string::npos;
        });
    };
    EXPECT_TRUE(says(true, false, "never run on a GPU"));
    EXPECT_FALSE(says(true, true, "never run on a GPU"));
    EXPECT_TRUE(says(true, true, "streamed blocks come to the device"));
    EXPECT_FALSE(says(false, false, "never run on a GPU"));
}

/// About the share that was asked for, in blocks between the others.
TEST_F(StepPlanning, spreadsUpdatesAtHomeOverTheBlocks) {
    m_config.data.resolutionPixels = 64;
    const auto need = rehearseStep(m_config, m_model, {.streaming = StreamingOptions{}});
    ASSERT_TRUE(need.ok()) << need.error().text();
    int64_t largest = 0;
    for (const RehearsedBlock& block : need->blocks) largest = std::max(largest, block.updatedElements);
    for (const double share : {0.0, 0.25, 0.5, 1.0}) {
        const auto atHome = updatedAtHome(*need, share);
        double lacking = 0.0;
        for (const RehearsedBlock& block : need->blocks) {
            const bool isAtHome = atHome.at(block.part).at(static_cast<size_t>(block.block));
            lacking += (share - (isAtHome ? 1.0 : 0.0)) * static_cast<double>(block.updatedElements);
            EXPECT_LE(std::abs(lacking), 0.5 * static_cast<double>(largest) + 1.0) << block.name;
        }
    }
}

/// What is forced for a measurement has the room that a run would give it.
TEST_F(StepPlanning, letsGradientsWaitWithinABudgetWhereAllBlocksAreAlike) {
    m_config.data.resolutionPixels = 64;
    m_model.unet.blockOutChannels = {32, 64, 64}; // gradients count more than activations
    const StepPlacement homes{.streaming = StreamingOptions{}};
    const auto alike = [&](int64_t deviceBytes) {
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes, deviceBytes);
    };
    const auto quick = alike(0);
    ASSERT_TRUE(quick.ok()) << quick.error().text();
    int helped = 0;
    for (const double slower : {0.3, 0.5, 0.7, 1.0, 1.5, 3.0}) {
        m_speed.linkBytesPerSecond =
            static_cast<double>(quick->need.linkBytesPerStep) / quick->stepSeconds / slower;
        const auto bare = alike(0);
        const auto roomy = alike(kPlenty);
        ASSERT_TRUE(bare.ok() && roomy.ok());
        EXPECT_EQ(bare->need.devicePeakBytes, quick->need.devicePeakBytes);
        EXPECT_LE(roomy->stepSeconds, bare->stepSeconds);
        if (roomy->need.devicePeakBytes == bare->need.devicePeakBytes) continue;
        ++helped;
        for (size_t block = 0; block < roomy->need.blocks.size(); ++block)
            EXPECT_GT(roomy->need.blocks[block].gradientRoomBytes,
                      bare->need.blocks[block].gradientRoomBytes);
        const int64_t limit = (bare->need.devicePeakBytes + roomy->need.devicePeakBytes) / 2;
        const auto within = alike(limit);
        ASSERT_TRUE(within.ok());
        EXPECT_LE(within->need.devicePeakBytes, limit);
        EXPECT_LE(measured(*within, limit + (int64_t{1} << 20)), limit + (int64_t{1} << 20));
    }
    EXPECT_GE(helped, 1);
}

/// Where steps are quicker than was thought, their gradients wait for a link that was thought to hide.
TEST_F(StepPlanning, grantsGradientsRoomOnceMoreByWhatStepsTook) {
    m_config.data.resolutionPixels = 64;
    m_model.unet.blockOutChannels = {32, 64, 64};
    const StepPlacement homes{.streaming = StreamingOptions{}};
    const auto alike = [&] {
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes, kPlenty);
    };
    m_speed.linkBytesPerSecond = 1e12; // hidden
    const auto first = alike();
    ASSERT_TRUE(first.ok()) << first.error().text();
    MeasuredStep measured = evenly(*first, 1e-4);
    measured.linkBytesPerSecond = static_cast<double>(first->need.linkBytesPerStep) /
                                  (2e-4 * static_cast<double>(first->need.blocks.size()));
    const auto poor = timedAgain(m_config, m_model, m_speed, measured, *first);
    const auto again = timedAgain(m_config, m_model, m_speed, measured, *first, kPlenty);
    ASSERT_TRUE(poor.ok() && again.ok());
    EXPECT_EQ(poor->need.devicePeakBytes, first->need.devicePeakBytes);
    EXPECT_GT(again->need.devicePeakBytes, first->need.devicePeakBytes);
    EXPECT_LT(again->stepSeconds, poor->stepSeconds);
}

/// A bus may carry less in each direction while both are in use.
TEST_F(StepPlanning, reckonsWithTheBusBothWaysWhereStatesVisit) {
    m_config.data.resolutionPixels = 64;
    m_speed.linkBytesPerSecond = 1e8;
    m_speed.updatesBeside = true;
    const auto seconds = [&](bool visits, double bothWays) {
        m_speed.linkBothWaysBytesPerSecond = bothWays;
        const StepPlacement homes{.streaming = StreamingOptions{.updatesOnDevice = visits}};
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes)->stepSeconds;
    };
    EXPECT_EQ(seconds(false, 5e7), seconds(false, 0.0));
    EXPECT_GT(seconds(true, 5e7), seconds(true, 0.0));
    EXPECT_EQ(seconds(true, 2e8), seconds(true, 0.0));
}

} // namespace

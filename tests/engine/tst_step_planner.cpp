// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of training steps: what is promised for a budget holds under a hard limit of that size.
#include "core/engine/planning/placement_planner.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/resident_blocks.h"
#include "step_plan_support.h"

#include <algorithm>
#include <limits>
#include <optional>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr double kMargin = 0.03; // what a plan may miss the measured peak by

/// All of them may wait for as long as they like.
void grantAllGradients(StepPlacement& placement) {
    for (auto& ofPart : placement.gradientRoom)
        std::fill(ofPart.begin(), ofPart.end(), std::numeric_limits<int64_t>::max());
}

TEST_F(StepPlanning, keepsEverythingWhereThereIsRoom) {
    const auto found = plan({kPlenty});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_FALSE(found->placement.streaming.has_value());
    EXPECT_GT(found->wholeGraphs, 0);
    EXPECT_EQ(found->recomputed + found->partlyKept, 0);
    const int64_t all = found->wholeGraphs;
    m_config.lora.rank = 2;
    m_config.method = TrainMethod::Lora; // what lies in front of its first part has no backward
    const auto addOn = plan({kPlenty});
    ASSERT_TRUE(addOn.ok()) << addOn.error().text();
    EXPECT_EQ(addOn->recomputed, 0);
    EXPECT_LT(addOn->partlyKept + addOn->wholeGraphs, all);
}

TEST_F(StepPlanning, takesLessTimeTheMoreMemoryThereIsAndHoldsEveryBudget) {
    const auto roomy = plan({kPlenty});
    ASSERT_TRUE(roomy.ok());
    const auto refused = plan({roomy->need.devicePeakBytes / 8});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    double before = 0.0;
    int mixed = 0;
    for (int percent = 100; percent >= 40; percent -= 10) {
        const int64_t budget = roomy->need.devicePeakBytes * percent / 100;
        const auto found = plan({budget});
        if (!found) { // below the least that there is
            EXPECT_NE(found.error().message.find("at least"), std::string::npos);
            break;
        }
        EXPECT_LE(found->need.devicePeakBytes, budget);
        EXPECT_GE(found->stepSeconds, before);
        before = found->stepSeconds;
        if (found->wholeGraphs > 0 && found->recomputed + found->partlyKept > 0) ++mixed;
        const auto limit = static_cast<int64_t>(static_cast<double>(budget) * (1.0 + kMargin));
        const int64_t peak = measured(*found, limit);
        EXPECT_NEAR(static_cast<double>(peak), static_cast<double>(found->need.devicePeakBytes),
                    kMargin * static_cast<double>(peak));
    }
    EXPECT_GE(mixed, 2); // between keeping all and keeping nothing it chose block by block
}

/// The figure that a refusal names as enough, bytes; 0 where it names none.
int64_t leastOf(const Result<StepPlan>& refused) {
    if (refused.ok()) return 0;
    const std::string before = "at least ";
    const size_t figure = refused.error().message.find(before);
    if (figure == std::string::npos) return 0;
    return std::stoll(refused.error().message.substr(figure + before.size())) << 20;
}

TEST_F(StepPlanning, namesALeastThatIsEnough) {
    const int64_t least = leastOf(plan({1}));
    ASSERT_GT(least, 0);
    EXPECT_TRUE(plan({least}).ok());
    EXPECT_FALSE(plan({least - (int64_t{1} << 20)}).ok());
}

TEST_F(StepPlanning, givesBothTiersTogetherNoMoreThanTheMemoryTheyShare) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    const int64_t least = leastOf(plan({1, 0, 1, /*oneMemory=*/true}));
    ASSERT_GT(least, 0);
    const auto shared = plan({least, 0, least, /*oneMemory=*/true});
    ASSERT_TRUE(shared.ok()) << shared.error().text();
    EXPECT_LE(shared->need.ramPeakBytes + shared->need.devicePeakBytes, least);
    EXPECT_FALSE(plan({least / 2, 0, least / 2, /*oneMemory=*/true}).ok());
}

TEST_F(StepPlanning, streamsWhereParametersDoNotFitAndThereIsRam) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64; // parameters count more than activations
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    const int64_t budget = resident->need.devicePeakBytes * 45 / 100;
    EXPECT_FALSE(plan({budget}).ok());
    const auto streamed = plan({budget, 0, kPlenty});
    ASSERT_TRUE(streamed.ok()) << streamed.error().text();
    ASSERT_TRUE(streamed->placement.streaming.has_value());
    EXPECT_LE(streamed->need.devicePeakBytes, budget);
    EXPECT_GT(streamed->need.linkBytesPerStep, 0);
    const int64_t peak = measured(*streamed, budget + (int64_t{1} << 20));
    EXPECT_LE(peak, budget + (int64_t{1} << 20));
}

/// Two turns ahead is what a streamed step begins with.
TEST_F(StepPlanning, streamsASingleTurnAheadWhereTwoDoNotFit) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 64;
    m_model.unet.blockOutChannels = {32, 64, 64}; // parameters count more than activations
    const auto leanPeak = [this](int distance, bool valuesInRam) {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.streaming->prefetchDistance = distance;
        homes.valuesInRam = valuesInRam;
        return rehearseStep(m_config, m_model, homes)->devicePeakBytes;
    };
    const int64_t single = std::min(leanPeak(1, false), leanPeak(1, true));
    ASSERT_LT(single, std::min(leanPeak(2, false), leanPeak(2, true)));
    const int64_t budget = single * 50 / 49 + 50; // with what is held back
    const auto found = plan({budget, 0, kPlenty});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_EQ(found->placement.streaming->prefetchDistance, 1);
    EXPECT_LE(found->need.devicePeakBytes, budget);
    const auto limit = static_cast<int64_t>(static_cast<double>(budget) * (1.0 + kMargin));
    EXPECT_LE(measured(*found, limit), limit);
    EXPECT_FALSE(plan({single * 9 / 10, 0, kPlenty}).ok());
}

/// Where the device could do with values in RAM, for which RAM has no room.
TEST_F(StepPlanning, streamsASingleTurnAheadWhereValuesHaveToStay) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_model.unet.blockOutChannels = {32, 64, 64};
    const auto lean = [this](int distance, bool valuesInRam) {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.streaming->prefetchDistance = distance;
        homes.valuesInRam = valuesInRam;
        return *rehearseStep(m_config, m_model, homes);
    };
    int64_t budget = 0; // for a single turn with values on the device, or for two without
    for (const int64_t pixels : {64, 128, 192, 256, 320, 384, 448, 512}) {
        m_config.data.resolutionPixels = pixels;
        budget = std::max(lean(1, false).devicePeakBytes, lean(2, true).devicePeakBytes) * 50 / 49 + 50;
        if (budget < lean(2, false).devicePeakBytes) break;
        budget = 0;
    }
    ASSERT_GT(budget, 0) << "neither a turn nor values ever count enough";
    const int64_t ram = std::max(lean(1, false).ramPeakBytes, lean(2, false).ramPeakBytes);
    ASSERT_LT(ram, lean(2, true).ramPeakBytes);
    const auto found = plan({budget, 0, ram});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_EQ(found->placement.streaming->prefetchDistance, 1);
    EXPECT_FALSE(found->placement.valuesInRam);
    EXPECT_LE(found->need.devicePeakBytes, budget);
    EXPECT_LE(found->need.ramPeakBytes, ram);
}

/// Of the plan that it chose no other distance is clearly faster.
TEST_F(StepPlanning, choosesHowFarAheadBlocksCome) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    int streamed = 0;
    for (const double linkBytesPerSecond : {1e7, 1e8})
        for (const int percent : {80, 60, 45}) {
            m_speed.linkBytesPerSecond = linkBytesPerSecond;
            const StepBudget budget{resident->need.devicePeakBytes * percent / 100, 0, kPlenty};
            const auto found = plan(budget);
            if (!found || !found->placement.streaming) continue;
            ++streamed;
            PlacementPlanner planner(m_config, m_model, budget, {m_speed, nullptr, 1});
            for (const int distance : {1, 2, 3, 5, 8, 12}) {
                StepPlacement homes = found->placement;
                homes.streaming->deviceBytes = 0;
                homes.streaming->prefetchDistance = distance;
                homes.streaming->asSoonAsPossible = !homes.valuesInRam;
                homes.recompute.clear();
                homes.gradientRoom.clear();
                const auto other = planner.plan(homes);
                if (!other) continue;
                EXPECT_LE(kWorthIt * found->stepSeconds, other->stepSeconds * (1.0 + 1e-9))
                    << distance << " turns ahead with " << percent << " % of the memory";
            }
        }
    EXPECT_GE(streamed, 2);
}

TEST_F(StepPlanning, someOfTheBlocksOnTheDeviceIsNeverSlowerThanNone) {
    m_config.data.resolutionPixels = 64;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    int streamed = 0;
    for (const double linkBytesPerSecond : {1e6, 1e7, 1e8})
        for (const int percent : {90, 80, 70, 60, 50}) {
            m_speed.linkBytesPerSecond = linkBytesPerSecond;
            const StepBudget budget{resident->need.devicePeakBytes * percent / 100, 0, kPlenty};
            m_config.memory.policy = PlacementPolicy::Cpu;
            const auto all = plan(budget);
            m_config.memory.policy = PlacementPolicy::Auto;
            const auto some = plan(budget);
            if (!all) continue;
            ASSERT_TRUE(some.ok()) << some.error().text();
            ++streamed;
            EXPECT_LE(kWorthIt * some->stepSeconds, all->stepSeconds * (1.0 + 1e-9))
                << percent << " %, " << linkBytesPerSecond << " B/s";
        }
    EXPECT_GE(streamed, 6);
}

TEST_F(StepPlanning, blocksComeFurtherAheadOverASlowLinkWithPolicyCpu) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 64;
    const StepBudget budget{kPlenty, 0, kPlenty};
    PlacementPlanner planner(m_config, m_model, budget, {m_speed, nullptr, 1});
    StepPlacement homes{.streaming = StreamingOptions{}};
    const auto usual = planner.plan(homes);
    ASSERT_TRUE(usual.ok()) << usual.error().text();
    EXPECT_EQ(plan(budget)->placement.streaming->prefetchDistance, homes.streaming->prefetchDistance);
    int further = 0;
    for (const double linkBytesPerSecond : {1e5, 1e6, 1e7, 1e8}) {
        m_speed.linkBytesPerSecond = linkBytesPerSecond;
        PlacementPlanner slow(m_config, m_model, budget, {m_speed, nullptr, 1});
        const auto asUsual = slow.plan(homes);
        const auto found = plan(budget);
        ASSERT_TRUE(asUsual.ok() && found.ok());
        if (found->placement.streaming->prefetchDistance == homes.streaming->prefetchDistance) continue;
        EXPECT_LT(found->stepSeconds, kWorthIt * asUsual->stepSeconds);
        ++further;
    }
    EXPECT_GE(further, 1);
}

TEST(ResidentCounts, areQuartersOfWhatFits) {
    EXPECT_TRUE(countsToTry(0).empty());
    EXPECT_EQ(countsToTry(1), (std::vector<size_t>{1}));
    EXPECT_EQ(countsToTry(3), (std::vector<size_t>{1, 2, 3}));
    EXPECT_EQ(countsToTry(22), (std::vector<size_t>{5, 11, 16, 22}));
}

/// However many plans there are, none is taken that is slower than the fastest by more than that.
TEST(FastestPlans, theLastOneThatIsAboutAsFastIsTaken) {
    EXPECT_EQ(lastOfFastest({1.0}), 0U);
    EXPECT_EQ(lastOfFastest({2.0, 1.0, 1.5}), 1U);
    EXPECT_EQ(lastOfFastest({1.0, 1.015, 1.03, 1.045}), 1U);
    EXPECT_EQ(lastOfFastest({1.045, 1.03, 1.015, 1.0}), 3U);
}

TEST_F(StepPlanning, fetchesLessIntoAWiderArena) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    m_speed.linkBytesPerSecond = 1e7; // what is fetched is what takes time
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    int64_t before = 0;
    int narrower = 0;
    for (int percent = 90; percent >= 30; percent -= 15) {
        const auto streamed = plan({resident->need.devicePeakBytes * percent / 100, 0, kPlenty});
        if (!streamed) break;
        if (!streamed->placement.streaming) continue;
        EXPECT_GE(streamed->need.linkBytesPerStep, before);
        if (before > 0 && streamed->need.linkBytesPerStep > before) ++narrower;
        before = streamed->need.linkBytesPerStep;
    }
    EXPECT_GE(narrower, 1);
}

TEST_F(StepPlanning, letsGradientsWaitOnlyAsFarAsTheBudgetGoes) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 64;
    m_model.unet.blockOutChannels = {32, 64, 64}; // gradients count more than activations
    m_speed.linkBytesPerSecond = 0.0;             // they leave at once: no room is granted to them
    const auto quick = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(quick.ok()) << quick.error().text();
    m_speed.linkBytesPerSecond = static_cast<double>(quick->need.linkBytesPerStep) / quick->stepSeconds;
    const auto roomy = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(roomy.ok()) << roomy.error().text();
    EXPECT_GE(roomy->need.devicePeakBytes, quick->need.devicePeakBytes);
    const int64_t tight = quick->need.devicePeakBytes * 50 / 49 + 50; // with what is held back
    const auto found = plan({tight, 0, kPlenty});
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_LE(found->need.devicePeakBytes, tight);
    EXPECT_GE(found->stepSeconds, roomy->stepSeconds);
    const auto limit = static_cast<int64_t>(static_cast<double>(tight) * (1.0 + kMargin));
    EXPECT_LE(measured(*found, limit), limit);
}

/// What is granted shows in the peak: gradients get no more of it than spares waiting.
TEST_F(StepPlanning, gradientsGetNoMoreRoomThanHelps) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 64;
    m_model.unet.blockOutChannels = {32, 64, 64};
    m_speed.linkBytesPerSecond = 0.0;
    const auto quick = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(quick.ok()) << quick.error().text();
    int waiting = 0;
    int lean = 0;
    for (const double slower : {0.5, 0.7, 1.0, 1.5}) {
        m_speed.linkBytesPerSecond =
            static_cast<double>(quick->need.linkBytesPerStep) / quick->stepSeconds / slower;
        const auto found = plan({kPlenty, 0, kPlenty});
        ASSERT_TRUE(found.ok()) << found.error().text();
        StepPlacement all = found->placement;
        grantAllGradients(all);
        const auto most = rehearseStep(m_config, m_model, all);
        ASSERT_TRUE(most.ok()) << most.error().text();
        EXPECT_LE(found->need.devicePeakBytes, most->devicePeakBytes);
        StepPlacement none = found->placement;
        none.gradientRoom.clear();
        const auto least = rehearseStep(m_config, m_model, none);
        ASSERT_TRUE(least.ok()) << least.error().text();
        if (found->need.devicePeakBytes > least->devicePeakBytes) ++waiting;
        if (found->need.devicePeakBytes < most->devicePeakBytes) ++lean;
    }
    EXPECT_GE(waiting, 1);
    EXPECT_GE(lean, 1);
}

TEST_F(StepPlanning, keepsTheBlocksOnTheDeviceThatFit) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    m_speed.linkBytesPerSecond = 1e7;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto streamed = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(streamed.ok());
    m_config.memory.policy = PlacementPolicy::Auto;
    const int64_t budget = resident->need.devicePeakBytes * 8 / 10;
    const auto mixed = plan({budget, 0, kPlenty});
    ASSERT_TRUE(mixed.ok()) << mixed.error().text();
    const auto& blocks = mixed->need.blocks;
    const auto away = std::count_if(blocks.begin(), blocks.end(),
                                    [](const RehearsedBlock& block) { return block.streamed; });
    EXPECT_GT(away, 0);
    EXPECT_LT(away, static_cast<std::ptrdiff_t>(blocks.size()));
    EXPECT_LT(mixed->need.linkBytesPerStep, streamed->need.linkBytesPerStep / 2);
    EXPECT_LT(mixed->stepSeconds, streamed->stepSeconds);
    EXPECT_GT(mixed->need.stateBytesInRam, 0);
    EXPECT_LT(mixed->need.stateBytesInRam, mixed->need.stateBytes);
    EXPECT_LE(measured(*mixed, budget + (int64_t{1} << 20)), budget + (int64_t{1} << 20));
}

/// Beside a GPU whose processor updates slowly states come to the device, but not where they may not.
TEST_F(StepPlanning, bringsStatesToTheDeviceWhereTheProcessorIsSlow) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    const int64_t budget = resident->need.devicePeakBytes * 7 / 10;
    m_speed.linkBytesPerSecond = 1e10;
    m_speed.updatesBeside = true;
    const auto visits = [&] {
        const auto found = plan({budget, 0, kPlenty});
        EXPECT_TRUE(found.ok() && found->placement.streaming.has_value());
        if (!found || !found->placement.streaming) return false;
        EXPECT_LE(measured(*found, budget + (int64_t{1} << 20)), budget + (int64_t{1} << 20));
        const StepNeed need = stepNeedOf(m_config, *found, "a test");
        const bool says = std::any_of(need.decisions.begin(), need.decisions.end(),
                                      [](const PlanDecision& one) { return one.code == "link-visits"; });
        EXPECT_EQ(found->placement.streaming->updatesOnDevice, says);
        return says;
    };
    m_speed.updatedInRamPerSecond = 1e12;
    EXPECT_FALSE(visits());
    m_speed.updatedInRamPerSecond = 1e5;
    EXPECT_TRUE(visits());
    m_config.optimizer.maxGradientNorm = 1.0;
    EXPECT_FALSE(visits());
    m_config.optimizer.maxGradientNorm = 0.0;
    m_config.optimizer.kind = OptimizerKind::Adafactor;
    EXPECT_FALSE(visits());
    m_config.optimizer.kind = OptimizerKind::AdamW8bit;
    EXPECT_TRUE(visits());
    m_speed.updatesBeside = false; // the same cores
    EXPECT_FALSE(visits());
}

TEST_F(StepPlanning, refusesAStreamedStepThatRamCannotHold) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto refused = plan({kPlenty, 0, 1000});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    EXPECT_NE(refused.error().message.find("of RAM"), std::string::npos);
}

TEST_F(StepPlanning, keepsWhatTookLongInTheFirstSteps) {
    const auto roomy = plan({kPlenty});
    ASSERT_TRUE(roomy.ok());
    const StepBudget tight{roomy->need.devicePeakBytes * 5 / 10};
    const auto first = plan(tight);
    ASSERT_TRUE(first.ok());
    ASSERT_GT(first->recomputed, 0);
    int followed = 0;
    int tried = 0;
    for (size_t block = 0; block < first->need.blocks.size(); block += 3) {
        MeasuredStep measured = evenly(*first, 1e-3);
        measured.blocks[block][static_cast<size_t>(KeptForBackward::Inputs)]->backward = 100.0;
        const auto again = planAgain(m_config, m_model, tight, m_speed, measured, *first);
        ASSERT_TRUE(again.ok()) << again.error().text();
        EXPECT_TRUE(again->measured);
        EXPECT_LE(again->need.devicePeakBytes, tight.deviceBytes);
        ++tried;
        if (keptOf(*again)[block] != KeptForBackward::Inputs) ++followed;
    }
    EXPECT_EQ(followed, tried); // each fits when it alone is worth it
}

TEST_F(StepPlanning, predictsTheSumOfWhatWasMeasured) {
    const auto roomy = plan({kPlenty});
    ASSERT_TRUE(roomy.ok());
    MeasuredStep measured = evenly(*roomy, 0.25);
    measured.besideSeconds = 3.0;
    const auto blocks = static_cast<double>(roomy->need.blocks.size());
    const auto again = timedAgain(m_config, m_model, m_speed, measured, *roomy);
    ASSERT_TRUE(again.ok());
    EXPECT_NEAR(again->stepSeconds, 0.5 * blocks + 3.0, 1e-9);
}

/// What hand-overs waited for updates on the device is simulated, so it counts once.
TEST_F(StepPlanning, countsWaitingForUpdatesOnTheDeviceOnce) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.data.resolutionPixels = 64;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok());
    const StepBudget budget{resident->need.devicePeakBytes * 7 / 10, 0, kPlenty};
    m_speed.linkBytesPerSecond = 1e10;
    m_speed.updatesBeside = true;
    m_speed.updatedInRamPerSecond = 1e5;
    const auto first = plan(budget);
    ASSERT_TRUE(first.ok() && first->placement.streaming && first->placement.streaming->updatesOnDevice);
    MeasuredStep measured = evenly(*first, 1e-3);
    for (const RehearsedBlock& block : first->need.blocks) measured.places.push_back(updatePlaceOf(block));
    const auto before = timedAgain(m_config, m_model, m_speed, measured, *first);
    ASSERT_TRUE(before.ok());
    for (size_t block = 0; block < measured.blocks.size(); ++block)
        if (measured.places[block].visits)
            for (auto& way : measured.blocks[block]) way->handOver = 10.0;
    const auto fixed = timedAgain(m_config, m_model, m_speed, measured, *first);
    ASSERT_TRUE(fixed.ok());
    EXPECT_EQ(fixed->stepSeconds, before->stepSeconds);
    const auto again = planAgain(m_config, m_model, budget, m_speed, measured, *first);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_TRUE(again->placement.streaming && again->placement.streaming->updatesOnDevice);
    EXPECT_LT(again->stepSeconds, 10.0);
}

TEST_F(StepPlanning, scalesWaysThatWereNotTried) {
    const auto roomy = plan({kPlenty});
    ASSERT_TRUE(roomy.ok());
    // Everything takes three times what the machine's speed says; only the way that was planned was measured.
    MeasuredStep measured;
    StepCosts costs(m_speed, nullptr, 1);
    costs.learn(KeptForBackward::Everything, roomy->need);
    for (size_t block = 0; block < roomy->need.blocks.size(); ++block) {
        TurnSeconds turn = costs.turn(block, KeptForBackward::Everything);
        turn.forward *= 3.0;
        turn.backward *= 3.0;
        measured.blocks.emplace_back()[static_cast<size_t>(KeptForBackward::Everything)] = turn;
    }
    const StepBudget tight{roomy->need.devicePeakBytes * 7 / 10};
    const auto before = plan(tight);
    const auto after = planAgain(m_config, m_model, tight, m_speed, measured, *roomy);
    ASSERT_TRUE(before.ok() && after.ok());
    EXPECT_GT(after->recomputed + after->partlyKept, 0);
    EXPECT_NEAR(after->stepSeconds, 3.0 * before->stepSeconds, 0.2 * before->stepSeconds);
}

/// What RAM has no room for goes to the disk, what is used least first.
TEST_F(StepPlanTest, theDiskTakesAveragesAndGradientsBeforeParameters) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.memory.device = ComputeDevice::Cpu;
    m_config.memory.swapDir = "somewhere"; // nothing is opened for a plan
    m_config.optimizer.emaDecay = 0.9;
    m_config.optimizer.maxGradientNorm = 1.0;
    const auto ramOf = [this](bool states, bool parameters) {
        StepPlacement placement{.streaming = StreamingOptions{}};
        placement.allStatesOnDisk = states;
        placement.streaming->homeOnDisk = parameters;
        return rehearseStep(m_config, m_model, placement)->ramPeakBytes;
    };
    const int64_t nothingOut = ramOf(false, false);
    const int64_t statesOut = ramOf(true, false);
    const int64_t allOut = ramOf(true, true);
    ASSERT_LT(statesOut, nothingOut);
    ASSERT_LT(allOut, statesOut);
    for (const int64_t ram : {nothingOut, statesOut, allOut}) {
        const auto found = plan({kPlenty, 0, ram});
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_EQ(found->placement.allStatesOnDisk, ram < nothingOut);
        EXPECT_EQ(found->placement.streaming->homeOnDisk, ram < statesOut);
        EXPECT_EQ(found->need.gradientBytesOnDisk > 0, ram < nothingOut);
    }
    EXPECT_FALSE(plan({kPlenty, 0, allOut - 1}).ok());
}

/// Where the device has room for a block that stays and RAM lacks it, though not for two turns ahead beside
/// it.
TEST_F(StepPlanTest, aBlockStaysAndTheOthersComeASingleTurnAheadWhereRamLacks) {
    m_config.memory.device = ComputeDevice::Cpu; // whose libraries take next to nothing
    m_config.optimizer.emaDecay = 0.9;
    m_config.memory.policy = PlacementPolicy::Gpu;
    int64_t device = kPlenty;
    for (auto resident = plan({device, 0, kPlenty}); resident.ok(); resident = plan({device, 0, kPlenty}))
        device = resident->need.devicePeakBytes * 9 / 10;

    m_config.memory.policy = PlacementPolicy::Auto;
    int64_t ram = kPlenty;
    std::optional<StepPlan> leanest;
    for (auto mixed = plan({device, 0, ram}); mixed.ok(); mixed = plan({device, 0, ram})) {
        EXPECT_LE(mixed->need.ramPeakBytes, ram);
        EXPECT_LE(mixed->need.devicePeakBytes, device);
        ram = mixed->need.ramPeakBytes - 1;
        leanest = std::move(*mixed);
    }
    ASSERT_TRUE(leanest.has_value());
    EXPECT_FALSE(leanest->placement.resident.empty());
    EXPECT_EQ(leanest->placement.streaming->prefetchDistance, 1);
}

/// Which updates resident blocks itself, and to which nothing is copied from a disk.
TEST_F(StepPlanTest, besideAGpuTheDiskTakesTheStatesOfStreamedBlocks) {
    m_config.memory.device = ComputeDevice::Gpu; // whatever this machine has
    m_config.memory.swapDir = "somewhere";
    const auto resident = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(resident.ok()) << resident.error().text();
    ASSERT_FALSE(resident->placement.streaming.has_value());
    EXPECT_TRUE(resident->placement.diskOfStreamed);
    EXPECT_EQ(resident->need.stateBytesOnDevice, resident->need.stateBytes);
    EXPECT_EQ(resident->need.changingSwappedBytes, 0);
    EXPECT_GE(resident->need.swappedBytes, resident->need.stateBytes); // blocks may be streamed later

    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto streamed = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(streamed.ok()) << streamed.error().text();
    EXPECT_EQ(streamed->need.stateBytesOnDevice, 0);
    EXPECT_EQ(streamed->need.stateBytesInRam, 0);
    EXPECT_EQ(streamed->need.changingSwappedBytes, streamed->need.stateBytes);
    EXPECT_FALSE(plan({kPlenty, 0, streamed->need.ramPeakBytes / 2}).ok()); // parameters stay in RAM
    m_config.memory.swapDir.clear();
    const auto inMemory = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(inMemory.ok());
    EXPECT_FALSE(inMemory->placement.diskOfStreamed);
    EXPECT_LT(streamed->need.ramPeakBytes, inMemory->need.ramPeakBytes);
}

} // namespace

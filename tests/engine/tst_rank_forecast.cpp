// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans for several cards that are not at hand: what each stage of --zero takes of one, and how they agree
// with plans for a single one.
#include "step_plan_support.h"

#include "core/base/plan/ranks/scaling_table.h"
#include "core/base/system/gpu_facts.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_forecast.h"

#include <algorithm>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr int64_t kRanks = 8;

class RankForecast : public StepPlanTest {
protected:
    RankForecast() {
        m_config.data.resolutionPixels = 64;
        m_config.batchSize = kRanks;
        m_config.parallel.processes = kRanks;
        m_config.optimizer.maxGradientNorm = 1.0; // so that gradients rest
        auto card = cardInMachine("RTX 3060", "");
        if (card) m_card = std::move(*card);
    }

    /// SD 1.5 without weights: parts of ranks are not lost among pages and units of shards.
    void takeLargeModel() {
        OpenOptions open;
        open.weightsOptional = true;
        auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", open);
        ASSERT_TRUE(model.ok()) << model.error().text();
        m_model = std::move(*model);
    }

    [[nodiscard]] RankRequest request() const {
        return {m_config, m_model, m_card, m_speed, kRanks * kPlenty};
    }

    CardInMachine m_card;
};

int64_t countOf(const std::vector<PlanDecision>& decisions, const std::string& code) {
    return std::count_if(decisions.begin(), decisions.end(),
                         [&](const PlanDecision& one) { return one.code == code; });
}

bool says(const std::vector<PlanDecision>& decisions, const std::string& words) {
    return std::any_of(decisions.begin(), decisions.end(),
                       [&](const PlanDecision& one) { return one.text.find(words) != std::string::npos; });
}

TEST_F(RankForecast, oneRankTakesWhatThePlainPlanSays) {
    TrainConfig lone = m_config;
    lone.batchSize = 1;
    lone.parallel = {};
    lone.memory.device = ComputeDevice::Gpu;
    const auto plain = planStep(lone, m_model, budgetOf(m_card, lone.memory, kPlenty), m_speed);
    ASSERT_TRUE(plain.ok()) << plain.error().text();
    for (const int64_t zero : {0, 2, 3}) {
        const auto found = planOfRank(request(), 1, zero);
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_EQ(found->need.devicePeakBytes, plain->need.devicePeakBytes);
        EXPECT_EQ(found->stepSeconds, plain->stepSeconds);
        const RankSchedule schedule = rankScheduleOf(m_config, *found, m_speed, zero);
        EXPECT_TRUE(schedule.updatesAtEnd);
        const RankedStep step = simulateRanks(schedule, placesOf(1), {{1.0, 1.0}, {1.0, 1.0}});
        EXPECT_NEAR(step.seconds, plain->stepSeconds, 1e-9 * plain->stepSeconds);
    }
}

TEST_F(RankForecast, theProgramTakesItsPartOfTheRamBesideACard) {
    EXPECT_FALSE(budgetOf(m_card, {}, std::nullopt).ramBytes.has_value());
    const StepBudget budget = budgetOf(m_card, {}, kPlenty);
    ASSERT_TRUE(budget.ramBytes.has_value());
    EXPECT_GT(budget.ramProgramBytes, 0);
    EXPECT_EQ(*budget.ramBytes + budget.ramProgramBytes, kPlenty);
    EXPECT_LT(budgetOf(m_card, {}, 1).ramBytes.value_or(1), 0); // less than that is nothing
}

/// Those who update beside a GPU are those who did when it was measured.
TEST_F(RankForecast, whatTheProcessorUpdatesBesideACardIsWhatWasMeasured) {
    constexpr double kMeasured = 1e9;
    const MachineSpeed speed = speedOf(m_card, m_config, kMeasured);
    EXPECT_EQ(speed.updatedInRamPerSecond, kMeasured);
    EXPECT_TRUE(speed.updatesBeside);
    EXPECT_EQ(speed.updatedElementsPerSecond, speedOf(m_card, m_config, 1.0).updatedElementsPerSecond);
}

/// Whoever plans for the card's name gets what the card would get.
TEST_F(RankForecast, aCardThatIsNotAtHandHasTheMemoryOfOneThatIs) {
    GpuDevice device;
    device.totalBytes = m_card.card.memoryBytes;
    GpuLoad load;
    load.freeBytes = device.totalBytes - (int64_t{450} << 20); // a desktop has the rest
    EXPECT_EQ(budgetOf(m_card, {}, std::nullopt).deviceBytes, usableBytes(device, load));
    MemoryConfig named;
    named.deviceBytes = int64_t{1} << 30;
    EXPECT_EQ(budgetOf(m_card, named, std::nullopt).deviceBytes, named.deviceBytes);
}

/// Streamed steps of a LoRA take less than a picture that is encoded before them.
TEST_F(RankForecast, aCardThatIsTooSmallIsToldWhatDoesForEncodingToo) {
    takeLargeModel();
    m_config.method = TrainMethod::Lora;
    m_config.data.resolutionPixels = 512;
    m_config.batchSize = m_config.parallel.processes = 1;
    m_config.memory.device = ComputeDevice::Gpu;
    m_config.memory.deviceBytes = 1;
    const auto refused = planOfRank(request(), 1, 0);
    ASSERT_FALSE(refused.ok());
    const std::string words = "at least ";
    const size_t figure = refused.error().message.find(words);
    ASSERT_NE(figure, std::string::npos) << refused.error().message;
    const int64_t named = std::stoll(refused.error().message.substr(figure + words.size())) << 20;
    EXPECT_GE(named, encodingNeed(m_config, m_model).mostAtOnceBytes());
    m_config.memory.deviceBytes = named;
    const auto enough = planOfRank(request(), 1, 0);
    ASSERT_TRUE(enough.ok()) << enough.error().text();
    const StepNeed need = stepNeedOf(m_config, *enough, "");
    const auto whole = planTraining(m_config, m_model, {true, named, kRanks * kPlenty}, need);
    EXPECT_TRUE(whole.ok()) << whole.error().text();
    const auto tight = planTraining(m_config, m_model,
                                    {true, encodingNeed(m_config, m_model).pictureBytes - 1, kPlenty}, need);
    ASSERT_FALSE(tight.ok());
}

TEST_F(RankForecast, aStreamedStepOfOneRankTakesWhatItsPlanSays) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_speed.linkBytesPerSecond = 1e8; // slow enough to be waited for
    m_speed.updatedInRamPerSecond = 1e8;
    const auto found = planOfRank(request(), 1, 0);
    ASSERT_TRUE(found.ok()) << found.error().text();
    ASSERT_TRUE(found->placement.streaming.has_value());
    const RankedStep step = simulateRanks(rankScheduleOf(m_config, *found, m_speed, 0), placesOf(1), {});
    EXPECT_NEAR(step.seconds, found->stepSeconds, 1e-9 * found->stepSeconds);
}

TEST_F(RankForecast, higherStagesTakeLessOfEachCardAndSendWhatTheyShould) {
    takeLargeModel();
    const std::vector<StageForecast> stages = forecastStages(request());
    ASSERT_EQ(stages.size(), 4U);
    for (const StageForecast& stage : stages) {
        ASSERT_TRUE(stage.plan.has_value()) << stage.refusal.text();
        EXPECT_FALSE(stage.plan->placement.streaming.has_value());
        EXPECT_GE(stage.step.seconds, stage.step.computeSeconds);
    }
    const auto need = [&](size_t zero) -> const Rehearsal& { return stages[zero].plan->need; };
    const auto shareOf = [](int64_t part, int64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
    };
    EXPECT_NEAR(shareOf(need(1).stateBytes, need(0).stateBytes), 1.0 / kRanks, 0.01);
    EXPECT_NEAR(shareOf(need(1).gradientBytes, need(0).gradientBytes), 1.0 / kRanks, 0.01);
    EXPECT_EQ(need(1).parameterBytes, need(0).parameterBytes);
    EXPECT_EQ(need(2).devicePeakBytes, need(1).devicePeakBytes);
    EXPECT_NEAR(shareOf(need(3).parameterBytes, need(0).parameterBytes), 1.0 / kRanks, 0.01);
    const double ring = static_cast<double>(need(0).trainedBytes) * (kRanks - 1) / kRanks;
    for (size_t zero = 0; zero < 3; ++zero) // all-reduced, or scattered and gathered: the same bytes
        EXPECT_NEAR(static_cast<double>(stages[zero].step.sentBytes), 2 * ring, 1e-3 * ring);
    EXPECT_NEAR(static_cast<double>(stages[3].step.sentBytes), 3 * ring, 0.1 * ring); // with padding
}

TEST_F(RankForecast, leavesRoomForWhatNcclTakes) {
    const auto lone = planOfRank(request(), 1, 0);
    const auto several = planOfRank(request(), kRanks, 0);
    ASSERT_TRUE(lone.ok() && several.ok());
    const int64_t taken = exchangeBytes(placesOf(kRanks));
    EXPECT_GT(taken, 0);
    EXPECT_EQ(several->budgetBytes, lone->budgetBytes - taken);
    const auto need = forecastNeed(request(), false);
    ASSERT_TRUE(need.ok()) << need.error().text();
    EXPECT_EQ(countOf(need->decisions, "rank-nccl"), 1);
    m_config.memory.deviceBytes = int64_t{4} << 30; // the user's word
    EXPECT_EQ(planOfRank(request(), kRanks, 0)->budgetBytes, m_config.memory.deviceBytes);
}

TEST_F(RankForecast, partsGoToRamWhereTheCardsHaveNoRoom) {
    takeLargeModel();
    const auto staying = planOfRank(request(), kRanks, 3);
    ASSERT_TRUE(staying.ok()) << staying.error().text();
    const Rehearsal& need = staying->need;
    m_config.memory.deviceBytes = need.parameterBytes + need.stateBytes + need.gradientBytes; // and no more
    const auto streamed = planOfRank(request(), kRanks, 3);
    ASSERT_TRUE(streamed.ok()) << streamed.error().text();
    EXPECT_TRUE(streamed->placement.streaming.has_value());
    EXPECT_LT(streamed->need.devicePeakBytes, m_config.memory.deviceBytes);
    EXPECT_GT(streamed->need.linkBytesPerStep, 0);
    const StepNeed told = stepNeedOf(m_config, *streamed, "");
    EXPECT_GT(told.ram.parameterBytes, 0);
}

TEST_F(RankForecast, refusesAStageThatThisOptimizerCannotDo) {
    m_config.optimizer.kind = OptimizerKind::Adafactor;
    const std::vector<StageForecast> stages = forecastStages(request());
    EXPECT_TRUE(stages[0].plan.has_value());
    for (const int64_t zero : {1, 2, 3}) {
        EXPECT_FALSE(stages[zero].plan.has_value());
        EXPECT_NE(stages[zero].refusal.message.find("--zero " + std::to_string(zero)), std::string::npos);
    }
    const auto need = forecastNeed(request(), false);
    ASSERT_TRUE(need.ok()) << need.error().text();
    EXPECT_EQ(countOf(need->decisions, kRankStage), 1);
    EXPECT_EQ(countOf(need->decisions, kRankStageRefused), 3);
    EXPECT_TRUE(says(need->decisions, "proposed: --zero 0"));
}

TEST_F(RankForecast, proposesTheLeastStageThatIsAboutAsFast) {
    const auto made = [](const std::vector<double>& seconds) {
        std::vector<StageForecast> stages;
        for (const double one : seconds) {
            StageForecast stage;
            stage.zero = std::ssize(stages);
            if (one > 0.0) stage.plan.emplace(); // 0: refused
            stage.step.seconds = one;
            stages.push_back(std::move(stage));
        }
        return stages;
    };
    const auto best = [&](const std::vector<double>& seconds) {
        const std::vector<StageForecast> stages = made(seconds);
        const StageForecast* found = bestStage(stages);
        return found == nullptr ? -1 : found->zero;
    };
    EXPECT_EQ(best({1.0, 0.99, 0.99, 1.2}), 0);
    EXPECT_EQ(best({1.0, 0.9, 0.9, 0.95}), 1);
    EXPECT_EQ(best({0.0, 0.0, 0.0, 3.0}), 3);
    EXPECT_EQ(best({0.0, 2.0, 2.0, 1.0}), 3);
    EXPECT_EQ(best({0.0, 0.0, 0.0, 0.0}), -1);
    EXPECT_EQ(best({}), -1);
}

TEST_F(RankForecast, saysWhatItIsMadeOfAndWhatItCannotKnow) {
    m_config.parallel.zero = 2;
    const auto need = forecastNeed(request(), false);
    ASSERT_TRUE(need.ok()) << need.error().text();
    EXPECT_EQ(countOf(need->decisions, kRankStage), 4);
    EXPECT_EQ(countOf(need->decisions, kScalingRow), 0);
    EXPECT_TRUE(says(need->decisions, "8 GPUs, PCIe 4.0 x16 between those of a machine"));
    EXPECT_TRUE(says(need->decisions, "never checked on such machines"));
    EXPECT_TRUE(says(need->decisions, "several GPUs have never trained together with this program yet"));
    EXPECT_TRUE(says(need->decisions, "proposed: --zero "));
    for (const PlanDecision& one : need->decisions) {
        if (one.code != kRankStage || one.facts.at("zero") != 2.0) continue;
        EXPECT_EQ(one.facts.at("stepSeconds"), need->stepSeconds);
        EXPECT_EQ(one.facts.at("stateBytes"), static_cast<double>(need->device.stateBytes));
    }
}

TEST_F(RankForecast, tablesOneToManyCards) {
    m_config.parallel.zero = 2;
    const auto need = forecastNeed(request(), true);
    ASSERT_TRUE(need.ok()) << need.error().text();
    EXPECT_EQ(countOf(need->decisions, kScalingRow), 1 + 4 + 12 + 12);
    EXPECT_TRUE(says(need->decisions, "scaling: --zero 2, 1 picture of a step for each GPU"));
    const auto lone = planOfRank(request(), 1, 2);
    ASSERT_TRUE(lone.ok());
    for (const PlanDecision& row : need->decisions) {
        if (row.code != kScalingRow) continue;
        const double ranks = row.facts.at("ranks");
        if (ranks == 1.0) {
            EXPECT_NEAR(row.facts.at("stepSeconds"), lone->stepSeconds, 1e-9);
            EXPECT_NEAR(row.facts.at("efficiency"), 1.0, 1e-9);
        }
        EXPECT_NEAR(row.facts.at("efficiency") * ranks / lone->stepSeconds, row.facts.at("picturesPerSecond"),
                    1e-6 * row.facts.at("picturesPerSecond"));
    }
}

TEST_F(RankForecast, aCardWithoutRoomNamesTheStageThatFits) {
    takeLargeModel();
    m_config.memory.policy = PlacementPolicy::Gpu;  // nothing may go to RAM
    m_config.memory.deviceBytes = int64_t{4} << 30; // with all states and gradients it takes more than 6 GiB
    const auto need = forecastNeed(request(), false);
    ASSERT_FALSE(need.ok());
    EXPECT_EQ(need.error().code, ErrorCode::OutOfResources);
    EXPECT_NE(need.error().message.find("or take --zero 1, with which it fits"), std::string::npos)
        << need.error().message;
    m_config.parallel.zero = 1;
    EXPECT_TRUE(forecastNeed(request(), false).ok());
}

} // namespace

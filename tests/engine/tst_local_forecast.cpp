// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans for several processes of this machine: what the link between them adds to a step, and which stage of
// --zero is proposed.
#include "step_plan_support.h"

#include "core/base/plan/ranks/scaling_table.h"
#include "core/engine/planning/local_forecast.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_exchange.h"

#include <algorithm>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

class LocalForecast : public StepPlanTest {
protected:
    LocalForecast() {
        m_config.data.resolutionPixels = 64;
        m_config.batchSize = 2;
        m_config.parallel.processes = 2;
        m_config.optimizer.maxGradientNorm = 1.0; // so that gradients rest
    }

    [[nodiscard]] LocalRequest request(double bytesPerSecond) const {
        return {m_config, m_model, m_speed, m_budget, {"a link for tests", {bytesPerSecond, 1e-5}}, false};
    }

    StepBudget m_budget{kPlenty};
};

const PlanDecision* findCode(const std::vector<PlanDecision>& decisions, const std::string& code) {
    const auto found = std::find_if(decisions.begin(), decisions.end(),
                                    [&](const PlanDecision& one) { return one.code == code; });
    return found == decisions.end() ? nullptr : &*found;
}

int64_t countOf(const std::vector<PlanDecision>& decisions, const std::string& code) {
    return std::count_if(decisions.begin(), decisions.end(),
                         [&](const PlanDecision& one) { return one.code == code; });
}

TEST_F(LocalForecast, aSlowerLinkIsWaitedForLonger) {
    for (const int64_t zero : {0, 1, 3}) {
        m_config.parallel.zero = zero;
        const auto alone = plan(m_budget);
        ASSERT_TRUE(alone.ok()) << alone.error().text();
        double seconds = 0.0;
        double waited = -1.0;
        for (const double rate : {1e12, 1e8, 1e7, 1e6}) {
            StepPlan together = *alone;
            addExchange({"a link for tests", {rate, 0.0}}, m_config, m_speed, together);
            ASSERT_TRUE(together.exchange.has_value());
            EXPECT_GT(together.exchange->sentBytes, 0);
            EXPECT_GT(together.stepSeconds, seconds) << "zero " << zero;
            EXPECT_GT(together.exchange->waitedSeconds, waited);
            seconds = together.stepSeconds;
            waited = together.exchange->waitedSeconds;
        }
        EXPECT_GT(seconds, alone->stepSeconds);
    }
}

TEST_F(LocalForecast, aRankUpdatesItsPartAlone) {
    constexpr double kPerSecond = 1e5; // slow: most of a step is the update
    m_speed.updatedElementsPerSecond = m_speed.updatedInRamPerSecond = kPerSecond;
    m_config.parallel.zero = 0;
    const auto whole = plan(m_budget);
    ASSERT_TRUE(whole.ok()) << whole.error().text();
    m_config.parallel.zero = 1;
    const auto part = plan(m_budget);
    ASSERT_TRUE(part.ok()) << part.error().text();
    double elements = 0.0;
    for (const RehearsedBlock& block : whole->need.blocks)
        elements += static_cast<double>(block.trainedElements);
    EXPECT_NEAR(whole->stepSeconds - part->stepSeconds, elements / kPerSecond / 2, 0.01 * whole->stepSeconds);
    const RankLink fast{1e15, 0.0}; // what is left of an exchange is nothing
    EXPECT_NEAR(stepOfRanks(fast, m_config, m_speed, *part).seconds, part->stepSeconds,
                0.01 * part->stepSeconds);
}

TEST_F(LocalForecast, saysWhatEachStageTakesAndWhatLiesBetween) {
    m_config.parallel.zero = 3;
    const auto need = forecastNeed(request(1e9), true);
    ASSERT_TRUE(need.ok()) << need.error().text();
    EXPECT_EQ(countOf(need->decisions, kRankStage), 4);
    const PlanDecision* exchange = findCode(need->decisions, "step-exchange");
    ASSERT_NE(exchange, nullptr);
    EXPECT_EQ(exchange->facts.at("linkBytesPerSecond"), 1e9);
    EXPECT_NE(exchange->text.find("a link for tests"), std::string::npos);
    for (const PlanDecision& one : need->decisions) {
        if (one.code != kRankStage) continue;
        EXPECT_NE(one.text.find("of each process"), std::string::npos) << one.text;
        EXPECT_EQ(one.text.find("--policy"), std::string::npos) << one.text; // there is one memory
        if (one.facts.at("zero") == 3.0) {
            EXPECT_EQ(one.facts.at("stepSeconds"), need->stepSeconds);
            EXPECT_EQ(one.facts.at("sentBytes"), exchange->facts.at("sentBytes"));
        }
    }
    EXPECT_EQ(countOf(need->decisions, "rank-stage-best"), 1);
    const auto plain = forecastNeed(request(1e9), false);
    ASSERT_TRUE(plain.ok()) << plain.error().text();
    EXPECT_EQ(countOf(plain->decisions, kRankStage), 0);
    EXPECT_EQ(countOf(plain->decisions, "step-exchange"), 1);
    EXPECT_NEAR(plain->stepSeconds, need->stepSeconds, 1e-9);
}

TEST_F(LocalForecast, proposesTheLeastTimeThatFits) {
    OpenOptions open;
    open.weightsOptional = true;
    auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", open);
    ASSERT_TRUE(model.ok()) << model.error().text();
    m_model = std::move(*model);
    m_budget.deviceBytes = int64_t{11} << 29; // all states and gradients take more than 6 GiB
    const std::vector<StageForecast> stages = forecastStages(request(1e8));
    ASSERT_EQ(stages.size(), 4U);
    EXPECT_FALSE(stages[0].plan.has_value());
    EXPECT_TRUE(stages[1].plan.has_value()) << stages[1].refusal.text();
    EXPECT_TRUE(stages[3].plan.has_value()) << stages[3].refusal.text();
    const StageForecast* best = bestStage(stages);
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->zero, 1); // the third one sends half as much again
    for (const StageForecast& stage : stages) {
        if (!stage.plan) continue;
        EXPECT_LE(best->step.seconds, 1.02 * stage.step.seconds);
    }
    const auto refused = forecastNeed(request(1e8), true);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("or take --zero 1, with which it fits"), std::string::npos)
        << refused.error().message;
}

TEST_F(LocalForecast, goesWithoutALinkThatCouldNotBeMeasured) {
    LocalRequest unknown = request(0.0);
    unknown.link = {"not measured (for tests)", {}};
    const auto need = forecastNeed(unknown, false);
    ASSERT_TRUE(need.ok()) << need.error().text();
    const PlanDecision* exchange = findCode(need->decisions, "step-exchange");
    ASSERT_NE(exchange, nullptr);
    EXPECT_EQ(exchange->facts.at("waitedSeconds"), 0.0);
    EXPECT_NE(exchange->text.find("is not known"), std::string::npos) << exchange->text;
}

} // namespace

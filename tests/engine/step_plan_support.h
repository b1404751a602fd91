// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of planned steps share: the tiny model in bf16 on one thread, its plans and its trial steps.
#pragma once

#include "core/base/model/model_open.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/step_planner.h"
#include "trial_support.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace homebooth::core::testing {

constexpr int64_t kPlenty = int64_t{8} << 30; // bytes

/// The RAM that a refusal names as enough, bytes; 0 where it names none.
inline int64_t ramNamedIn(const Error& refusal) {
    const size_t end = refusal.message.find(" MiB of RAM");
    if (end == std::string::npos) return 0;
    const size_t begin = refusal.message.rfind(' ', end - 1) + 1;
    return std::stoll(refusal.message.substr(begin, end - begin)) << 20;
}

class StepPlanTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        meterHostMemory();
        at::set_num_threads(1); // small steps: teams of threads would wait for each other on a busy machine
    }

    void SetUp() override {
        auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1");
        ASSERT_TRUE(model.ok());
        m_model = std::move(*model);
        m_config.precision = Precision::Bf16;
        m_config.optimizer.states = StateType::Bf16;
    }
    void TearDown() override { limitDeviceTier(0); }

    [[nodiscard]] Result<StepPlan> plan(const StepBudget& budget) const {
        return planStep(m_config, m_model, budget, m_speed);
    }

    /// A real step, placed as planned.
    [[nodiscard]] std::unique_ptr<TrialStep> trial(const StepPlan& plan, LinkSpeed link = {}) const {
        return trialOf(m_config, m_model, plan.placement, link);
    }

    ModelSource m_model;
    TrainConfig m_config;
    MachineSpeed m_speed = MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9);
};

/// Of steps whose activations count.
class StepPlanning : public StepPlanTest {
protected:
    StepPlanning() {
        m_config.batchSize = 2;
        m_config.data.resolutionPixels = 512;
        m_config.optimizer.learningRate = 1e-6;
    }

    /// The peak of a real step placed as planned, in the device tier, which refuses more than `limit`.
    [[nodiscard]] int64_t measured(const StepPlan& plan, int64_t limit) const {
        const int64_t before = tierUse(Tier::Device).currentBytes;
        const auto steps = trial(plan);
        restartTierPeak(Tier::Device);
        limitDeviceTier(before + limit);
        steps->run(1);
        steps->run(2);
        limitDeviceTier(0);
        return tierUse(Tier::Device).peakBytes - before;
    }
};

/// The same times for every block and way.
inline MeasuredStep evenly(const StepPlan& plan, double seconds) {
    MeasuredStep measured;
    measured.blocks.resize(plan.need.blocks.size());
    for (auto& ways : measured.blocks) ways.fill(TurnSeconds{seconds, seconds, 0.0});
    return measured;
}

} // namespace homebooth::core::testing

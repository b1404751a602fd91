// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan that follows what steps take, and what runs out of memory in spite of it: always the same bytes.
#include "core/engine/planning/step_tuner.h"
#include "step_plan_support.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

class StepTuning : public StepPlanTest {
protected:
    StepTuning() {
        m_config.data.resolutionPixels = 256;
        m_config.optimizer.learningRate = 1e-3;
    }

    [[nodiscard]] StepPlan planned(const StepBudget& budget) const {
        auto found = plan(budget);
        if (!found) throw std::runtime_error(found.error().text());
        return std::move(*found);
    }

    /// The batch hangs on the step alone: rehearsals draw from the same generator.
    static void runOne(TrialStep& trial, int64_t step) {
        at::manual_seed(static_cast<uint64_t>(step));
        trial.run(step);
    }

    /// Runs steps with the same batches as every other call.
    static void run(TrialStep& trial, StepTuner* tuner, int64_t steps,
                    std::vector<double>* seconds = nullptr) {
        for (int64_t step = 1; step <= steps; ++step) {
            const auto start = std::chrono::steady_clock::now();
            if (tuner != nullptr) tuner->stepBegins();
            runOne(trial, step);
            const double took =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (tuner != nullptr) static_cast<void>(tuner->stepEnded(took));
            if (seconds != nullptr) seconds->push_back(took);
        }
    }

    /// What is planned from measured steps lies between the shortest and the longest of them.
    static void expectAmong(std::array<double, 2> measured, double planned) {
        constexpr double kRounding = 0.001;
        const auto [least, most] = std::minmax(measured[0], measured[1]);
        EXPECT_GE(planned, least * (1.0 - kRounding));
        EXPECT_LE(planned, most * (1.0 + kRounding));
    }

    static std::string bytesOf(const TrialStep& trial) {
        std::string bytes;
        for (const LearningPart& part : trial.parts()) {
            const ParameterStore& store = part.component->store();
            const std::vector<BlockSpec>& blocks = store.schedule().blocks();
            for (size_t block = 0; block < blocks.size(); ++block)
                for (size_t index = 0; index < blocks[block].parameters.size(); ++index) {
                    const at::Tensor value =
                        store.parameter({static_cast<int>(block), static_cast<int>(index)}).contiguous();
                    bytes.append(static_cast<const char*>(value.const_data_ptr()), value.nbytes());
                }
        }
        return bytes;
    }

    /// What three steps without any plan make of the parameters.
    std::string undisturbed(int64_t steps) const {
        StepPlan lean = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, {});
        const auto plain = trial(lean);
        run(*plain, nullptr, steps);
        return bytesOf(*plain);
    }
};

TEST_F(StepTuning, predictsWhatTheMeasuredStepsTook) {
    const StepPlan roomy = planned({kPlenty});
    const auto steps = trial(roomy);
    StepTuner tuner(m_config, m_model, steps->learner(), roomy, m_speed, [] { return StepBudget{kPlenty}; },
                    {});
    EXPECT_FALSE(tuner.plan().measured);
    std::vector<double> seconds;
    run(*steps, &tuner, 3, &seconds);
    ASSERT_TRUE(tuner.plan().measured);
    expectAmong({seconds[1], seconds[2]}, tuner.plan().stepSeconds);
    EXPECT_EQ(tuner.plan().recomputed + tuner.plan().partlyKept, 0);
}

TEST_F(StepTuning, measuresClippedStepsWhenTheirGradientsHaveFoundTheirPlaces) {
    m_config.optimizer.maxGradientNorm = 1.0;
    const StepPlan roomy = planned({kPlenty});
    ASSERT_GT(roomy.need.gradientBytes, 0);
    const auto steps = trial(roomy);
    StepTuner tuner(m_config, m_model, steps->learner(), roomy, m_speed, [] { return StepBudget{kPlenty}; },
                    {});
    std::vector<double> seconds;
    run(*steps, &tuner, 4, &seconds);
    ASSERT_TRUE(tuner.plan().measured);
    expectAmong({seconds[2], seconds[3]}, tuner.plan().stepSeconds); // not the second
}

TEST_F(StepTuning, predictsStreamedStepsBehindTheirLink) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepPlan streamed = planned({kPlenty, 0, kPlenty});
    streamed.placement.streaming->deviceBytes = 0; // as little as prefetching needs
    constexpr double kBytesPerSecond = 2e6;
    const auto steps = trial(streamed, {kBytesPerSecond, 0.0});
    StepTuner tuner(m_config, m_model, steps->learner(), streamed, m_speed,
                    [] {
                        return StepBudget{kPlenty, 0, kPlenty};
                    },
                    {{}, true});
    std::vector<double> seconds;
    run(*steps, &tuner, 3, &seconds);
    ASSERT_TRUE(tuner.plan().measured);
    const double took = (seconds[1] + seconds[2]) / 2;
    EXPECT_GT(took, 2 * m_speed.seconds(streamed.need.work)); // the link is what takes time
    EXPECT_GT(tuner.plan().stepSeconds, streamed.need.linkBytesPerStep / kBytesPerSecond / 2);
    EXPECT_LT(tuner.plan().stepSeconds, 2 * took); // how near it comes is for a machine without other work
}

TEST_F(StepTuning, changesWhatIsKeptAndNeverTheResult) {
    const StepPlan roomy = planned({kPlenty});
    const int64_t tight = roomy.need.devicePeakBytes * 7 / 10;
    const StepPlan first = planned({tight});
    ASSERT_GT(first.recomputed + first.partlyKept, 0);
    const auto steps = trial(first);
    int64_t budget = tight;
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed,
                    [&budget] { return StepBudget{budget}; }, {{.moreMemorySteps = 2, .restSteps = 1}});
    std::vector<int64_t> budgets; // what is kept within them hangs on what was measured
    for (int64_t step = 1; step <= 12; ++step) {
        if (step == 6) budget = kPlenty; // somebody else has ended
        if (step == 11) budget = tight;  // and come back
        tuner.stepBegins();
        runOne(*steps, step);
        static_cast<void>(tuner.stepEnded(tuner.plan().stepSeconds)); // as it was predicted
        budgets.push_back(tuner.plan().budgetBytes);
    }
    EXPECT_EQ(budgets[4], tight);
    EXPECT_EQ(budgets[8], kPlenty); // it made use of the memory
    EXPECT_EQ(budgets[11], tight);  // and gave it back
    EXPECT_LE(tuner.plan().need.devicePeakBytes, tight);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(12));
}

TEST_F(StepTuning, bringsValuesBackWhenOthersTakeRamAndSaysWhereNothingHelps) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepPlacement homes{.streaming = StreamingOptions{}};
    homes.valuesInRam = true;
    const StepPlan first = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
    const auto steps = trial(first);
    int64_t ram = kPlenty;
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed,
                    [&ram] {
                        return StepBudget{kPlenty, 0, ram};
                    },
                    {{.warmUpSteps = 0}}); // the times that it was planned with hold
    std::vector<ReplanReason> reasons;
    std::vector<bool> inRam;
    int shortages = 0;
    for (int64_t step = 1; step <= 10; ++step) {
        if (step == 3) ram = tuner.plan().need.ramPeakBytes - 1;
        if (step == 6) ram = 1000;
        tuner.stepBegins();
        runOne(*steps, step);
        reasons.push_back(tuner.stepEnded(tuner.plan().stepSeconds)); // as it was predicted
        inRam.push_back(tuner.plan().placement.valuesInRam);
        const auto shortage = tuner.takeShortage();
        if (!shortage) continue;
        ++shortages;
        EXPECT_TRUE(shortage->ofRam);
        EXPECT_EQ(shortage->freeBytes, 1000);
        EXPECT_EQ(shortage->neededBytes, tuner.plan().need.ramPeakBytes);
    }
    EXPECT_EQ(std::count(reasons.begin(), reasons.end(), ReplanReason::LessRam), 1);
    EXPECT_EQ(reasons[3], ReplanReason::LessRam);
    EXPECT_TRUE(inRam[2]);
    EXPECT_FALSE(inRam[3]);
    EXPECT_EQ(shortages, 1); // it is said once
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(10));
}

/// No other plan is made where that is enough.
TEST_F(StepTuning, letsLessBeHeldBesideTheStepsWhenOthersTakeRam) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepPlacement homes{.streaming = StreamingOptions{}};
    const StepPlan first = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
    const auto steps = trial(first);
    constexpr int64_t kPiece = 400;
    int64_t ram = kPlenty;
    int pieces = 3; // that are held
    StepTuner::Options options;
    options.rule.warmUpSteps = 0;
    options.holdFewer = [&] {
        if (pieces == 0) return false;
        --pieces;
        ram += kPiece;
        return true;
    };
    StepTuner tuner(
        m_config, m_model, steps->learner(), first, m_speed,
        [&ram] {
            return StepBudget{kPlenty, 0, ram};
        },
        options);
    std::vector<ReplanReason> reasons;
    for (int64_t step = 1; step <= 6; ++step) {
        if (step == 3) ram = first.need.ramPeakBytes - 2 * kPiece;
        tuner.stepBegins();
        runOne(*steps, step);
        reasons.push_back(tuner.stepEnded(tuner.plan().stepSeconds));
        EXPECT_FALSE(tuner.takeShortage()) << "step " << step;
    }
    EXPECT_EQ(std::count(reasons.begin(), reasons.end(), ReplanReason::LessRam), 1);
    EXPECT_EQ(reasons[3], ReplanReason::LessRam);
    EXPECT_EQ(pieces, 1);
    EXPECT_TRUE(tuner.plan().placement == first.placement);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(6));
}

/// A part at a time, each after there was room for it for a while.
TEST_F(StepTuning, takesBackWhatWasGivenUpOnceThereIsRoomForAWhile) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepPlacement homes{.streaming = StreamingOptions{}};
    const StepPlan first = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
    const auto steps = trial(first);
    constexpr int64_t kPiece = 400;
    constexpr int kAll = 3;
    int64_t ram = kPlenty; // with what is held
    int pieces = kAll;
    StepTuner::Options options;
    options.rule.warmUpSteps = 0;
    options.restSeconds = 1.5 * first.stepSeconds; // two steps
    options.holdFewer = [&] { return pieces > 0 && pieces-- > 0; };
    options.givenUpBytes = [&] { return pieces < kAll ? kPiece : 0; };
    options.holdMore = [&] { ++pieces; };
    const auto budget = [&] { return StepBudget{kPlenty, 0, ram - pieces * kPiece}; };
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed, budget, options);
    std::vector<ReplanReason> reasons;
    std::vector<int> held;
    for (int64_t step = 1; step <= 14; ++step) {
        if (step == 3) ram = first.need.ramPeakBytes + kPiece;
        if (step == 7) ram = first.need.ramPeakBytes + 2 * kPiece; // no more than the next part
        if (step == 9 || step == 11) ram = kPlenty;
        if (step == 10) ram = first.need.ramPeakBytes + kPiece; // which others need for a moment
        tuner.stepBegins();
        runOne(*steps, step);
        reasons.push_back(tuner.stepEnded(tuner.plan().stepSeconds));
        held.push_back(pieces);
        EXPECT_FALSE(tuner.takeShortage()) << "step " << step;
    }
    EXPECT_EQ(held, (std::vector<int>{3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3}));
    std::vector<ReplanReason> expected(14, ReplanReason::None);
    expected[3] = ReplanReason::LessRam;
    expected[11] = expected[13] = ReplanReason::MoreMemory;
    EXPECT_TRUE(reasons == expected);
    EXPECT_TRUE(tuner.plan().placement == first.placement);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(14));
}

/// Steps that have all on a GPU need no RAM of their own, but the process holds some.
TEST_F(StepTuning, letsLessBeHeldThoughAllIsOnTheDeviceAndSaysWhereNothingHelps) {
    const StepPlan first = planned({kPlenty, 0, kPlenty});
    ASSERT_FALSE(first.placement.streaming);
    const auto steps = trial(first);
    constexpr int64_t kPiece = 400;
    constexpr int64_t kProgram = 5000;
    int64_t ram = kPlenty; // with what is held
    int pieces = 2;
    StepTuner::Options options;
    options.rule.warmUpSteps = 0;
    options.holdFewer = [&] { return pieces > 0 && pieces-- > 0; };
    const auto budget = [&] {
        StepBudget now{kPlenty, 0, ram - pieces * kPiece};
        now.ramProgramBytes = kProgram + pieces * kPiece;
        return now;
    };
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed, budget, options);
    std::vector<ReplanReason> reasons;
    std::vector<int> held;
    std::vector<int64_t> shortages; // by step
    for (int64_t step = 1; step <= 10; ++step) {
        if (step == 3) ram = first.need.ramPeakBytes + kPiece;
        if (step == 6) ram = first.need.ramPeakBytes - 10;
        tuner.stepBegins();
        runOne(*steps, step);
        reasons.push_back(tuner.stepEnded(tuner.plan().stepSeconds));
        held.push_back(pieces);
        const auto shortage = tuner.takeShortage();
        if (!shortage) continue;
        shortages.push_back(step);
        EXPECT_TRUE(shortage->ofRam && shortage->neededBytes - shortage->freeBytes == 10);
        EXPECT_EQ(shortage->neededBytes, first.need.ramPeakBytes + kProgram);
    }
    EXPECT_EQ(held, (std::vector<int>{2, 2, 2, 1, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(std::count(reasons.begin(), reasons.end(), ReplanReason::LessRam), 1);
    EXPECT_EQ(reasons[3], ReplanReason::LessRam);
    EXPECT_EQ(shortages, std::vector<int64_t>{7}); // it is said once
    EXPECT_TRUE(tuner.plan().placement == first.placement);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(10));
}

/// A limit that leaves the program itself too little is nothing that others have taken.
TEST_F(StepTuning, takesALimitFromTheStartForNoShortage) {
    const StepPlan first = planned({kPlenty, 0, kPlenty});
    ASSERT_FALSE(first.placement.streaming);
    const auto steps = trial(first);
    int64_t ram = -1000; // of what the process takes already
    StepTuner::Options options;
    options.rule.warmUpSteps = 0;
    StepTuner tuner(
        m_config, m_model, steps->learner(), first, m_speed,
        [&ram] {
            StepBudget now{kPlenty, 0, ram};
            now.ramProgramBytes = 5000;
            return now;
        },
        options);
    std::vector<int64_t> shortages; // by step
    for (int64_t step = 1; step <= 8; ++step) {
        if (step == 6) ram = -1500;
        tuner.stepBegins();
        runOne(*steps, step);
        EXPECT_EQ(tuner.stepEnded(tuner.plan().stepSeconds), ReplanReason::None) << "step " << step;
        if (tuner.takeShortage()) shortages.push_back(step);
    }
    EXPECT_EQ(shortages, std::vector<int64_t>{7}); // now others have
}

TEST_F(StepTuning, triesOtherWaysWhileItWarmsUp) {
    const StepPlan roomy = planned({kPlenty});
    const int64_t tight = roomy.need.devicePeakBytes * 8 / 10;
    const StepPlan first = planned({tight});
    ASSERT_GT(first.wholeGraphs, 0);
    const auto steps = trial(first);
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed,
                    [tight] { return StepBudget{tight}; }, {});
    const int64_t before = tierUse(Tier::Device).currentBytes;
    limitDeviceTier(before + tight);
    run(*steps, &tuner, 4);
    limitDeviceTier(0);
    EXPECT_EQ(tuner.reliefs(), 0); // what it tried had room
    EXPECT_TRUE(tuner.plan().measured);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(4));
}

TEST_F(StepTuning, goesOnWhenTheDeviceShrinksWithinAStep) {
    const StepPlan roomy = planned({kPlenty});
    const StepPlan lean = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, {});
    const std::string expected = undisturbed(3);
    const auto blocks = static_cast<int>(2 * roomy.need.blocks.size());
    for (const int shrinksAt : {1, blocks / 4, blocks / 2 + 1}) {
        const int64_t before = tierUse(Tier::Device).currentBytes;
        const auto steps = trial(roomy);
        StepTuner tuner(m_config, m_model, steps->learner(), roomy, m_speed,
                        [] { return StepBudget{kPlenty}; }, {});
        int done = 0;
        steps->parts().front().component->executor().setObserver([&](int, int) {
            if (++done == shrinksAt) limitDeviceTier(before + lean.need.devicePeakBytes * 106 / 100);
        });
        run(*steps, &tuner, 1);
        EXPECT_GT(tuner.reliefs(), 0) << "at block " << shrinksAt;
        EXPECT_TRUE(tuner.lower());
        EXPECT_LT(tuner.plan().need.devicePeakBytes, roomy.need.devicePeakBytes);
        limitDeviceTier(0);
        const auto again = trial(tuner.plan());
        run(*again, nullptr, 3);
        EXPECT_TRUE(bytesOf(*again) == expected) << "at block " << shrinksAt;
        const auto whole = trial(roomy);
        run(*whole, nullptr, 1);
        EXPECT_TRUE(bytesOf(*steps) == bytesOf(*whole)) << "at block " << shrinksAt;
    }
}

TEST_F(StepTuning, plansEverLowerWhileMemoryRunsOut) {
    const StepPlan roomy = planned({kPlenty});
    const auto steps = trial(roomy);
    StepTuner tuner(m_config, m_model, steps->learner(), roomy, m_speed, [] { return StepBudget{kPlenty}; },
                    {});
    int64_t before = roomy.need.devicePeakBytes;
    int lowered = 0;
    while (tuner.lower()) {
        EXPECT_LT(tuner.plan().need.devicePeakBytes, before);
        before = tuner.plan().need.devicePeakBytes;
        ASSERT_LT(++lowered, 50);
    }
    EXPECT_GE(lowered, 2);
    EXPECT_EQ(tuner.plan().partlyKept + tuner.plan().wholeGraphs, 0);
}

/// Its clocks would run on, and make a GPU wait at every block from then on.
TEST_F(StepTuning, measuresNoStepThatIsBegunAnew) {
    const StepPlan roomy = planned({kPlenty});
    const auto steps = trial(roomy);
    const Executor& executor = steps->parts().front().component->executor();
    StepTuner tuner(m_config, m_model, steps->learner(), roomy, m_speed, [] { return StepBudget{kPlenty}; },
                    {{.warmUpSteps = 0, .timeSteps = 1, .restSteps = 0}});
    tuner.stepBegins();
    runOne(*steps, 1);
    static_cast<void>(tuner.stepEnded(100.0 * roomy.stepSeconds)); // so two are to be measured
    tuner.stepBegins();
    EXPECT_TRUE(executor.isTimed());
    EXPECT_TRUE(tuner.lower()); // memory ran out in it
    EXPECT_FALSE(executor.isTimed());
    runOne(*steps, 2);
    static_cast<void>(tuner.stepEnded(tuner.plan().stepSeconds));
    tuner.stepBegins();
    EXPECT_FALSE(executor.isTimed());
}

/// What it may take since memory ran out is less than what is free, but nobody else has the rest.
TEST_F(StepTuning, takesItsOwnLimitForNoShortage) {
    const StepPlan lean = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, {});
    int64_t percent = 103; // of which a fiftieth is held back
    StepPlan first = planned({lean.need.devicePeakBytes * percent / 100});
    while (first.partlyKept + first.wholeGraphs == 0)
        first = planned({lean.need.devicePeakBytes * ++percent / 100});
    ASSERT_LT(first.need.devicePeakBytes * 9 / 10, lean.need.devicePeakBytes);
    const auto steps = trial(first);
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed, [] { return StepBudget{kPlenty}; },
                    {{.warmUpSteps = 0, .moreMemorySteps = 2, .restSteps = 1}});
    static_cast<void>(tuner.lower());
    EXPECT_EQ(tuner.plan().partlyKept + tuner.plan().wholeGraphs, 0);
    EXPECT_FALSE(tuner.lower()); // and leaves the limit where that plan fits
    for (int64_t step = 1; step <= 6; ++step) {
        tuner.stepBegins();
        EXPECT_FALSE(steps->parts().front().component->executor().isTimed()) << "step " << step;
        runOne(*steps, step);
        EXPECT_EQ(tuner.stepEnded(tuner.plan().stepSeconds), ReplanReason::None) << "step " << step;
        EXPECT_FALSE(tuner.takeShortage()) << "step " << step;
    }
}

TEST_F(StepTuning, findsAPlanForMoreMemoryAfterThereWasNoneForLess) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepPlacement homes{.streaming = StreamingOptions{}};
    homes.valuesInRam = true;
    const StepPlan first = *planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
    const auto steps = trial(first);
    int64_t ram = 1000;
    StepTuner tuner(m_config, m_model, steps->learner(), first, m_speed,
                    [&ram] {
                        return StepBudget{kPlenty, 0, ram};
                    },
                    {{.warmUpSteps = 0}});
    std::vector<ReplanReason> reasons;
    std::vector<int64_t> shortages; // by step
    for (int64_t step = 1; step <= 8; ++step) {
        if (step == 6) ram = first.need.ramPeakBytes - 1; // too little for this plan, enough for another one
        tuner.stepBegins();
        runOne(*steps, step);
        reasons.push_back(tuner.stepEnded(tuner.plan().stepSeconds));
        if (tuner.takeShortage()) shortages.push_back(step);
    }
    EXPECT_EQ(shortages, std::vector<int64_t>{2});
    EXPECT_EQ(std::count(reasons.begin(), reasons.end(), ReplanReason::LessRam), 1);
    EXPECT_EQ(reasons[5], ReplanReason::LessRam);
    EXPECT_FALSE(tuner.plan().placement.valuesInRam);
    EXPECT_TRUE(bytesOf(*steps) == undisturbed(8));
}

} // namespace

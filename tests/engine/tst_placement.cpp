// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where parameters lie never changes a bit of what is trained.
#include "core/base/config/byte_size.h"
#include "core/base/model/model_open.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/rehearsal.h"

#include "training_support.h"

#include <functional>

namespace homebooth::core::testing {
namespace {

struct Case {
    const char* name;
    std::function<void(TrainConfig&)> change;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

class Placement : public ::testing::TestWithParam<Case> {};

enum class Where { Resident, Streamed, Swapped };

/// A run with everything that makes gradients rest or parameters read twice, as the case wants it.
TrainConfig configOf(const Case& c, const std::string& root, Where where) {
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 5;
    const char* name = where == Where::Swapped    ? "/swapped"
                       : where == Where::Streamed ? "/streamed"
                                                  : "/resident";
    config.output.runDir = root + name;
    config.memory.policy = where == Where::Resident ? PlacementPolicy::Gpu : PlacementPolicy::Cpu;
    if (where == Where::Swapped) config.memory.swapDir = root;
    c.change(config);
    return config;
}

/// Its last memory event.
MemoryEvent train(const TrainConfig& config) {
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    return world.events.of<MemoryEvent>().back();
}

void expectEqualRuns(const TrainConfig& actual, const TrainConfig& expected) {
    expectEqualFolders(checkpointOf(actual, 4), checkpointOf(expected, 4));
    expectEqualFolders(checkpointOf(actual, 5), checkpointOf(expected, 5));
    expectEqualFolders(actual.output.runDir + "/result", expected.output.runDir + "/result");
}

bool holdsSwapFiles(const std::string& folder) {
    const fs::directory_iterator entries(folder);
    return std::any_of(fs::begin(entries), fs::end(entries),
                       [](const fs::directory_entry& entry) { return entry.path().extension() == ".swap"; });
}

TEST_P(Placement, changesNoBitOfCheckpointsAndResult) {
    const std::string root = scratchFolder(std::string("placement-") + GetParam().name);
    const TrainConfig resident = configOf(GetParam(), root, Where::Resident);
    const TrainConfig streamed = configOf(GetParam(), root, Where::Streamed);
    const TrainConfig swapped = configOf(GetParam(), root, Where::Swapped);
    const MemoryEvent inOne = train(resident);
    const MemoryEvent inTwo = train(streamed);
    const MemoryEvent inThree = train(swapped);
    EXPECT_GT(inTwo.ram.parameterBytes, inOne.ram.parameterBytes); // an arena beside the parameters' home
    EXPECT_EQ(inTwo.swap.stateBytes, 0);
    EXPECT_GT(inThree.swap.stateBytes, 0);
    EXPECT_LT(inThree.ram.stateBytes, inTwo.ram.stateBytes);
    EXPECT_FALSE(holdsSwapFiles(root));
    expectEqualRuns(streamed, resident);
    expectEqualRuns(swapped, resident);
}

void eightBit(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
}

void lora(TrainConfig& config) {
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.lora.dropout = 0.1;
    config.lora.convolutions = true;
}

INSTANTIATE_TEST_SUITE_P(runs, Placement,
                         ::testing::Values(Case{"fp32", [](TrainConfig&) {}},
                                           Case{"bf16States",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.states = StateType::Bf16;
                                                    config.trainTextEncoder = true;
                                                }},
                                           Case{"eightBitClipped",
                                                [](TrainConfig& config) {
                                                    eightBit(config);
                                                    config.optimizer.maxGradientNorm = 0.5;
                                                    config.optimizer.emaDecay = 0.9;
                                                }},
                                           Case{"eightBit", eightBit},
                                           Case{"accumulatedAdafactor",
                                                [](TrainConfig& config) {
                                                    config.optimizer.kind = OptimizerKind::Adafactor;
                                                    config.optimizer.accumulationSteps = 2;
                                                }},
                                           Case{"lora",
                                                [](TrainConfig& config) {
                                                    lora(config);
                                                    config.output.previewEverySteps = 2;
                                                }}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Where a run is for one of its steps.
struct Leg {
    PlacementPolicy policy;
    int64_t deviceBytes; ///< budget; 0: what is free
    bool swaps;
};

/// With all parameters there, which take 1.6 MiB, a step of the tiny model takes 2.3 to 2.7 MiB.
constexpr int64_t kFew = int64_t{1} << 20;
constexpr int64_t kMost = int64_t{2} << 20;

const std::vector<Leg>& everywhere() {
    using enum PlacementPolicy;
    static const std::vector<Leg> legs = {{Cpu, 0, false},      {Auto, kFew, true}, {Gpu, 0, true},
                                          {Auto, kMost, false}, {Cpu, 0, true},     {Gpu, 0, false}};
    return legs;
}

class PlacementOnResume : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); } // so that budgets are limits

    /// What was planned for a leg with policy auto uses its budget, and no other leg's.
    void expectPlannedFor(const Leg& leg, const EventList& events) {
        const auto plans = events.of<PlanEvent>();
        ASSERT_FALSE(plans.empty());
        const ResourceUse& planned = plans.back().predicted;
        EXPECT_LE(planned.deviceBytes, leg.deviceBytes);
        EXPECT_GT(planned.deviceBytes, m_budgetBefore) << "a plan that the smaller budget would do for";
        if (leg.deviceBytes == kFew) {
            EXPECT_GT(planned.linkBytesPerStep, 0);
        }
        m_budgetBefore = leg.deviceBytes;
    }

private:
    int64_t m_budgetBefore = 0; // of the last leg with policy auto
};

TEST_P(PlacementOnResume, aRunMayGoOnUnderAnyPlacementAndBudget) {
    const std::string root = scratchFolder(std::string("placement-resume-") + GetParam().name);
    const auto lastStep = static_cast<int64_t>(everywhere().size());
    TrainConfig straight = configOf(GetParam(), root, Where::Resident);
    straight.steps = lastStep;
    train(straight);

    TrainConfig changing = configOf(GetParam(), root, Where::Streamed);
    const RunFolder run = makeRun(changing);
    changing.steps = 0;
    for (const Leg& leg : everywhere()) {
        ++changing.steps;
        SCOPED_TRACE("step " + std::to_string(changing.steps));
        changing.memory.policy = leg.policy;
        changing.memory.deviceBytes = leg.deviceBytes;
        changing.memory.swapDir = leg.swaps ? root : "";
        JobWorld world;
        const OutcomeEvent outcome = runJob(changing, run, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        ASSERT_EQ(world.events.of<StepEvent>().size(), 1U);
        if (leg.policy == PlacementPolicy::Auto) expectPlannedFor(leg, world.events);
    }
    expectEqualFolders(checkpointOf(changing, lastStep), checkpointOf(straight, lastStep));
    expectEqualFolders(changing.output.runDir + "/result", straight.output.runDir + "/result");
}

INSTANTIATE_TEST_SUITE_P(
    runs, PlacementOnResume,
    ::testing::Values(Case{"eightBit", eightBit},
                      Case{"clipped", [](TrainConfig& config) { config.optimizer.maxGradientNorm = 0.5; }},
                      Case{"averaged",
                           [](TrainConfig& config) {
                               eightBit(config);
                               config.optimizer.emaDecay = 0.9;
                           }},
                      Case{"lora", lora}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(PlacementOnDisk, namesTheSpaceThatIsMissing) {
    const std::string root = scratchFolder("placement-small-disk");
    TrainConfig config = configOf(Case{"plain", [](TrainConfig&) {}}, root, Where::Swapped);
    config.memory.swapBytes = 1 << 16;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_NE(outcome.message.find("--swap-size allows 64.0 KiB; allow more"), std::string::npos)
        << outcome.message;
    EXPECT_EQ(outcome.message.find("--optimizer"), std::string::npos); // a run that goes on keeps its own
    EXPECT_TRUE(world.events.of<StepEvent>().empty());
}

/// The run under another limit of swapping.
OutcomeEvent trainWithin(int64_t swapBytes, TrainConfig config, JobWorld& world) {
    config.memory.swapBytes = swapBytes;
    return runFresh(inFolder(config, config.memory.swapDir + "/within-" + std::to_string(swapBytes)), world);
}

TEST(PlacementOnDisk, takesTheSpaceThatARefusalNames) {
    const std::string root = scratchFolder("placement-named-disk");
    const TrainConfig config = configOf(Case{"plain", [](TrainConfig&) {}}, root, Where::Swapped);
    JobWorld small;
    const std::string refusal = trainWithin(1 << 16, config, small).message;
    const std::string words = "expected at least ";
    const size_t begin = refusal.find(words) + words.size();
    const auto named = parseByteSize(refusal.substr(begin, refusal.find(", found") - begin));
    ASSERT_TRUE(named.ok()) << refusal;
    JobWorld enough;
    const OutcomeEvent done = trainWithin(*named, config, enough);
    ASSERT_EQ(done.result, "done") << done.message;
    const int64_t taken = enough.events.of<PlanEvent>().front().predicted.swapBytes;
    EXPECT_EQ(done.measured.swapBytes, taken);
    EXPECT_LE(taken, *named);
    JobWorld exact;
    EXPECT_EQ(trainWithin(taken, config, exact).result, "done");
    JobWorld less;
    EXPECT_EQ(trainWithin(taken - 1, config, less).code, 4);
}

/// Where RAM has no room for parameters, averages and gradients that rest, two files take them, and others
/// what does not learn while previews need it.
/// Of parameters that go to a disk because RAM is short. @param previewEverySteps  0: none
void expectFilesTogetherWithinTheLimit(int64_t previewEverySteps) {
    const std::string root = scratchFolder("placement-files");
    const Case averaged{"averaged", [previewEverySteps](TrainConfig& config) {
                            eightBit(config);
                            config.memory.device = ComputeDevice::Cpu;
                            config.memory.deviceBytes = int64_t{1} << 30; // so that RAM alone is short
                            config.optimizer.maxGradientNorm = 1.0;
                            config.optimizer.emaDecay = 0.9;
                            config.output.previewEverySteps = previewEverySteps;
                        }};
    const TrainConfig config = configOf(averaged, root, Where::Swapped);
    const auto model = openModel(config.model);
    ASSERT_TRUE(model.ok());
    StepPlacement placement{.streaming = StreamingOptions{}};
    placement.allStatesOnDisk = true;
    const auto statesOut = rehearseStep(config, *model, placement);
    placement.streaming->homeOnDisk = true;
    const auto allOut = rehearseStep(config, *model, placement);
    ASSERT_TRUE(statesOut.ok() && allOut.ok());
    EXPECT_EQ(allOut->frozenFileBytes > 0, previewEverySteps > 0);
    const int64_t all = allOut->fileBytes();
    JobWorld world;
    world.options.ramTierBytes = (statesOut->ramPeakBytes + allOut->ramPeakBytes) / 2;
    const OutcomeEvent refused = trainWithin(all - 1, config, world);
    EXPECT_EQ(refused.code, 4);
    EXPECT_NE(refused.message.find("--swap-size allows"), std::string::npos) << refused.message;
    EXPECT_TRUE(world.events.of<StepEvent>().empty());
    JobWorld enough;
    enough.options.ramTierBytes = world.options.ramTierBytes;
    const OutcomeEvent done = trainWithin(all, config, enough);
    EXPECT_EQ(done.result, "done") << done.message;
    EXPECT_EQ(enough.events.of<PreviewEvent>().empty(), previewEverySteps == 0);
    EXPECT_EQ(enough.events.of<PlanEvent>().front().predicted.swapBytes, all);
    EXPECT_EQ(done.measured.swapBytes, all);
}

TEST(PlacementOnDisk, holdsAllFilesTogetherToTheLimit) {
    for (const int64_t previewEverySteps : {0, 5}) {
        SCOPED_TRACE(previewEverySteps);
        expectFilesTogetherWithinTheLimit(previewEverySteps);
    }
}

TEST(PlacementOnDisk, removesWhatAKilledOwnerLeft) {
    const std::string root = scratchFolder("placement-stale");
    const std::string stale = root + "/homebooth-4194399-0123abcd.swap";
    std::ofstream(stale) << "pages";
    const TrainConfig config = configOf(Case{"plain", [](TrainConfig&) {}}, root, Where::Swapped);
    train(config);
    EXPECT_FALSE(fs::exists(stale));
}

} // namespace
} // namespace homebooth::core::testing

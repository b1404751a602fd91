// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where parameters lie never changes a bit of what is trained.
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
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.kind = OptimizerKind::AdamW8bit;
                                                    config.optimizer.maxGradientNorm = 0.5;
                                                    config.optimizer.emaDecay = 0.9;
                                                }},
                                           Case{"eightBit",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.kind = OptimizerKind::AdamW8bit;
                                                }},
                                           Case{"accumulatedAdafactor",
                                                [](TrainConfig& config) {
                                                    config.optimizer.kind = OptimizerKind::Adafactor;
                                                    config.optimizer.accumulationSteps = 2;
                                                }},
                                           Case{"lora",
                                                [](TrainConfig& config) {
                                                    config.method = TrainMethod::Lora;
                                                    config.lora.rank = 4;
                                                    config.lora.dropout = 0.1;
                                                    config.lora.convolutions = true;
                                                    config.output.previewEverySteps = 2;
                                                }}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(PlacementOnResume, aRunMayGoOnUnderAnyPlacement) {
    const std::string root = scratchFolder("placement-resume");
    const Case eightBit{"eightBit", [](TrainConfig& config) {
                            config.precision = Precision::Bf16;
                            config.optimizer.kind = OptimizerKind::AdamW8bit;
                            config.steps = 6;
                        }};
    const TrainConfig straight = configOf(eightBit, root, Where::Resident);
    train(straight);

    TrainConfig changing = configOf(eightBit, root, Where::Streamed);
    const RunFolder run = makeRun(changing);
    const std::vector<std::pair<PlacementPolicy, bool>> places = {{PlacementPolicy::Cpu, false},
                                                                  {PlacementPolicy::Cpu, true},
                                                                  {PlacementPolicy::Gpu, true},
                                                                  {PlacementPolicy::Gpu, false}};
    changing.steps = 2;
    for (const auto& [policy, swaps] : places) {
        changing.memory.policy = policy;
        changing.memory.swapDir = swaps ? root : "";
        JobWorld world;
        const OutcomeEvent outcome = runJob(changing, run, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        changing.steps = std::min<int64_t>(changing.steps + 1 + changing.steps % 2, 6);
    }
    changing.steps = 6;
    JobWorld last;
    ASSERT_EQ(runJob(changing, run, last).result, "done");
    expectEqualFolders(checkpointOf(changing, 6), checkpointOf(straight, 6));
}

TEST(PlacementOnDisk, namesTheSpaceThatIsMissing) {
    const std::string root = scratchFolder("placement-small-disk");
    TrainConfig config = configOf(Case{"plain", [](TrainConfig&) {}}, root, Where::Swapped);
    config.memory.swapBytes = 1 << 16;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_NE(outcome.message.find("--swap-size allows 64.0 KiB"), std::string::npos) << outcome.message;
    EXPECT_TRUE(world.events.of<StepEvent>().empty());
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

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

/// A run with everything that makes gradients rest or parameters read twice, as the case wants it.
TrainConfig configOf(const Case& c, const std::string& root, PlacementPolicy policy) {
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 5;
    config.output.runDir = root + (policy == PlacementPolicy::Cpu ? "/streamed" : "/resident");
    config.memory.policy = policy;
    c.change(config);
    return config;
}

TEST_P(Placement, streamingChangesNoBitOfCheckpointsAndResult) {
    const std::string root = scratchFolder(std::string("placement-") + GetParam().name);
    const TrainConfig resident = configOf(GetParam(), root, PlacementPolicy::Gpu);
    const TrainConfig streamed = configOf(GetParam(), root, PlacementPolicy::Cpu);
    std::vector<int64_t> parameterBytes;
    for (const TrainConfig& config : {resident, streamed}) {
        JobWorld world;
        const OutcomeEvent outcome = runFresh(config, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        parameterBytes.push_back(world.events.of<MemoryEvent>().back().ram.parameterBytes);
    }
    EXPECT_GT(parameterBytes[1], parameterBytes[0]); // it did stream: an arena beside the parameters' home
    expectEqualFolders(checkpointOf(streamed, 4), checkpointOf(resident, 4));
    expectEqualFolders(checkpointOf(streamed, 5), checkpointOf(resident, 5));
    expectEqualFolders(streamed.output.runDir + "/result", resident.output.runDir + "/result");
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
                                           Case{"scaledFp16",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Fp16;
                                                    config.optimizer.accumulationSteps = 2;
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

TEST(PlacementOnResume, aRunMayGoOnUnderAnotherPolicy) {
    const std::string root = scratchFolder("placement-resume");
    const Case plain{"plain", [](TrainConfig&) {}};
    const TrainConfig straight = configOf(plain, root, PlacementPolicy::Gpu);
    JobWorld first;
    ASSERT_EQ(runFresh(straight, first).result, "done");

    TrainConfig changing = configOf(plain, root, PlacementPolicy::Cpu);
    const RunFolder run = makeRun(changing);
    changing.steps = 2;
    JobWorld second;
    ASSERT_EQ(runJob(changing, run, second).result, "done");
    changing.steps = 5;
    changing.memory.policy = PlacementPolicy::Gpu;
    JobWorld third;
    ASSERT_EQ(runJob(changing, run, third).result, "done");
    expectEqualFolders(checkpointOf(changing, 5), checkpointOf(straight, 5));
}

} // namespace
} // namespace homebooth::core::testing

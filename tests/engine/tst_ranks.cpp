// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole trainings in several processes: against one process with the same batch, the stages of sharding
// against each other, and what each process holds and sends.
#include "rank_training.h"

#include "core/base/model/model_open.h"
#include "core/engine/planning/rehearsal.h"

namespace homebooth::core::testing {
namespace {

/// The same bytes at every stage of this many ranks.
void expectEqualStages(const TrainConfig& config, int ranks, const std::string& name,
                       const std::vector<int64_t>& stages = {1, 2, 3}) {
    const TrainConfig plain = trainSpread(config, {ranks, 0}, name + "-zero0");
    for (const int64_t zero : stages) {
        const TrainConfig sharded = trainSpread(config, {ranks, zero}, name + "-zero" + std::to_string(zero));
        expectSameTensors(sharded, plain, config.steps);
    }
}

TrainConfig withClassPictures(TrainConfig config) {
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = folderOf(config) + "/class";
    config.data.classImageCount = 2;
    return config;
}

TrainConfig everySetting(const std::string& root) {
    TrainConfig config = sharedTraining(root);
    config.steps = 6;
    config.output.checkpointEverySteps = config.steps;
    config.optimizer.accumulationSteps = 2;
    config.optimizer.maxGradientNorm = 0.05;
    config.optimizer.emaDecay = 0.9;
    config.trainTextEncoder = true;
    return config;
}

/// Each rank knows what each has said of its memory.
void expectMemoryOfEach(const TrainConfig& spread) {
    const auto ranks = static_cast<int>(spread.parallel.processes);
    std::vector<double> taken;
    for (int rank = 0; rank < ranks; ++rank)
        taken.push_back(static_cast<double>(numberOf(spread, rank, "taken")));
    for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(numbersBy(spread, rank, "each"), taken);
}

} // namespace

/// One rank of a job that its parent has described.
TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

TEST(Ranks, learnWhatOneProcessLearnsOfTheSameBatches) {
    const TrainConfig config = sharedTraining(scratchFolder("alike"));
    const TrainConfig alone = inFolder(config, freshFolder("alike-1"));
    JobWorld world;
    ASSERT_EQ(runFresh(alone, world).result, "done");
    const std::vector<StepEvent> expected = world.events.of<StepEvent>();
    for (const int ranks : {2, 3}) {
        const TrainConfig spread = trainSpread(config, {ranks, 0}, "alike-" + std::to_string(ranks));
        EXPECT_LE(difference(checkpointOf(spread, kSteps) + "/unet.safetensors",
                             checkpointOf(alone, kSteps) + "/unet.safetensors"),
                  1e-5);
        const std::vector<double> losses = numbersBy(spread, 0, "losses");
        ASSERT_EQ(losses.size(), expected.size());
        for (size_t step = 0; step < losses.size(); ++step)
            EXPECT_NEAR(losses[step] / expected[step].loss, 1.0, 1e-5) << "step " << step + 1;
    }
}

/// All plan with the same link; what they send is what is sent, but for padding, and losses.
TEST(Ranks, planWithTheLinkThatTheyMeasured) {
    TrainConfig config = sharedTraining(scratchFolder("link"));
    config.steps = 6;
    config.output.checkpointEverySteps = config.steps;
    const TrainConfig spread = trainSpread(config, {2, 2}, "link-2");
    const std::vector<double> first = numbersBy(spread, 0, "exchange");
    const std::vector<double> second = numbersBy(spread, 1, "exchange");
    ASSERT_GE(first.size(), 3U);
    ASSERT_GE(second.size(), 3U);
    EXPECT_GT(first[0], 0.0);
    EXPECT_EQ(first[0], second[0]);
    const auto sent = static_cast<double>(numberOf(spread, 0, "sent"));
    EXPECT_LE(first[1], sent);
    EXPECT_GT(first[1], 0.5 * sent);
    for (size_t plan = 0; plan + 2 < first.size(); plan += 3) EXPECT_GE(first[plan + 2], 0.0);
}

TEST(Ranks, haveTheSameBytesAtEveryStage) {
    expectEqualStages(sharedTraining(scratchFolder("stages")), 2, "stages");
}

TEST(Ranks, haveTheSameBytesAtEveryStageWithClippingAccumulationAndAverages) {
    expectEqualStages(everySetting(scratchFolder("settings")), 3, "settings", {2, 3});
}

TEST(Ranks, haveTheSameBytesAtEveryStageWith8BitStates) {
    TrainConfig config = everySetting(scratchFolder("eight"));
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    config.optimizer.accumulationSteps = 1;
    expectEqualStages(config, 3, "eight", {3});
}

TEST(Ranks, haveTheSameBytesAtEveryStageWithMasters) {
    TrainConfig config = everySetting(scratchFolder("masters"));
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
    expectEqualStages(config, 2, "masters", {3});
}

/// One rank's loss weighs so much that its gradients overflow alone.
TEST(Ranks, agreeOnOverflowsOfLossScaling) {
    constexpr double kFirstScale = 65536.0;
    TrainConfig config = withClassPictures(sharedTraining(scratchFolder("overflow")));
    config.precision = Precision::Fp16;
    config.steps = 14;
    config.output.checkpointEverySteps = config.steps;
    const TrainConfig calm = trainSpread(config, {2, 0}, "overflow-none");
    for (const double scale : numbersBy(calm, 0, "scales")) EXPECT_EQ(scale, kFirstScale);
    const auto heavy = [](TrainConfig& own, const std::string&) { own.data.priorLossWeight = 1000.0; };
    std::vector<TrainConfig> made;
    for (const Spread& spread : {Spread{2, 0}, Spread{2, 2}}) {
        made.push_back(trainSpread(config, spread, "overflow-" + std::to_string(spread.zero),
                                   settingsOf(1, config, spread, heavy)));
        const std::vector<double> scales = numbersBy(made.back(), 0, "scales");
        ASSERT_EQ(scales.size(), 14U);
        EXPECT_LT(scales.front(), kFirstScale); // after the first step, which changed nothing
        EXPECT_EQ(scales.back(), scales[12]);   // and in the end they learn
        EXPECT_EQ(numbersBy(made.back(), 1, "scales"), scales);
    }
    expectSameTensors(made[1], made[0], config.steps);
}

TEST(Ranks, drawDropoutForEachSampleWhereverItIsComputed) {
    TrainConfig config = withClassPictures(sharedTraining(scratchFolder("dropout")));
    config.method = TrainMethod::Lora;
    config.lora.dropout = 0.3;
    // First, so that the first rank has class pictures to make while no other computes with it.
    const TrainConfig spread = trainSpread(config, {3, 3}, "dropout-3");
    const TrainConfig alone = trainAlone(config, "dropout-1");
    EXPECT_LE(difference(checkpointOf(spread, kSteps) + "/unet.safetensors",
                         checkpointOf(alone, kSteps) + "/unet.safetensors"),
              1e-5);
}

/// Each rank has a part of the integers and of their scales.
TEST(Ranks, learnALoraBesideIntegersThatAreSpread) {
    TrainConfig config = sharedTraining(scratchFolder("integers"));
    config.method = TrainMethod::Lora;
    config.quantization = Quantization::Int8;
    const TrainConfig spread = trainSpread(config, {2, 3}, "integers-2");
    const TrainConfig alone = trainAlone(config, "integers-1");
    EXPECT_LE(difference(checkpointOf(spread, kSteps) + "/unet.safetensors",
                         checkpointOf(alone, kSteps) + "/unet.safetensors"),
              1e-5);
}

TEST(Ranks, learnTheSameWithStreamedParameters) {
    TrainConfig config = everySetting(scratchFolder("streamed"));
    const TrainConfig resident = trainSpread(config, {2, 2}, "streamed-not");
    config.memory.policy = PlacementPolicy::Cpu;
    for (const int64_t zero : {0, 2})
        expectSameTensors(trainSpread(config, {2, zero}, "streamed-" + std::to_string(zero)), resident,
                          config.steps);
}

TEST(Ranks, holdTheirPartAndSendNoMoreThanIsNeeded) {
    TrainConfig config = sharedTraining(scratchFolder("bytes"));
    config.model = HOMEBOOTH_SOURCE_DIR "/resources/models/sketch"; // slices of some size
    config.batchSize = 3;
    config.steps = 3;
    config.output.checkpointEverySteps = config.steps;
    config.optimizer.maxGradientNorm = 1.0; // gradients rest
    const TrainConfig whole = trainSpread(config, {3, 0}, "bytes-0");
    const auto states = static_cast<double>(numberOf(whole, 0, "states"));
    const auto parameters = static_cast<double>(numberOf(whole, 0, "parameters"));
    const double trained = states / 2; // AdamW keeps two moments in fp32
    for (const int64_t zero : {0, 1, 2, 3}) {
        const TrainConfig spread =
            zero == 0 ? whole : trainSpread(config, {3, zero}, "bytes-" + std::to_string(zero));
        const double share = zero == 0 ? 1.0 : 1.0 / 3.0;
        // Two thirds of the parameters' bytes in each pass.
        const double needed = 2.0 / 3.0 * trained * (zero == 3 ? 3.0 : 2.0);
        for (int rank = 0; rank < 3; ++rank) {
            const auto held = [&](const char* kind) {
                return static_cast<double>(numberOf(spread, rank, kind));
            };
            std::cout << "zero " << zero << ", rank " << rank << ": parameters "
                      << numberOf(spread, rank, "parameters") << ", states "
                      << numberOf(spread, rank, "states") << ", resting "
                      << numberOf(spread, rank, "gradients") << ", sent in a step " << held("sent") / needed
                      << " of what is needed\n";
            EXPECT_NEAR(held("states") / (share * states), 1.0, 0.02);
            EXPECT_NEAR(held("gradients") / (share * trained), 1.0, 0.02);
            EXPECT_LE(held("sent"), 1.05 * needed);
            EXPECT_LE(held("parameters"), parameters * (zero == 3 ? 0.45 : 1.0));
        }
        expectMemoryOfEach(spread);
        if (zero < 3) continue;
        const auto planned = rehearseStep(spread, *openModel(spread.model), {});
        ASSERT_TRUE(planned.ok());
        EXPECT_EQ(planned->parameterBytes, numberOf(spread, 0, "parameters")); // the plan is the first one's
    }
}

TEST(Ranks, goOnInAnotherNumberOfProcesses) {
    TrainConfig config = everySetting(scratchFolder("resumed"));
    const TrainConfig through = trainAlone(config, "resumed-through");
    config.steps = 3;
    const TrainConfig begun = trainSpread(config, {2, 3}, "resumed-begun");
    for (const Spread next : {Spread{3, 1}, Spread{1, 0}}) {
        const std::string folder = freshFolder("resumed-on-" + std::to_string(next.ranks));
        fs::copy(begun.output.runDir, folder + "/run", fs::copy_options::recursive);
        TrainConfig resumed = inFolder(config, folder);
        resumed.steps = through.steps;
        resumed.parallel = {next.ranks, next.zero};
        std::ofstream(folder + "/config.json") << toJson(resumed);
        RankProcesses(next.ranks, "ARank.DISABLED_trains", folder).expectSuccessOfAll();
        EXPECT_LE(difference(checkpointOf(resumed, through.steps) + "/unet.safetensors",
                             checkpointOf(through, through.steps) + "/unet.safetensors"),
                  1e-5);
    }
}

} // namespace homebooth::core::testing

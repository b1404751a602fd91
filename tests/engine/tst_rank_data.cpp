// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Several processes learn what one learns, whatever pictures are drawn by: shapes, weights of losses,
// pictures that are held out, pictures that cannot be read.
#include "rank_training.h"

#include "core/engine/training/rank_turns.h"

namespace homebooth::core::testing {
namespace {

TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

/// What can be set of a shared training alike for photos and data sets.
TrainConfig alike(TrainConfig config) {
    config.batchSize = kBatch;
    config.steps = kSteps;
    config.optimizer.epsilon = 1e-4;
    config.output.checkpointEverySteps = kSteps;
    return config;
}

/// Pictures of two shapes, three of them wide.
TrainConfig shapes(const std::string& root) {
    TrainConfig config = alike(tinyDataset(root, 9));
    for (int i = 0; i < 3; ++i) {
        const std::string name = config.data.datasetDir + "/wide" + std::to_string(i);
        writePpm(name + ".ppm", patternPicture(20 + i, 160, 80));
        std::ofstream(name + ".txt") << "wide " << i;
    }
    config.data.framing = FramingMode::Buckets;
    return config;
}

/// Trains in one, two and three processes, which all learn the same.
/// @param broken  how the names of pictures end that none of them can decode, one a line
void expectLikeOneProcess(const TrainConfig& config, const std::string& name,
                          const std::string& broken = "") {
    const TrainConfig alone = inFolder(config, freshFolder(name + "-1"));
    MeddlingSource pictures;
    breakPictures(pictures, broken);
    JobWorld world;
    const OutcomeEvent outcome = runWith(pictures, alone, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    for (const Spread& spread : {Spread{2, 0}, Spread{3, 3}}) {
        SCOPED_TRACE(std::to_string(spread.ranks) + " ranks");
        const TrainConfig made = trainSpread(config, spread, name + "-" + std::to_string(spread.ranks),
                                             [&](const std::string& folder) {
                                                 for (int rank = 0; rank < spread.ranks; ++rank)
                                                     obstacle(rank, "broken", broken)(folder);
                                             });
        EXPECT_LE(difference(checkpointOf(made, kSteps) + "/unet.safetensors",
                             checkpointOf(alone, kSteps) + "/unet.safetensors"),
                  kTolerance);
        expectNear(numbersBy(made, 0, "losses"), lossesIn<StepEvent>(world.events), "loss");
        expectNear(numbersBy(made, 0, "validations"), lossesIn<ValidationEvent>(world.events), "validation");
    }
}

TEST(RankData, hasShapesThatOneProcessDraws) {
    TrainConfig config = shapes(scratchFolder("shapes"));
    config.data.flip = true;
    config.data.captionDropout = 0.2;
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 7;
    config.optimizer.learningRate = 1e-4; // at so few pixels rounding grows with every step
    expectLikeOneProcess(config, "shapes");
}

TEST(RankData, hasClassPicturesInTheShapesOfPhotos) {
    TrainConfig config = sharedTraining(scratchFolder("class-shapes"));
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(5, 160, 80));
    config.data.framing = FramingMode::Buckets;
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = folderOf(config) + "/class";
    config.data.classImageCount = 4;
    expectLikeOneProcess(config, "class-shapes");
}

/// Its UNet is told more than captions.
TEST(RankData, isThatOfSdxl) {
    TrainConfig config = sharedTraining(scratchFolder("xl-shapes"));
    config.model = fixture("tiny-sdxl");
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(5, 160, 80));
    config.data.framing = FramingMode::Buckets;
    config.data.flip = true;
    config.data.captionDropout = 0.2;
    config.optimizer.learningRate = 1e-4;
    expectLikeOneProcess(config, "xl-shapes");
}

class ClassPictures : public ::testing::TestWithParam<const char*> {};

TEST_P(ClassPictures, areMadeByAllRanksWithTheBytesOfOneProcess) {
    TrainConfig config = sharedTraining(scratchFolder("class-turns"));
    config.model = fixture(GetParam());
    config.steps = 1;
    config.output.checkpointEverySteps = 1;
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 10; // two whole groups and a part of one
    const auto withFolder = [&](const std::string& name) {
        TrainConfig own = config;
        own.data.classDir = freshFolder("class-turns-" + name);
        return own;
    };
    const TrainConfig alone = trainAlone(withFolder("alone"), "class-turns-1");
    const TrainConfig spread = withFolder("spread");
    const auto written = [](const TrainConfig& made) {
        std::vector<int64_t> pictures;
        for (const int rank : {0, 1, 2}) pictures.push_back(numberOf(made, rank, "written"));
        return pictures;
    };
    EXPECT_EQ(written(trainSpread(spread, {3, 3}, "class-turns-3")), (std::vector<int64_t>{4, 4, 2}));
    expectEqualFolders(spread.data.classDir, alone.data.classDir);

    // What is missing is made again, by turns of the groups that something is missing of.
    for (const char* lost : {"1", "2", "9"})
        fs::remove(spread.data.classDir + "/class-00000" + lost + ".png");
    EXPECT_EQ(written(trainSpread(spread, {3, 0}, "class-turns-again")), (std::vector<int64_t>{2, 1, 0}));
    expectEqualFolders(spread.data.classDir, alone.data.classDir);
    EXPECT_EQ(written(trainSpread(spread, {3, 0}, "class-turns-done")), (std::vector<int64_t>{0, 0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Models, ClassPictures, ::testing::Values("tiny-sd1", "tiny-sdxl"));

TEST(RankData, isWeighedByItsSignal) {
    TrainConfig config = sharedTraining(scratchFolder("min-snr"));
    config.loss.minSnrGamma = 5.0;
    config.loss.noiseOffset = 0.1;
    expectLikeOneProcess(config, "min-snr");
}

TEST(RankData, isHeldOutAlike) {
    TrainConfig config = shapes(scratchFolder("held-out"));
    config.data.validationShare = 0.25;
    config.output.validateEverySteps = 5;
    expectLikeOneProcess(config, "held-out");
}

TEST(RankData, isLeftOutAlikeWhereItIsBroken) {
    for (const EncodeTime encode : {EncodeTime::First, EncodeTime::Ahead}) {
        const std::string name = encode == EncodeTime::First ? "broken-first" : "broken-ahead";
        TrainConfig config = shapes(scratchFolder(name));
        config.data.skipBrokenImages = true;
        config.data.encode = encode;
        expectLikeOneProcess(config, name, "p3.ppm\np4.ppm\nwide1.ppm\n");
    }
}

TEST(RankTurns, areEqualSharesInOrder) {
    using Turns = std::vector<RankTurn>;
    EXPECT_EQ(turnsOf(5, 0, 2, false), (Turns{{0, true}, {2, true}, {4, true}}));
    EXPECT_EQ(turnsOf(5, 1, 2, false), (Turns{{1, true}, {3, true}}));
    EXPECT_EQ(turnsOf(5, 1, 2, true), (Turns{{1, true}, {3, true}, {4, false}})); // along with the first one
    EXPECT_EQ(turnsOf(1, 2, 3, true), (Turns{{0, false}}));
    EXPECT_TRUE(turnsOf(1, 2, 3, false).empty());
    EXPECT_TRUE(turnsOf(0, 0, 3, true).empty());
    EXPECT_EQ(turnsOf(2, 0, 1, false), (Turns{{0, true}, {1, true}}));
}

/// A data set with pictures to validate with, whose weights stay what they are.
TrainConfig lookedAt(const std::string& root) {
    TrainConfig config = shapes(root);
    config.steps = 2;
    config.optimizer.learningRate = 1e-30;
    config.output.checkpointEverySteps = 2;
    config.data.validationShare = 0.4; // five of twelve
    config.output.validateEverySteps = 1;
    config.output.previewEverySteps = 2;
    config.output.previewCount = 3;
    config.output.previewPrompt = "a cat | a dog";
    return config;
}

TEST(RankLooks, haveTheBytesOfOneProcessAtEveryStage) {
    const TrainConfig config = lookedAt(scratchFolder("looks"));
    const TrainConfig alone = inFolder(config, freshFolder("looks-1"));
    JobWorld world;
    ASSERT_EQ(runFresh(alone, world).result, "done");
    const std::vector<double> expected = lossesIn<ValidationEvent>(world.events);
    ASSERT_EQ(expected.size(), 3U);
    for (const Spread& spread : {Spread{2, 0}, Spread{2, 3}, Spread{3, 2}, Spread{3, 3}}) {
        const std::string name = "looks-" + std::to_string(spread.ranks) + "-" + std::to_string(spread.zero);
        SCOPED_TRACE(name);
        const TrainConfig made = trainSpread(config, spread, name);
        for (int rank = 0; rank < spread.ranks; ++rank)
            EXPECT_EQ(numbersBy(made, rank, "validations"), expected) << "rank " << rank;
        EXPECT_EQ(numberOf(made, 0, "written"), 3); // the first one writes what all have made
        expectEqualFolders(made.output.runDir + "/samples", alone.output.runDir + "/samples");
    }
}

/// The memory for the weights that averages stand for is in no plan.
TEST(RankLooks, areLeftOutByAllWhereOneLacksTheMemoryForAverages) {
    TrainConfig config = lookedAt(scratchFolder("looks-memory"));
    config.optimizer.emaDecay = 0.9;
    for (const int64_t zero : {0, 3}) {
        const std::string name = "looks-memory-" + std::to_string(zero);
        const TrainConfig straight = trainSpread(config, {2, zero}, name + "-straight");
        for (const std::string state : {"training", "sampling"}) {
            SCOPED_TRACE(name + " " + state);
            const bool validates = state == "training";
            const TrainConfig made =
                trainSpread(config, {2, zero}, name + "-" + state, obstacle(1, "refuses", state));
            const std::string looks = validates ? "validating at step 0" : "making the previews of step 2";
            const std::string warnings = leftBy(made, 0, "warnings");
            EXPECT_NE(warnings.find("rank 1: " + looks + ": there is not enough memory"), std::string::npos)
                << warnings;
            for (const int rank : {0, 1})
                EXPECT_EQ(numbersBy(made, rank, "validations").size(), validates ? 2U : 3U) << rank;
            EXPECT_EQ(numberOf(made, 0, "written"), validates ? 3 : 0);
            expectSameTensors(made, straight, 2);
        }
    }
}

/// Another rank's own settings show in what it computes, and in nothing else.
TEST(RankLooks, areComputedByAllRanks) {
    TrainConfig config = lookedAt(scratchFolder("looks-shares"));
    config.output.previewEverySteps = 0;
    config.steps = 1;
    config.output.checkpointEverySteps = 1;
    const auto noisier = [](TrainConfig& own, const std::string&) { own.loss.noiseOffset = 0.5; };
    const auto first = [&](const TrainConfig& settings, const std::string& name) {
        JobWorld world;
        EXPECT_EQ(runFresh(inFolder(settings, freshFolder(name)), world).result, "done");
        return lossesIn<ValidationEvent>(world.events).at(0);
    };
    const double calm = first(config, "looks-calm");
    TrainConfig other = config;
    noisier(other, "");
    const double noisy = first(other, "looks-noisy");
    EXPECT_NE(calm, noisy);
    const Spread spread{2, 0};
    const TrainConfig made =
        trainSpread(config, spread, "looks-both", settingsOf(1, config, spread, noisier));
    const std::vector<double> losses = numbersBy(made, 0, "validations");
    ASSERT_FALSE(losses.empty());
    EXPECT_NE(losses.front(), calm);
    EXPECT_NE(losses.front(), noisy);
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What training on captioned data sets adds: pictures held out, a first resolution, zero-terminal SNR.
#include "core/base/config/train_config_json.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/engine/data/held_out.h"

#include "finished_training.h"

#include <set>

namespace homebooth::core::testing {
namespace {

std::vector<TrainingSample> samplesWith(const std::vector<std::string>& hashes) {
    std::vector<TrainingSample> samples;
    for (const std::string& hash : hashes) {
        TrainingSample sample;
        sample.contentHash = hash;
        samples.push_back(sample);
    }
    return samples;
}

TEST(HeldOut, takesAShareThatHangsOnTheContentsAlone) {
    std::vector<TrainingSample> one = samplesWith({"d", "a", "c", "b"});
    std::vector<TrainingSample> other = samplesWith({"a", "b", "c", "d"});
    const auto first = takeHeldOut(one, 0.25);
    const auto second = takeHeldOut(other, 0.25);
    ASSERT_EQ(first.size(), 1U);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(first.front().contentHash, second.front().contentHash);
    ASSERT_EQ(one.size(), 3U);
    EXPECT_EQ(one.front().contentHash, "d"); // the others stay in order
    EXPECT_EQ(one.back().contentHash, "b");
}

TEST(HeldOut, keepsEqualPicturesTogetherAndNeverTakesAll) {
    std::vector<TrainingSample> twins = samplesWith({"a", "a", "b", "c"});
    EXPECT_EQ(takeHeldOut(twins, 0.01).size(), 2U); // at least one, and its equal
    std::vector<TrainingSample> same = samplesWith({"a", "a"});
    EXPECT_TRUE(takeHeldOut(same, 0.5).empty());
    EXPECT_EQ(same.size(), 2U);
    std::vector<TrainingSample> none = samplesWith({"a", "b"});
    EXPECT_TRUE(takeHeldOut(none, 0.0).empty());
}

TEST(HeldOut, looksAtSomeOfManyOneBucketBehindTheOther) {
    std::vector<TrainingSample> many(1000);
    for (size_t i = 0; i < many.size(); ++i) many[i].bucket = static_cast<int64_t>(i % 3);
    const std::vector<size_t> chosen = heldOutToLookAt(many);
    EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()).size(), 64U);
    for (size_t i = 1; i < chosen.size(); ++i) EXPECT_LE(many[chosen[i - 1]].bucket, many[chosen[i]].bucket);
    EXPECT_GT(*std::max_element(chosen.begin(), chosen.end()), 900U);
}

TEST(TrainDatasets, givesALossOfPicturesThatAreHeldOut) {
    TrainConfig config = tinyDataset(scratchFolder("held-out"));
    config.data.validationShare = 0.34;
    config.data.flip = true;
    JobWorld world;
    (void)finished(config, world);
    const auto points = world.events.of<ValidationEvent>();
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].step, 0);
    EXPECT_EQ(points[1].step, 2);
    EXPECT_EQ(points[2].step, 4);
    for (const ValidationEvent& point : points) EXPECT_GT(point.loss, 0.0);
    EXPECT_NE(points[0].loss, points[2].loss);
    EXPECT_EQ(world.events.of<StepEvent>().back().epoch, 1); // four of six pictures are trained on
    EXPECT_EQ(RunFolder::open(config.output.runDir)->facts()->at(kHeldOutFact), "2");
}

TEST(TrainDatasets, saysWhereNoPictureCouldBeHeldOut) {
    for (const bool autoencoder : {false, true}) {
        TrainConfig config = tinyDataset(scratchFolder("held-out-none"), 1);
        config.data.validationShare = 0.2;
        if (autoencoder) {
            config.mode = TrainMode::FromScratch;
            config.scratch.configDir = config.model;
            config.scratch.component = "vae";
            config.model.clear();
        }
        JobWorld world;
        (void)finished(config, world);
        EXPECT_TRUE(world.events.of<ValidationEvent>().empty());
        EXPECT_TRUE(warnsOf(world.events, "found 1 picture, and at least one must be left to train on"));
    }
}

TEST(TrainDatasets, validatesTheSamePicturesWithTheSameNoise) {
    TrainConfig config = tinyDataset(scratchFolder("held-out-same"));
    config.data.validationShare = 0.5;
    config.optimizer.learningRate = 1e-30; // nothing is learned
    config.optimizer.weightDecay = 0.0;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto points = world.events.of<ValidationEvent>();
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].loss, points[1].loss);
    EXPECT_EQ(points[0].loss, points[2].loss);
}

TEST(TrainDatasets, learnsTheSameWhetherItValidatesOrNot) {
    const std::string root = scratchFolder("held-out-apart");
    TrainConfig config = tinyDataset(root);
    config.data.validationShare = 0.34;
    config.trainTextEncoder = true;
    config.optimizer.emaDecay = 0.9;
    JobWorld often;
    ASSERT_EQ(runFresh(config, often).result, "done");
    TrainConfig seldom = inFolder(config, root + "/seldom");
    seldom.output.validateEverySteps = 100;
    JobWorld world;
    ASSERT_EQ(runFresh(seldom, world).result, "done");
    expectEqualFolders(checkpointOf(config, 4), checkpointOf(seldom, 4));
}

TEST(TrainDatasets, refusesToHoldPhotosOfASubjectOut) {
    TrainConfig config = tinyDreamBooth(scratchFolder("held-out-photos"));
    config.data.validationShare = 0.2;
    const auto valid = validate(config);
    ASSERT_FALSE(valid);
    EXPECT_NE(valid.error().message.find("--validation-share"), std::string::npos);
}

TEST(TrainDatasets, beginsAtALowerResolutionAndGoesOnAfterAStop) {
    const std::string root = scratchFolder("start-resolution");
    TrainConfig config = tinyDataset(root, 3);
    writePpm(config.data.datasetDir + "/wide.ppm", patternPicture(7, 160, 80));
    std::ofstream(config.data.datasetDir + "/wide.txt") << "wide";
    config.data.framing = FramingMode::Buckets;
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 3;
    config.steps = 6;
    JobWorld straight;
    const OutcomeEvent outcome = runFresh(inFolder(config, root + "/straight"), straight);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    for (const int64_t until : {2, 4, 6}) {
        TrainConfig part = config;
        part.steps = until;
        JobWorld world;
        ASSERT_EQ((until == 2 ? runFresh(part, world) : runAgain(part, world)).result, "done");
    }
    expectEqualFolders(checkpointOf(config, 6), root + "/straight/run/checkpoints/step-000006");
}

TEST(TrainDatasets, decodesPicturesOnceForEachResolution) {
    TrainConfig config = tinyDataset(scratchFolder("start-decoded"), 3);
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.pictures.loaded(), 6);
}

/// With captions that are lists of tags.
TrainConfig taggedDataset(const std::string& root) {
    TrainConfig config = tinyDataset(root, 3);
    for (int i = 0; i < 3; ++i)
        std::ofstream(config.data.datasetDir + "/p" + std::to_string(i) + ".txt")
            << "pattern " << i << ", red, blue, small, round";
    config.optimizer.learningRate = 1e-3;
    return config;
}

TEST(TrainDatasets, shufflesTagsTheSameAfterAStop) {
    for (const bool trainsText : {false, true}) {
        const std::string root = scratchFolder(trainsText ? "tags-text" : "tags");
        TrainConfig config = taggedDataset(root);
        config.trainTextEncoder = trainsText;
        JobWorld plain;
        ASSERT_EQ(runFresh(inFolder(config, root + "/plain"), plain).result, "done");
        config.data.shuffleTags = true;
        JobWorld straight;
        ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
        TrainConfig part = config;
        part.steps = 2;
        JobWorld first;
        ASSERT_EQ(runFresh(part, first).result, "done");
        JobWorld second;
        ASSERT_EQ(runAgain(config, second).result, "done");
        expectEqualFolders(checkpointOf(config, 4), root + "/straight/run/checkpoints/step-000004");
        EXPECT_NE(straight.events.of<StepEvent>().front().loss, plain.events.of<StepEvent>().front().loss);
    }
}

TEST(TrainDatasets, saysWhereNoTagsCanChangePlaces) {
    for (const bool trainsText : {false, true}) {
        const std::string root = scratchFolder(trainsText ? "tags-none-text" : "tags-none");
        TrainConfig config = taggedDataset(root);
        config.steps = 1;
        config.trainTextEncoder = trainsText;
        config.data.shuffleTags = true;
        config.data.keepTags = 3; // of five: two move
        JobWorld moving;
        ASSERT_EQ(runFresh(inFolder(config, root + "/moving"), moving).result, "done");
        EXPECT_FALSE(warnsOf(moving.events, "--shuffle-tags"));
        config.data.keepTags = 4;
        JobWorld still;
        ASSERT_EQ(runFresh(inFolder(config, root + "/still"), still).result, "done");
        EXPECT_TRUE(warnsOf(still.events, "--shuffle-tags changes nothing"));
    }
}

TEST(TrainDatasets, saysWhereTagsKeepOneOrder) {
    const std::vector<std::pair<int, const char*>> ways = {
        {1024, "tiny-sd1"}, {1025, "tiny-sd1"}, {1025, "tiny-sdxl"}};
    for (const auto& [captions, model] : ways) {
        const std::string root = scratchFolder("tags-many");
        TrainConfig config = tinyDataset(root, 1);
        config.model = fixture(model);
        config.data.shuffleTags = true;
        config.data.encode = EncodeTime::Ahead; // of all these a step needs one
        config.steps = 1;
        std::ofstream metadata(config.data.datasetDir + "/metadata.jsonl");
        metadata << R"({"file_name": "p0.ppm", "texts": [)";
        for (int i = 0; i < captions; ++i) metadata << (i == 0 ? "\"" : ", \"") << i << ", red, blue\"";
        metadata << "]}\n";
        metadata.close();
        JobWorld world;
        (void)finished(config, world);
        const bool says = captions == 1025;
        EXPECT_EQ(warnsOf(world.events, "found 1025: each has one order"), says);
        // No advice that the model has no use for.
        EXPECT_EQ(warnsOf(world.events, "--train-text-encoder"), says && fixture("tiny-sd1") == config.model);
    }
}

TEST(TrainDatasets, takesCaptionsFromNamedColumns) {
    const std::string root = scratchFolder("columns");
    TrainConfig config = tinyDataset(root, 2);
    std::ofstream(config.data.datasetDir + "/metadata.jsonl")
        << R"({"file_name": "p0.ppm", "title": "a dog", "text": "nothing"})"
        << "\n"
        << R"({"file_name": "p1.ppm", "title": "a cat", "text": "nothing"})"
        << "\n";
    JobWorld text;
    ASSERT_EQ(runFresh(inFolder(config, root + "/text"), text).result, "done");
    config.data.captionColumns = "title";
    JobWorld title;
    const OutcomeEvent outcome = runFresh(config, title);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_NE(title.events.of<StepEvent>().front().loss, text.events.of<StepEvent>().front().loss);
}

std::vector<double> lossesOf(const TrainConfig& config, const std::string& root) {
    JobWorld world;
    const OutcomeEvent outcome = runFresh(inFolder(config, root), world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    std::vector<double> losses;
    for (const StepEvent& step : world.events.of<StepEvent>()) losses.push_back(step.loss);
    return losses;
}

TEST(TrainDatasets, readsNothingOfCaptionsThatAreDropped) {
    const std::string root = scratchFolder("dropped");
    TrainConfig config = tinyDataset(root, 2);
    const std::vector<double> captioned = lossesOf(config, root + "/captioned");
    config.data.captionDropout = 1.0;
    const std::vector<double> dropped = lossesOf(config, root + "/dropped");
    config.data.captionDropout = 0.0;
    for (const char* name : {"/p0.txt", "/p1.txt"}) std::ofstream(config.data.datasetDir + name) << "\n";
    EXPECT_EQ(dropped, lossesOf(config, root + "/empty"));
    EXPECT_NE(dropped, captioned);
}

TEST(TrainDatasets, leavesALoraThatFits) {
    TrainConfig config = tinyDataset(scratchFolder("dataset-lora"));
    config.method = TrainMethod::Lora;
    config.lora.rank = 2;
    const OutcomeEvent outcome = finished(config);
    const auto lora = openLora(outcome.resultPaths.front());
    ASSERT_TRUE(lora) << lora.error().text();
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    EXPECT_TRUE(checkLoraFits(*lora, *model));
}

TEST(TrainDatasets, saysInTheResultWhatItLearnedToPredict) {
    TrainConfig config = tinyDataset(scratchFolder("v-prediction"));
    config.loss.predictionType = "v_prediction";
    JobWorld world;
    const OutcomeEvent outcome = finished(config, world);
    const auto result = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->predictionType, PredictionType::VPrediction);
    EXPECT_TRUE(warnsOf(world.events, "epsilon; v_prediction was taken, as was asked for"));
}

TEST(TrainDatasets, goesOnWithoutWhatHasNoCaptionWhereThatIsAllowed) {
    TrainConfig config = tinyDataset(scratchFolder("bare"), 3);
    fs::remove(config.data.datasetDir + "/p1.txt");
    JobWorld refusing;
    const OutcomeEvent refused = runFresh(config, refusing);
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.message.find("p1.ppm"), std::string::npos) << refused.message;
    config.data.skipBrokenImages = true;
    JobWorld world;
    const OutcomeEvent outcome = runAgain(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(world.events, "left out p1.ppm: it has no caption"));
}

TEST(TrainDatasets, trainsTowardsNoiseAloneAtTheLastTimestep) {
    TrainConfig config = tinyDataset(scratchFolder("zero-terminal"));
    config.model = fixture("tiny-sd2");
    config.loss.zeroTerminalSnr = true;
    config.loss.minSnrGamma = 5.0;
    const OutcomeEvent outcome = finished(config);
    const auto result = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(result) << result.error().text();
    const auto scheduler = parseSchedulerConfig(result->schedulerJson, "scheduler");
    ASSERT_TRUE(scheduler);
    EXPECT_EQ(scheduler->rescaleBetasZeroSnr, true);
    EXPECT_EQ(scheduler->timestepSpacing, TimestepSpacing::Trailing);
    EXPECT_NE(scheduler->className, "PNDMScheduler");
}

TEST(TrainDatasets, refusesZeroTerminalSnrOfAModelThatPredictsNoise) {
    TrainConfig config = tinyDataset(scratchFolder("zero-terminal-epsilon"));
    config.loss.zeroTerminalSnr = true;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("--prediction-type v_prediction"), std::string::npos) << outcome.message;
}

TEST(TrainDatasets, saysWhatOfAStepGettingItsPicturesTakes) {
    TrainConfig config = tinyDataset(scratchFolder("data-seconds"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    for (const StepEvent& step : world.events.of<StepEvent>()) {
        EXPECT_GT(step.dataSeconds, 0.0);
        EXPECT_LT(step.dataSeconds, step.seconds);
    }
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Data sets whose pictures are encoded while they are trained on.
#include "core/base/run/failure_cause.h"
#include "training_support.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace homebooth::core::testing {
namespace {

/// With everything that pictures are drawn by: shapes, mirroring, a first resolution, pictures held out.
TrainConfig variedDataset(const std::string& root) {
    TrainConfig config = tinyDataset(root, 8);
    writePpm(config.data.datasetDir + "/wide.ppm", patternPicture(7, 160, 80));
    std::ofstream(config.data.datasetDir + "/wide.txt") << "wide";
    config.data.framing = FramingMode::Buckets;
    config.data.flip = true;
    config.data.captionDropout = 0.2;
    config.data.validationShare = 0.2;
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 3;
    config.batchSize = 2;
    config.steps = 12;
    config.output.checkpointEverySteps = 2;
    return config;
}

TrainConfig encoding(TrainConfig config, EncodeTime time, const std::string& root) {
    config.data.encode = time;
    return inFolder(std::move(config), root);
}

std::string encodeFact(const TrainConfig& config) {
    const auto facts = RunFolder::open(config.output.runDir)->facts();
    return facts ? facts->at("encode") : facts.error().text();
}

TEST(TrainAhead, hasTheBytesOfEncodingFirst) {
    const std::string root = scratchFolder("ahead");
    const TrainConfig config = variedDataset(root);
    const TrainConfig first = encoding(config, EncodeTime::First, root + "/first");
    JobWorld straight;
    ASSERT_EQ(runFresh(first, straight).result, "done");
    for (const bool cached : {false, true}) {
        const TrainConfig ahead =
            encoding(config, EncodeTime::Ahead, root + (cached ? "/ahead-cached" : "/ahead"));
        JobWorld world;
        if (cached) world.options.cacheDir = root + "/cache";
        const OutcomeEvent outcome = runFresh(ahead, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(encodeFact(ahead), "ahead");
        expectEqualFolders(checkpointOf(ahead, 12), checkpointOf(first, 12));
        const auto losses = world.events.of<ValidationEvent>();
        ASSERT_FALSE(losses.empty());
        EXPECT_EQ(losses.back().loss, straight.events.of<ValidationEvent>().back().loss);
    }
}

TEST(TrainAhead, goesOnInTheMiddleOfTheFirstEpoch) {
    const std::string root = scratchFolder("ahead-resumed");
    const TrainConfig config = variedDataset(root);
    const TrainConfig first = encoding(config, EncodeTime::First, root + "/first");
    JobWorld straight;
    ASSERT_EQ(runFresh(first, straight).result, "done");
    TrainConfig ahead = encoding(config, EncodeTime::Ahead, root + "/ahead");
    for (const int64_t until : {2, 4, 6, 12}) {
        ahead.steps = until;
        JobWorld world;
        ASSERT_EQ(runWith(world.pictures, ahead, world).result, "done") << until;
    }
    expectEqualFolders(checkpointOf(ahead, 12), checkpointOf(first, 12));
}

TEST(TrainAhead, decodesOnlyWhatStepsNeedOfManyPictures) {
    const std::string root = scratchFolder("ahead-many");
    TrainConfig config = tinyDataset(root, 1);
    const std::string picture = config.data.datasetDir + "/p0.ppm";
    writePpm(picture, patternPicture(0, 8, 8));
    for (int i = 1; i <= 1000; ++i) {
        const std::string name = config.data.datasetDir + "/p" + std::to_string(i);
        Picture small = patternPicture(0, 8, 8);
        small.rgb[0] = static_cast<uint8_t>(i % 256);
        small.rgb[1] = static_cast<uint8_t>(255 - i / 256);
        writePpm(name + ".ppm", small);
        fs::copy_file(config.data.datasetDir + "/p0.txt", name + ".txt");
    }
    config.batchSize = 2;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(encodeFact(config), "ahead");
    EXPECT_EQ(world.pictures.loaded(), 8);

    TrainConfig fewer = config;
    fs::remove(picture);
    fewer.steps = 1;
    fewer.output.runDir = root + "/fewer";
    JobWorld small;
    ASSERT_EQ(runFresh(fewer, small).result, "done");
    EXPECT_EQ(encodeFact(fewer), "first");
    EXPECT_EQ(small.pictures.loaded(), 1000);
}

TEST(TrainAhead, hasEncodedAllAfterAnEpochAndSaysWhatThatTook) {
    const std::string root = scratchFolder("ahead-epoch");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    config.steps = 9; // of six pictures
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    for (const StepEvent& step : world.events.of<StepEvent>()) {
        if (step.step <= 6)
            EXPECT_GT(step.encodeSeconds, 0.0) << step.step;
        else
            EXPECT_EQ(step.encodeSeconds, 0.0) << step.step;
        EXPECT_LT(step.encodeSeconds + step.dataSeconds, step.seconds);
    }
    EXPECT_EQ(world.pictures.loaded(), 6);
    JobWorld again;
    again.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(encoding(config, EncodeTime::First, root + "/again"), again).result, "done");
    EXPECT_EQ(again.pictures.loaded(), 0);
}

int64_t latentBytesIn(const std::string& cache) {
    int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(cache + "/latents"))
        if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
    return bytes;
}

TEST(TrainAhead, encodesAgainWhatHasAPlaceNeitherInMemoryNorInTheCache) {
    const std::string root = scratchFolder("ahead-no-place");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::First, root + "/first");
    config.steps = 14; // of six pictures
    JobWorld straight;
    ASSERT_EQ(runFresh(config, straight).result, "done");
    constexpr int64_t kNoRoom = 1000;
    for (const bool cached : {false, true}) {
        const std::string name = cached ? "/full" : "/none";
        const TrainConfig ahead = encoding(config, EncodeTime::Ahead, root + name);
        JobWorld world;
        world.options.heldLatentBytes = 0;
        world.options.cacheBytes = kNoRoom; // less than what a picture takes
        if (cached) world.options.cacheDir = root + "/cache";
        const OutcomeEvent outcome = runFresh(ahead, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(world.pictures.loaded(), 14);
        expectEqualFolders(checkpointOf(ahead, 14), checkpointOf(config, 14));
    }
    EXPECT_EQ(latentBytesIn(root + "/cache"), 0);
}

TEST(TrainAhead, encodesAgainWhatTheCacheHasLost) {
    const std::string root = scratchFolder("ahead-lost");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    config.steps = 6;
    JobWorld world;
    world.options.heldLatentBytes = 0;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    struct LosesTheCache : EventList { // when it was counted on, and before a step has read any of it
        explicit LosesTheCache(std::string lost)
            : folder(std::move(lost)) {}
        void emit(const Event& event) override {
            EventList::emit(event);
            const auto* state = std::get_if<StateEvent>(&event);
            if (state != nullptr && state->state == "training") fs::remove_all(folder);
        }
        std::string folder;
    } events(root + "/cache/latents");
    PpmSource pictures;
    const TrainConfig again = inFolder(config, root + "/again");
    const OutcomeEvent outcome =
        runTrainJob(again, makeRun(again), events, world.control, pictures, world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(pictures.loaded(), 6);
    expectEqualFolders(checkpointOf(again, 6), checkpointOf(config, 6));
}

TEST(TrainAhead, holdsWhatTheCacheCannotAsFarAsMemoryGoes) {
    const std::string root = scratchFolder("ahead-some-held");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    config.steps = 12;
    JobWorld all;
    ASSERT_EQ(runFresh(config, all).result, "done");
    EXPECT_EQ(all.pictures.loaded(), 6);
    JobWorld some;
    some.options.heldLatentBytes = int64_t{3} * 2 * 4 * 8 * 8 * 4; // three pictures' mean and variance
    const TrainConfig again = inFolder(config, root + "/again");
    ASSERT_EQ(runFresh(again, some).result, "done");
    EXPECT_GT(some.pictures.loaded(), 6);
    EXPECT_LT(some.pictures.loaded(), 12);
    expectEqualFolders(checkpointOf(again, 12), checkpointOf(config, 12));
}

TEST(TrainAhead, isAdvisedWhereLatentsOfAllHaveNoPlace) {
    const std::string root = scratchFolder("first-no-place");
    const TrainConfig config = encoding(tinyDataset(root), EncodeTime::First, root);
    JobWorld world;
    world.options.heldLatentBytes = 0;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 4);
    for (const char* part : {"the cache cannot be written", "--encode ahead"})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
    EXPECT_LE(world.pictures.loaded(), 2); // not all of them first
    JobWorld cached;
    cached.options.heldLatentBytes = 0;
    cached.options.cacheDir = root + "/cache";
    const TrainConfig again = inFolder(config, root + "/again");
    EXPECT_EQ(runFresh(again, cached).result, "done");
    EXPECT_GT(latentBytesIn(root + "/cache"), 0);
}

TEST(TrainAhead, namesAPictureThatBreaksOnceTrainingHasBegun) {
    const std::string root = scratchFolder("ahead-broken");
    const TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    MeddlingSource pictures;
    pictures.before = [](const std::string& path) { return !path.ends_with("p3.ppm"); };
    JobWorld world;
    TrainConfig longer = config;
    longer.steps = 6;
    const OutcomeEvent outcome = runWith(pictures, longer, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::BrokenPictures); // as the window tells it
    for (const char* part : {"p3.ppm", "cut off", "--skip-broken-images"})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
}

TEST(TrainAhead, putsAnotherInThePlaceOfABrokenPictureAlwaysTheSame) {
    const std::string root = scratchFolder("ahead-skipped");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root + "/straight");
    config.data.skipBrokenImages = true;
    config.steps = 9;
    MeddlingSource pictures;
    pictures.before = [](const std::string& path) { return !path.ends_with("p3.ppm"); };
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runWith(pictures, config, world).result, "done");
    EXPECT_EQ(world.events.of<WarningEvent>().size(), 1U);
    EXPECT_TRUE(warnsOf(world.events, "p3.ppm: the picture is cut off"));

    TrainConfig parts = inFolder(config, root + "/parts");
    for (const int64_t until : {4, 9}) {
        parts.steps = until;
        parts.data.encode = until == 4 ? EncodeTime::Ahead : EncodeTime::Auto; // as it began
        JobWorld part;
        const OutcomeEvent outcome = runWith(pictures, parts, part);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
    }
    expectEqualFolders(checkpointOf(parts, 9), checkpointOf(config, 9));
}

TEST(TrainAhead, goesOnWhereMemoryRanOutOnce) {
    const std::string root = scratchFolder("ahead-memory");
    const TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    MeddlingSource pictures;
    std::atomic<int> untilRefusal = 2;
    pictures.before = [&](const std::string& /*path*/) {
        if (untilRefusal-- == 0) throw std::bad_alloc();
        return true;
    };
    JobWorld world;
    const OutcomeEvent outcome = runWith(pictures, config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_LT(untilRefusal, 0);
    EXPECT_TRUE(world.events.of<WarningEvent>().empty());
}

TEST(TrainAhead, encodesNoPictureWhoseContentsHaveChanged) {
    const std::string root = scratchFolder("ahead-changed");
    TrainConfig config = encoding(tinyDataset(root), EncodeTime::Ahead, root);
    config.steps = 6;
    MeddlingSource pictures;
    pictures.before = [](const std::string& path) {
        if (path.ends_with("p3.ppm")) writePpm(path, patternPicture(9));
        return true;
    };
    JobWorld world;
    const OutcomeEvent outcome = runWith(pictures, config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("have changed since the run began"), std::string::npos) << outcome.message;
}

TEST(TrainAhead, endsItsThreadWhenItIsStopped) {
    const std::string root = scratchFolder("ahead-stopped");
    TrainConfig config = encoding(tinyDataset(root, 40), EncodeTime::Ahead, root);
    config.steps = 40;
    std::atomic<int> begun = 0;
    MeddlingSource pictures;
    pictures.before = [&](const std::string&) {
        if (++begun > 2) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return true;
    };
    TrainControl control;
    StoppingSink events(control);
    PpmWriter writer;
    const OutcomeEvent outcome =
        runTrainJob(config, makeRun(config), events, control, pictures, writer, JobOptions());
    EXPECT_EQ(outcome.result, "cancelled") << outcome.message;
    const int atTheEnd = begun;
    EXPECT_LT(atTheEnd, 40);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(begun, atTheEnd);
}

} // namespace
} // namespace homebooth::core::testing

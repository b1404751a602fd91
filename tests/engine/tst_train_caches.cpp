// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training runs and what they keep for others: class pictures, latents, a bound for all of it.
#include "training_support.h"

#include <thread>

namespace homebooth::core::testing {
namespace {

/// Remembers which thread decoded each picture.
class NotingSource : public PpmSource {
public:
    Result<Picture> load(const std::string& path, PictureSize size) override {
        threads.push_back(std::this_thread::get_id());
        return PpmSource::load(path, size);
    }
    std::vector<std::thread::id> threads;
};

/// Looks at pictures without decoding them.
class LookingSource : public PpmSource {
public:
    Result<void> expectWhole(const std::string& path) override {
        ++looks;
        const auto there = size(path);
        return there ? Result<void>() : Result<void>(there.error());
    }
    int looks = 0;
};

/// Counts pictures that came into a folder which does not say yet what they are made of.
class OriginWatch : public PpmWriter {
public:
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>& text) override {
        if (!fs::exists(fs::path(path).parent_path() / "made-of.json")) ++nameless;
        return PpmWriter::write(path, picture, text);
    }
    int nameless = 0;
};

TEST(TrainCaches, makesClassPicturesOnceAndCountsThem) {
    const std::string root = scratchFolder("prior");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 3;
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.writer.written, 3);
    // One was lost, one more is wanted: exactly two are made.
    fs::remove(root + "/class/class-000001.png");
    config.data.classImageCount = 4;
    JobWorld again;
    const OutcomeEvent outcome = runFresh(inFolder(config, root + "/second"), again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(again.writer.written, 2);
    EXPECT_EQ(again.events.of<StepEvent>().size(), 2U);
    EXPECT_FALSE(warnsOf(again.events, "the class pictures in"));
    config.data.classPrompt = "a photo of a cat";
    JobWorld other;
    ASSERT_EQ(runFresh(inFolder(config, root + "/cat"), other).result, "done");
    EXPECT_TRUE(warnsOf(other.events, "were made of \"a photo of a dog\""));
    config.data.classImageCount = 5;
    JobWorld mixed; // a cat among dogs, which nobody would be told of later
    const OutcomeEvent refused = runFresh(inFolder(config, root + "/mixed"), mixed);
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.message.find("cannot add class pictures: "), std::string::npos) << refused.message;
    EXPECT_EQ(mixed.writer.written, 0);
    config.data.classImageCount = 4;
    fs::remove(config.data.classDir + "/made-of.json"); // of an earlier version, say
    JobWorld silent;
    ASSERT_EQ(runFresh(inFolder(config, root + "/silent"), silent).result, "done");
    EXPECT_FALSE(warnsOf(silent.events, "the class pictures in"));
}

TEST(TrainCaches, saysWhatClassPicturesAreMadeOfAheadOfTheFirst) { // a kill may come behind any of them
    const std::string root = scratchFolder("prior-origin");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 2;
    config.steps = 1;
    JobWorld world;
    OriginWatch writer;
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), world.events, world.control,
                                             world.pictures, writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_GE(writer.written, 2);
    EXPECT_EQ(writer.nameless, 0);
}

TEST(TrainCaches, keysClassPicturesInTheCacheByPromptAndGuidance) {
    const std::string root = scratchFolder("prior-cache");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 1;
    config.steps = 1;
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    ASSERT_EQ(runFresh(inFolder(config, root + "/same"), world).result, "done");
    EXPECT_EQ(world.writer.written, 1);
    config.data.classPrompt = "a cat";
    ASSERT_EQ(runFresh(inFolder(config, root + "/other"), world).result, "done");
    EXPECT_EQ(world.writer.written, 2);
    config.output.guidanceScale = 2.0; // of previews alone
    ASSERT_EQ(runFresh(inFolder(config, root + "/previews"), world).result, "done");
    EXPECT_EQ(world.writer.written, 2);
    config.data.classGuidanceScale = 1.0;
    ASSERT_EQ(runFresh(inFolder(config, root + "/varied"), world).result, "done");
    EXPECT_EQ(world.writer.written, 3);
}

TEST(TrainCaches, makesDamagedClassPicturesOfTheCacheAgain) { // nobody has another copy
    const std::string root = scratchFolder("prior-damaged");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 3;
    config.steps = 1;
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    ASSERT_EQ(world.writer.written, 3);
    const std::string folder = fs::directory_iterator(root + "/cache/class-pictures")->path().string();
    fs::copy(folder, root + "/whole");
    fs::resize_file(folder + "/class-000000.png", 300);
    fs::resize_file(folder + "/class-000002.png", 0);
    const OutcomeEvent outcome = runFresh(inFolder(config, root + "/second"), world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(world.writer.written, 5);
    expectEqualFolders(folder, root + "/whole");
    config.data.classDir = folder; // of the user's nothing is taken away
    fs::resize_file(folder + "/class-000000.png", 300);
    EXPECT_EQ(runFresh(inFolder(config, root + "/own"), world).code, 3);
    EXPECT_EQ(fs::file_size(folder + "/class-000000.png"), 300U);
}

TEST(TrainCaches, looksAtClassPicturesOfTheCacheWithoutDecodingThem) {
    const std::string root = scratchFolder("prior-looked-at");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 3;
    config.steps = 1;
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    LookingSource pictures;
    ASSERT_EQ(runWith(pictures, inFolder(config, root + "/second"), world).result, "done");
    EXPECT_GE(pictures.looks, 3);
    EXPECT_EQ(pictures.loaded(), 0); // their latents are in the cache, too
    EXPECT_EQ(world.writer.written, 3);
}

TEST(TrainCaches, drawsClassPicturesByWhatTheModelPredictsWhateverItShallLearn) {
    const std::string root = scratchFolder("prior-prediction");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 2;
    config.steps = 1;
    JobWorld plain;
    plain.options.cacheDir = root + "/plain";
    ASSERT_EQ(runFresh(config, plain).result, "done");
    config.loss.predictionType = "v_prediction";
    config.loss.zeroTerminalSnr = true;
    JobWorld other;
    other.options.cacheDir = root + "/other";
    const OutcomeEvent outcome = runFresh(inFolder(config, root + "/second"), other);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(other.writer.written, 2);
    expectEqualFolders(root + "/other/class-pictures", root + "/plain/class-pictures");
}

TEST(TrainCaches, decodesPicturesOnAThreadBesideTheOneThatEncodes) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("decoded-ahead"));
    JobWorld world;
    NotingSource pictures;
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), world.events, world.control, pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(pictures.threads.size(), 3U);
    for (const std::thread::id thread : pictures.threads) EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(TrainCaches, decodesNoPictureThatIsCached) {
    const std::string root = scratchFolder("cached");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.pictures.loaded(), 3);
    JobWorld second;
    second.options.cacheDir = root + "/cache";
    const TrainConfig other = inFolder(config, root + "/second");
    ASSERT_EQ(runFresh(other, second).result, "done");
    EXPECT_EQ(second.pictures.loaded(), 0);
    expectEqualFolders(checkpointOf(other, 4), checkpointOf(config, 4));
}

TEST(TrainCaches, encodesAPictureAnewWhoseFileChanged) {
    const std::string root = scratchFolder("changed-picture");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string photo = config.data.instanceDir + "/photo1.ppm";
    const auto time = fs::last_write_time(photo);
    const auto bytes = fs::file_size(photo);
    writePpm(photo, patternPicture(9));
    fs::last_write_time(photo, time);
    ASSERT_EQ(fs::file_size(photo), bytes);

    JobWorld second;
    second.options.cacheDir = root + "/cache";
    const TrainConfig cached = inFolder(config, root + "/cached");
    ASSERT_EQ(runFresh(cached, second).result, "done");
    EXPECT_EQ(second.pictures.loaded(), 1);
    JobWorld third;
    const TrainConfig fresh = inFolder(config, root + "/fresh");
    ASSERT_EQ(runFresh(fresh, third).result, "done");
    expectEqualFolders(checkpointOf(cached, 4), checkpointOf(fresh, 4));
}

TEST(TrainCaches, keepsTheCacheBelowItsBound) {
    const std::string root = scratchFolder("bounded");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    const std::string old = world.options.cacheDir + "/latents/older/pack.safetensors";
    fs::create_directories(fs::path(old).parent_path());
    std::ofstream(old) << std::string(5000, 'x');
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_TRUE(fs::exists(old));
    world.options.cacheBytes = 1000;
    ASSERT_EQ(runFresh(inFolder(config, root + "/second"), world).result, "done");
    EXPECT_FALSE(fs::exists(old));
    EXPECT_EQ(world.pictures.loaded(), 3); // what the run itself uses stayed
}

} // namespace
} // namespace homebooth::core::testing

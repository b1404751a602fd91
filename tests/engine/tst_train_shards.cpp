// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Data sets in shards: what belongs together in them, and that training on them is training on their
// pictures.
#include "core/engine/data/captions.h"
#include "core/engine/data/picture_counts.h"
#include "core/engine/data/shard_captions.h"

#include "finished_training.h"

namespace homebooth::core::testing {
namespace {

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// Packs files of a folder in this order.
void pack(const std::string& folder, const std::vector<std::string>& names, const std::string& tar) {
    fs::create_directories(fs::path(tar).parent_path());
    std::string command = "tar -cf '" + tar + "' -C '" + folder + "'";
    for (const std::string& name : names) command += " '" + name + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

std::string captionedPicture(const std::string& folder, int number) {
    const std::string name = "p" + std::to_string(number);
    fs::create_directories(folder);
    writePpm(folder + "/" + name + ".ppm", patternPicture(number));
    write(folder + "/" + name + ".txt", "pattern " + std::to_string(number));
    return name;
}

/// Six captioned pictures in a folder `plain/data`; the same in two shards in `packed/data`, with one caption
/// as JSON.
TrainConfig sixPictures(const std::string& root) {
    const std::string plain = root + "/plain/data";
    const std::string packed = root + "/packed/data";
    for (int i = 0; i < 6; ++i) captionedPicture(plain, i);
    write(plain + "/p4.json", "{\"width\": 80, \"caption\": \"pattern 4\"}");
    pack(plain, {"p0.ppm", "p0.txt", "p1.txt", "p1.ppm", "p2.ppm", "p2.txt"}, packed + "/a.tar");
    pack(plain, {"p3.txt", "p3.ppm", "p4.ppm", "p5.ppm", "p5.txt", "p4.json"}, packed + "/b/0.tar");
    TrainConfig config;
    config.mode = TrainMode::Dataset;
    config.model = fixture("tiny-sd1");
    config.data.datasetDir = plain;
    config.data.resolutionPixels = 64;
    config.batchSize = 2;
    config.steps = 4;
    config.threads = 1;
    config.optimizer.learningRate = 1e-3;
    config.output.checkpointEverySteps = 2;
    config.output.runDir = root + "/run";
    return config;
}

TrainConfig onShards(TrainConfig config, const std::string& root) {
    config.data.datasetDir = root + "/packed/data";
    return inFolder(config, root + "/shards");
}

/// Cuts a shard off in the picture p2, which comes last but for its caption.
void cutFirstShard(const TrainConfig& onShards) {
    const std::string shard = onShards.data.datasetDir + "/a.tar";
    const auto file = FileReader::open(shard);
    std::vector<TarMember> members;
    ASSERT_TRUE(readTarIndex(*file, members));
    ASSERT_EQ(members[4].name, "p2.ppm");
    fs::resize_file(shard, static_cast<uint64_t>(members[4].offset + 100));
}

Result<std::vector<CaptionedPicture>> captionsOf(const std::string& folder,
                                                 const std::vector<std::string>& columns = {}) {
    PpmSource pictures;
    BrokenPictures broken;
    auto found = readCaptions(folder, pictures, broken, columns);
    EXPECT_TRUE(broken.empty());
    return found;
}

TEST(Shards, trainLikeAFolderOfTheirPictures) {
    const std::string root = scratchFolder("shards-equal");
    const TrainConfig folder = sixPictures(root);
    const TrainConfig shards = onShards(folder, root);
    JobWorld first;
    const OutcomeEvent plain = runFresh(folder, first);
    ASSERT_EQ(plain.result, "done") << plain.message;
    JobWorld second;
    const OutcomeEvent packed = runFresh(shards, second);
    ASSERT_EQ(packed.result, "done") << packed.message;
    expectEqualFolders(checkpointOf(shards, 4), checkpointOf(folder, 4));
    expectEqualFolders(shards.output.runDir + "/result", folder.output.runDir + "/result");
}

TEST(Shards, areCountedByWhatIsWholeInThem) {
    const std::string root = scratchFolder("shards-counted");
    const TrainConfig config = onShards(sixPictures(root), root);
    PpmSource pictures;
    PictureCounts counts = countPictures(config, *openModel(config.model), pictures);
    ASSERT_EQ(counts.trained.size(), size_t{1});
    EXPECT_EQ(counts.trained.begin()->second, 6);
    EXPECT_EQ(counts.texts, 6);
    cutFirstShard(config); // which has two then
    counts = countPictures(config, *openModel(config.model), pictures);
    EXPECT_EQ(counts.trained.begin()->second, 5);
}

TEST(Shards, areCountedWithEveryTextThatStepsMayAskFor) {
    const std::string root = scratchFolder("shards-texts");
    TrainConfig config = onShards(sixPictures(root), root);
    const std::string plain = root + "/plain/data";
    write(plain + "/p4.json", R"({"texts": ["one", "two", "one, three"], "keywords": ["x", "y, z"]})");
    pack(plain, {"p3.txt", "p3.ppm", "p4.ppm", "p5.ppm", "p5.txt", "p4.json"}, root + "/packed/data/b/0.tar");
    const auto texts = [&config] {
        PpmSource pictures;
        return countPictures(config, *openModel(config.model), pictures).texts;
    };
    EXPECT_EQ(texts(), 5 + 3);
    config.data.captionDropout = 0.1;
    EXPECT_EQ(texts(), 8 + 1);
    config.data.shuffleTags = true;
    EXPECT_EQ(texts(), 8 + 8 * 16 + 1); // each in so many orders at most
    config.data.captionColumns = "keywords";
    EXPECT_EQ(texts(), 2 + 2 * 16 + 1);
}

/// Which would take long to look at.
TEST(Shards, areCountedByTheirSizesWherePicturesAreVeryMany) {
    const std::string root = scratchFolder("shards-many");
    constexpr int64_t kMembers = (int64_t{1} << 15) + 1;
    write(root + "/files/p0.ppm", "");
    pack(root + "/files", {"p0.ppm"}, root + "/one.tar");
    const std::string member = fileBytes(root + "/one.tar").substr(0, 512);
    std::string members;
    for (int64_t i = 0; i < kMembers; ++i) members += member;
    write(root + "/data/x.tar", members);
    TrainConfig config;
    config.mode = TrainMode::Dataset;
    config.model = fixture("tiny-sd1");
    config.data.datasetDir = root + "/data";
    PpmSource pictures;
    PictureCounts counts = countPictures(config, *openModel(config.model), pictures);
    const int64_t bySize = std::ssize(members) / (16 << 10) + 1;
    EXPECT_EQ(counts.trainedPictures(), bySize);
    EXPECT_EQ(counts.texts, bySize);
    config.data.shuffleTags = true;
    config.data.captionDropout = 0.1;
    counts = countPictures(config, *openModel(config.model), pictures);
    EXPECT_EQ(counts.texts, bySize + kMostTagOrders + 1);
}

TEST(Shards, areCountedWithoutWhatLiesBesideTheirPictures) {
    const std::string root = scratchFolder("shards-beside");
    captionedPicture(root, 0);
    writePpm(root + "/p0.mask.ppm", patternPicture(1));
    pack(root, {"p0.ppm", "p0.mask.ppm", "p0.txt"}, root + "/data/a.tar");
    PpmSource pictures;
    int64_t most = 5;
    EXPECT_EQ(picturesNamedIn(root + "/data/a.tar", pictures, most), 1);
    EXPECT_EQ(most, 2);
    EXPECT_EQ(picturesNamedIn(root + "/data/a.tar", pictures, most), std::nullopt); // has three
    EXPECT_EQ(most, 0);
    most = 5;
    EXPECT_EQ(picturesNamedIn(root + "/data/b.tar", pictures, most), std::nullopt);
}

TEST(Shards, teachAnAutoencoderLikeAFolder) {
    const std::string root = scratchFolder("shards-vae");
    TrainConfig folder = sixPictures(root);
    folder.mode = TrainMode::FromScratch;
    folder.scratch.configDir = folder.model;
    folder.scratch.component = "vae";
    folder.model.clear();
    const TrainConfig shards = onShards(folder, root);
    for (const TrainConfig& config : {folder, shards}) {
        (void)finished(config);
    }
    expectEqualFolders(checkpointOf(shards, 4), checkpointOf(folder, 4));
}

TEST(Shards, goOnAndShareCachesWithAFolder) {
    const std::string root = scratchFolder("shards-resume");
    const TrainConfig folder = sixPictures(root);
    TrainConfig shards = onShards(folder, root);
    JobWorld first;
    first.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(folder, first).result, "done");
    EXPECT_EQ(first.pictures.loaded(), 6);
    shards.steps = 3;
    JobWorld second;
    second.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(shards, second).result, "done");
    shards.steps = 4;
    JobWorld third;
    const OutcomeEvent outcome = runAgain(shards, third);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(second.pictures.loaded(), 0);
    EXPECT_EQ(third.events.of<ResumedEvent>().front().fromStep, 3);
    expectEqualFolders(checkpointOf(shards, 4), checkpointOf(folder, 4));
}

TEST(Shards, thatAreCutOffAreRefusedBeforeAnythingIsLoaded) {
    const std::string root = scratchFolder("shards-cut");
    const TrainConfig config = onShards(sixPictures(root), root);
    cutFirstShard(config);
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    for (const char* part : {"a.tar", "the contents of \"p2.ppm\"", "cut off", "--skip-broken-images"})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
    EXPECT_EQ(world.pictures.loaded(), 0);
}

TEST(Shards, thatAreCutOffGiveWhatTheyHaveWhereThatIsAllowed) {
    const std::string root = scratchFolder("shards-skip");
    TrainConfig config = onShards(sixPictures(root), root);
    config.data.skipBrokenImages = true;
    cutFirstShard(config);
    JobWorld world;
    (void)finished(config, world);
    EXPECT_EQ(world.pictures.loaded(), 5);
    EXPECT_TRUE(warnsOf(world.events, "left out " + config.data.datasetDir + "/a.tar: "));
}

TEST(Shards, withABrokenPictureNameIt) {
    const std::string root = scratchFolder("shards-broken");
    TrainConfig config = sixPictures(root);
    write(root + "/plain/data/p1.ppm", "no picture");
    pack(root + "/plain/data", {"p0.ppm", "p0.txt", "p1.ppm", "p1.txt"}, root + "/packed/data/a.tar");
    config = onShards(config, root);
    JobWorld world;
    const OutcomeEvent refused = runFresh(config, world);
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.message.find("/packed/data/a.tar/p1.ppm"), std::string::npos) << refused.message;
    config.data.skipBrokenImages = true;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(config, again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(again.pictures.loaded(), 4);
    EXPECT_TRUE(warnsOf(again.events, "/packed/data/a.tar/p1.ppm"));
}

TEST(Shards, findCaptionsByTheKey) {
    const std::string root = scratchFolder("shards-keys");
    const std::string files = root + "/files";
    for (const char* name : {"b.ppm", "sub/b.ppm", "a.PPM", "a.mask.ppm", "c.ppm"}) {
        fs::create_directories(fs::path(files + "/" + name).parent_path());
        writePpm(files + "/" + name, patternPicture(0));
    }
    write(files + "/b.txt", " the text wins\n");
    write(files + "/b.json", "{\"text\": \"not this\"}");
    write(files + "/sub/b.JSON", "{\"text\": \"further down\", \"texts\": [\"one\", \"two\"]}");
    write(files + "/a.json", "{\"text\": \"second\", \"caption\": \"first\"}");
    write(files + "/c.txt", "");
    write(files + "/._c.ppm", "of another system");
    write(files + "/lonely.txt", "without a picture");
    const std::string shard = root + "/data/x.tar";
    pack(files,
         {"./sub/b.ppm", "b.json", "b.ppm", "b.txt", "sub/b.JSON", "a.mask.ppm", "a.json", "a.PPM", "c.ppm",
          "c.txt", "._c.ppm", "lonely.txt"},
         shard);
    const auto found = captionsOf(root + "/data");
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 4U);
    const std::vector<std::pair<std::string, std::vector<std::string>>> expected = {
        {"sub/b.ppm", {"one", "two"}}, {"b.ppm", {"the text wins"}}, {"a.PPM", {"first"}}, {"c.ppm", {""}}};
    for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ((*found)[i].path, shard + "/" + expected[i].first);
        EXPECT_EQ((*found)[i].captions, expected[i].second) << expected[i].first;
    }
}

TEST(Shards, takeCaptionsFromTheColumnsAlone) {
    const std::string root = scratchFolder("shards-columns");
    const std::string files = root + "/files";
    captionedPicture(files, 0); // with a text that no longer counts
    captionedPicture(files, 1);
    write(files + "/p0.json", "{\"caption\": \"no\", \"keywords\": [\"x\", \"y\"], \"title\": \" one \"}");
    write(files + "/p1.json", "{\"keywords\": \"two\"}");
    pack(files, {"p0.ppm", "p0.txt", "p0.json", "p1.txt", "p1.json", "p1.ppm"}, root + "/data/x.tar");
    const auto found = captionsOf(root + "/data", {"title", "keywords"});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].captions, (std::vector<std::string>{"one", "x", "y"}));
    EXPECT_EQ((*found)[1].captions, std::vector<std::string>{"two"});

    const auto missing = captionsOf(root + "/data", {"title", "headline"});
    ASSERT_FALSE(missing);
    for (const char* part : {"1 picture has no caption", "x.tar/p1.ppm", "title or headline"})
        EXPECT_NE(missing.error().message.find(part), std::string::npos) << missing.error().message;
}

TEST(Shards, nameTheirPicturesWithoutACaption) {
    const std::string root = scratchFolder("shards-bare");
    captionedPicture(root + "/files", 0);
    captionedPicture(root + "/files", 1);
    fs::copy(root + "/files/p0.ppm", root + "/files/my.photo.ppm");
    write(root + "/files/my.photo.txt", "its key ends at the first dot");
    pack(root + "/files", {"p0.ppm", "p0.txt", "p1.ppm", "my.photo.ppm", "my.photo.txt"},
         root + "/data/x.tar");
    const auto found = captionsOf(root + "/data");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("2 pictures have no caption"), std::string::npos)
        << found.error().message;
    EXPECT_NE(found.error().message.find("x.tar/my.photo.ppm"), std::string::npos) << found.error().message;
}

TEST(Shards, leavePicturesWithoutACaptionOutWhereTheyMay) {
    const std::string root = scratchFolder("shards-bare-left-out");
    captionedPicture(root + "/files", 0);
    captionedPicture(root + "/files", 1);
    pack(root + "/files", {"p0.ppm", "p0.txt", "p1.ppm"}, root + "/data/x.tar");
    PpmSource pictures;
    BrokenPictures broken(/*mayLeaveOut=*/true);
    const auto found = readCaptions(root + "/data", pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->size(), 1U);
    EventList events;
    ASSERT_TRUE(broken.settle(/*skip=*/true, events));
    EXPECT_TRUE(warnsOf(events, "x.tar/p1.ppm: it has no caption"));
}

TEST(Shards, sayWhyACaptionDoesNotCount) {
    const std::string root = scratchFolder("shards-why");
    for (int i = 0; i < 3; ++i) captionedPicture(root + "/files", i);
    write(root + "/files/p0.json", "{\"caption\": \"a dog\",}");
    write(root + "/files/p1.json", "{\"title\": \"a dog\"}");
    pack(root + "/files", {"p0.ppm", "p0.json", "p1.ppm", "p1.json", "p2.ppm"}, root + "/data/x.tar");
    const auto found = captionsOf(root + "/data");
    ASSERT_FALSE(found);
    for (const char* part : {"p0.ppm (its .json holds no JSON object)",
                             "p1.ppm (its .json has neither caption nor text nor texts)", "p2.ppm;"})
        EXPECT_NE(found.error().message.find(part), std::string::npos) << found.error().message;
}

TEST(Shards, countEmptyCaptionsOnlyWhereThereIsNoOther) {
    const std::string root = scratchFolder("shards-empty");
    for (int i = 0; i < 2; ++i) captionedPicture(root + "/files", i);
    for (const char* name : {"p0.txt", "p1.txt"}) write(root + "/files/" + name, "\n");
    write(root + "/files/p0.json", R"({"texts": [""], "caption": "a dog"})");
    pack(root + "/files", {"p0.ppm", "p0.txt", "p0.json", "p1.ppm", "p1.txt"}, root + "/data/x.tar");
    const auto found = captionsOf(root + "/data");
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->at(0).captions, std::vector<std::string>{"a dog"});
    EXPECT_EQ(found->at(1).captions, std::vector<std::string>{""});
}

TEST(Shards, withANameTwiceLoseThatSampleAlone) {
    const std::string root = scratchFolder("shards-twice");
    captionedPicture(root + "/files", 0);
    captionedPicture(root + "/files", 1);
    write(root + "/files/p0.cls", "7");
    const std::string shard = root + "/data/x.tar";
    pack(root + "/files", {"p0.ppm", "p0.txt", "p1.ppm", "p1.txt", "p0.cls"}, shard);
    const std::string append = "tar -rf '" + shard + "' -C '" + root + "/files' p0.txt p0.cls";
    ASSERT_EQ(std::system(append.c_str()), 0);
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(root + "/data", pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().path, shard + "/p1.ppm");
    EventList events;
    const auto settled = broken.settle(false, events);
    ASSERT_FALSE(settled);
    EXPECT_NE(settled.error().message.find("x.tar/p0.txt: expected every name once"), std::string::npos)
        << settled.error().message;
    EXPECT_EQ(settled.error().message.find("p0.cls"), std::string::npos) << settled.error().message;
}

TEST(Shards, takeCaptionsInUtf8Alone) {
    const std::string root = scratchFolder("shards-utf8");
    for (int i = 0; i < 2; ++i) captionedPicture(root + "/files", i);
    write(root + "/files/p0.txt", "\xEF\xBB\xBFpattern 0\r\n");
    write(root + "/files/p1.txt", "a caf\xE9");
    pack(root + "/files", {"p0.ppm", "p0.txt", "p1.ppm", "p1.txt"}, root + "/data/x.tar");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(root + "/data", pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().captions, std::vector<std::string>{"pattern 0"});
    EventList events;
    ASSERT_TRUE(broken.settle(/*skip=*/true, events));
    EXPECT_TRUE(warnsOf(events, "x.tar/p1.txt: expected a caption in UTF-8"));
}

TEST(Shards, doNotCarryControlCharactersToATerminal) {
    BrokenPictures broken;
    broken.add("/data/x.tar/\x1b[31mred.png", "no picture");
    EventList events;
    ASSERT_TRUE(broken.settle(true, events));
    EXPECT_TRUE(warnsOf(events, "\\x1B[31mred.png") || warnsOf(events, "\\x1b[31mred.png"));
}

TEST(Shards, areLeftAloneBesidePictures) {
    const std::string root = scratchFolder("shards-beside");
    captionedPicture(root + "/data", 0);
    captionedPicture(root + "/files", 1);
    pack(root + "/files", {"p1.ppm", "p1.txt"}, root + "/data/backup.tar");
    const auto found = captionsOf(root + "/data");
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().path, root + "/data/p0.ppm");
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What training sees and in which order: draws, sample order, captions, buckets.
#include "core/base/formats/caption_file.h"
#include "core/engine/data/captions.h"
#include "core/engine/data/data_set.h"
#include "core/engine/data/job_context.h"
#include "core/engine/data/sample_order.h"
#include "core/engine/learning/step_random.h"

#include "training_support.h"

#include <set>
#include <sys/resource.h>

namespace homebooth::core::testing {
namespace {

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

TEST(StepRandom, differsByEveryArgument) {
    std::set<uint64_t> seen;
    for (const uint64_t seed : {0, 1})
        for (const DrawPurpose purpose : {DrawPurpose::Noise, DrawPurpose::Timesteps})
            for (const uint64_t first : {0, 1, 2})
                for (const uint64_t second : {0, 1}) seen.insert(mixedSeed(seed, purpose, first, second));
    EXPECT_EQ(seen.size(), 24U);
    EXPECT_TRUE(at::equal(drawNormal({4, 3}, 7), drawNormal({4, 3}, 7)));
    EXPECT_FALSE(at::equal(drawNormal({4, 3}, 7), drawNormal({4, 3}, 8)));
}

TEST(StepRandom, permutesEveryNumberOnce) {
    std::vector<int64_t> order = permutation(100, 3);
    EXPECT_NE(order, permutation(100, 4));
    std::sort(order.begin(), order.end());
    for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(DataSet, decodesAFewForTheSakeOfARefusal) {
    const TrainConfig config = tinyDataset(scratchFolder("refused-set"), 40);
    JobWorld world;
    const RunFolder run = makeRun(config);
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    BrokenPictures broken;
    auto pictures = readCaptions(config.data.datasetDir, world.pictures, broken);
    ASSERT_TRUE(pictures.ok());
    EXPECT_EQ(makeSamples(job, *pictures, 8, broken).size(), 40U);
    EXPECT_EQ(world.pictures.loaded(), 0);
    pictures->push_back({config.data.datasetDir + "/gone.ppm", {"a cat"}});
    EXPECT_EQ(makeSamples(job, *pictures, 8, broken).size(), 40U);
    EXPECT_EQ(world.pictures.loaded(), 32);
}

TEST(SampleOrder, takesEverySampleOnceAnEpoch) {
    SampleOrder order(5, std::vector<int64_t>(7, 0));
    for (int epoch = 0; epoch < 3; ++epoch) {
        EXPECT_EQ(order.epoch(), epoch);
        std::set<int64_t> seen;
        for (int i = 0; i < 7; ++i) seen.insert(order.next(1).front());
        EXPECT_EQ(seen.size(), 7U);
    }
}

TEST(SampleOrder, goesOnInTheMiddleOfAnEpoch) {
    const std::vector<int64_t> buckets = {0, 0, 1, 0, 1, 1, 0, 0, 0};
    SampleOrder whole(9, buckets);
    std::vector<std::vector<int64_t>> expected;
    for (int i = 0; i < 20; ++i) expected.push_back(whole.next(2));
    for (const int cut : {1, 5, 13}) {
        SampleOrder first(9, buckets);
        for (int i = 0; i < cut; ++i) EXPECT_EQ(first.next(2), expected[static_cast<size_t>(i)]);
        SampleOrder second(9, buckets);
        second.restore(first.cursor(), false);
        for (int i = cut; i < 20; ++i) EXPECT_EQ(second.next(2), expected[static_cast<size_t>(i)]) << cut;
    }
}

TEST(SampleOrder, keepsBatchesWithinOneBucket) {
    const std::vector<int64_t> buckets = {0, 1, 0, 1, 1};
    SampleOrder order(1, buckets);
    std::set<int64_t> used;
    for (int i = 0; i < 40; ++i) {
        const std::vector<int64_t> batch = order.next(3);
        for (const int64_t sample : batch)
            EXPECT_EQ(buckets[static_cast<size_t>(sample)], buckets[static_cast<size_t>(batch.front())]);
        used.insert(buckets[static_cast<size_t>(batch.front())]);
    }
    EXPECT_EQ(used.size(), 2U);
}

TEST(SampleOrder, beginsAFreshEpochWhenTheDataChanged) {
    SampleOrder before(2, std::vector<int64_t>(3, 0));
    for (int i = 0; i < 4; ++i) static_cast<void>(before.next(1));
    SampleOrder after(2, std::vector<int64_t>(5, 0));
    after.restore(before.cursor(), true);
    std::set<int64_t> seen;
    for (int i = 0; i < 5; ++i) seen.insert(after.next(1).front());
    EXPECT_EQ(seen.size(), 5U);
}

/// Of pictures of which none may be left out.
auto captionsIn(const std::string& folder) {
    PpmSource pictures;
    BrokenPictures broken;
    return readCaptions(folder, pictures, broken);
}

TEST(Captions, comeFromMetadata) {
    const std::string folder = scratchFolder("captions-metadata");
    writeText(folder + "/metadata.jsonl",
              "{\"file_name\":\"a.ppm\",\"text\":\"one\",\"texts\":[\"x\",\" y \"]}\n\n"
              "{\"file_name\":\"b.ppm\",\"text\":\"two\"}\n");
    const auto found = captionsIn(folder);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].captions, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ((*found)[1].captions, (std::vector<std::string>{"two"}));
    EXPECT_EQ((*found)[1].path, folder + "/b.ppm");
}

TEST(Captions, sayWhyMetadataCannotBeRead) {
    const std::string folder = scratchFolder("captions-unreadable");
    const std::string metadata = folder + "/metadata.jsonl";
    const auto refusal = [&] {
        PpmSource pictures;
        BrokenPictures broken;
        const auto found = readCaptions(folder, pictures, broken);
        EXPECT_FALSE(found);
        return found ? std::string() : found.error().text();
    };
    fs::create_symlink(folder + "/nowhere", metadata);
    for (const std::string& part : {metadata, std::string("it does not exist")})
        EXPECT_NE(refusal().find(part), std::string::npos) << refusal();
    fs::remove(metadata);
    writeText(metadata, R"({"file_name": "a.ppm", "text": "one"})");
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none{0, before.rlim_max}; // also for those who may read every file
    setrlimit(RLIMIT_NOFILE, &none);
    const std::string words = refusal();
    setrlimit(RLIMIT_NOFILE, &before);
    for (const std::string& part : {metadata, std::string("too many files are open")})
        EXPECT_NE(words.find(part), std::string::npos) << words;
}

TEST(Captions, takeNamesThatBeginWithDots) {
    const std::string folder = scratchFolder("captions-dots");
    writeText(folder + "/metadata.jsonl", "{\"file_name\":\"..a.ppm\",\"text\":\"one\"}\n");
    const auto found = captionsIn(folder);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->front().path, folder + "/..a.ppm");
}

TEST(Captions, findPicturesWhoseNamesAMacTookApart) {
    const std::string folder = scratchFolder("captions-apart");
    const std::string picture = folder + "/Hu\u0308ndchen.ppm";
    writePpm(picture, patternPicture(0));
    writeText(folder + "/metadata.jsonl", "{\"file_name\":\"H\u00FCndchen.ppm\",\"text\":\"one\"}\n");
    const auto found = captionsIn(folder);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->front().path, picture);
}

TEST(Captions, refuseLinesThatNameNothing) {
    for (const char* line :
         {"{", "[]", "{\"file_name\":\"a.ppm\"}", "{\"text\":\"one\"}", "{\"file_name\":5,\"text\":\"x\"}",
          "{\"file_name\":\"../a.ppm\",\"text\":\"x\"}", "{\"file_name\":\"/a.ppm\",\"text\":\"x\"}"}) {
        const std::string folder = scratchFolder("captions-broken");
        writeText(folder + "/metadata.jsonl",
                  std::string("{\"file_name\":\"ok.ppm\",\"text\":\"one\"}\n") + line + "\n");
        PpmSource pictures;
        BrokenPictures broken;
        const auto found = readCaptions(folder, pictures, broken);
        ASSERT_FALSE(found) << line;
        EXPECT_NE(found.error().text().find("line 2"), std::string::npos) << found.error().text();
    }
}

TEST(Captions, leaveLinesOutThatNameNothingWhereTheyMay) {
    const std::string folder = scratchFolder("captions-left-out");
    const std::string line = R"({"file_name": "a.ppm", "text": "one"})";
    writeText(folder + "/metadata.jsonl", "{\n" + line + "\n" + R"({"file_name": "b.ppm"})" + "\n");
    PpmSource pictures;
    BrokenPictures broken(/*mayLeaveOut=*/true);
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().captions, std::vector<std::string>{"one"});
    EventList events;
    ASSERT_TRUE(broken.settle(/*skip=*/true, events));
    const auto warnings = events.of<WarningEvent>();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_NE(warnings[0].message.find("metadata.jsonl line 1: "), std::string::npos) << warnings[0].message;
    EXPECT_TRUE(warnings[1].message.ends_with(" (2 of 2)")) << warnings[1].message;
}

TEST(Captions, refuseToLeaveEveryLineOut) {
    const std::string folder = scratchFolder("captions-all-left-out");
    writeText(folder + "/metadata.jsonl", R"({"file_name": "a.ppm", "title": "one"})");
    PpmSource pictures;
    BrokenPictures broken(/*mayLeaveOut=*/true);
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().text().find("line 1"), std::string::npos) << found.error().text();
}

TEST(Captions, leavePicturesOutThatHaveNoneWhereTheyMay) {
    const std::string folder = scratchFolder("captions-none");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/a.txt", "one");
    PpmSource pictures;
    BrokenPictures broken(/*mayLeaveOut=*/true);
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->size(), 1U);
    EventList events;
    ASSERT_TRUE(broken.settle(/*skip=*/true, events));
    EXPECT_TRUE(warnsOf(events, "left out b.ppm: it has no caption"));
    BrokenPictures unwanted;
    EXPECT_FALSE(readCaptions(folder, pictures, unwanted));
}

TEST(Captions, refuseToLeaveEveryPictureOut) {
    const std::string folder = scratchFolder("captions-all-without");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    PpmSource pictures;
    BrokenPictures broken(/*mayLeaveOut=*/true);
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("2 pictures have no caption: a.ppm, b.ppm"), std::string::npos)
        << found.error().message;
}

TEST(BrokenPictures, areCountedAndTheFirstOnesNamed) {
    BrokenPictures broken;
    for (int i = 0; i < 30; ++i) broken.add("p" + std::to_string(i) + ".png", "cut off");
    EventList events;
    const auto settled = broken.settle(/*skip=*/false, events);
    ASSERT_FALSE(settled);
    for (const char* part : {"30 cannot be used", "p19.png: cut off; and 10 more)"})
        EXPECT_NE(settled.error().message.find(part), std::string::npos) << settled.error().message;
    EXPECT_TRUE(events.of<WarningEvent>().empty());
}

using Texts = std::vector<std::string>;

TEST(Captions, columnsAreNamesBetweenCommas) {
    EXPECT_EQ(captionColumns(" title ,, key words,\t"), (Texts{"title", "key words"}));
    EXPECT_TRUE(captionColumns("").empty());
    EXPECT_TRUE(captionColumns(" , ").empty());
}

TEST(Captions, comeFromTheColumnsInTheirOrder) {
    const std::string folder = scratchFolder("captions-columns");
    writeText(folder + "/metadata.jsonl",
              "{\"file_name\":\"a.ppm\",\"keywords\":[\"x\",5,\" y \"],\"title\":\" one \",\"text\":\"no\"}\n"
              "{\"file_name\":\"b.ppm\",\"keywords\":\"two\",\"title\":null,\"texts\":[\"no\"]}\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(folder, pictures, broken, {"title", "keywords"});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].captions, (Texts{"one", "x", "y"}));
    EXPECT_EQ((*found)[1].captions, Texts{"two"});
    const auto turned = readCaptions(folder, pictures, broken, {"keywords", "title"});
    EXPECT_EQ((*turned)[0].captions, (Texts{"x", "y", "one"}));
}

TEST(Captions, nameALineWithoutTheColumns) {
    const std::string folder = scratchFolder("captions-no-columns");
    writeText(folder + "/metadata.jsonl", "{\"file_name\":\"a.ppm\",\"title\":\"one\"}\n"
                                          "{\"file_name\":\"b.ppm\",\"text\":\"two\",\"title\":null}\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(folder, pictures, broken, {"title", "keywords"});
    ASSERT_FALSE(found);
    for (const char* part : {"line 2", "title or keywords", "file_name (string), text (string), title (null)",
                             "--caption-columns"})
        EXPECT_NE(found.error().text().find(part), std::string::npos) << found.error().text();
}

TEST(Captions, refuseColumnsWhereOnlyTextFilesAre) {
    const std::string folder = scratchFolder("captions-columns-beside");
    PpmSource pictures;
    BrokenPictures broken;
    const auto refusal = [&] {
        const auto found = readCaptions(folder, pictures, broken, {"title"});
        EXPECT_FALSE(found);
        return found ? std::string() : found.error().text();
    };
    EXPECT_NE(refusal().find("to look for title in, found neither"), std::string::npos) << refusal();
    writePpm(folder + "/a.ppm", patternPicture(0));
    writeText(folder + "/a.txt", "a red apple\n");
    for (const char* part : {"metadata.jsonl", "found 1 pictures", "--caption-columns"})
        EXPECT_NE(refusal().find(part), std::string::npos) << refusal();
    EXPECT_TRUE(readCaptions(folder, pictures, broken));
}

TEST(Captions, lieBesideThePictures) {
    const std::string folder = scratchFolder("captions-beside");
    writePpm(folder + "/a.ppm", patternPicture(0));
    writePpm(folder + "/b.ppm", patternPicture(1));
    writeText(folder + "/a.txt", "a red apple\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto incomplete = readCaptions(folder, pictures, broken);
    ASSERT_FALSE(incomplete);
    EXPECT_NE(incomplete.error().text().find("b.ppm"), std::string::npos);
    writeText(folder + "/b.txt", "");
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ((*found)[0].captions.front(), "a red apple");
    EXPECT_EQ((*found)[1].captions.front(), "");
}

TEST(Captions, mayEndInCapitals) {
    const std::string folder = scratchFolder("captions-capitals");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/a.TXT", "a red apple\n");
    writeText(folder + "/b.TXT", "an old pear\n");
    writeText(folder + "/b.txt", "a pear\n");
    const auto found = captionsIn(folder);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ((*found)[0].captions.front(), "a red apple");
    EXPECT_EQ((*found)[1].captions.front(), "a pear");
}

TEST(Captions, mayEndAsOtherProgramsHaveThem) {
    const std::string folder = scratchFolder("captions-ending");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/a.caption", "a red apple\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto photos = readPhotos(folder, "a photo of ohwx toy", pictures, broken);
    ASSERT_TRUE(photos) << photos.error().text();
    EXPECT_EQ((*photos)[0].captions, Texts{"a red apple"});
    EXPECT_EQ((*photos)[1].captions, Texts{"a photo of ohwx toy"});
    const auto without = readCaptions(folder, pictures, broken);
    ASSERT_FALSE(without);
    EXPECT_NE(without.error().text().find("put a .txt or .caption file"), std::string::npos)
        << without.error().text();
    writeText(folder + "/b.caption", "an old pear\n");
    writeText(folder + "/b.txt", "a pear\n");
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ((*found)[0].captions, Texts{"a red apple"});
    EXPECT_EQ((*found)[1].captions, Texts{"a pear"}); // .txt comes first
}

TEST(Captions, mayBeComposedOtherwiseThanTheirPictures) {
    const std::string folder = scratchFolder("captions-composed");
    for (const char* name : {"/gru\u0308n.ppm", "/ro\u0308t.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/gr\u00FCn.txt", "a green apple\n");
    writeText(folder + "/r\u00F6t.txt", "an old pear\n");
    writeText(folder + "/ro\u0308t.TXT", "a red pear\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    const auto photos = readPhotos(folder, "a photo of ohwx toy", pictures, broken);
    ASSERT_TRUE(photos) << photos.error().text();
    for (const auto& read : {*found, *photos}) {
        EXPECT_EQ(read[0].captions.front(), "a green apple");
        EXPECT_EQ(read[1].captions.front(), "a red pear"); // the exact name comes first
    }
}

/// "a dog" in UTF-16 without its mark, and "a café" in Latin-1.
std::vector<std::string> otherEncodings() {
    using namespace std::string_literals;
    return {"a\0 \0d\0o\0g\0"s, "a caf\xE9"s};
}

TEST(Captions, comeWithoutAByteOrderMark) {
    const std::string folder = scratchFolder("captions-mark");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/a.txt", "\xEF\xBB\xBF a caf\u00E9\r\n");
    writeText(folder + "/b.txt", "\xEF\xBB\xBF");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readCaptions(folder, pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ((*found)[0].captions, Texts{"a caf\u00E9"});
    const auto photos = readPhotos(folder, "a photo of ohwx toy", pictures, broken);
    ASSERT_TRUE(photos) << photos.error().text();
    EXPECT_EQ((*photos)[0].captions, Texts{"a caf\u00E9"});
    EXPECT_EQ((*photos)[1].captions, Texts{"a photo of ohwx toy"}); // a mark alone says nothing
    EXPECT_TRUE(broken.empty());
    using namespace std::string_literals; // in UTF-16 editors write one, too
    for (const std::string& text : {"\xFF\xFE"s + "a\0 \0\xE9\0"s, "\xFE\xFF"s + "\0a\0 \0\xE9"s})
        EXPECT_EQ(captionOfFile(text).value(), "a \u00E9");
}

TEST(Captions, inOtherEncodingsAreBroken) {
    const std::string folder = scratchFolder("captions-encodings");
    for (const char* name : {"/a.ppm", "/b.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/a.txt", "one");
    PpmSource pictures;
    for (const std::string& text : otherEncodings()) {
        writeText(folder + "/b.txt", text);
        BrokenPictures broken;
        const auto found = readCaptions(folder, pictures, broken);
        ASSERT_TRUE(found) << found.error().text();
        EXPECT_EQ(found->size(), 1U);
        EventList events;
        const auto settled = broken.settle(/*skip=*/false, events);
        ASSERT_FALSE(settled);
        EXPECT_NE(settled.error().message.find("/b.ppm: its caption b.txt: expected a caption in UTF-8"),
                  std::string::npos)
            << settled.error().message;
        BrokenPictures ofPhotos;
        const auto photos = readPhotos(folder, "a photo of ohwx toy", pictures, ofPhotos);
        ASSERT_TRUE(photos) << photos.error().text();
        EXPECT_EQ(photos->size(), 1U);
        ASSERT_TRUE(ofPhotos.settle(/*skip=*/true, events));
        EXPECT_TRUE(warnsOf(events, "left out " + folder + "/b.ppm: its caption b.txt: "));
        EXPECT_TRUE(warnsOf(events, "save it as UTF-8"));
    }
}

TEST(Captions, ofPhotosStandInForTheSentence) {
    const std::string folder = scratchFolder("captions-photos");
    for (const char* name : {"/a.ppm", "/b.ppm", "/c.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/b.txt", " ohwx toy on a shelf \n");
    writeText(folder + "/c.txt", "\n");
    PpmSource pictures;
    BrokenPictures broken;
    const auto found = readPhotos(folder, "a photo of ohwx toy", pictures, broken);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[0].captions, std::vector<std::string>{"a photo of ohwx toy"});
    EXPECT_EQ((*found)[1].captions, std::vector<std::string>{"ohwx toy on a shelf"});
    EXPECT_EQ((*found)[2].captions, std::vector<std::string>{"a photo of ohwx toy"});
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What several processes tell each other beside their steps: warnings, what they may do, and what has failed.
#include "rank_training.h"

#include "core/base/files/sha256.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/system/cpu_facts.h"
#include "core/engine/data/captions.h"
#include "core/engine/data/data_set.h"
#include "core/engine/data/held_out.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/parallel/rank_warnings.h"

#include <algorithm>
#include <sched.h>
#include <set>

namespace homebooth::core::testing {
namespace {

TrainConfig sharedDataset(const std::string& root) {
    TrainConfig config = tinyDataset(root);
    config.batchSize = 2;
    config.steps = 12;
    config.threads = 0; // more than there are would be another warning
    config.data.skipBrokenImages = true;
    return config;
}

TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

TEST(ARank, DISABLED_warns) {
    const OwnPlace place = ownPlace();
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    const auto ranks = Ranks::meet(own);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    EventList heard;
    RankWarnings warnings(**ranks, heard);
    const std::string name = std::to_string(own.rank);
    for (int round = 0; round < 2; ++round) {
        warnings.emit(WarningEvent{"own", "only " + name});
        if (own.rank > 0) warnings.emit(WarningEvent{"same", "two say\nit"});
        if (own.rank != 1) warnings.emit(WarningEvent{"first", "as the first one"});
        EXPECT_EQ(warnings.waits(), own.rank > 0 && round == 0);
        warnings.exchange();
    }
    std::string said;
    for (const WarningEvent& warning : heard.of<WarningEvent>())
        said += warning.code + "|" + warning.message + "\n";
    place.leave("heard", said);
}

TEST(RankWarnings, areGatheredByRankAndToldOnce) {
    const std::string folder = runRanks(3, "ARank.DISABLED_warns", "gathered");
    EXPECT_EQ(fileText(rankFile(folder, 0, "heard")), "own|only 0\n"
                                                      "first|as the first one\n"
                                                      "own|rank 1: only 1\n"
                                                      "same|ranks 1 and 2: two say\nit\n"
                                                      "own|rank 2: only 2\n"
                                                      "own|only 0\n"
                                                      "first|as the first one\n");
}

TEST(RankWarnings, ofATrainingNameTheRankThatTheyAreOf) {
    TrainConfig config = sharedDataset(scratchFolder("warned"));
    config.data.encode = EncodeTime::Ahead; // each decodes what it computes
    const TrainConfig spread =
        trainSpread(config, {2, 1}, "warned-2", obstacle(1, "broken", "p1.ppm\np3.ppm\n"));
    const std::vector<std::string> told = linesBy(spread, 0, "warnings");
    EXPECT_FALSE(told.empty());
    EXPECT_EQ(std::set<std::string>(told.begin(), told.end()).size(), told.size());
    for (const std::string& warning : told) EXPECT_TRUE(warning.starts_with("rank 1: left out ")) << warning;
}

TEST(RankWarnings, thatAllHaveAreToldAsTheFirstOnes) {
    TrainConfig config = sharedDataset(scratchFolder("all-warned"));
    config.data.encode = EncodeTime::First;
    const TrainConfig spread = trainSpread(config, {2, 0}, "all-warned-2", [](const std::string& folder) {
        for (const int rank : {0, 1}) obstacle(rank, "broken", "p3.ppm\n")(folder);
    });
    const std::vector<std::string> told = linesBy(spread, 0, "warnings");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_TRUE(told.front().starts_with("left out ")) << told.front();
}

std::string encodeFact(const TrainConfig& config) {
    const auto facts = RunFolder::open(config.output.runDir)->facts();
    return facts ? facts->at("encode") : facts.error().text();
}

/// Steps in which a rank has encoded something.
int64_t encodingSteps(const TrainConfig& config, int rank) {
    const std::vector<double> steps = numbersBy(config, rank, "encoding");
    return std::count(steps.begin(), steps.end(), 1.0);
}

/// Of a rank that is told to encode first it is as if it had no memory to do so beside the steps.
TEST(EncodingAhead, isDoneByAllRanksOrByNone) {
    TrainConfig config = sharedDataset(scratchFolder("ahead"));
    config.data.encode = EncodeTime::Ahead;
    TrainConfig unable = config;
    unable.data.encode = EncodeTime::First;
    for (const int rank : {0, 1, -1}) {
        const std::string name = "ahead-but-" + std::to_string(rank);
        const TrainConfig spread = trainSpread(config, {2, 0}, name, [&](const std::string& folder) {
            TrainConfig own = inFolder(unable, folder);
            own.parallel = {2, 0};
            if (rank >= 0) obstacle(rank, "config", toJson(own))(folder);
        });
        EXPECT_EQ(encodeFact(spread), rank < 0 ? "ahead" : "first") << rank;
        for (const int each : {0, 1})
            EXPECT_EQ(encodingSteps(spread, each) > 0, rank < 0) << each << " where " << rank << " cannot";
        const std::string told = leftBy(spread, 0, "warnings");
        EXPECT_EQ(told.find("there is no memory to do so beside the steps") != std::string::npos, rank >= 0);
    }
}

TEST(RankThreads, areACoreEachAsFarAsThereAreAny) {
    TrainConfig config = sharedTraining(scratchFolder("threads"));
    config.steps = 1;
    config.threads = 0;
    const int64_t share = std::max<int64_t>(usableThreads() / 2, 1);
    const TrainConfig divided = trainSpread(config, {2, 0}, "threads-divided");
    for (const int rank : {0, 1}) EXPECT_EQ(numberOf(divided, rank, "threads"), share);
    EXPECT_EQ(leftBy(divided, 0, "warnings"), "");

    config.threads = usableThreads(); // of each
    const TrainConfig named = trainSpread(config, {2, 0}, "threads-named");
    for (const int rank : {0, 1}) EXPECT_EQ(numberOf(named, rank, "threads"), usableThreads());
    const std::vector<std::string> told = linesBy(named, 0, "warnings");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_NE(told.front().find("--threads 0"), std::string::npos) << told.front();
}

/// Bound to a core of its own by whoever starts it.
TEST(ARank, DISABLED_isBound) {
    const OwnPlace place = ownPlace();
    cpu_set_t cores;
    ASSERT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
    int skipped = 0;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &cores) && skipped++ != place.meeting.rank) CPU_CLR(core, &cores);
    ASSERT_EQ(sched_setaffinity(0, sizeof cores, &cores), 0);
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    const auto ranks = Ranks::meet(own);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    EXPECT_EQ((*ranks)->onThisMachine(), 2);
    EXPECT_EQ((*ranks)->sharingCores(), 1);
    (*ranks)->meetAgain();
}

TEST(RankThreads, areNotDividedWhereEachIsBoundToItsOwnCores) {
    cpu_set_t cores;
    ASSERT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
    if (CPU_COUNT(&cores) < 2) GTEST_SKIP() << "there is one core";
    runRanks(2, "ARank.DISABLED_isBound", "bound");
}

/// Of a training that cannot come to its end.
TEST(ARank, DISABLED_triesToTrain) {
    static_cast<void>(tryAsRank());
}

TEST(RankFailures, ofWhatAPreviewNeedsSkipItAtAllRanks) {
    TrainConfig config = sharedTraining(scratchFolder("preview"));
    config.steps = 4;
    config.threads = 0;
    config.output.previewEverySteps = 2;
    const Spread spread{2, 3};
    const auto ownModel = [](TrainConfig& own, const std::string& folder) {
        own.model = folder + "/model";
        fs::copy(fixture("tiny-sd1"), own.model, fs::copy_options::recursive);
    };
    const TrainConfig made = trySpread(config, spread, "preview-2", [&](const std::string& folder) {
        settingsOf(1, config, spread, ownModel)(folder);
        obstacle(1, "spoil", folder + "/model/vae/diffusion_pytorch_model.safetensors")(folder);
    });
    for (const int rank : {0, 1}) {
        EXPECT_EQ(leftBy(made, rank, "outcome"), "0 ");
        EXPECT_EQ(numbersBy(made, rank, "losses").size(), 4U);
    }
    const std::vector<std::string> told = linesBy(made, 0, "warnings");
    ASSERT_EQ(told.size(), 2U); // of two previews
    for (const std::string& warning : told) {
        EXPECT_TRUE(warning.starts_with("rank 1: ")) << warning;
        EXPECT_NE(warning.find("NaN"), std::string::npos) << warning;
    }
}

/// The second rank's file is damaged, which matters only where it has a picture to make.
TEST(RankFailures, ofAPreviewAreToldByTheRankThatHadToMakeIt) {
    TrainConfig config = sharedTraining(scratchFolder("preview-part"));
    config.steps = 2;
    config.threads = 0;
    config.output.checkpointEverySteps = 2;
    config.output.previewEverySteps = 2;
    const Spread spread{2, 0};
    const auto ownModel = [](TrainConfig& own, const std::string& folder) {
        own.model = folder + "/model";
        fs::copy(fixture("tiny-sd1"), own.model, fs::copy_options::recursive);
    };
    for (const int64_t count : {1, 2}) {
        config.output.previewCount = count;
        const std::string name = "preview-part-" + std::to_string(count);
        const TrainConfig made = trySpread(config, spread, name, [&](const std::string& folder) {
            settingsOf(1, config, spread, ownModel)(folder);
            obstacle(1, "spoil", folder + "/model/vae/diffusion_pytorch_model.safetensors")(folder);
        });
        for (const int rank : {0, 1}) EXPECT_EQ(leftBy(made, rank, "outcome"), "0 ");
        const std::vector<std::string> told = linesBy(made, 0, "warnings");
        EXPECT_EQ(numberOf(made, 0, "written"), count == 1 ? 1 : 0);
        if (count == 1) {
            EXPECT_TRUE(told.empty()) << told.front();
            continue;
        }
        ASSERT_EQ(told.size(), 1U);
        EXPECT_TRUE(told.front().starts_with("rank 1: ")) << told.front();
        EXPECT_NE(told.front().find("NaN"), std::string::npos) << told.front();
    }
}

TEST(RankFailures, ofPreparingEndAllWithTheCause) {
    const TrainConfig config = sharedTraining(scratchFolder("unprepared"));
    for (const int failing : {0, 1}) {
        const TrainConfig made =
            trySpread(config, {2, failing == 0 ? 0 : 3}, "unprepared-" + std::to_string(failing),
                      obstacle(failing, "broken", "photo1.ppm\n"));
        expectOutcome(made, failing, "3", "the picture is cut off");
        expectOutcome(made, 1 - failing, "7", "lost rank " + std::to_string(failing));
    }
}

TEST(RankFailures, ofWritingEndAllWithTheCause) {
    TrainConfig config = sharedTraining(scratchFolder("unwritten"));
    config.steps = 3;
    config.output.checkpointEverySteps = 3;
    for (const char* what : {"checkpoints", "result"})
        for (const int64_t zero : {0, 3}) {
            const std::string name = std::string("unwritten-") + what + "-" + std::to_string(zero);
            const TrainConfig made = trySpread(config, {2, zero}, name, [&](const std::string& folder) {
                obstacle(0, "block", folder + "/run/" + what)(folder);
            });
            const std::string outcome = leftBy(made, 0, "outcome");
            EXPECT_FALSE(outcome.starts_with("0 ") || outcome.starts_with("7 ")) << outcome;
            EXPECT_EQ(leftBy(made, 1, "outcome"), outcome);
        }
}

TEST(RankClocks, thatOfTheFirstOneDecidesForAll) {
    TrainConfig config = sharedTraining(scratchFolder("clock"));
    config.steps = 3;
    config.output.checkpointEverySteps = 3;
    for (const int hurried : {0, 1}) {
        const TrainConfig made = trainSpread(config, {2, 3}, "clock-" + std::to_string(hurried),
                                             obstacle(hurried, "clock", "runs out"));
        for (const int rank : {0, 1}) EXPECT_EQ(linesBy(made, rank, "saved").size(), hurried == 0 ? 3U : 1U);
        EXPECT_EQ(listCheckpoints(made.output.runDir + "/checkpoints").size(), 1U);
    }
}

/// At an address, as a launcher's ranks do; one of them fails.
TEST(ARank, DISABLED_failsWithAWord) {
    const OwnPlace place = ownPlace();
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.masterAddress = "127.0.0.1";
    own.masterPort = std::atoi(fileText(place.folder + "/port").c_str());
    own.oneMachine = true;
    own.launcher = "torchrun";
    const std::string failing = fileText(place.folder + "/failing");
    auto ranks = Ranks::meet(own);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    EXPECT_EQ((*ranks)->onThisMachine(), own.ranks);
    EXPECT_EQ((*ranks)->sharingCores(), own.ranks);
    EXPECT_EQ((*ranks)->leadsMachine(), own.rank == 0);
    EXPECT_EQ((*ranks)->placeOnMachine(), own.rank);
    if (std::to_string(own.rank) == failing) {
        (*ranks)->tellFailure({ErrorCode::BadInput, "the picture is cut off", "p.ppm"});
        return Ranks::endAfterFailure(std::move(ranks).value());
    }
    EXPECT_THROW(static_cast<void>((*ranks)->sum(1.0)), RankLost);
    const auto failure = (*ranks)->failureOfAnother();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->code, ErrorCode::BadInput);
    EXPECT_EQ(failure->message,
              "rank " + failing + " of 3 ended, and with it the others: p.ppm: the picture is cut off");
    Ranks::endAfterFailure(std::move(ranks).value());
}

TEST(RankFailures, areToldByTheOneWhoFailsWhereNobodySeesAll) {
    for (const char* failing : {"0", "2"}) { // the one that answers, or another
        const std::string folder = freshFolder(std::string("word-") + failing);
        std::ofstream(folder + "/port") << homebooth::testing::freePort();
        std::ofstream(folder + "/failing") << failing;
        RankProcesses(3, "ARank.DISABLED_failsWithAWord", folder).expectSuccessOfAll();
    }
}

TEST(RankFailures, ofFindingTheSamePicturesAreToldByAll) {
    const TrainConfig config = sharedTraining(scratchFolder("others"));
    const Spread spread{2, 0};
    const auto otherPhotos = [](TrainConfig& own, const std::string& folder) {
        own.data.instanceDir = folder + "/photos";
        fs::create_directories(own.data.instanceDir);
        writePpm(own.data.instanceDir + "/photo.ppm", patternPicture(7));
    };
    const TrainConfig made =
        trySpread(config, spread, "others-2", settingsOf(1, config, spread, otherPhotos));
    for (const int rank : {0, 1}) expectOutcome(made, rank, "3", "the same pictures and captions");
}

/// The caption file of a picture that is held out of training.
std::string heldOutCaption(const TrainConfig& config) {
    PpmSource source;
    BrokenPictures broken;
    const auto pictures = readCaptions(config.data.datasetDir, source, broken);
    std::vector<TrainingSample> samples;
    for (const CaptionedPicture& picture : *pictures) {
        samples.emplace_back().path = picture.path;
        samples.back().contentHash = sha256File(picture.path)->value();
    }
    const std::vector<TrainingSample> heldOut = takeHeldOut(samples, config.data.validationShare);
    if (heldOut.empty()) throw std::runtime_error("nothing is held out");
    return fs::path(heldOut.front().path).replace_extension(".txt").filename().string();
}

TEST(RankFailures, ofFindingTheSameHeldOutPicturesAreToldByAll) {
    TrainConfig config = sharedDataset(scratchFolder("others-held-out"));
    config.data.validationShare = 0.25;
    const Spread spread{2, 0};
    const auto otherCaption = [&](TrainConfig& own, const std::string& folder) {
        own.data.datasetDir = folder + "/data";
        fs::copy(config.data.datasetDir, own.data.datasetDir, fs::copy_options::recursive);
        std::ofstream(own.data.datasetDir + "/" + heldOutCaption(config)) << "another caption";
    };
    const TrainConfig made =
        trySpread(config, spread, "others-held-out-2", settingsOf(1, config, spread, otherCaption));
    for (const int rank : {0, 1}) expectOutcome(made, rank, "3", "the same pictures and captions");
}

TEST(RankFailures, ofFindingTheSameCheckpointAreToldByAll) {
    TrainConfig config = sharedTraining(scratchFolder("elsewhere"));
    config.steps = 2;
    config.output.checkpointEverySteps = 2;
    const TrainConfig begun = trainAlone(config, "elsewhere-begun");
    config.steps = 4;
    const Spread spread{2, 0};
    const auto otherRun = [](TrainConfig& own, const std::string& folder) {
        own.output.runDir = folder + "/other-run";
        makeRun(own);
    };
    const TrainConfig made = trySpread(config, spread, "elsewhere-2", [&](const std::string& folder) {
        fs::remove_all(folder + "/run");
        fs::copy(begun.output.runDir, folder + "/run", fs::copy_options::recursive);
        settingsOf(1, config, spread, otherRun)(folder);
    });
    for (const int rank : {0, 1})
        expectOutcome(made, rank, "3",
                      "the same checkpoint, but rank 0 has found that of step 2, and rank 1 has found none");
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What several processes tell each other beside their steps: warnings, what they may do, and what has failed.
#include "rank_training.h"

#include "core/engine/parallel/rank_warnings.h"

#include <set>

namespace homebooth::core::testing {
namespace {

/// Writes for a rank what is put in its way.
Preparation obstacle(int rank, const char* kind, const std::string& text) {
    return [=](const std::string& folder) { std::ofstream(rankFile(folder, rank, kind)) << text; };
}

TrainConfig sharedDataset(const std::string& root) {
    TrainConfig config = tinyDataset(root);
    config.batchSize = 2;
    config.steps = 12;
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
    return (*RunFolder::open(config.output.runDir)->facts())["encode"];
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

} // namespace
} // namespace homebooth::core::testing

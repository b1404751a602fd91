// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings in several processes whose parameters are streamed, whose states lie on a disk, or both: every
// stage has the bytes of one where everything stays in memory, and ranks need not have the same placement.
#include "rank_training.h"

namespace homebooth::core::testing {
namespace {

constexpr int kRanks = 2;

/// Everything that goes through the tiers: gradients that rest as sums, moments, averages, two networks.
TrainConfig tieredTraining(const std::string& root) {
    TrainConfig config = sharedTraining(root);
    config.steps = 4;
    config.output.checkpointEverySteps = config.steps;
    config.optimizer.accumulationSteps = 2;
    config.optimizer.maxGradientNorm = 0.05;
    config.optimizer.emaDecay = 0.9;
    config.trainTextEncoder = true;
    return config;
}

TrainConfig streamed(TrainConfig config) {
    config.memory.policy = PlacementPolicy::Cpu;
    return config;
}

TrainConfig swapped(TrainConfig config, const std::string& folder) {
    config.memory.swapDir = folder;
    return config;
}

} // namespace

/// One rank of a job that its parent has described.
TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

TEST(RankTiers, streamedPartsHaveTheSameBytes) {
    const std::string root = scratchFolder("tiers-streamed");
    const TrainConfig config = tieredTraining(root);
    const TrainConfig plain = trainSpread(config, {kRanks, 0}, "tiers-streamed-not");
    expectSameTensors(trainSpread(streamed(config), {kRanks, 3}, "tiers-streamed-3"), plain, config.steps);
}

TEST(RankTiers, statesOnADiskHaveTheSameBytesAtEveryStage) {
    const std::string root = scratchFolder("tiers-swapped");
    const TrainConfig config = tieredTraining(root);
    const TrainConfig plain = trainSpread(config, {kRanks, 0}, "tiers-swapped-not");
    for (const int64_t zero : {0, 2, 3}) {
        const std::string name = "tiers-swapped-" + std::to_string(zero);
        const TrainConfig made = trainSpread(swapped(config, root), {kRanks, zero}, name);
        expectSameTensors(made, plain, config.steps);
        for (int rank = 0; rank < kRanks; ++rank) // averages have room in memory
            EXPECT_LT(2 * numberOf(made, rank, "states"), numberOf(plain, rank, "states"));
    }
    expectSameTensors(trainSpread(swapped(streamed(config), root), {kRanks, 3}, "tiers-swapped-streamed"),
                      plain, config.steps);
    for (const char* rank : {"rank-0", "rank-1"}) {
        EXPECT_TRUE(fs::is_directory(root + "/" + rank)) << rank;
        EXPECT_TRUE(fs::is_empty(root + "/" + rank)) << rank; // nothing is left there
    }
}

/// What ranks ask of each other hangs on the order of blocks alone.
TEST(RankTiers, ranksMayHaveTheirPartsInDifferentPlaces) {
    const std::string root = scratchFolder("tiers-different");
    const TrainConfig config = tieredTraining(root);
    const TrainConfig plain = trainSpread(config, {kRanks, 0}, "tiers-different-not");
    const Spread spread{kRanks, 3};
    const auto streams = [](TrainConfig& own, const std::string&) {
        own.memory.policy = PlacementPolicy::Cpu;
    };
    const TrainConfig made =
        trainSpread(config, spread, "tiers-different-3", settingsOf(1, config, spread, streams));
    expectSameTensors(made, plain, config.steps);
}

TEST(RankTiers, partsThatAreStreamedGoOnWithoutBeing) {
    const std::string root = scratchFolder("tiers-resumed");
    TrainConfig config = tieredTraining(root);
    const TrainConfig through = trainSpread(config, {kRanks, 3}, "tiers-resumed-through");
    config.steps = 2;
    const TrainConfig begun =
        trainSpread(swapped(streamed(config), root), {kRanks, 3}, "tiers-resumed-begun");
    const std::string folder = freshFolder("tiers-resumed-on");
    fs::copy(begun.output.runDir, folder + "/run", fs::copy_options::recursive);
    TrainConfig resumed = inFolder(config, folder);
    resumed.steps = through.steps;
    resumed.output.checkpointEverySteps = through.steps;
    resumed.parallel = {kRanks, 3};
    std::ofstream(folder + "/config.json") << toJson(resumed);
    RankProcesses(kRanks, "ARank.DISABLED_trains", folder).expectSuccessOfAll();
    expectSameTensors(resumed, through, through.steps);
}

/// Each makes its part of them alone, with all of the model, which it gives back before it is trained.
TEST(RankTiers, classPicturesAreMadeBeforeThePartsAreStreamed) {
    TrainConfig config = sharedTraining(scratchFolder("tiers-class"));
    config.steps = 2;
    config.output.checkpointEverySteps = config.steps;
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 6; // two groups
    TrainConfig first = config;
    first.data.classDir = folderOf(config) + "/class-3";
    const TrainConfig spread = trainSpread(streamed(first), {kRanks, 3}, "tiers-class-3");
    TrainConfig second = config;
    second.data.classDir = folderOf(config) + "/class-0";
    const TrainConfig plain = trainSpread(second, {kRanks, 0}, "tiers-class-0");
    expectEqualFolders(first.data.classDir, second.data.classDir);
    expectSameTensors(spread, plain, config.steps);
}

} // namespace homebooth::core::testing

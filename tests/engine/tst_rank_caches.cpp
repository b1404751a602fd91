// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures and captions are encoded by all ranks of a machine, each a part, and come to one process's bytes.
#include "rank_training.h"

#include "core/base/model/model_open.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/step_planner.h"

#include <map>
#include <numeric>

namespace homebooth::core::testing {
namespace {

TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

/// Of a training that cannot come to its end.
TEST(ARank, DISABLED_triesToTrain) {
    static_cast<void>(tryAsRank());
}

/// Lets all ranks share a cache.
Preparation sharing(const std::string& cache, const Spread& spread, const Preparation& rest = nothing()) {
    return [=](const std::string& folder) {
        for (int rank = 0; rank < spread.ranks; ++rank) obstacle(rank, "cache", cache)(folder);
        rest(folder);
    };
}

/// What packs of latents hold, in whichever packs it lies.
std::map<std::string, std::string> latentsIn(const std::string& cache) {
    std::map<std::string, std::string> latents;
    for (const auto& entry : fs::recursive_directory_iterator(cache + "/latents")) {
        if (!entry.is_regular_file()) continue;
        const auto pack = SafetensorsReader::open(entry.path().string());
        if (!pack) throw std::runtime_error(pack.error().text());
        for (const TensorInfo& info : (*pack)->tensors()) {
            const at::Tensor tensor = readWholeTensor(**pack, info.name)->contiguous();
            latents[info.name].assign(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
        }
    }
    return latents;
}

void expectSameCache(const std::string& actual, const std::string& expected) {
    const auto latents = latentsIn(expected);
    EXPECT_FALSE(latents.empty());
    EXPECT_TRUE(latentsIn(actual) == latents);
    expectEqualFolders(actual + "/texts", expected + "/texts");
}

/// Pictures that each rank has decoded, and with that encoded.
std::vector<int64_t> decoded(const TrainConfig& config, int ranks) {
    std::vector<int64_t> pictures;
    for (int rank = 0; rank < ranks; ++rank) pictures.push_back(numberOf(config, rank, "decoded"));
    return pictures;
}

void expectEqualShares(const std::vector<int64_t>& shares, int64_t all) {
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), int64_t{0}), all);
    for (const int64_t share : shares) {
        EXPECT_GE(share, all / std::ssize(shares));
        EXPECT_LE(share, all / std::ssize(shares) + 1);
    }
}

/// Trains in one process with a cache of its own. Returns how many pictures that has decoded.
int64_t fillAlone(const TrainConfig& config, const std::string& cache) {
    JobWorld world;
    world.options.cacheDir = cache;
    EXPECT_EQ(runFresh(config, world).result, "done");
    return world.pictures.loaded();
}

/// Pictures in both directions, at two resolutions, and some that are held out.
TrainConfig manyKinds(const std::string& root) {
    TrainConfig config = tinyDataset(root, 7);
    config.batchSize = kBatch;
    config.steps = 2;
    config.optimizer.epsilon = 1e-4;
    config.optimizer.learningRate = 1e-4; // at so few pixels rounding grows with every step
    config.data.encode = EncodeTime::First;
    config.data.flip = true;
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 1;
    config.data.validationShare = 0.3;
    return config;
}

TEST(RankCaches, areFilledByAllRanksWithTheBytesOfOneProcess) {
    const TrainConfig config = manyKinds(scratchFolder("kinds"));
    const TrainConfig alone = inFolder(config, freshFolder("kinds-1"));
    const std::string expected = freshFolder("kinds-cache-1");
    const int64_t all = fillAlone(alone, expected);
    for (const Spread& spread : {Spread{2, 0}, Spread{3, 3}}) {
        const std::string count = std::to_string(spread.ranks);
        SCOPED_TRACE(count + " ranks");
        const std::string cache = freshFolder("kinds-cache-" + count);
        const TrainConfig made = trainSpread(config, spread, "kinds-" + count, sharing(cache, spread));
        expectEqualShares(decoded(made, spread.ranks), all);
        expectSameCache(cache, expected);
        for (int rank = 0; rank < spread.ranks; ++rank) { // of captions, too: each begins with its own
            const std::vector<double> told = numbersBy(made, rank, "captions");
            ASSERT_FALSE(told.empty()) << rank;
            EXPECT_EQ(told.front(), rank);
        }
        EXPECT_LE(difference(checkpointOf(made, config.steps) + "/unet.safetensors",
                             checkpointOf(alone, config.steps) + "/unet.safetensors"),
                  kTolerance);
        const TrainConfig again = trainSpread(config, spread, "kinds-again-" + count, sharing(cache, spread));
        EXPECT_EQ(decoded(again, spread.ranks), std::vector<int64_t>(static_cast<size_t>(spread.ranks)));
    }
}

/// The RAM that steps take beside the device.
int64_t ramOf(TrainConfig config, const Spread& spread) {
    constexpr int64_t kPlenty = int64_t{8} << 30;
    config.parallel = {spread.ranks, spread.zero};
    const auto model = openModel(config.model);
    if (!model) throw std::runtime_error(model.error().text());
    const auto plan = planStep(config, *model, {config.memory.deviceBytes, 0, kPlenty},
                               MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9));
    if (!plan) throw std::runtime_error(plan.error().text());
    return plan->need.ramPeakBytes;
}

TEST(RankCaches, areHeldAsFewAsTheRankWithTheLeastRamCan) {
    TrainConfig config = manyKinds(scratchFolder("held"));
    config.memory.policy = PlacementPolicy::Cpu;
    config.memory.deviceBytes = int64_t{64} << 20;
    const Spread spread{2, 0};
    const TrainConfig plenty =
        trainSpread(config, spread, "held-all", sharing(freshFolder("held-cache-all"), spread));
    const int64_t all = numberOf(plenty, 0, "held");
    ASSERT_GT(all, 0);
    EXPECT_EQ(numberOf(plenty, 1, "held"), all);
    const std::string tight = std::to_string(ramOf(config, spread) + all * 3 / 8);
    const TrainConfig made =
        trainSpread(config, spread, "held-fewer",
                    sharing(freshFolder("held-cache-fewer"), spread, obstacle(1, "ram", tight)));
    EXPECT_EQ(numberOf(made, 0, "held"), numberOf(made, 1, "held"));
    EXPECT_LT(2 * numberOf(made, 0, "held"), all);
    expectSameTensors(made, plenty, config.steps);
}

TEST(RankCaches, areFilledFirstWhereOneRankHasNoMemoryToDoSoBesideTheSteps) {
    TrainConfig config = manyKinds(scratchFolder("beside"));
    config.memory.policy = PlacementPolicy::Cpu;
    config.memory.deviceBytes = int64_t{64} << 20;
    config.data.encode = EncodeTime::Ahead;
    const Spread spread{2, 0};
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    const int64_t tight = ramOf(config, spread) + encodingNeed(config, *model).bytes() / 2;
    std::vector<TrainConfig> made;
    for (const bool able : {true, false}) {
        const std::string name = able ? "beside-all" : "beside-none";
        const Preparation rest = able ? nothing() : obstacle(1, "ram", std::to_string(tight));
        made.push_back(
            trainSpread(config, spread, name, sharing(freshFolder(name + "-cache"), spread, rest)));
        const auto facts = RunFolder::open(made.back().output.runDir)->facts();
        ASSERT_TRUE(facts);
        EXPECT_EQ(facts->at("encode"), able ? "ahead" : "first");
    }
    expectSameTensors(made[1], made[0], config.steps);
}

TEST(RankCaches, holdLatentsOfClassPicturesThatAllHaveEncoded) {
    TrainConfig config = sharedTraining(scratchFolder("classes"));
    config.steps = 1;
    config.output.checkpointEverySteps = 1;
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 5;
    config.data.classDir = freshFolder("classes-alone");
    const std::string expected = freshFolder("classes-cache-1");
    const int64_t all = fillAlone(inFolder(config, freshFolder("classes-1")), expected);
    EXPECT_EQ(all, 3 + 5);
    config.data.classDir = freshFolder("classes-spread");
    const std::string cache = freshFolder("classes-cache-3");
    const Spread spread{3, 3};
    const TrainConfig made = trainSpread(config, spread, "classes-3", sharing(cache, spread));
    expectEqualShares(decoded(made, spread.ranks), all);
    expectSameCache(cache, expected);
}

TEST(RankCaches, thatKeepNothingLetEachRankEncode) {
    TrainConfig config = sharedTraining(scratchFolder("unkept"));
    config.steps = 2;
    config.output.checkpointEverySteps = 2;
    const TrainConfig alone = trainAlone(config, "unkept-1");
    const Spread spread{2, 0};
    const TrainConfig made = trainSpread(config, spread, "unkept-2", sharing("/proc/no-such-folder", spread));
    EXPECT_LE(
        difference(checkpointOf(made, 2) + "/unet.safetensors", checkpointOf(alone, 2) + "/unet.safetensors"),
        kTolerance);
}

/// The second of three photos: the second rank's to encode.
constexpr const char* kOther = "photo1.ppm";

/// Nobody can decode it.
Preparation brokenForAll(const std::string& cache, const Spread& spread) {
    return sharing(cache, spread, [spread](const std::string& folder) {
        for (int rank = 0; rank < spread.ranks; ++rank)
            obstacle(rank, "broken", kOther + std::string("\n"))(folder);
    });
}

TEST(RankCaches, ofAPictureThatCannotBeReadEndAllRanksWithTheCause) {
    const TrainConfig config = sharedTraining(scratchFolder("unread"));
    const Spread spread{2, 0};
    const TrainConfig made =
        trySpread(config, spread, "unread-2", brokenForAll(freshFolder("unread-cache"), spread));
    for (const int rank : {0, 1}) expectOutcome(made, rank, "3", "the picture is cut off");
}

TEST(RankCaches, leaveOutWhatMayBeLeftOutAndTellItOnce) {
    TrainConfig config = sharedTraining(scratchFolder("left-out"));
    config.steps = 1;
    config.output.checkpointEverySteps = 1;
    config.threads = 0; // more than there are would be another warning
    config.data.skipBrokenImages = true;
    const Spread spread{2, 0};
    const std::string cache = freshFolder("left-out-cache");
    const TrainConfig made = trainSpread(config, spread, "left-out-2", brokenForAll(cache, spread));
    EXPECT_EQ(decoded(made, 2), (std::vector<int64_t>{2, 0}));
    const std::vector<std::string> told = linesBy(made, 0, "warnings");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_TRUE(told.front().starts_with("left out ")) << told.front();
}

TEST(RankCaches, areGivenUpByAllWhereOneIsAskedToStop) {
    const TrainConfig config = sharedTraining(scratchFolder("stopped"));
    const Spread spread{2, 3};
    const TrainConfig made =
        trySpread(config, spread, "stopped-2",
                  sharing(freshFolder("stopped-cache"), spread, obstacle(1, "stop", kOther)));
    for (const int rank : {0, 1}) expectOutcome(made, rank, "5", "stopped on request");
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings in several processes whose parameters are streamed, whose states lie on a disk, or both: every
// stage has the bytes of one where everything stays in memory, and ranks need not have the same placement.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/model_open.h"
#include "core/engine/io/weights.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/parallel/rank_disk.h"
#include "core/engine/parallel/shard_layout.h"
#include "core/engine/planning/trial_step.h"
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

/// A rank's part of a model in memory, and once more on a disk of its own; both changed and used alike.
class TwoHomes {
public:
    TwoHomes(const Ranks& ranks, const ModelSource& model, const std::string& folder)
        : m_rank(ranks.rank())
        , m_schedule(unetSchedule(model.unet))
        , m_layout(m_schedule, ranks.count()) {
        ParameterStore::Options options;
        options.streaming.emplace();
        options.spread = spreadFor(ranks, m_schedule, at::kCPU);
        m_inMemory = std::make_unique<ParameterStore>(m_schedule, options);
        options.streaming->homeOnDisk = true;
        options.spread = spreadFor(ranks, m_schedule, at::kCPU, /*onDisk=*/true);
        options.disk.folder = folder + "/rank-" + std::to_string(m_rank);
        options.disk.isOfRank = true;
        m_onDisk = std::make_unique<ParameterStore>(m_schedule, options);
        for (ParameterStore* store : {m_inMemory.get(), m_onDisk.get()})
            EXPECT_TRUE(loadParameters(*store, *model.unetTensors).ok());
    }

    [[nodiscard]] int blockCount() const { return static_cast<int>(m_schedule.blocks().size()); }
    [[nodiscard]] const ParameterStore& onDisk() const { return *m_onDisk; }

    /// Every rank multiplies what is its own by another number.
    void change() {
        const at::NoGradGuard noGrad;
        for (ParameterStore* store : {m_inMemory.get(), m_onDisk.get()})
            for (int block = 0; block < blockCount(); ++block)
                for (const ParameterId id : m_layout.members(block)) {
                    const ElementRange own = m_layout.range(m_rank, id);
                    if (own.count == 0) continue;
                    at::Tensor part = stretchOf(store->parameter(id), own.begin, own.count);
                    const auto held = store->holdPart(part, true);
                    part.mul_(2 + m_rank);
                }
    }

    /// Uses all blocks there and back. @returns the first one's first parameter
    at::Tensor use() {
        std::vector<int> order;
        for (int block = 0; block < blockCount(); ++block) order.push_back(block);
        for (int block = blockCount() - 1; block >= 0; --block) order.push_back(block);
        m_inMemory->beginPass(order);
        m_onDisk->beginPass(order);
        at::Tensor first;
        for (const int block : order) {
            const std::vector<at::Tensor>& expected = m_inMemory->acquire(block);
            const std::vector<at::Tensor>& found = m_onDisk->acquire(block);
            for (size_t index = 0; index < expected.size(); ++index)
                EXPECT_TRUE(at::equal(found.at(index), expected[index])) << block << ", " << index;
            if (block == 0) first = found.at(0).clone();
            m_inMemory->release(block);
            m_onDisk->release(block);
        }
        m_inMemory->endPass();
        m_onDisk->endPass();
        return first;
    }

private:
    int m_rank;
    Schedule m_schedule;
    ShardLayout m_layout;
    std::unique_ptr<ParameterStore> m_inMemory;
    std::unique_ptr<ParameterStore> m_onDisk;
};

Result<std::unique_ptr<Ranks>> metAs(const OwnPlace& place) {
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    return Ranks::meet(own);
}

/// Some steps of this rank with all that streams at home in memory, or on a disk, and what is saved then.
void stepWithHomes(const Ranks& ranks, const ModelSource& model, const std::string& folder, bool onDisk) {
    TrainConfig config = tieredTraining(folder);
    config.data.resolutionPixels = 64;
    config.batchSize = 2 * ranks.count();
    config.parallel = {ranks.count(), 3};
    if (onDisk) config.memory.swapDir = folder;
    StepPlacement placement{.streaming = StreamingOptions{}};
    placement.streaming->homeOnDisk = placement.allStatesOnDisk = onDisk;
    ParameterStore::Options store;
    store.disk = diskOf(config.memory, ranks, SwapDevice::system());
    const auto trial = TrialStep::make(config, model, store, placement, &ranks);
    ASSERT_TRUE(trial.ok()) << (trial ? "" : trial.error().text());
    for (int step = 1; step <= 3; ++step) {
        at::manual_seed(static_cast<uint64_t>(100 * step + ranks.rank())); // batches are drawn
        (*trial)->run(step);
    }
    const Learner& learner = (*trial)->learner();
    EXPECT_EQ((*trial)->parts().front().component->store().swappedBytes() > 0, onDisk);
    if (!ranks.isFirst()) return learner.contribute();
    const std::string saved = folder + (onDisk ? "/on-disk" : "/in-memory");
    fs::create_directories(saved);
    EXPECT_TRUE(learner.save(saved).ok());
}

TEST(ARank, DISABLED_stepsWithItsPartOnADisk) {
    meterHostMemory();
    const OwnPlace place = ownPlace();
    const auto ranks = metAs(place);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model.ok());
    for (const bool onDisk : {false, true})
        ASSERT_NO_FATAL_FAILURE(stepWithHomes(**ranks, *model, place.folder, onDisk));
    (*ranks)->meetAgain();
}

TEST(RankTiers, partsOfParametersOnADiskLearnTheSameBytes) {
    for (const int ranks : {2, 3}) {
        const std::string folder = runRanks(ranks, "ARank.DISABLED_stepsWithItsPartOnADisk", "tiers-steps");
        expectEqualFolders(folder + "/on-disk", folder + "/in-memory");
    }
}

TEST(ARank, DISABLED_hasItsPartOnADisk) {
    const OwnPlace place = ownPlace();
    const auto ranks = metAs(place);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model.ok());
    TwoHomes homes(**ranks, *model, place.folder);
    const at::Tensor before = homes.use();
    homes.change();
    const at::Tensor after = homes.use();
    EXPECT_FALSE(at::equal(before, after));
    EXPECT_GT(homes.onDisk().swap()->counters().bytesWritten, 0);
    (*ranks)->meetAgain();
}

TEST(RankTiers, partsOfParametersOnADiskAreThoseInMemory) {
    for (const int ranks : {2, 3}) runRanks(ranks, "ARank.DISABLED_hasItsPartOnADisk", "tiers-homes");
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan says of each tier by kind: the kinds are the tier's peak, under every policy, each of them is
// what the placed step has of it, and the lines of blocks are those of the same step.
#include "core/engine/memory/disk_space.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/planned_blocks.h"
#include "core/engine/planning/tier_kinds.h"

#include "step_plan_support.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

namespace fs = std::filesystem;

/// A way to place a step, and what of its settings matters to it.
struct Placed {
    const char* name;
    bool streamed = false;
    bool valuesInRam = false;
    bool swap = false;       ///< optimizer states on the disk
    bool allOnDisk = false;  ///< averages and gradients, too
    bool homeOnDisk = false; ///< parameters, too
    bool halfResident = false;
    std::function<void(TrainConfig&)> settings = [](TrainConfig&) {};
};

std::ostream& operator<<(std::ostream& stream, const Placed& placed) {
    return stream << placed.name;
}

void averagesAndClipping(TrainConfig& config) {
    config.optimizer.emaDecay = 0.9;
    config.optimizer.maxGradientNorm = 1.0;
}

void accumulation(TrainConfig& config) {
    config.optimizer.accumulationSteps = 3;
}

void halfPrecision(TrainConfig& config) {
    config.precision = Precision::Fp16;
    config.optimizer.master = MasterWeights::Fp32;
}

void lora(TrainConfig& config) {
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
}

class TierKinds : public StepPlanTest, public ::testing::WithParamInterface<Placed> {
protected:
    void SetUp() override {
        StepPlanTest::SetUp();
        m_config.data.resolutionPixels = 64;
        m_config.batchSize = 2;
        m_config.output.previewEverySteps = 5;
        GetParam().settings(m_config);
        if (!GetParam().swap) return;
        const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
        m_folder = fs::path(root != nullptr ? root : "scratch") / "tier-kinds";
        fs::create_directories(m_folder);
        m_config.memory.swapDir = fs::absolute(m_folder).string();
    }

    [[nodiscard]] StepPlacement placement() const {
        const Placed& wanted = GetParam();
        StepPlacement placed;
        placed.allStatesOnDisk = wanted.allOnDisk;
        if (!wanted.streamed) return placed;
        placed.streaming.emplace();
        placed.streaming->homeOnDisk = wanted.homeOnDisk;
        placed.valuesInRam = wanted.valuesInRam;
        if (!wanted.halfResident) return placed;
        auto& resident = placed.resident.emplace_back();
        for (size_t block = 0; block < 40; ++block) resident.push_back(block % 2 == 0);
        return placed;
    }

    /// All blocks compute everything again.
    [[nodiscard]] StepPlan placed() const {
        auto plan = planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, placement());
        if (!plan) throw std::runtime_error(plan.error().text());
        return std::move(*plan);
    }

    fs::path m_folder;
};

/// Nothing is cut off: what is known of each kind has room in the peak, beside all others.
TEST_P(TierKinds, areTheRehearsedPeaks) {
    const Rehearsal need = placed().need;
    const TierPeaks peaks = tierPeaksOf(need);
    EXPECT_EQ(totalBytes(peaks.device), need.devicePeakBytes);
    EXPECT_EQ(peaks.device.parameterBytes, need.parameterBytes);
    EXPECT_EQ(peaks.device.stateBytes, need.stateBytesOnDevice);
    EXPECT_GT(peaks.device.activationBytes, 0);
    EXPECT_EQ(totalBytes(peaks.ram), need.ramPeakBytes);
    EXPECT_EQ(peaks.ram.parameterBytes, need.homeBytesInRam);
    EXPECT_EQ(peaks.ram.stateBytes, need.stateBytesInRam);
    EXPECT_EQ(peaks.ram.gradientBytes, need.gradientBytesInRam);
    EXPECT_EQ(peaks.ram.activationBytes, need.valueBytesInRam);
    EXPECT_EQ(totalBytes(peaks.swap), need.fileBytes());
    EXPECT_EQ(need.frozenFileBytes > 0, GetParam().homeOnDisk);
    EXPECT_GE(need.stateFileBytes, need.swappedBytes);
    EXPECT_GE(need.homeFileBytes, need.homeOnDiskBytes);
}

TEST_P(TierKinds, areWhereThePlacementPutsThem) {
    const Placed& wanted = GetParam();
    const Rehearsal need = placed().need;
    const TierPeaks peaks = tierPeaksOf(need);
    const bool rests = m_config.optimizer.maxGradientNorm > 0.0 || m_config.optimizer.accumulationSteps > 1 ||
                       m_config.precision == Precision::Fp16;
    EXPECT_EQ(peaks.ram.parameterBytes > 0, wanted.streamed && !wanted.homeOnDisk);
    EXPECT_EQ(peaks.ram.activationBytes > 0, wanted.valuesInRam);
    EXPECT_EQ(peaks.ram.gradientBytes > 0, rests && wanted.streamed && !wanted.allOnDisk);
    EXPECT_EQ(peaks.device.gradientBytes > 0,
              rests && !wanted.allOnDisk && (!wanted.streamed || wanted.halfResident));
    EXPECT_EQ(peaks.swap.parameterBytes > 0, wanted.homeOnDisk);
    EXPECT_EQ(peaks.swap.stateBytes > 0, wanted.swap);
    EXPECT_EQ(peaks.swap.gradientBytes > 0, rests && wanted.allOnDisk);
}

/// What a real step placed like that says of its own states and gradients.
TEST_P(TierKinds, areThoseOfARealStep) {
    if (GetParam().homeOnDisk) GTEST_SKIP() << "trial steps open no disk for parameters";
    const StepPlan plan = placed();
    const TierPeaks peaks = tierPeaksOf(plan.need);
    const auto steps = trial(plan);
    steps->run(1);
    const Learner& learner = steps->learner();
    EXPECT_EQ(peaks.ram.stateBytes, learner.stateBytesIn(Tier::Ram));
    EXPECT_EQ(peaks.device.stateBytes, learner.stateBytesIn(Tier::Device));
    EXPECT_EQ(peaks.ram.gradientBytes, learner.restingGradients().peakBytes(Tier::Ram));
    const StateDisk::Sizes& onDisk = learner.swappedSizes();
    EXPECT_EQ(totalBytes(peaks.swap), diskSpaceFor(onDisk.sum()));
    EXPECT_EQ(peaks.swap.gradientBytes, onDisk.gradients);
    EXPECT_EQ(peaks.swap.workspaceBytes, onDisk.originals);
    EXPECT_GE(peaks.swap.stateBytes, onDisk.states + onDisk.averages);
    int64_t homes = 0;
    int64_t shelves = 0;
    for (const LearningPart& part : steps->parts()) {
        homes += part.component->store().streamedBytes();
        shelves += part.component->executor().shelfBytes();
    }
    EXPECT_EQ(peaks.ram.parameterBytes, homes);
    EXPECT_EQ(peaks.ram.activationBytes, shelves);
}

/// What is printed: with the program, what encodes pictures, and RAM that stands for a device.
TEST_P(TierKinds, sumUpToWhatThePlanPredicts) {
    const StepPlan step = placed();
    const StepNeed need = stepNeedOf(m_config, step, kThisMachine);
    for (const bool gpu : {false, true})
        for (const bool streaming : {false, true}) {
            TrainConfig config = m_config;
            config.memory.policy = streaming ? PlacementPolicy::Cpu : PlacementPolicy::Auto;
            const auto plan = planTraining(config, m_model, {gpu, kPlenty, kPlenty}, need);
            ASSERT_TRUE(plan.ok()) << plan.error().text();
            const ResourceUse& use = plan->event.predicted;
            EXPECT_EQ(totalBytes(plan->peaks.device), use.deviceBytes);
            EXPECT_EQ(totalBytes(plan->peaks.ram), use.ramBytes);
            EXPECT_EQ(totalBytes(plan->peaks.swap), use.swapBytes);
            EXPECT_GT(plan->peaks.ram.workspaceBytes, 0); // the program
            EXPECT_EQ(use.deviceBytes > 0, gpu || streaming);
        }
}

/// Where gradients rest, and how often a step goes over them.
TEST_P(TierKinds, restingGradientsAreToldWithTheirCost) {
    const StepPlan plan = placed();
    const StepNeed need = stepNeedOf(m_config, plan, kThisMachine);
    const auto told = std::find_if(need.decisions.begin(), need.decisions.end(), [](const PlanDecision& one) {
        return one.code.starts_with("gradients-");
    });
    ASSERT_NE(told, need.decisions.end());
    const OptimizerConfig& optimizer = m_config.optimizer;
    const bool forAll = optimizer.maxGradientNorm > 0.0 || m_config.precision == Precision::Fp16;
    if (!forAll && optimizer.accumulationSteps == 1) {
        EXPECT_EQ(told->facts.count("movedBytes"), 0U) << told->text;
        return;
    }
    const auto bytes = static_cast<double>(plan.need.gradientBytes);
    EXPECT_GT(bytes, 0.0);
    EXPECT_EQ(told->facts.at("gradientBytes"), bytes);
    EXPECT_EQ(told->facts.at("ramBytes"), static_cast<double>(need.ram.gradientBytes));
    EXPECT_EQ(told->facts.at("diskBytes") > 0.0, GetParam().allOnDisk);
    const auto passes = static_cast<double>(2 * optimizer.accumulationSteps + (forAll ? 1 : 0));
    EXPECT_EQ(told->facts.at("movedBytes"), passes * bytes);
    EXPECT_NE(told->text.find(optimizer.maxGradientNorm > 0.0   ? "clipping"
                              : optimizer.accumulationSteps > 1 ? "accumulation"
                                                                : "overflow"),
              std::string::npos)
        << told->text;
}

TEST_P(TierKinds, blocksAreToldOneByOne) {
    const StepPlan plan = placed();
    const std::vector<PlannedBlock> blocks = plannedBlocks(plan);
    ASSERT_EQ(blocks.size(), plan.need.blocks.size());
    double seconds = 0.0;
    int64_t fetches = 0;
    for (size_t index = 0; index < blocks.size(); ++index) {
        const PlannedBlock& block = blocks[index];
        EXPECT_GT(block.name.size(), std::string("unet ").size());
        EXPECT_GT(block.forwardSeconds, 0.0) << block.name;
        EXPECT_GE(block.backwardSeconds, 0.0) << block.name; // frozen ones at the beginning have none
        EXPECT_LE(block.peakBytes, plan.need.devicePeakBytes) << block.name;
        EXPECT_EQ(block.streamed, plan.need.blocks[index].streamed) << block.name;
        EXPECT_EQ(block.kept, KeptForBackward::Inputs) << block.name;
        EXPECT_TRUE(block.streamed || block.fetches == 0) << block.name;
        seconds += block.forwardSeconds + block.backwardSeconds;
        fetches += block.fetches;
    }
    EXPECT_LE(seconds * static_cast<double>(m_config.optimizer.accumulationSteps),
              plan.stepSeconds * (1.0 + 1e-9));
    int64_t stays = 0;
    for (const RehearsedStream& stream : plan.need.streams)
        stays += std::count_if(stream.residency.stays.begin(), stream.residency.stays.end(),
                               [](const Stay& stay) { return !stay.permanent; });
    EXPECT_EQ(fetches, stays);
    EXPECT_EQ(fetches > 0, GetParam().streamed);
}

TEST_P(TierKinds, theDiskIsReadAndWrittenAsPredicted) {
    if (!GetParam().swap || GetParam().homeOnDisk) GTEST_SKIP() << "nothing lies on a disk";
    const StepPlan plan = placed();
    const StepNeed need = stepNeedOf(m_config, plan, kThisMachine);
    const auto steps = trial(plan);
    for (int64_t step = 1; step <= 2; ++step) steps->run(step); // until nothing there is zero any more
    const SwapCounters before = steps->learner().swapTraffic().bytes;
    constexpr int64_t kSteps = 4;
    for (int64_t step = 3; step < 3 + kSteps; ++step) steps->run(step);
    const SwapCounters after = steps->learner().swapTraffic().bytes;
    const auto nearTo = [](int64_t moved, int64_t predicted) {
        const double part = static_cast<double>(moved) / static_cast<double>(kSteps * predicted);
        // Windows of five pages: what they still have depends on when transfers end. Of averages and
        // gradients it is not foretold what stays.
        return GetParam().allOnDisk ? part > 0.4 && part < 2.5 : part > 0.6 && part < 1.5;
    };
    EXPECT_TRUE(nearTo(after.bytesRead - before.bytesRead, need.swapBytesReadPerStep))
        << after.bytesRead - before.bytesRead << " in " << kSteps << " steps, predicted for each "
        << need.swapBytesReadPerStep;
    EXPECT_TRUE(nearTo(after.bytesWritten - before.bytesWritten, need.swapBytesWrittenPerStep))
        << after.bytesWritten - before.bytesWritten << " in " << kSteps << " steps, predicted for each "
        << need.swapBytesWrittenPerStep;
}

/// What one of several processes has and does. Nothing is opened for a plan.
class TierKindsOfRanks : public StepPlanTest {
protected:
    /// SD 1.5 without weights: parts of ranks are not lost among pages and units of shards.
    void SetUp() override {
        OpenOptions open;
        open.weightsOptional = true;
        auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", open);
        ASSERT_TRUE(model.ok()) << model.error().text();
        m_model = std::move(*model);
        m_config.precision = Precision::Bf16;
        m_config.optimizer.states = StateType::Bf16;
        m_config.data.resolutionPixels = 64;
        m_config.memory.device = ComputeDevice::Cpu;
        m_config.memory.swapDir = "somewhere";
        m_onDisk.streaming.emplace();
        m_onDisk.streaming->homeOnDisk = true;
        m_onDisk.allStatesOnDisk = true;
    }

    /// With a picture for each.
    StepPlan placed(int64_t ranks, int64_t zero, const StepPlacement& placement) {
        m_config.batchSize = ranks;
        m_config.parallel = {ranks, zero};
        auto plan = planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, placement);
        if (!plan) throw std::runtime_error(plan.error().text());
        return std::move(*plan);
    }

    /// Without what whole pages add, which is known of one process alone.
    StepNeed needOf(int64_t ranks, int64_t zero, const StepPlacement& placement) {
        StepPlan plan = placed(ranks, zero, placement);
        plan.need.swapExtra = {};
        return stepNeedOf(m_config, plan, kThisMachine);
    }

    StepPlacement m_onDisk;
};

double ratio(int64_t part, int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// A UNet half as wide as SD 1.5's, on a disk as a whole: a window has far less than a block takes.
TEST_F(TierKindsOfRanks, pagesOfRealSizeAreReadAndWrittenAsForetold) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path folder = fs::path(root != nullptr ? root : "scratch") / "real-pages";
    fs::create_directories(folder);
    m_config.memory.swapDir = fs::absolute(folder).string();
    m_config.optimizer.kind = OptimizerKind::AdamW8bit;
    for (int64_t& channels : m_model.unet.blockOutChannels) channels /= 2;
    StepPlacement onDisk;
    onDisk.streaming.emplace();
    onDisk.streaming->homeOnDisk = true;
    const StepPlan plan = placed(1, 0, onDisk);
    const StepNeed need = stepNeedOf(m_config, plan, kThisMachine);
    EXPECT_GT(plan.need.swapExtra.readBytes, need.swapBytesReadPerStep / 10); // not read as it is meant alone
    ParameterStore::Options store;
    store.type = scalarTypeOf(m_config.precision);
    store.disk.folder = m_config.memory.swapDir;
    const auto made = TrialStep::make(m_config, m_model, store, plan.placement);
    ASSERT_TRUE(made.ok()) << made.error().text();
    (*made)->run(1); // until nothing there is zero any more
    const SwapCounters before = (*made)->learner().swapTraffic().bytes;
    (*made)->run(2);
    const SwapCounters after = (*made)->learner().swapTraffic().bytes;
    // On a busy machine fetches are further ahead of updates, and push out more of what these want to find.
    EXPECT_NEAR(ratio(after.bytesRead - before.bytesRead, need.swapBytesReadPerStep), 1.0, 0.12);
    EXPECT_NEAR(ratio(after.bytesWritten - before.bytesWritten, need.swapBytesWrittenPerStep), 1.0, 0.05);
}

TEST_F(TierKindsOfRanks, eachReadsItsOwnMastersAndAveragesAlone) {
    m_config.optimizer.master = MasterWeights::Fp32;
    m_config.optimizer.emaDecay = 0.9;
    StepPlacement inRam = m_onDisk;
    inRam.streaming->homeOnDisk = false;
    const StepNeed alone = needOf(1, 0, inRam);
    ASSERT_GT(alone.swapBytesReadPerStep, alone.swapBytesWrittenPerStep);
    for (const int64_t zero : {2, 3})
        EXPECT_NEAR(ratio(needOf(4, zero, inRam).swapBytesReadPerStep, alone.swapBytesReadPerStep), 0.25,
                    0.01);
    EXPECT_EQ(needOf(4, 0, inRam).swapBytesReadPerStep, alone.swapBytesReadPerStep);
}

TEST_F(TierKindsOfRanks, eachChangesItsOwnPartOfSpreadParametersAlone) {
    m_config.method = TrainMethod::Lora;
    m_config.lora.rank = 4;
    m_config.output.previewEverySteps = 5;
    const StepNeed alone = needOf(1, 0, m_onDisk);
    const StepNeed ofRank = needOf(2, 3, m_onDisk);
    EXPECT_NEAR(ratio(ofRank.swapBytesWrittenPerStep, alone.swapBytesWrittenPerStep), 0.5, 0.05);
    const int64_t frozen = placed(2, 3, m_onDisk).need.frozenFileBytes; // of which each has all
    ASSERT_GT(frozen, 0);
    EXPECT_NEAR(ratio(ofRank.swapBytes - frozen, alone.swapBytes - frozen), 0.5, 0.05);
}

/// What others have updated replaces part of pages, which are read before.
TEST_F(TierKindsOfRanks, parametersThatAreSentAroundAreReadOnceMore) {
    const StepPlan whole = placed(2, 0, m_onDisk);
    const StepNeed ofWhole = stepNeedOf(m_config, whole, kThisMachine);
    const StepPlan sliced = placed(2, 2, m_onDisk);
    const StepNeed ofSliced = stepNeedOf(m_config, sliced, kThisMachine);
    EXPECT_EQ(ofSliced.swapBytesReadPerStep - sliced.need.changingSwappedBytes,
              ofWhole.swapBytesReadPerStep - whole.need.changingSwappedBytes + whole.need.trainedBytes);
    EXPECT_EQ(ofSliced.swapBytesWrittenPerStep - sliced.need.changingSwappedBytes,
              ofWhole.swapBytesWrittenPerStep - whole.need.changingSwappedBytes);
}

TEST_F(TierKindsOfRanks, linesOfBlocksTellTheOwnPartFromTheRest) {
    const auto gatheredPart = [](const StepPlan& plan) {
        int64_t gathered = 0;
        int64_t all = 0;
        for (const PlannedBlock& block : plannedBlocks(plan)) {
            EXPECT_LE(block.gatheredBytes, block.parameterBytes) << block.name;
            gathered += block.gatheredBytes;
            all += block.parameterBytes;
        }
        return ratio(gathered, all);
    };
    StepPlacement inRam;
    inRam.streaming.emplace();
    for (const StepPlacement& placement : {StepPlacement{}, inRam, m_onDisk}) {
        EXPECT_NEAR(gatheredPart(placed(4, 3, placement)), 0.75, 0.04); // chunks are padded
        EXPECT_EQ(gatheredPart(placed(4, 2, placement)), 0.0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    policies, TierKinds,
    ::testing::Values(
        Placed{.name = "gpu"}, Placed{.name = "gpuClipping", .settings = averagesAndClipping},
        Placed{.name = "gpuSwap", .swap = true}, Placed{.name = "cpu", .streamed = true},
        Placed{.name = "cpuLora", .streamed = true, .settings = lora},
        Placed{.name = "cpuAccumulation", .streamed = true, .settings = accumulation},
        Placed{.name = "cpuHalf", .streamed = true, .settings = halfPrecision},
        Placed{.name = "cpuValues", .streamed = true, .valuesInRam = true, .settings = averagesAndClipping},
        Placed{.name = "mixed", .streamed = true, .halfResident = true, .settings = averagesAndClipping},
        Placed{.name = "cpuSwap", .streamed = true, .swap = true},
        Placed{.name = "cpuAllOnDisk",
               .streamed = true,
               .swap = true,
               .allOnDisk = true,
               .settings = averagesAndClipping},
        Placed{.name = "cpuParametersOnDisk",
               .streamed = true,
               .swap = true,
               .allOnDisk = true,
               .homeOnDisk = true,
               .settings = accumulation}),
    [](const auto& one) { return std::string(one.param.name); });

} // namespace

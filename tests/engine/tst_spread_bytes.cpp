// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Placement changes no bit of one rank of several, either: wherever its parts of parameters, states, averages
// and gradients lie, also where that changes on the way. The other ranks are pretended (what they have is
// zeros), so this is what one rank does; that ranks agree is tst_rank_tiers' concern.
#include "core/base/model/model_open.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/step_planner.h"
#include "training_support.h"
#include "trial_support.h"

#include <functional>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kSteps = 6;
constexpr int64_t kPlenty = int64_t{8} << 30;

struct Case {
    const char* name;
    int64_t zero;
    std::function<void(TrainConfig&)> change;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

class SpreadBytes : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }

    void SetUp() override {
        auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1");
        ASSERT_TRUE(model.ok()) << model.error().text();
        m_model = std::move(*model);
        m_config.data.resolutionPixels = 64;
        m_config.optimizer.learningRate = 1e-3;
        m_config.batchSize = 2;
        m_config.parallel = {2, GetParam().zero};
        GetParam().change(m_config);
        m_root = scratchFolder(std::string("spread-bytes-") + GetParam().name);
        m_swapping = m_config;
        m_swapping.memory.swapDir = m_root;
    }

    [[nodiscard]] bool spreads() const { return m_config.parallel.spreadsParameters(); }

    /// @param config  borrowed
    [[nodiscard]] std::unique_ptr<TrialStep> trial(const TrainConfig& config,
                                                   const StepPlacement& placement) const {
        return trialOf(config, m_model, placement);
    }

    /// Everything that a checkpoint holds, and averages in the parameters' place.
    [[nodiscard]] std::string saved(TrialStep& steps, const std::string& name) const {
        std::string folder = m_root + "/" + name;
        fs::create_directories(folder);
        steps.learner().swapInAverages();
        steps.learner().swapOutAverages();
        const auto written = steps.learner().save(folder);
        EXPECT_TRUE(written.ok()) << (written.ok() ? "" : written.error().text());
        return folder;
    }

    /// What everything else is compared with.
    std::unique_ptr<TrialStep> resident() const {
        auto steps = trial(m_config, {});
        runSteps(*steps, 1, kSteps);
        (void)saved(*steps, "resident");
        return steps;
    }

    void expectSame(const std::string& name, const TrainConfig& config,
                    const StepPlacement& placement) const {
        const auto steps = trial(config, placement);
        runSteps(*steps, 1, kSteps);
        expectEqualFolders(saved(*steps, name), m_root + "/resident");
    }

    /// Every second block at home on the device, beginning with `first`.
    static StepPlacement everySecond(size_t first) {
        constexpr size_t kMoreThanThereAre = 64;
        std::vector<bool> blocks(kMoreThanThereAre, false);
        for (size_t block = first; block < kMoreThanThereAre; block += 2) blocks[block] = true;
        StepPlacement placement{.streaming = StreamingOptions{}};
        placement.resident = {blocks, blocks};
        return placement;
    }

    ModelSource m_model;
    TrainConfig m_config;
    TrainConfig m_swapping; ///< with a disk for states
    std::string m_root;
};

TEST_P(SpreadBytes, wherever) {
    const std::unique_ptr<TrialStep> whole = resident();
    const StepPlacement streamed{.streaming = StreamingOptions{}};
    StepPlacement values = streamed;
    values.valuesInRam = true;
    expectSame("cpu", m_config, streamed);
    expectSame("values-in-ram", m_config, values);
    expectSame("mixed", m_config, everySecond(1));
    StepPlacement kept;
    kept.recompute.assign(whole->parts().size(), {});
    for (size_t part = 0; part < kept.recompute.size(); ++part)
        kept.recompute[part].assign(whole->parts()[part].component->schedule().blocks().size(),
                                    Recompute::Never);
    expectSame("kept", m_config, kept);

    StepPlacement allOut; // but for the parameters
    allOut.allStatesOnDisk = true;
    StepPlacement allOutStreamed = streamed;
    allOutStreamed.allStatesOnDisk = true;
    int number = 0;
    for (const StepPlacement& placement : {StepPlacement{}, streamed, everySecond(0), allOut, allOutStreamed})
        expectSame("on-disk-" + std::to_string(number++), m_swapping, placement);
    StepPlacement homesOut = everySecond(1);
    homesOut.streaming->homeOnDisk = allOutStreamed.streaming->homeOnDisk = true;
    expectSame("home-on-disk", m_swapping, allOutStreamed);
    expectSame("home-partly-on-disk", m_swapping, homesOut);
}

/// Blocks come from the disk and go back to it between steps.
TEST_P(SpreadBytes, howeverOftenHomesOnADiskChange) {
    (void)resident();
    StepPlacement homesOut{.streaming = StreamingOptions{}};
    StepPlacement firstOut = everySecond(1);
    StepPlacement secondOut = everySecond(0);
    for (StepPlacement* placement : {&homesOut, &firstOut, &secondOut})
        placement->streaming->homeOnDisk = true;
    const auto moving = trial(m_swapping, homesOut);
    int64_t step = 0;
    for (const StepPlacement& placement : {firstOut, secondOut, homesOut, firstOut, homesOut, secondOut}) {
        moving->learner().place(placement);
        ++step;
        runSteps(*moving, step, step);
    }
    ASSERT_EQ(step, kSteps);
    expectEqualFolders(saved(*moving, "moving-homes"), m_root + "/resident");
}

/// Of parameters that others have nothing is set aside there, and a rehearsal knows what is.
TEST_P(SpreadBytes, homesOnADiskAreThisRanksPart) {
    StepPlacement homesOut{.streaming = StreamingOptions{}};
    homesOut.streaming->homeOnDisk = true;
    const auto steps = trial(m_swapping, homesOut);
    int64_t all = 0;
    int64_t onDisk = 0;
    for (const LearningPart& part : steps->parts()) {
        const ParameterStore& store = part.component->store();
        onDisk += store.swappedBytes();
        for (int block = 0; block < static_cast<int>(store.schedule().blocks().size()); ++block)
            all += store.paddedBytes(block);
    }
    EXPECT_GT(onDisk, 0);
    EXPECT_LE(static_cast<double>(onDisk), (spreads() ? 0.75 : 1.0) * static_cast<double>(all));
    const auto rehearsed = rehearseStep(m_swapping, m_model, homesOut);
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    EXPECT_EQ(rehearsed->homeOnDiskBytes, onDisk);
}

TEST_P(SpreadBytes, howeverOftenItChanges) {
    (void)resident();
    const StepPlacement streamed{.streaming = StreamingOptions{}};
    for (const bool onDisk : {false, true}) {
        const auto moving = trial(onDisk ? m_swapping : m_config, {});
        int64_t step = 0;
        for (const StepPlacement& placement :
             {streamed, everySecond(0), everySecond(1), StepPlacement{}, streamed, StepPlacement{}}) {
            moving->learner().place(placement);
            ++step;
            runSteps(*moving, step, step);
        }
        ASSERT_EQ(step, kSteps);
        expectEqualFolders(saved(*moving, onDisk ? "moving-on-disk" : "moving"), m_root + "/resident");
    }
}

/// Of states that others have nothing is set aside.
TEST_P(SpreadBytes, aDiskHasThisRanksPartInAFolderOfItsOwn) {
    StepPlacement allOut;
    allOut.allStatesOnDisk = true;
    const auto steps = trial(m_swapping, allOut);
    EXPECT_TRUE(fs::is_directory(m_root + "/rank-0"));
    TrainConfig alone = m_swapping;
    alone.parallel = {};
    alone.batchSize = 1;
    const auto whole = trial(alone, allOut);
    EXPECT_GT(steps->learner().swappedBytes(), 0);
    EXPECT_LT(static_cast<double>(steps->learner().swappedBytes()),
              (GetParam().zero == 0 ? 1.01 : 0.75) * static_cast<double>(whole->learner().swappedBytes()));
}

TEST_P(SpreadBytes, plansForTheDeviceOfOneRank) {
    (void)resident();
    TrainConfig config = m_swapping;
    config.memory.policy = PlacementPolicy::Cpu;
    const MachineSpeed speed = MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9);
    const auto plan = planStep(config, m_model, {kPlenty, 0, kPlenty}, speed);
    ASSERT_TRUE(plan.ok()) << plan.error().text();
    EXPECT_TRUE(plan->placement.streaming.has_value());
    expectSame("planned", config, plan->placement);
}

void clippedWithAverages(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.states = StateType::Bf16;
    config.optimizer.maxGradientNorm = 0.5;
    config.optimizer.emaDecay = 0.9;
}

void accumulatedEightBit(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    config.optimizer.accumulationSteps = 2;
    config.trainTextEncoder = true;
}

void scaledWithMasters(TrainConfig& config) {
    config.precision = Precision::Fp16;
    config.optimizer.master = MasterWeights::Fp32;
    config.optimizer.emaDecay = 0.9;
}

void lora(TrainConfig& config) {
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.lora.convolutions = true;
}

void loraOnInt8(TrainConfig& config) {
    lora(config);
    config.precision = Precision::Bf16;
    config.quantization = Quantization::Int8;
}

INSTANTIATE_TEST_SUITE_P(stages, SpreadBytes,
                         ::testing::Values(Case{"plain", 3, [](TrainConfig&) {}},
                                           Case{"clippedWithAverages", 3, clippedWithAverages},
                                           Case{"accumulatedEightBit", 3, accumulatedEightBit},
                                           Case{"scaledWithMasters", 3, scaledWithMasters},
                                           Case{"lora", 3, lora}, Case{"loraOnInt8", 3, loraOnInt8},
                                           Case{"statesAloneWithAverages", 2, clippedWithAverages},
                                           Case{"statesAloneWithMasters", 1, scaledWithMasters},
                                           Case{"nothingSpread", 0, clippedWithAverages}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Placement never changes a bit: after twenty steps, parameters, states and averages have the same bytes
// wherever they lay and whatever was computed again, also where that changed on the way.
#include "core/base/model/model_open.h"
#include "core/engine/io/precision.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/training/state_disk.h"
#include "core/engine/training/step_planner.h"
#include "core/engine/training/trial_step.h"
#include "training_support.h"

#include <functional>
#include <stdexcept>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kSteps = 20;
constexpr int64_t kPlenty = int64_t{8} << 30;

struct Case {
    const char* name;
    std::function<void(TrainConfig&)> change;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

class EqualBytes : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }

    void SetUp() override {
        auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1");
        ASSERT_TRUE(model.ok()) << model.error().text();
        m_model = std::move(*model);
        m_config.data.resolutionPixels = 64;
        m_config.optimizer.learningRate = 1e-3;
        GetParam().change(m_config);
        m_root = scratchFolder(std::string("equal-bytes-") + GetParam().name);
    }

    [[nodiscard]] std::unique_ptr<TrialStep> trial(const TrainConfig& config,
                                                   const StepPlacement& placement) const {
        ParameterStore::Options store;
        store.type = scalarTypeOf(config.precision);
        store.disk.folder = config.memory.swapDir;
        auto made = TrialStep::make(config, m_model, store, placement);
        if (!made) throw std::runtime_error(made.error().text());
        return std::move(*made);
    }

    static void run(TrialStep& steps, int64_t first, int64_t last) {
        for (int64_t step = first; step <= last; ++step) {
            at::manual_seed(static_cast<uint64_t>(step)); // batches are drawn
            steps.run(step);
        }
    }

    /// Everything that a checkpoint holds.
    [[nodiscard]] std::string saved(TrialStep& steps, const std::string& name) const {
        std::string folder = m_root + "/" + name;
        fs::create_directories(folder);
        const auto written = steps.learner().save(folder);
        EXPECT_TRUE(written.ok()) << (written.ok() ? "" : written.error().text());
        return folder;
    }

    /// Every second block at home on the device, beginning with `first`.
    static std::vector<std::vector<bool>> everySecond(size_t first) {
        constexpr size_t kMoreThanThereAre = 64;
        std::vector<bool> blocks(kMoreThanThereAre, false);
        for (size_t block = first; block < kMoreThanThereAre; block += 2) blocks[block] = true;
        return {blocks, blocks};
    }

    /// Streamed, with room for much of the next pass before one has ended.
    static StepPlacement soon() {
        StepPlacement placement{.streaming = StreamingOptions{}};
        placement.streaming->prefetchDistance = 5;
        placement.streaming->asSoonAsPossible = true;
        return placement;
    }

    /// Blocks that change and are on the device between two passes.
    static int cameForTheNextPass(const TrialStep& steps) {
        int came = 0;
        for (const LearningPart& part : steps.parts()) {
            const ParameterStore& store = part.component->store();
            for (const Chunk& chunk : store.chunks()) {
                const auto& parameters =
                    store.schedule().blocks()[static_cast<size_t>(chunk.block)].parameters;
                const bool changes = std::any_of(parameters.begin(), parameters.end(),
                                                 [](const ParameterSpec& one) { return one.trainable; });
                if (changes && chunk.blockOffsetBytes == 0 && chunk.state != ChunkState::Free) ++came;
            }
        }
        return came;
    }

    [[nodiscard]] StepPlan automatic(int64_t percentOfResident) const {
        TrainConfig config = m_config;
        config.memory.policy = PlacementPolicy::Auto;
        MachineSpeed speed = MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9);
        speed.linkBytesPerSecond = 1e7;
        const auto whole = planStep(config, m_model, {kPlenty, 0, 0}, speed);
        if (!whole) throw std::runtime_error(whole.error().text());
        const auto found = planStep(
            config, m_model, {whole->need.devicePeakBytes * percentOfResident / 100, 0, kPlenty}, speed);
        if (!found) throw std::runtime_error(found.error().text());
        return *found;
    }

    /// That of states and averages none is in RAM.
    static void expectOnDiskOrDevice(const Learner& learner) {
        EXPECT_EQ(learner.stateBytesIn(Tier::Ram), 0);
        EXPECT_EQ(learner.changingSwappedBytes() + learner.stateBytesIn(Tier::Device),
                  learner.stateBytes() + learner.averageBytes());
    }

    void expectSame(const std::string& name, const StepPlacement& placement) const {
        const auto steps = trial(m_config, placement);
        run(*steps, 1, kSteps);
        expectEqualFolders(saved(*steps, name), m_root + "/resident");
    }

    ModelSource m_model;
    TrainConfig m_config;
    std::string m_root;
};

TEST_P(EqualBytes, wherever) {
    const auto resident = trial(m_config, {});
    run(*resident, 1, kSteps);
    (void)saved(*resident, "resident");
    StepPlacement streamed{.streaming = StreamingOptions{}};
    expectSame("cpu", streamed);
    StepPlacement values = streamed;
    values.valuesInRam = true;
    expectSame("values-in-ram", values);
    StepPlacement mixed = streamed;
    mixed.resident = everySecond(1);
    expectSame("mixed", mixed);
    expectSame("soon", soon());
    for (const int64_t percent : {45, 60, 80})
        expectSame("auto-" + std::to_string(percent), automatic(percent).placement);

    StepPlacement kept; // nothing is computed again
    kept.recompute.assign(2, std::vector<Recompute>(everySecond(0)[0].size(), Recompute::Never));
    for (size_t part = 0; part < resident->parts().size(); ++part)
        kept.recompute[part].resize(resident->parts()[part].component->schedule().blocks().size());
    kept.recompute.resize(resident->parts().size());
    expectSame("kept", kept);

    TrainConfig swapping = m_config;
    swapping.memory.swapDir = m_root;
    StepPlacement statesOut;
    statesOut.allStatesOnDisk = true;
    StepPlacement allOut = streamed;
    allOut.allStatesOnDisk = allOut.streaming->homeOnDisk = true;
    StepPlacement homesOut = streamed;
    homesOut.streaming->homeOnDisk = true;
    int number = 0;
    for (const StepPlacement& placement : {streamed, homesOut, allOut, statesOut}) {
        const auto steps = trial(swapping, placement);
        run(*steps, 1, kSteps);
        expectEqualFolders(saved(*steps, "on-disk-" + std::to_string(number++)), m_root + "/resident");
    }
}

TEST_P(EqualBytes, alsoWhereBlocksComeForAPassBeforeTheirsHasEnded) {
    const auto resident = trial(m_config, {});
    const auto streamed = trial(m_config, soon());
    int came = 0;
    for (int64_t step = 1; step <= kSteps; ++step)
        for (const auto* steps : {&resident, &streamed}) {
            run(**steps, step, step);
            if (steps == &streamed) came += cameForTheNextPass(**steps);
            if (step % 3 != 0) continue;
            (*steps)->learner().swapInAverages(); // homes change between passes, twice
            if (steps == &streamed && m_config.optimizer.emaDecay > 0.0) {
                EXPECT_EQ(cameForTheNextPass(*streamed), 0);
            }
            (*steps)->learner().swapOutAverages();
        }
    expectEqualFolders(saved(*streamed, "ahead"), saved(*resident, "resident"));
    // Where every update waits for all gradients nothing is final before the end; where most blocks never
    // change they stay instead.
    if (m_config.method == TrainMethod::Full) {
        EXPECT_EQ(came > 0, !flowOptionsOf(m_config).needsAll()) << came;
    }
}

TEST_P(EqualBytes, howeverOftenItChanges) {
    const auto resident = trial(m_config, {});
    run(*resident, 1, kSteps);
    (void)saved(*resident, "resident");
    StepPlacement streamed{.streaming = StreamingOptions{}};
    StepPlacement even = streamed;
    even.resident = everySecond(0);
    StepPlacement odd = streamed;
    odd.resident = everySecond(1);
    odd.valuesInRam = true;
    const auto moving = trial(m_config, {});
    int64_t step = 0;
    for (const StepPlacement& placement :
         {streamed, even, odd, StepPlacement{}, odd, even, StepPlacement{}}) {
        const int64_t last = std::min(step + 3, kSteps);
        moving->learner().place(placement);
        run(*moving, step + 1, last);
        step = last;
    }
    ASSERT_EQ(step, kSteps);
    expectEqualFolders(saved(*moving, "moving"), m_root + "/resident");

    TrainConfig swapping = m_config;
    swapping.memory.swapDir = m_root;
    streamed.streaming->homeOnDisk = true;
    streamed.allStatesOnDisk = true;
    odd.streaming->homeOnDisk = true;
    const auto onDisk = trial(swapping, streamed);
    run(*onDisk, 1, 7);
    onDisk->learner().place(odd);
    run(*onDisk, 8, 14);
    onDisk->learner().place(streamed);
    run(*onDisk, 15, kSteps);
    expectEqualFolders(saved(*onDisk, "moving-on-disk"), m_root + "/resident");
}

/// Beside a GPU a disk takes the states of streamed blocks alone, and they move with their blocks. Here host
/// memory stands for the GPU's.
TEST_P(EqualBytes, withOnlyTheStatesOfStreamedBlocksOnADisk) {
    const auto resident = trial(m_config, {});
    run(*resident, 1, kSteps);
    (void)saved(*resident, "resident");
    TrainConfig swapping = m_config;
    swapping.memory.swapDir = m_root;
    StepPlacement streamed{.streaming = StreamingOptions{}};
    streamed.diskOfStreamed = true;
    StepPlacement even = streamed;
    even.resident = everySecond(0);
    const auto stays = trial(swapping, even);
    run(*stays, 1, kSteps);
    expectEqualFolders(saved(*stays, "states-of-streamed"), m_root + "/resident");
    const auto rehearsed = rehearseStep(swapping, m_model, even);
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    const Learner& there = stays->learner();
    EXPECT_EQ(rehearsed->stateBytesOnDevice, there.stateBytesIn(Tier::Device));
    EXPECT_EQ(rehearsed->changingSwappedBytes, there.changingSwappedBytes());
    EXPECT_EQ(rehearsed->swappedBytes, there.swappedBytes());

    for (StepPlacement* placement : {&streamed, &even}) placement->allStatesOnDisk = true;
    StepPlacement odd = even;
    odd.resident = everySecond(1);
    StepPlacement staying;
    staying.diskOfStreamed = staying.allStatesOnDisk = true;
    const auto moving = trial(swapping, streamed);
    int64_t step = 0;
    for (const StepPlacement& placement : {streamed, even, odd, staying, odd, even, streamed}) {
        const int64_t last = std::min(step + 3, kSteps);
        moving->learner().place(placement);
        expectOnDiskOrDevice(moving->learner());
        const int64_t onDevice = moving->learner().stateBytesIn(Tier::Device);
        EXPECT_TRUE(placement != streamed || onDevice == 0);
        EXPECT_TRUE(placement != staying || moving->learner().changingSwappedBytes() == 0);
        run(*moving, step + 1, last);
        step = last;
    }
    ASSERT_EQ(step, kSteps);
    expectEqualFolders(saved(*moving, "moving-states-of-streamed"), m_root + "/resident");
}

void bf16(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.states = StateType::Bf16;
}

void withMaster(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
}

void lora(TrainConfig& config) {
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.lora.convolutions = true;
}

INSTANTIATE_TEST_SUITE_P(
    methods, EqualBytes,
    ::testing::Values(Case{"fp32", [](TrainConfig&) {}}, Case{"bf16", bf16},
                      Case{"bf16EightBit",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.kind = OptimizerKind::AdamW8bit;
                           }},
                      Case{"fp32Clipped",
                           [](TrainConfig& config) { config.optimizer.maxGradientNorm = 0.5; }},
                      Case{"bf16ClippedWithAverages",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.maxGradientNorm = 0.5;
                               config.optimizer.emaDecay = 0.9;
                           }},
                      Case{"bf16Accumulated",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.optimizer.accumulationSteps = 2;
                           }},
                      Case{"fp32TextEncoder", [](TrainConfig& config) { config.trainTextEncoder = true; }},
                      Case{"bf16TextEncoderAdafactor",
                           [](TrainConfig& config) {
                               bf16(config);
                               config.trainTextEncoder = true;
                               config.optimizer.kind = OptimizerKind::Adafactor;
                           }},
                      Case{"fp32Lora", lora},
                      Case{"bf16Lora",
                           [](TrainConfig& config) {
                               bf16(config);
                               lora(config);
                           }},
                      Case{"fp16", [](TrainConfig& config) { config.precision = Precision::Fp16; }},
                      Case{"bf16MasterEightBitWithAverages",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.optimizer.kind = OptimizerKind::AdamW8bit;
                               config.optimizer.emaDecay = 0.9;
                           }},
                      Case{"bf16MasterTextEncoderAdafactor",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.trainTextEncoder = true;
                               config.optimizer.kind = OptimizerKind::Adafactor;
                           }},
                      Case{"fp16MasterBf16States",
                           [](TrainConfig& config) {
                               withMaster(config);
                               config.precision = Precision::Fp16;
                               config.optimizer.states = StateType::Bf16;
                           }}),
    [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace homebooth::core::testing

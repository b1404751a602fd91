// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings of twenty steps on the tiny model, placed one way or another, whose bytes are compared.
#pragma once

#include "core/base/model/model_open.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/step_planner.h"

#include "training_support.h"
#include "trial_support.h"

#include <functional>
#include <map>
#include <string>

namespace homebooth::core::testing {

constexpr int64_t kSteps = 20;
constexpr int64_t kPlenty = int64_t{8} << 30;

struct Case {
    const char* name;
    std::function<void(TrainConfig&)> change;
};

inline std::ostream& operator<<(std::ostream& stream, const Case& c) {
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
        return trialOf(config, m_model, placement);
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

    static StepPlacement streamed() { return {.streaming = StreamingOptions{}}; }

    static StepPlacement mixed() {
        StepPlacement placement = streamed();
        placement.resident = everySecond(1);
        return placement;
    }

    /// Some blocks streamed, whose states come to the device for their update.
    static StepPlacement visiting() {
        StepPlacement placement = soon();
        placement.streaming->updatesOnDevice = true;
        placement.resident = everySecond(0);
        return placement;
    }

    /// All blocks streamed, of which every second one is updated at home and the others on the device.
    static StepPlacement sharing() {
        StepPlacement placement = soon();
        placement.streaming->updatesOnDevice = true;
        placement.updatedAtHome = everySecond(1);
        return placement;
    }

    static StepPlacement allOnDisk() {
        StepPlacement placement = streamed();
        placement.allStatesOnDisk = placement.streaming->homeOnDisk = true;
        return placement;
    }

    /// Nothing is computed again.
    static StepPlacement kept(const TrialStep& steps) {
        StepPlacement placement;
        for (const LearningPart& part : steps.parts())
            placement.recompute.emplace_back(blockCount(part), Recompute::Never);
        return placement;
    }

    static size_t blockCount(const LearningPart& part) { return part.component->schedule().blocks().size(); }

    /// Streamed, with room for much of the next pass before one has ended.
    static StepPlacement soon() {
        StepPlacement placement = streamed();
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

    /// What the others are compared with: trained once for all tests of a case, in a folder of its own.
    [[nodiscard]] std::unique_ptr<TrialStep> trainResident() {
        static std::map<std::string, std::string> folders; // by the case's name
        auto steps = trial(m_config, {});
        m_tried = {inFull({}, *steps)};
        std::string& folder = folders[GetParam().name];
        if (folder.empty()) {
            runSteps(*steps, 1, kSteps);
            const std::string made = scratchFolder(std::string("resident-bytes-") + GetParam().name);
            const auto written = steps->learner().save(made);
            if (!written) throw std::runtime_error(written.error().text());
            folder = made;
        }
        m_resident = folder;
        return steps;
    }

    /// The same placement with every block named, so that two are equal that do the same. How many gradients
    /// may wait is left out.
    static StepPlacement inFull(const StepPlacement& placement, const TrialStep& steps) {
        StepPlacement full = placement;
        full.recompute.clear();
        full.resident.clear();
        full.gradientRoom.clear();
        bool streams = false;
        for (size_t part = 0; part < steps.parts().size(); ++part) {
            const size_t blocks = blockCount(steps.parts()[part]);
            if (part < placement.recompute.size()) full.recompute.push_back(placement.recompute[part]);
            full.recompute.resize(part + 1);
            full.recompute[part].resize(blocks, Recompute::Always);
            std::vector<bool>& homes = full.resident.emplace_back();
            for (size_t block = 0; block < blocks; ++block) {
                homes.push_back(!placement.streams(part, static_cast<int>(block)));
                streams = streams || !homes.back();
            }
        }
        if (!streams) full.streaming.reset();
        return full;
    }

    /// @param placement  another one than all before
    void expectSame(const std::string& name, const StepPlacement& placement) {
        const auto steps = trial(m_config, placement);
        const StepPlacement full = inFull(placement, *steps);
        EXPECT_EQ(std::count(m_tried.begin(), m_tried.end(), full), 0) << name << " was tried already";
        m_tried.push_back(full);
        runSteps(*steps, 1, kSteps);
        expectEqualFolders(saved(*steps, name), m_resident);
    }

    /// The same with a disk, which holds what the placement says.
    void expectSameOnDisk(const std::string& name, const StepPlacement& placement) const {
        TrainConfig swapping = m_config;
        swapping.memory.swapDir = m_root;
        const auto steps = trial(swapping, placement);
        int64_t homes = 0;
        for (const LearningPart& part : steps->parts()) homes += part.component->store().swappedBytes();
        EXPECT_EQ(homes > 0, placement.streaming && placement.streaming->homeOnDisk) << name;
        const StateDisk::Sizes& sizes = steps->learner().swappedSizes();
        const bool averages = m_config.optimizer.emaDecay > 0.0;
        const bool gradients = flowOptionsOf(m_config).letsRest();
        EXPECT_GT(sizes.states, 0) << name;
        EXPECT_EQ(sizes.averages > 0, placement.allStatesOnDisk && averages) << name;
        EXPECT_EQ(sizes.gradients > 0, placement.allStatesOnDisk && gradients) << name;
        runSteps(*steps, 1, kSteps);
        expectEqualFolders(saved(*steps, name), m_resident);
    }

    /// Plans for several budgets are no variations of one.
    static void expectVaried(const std::vector<StepPlan>& plans) {
        int streaming = 0;
        int mixing = 0;
        int recomputing = 0;
        for (const StepPlan& plan : plans) {
            const auto& blocks = plan.need.blocks;
            const auto away = std::count_if(blocks.begin(), blocks.end(),
                                            [](const RehearsedBlock& block) { return block.streamed; });
            if (away > 0) ++streaming;
            if (away > 0 && away < static_cast<std::ptrdiff_t>(blocks.size())) ++mixing;
            if (plan.recomputed > 0) ++recomputing;
        }
        EXPECT_GT(streaming, 0);
        EXPECT_GT(mixing, 0);
        EXPECT_GT(recomputing, 0);
    }

    ModelSource m_model;
    TrainConfig m_config;
    std::string m_root;
    std::string m_resident; // where trainResident has left its bytes
    std::vector<StepPlacement> m_tried;
};

} // namespace homebooth::core::testing

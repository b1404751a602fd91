// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters whose home is a disk: the same bytes in memory, in checkpoints and after a resume, next to
// nothing in RAM, and an end with a reason when the disk fails.
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_open.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/trial_step.h"
#include "core/engine/training/memory_report.h"
#include "tests/base/support/faulty_swap_device.h"

#include "training_support.h"

#include <functional>

namespace homebooth::core::testing {
namespace {

struct Case {
    const char* name;
    std::function<void(TrainConfig&)> change;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

TrainConfig configOf(const Case& c) {
    TrainConfig config;
    config.data.resolutionPixels = 64;
    config.optimizer.learningRate = 1e-3;
    c.change(config);
    return config;
}

ModelSource tinyModel() {
    auto model = openModel(fixture("tiny-sd1"));
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(model).value();
}

ParameterStore::Options storeOf(const TrainConfig& config, const std::string& folder) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    if (folder.empty()) return store;
    store.disk.folder = folder;
    return store;
}

/// @param all  averages and gradients, too
StepPlacement onDisk(bool all = true) {
    StepPlacement placement;
    placement.allStatesOnDisk = all;
    placement.streaming.emplace();
    placement.streaming->homeOnDisk = true;
    return placement;
}

int64_t bytesOfFiles(const std::string& folder) {
    int64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder)) bytes += static_cast<int64_t>(entry.file_size());
    return bytes;
}

/// Some steps with the same data whatever holds the parameters.
void train(TrialStep& trial, int64_t first, int64_t last) {
    for (int64_t step = first; step <= last; ++step) {
        at::manual_seed(static_cast<uint64_t>(step));
        trial.run(step);
    }
}

class DiskHome : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }

    /// Holds the RAM that some steps take to what a rehearsal said.
    static void expectRehearsed(const std::string& root, const StepPlacement& placement) {
        const ModelSource model = tinyModel();
        TrainConfig config = configOf(GetParam());
        config.memory.swapDir = root;
        const ParameterStore::Options store = storeOf(config, root);
        const int64_t before = tierUse(Tier::Ram).currentBytes;
        int64_t home = 0;
        {
            const auto trial = TrialStep::make(config, model, store, placement);
            ASSERT_TRUE(trial.ok());
            for (const LearningPart& part : (*trial)->parts()) home += part.component->store().swappedBytes();
            restartTierPeak(Tier::Ram);
            train(**trial, 1, 2);
        }
        const int64_t peak = tierUse(Tier::Ram).peakBytes - before;
        EXPECT_EQ(tierUse(Tier::Ram).currentBytes, before);
        const auto rehearsed = rehearseStep(config, model, placement);
        ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
        EXPECT_EQ(rehearsed->homeOnDiskBytes, home);
        constexpr int64_t kBatchBytes = 1 << 20; // what a step is given, and what is held beyond a window
        EXPECT_LE(peak, rehearsed->ramPeakBytes + kBatchBytes);
    }
};

TEST_P(DiskHome, changesNoBitOfACheckpoint) {
    const std::string root = scratchFolder(std::string("disk-home-") + GetParam().name);
    const ModelSource model = tinyModel();
    TrainConfig config = configOf(GetParam());
    const auto resident = TrialStep::make(config, model, storeOf(config, ""), {});
    TrainConfig swapping = config;
    swapping.memory.swapDir = root;
    const auto swapped = TrialStep::make(swapping, model, storeOf(config, root), onDisk());
    ASSERT_TRUE(resident.ok() && swapped.ok());
    for (TrialStep* trial : {resident->get(), swapped->get()}) train(*trial, 1, 3);
    fs::create_directories(root + "/resident");
    fs::create_directories(root + "/disk");
    ASSERT_TRUE((*resident)->learner().save(root + "/resident").ok());
    ASSERT_TRUE((*swapped)->learner().save(root + "/disk").ok());
    expectEqualFolders(root + "/disk", root + "/resident");

    const auto again =
        TrialStep::make(swapping, model, storeOf(config, root), onDisk()); // and it can be read back
    Learner learner(swapping, (*again)->parts());
    ASSERT_TRUE(learner.load(root + "/resident", {true, config.optimizer.emaDecay > 0.0}).ok());
    fs::create_directories(root + "/again");
    ASSERT_TRUE(learner.save(root + "/again").ok());
    expectEqualFolders(root + "/again", root + "/resident");
}

TEST_P(DiskHome, takesTheRamThatWasRehearsed) {
    const std::string root = scratchFolder(std::string("disk-ram-") + GetParam().name);
    for (const bool all : {false, true}) {
        SCOPED_TRACE(all);
        expectRehearsed(root, onDisk(all));
    }
}

/// Also where blocks stay on the device: they have a place there all the same.
TEST_P(DiskHome, takesTheSpaceThatWasRehearsed) {
    const std::string root = scratchFolder(std::string("disk-space-") + GetParam().name);
    const ModelSource model = tinyModel();
    TrainConfig config = configOf(GetParam());
    config.memory.device = ComputeDevice::Cpu;
    config.memory.swapDir = root;
    StepPlacement mixed = onDisk();
    std::vector<bool>& resident = mixed.resident.emplace_back(); // of the UNet
    for (int block = 0; block < 20; ++block) resident.push_back(block % 2 == 0);
    for (const StepPlacement& placement : {onDisk(), mixed}) {
        const auto rehearsed = rehearseStep(config, model, placement);
        ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
        const auto trial = TrialStep::make(config, model, storeOf(config, root), placement);
        ASSERT_TRUE(trial.ok());
        const int64_t files = bytesOfFiles(root);
        EXPECT_EQ(files, rehearsed->stateFileBytes + rehearsed->homeFileBytes);
        EXPECT_EQ(files, totalBytes(swapKinds((*trial)->learner())));
    }
}

/// What does not learn lies there, too, as long as previews need it.
TEST_P(DiskHome, ofOtherNetworksTakesTheSpaceThatWasRehearsed) {
    const std::string root = scratchFolder(std::string("disk-frozen-") + GetParam().name);
    const ModelSource model = tinyModel();
    TrainConfig config = configOf(GetParam());
    config.memory.device = ComputeDevice::Cpu;
    config.memory.swapDir = root;
    config.output.previewEverySteps = 5;
    const auto rehearsed = rehearseStep(config, model, onDisk());
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    ParameterStore::Options store = storeOf(config, root);
    store.streaming = onDisk().streaming;
    std::unique_ptr<TextEncoder> text;
    if (!config.trainTextEncoder)
        text = std::make_unique<TextEncoder>(model.text.config, textSchedule(model, 0), store);
    store.type = safeVaeType(model.vae, store.type);
    const VaeModel vae(model.vae, store);
    const int64_t files = bytesOfFiles(root);
    EXPECT_GT(files, 0);
    EXPECT_EQ(files, rehearsed->frozenFileBytes);
    StepPlacement inRam = onDisk();
    inRam.streaming->homeOnDisk = false;
    const auto none = rehearseStep(config, model, inRam);
    ASSERT_TRUE(none.ok()) << none.error().text();
    EXPECT_EQ(none->frozenFileBytes, 0);
    config.output.previewEverySteps = 0; // they are gone before the steps begin
    const auto without = rehearseStep(config, model, onDisk());
    ASSERT_TRUE(without.ok()) << without.error().text();
    EXPECT_EQ(without->frozenFileBytes, 0);
}

INSTANTIATE_TEST_SUITE_P(steps, DiskHome,
                         ::testing::Values(Case{"fp32", [](TrainConfig&) {}},
                                           Case{"eightBit",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.kind = OptimizerKind::AdamW8bit;
                                                    config.trainTextEncoder = true;
                                                }},
                                           Case{"adafactorWithAverages",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.kind = OptimizerKind::Adafactor;
                                                    config.optimizer.emaDecay = 0.9;
                                                }},
                                           Case{"clippedAndAccumulated",
                                                [](TrainConfig& config) {
                                                    config.precision = Precision::Bf16;
                                                    config.optimizer.maxGradientNorm = 0.5;
                                                    config.optimizer.accumulationSteps = 2;
                                                }},
                                           Case{"lora",
                                                [](TrainConfig& config) {
                                                    config.method = TrainMethod::Lora;
                                                    config.lora.rank = 4;
                                                }}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(DiskHomeFaults, everyFailedReadOrWriteEndsTheStepsWithAReason) {
    const std::string root = scratchFolder("disk-home-faults");
    const ModelSource model = tinyModel();
    TrainConfig config = configOf(Case{"averagedAndClipped", [](TrainConfig& changed) {
                                           changed.optimizer.emaDecay = 0.9;
                                           changed.optimizer.maxGradientNorm = 0.5;
                                           changed.optimizer.accumulationSteps = 2;
                                       }});
    config.memory.swapDir = root;
    int failures = 0;
    for (const SwapCall call : {SwapCall::Submit, SwapCall::Complete}) {
        for (const int first : {3, 60, 90, 130, 200, 333, 600, 900, 1300}) {
            FaultySwapDevice device({call, EIO, first});
            ParameterStore::Options store = storeOf(config, root);
            store.disk.device = &device;
            try {
                const auto trial = TrialStep::make(config, model, store, onDisk());
                ASSERT_TRUE(trial.ok());
                train(**trial, 1, 4);
            } catch (const ExpectedFailure& failure) {
                ++failures;
                EXPECT_NE(failure.error().message.find("swap file"), std::string::npos);
            }
        }
    }
    EXPECT_GT(failures, 12);
    EXPECT_TRUE(fs::is_empty(root));
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training with optimizer states on a disk that fails, one operation after another: the run ends with a
// reason and a checkpoint that is whole, from which it goes on to the same bytes.
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/engine/io/precision.h"
#include "core/engine/planning/trial_step.h"
#include "core/engine/training/train_loop.h"
#include "tests/base/support/faulty_swap_device.h"

#include "training_support.h"

namespace homebooth::core::testing {
namespace {

TrainConfig swappedConfig(const std::string& root) {
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 3;
    config.output.checkpointEverySteps = 1;
    config.output.keepCheckpoints = 5;
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    config.memory.policy = PlacementPolicy::Cpu;
    config.memory.swapDir = root;
    return config;
}

struct Failing {
    const char* name;
    SwapCall call;
    SwapLacks lacks;
};

std::ostream& operator<<(std::ostream& stream, const Failing& failing) {
    return stream << failing.name;
}

class SwapTraining : public ::testing::TestWithParam<Failing> {
protected:
    /// How often the call comes in a run that succeeds.
    static int callsOfARun(const TrainConfig& config) {
        FaultySwapDevice device({}, GetParam().lacks);
        JobWorld world;
        world.options.swapDevice = &device;
        EXPECT_EQ(runFresh(config, world).result, "done");
        return device.calls(GetParam().call);
    }
};

TEST_P(SwapTraining, endsWithAReasonAndGoesOnFromItsCheckpoint) {
    const std::string root = scratchFolder(std::string("swap-") + GetParam().name);
    const TrainConfig straight = inFolder(swappedConfig(root), root + "/straight");
    const int calls = callsOfARun(straight);
    ASSERT_GT(calls, 20);
    constexpr int kAttempts = 4;
    int failures = 0;
    for (int attempt = 0; attempt < kAttempts;
         ++attempt) { // spread over the run, its start and end among them
        const int first = attempt == 0 ? 0 : calls * attempt / kAttempts;
        const TrainConfig config = inFolder(swappedConfig(root), root + "/" + std::to_string(attempt));
        FaultySwapDevice device({GetParam().call, EIO, first}, GetParam().lacks);
        JobWorld world;
        world.options.swapDevice = &device;
        const OutcomeEvent outcome = runFresh(config, world);
        if (outcome.result != "done") {
            ++failures;
            EXPECT_NE(outcome.message.find("swap"), std::string::npos) << outcome.message;
            const auto checkpoints = listCheckpoints(config.output.runDir + "/checkpoints");
            for (const auto& checkpoint : checkpoints) EXPECT_TRUE(verifyCheckpoint(checkpoint.path).ok());
            JobWorld again;
            ASSERT_EQ(runAgain(config, again).result, "done");
        }
        expectEqualFolders(checkpointOf(config, 3), checkpointOf(straight, 3));
    }
    EXPECT_GE(failures, 2);
}

INSTANTIATE_TEST_SUITE_P(calls, SwapTraining,
                         ::testing::Values(Failing{"submit", SwapCall::Submit, {}},
                                           Failing{"complete", SwapCall::Complete, {}},
                                           Failing{"read", SwapCall::ReadAt, {.ring = true}},
                                           Failing{"write", SwapCall::WriteAt, {.ring = true}}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SwapTrainingNotes, saysWhatItDoesWithout) {
    const std::string root = scratchFolder("swap-notes");
    FaultySwapDevice device({}, {.ring = true});
    JobWorld world;
    world.options.swapDevice = &device;
    ASSERT_EQ(runFresh(swappedConfig(root), world).result, "done");
    EXPECT_TRUE(warnsOf(world.events, "io_uring is refused"));
}

TEST(SwapTrainingNotes, measuresWhatStepsMoveBesideWhatWasPredicted) {
    const std::string root = scratchFolder("swap-traffic");
    TrainConfig config = swappedConfig(root);
    config.steps = 6;
    config.output.previewEverySteps = 2; // fetches parameters, too, which is no step's
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const ResourceUse predicted = world.events.of<PlanEvent>().back().predicted;
    EXPECT_GT(predicted.linkBytesPerStep, 0);
    EXPECT_EQ(outcome.measured.linkBytesPerStep, predicted.linkBytesPerStep);
    const auto written = static_cast<double>(predicted.swapBytesWrittenPerStep);
    EXPECT_GT(written, 0.0);
    // What a window holds at the end is never written, and these are few pages and steps.
    EXPECT_GT(static_cast<double>(outcome.measured.swapBytesWrittenPerStep), 0.65 * written);
    EXPECT_LT(static_cast<double>(outcome.measured.swapBytesWrittenPerStep), 1.5 * written);

    TrainConfig resident = inFolder(config, root + "/resident");
    resident.memory.swapDir.clear();
    resident.memory.policy = PlacementPolicy::Gpu;
    JobWorld alone;
    const OutcomeEvent moved = runFresh(resident, alone);
    EXPECT_EQ(moved.measured.linkBytesPerStep, 0);
    EXPECT_EQ(moved.measured.swapBytesWrittenPerStep, 0);
}

/// A training whose steps change nothing: what goes to the disk is no step's.
class RestingTrainee : public Trainee {
public:
    explicit RestingTrainee(Learner& learner)
        : m_learner(learner) {}
    StepReport step(int64_t /*step*/) override { return {}; }
    Learner& learner() override { return m_learner; }
    std::vector<OrderCursor> cursors() const override { return {}; }
    void restoreCursors(const std::vector<OrderCursor>& /*cursors*/, bool /*dataChanged*/) override {}
    std::string dataHash() const override { return "none"; }
    int64_t heldOutPictures() const override { return 1; }
    std::optional<double> validate() override {
        ++validations;
        return 1.0;
    }
    Result<std::vector<PreviewPicture>> preview(int64_t /*step*/) override {
        ++previews;
        return std::vector<PreviewPicture>();
    }
    Result<std::vector<std::string>> writeResult(const std::string& /*resultDir*/,
                                                 int64_t /*step*/) override {
        return std::vector<std::string>();
    }
    TierMemory memory() const override { return {}; }

    int previews = 0;
    int validations = 0;

private:
    Learner& m_learner;
};

TEST(SwapTrainingNotes, whatPreviewsAndValidationsWriteIsNoSteps) {
    const std::string root = scratchFolder("swap-averages");
    TrainConfig config = swappedConfig(root);
    config.mode = TrainMode::Dataset;
    config.optimizer.emaDecay = 0.9; // which stand for the parameters meanwhile
    config.output.previewEverySteps = 1;
    config.output.validateEverySteps = 1;
    config.data.validationShare = 0.5;
    const auto model = openModel(config.model);
    ASSERT_TRUE(model.ok());
    StepPlacement placement{.streaming = StreamingOptions{}};
    placement.allStatesOnDisk = true;
    placement.streaming->homeOnDisk = true;
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.disk.folder = root;
    const auto trial = TrialStep::make(config, *model, store, placement);
    ASSERT_TRUE(trial.ok());
    RestingTrainee trainee((*trial)->learner());
    const RunFolder run = makeRun(config);
    JobWorld world;
    const JobContext job{.config = config,
                         .run = run,
                         .events = world.events,
                         .control = world.control,
                         .pictures = world.pictures,
                         .writer = world.writer,
                         .options = world.options};
    const auto written = [&] { return trainee.learner().swapTraffic().bytes.bytesWritten; };
    const int64_t before = written();
    TrainLoop loop(job, trainee);
    const auto end = loop.run(0);
    ASSERT_TRUE(end.ok()) << end.error().text();
    EXPECT_EQ(trainee.previews, config.steps);
    EXPECT_EQ(trainee.validations, config.steps + 1); // and one before the first
    EXPECT_GT(written(), before);
    EXPECT_EQ(loop.trafficPerStep().swapBytesWritten, 0);
}

TEST(SwapTrainingNotes, aFullDiskIsFoundBeforeTheFirstStep) {
    const std::string root = scratchFolder("swap-full");
    FaultySwapDevice device({SwapCall::Reserve, ENOSPC});
    JobWorld world;
    world.options.swapDevice = &device;
    const OutcomeEvent outcome = runFresh(swappedConfig(root), world);
    EXPECT_EQ(outcome.code, 4);
    EXPECT_NE(outcome.message.find("swapping optimizer states, "), std::string::npos) << outcome.message;
    EXPECT_TRUE(world.events.of<StepEvent>().empty());
}

} // namespace
} // namespace homebooth::core::testing

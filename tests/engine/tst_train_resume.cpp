// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that go on: after a stop or damage, with more steps or photos.
#include "core/base/model/lora/lora_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/middle_of_run.h"
#include "core/engine/io/tensor_files.h"

#include "training_support.h"

#include <fstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace homebooth::core::testing {
namespace {

TEST(TrainResume, stopsWithACheckpointAndGoesOn) {
    const std::string root = scratchFolder("stop");
    TrainConfig config = tinyDreamBooth(root);
    config.optimizer.emaDecay = 0.9;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");

    const RunFolder run = makeRun(config);
    JobWorld world;
    world.control.stop.request();
    EXPECT_EQ(runJob(config, run, world).result, "cancelled");
    TrainConfig part = config;
    part.steps = 3;
    JobWorld second;
    ASSERT_EQ(runJob(part, run, second).result, "done");
    JobWorld third;
    ASSERT_EQ(runJob(config, run, third).result, "done");
    EXPECT_EQ(third.events.of<ResumedEvent>().front().fromStep, 3);
    expectEqualFolders(checkpointOf(config, 4), root + "/straight/run/checkpoints/step-000004");
    expectEqualFolders(config.output.runDir + "/result/model", root + "/straight/run/result/model");
}

TEST(TrainResume, saysThatItBeginsAnewWhatWasNeverSaved) {
    TrainConfig config = tinyDreamBooth(scratchFolder("anew"));
    config.steps = 2;
    const RunFolder run = makeRun(config);
    JobWorld fresh;
    fresh.control.stop.request();
    ASSERT_EQ(runJob(config, run, fresh).result, "cancelled");
    EXPECT_TRUE(fresh.events.of<ResumedEvent>().empty()); // nobody has told of a step
    {
        const auto journal = JournalWriter::open(run.journalFile());
        StepEvent event;
        while (event.step < 3) {
            ++event.step;
            (*journal)->emit(event);
        }
    } // then it was killed
    ASSERT_TRUE(listCheckpoints(run.checkpointsDir()).empty());
    JobWorld again;
    ASSERT_EQ(runJob(config, run, again).result, "done");
    ASSERT_EQ(again.events.of<ResumedEvent>().size(), 1U);
    EXPECT_EQ(again.events.of<ResumedEvent>().front().fromStep, 0);
}

/// Asks to finish when a step is done.
struct FinishAfter : EventSink {
    FinishAfter(TrainControl& asked, int64_t last)
        : control(asked)
        , step(last) {}
    void emit(const Event& event) override {
        const auto* done = std::get_if<StepEvent>(&event);
        if (done != nullptr && done->step == step) control.finish = true;
    }
    TrainControl& control;
    int64_t step;
};

TEST(TrainResume, finishesEarlyWithAResultAndGoesOn) {
    const std::string root = scratchFolder("finish");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");

    const RunFolder run = makeRun(config);
    JobWorld world;
    FinishAfter sink(world.control, 3);
    const OutcomeEvent early =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    ASSERT_EQ(early.result, "done") << early.message;
    EXPECT_FALSE(early.resultPaths.empty());
    EXPECT_EQ(run.facts()->at("finishedSteps"), "3");
    TrainConfig three = config;
    three.steps = 3;
    JobWorld shorter;
    ASSERT_EQ(runFresh(inFolder(three, root + "/three"), shorter).result, "done");
    expectEqualFolders(config.output.runDir + "/result/model", root + "/three/run/result/model");

    JobWorld rest;
    ASSERT_EQ(runAgain(config, rest).result, "done");
    EXPECT_EQ(rest.events.of<ResumedEvent>().front().fromStep, 3);
    expectEqualFolders(config.output.runDir + "/result/model", root + "/straight/run/result/model");
}

/// Asks to finish in the midst of the first picture of a preview.
struct FinishInAPreview : EventList {
    explicit FinishInAPreview(TrainControl& asked)
        : control(asked) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr || state->state != "sampling") return;
        if (++signs == 3) control.finish = true;
    }
    TrainControl& control;
    int signs = 0;
};

TEST(TrainResume, finishesInAPreviewAndMakesUpForItLater) {
    TrainConfig config = tinyDreamBooth(scratchFolder("finish-in-a-preview"));
    config.output.previewEverySteps = 2;
    config.output.previewCount = 2;
    const RunFolder run = makeRun(config);
    JobWorld world;
    world.options.signEverySeconds = 0.0;
    FinishInAPreview sink(world.control);
    const OutcomeEvent early =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    ASSERT_EQ(early.result, "done") << early.message;
    EXPECT_EQ(run.facts()->at("finishedSteps"), "2");
    EXPECT_TRUE(sink.of<PreviewEvent>().empty());
    JobWorld rest;
    ASSERT_EQ(runAgain(config, rest).result, "done");
    const auto previews = rest.events.of<PreviewEvent>();
    ASSERT_EQ(previews.size(), 4U);
    EXPECT_EQ(previews.front().step, 2);
}

TEST(TrainResume, warnsOfOtherSettingsThatNobodyHasChosen) {
    TrainConfig config = tinyDreamBooth(scratchFolder("other-settings"));
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const RunFolder run = *RunFolder::open(config.output.runDir);
    config.steps = 3;
    config.optimizer.learningRate /= 2.0;
    JobWorld second;
    ASSERT_EQ(runJob(config, run, second).result, "done");
    EXPECT_TRUE(warnsOf(second.events, "made with other settings"));
    config.steps = 4;
    config.optimizer.learningRate /= 2.0;
    ASSERT_TRUE(noteChosenSettings(run, config));
    JobWorld third;
    ASSERT_EQ(runJob(config, run, third).result, "done");
    EXPECT_FALSE(warnsOf(third.events, "made with other settings"));
}

TEST(TrainResume, saysOfALoraHowManyStepsItHasLearned) {
    TrainConfig config = tinyDreamBooth(scratchFolder("finish-lora"));
    config.method = TrainMethod::Lora;
    config.lora.rank = 2;
    const RunFolder run = makeRun(config);
    JobWorld world;
    FinishAfter sink(world.control, 3);
    const OutcomeEvent early =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    ASSERT_EQ(early.result, "done") << early.message;
    const auto lora = openLora(early.resultPaths.front());
    ASSERT_TRUE(lora) << lora.error().text();
    EXPECT_EQ(lora->metadata.at("ss_steps"), "3");
}

/// Somebody may have meant another folder, or have given the run away with such a link.
TEST(TrainResume, replacesNothingThatIsNotTheRuns) {
    const std::string root = scratchFolder("result-link");
    TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string run = config.output.runDir;
    fs::create_directories(root + "/docs/model");
    std::ofstream(root + "/docs/model/precious.txt") << "mine";
    fs::rename(run + "/result", root + "/made");
    fs::create_directory_symlink(root + "/docs", run + "/result");
    config.steps = 6;
    JobWorld refused;
    const OutcomeEvent outcome = runAgain(config, refused);
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_NE(outcome.message.find(root + "/docs"), std::string::npos) << outcome.message;
    EXPECT_TRUE(refused.events.of<StepEvent>().empty());
    EXPECT_EQ(fileBytes(root + "/docs/model/precious.txt"), "mine");
    EXPECT_FALSE(fs::exists(root + "/docs/model.safetensors"));
    fs::remove(run + "/result");
    fs::create_directory(root + "/empty");
    fs::create_directory_symlink(root + "/empty", run + "/result");
    for (const int64_t steps : {6, 7}) { // and then it is known to be the run's
        config.steps = steps;
        JobWorld again;
        ASSERT_EQ(runAgain(config, again).result, "done");
    }
    EXPECT_TRUE(fs::exists(root + "/empty/model.safetensors"));
}

TEST(TrainResume, warnsAnAdministratorWhoGoesOnWithAnothersRun) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root has runs of others";
    TrainConfig config = tinyDreamBooth(scratchFolder("anothers"));
    config.steps = 1;
    const RunFolder run = makeRun(config);
    ASSERT_EQ(::chown(run.path().c_str(), 12345, 12345), 0);
    JobWorld world;
    ASSERT_EQ(runJob(config, run, world).result, "done");
    EXPECT_TRUE(warnsOf(world.events, "another user's run"));
}

TEST(TrainResume, makesNoResultOfNothing) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("finish-nothing"));
    JobWorld world;
    world.control.finish = true;
    EXPECT_EQ(runFresh(config, world).result, "cancelled");
    EXPECT_FALSE(std::filesystem::exists(config.output.runDir + "/result/model"));
}

TEST(TrainResume, fallsBackToTheNewestValidCheckpoint) {
    const std::string root = scratchFolder("fallback");
    TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string newest = checkpointOf(config, 4);
    const std::string before = fileBytes(newest + "/unet.safetensors");
    std::string damaged = before;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    std::ofstream(newest + "/unet.safetensors", std::ios::binary) << damaged;
    JobWorld again;
    ASSERT_EQ(runAgain(config, again).result, "done");
    EXPECT_EQ(again.events.of<ResumedEvent>().front().fromStep, 2);
    ASSERT_FALSE(again.events.of<WarningEvent>().empty());
    EXPECT_NE(again.events.of<WarningEvent>().front().message.find("passed over"), std::string::npos);
    EXPECT_TRUE(fileBytes(newest + "/unet.safetensors") == before);
}

TEST(TrainResume, savesBelowADamagedCheckpointOfALaterStep) {
    TrainConfig config = tinyDreamBooth(scratchFolder("damaged-later"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    std::ofstream(checkpointOf(config, 4) + "/unet.safetensors", std::ios::binary) << "no tensors";
    config.output.checkpointEverySteps = 1;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(config, again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto saved = again.events.of<CheckpointEvent>();
    ASSERT_EQ(saved.size(), 2U);
    EXPECT_EQ(saved.front().step, 3);
}

/// Fails as previews begin.
class FailAtPreviews : public EventList {
public:
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == "sampling") throw std::runtime_error("ended from outside");
    }
};

TEST(TrainResume, makesUpForWhatAKillBehindACheckpointLeftOut) {
    TrainConfig config = tinyDreamBooth(scratchFolder("cut-behind-checkpoint"));
    config.steps = 6;
    config.output.previewEverySteps = 2;
    config.output.previewCount = 2;
    config.output.keepCheckpoints = 3;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string preview = config.output.runDir + "/samples/step-000006-01.png"; // not the first one
    const std::string before = fileBytes(preview);
    fs::remove(preview);
    config.output.keepCheckpoints = 2; // as if the oldest had not gone yet
    JobWorld again;
    ASSERT_EQ(runAgain(config, again).result, "done");
    ASSERT_FALSE(again.events.of<PreviewEvent>().empty());
    EXPECT_EQ(again.events.of<PreviewEvent>().front().step, 6);
    EXPECT_TRUE(fileBytes(preview) == before);
    EXPECT_EQ(listCheckpoints(RunFolder::open(config.output.runDir)->checkpointsDir()).size(), 2U);
    JobWorld once;
    ASSERT_EQ(runAgain(config, once).result, "done");
    EXPECT_TRUE(once.events.of<PreviewEvent>().empty());
    fs::remove(preview);
    FailAtPreviews fails;
    const RunFolder run = *RunFolder::open(config.output.runDir);
    EXPECT_EQ(runTrainJob(config, run, fails, once.control, once.pictures, once.writer, once.options).result,
              "failed");
    JobWorld on; // without them: they may be what ended it
    ASSERT_EQ(runAgain(config, on).result, "done");
    EXPECT_TRUE(on.events.of<PreviewEvent>().empty());
}

/// Pauses with the first step, and is stopped once the clock has saved it.
class StopBehindTheClock : public EventList {
public:
    explicit StopBehindTheClock(TrainControl& control)
        : m_control(control) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        if (std::holds_alternative<StepEvent>(event)) m_control.paused = true;
        const auto* saved = std::get_if<CheckpointEvent>(&event);
        if (saved == nullptr || m_control.stop.requested()) return;
        wasRolling = isRolling(saved->path);
        m_control.stop.request();
    }
    bool wasRolling = false;

private:
    TrainControl& m_control;
};

TEST(TrainResume, countsWhatTheClockSavedWhereTheRunEnds) {
    TrainConfig config = tinyDreamBooth(scratchFolder("clock-counts"));
    config.output.checkpointEverySteps = 100;
    JobWorld world;
    world.options.saveEverySeconds = 0.0;
    StopBehindTheClock sink(world.control);
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_EQ(outcome.result, "cancelled") << outcome.message;
    EXPECT_TRUE(sink.wasRolling);
    ASSERT_EQ(sink.of<CheckpointEvent>().size(), 2U); // of one step
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 1)));
    EXPECT_FALSE(isRolling(checkpointOf(config, 1)));
}

/// Pauses for the battery behind the fifth step, as a worker does, and goes on once that is told.
class PauseForTheBattery : public EventList {
public:
    PauseForTheBattery(TrainControl& control, std::string checkpoints)
        : m_control(control)
        , m_checkpoints(std::move(checkpoints)) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* step = std::get_if<StepEvent>(&event);
        if (step != nullptr && step->step == 5) {
            m_control.lowBattery = true;
            m_control.paused = true;
            m_control.saveRolling = true;
        }
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr || state->state != "paused") return;
        there = listCheckpoints(m_checkpoints);
        isRollingThere = !there.empty() && isRolling(there.front().path);
        m_control.paused = false;
    }
    std::vector<CheckpointEntry> there; // as it paused, newest first
    bool isRollingThere = false;        // the newest

private:
    TrainControl& m_control;
    std::string m_checkpoints;
};

TEST(TrainResume, savesForTheBatteryAndDrivesNothingOut) {
    TrainConfig config = tinyDreamBooth(scratchFolder("battery"));
    config.steps = 6;
    config.output.keepCheckpoints = 2;
    const RunFolder run = makeRun(config);
    JobWorld world;
    PauseForTheBattery sink(world.control, run.checkpointsDir());
    const OutcomeEvent outcome =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(sink.isRollingThere);
    ASSERT_EQ(sink.there.size(), 3U); // before it waited
    for (const size_t place : {0U, 1U, 2U})
        EXPECT_EQ(sink.there[place].step, place == 0 ? 5 : static_cast<int64_t>(6 - 2 * place));
    const auto left = listCheckpoints(run.checkpointsDir());
    ASSERT_EQ(left.size(), 2U);
    EXPECT_EQ(left.back().step, 4);
}

/// Puts something in the way of checkpoints with the first step.
class BlockAfterFirst : public EventList {
public:
    explicit BlockAfterFirst(std::string path)
        : m_path(std::move(path)) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* step = std::get_if<StepEvent>(&event);
        if (step == nullptr || step->step != 1) return;
        fs::remove_all(m_path);
        std::ofstream(m_path) << "in the way";
    }

private:
    std::string m_path;
};

TEST(TrainResume, goesOnWhereTheClockCannotSave) {
    TrainConfig config = tinyDreamBooth(scratchFolder("clock-fails"));
    config.output.checkpointEverySteps = 100;
    const RunFolder run = makeRun(config);
    BlockAfterFirst sink(run.checkpointsDir());
    JobWorld world;
    world.options.saveEverySeconds = 0.0;
    const OutcomeEvent outcome =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    EXPECT_EQ(outcome.result, "failed"); // what the end needs cannot be written either
    EXPECT_EQ(sink.of<StepEvent>().size(), static_cast<size_t>(config.steps));
    EXPECT_TRUE(warnsOf(sink, "the training goes on"));
}

TEST(TrainResume, refusesFewerStepsThanAreDone) {
    TrainConfig config = tinyDreamBooth(scratchFolder("fewer"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    config.steps = 3;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(config, again);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("4 steps"), std::string::npos) << outcome.message;
    EXPECT_EQ(RunFolder::open(config.output.runDir)->facts()->at("finishedSteps"), "4");
}

TEST(TrainResume, beginsAveragesThatWereSwitchedOnWithTheWeights) {
    TrainConfig config = tinyDreamBooth(scratchFolder("new-averages"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    config.optimizer.emaDecay = 0.9;
    config.steps = 5;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(config, again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(again.events, "begins with the weights"));
    // One step from the trained weights, not from those of the model: nearer to them than a step is long.
    const auto weights = *SafetensorsReader::open(checkpointOf(config, 4) + "/unet.safetensors");
    const auto averages = *SafetensorsReader::open(checkpointOf(config, 5) + "/ema-unet.safetensors");
    for (const TensorInfo& info : weights->tensors()) {
        const at::Tensor change =
            *readWholeTensor(*averages, info.name + ".ema") - *readWholeTensor(*weights, info.name);
        EXPECT_LT(change.abs().max().item<double>(), 2.0 * config.optimizer.learningRate) << info.name;
    }
}

TEST(TrainResume, saysHowToGoOnWithoutACheckpointOfNoUse) { // its manifest calls it whole
    TrainConfig config = tinyDreamBooth(scratchFolder("of-no-use"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string newest = checkpointOf(config, 4);
    const auto resumed = [&] {
        ManifestOptions options;
        options.step = 4;
        options.configHash = readManifest(newest)->configHash;
        EXPECT_TRUE(writeManifest(newest, options).ok());
        config.steps = 5;
        JobWorld again;
        return runAgain(config, again);
    };
    const std::string state = fileBytes(newest + "/state.json");
    std::ofstream(newest + "/state.json") << "{}";
    for (const char* broken : {"/state.json", "/unet.safetensors"}) {
        const OutcomeEvent outcome = resumed();
        EXPECT_EQ(outcome.code, 3);
        EXPECT_NE(outcome.message.find(newest + broken), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.message.find("folder away and resume"), std::string::npos) << outcome.message;
        std::ofstream(newest + "/state.json") << state;
        std::ofstream(newest + "/unet.safetensors") << "not tensors";
    }
    fs::rename(newest, config.output.runDir + "/aside");
    JobWorld older;
    const OutcomeEvent outcome = runAgain(config, older);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(older.events.of<ResumedEvent>().front().fromStep, 2);
}

TEST(TrainResume, trainsAFinishedRunFurtherWithMorePhotos) {
    TrainConfig config = tinyDreamBooth(scratchFolder("further"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string before = fileBytes(config.output.runDir + "/result/model.safetensors");
    writePpm(config.data.instanceDir + "/photo9.ppm", patternPicture(9));
    const std::string somebodys = config.output.runDir + "/result/model.yaml";
    std::ofstream(somebodys) << "mine";
    config.steps = 6;
    JobWorld further;
    const OutcomeEvent outcome = runAgain(config, further);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(further.events.of<StepEvent>().front().step, 5);
    EXPECT_NE(fileBytes(config.output.runDir + "/result/model.safetensors"), before);
    EXPECT_EQ(fileBytes(somebodys), "mine");
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that go on: after a stop, a kill, damage, with more steps or photos, on what changed in between.
#include "core/base/files/sha256.h"
#include "core/base/system/cpu_facts.h"
#include "core/engine/training/run_start.h"
#include "core/engine/training/tensor_files.h"

#include "training_support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

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

TEST(TrainResume, trainsAFinishedRunFurtherWithMorePhotos) {
    TrainConfig config = tinyDreamBooth(scratchFolder("further"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string before = fileBytes(config.output.runDir + "/result/model.safetensors");
    writePpm(config.data.instanceDir + "/photo9.ppm", patternPicture(9));
    config.steps = 6;
    JobWorld further;
    const OutcomeEvent outcome = runAgain(config, further);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(further.events.of<StepEvent>().front().step, 5);
    EXPECT_NE(fileBytes(config.output.runDir + "/result/model.safetensors"), before);
}

TEST(TrainResume, dropsOptimizerStatesWhenAsked) {
    TrainConfig config = tinyDreamBooth(scratchFolder("pruned"));
    config.output.keepOptimizerState = false;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4) + "/optimizer-unet.safetensors"));
    config.steps = 5;
    JobWorld further;
    ASSERT_EQ(runAgain(config, further).result, "done");
    ASSERT_FALSE(further.events.of<WarningEvent>().empty());
    EXPECT_NE(further.events.of<WarningEvent>().front().message.find("pruned"), std::string::npos);
}

double greatestChange(const std::string& before, const std::string& after) {
    const auto first = SafetensorsReader::open(before);
    const auto second = SafetensorsReader::open(after);
    if (!first || !second) throw std::runtime_error("no such checkpoint");
    double greatest = 0.0;
    for (const TensorInfo& info : (*first)->tensors()) {
        const at::Tensor change =
            *readWholeTensor(**second, info.name) - *readWholeTensor(**first, info.name);
        greatest = std::max(greatest, change.abs().max().item<double>());
    }
    return greatest;
}

TEST(TrainResume, beginsPrunedStatesLikeFreshOnes) {
    for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::AdamW8bit}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("pruned-bias"));
        config.optimizer.kind = kind;
        config.optimizer.weightDecay = 0.0;
        config.output.keepOptimizerState = false;
        config.output.keepCheckpoints = 9;
        config.steps = 8;
        JobWorld world;
        ASSERT_EQ(runFresh(config, world).result, "done");
        config.steps = 9;
        config.output.keepOptimizerState = true;
        JobWorld further;
        ASSERT_EQ(runAgain(config, further).result, "done");
        // The first update of fresh moments is the learning rate, whatever the gradient.
        const double change = greatestChange(checkpointOf(config, 8) + "/unet.safetensors",
                                             checkpointOf(config, 9) + "/unet.safetensors");
        EXPECT_LT(change, 1.01 * config.optimizer.learningRate);
        // And a kill right then does not change what comes next.
        config.steps = 11;
        JobWorld rest;
        ASSERT_EQ(runAgain(config, rest).result, "done");
        EXPECT_LT(greatestChange(checkpointOf(config, 9) + "/unet.safetensors",
                                 checkpointOf(config, 10) + "/unet.safetensors"),
                  1.5 * config.optimizer.learningRate);
    }
}

TEST(TrainResume, refusesAModelThatChangedSinceTheStart) {
    const std::string root = scratchFolder("changed-model");
    TrainConfig config = tinyDreamBooth(root);
    config.model = root + "/model";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string file = config.model + "/vae/diffusion_pytorch_model.safetensors";
    const std::string original = fileBytes(file);
    std::string changed = original;
    changed[changed.size() - 1] = static_cast<char>(changed.back() ^ 1);
    std::ofstream(file, std::ios::binary) << changed;
    config.steps = 3;
    JobWorld other;
    const OutcomeEvent outcome = runAgain(config, other);
    EXPECT_EQ(outcome.code, 3) << outcome.message;
    EXPECT_NE(outcome.message.find("has changed"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find(config.model), std::string::npos) << outcome.message;
    EXPECT_FALSE(fs::exists(checkpointOf(config, 3)));
    // The same model at another place is the same model.
    std::ofstream(file, std::ios::binary) << original;
    fs::rename(config.model, root + "/moved");
    config.model = root + "/moved";
    JobWorld moved;
    EXPECT_EQ(runAgain(config, moved).result, "done");
}

TEST(TrainResume, refusesOtherPhotosInTheMiddleOfARun) {
    const std::string root = scratchFolder("changed-photos");
    TrainConfig config = tinyDreamBooth(root);
    config.output.checkpointEverySteps = 1;
    const RunFolder run = makeRun(config);
    JobWorld world;
    struct StopAfterTwo : EventSink {
        explicit StopAfterTwo(TrainControl& stopped)
            : control(stopped) {}
        void emit(const Event& event) override {
            const auto* step = std::get_if<StepEvent>(&event);
            if (step != nullptr && step->step == 2) control.stop.request();
        }
        TrainControl& control;
    } sink(world.control);
    ASSERT_EQ(
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options).result,
        "cancelled");
    const std::string before = run.facts()->at("datasetSha256");
    writePpm(config.data.instanceDir + "/photo9.ppm", patternPicture(9));
    JobWorld other;
    const OutcomeEvent refused = runAgain(config, other);
    EXPECT_EQ(refused.code, 3) << refused.message;
    for (const char* part : {"pictures or captions", "put them back", "--steps 2"})
        EXPECT_NE(refused.message.find(part), std::string::npos) << refused.message;
    EXPECT_EQ(run.facts()->at("datasetSha256"), before);
    // The remedy: end the run where it stands; then it can be trained further with what there is now.
    config.steps = 2;
    JobWorld ended;
    ASSERT_EQ(runAgain(config, ended).result, "done");
    config.steps = 4;
    JobWorld further;
    EXPECT_EQ(runAgain(config, further).result, "done");
    EXPECT_TRUE(warnsOf(further.events, "a new epoch begins"));
}

TEST(TrainResume, keepsTheThreadsOfTheStart) {
    const std::string root = scratchFolder("threads");
    TrainConfig config = tinyDreamBooth(root);
    config.threads = 0;
    config.steps = 1;
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    const auto facts = RunFolder::open(config.output.runDir)->facts();
    EXPECT_EQ(facts->at("threads"), std::to_string(usableThreads()));

    // As if it had begun on a machine with fewer cores, or more.
    const RunFolder run = *RunFolder::open(config.output.runDir);
    ASSERT_TRUE(run.addFacts({{"threads", "1"}}));
    config.steps = 2;
    JobWorld second;
    ASSERT_EQ(runAgain(config, second).result, "done");
    EXPECT_FALSE(warnsOf(second.events, "threads and goes on"));
    EXPECT_NE(fileBytes(checkpointOf(config, 2) + "/state.json").find("\"threads\": 1"), std::string::npos);
    const int64_t more = usableThreads() + 2;
    ASSERT_TRUE(run.addFacts({{"threads", std::to_string(more)}}));
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    EXPECT_EQ(*threadsOf(job), more);
    EXPECT_TRUE(warnsOf(world.events, std::to_string(more) + " threads and goes on"));
    config.threads = 1; // by name
    EXPECT_EQ(*threadsOf(job), 1);
    EXPECT_EQ(run.facts()->at("threads"), "1");
}

TEST(TrainResume, makesClassPicturesInTheSameGroups) {
    const std::string root = scratchFolder("class-groups");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 6;
    config.steps = 1;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto name = [&](int index) {
        return config.data.classDir + "/class-00000" + std::to_string(index) + ".png";
    };
    std::vector<std::string> straight;
    for (int i = 0; i < 6; ++i) straight.push_back(fileBytes(name(i)));
    std::ofstream(name(0), std::ios::binary) << straight[1]; // what is there is kept, whatever it shows
    for (const int lost : {1, 3, 5}) fs::remove(name(lost));
    JobWorld again;
    ASSERT_EQ(runFresh(inFolder(config, root + "/second"), again).result, "done");
    EXPECT_EQ(again.writer.written, 3);
    EXPECT_TRUE(fileBytes(name(0)) == straight[1]);
    for (int i = 1; i < 6; ++i) EXPECT_TRUE(fileBytes(name(i)) == straight[static_cast<size_t>(i)]) << i;
    // Two groups, however many members of them were missing.
    const auto states = again.events.of<StateEvent>();
    EXPECT_EQ(std::count_if(states.begin(), states.end(),
                            [](const StateEvent& state) { return state.state == "class-images"; }),
              2);
}

constexpr const char* kChildVariable = "HOMEBOOTH_TRAIN_CHILD";
constexpr const char* kKillVariable = "HOMEBOOTH_TRAIN_KILL";

/// Kills the own process at an event of the journal, or a moment after it.
class KillingSink : public EventSink {
public:
    explicit KillingSink(int fatal)
        : m_left(fatal) {}
    void emit(const Event&) override {
        if (m_left > 0 && --m_left == 0) kill(getpid(), SIGKILL);
    }

private:
    int m_left; // events; 0: none is fatal
};

/// The part of the killed process: works on the run that the variable names.
TEST(TrainResumeChild, DISABLED_worksOnARun) {
    const char* path = std::getenv(kChildVariable);
    ASSERT_NE(path, nullptr);
    JobWorld world;
    KillingSink events(std::atoi(std::getenv(kKillVariable)));
    const auto run = RunFolder::open(path);
    ASSERT_TRUE(run) << run.error().text();
    const OutcomeEvent outcome =
        resumeTrainJob(*run, events, world.control, world.pictures, world.writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

/// Runs the child until its event number `fatal` (0: to its end); returns how it ended, as waitpid says.
int runChild(const std::string& runDir, int fatal) {
    const pid_t child = fork();
    if (child == 0) {
        setenv(kChildVariable, runDir.c_str(), 1);
        setenv(kKillVariable, std::to_string(fatal).c_str(), 1);
        execl("/proc/self/exe", "train-resume-child", "--gtest_also_run_disabled_tests",
              "--gtest_filter=TrainResumeChild.*", static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

TEST(TrainResume, hasTheSameBytesAfterKills) {
    const std::string root = scratchFolder("kill");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 14;
    config.trainTextEncoder = true;
    config.optimizer.emaDecay = 0.9;
    config.optimizer.accumulationSteps = 2;
    config.data.captionDropout = 0.2;
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 5;
    config.data.classDir = root + "/straight-class";
    config.output.checkpointEverySteps = 3;
    JobWorld straight;
    const TrainConfig whole = inFolder(config, root + "/straight");
    ASSERT_EQ(runFresh(whole, straight).result, "done");

    config.data.classDir = root + "/class";
    config.output.runDir = root + "/another-name";
    const RunFolder run = makeRun(config);
    // Between the groups of class pictures, in a step, after the first checkpoint, before the second is
    // written, before the third, in a step after the fourth, before the result.
    for (const int fatal : {5, 9, 11, 11, 16, 18, 13}) {
        const int status = runChild(run.path(), fatal);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << fatal;
    }
    const int status = runChild(run.path(), 0);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expectEqualFolders(checkpointOf(config, 14), checkpointOf(whole, 14));
    expectEqualFolders(run.resultDir(), whole.output.runDir + "/result");
}

} // namespace
} // namespace homebooth::core::testing

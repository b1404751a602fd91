// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A run that is killed again and again has the bytes of one that was not.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"

#include "training_support.h"

#include <gtest/gtest-spi.h>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace {
bool diesRemoving = false; // at the first of a folder's files
}

/// By which the standard library removes folders with what is in them.
extern "C" int unlinkat(int folder, const char* name, int flags) noexcept {
    if (diesRemoving) kill(getpid(), SIGKILL);
    return static_cast<int>(syscall(SYS_unlinkat, folder, name, flags));
}

namespace homebooth::core::testing {
namespace {

constexpr const char* kChildVariable = "HOMEBOOTH_TRAIN_CHILD";
constexpr const char* kKillVariable = "HOMEBOOTH_TRAIN_KILL";
constexpr const char* kClockVariable = "HOMEBOOTH_TRAIN_CLOCK"; // seconds without a checkpoint

/// Kills the own process at an event of the journal, or a moment after it.
class KillingSink : public EventSink {
public:
    explicit KillingSink(int fatal)
        : m_left(fatal) {}
    void emit(const Event& event) override {
        const auto* step = std::get_if<StepEvent>(&event);
        const bool stepIsFatal = step != nullptr && step->step == -m_left;
        if ((m_left > 0 && --m_left == 0) || stepIsFatal) kill(getpid(), SIGKILL);
    }

private:
    int m_left; // events; 0: none is fatal; below it: the step is
};

/// The part of the killed process: works on the run that the variable names.
TEST(TrainResumeChild, DISABLED_worksOnARun) {
    const char* path = std::getenv(kChildVariable);
    ASSERT_NE(path, nullptr);
    JobWorld world;
    if (const char* clock = std::getenv(kClockVariable)) world.options.saveEverySeconds = std::atof(clock);
    KillingSink events(std::atoi(std::getenv(kKillVariable)));
    const auto run = RunFolder::open(path);
    ASSERT_TRUE(run) << run.error().text();
    const OutcomeEvent outcome =
        resumeTrainJob(*run, events, world.control, world.pictures, world.writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

/// Runs the child until its event number `fatal` (0: to its end; below it: until that step); returns how it
/// ended, as waitpid says.
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

/// Kills a run at these of its events, one attempt after another, and lets the last go to its end.
void killAndFinish(const RunFolder& run, std::initializer_list<int> events) {
    for (const int fatal : events) {
        const int status = runChild(run.path(), fatal);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << fatal;
    }
    const int status = runChild(run.path(), 0);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(EqualFolders, haveNoFileThatTheOtherLacks) {
    const std::string root = scratchFolder("equal-folders");
    const auto differences = [&root](const char* actual, const char* expected) {
        ::testing::TestPartResultArray found;
        const ::testing::ScopedFakeTestPartResultReporter kept(
            ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &found);
        expectEqualFolders(root + actual, root + expected);
        return found.size();
    };
    for (const char* folder : {"/whole", "/more/part"}) fs::create_directories(root + folder);
    for (const char* folder : {"/whole", "/more"}) std::ofstream(root + folder + "/file") << "bytes";
    EXPECT_EQ(differences("/more", "/whole"), 0); // folders without a file do not count
    std::ofstream(root + "/more/part/file") << "half of";
    EXPECT_EQ(differences("/more", "/whole"), 1);
    EXPECT_EQ(differences("/whole", "/more"), 1);
}

TEST(TrainKills, hasTheSameBytesAfterKills) {
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
    killAndFinish(run, {5, 9, 11, 11, 16, 18, 13});
    expectEqualFolders(checkpointOf(config, 14), checkpointOf(whole, 14));
    expectEqualFolders(run.resultDir(), whole.output.runDir + "/result");
}

std::vector<int64_t> savedSteps(const TrainConfig& config) {
    std::vector<int64_t> steps;
    for (const CheckpointEntry& entry : listCheckpoints(config.output.runDir + "/checkpoints"))
        steps.push_back(entry.step);
    return steps;
}

/// Between two checkpoints that count, the clock has one written, which the next one of either kind replaces.
TEST(TrainKills, goOnFromWhatTheClockHadSaved) {
    const std::string root = scratchFolder("kill-clock");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 13;
    config.output.checkpointEverySteps = 4;
    JobWorld straight;
    const TrainConfig whole = inFolder(config, root + "/straight");
    ASSERT_EQ(runFresh(whole, straight).result, "done");
    ASSERT_EQ(straight.events.of<CheckpointEvent>().size(), 4U); // the clock has not had its time

    const RunFolder run = makeRun(config);
    setenv(kClockVariable, "0", 1);
    const int killed = runChild(run.path(), -11);
    EXPECT_TRUE(WIFSIGNALED(killed) && WTERMSIG(killed) == SIGKILL) << killed;
    EXPECT_EQ(savedSteps(config), (std::vector<int64_t>{10, 8, 4}));
    EXPECT_TRUE(isRolling(checkpointOf(config, 10)));
    EXPECT_FALSE(isRolling(checkpointOf(config, 8)));
    const int ended = runChild(run.path(), -10); // a step that it does not do again
    unsetenv(kClockVariable);
    EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0) << ended;
    EXPECT_EQ(savedSteps(config), (std::vector<int64_t>{13, 12}));
    for (const int64_t step : {12, 13})
        expectEqualFolders(checkpointOf(config, step), checkpointOf(whole, step));
    expectEqualFolders(run.resultDir(), whole.output.runDir + "/result");
}

TEST(TrainKills, mastersOnADiskHaveTheSameBytesAfterKills) {
    const std::string root = scratchFolder("kill-masters");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 9;
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    config.optimizer.master = MasterWeights::Fp32;
    config.optimizer.emaDecay = 0.9;
    JobWorld straight;
    const TrainConfig whole = inFolder(config, root + "/straight");
    ASSERT_EQ(runFresh(whole, straight).result, "done");

    config.memory.policy = PlacementPolicy::Cpu;
    config.memory.swapDir = root;
    const RunFolder run = makeRun(config);
    killAndFinish(run, {9, 12, 12});
    expectEqualFolders(run.resultDir(), whole.output.runDir + "/result");
    for (const char* file : {"unet.safetensors", "optimizer-unet.safetensors", "ema-unet.safetensors"})
        EXPECT_TRUE(fileBytes(checkpointOf(config, 9) + "/" + file) ==
                    fileBytes(checkpointOf(whole, 9) + "/" + file))
            << file;
}

TEST(TrainKills, encodingAheadHasTheSameBytesAfterKills) {
    const std::string root = scratchFolder("kill-ahead");
    TrainConfig config = tinyDataset(root, 12);
    config.steps = 10;
    config.data.encode = EncodeTime::First;
    JobWorld straight;
    const TrainConfig whole = inFolder(config, root + "/straight");
    ASSERT_EQ(runFresh(whole, straight).result, "done");

    config.data.encode = EncodeTime::Ahead;
    const RunFolder run = makeRun(config);
    killAndFinish(run, {9, 12, 14}); // in the first epoch
    expectEqualFolders(checkpointOf(config, 10), checkpointOf(whole, 10));
}

/// Removes the oldest of three checkpoints in a process that is killed while it does.
void dieRemoving(const std::string& checkpoints) {
    const pid_t child = fork();
    if (child == 0) {
        diesRemoving = true;
        static_cast<void>(pruneCheckpoints(checkpoints, 3, 2));
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST(RemovedCheckpoints, leaveNoPartWhereTheirRemovalIsKilled) {
    TrainConfig config = tinyDreamBooth(scratchFolder("kill-removing"));
    config.steps = 3;
    config.output.checkpointEverySteps = 1;
    config.output.keepCheckpoints = 3;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string checkpoints = config.output.runDir + "/checkpoints";
    dieRemoving(checkpoints);
    const auto left = listCheckpoints(checkpoints);
    EXPECT_EQ(left.size(), 2U);
    for (const CheckpointEntry& entry : left) EXPECT_TRUE(verifyCheckpoint(entry.path)) << entry.path;
    ASSERT_TRUE(removePartials(checkpoints)); // as the next attempt does
    EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints), {}), 2);
}

TEST(RemovedCheckpoints, thatAreLinksGoWithoutWhatTheyLeadTo) {
    const std::string root = scratchFolder("removed-link");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 3;
    config.output.checkpointEverySteps = 1;
    config.output.keepCheckpoints = 3;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    fs::rename(checkpointOf(config, 1), root + "/elsewhere");
    fs::create_directory_symlink(root + "/elsewhere", checkpointOf(config, 1));
    ASSERT_TRUE(pruneCheckpoints(config.output.runDir + "/checkpoints", 3, 2));
    EXPECT_FALSE(fs::is_symlink(checkpointOf(config, 1)));
    EXPECT_TRUE(verifyCheckpoint(root + "/elsewhere"));
}

} // namespace
} // namespace homebooth::core::testing

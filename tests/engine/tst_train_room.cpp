// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training whose disk becomes full waits with all that it has learned, and ends with the bytes of one
// that never waited.
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/failure_cause.h"

#include "filling_disk.h"

#include <cerrno>
#include <filesystem>

namespace homebooth::core::testing {
namespace {

TEST(TrainRoom, goesOnByItselfWithTheSameBytesWhenThereIsRoom) {
    const std::string root = scratchFolder("room");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    FillingDisk events("checkpoint", 1, config.output.runDir + "/checkpoints");
    disk.freeBytes = kMiB;
    int looks = 0;
    events.whenWaiting = [&] {
        EXPECT_GT(events.waits.back().total, kMiB);
        disk.looked = [&] {
            ++looks;
            disk.freeBytes = events.waits.back().total - (looks == 1 ? 1 : 0); // a byte too few, then enough
            if (looks == 2) disk.full.clear();
        };
    };
    JobWorld world;
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.waits.size(), 1U); // not tried in vain
    EXPECT_EQ(events.waits[0].done, kMiB);
    EXPECT_NE(events.waits[0].detail.find("the disk is full"), std::string::npos) << events.waits[0].detail;
    EXPECT_NE(events.waits[0].detail.find("the checkpoint of step 2"), std::string::npos);
    EXPECT_EQ(events.tries(), 3); // the one that failed, and one for each checkpoint
    EXPECT_EQ(events.of<StepEvent>().size(), 4U);
    expectSameRun(config, root);
}

/// What the tensors of a checkpoint take without the heads of their files.
int64_t tensorBytes(const std::string& checkpoint) {
    int64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(checkpoint)) {
        if (entry.path().extension() != ".safetensors") continue;
        uint64_t head = 0;
        std::ifstream(entry.path(), std::ios::binary).read(reinterpret_cast<char*>(&head), sizeof head);
        bytes += static_cast<int64_t>(entry.file_size() - sizeof head - head);
    }
    return bytes;
}

TEST(TrainRoom, isLeftByTheClockForTheNextCheckpoint) {
    const std::string root = scratchFolder("room-clock");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    const int64_t bytes = tensorBytes(checkpointOf(inFolder(config, root + "/straight"), 2));
    for (const bool forTwo : {false, true}) {
        const TrainConfig own = inFolder(config, root + (forTwo ? "/for-two" : "/for-one"));
        FillingDisk events("none", 1, {});
        disk.freeBytes = forTwo ? bytes * 21 / 10 : bytes * 19 / 10;
        events.whenWaiting = [] { ADD_FAILURE() << "it waits for room"; };
        JobWorld world;
        world.options.saveEverySeconds = 0.0;
        const OutcomeEvent outcome = runOn(events, own, world);
        EXPECT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(events.of<CheckpointEvent>().size(), forTwo ? 4U : 2U);
        EXPECT_EQ(warnsOf(events, "room for this one and the next"), !forTwo);
        expectSameRun(own, root);
    }
}

TEST(TrainRoom, isMadeByWhatTheClockSaved) {
    const std::string root = scratchFolder("room-rolling");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    const std::string rolling = checkpointOf(config, 3);
    FillingDisk events("checkpoint", 4, config.output.runDir + "/checkpoints"); // 1, 2, 3, and then 4
    events.whenFull = [&] {
        EXPECT_TRUE(isRolling(rolling));
        disk.taken = rolling;
    };
    JobWorld world;
    world.options.saveEverySeconds = 0.0;
    events.whenWaiting = [&] { world.control.stop.request(); };
    const OutcomeEvent outcome = runOn(events, config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(events.waits.empty());
    EXPECT_EQ(events.tries(), 5);
    EXPECT_FALSE(fs::exists(rolling));
    expectSameRun(config, root);
}

TEST(TrainRoom, triesAgainWhenSomebodySaysSo) {
    for (const int error : {ENOSPC, EDQUOT}) {
        const std::string root = scratchFolder("room-asked");
        const TrainConfig config = tinyDreamBooth(root);
        FillingDisk events("checkpoint", 2, config.output.runDir + "/checkpoints");
        disk.freeBytes = 1000 * kMiB; // a quota may be full where the disk is not
        disk.error = error;
        JobWorld world;
        events.whenWaiting = [&] {
            if (events.waits.size() == 2) disk.full.clear();
            ++world.control.tries;
        };
        const OutcomeEvent outcome = runOn(events, config, world);
        EXPECT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(events.waits.size(), 2U);
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 4)));
    }
}

TEST(TrainRoom, isNotWaitedForByWhoStopsOrFinishesMeanwhile) {
    for (const bool stops : {true, false}) {
        const std::string root = scratchFolder("room-stop");
        const TrainConfig config = tinyDreamBooth(root);
        FillingDisk events("checkpoint", 2, config.output.runDir + "/checkpoints");
        JobWorld world;
        events.whenWaiting = [&] {
            if (stops)
                world.control.stop.request();
            else
                world.control.finish = true;
        };
        const OutcomeEvent outcome = runOn(events, config, world);
        EXPECT_EQ(outcome.result, "failed");
        EXPECT_EQ(outcome.code, 4) << outcome.message;
        EXPECT_NE(outcome.message.find("the disk is full"), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.kept.find("step 2"), std::string::npos) << outcome.kept;
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
        EXPECT_EQ(std::distance(fs::directory_iterator(config.output.runDir + "/checkpoints"), {}), 1);
    }
}

TEST(TrainRoom, isWaitedForByWhoFinishesAheadOfThat) {
    const std::string root = scratchFolder("room-finish");
    const TrainConfig config = tinyDreamBooth(root);
    FillingDisk events("checkpoint", 1, config.output.runDir + "/checkpoints");
    JobWorld world;
    world.control.finish = true;
    events.whenWaiting = [&] {
        disk.full.clear();
        ++world.control.tries;
    };
    const OutcomeEvent outcome = runOn(events, config, world);
    EXPECT_EQ(events.waits.size(), 1U);
    EXPECT_NE(outcome.result, "failed") << outcome.message;
}

TEST(TrainRoom, isFoundInAnotherFolder) {
    const std::string root = scratchFolder("room-elsewhere");
    TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    FillingDisk events("checkpoint", 2, config.output.runDir + "/checkpoints");
    JobWorld world;
    fs::create_directories(root + "/other disk");
    events.whenWaiting = [&] {
        const bool first = events.waits.size() == 1;
        world.control.elsewhere.ask(root + (first ? "/missing" : "/other disk"));
    };
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(events.waits.size(), 2U);
    EXPECT_TRUE(warnsOf(events, "expected a folder, found none"));
    const std::string there = root + "/other disk/run checkpoints";
    EXPECT_EQ(checkpointsElsewhere(config.output.runDir), there);
    EXPECT_TRUE(verifyCheckpoint(there + "/step-000004"));
    expectSameRun(config, root); // by way of the link, and with the older one

    config.steps = 6;
    JobWorld further;
    EXPECT_EQ(runAgain(config, further).result, "done");
    EXPECT_EQ(further.events.of<StepEvent>().size(), 2U);
    EXPECT_TRUE(verifyCheckpoint(there + "/step-000006"));

    fs::rename(root + "/other disk", root + "/away"); // a drive that was taken away
    config.steps = 8;
    JobWorld without;
    const OutcomeEvent refused = runAgain(config, without);
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.message.find("connect the drive"), std::string::npos) << refused.message;
    EXPECT_TRUE(without.events.of<StepEvent>().empty()); // it does not begin anew
}

TEST(TrainRoom, isFoundElsewhereWithAWordOfWhatACopyKeeps) {
    const std::string root = scratchFolder("room-copied");
    const TrainConfig config = tinyDreamBooth(root);
    const RunFolder run = makeRun(config);
    const std::string place = root + "/full disk/run checkpoints";
    for (const char* name : {"/full disk", "/other disk", "/copy"}) fs::create_directories(root + name);
    ASSERT_TRUE(moveCheckpoints(run, root + "/full disk"));
    fs::copy_file(run.runFile(), root + "/copy/run.json");
    fs::create_directory_symlink(place, root + "/copy/checkpoints");
    FillingDisk events("checkpoint", 2, place);
    JobWorld world;
    events.whenWaiting = [&] { world.control.elsewhere.ask(root + "/other disk"); };
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(checkpointsElsewhere(run.path()), root + "/other disk/run checkpoints");
    EXPECT_TRUE(verifyCheckpoint(place + "/step-000002"));
    EXPECT_TRUE(warnsOf(events, place + " stays"));
}

TEST(TrainRoom, isFoundElsewhereForAFileThatIsTooLarge) {
    const std::string root = scratchFolder("room-too-large");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    FillingDisk events("checkpoint", 1, config.output.runDir + "/checkpoints");
    disk.error = EFBIG;
    disk.freeBytes = kMiB;
    fs::create_directories(root + "/other disk");
    JobWorld world;
    events.whenWaiting = [&] {
        disk.looked = [] { disk.freeBytes += 1000 * kMiB; }; // nothing is tried because of that
        world.control.elsewhere.ask(root + "/other disk");
    };
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.waits.size(), 1U);
    EXPECT_EQ(lackOf(events.waits[0].detail), FailureCause::FileTooLarge) << events.waits[0].detail;
    EXPECT_EQ(events.waits[0].total, 0);
    EXPECT_TRUE(verifyCheckpoint(root + "/other disk/run checkpoints/step-000004"));
    expectSameRun(config, root);
}

TEST(TrainRoom, isFoundElsewhereForTheResult) {
    const std::string root = scratchFolder("room-result");
    TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    FillingDisk events("result", 1, config.output.runDir + "/result");
    fs::create_directories(root + "/other disk");
    disk.freeIn = config.output.runDir;
    disk.freeBytes = 0;
    JobWorld world;
    events.whenWaiting = [&] {
        if (events.waits.size() == 1) return world.control.elsewhere.ask(root + "/other disk");
        disk.looked = [] {
            disk.freeBytes = 17 * kMiB;
            disk.keepsFacts.clear();
        };
    };
    events.whenFull = [&] { disk.keepsFacts = config.output.runDir; }; // where the end is noted
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.waits.size(), 2U);
    EXPECT_EQ(events.waits[1].done, 0); // of the disk in question
    const std::string result = config.output.runDir + "/result";
    EXPECT_TRUE(fs::equivalent(result, root + "/other disk/run checkpoints/result"));
    expectEqualFolders(result, root + "/straight/run/result");
    for (const std::string& path : outcome.resultPaths) EXPECT_TRUE(fs::exists(path)) << path;
    disk = {};
    config.steps = 6;
    JobWorld further; // which puts its own in the place of that one
    EXPECT_EQ(runAgain(config, further).result, "done");
    EXPECT_TRUE(fs::is_symlink(result));
}

TEST(TrainRoom, isNotWaitedForWhereTheResultIsTooLarge) {
    const std::string root = scratchFolder("room-result-too-large");
    const TrainConfig config = tinyDreamBooth(root);
    FillingDisk events("result", 1, config.output.runDir + "/result");
    disk.error = EFBIG;
    JobWorld world;
    events.whenWaiting = [&] { world.control.stop.request(); };
    const OutcomeEvent outcome = runOn(events, config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_TRUE(events.waits.empty());
    EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::FileTooLarge) << outcome.message;
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 4)));
}

TEST(TrainRoom, isWaitedForWithTheResult) {
    for (const TrainMethod method : {TrainMethod::Full, TrainMethod::Lora}) {
        const std::string root = scratchFolder("room-result");
        TrainConfig config = tinyDreamBooth(root);
        config.method = method;
        trainStraight(config, root);
        FillingDisk events("result", 1, config.output.runDir + "/result");
        disk.freeBytes = 0;
        events.whenWaiting = [] {
            disk.looked = [] {
                disk.freeBytes += 9 * kMiB; // other programs' small files are not worth a try
                if (disk.freeBytes > 16 * kMiB) disk.full.clear();
            };
        };
        JobWorld world;
        const OutcomeEvent outcome = runOn(events, config, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        ASSERT_EQ(events.waits.size(), 1U);
        EXPECT_EQ(events.waits[0].total, 0);
        EXPECT_NE(events.waits[0].detail.find("the result of step 4"), std::string::npos);
        EXPECT_EQ(events.tries(), 2);
        expectSameRun(config, root);
    }
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training whose drive or folder goes away waits with all that it has learned until it is back, as it
// does for room.
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/journal.h"

#include "filling_disk.h"

#include <filesystem>

namespace homebooth::core::testing {
namespace {

/// A run whose checkpoints lie on another disk, in this folder.
RunFolder runOnADrive(const TrainConfig& config, const std::string& drive) {
    const RunFolder run = makeRun(config);
    fs::create_directories(drive);
    EXPECT_TRUE(moveCheckpoints(run, drive).ok());
    return run;
}

TEST(TrainRoom, isWaitedForWhereTheDriveIsAway) {
    const std::string root = scratchFolder("room-away");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    const std::string drive = root + "/drive";
    const RunFolder run = runOnADrive(config, drive);
    FillingDisk events("checkpoint", 2, {});
    events.whenFull = [&] { fs::rename(drive, root + "/unplugged"); };
    events.whenWaiting = [&] { fs::rename(root + "/unplugged", drive); };
    JobWorld world;
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.waits.size(), 1U);
    EXPECT_EQ(lackOf(events.waits[0].detail), FailureCause::DriveMissing) << events.waits[0].detail;
    EXPECT_EQ(events.waits[0].total, 0);
    EXPECT_EQ(events.of<StepEvent>().size(), 4U);
    EXPECT_EQ(checkpointsElsewhere(run.path()), drive + "/run checkpoints");
    expectSameRun(config, root);
}

/// Its mount point stays, as an empty folder: nothing may be written below it.
TEST(TrainRoom, isWaitedForWhereTheDriveLeavesItsFolder) {
    const std::string root = scratchFolder("room-unmounted");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    const std::string place = root + "/drive/run checkpoints";
    runOnADrive(config, root + "/drive");
    FillingDisk events("checkpoint", 2, {});
    events.whenFull = [&] {
        fs::rename(place, root + "/unmounted");
        fs::create_directory(place);
        disk.mountPoint = place;
    };
    events.whenWaiting = [&] {
        EXPECT_TRUE(fs::is_empty(place));
        fs::remove(place);
        disk.mountPoint.clear();
        fs::rename(root + "/unmounted", place);
    };
    JobWorld world;
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.waits.size(), 1U);
    EXPECT_EQ(lackOf(events.waits[0].detail), FailureCause::DriveMissing) << events.waits[0].detail;
    expectSameRun(config, root);
}

TEST(TrainRoom, isMadeByWhoEmptiesTheFolder) {
    const std::string root = scratchFolder("room-emptied");
    const TrainConfig config = tinyDreamBooth(root);
    runOnADrive(config, root + "/drive");
    FillingDisk events("checkpoint", 2, {});
    JobWorld world;
    events.whenFull = [&] { EXPECT_GT(fs::remove_all(root + "/drive/run checkpoints/step-000002"), 1U); };
    events.whenWaiting = [&] { world.control.stop.request(); };
    const OutcomeEvent outcome = runOn(events, config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(events.waits.empty());
    EXPECT_TRUE(verifyCheckpoint(root + "/drive/run checkpoints/step-000004"));
}

TEST(TrainRoom, isLookedForInFurtherFoldersWhileTheDriveIsAway) {
    const std::string root = scratchFolder("room-away-further");
    const TrainConfig config = tinyDreamBooth(root);
    const std::string drive = root + "/drive/run checkpoints";
    const RunFolder run = runOnADrive(config, root + "/drive");
    FillingDisk events("checkpoint", 2, {});
    for (const char* name : {"/second", "/third"}) fs::create_directories(root + name);
    JobWorld world;
    events.whenFull = [&] { fs::rename(root + "/drive", root + "/unplugged"); };
    events.whenWaiting = [&] { // the further ones are full, and it ends before anything is saved
        if (events.waits.size() == 3) return world.control.stop.request();
        disk.full = root + (events.waits.size() == 1 ? "/second" : "/third");
        world.control.elsewhere.ask(disk.full);
    };
    EXPECT_EQ(runOn(events, config, world).result, "failed");
    EXPECT_EQ(events.waits.size(), 3U);
    EXPECT_EQ(checkpointsElsewhere(run.path()), root + "/third/run checkpoints");
    EXPECT_TRUE(fs::is_empty(root + "/second")); // nothing is missed there
    fs::rename(root + "/unplugged", root + "/drive");
    EXPECT_EQ(ownCheckpointsBefore(run.path()), std::vector<std::string>{drive});
    EXPECT_TRUE(returnToCheckpointsBefore(run));
    EXPECT_EQ(checkpointsElsewhere(run.path()), drive);
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
}

TEST(TrainRoom, isFoundElsewhereWhileTheDriveIsAway) {
    const std::string root = scratchFolder("room-away-elsewhere");
    const TrainConfig config = tinyDreamBooth(root);
    trainStraight(config, root);
    const RunFolder run = runOnADrive(config, root + "/drive");
    FillingDisk events("checkpoint", 2, {});
    fs::create_directories(root + "/other disk");
    JobWorld world;
    events.whenFull = [&] { fs::rename(root + "/drive", root + "/unplugged"); };
    events.whenWaiting = [&] { world.control.elsewhere.ask(root + "/other disk"); };
    const OutcomeEvent outcome = runOn(events, config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(events, root + "/drive/run checkpoints")); // where the earlier one still is
    EXPECT_EQ(checkpointsElsewhere(run.path()), root + "/other disk/run checkpoints");
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 4)));
    fs::rename(root + "/unplugged", root + "/drive");
    EXPECT_EQ(ownCheckpointsBefore(run.path()), std::vector<std::string>{root + "/drive/run checkpoints"});
    EXPECT_TRUE(verifyCheckpoint(root + "/drive/run checkpoints/step-000002"));
}

TEST(TrainRoom, isNoReasonToBeginAnewWhereTheDriveLeavesItsFolder) {
    const std::string root = scratchFolder("room-unmounted-start");
    TrainConfig config = tinyDreamBooth(root);
    const RunFolder run = runOnADrive(config, root + "/drive");
    JobWorld world;
    ASSERT_EQ(runAgain(config, world).result, "done");
    (*JournalWriter::open(run.journalFile()))->emit(CheckpointEvent{4, checkpointOf(config, 4)});
    const std::string place = root + "/drive/run checkpoints";
    fs::rename(place, root + "/unmounted");
    fs::create_directory(place);
    config.steps = 6;
    JobWorld without;
    const OutcomeEvent refused = runAgain(config, without);
    EXPECT_EQ(causeOf(refused.code, refused.message), FailureCause::DriveMissing) << refused.message;
    EXPECT_TRUE(without.events.of<StepEvent>().empty());
    EXPECT_TRUE(fs::is_empty(place));
}

TEST(TrainRoom, endsWithoutTheDriveWhereSomebodyStops) {
    const std::string root = scratchFolder("room-away-stop");
    const TrainConfig config = tinyDreamBooth(root);
    const RunFolder run = runOnADrive(config, root + "/drive");
    FillingDisk events("checkpoint", 2, {});
    JobWorld world;
    events.whenFull = [&] { fs::rename(root + "/drive", root + "/unplugged"); };
    events.whenWaiting = [&] { world.control.stop.request(); };
    const OutcomeEvent outcome = runOn(events, config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::DriveMissing) << outcome.message;
    fs::rename(root + "/unplugged", root + "/drive");
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2))); // by way of the link, which is still there
}

/// A run's folder that somebody moved is not made anew as half of a run, and goes on where it is back.
TEST(TrainRoom, isWaitedForWhereTheRunWasMoved) {
    for (const char* saved : {"checkpoint", "result"}) {
        for (const char* part : {"", "/run.json"}) {
            const std::string root = scratchFolder("room-moved");
            const TrainConfig config = tinyDreamBooth(root);
            trainStraight(config, root);
            const std::string place = config.output.runDir + part;
            FillingDisk events(saved, 1, {});
            events.whenFull = [&] { fs::rename(place, root + "/moved"); };
            events.whenWaiting = [&] {
                EXPECT_FALSE(fs::exists(place));
                fs::rename(root + "/moved", place);
            };
            JobWorld world;
            const OutcomeEvent outcome = runOn(events, config, world);
            ASSERT_EQ(outcome.result, "done") << outcome.message;
            ASSERT_EQ(events.waits.size(), 1U);
            EXPECT_EQ(lackOf(events.waits[0].detail), FailureCause::DriveMissing) << events.waits[0].detail;
            const bool tells = events.waits[0].detail.find(root + "/moved now") != std::string::npos;
            EXPECT_EQ(tells, place == config.output.runDir) << events.waits[0].detail;
            expectSameRun(config, root);
        }
    }
}

/// One that was moved to another disk is deleted for who looks. In a copy that is put back it saves and
/// stops, as neither its lock nor its journal is there.
TEST(TrainRoom, isWaitedForWhereTheRunWasDeleted) {
    for (const bool stops : {false, true}) {
        const std::string root = scratchFolder("room-deleted");
        const TrainConfig config = tinyDreamBooth(root);
        trainStraight(config, root);
        FillingDisk events("checkpoint", 1, {});
        JobWorld world;
        events.whenFull = [&] {
            fs::copy(config.output.runDir, root + "/copy", fs::copy_options::recursive);
            EXPECT_GT(fs::remove_all(config.output.runDir), 1U);
        };
        events.whenWaiting = [&] {
            if (stops) return world.control.stop.request();
            fs::rename(root + "/copy", config.output.runDir);
        };
        const OutcomeEvent outcome = runOn(events, config, world);
        ASSERT_EQ(events.waits.size(), 1U);
        EXPECT_NE(events.waits[0].detail.find("or moved to another disk"), std::string::npos);
        EXPECT_EQ(lackOf(events.waits[0].detail), FailureCause::DriveMissing) << events.waits[0].detail;
        EXPECT_EQ(outcome.result, stops ? "failed" : "cancelled") << outcome.message;
        EXPECT_EQ(fs::exists(config.output.runDir), !stops); // not made anew
        if (stops) continue;
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
        JobWorld resumed;
        EXPECT_EQ(runAgain(config, resumed).result, "done");
        expectSameRun(config, root);
    }
}

} // namespace
} // namespace homebooth::core::testing

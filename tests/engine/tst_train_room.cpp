// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training whose disk becomes full waits with all that it has learned, and ends with the bytes of one that
// never waited. The disk is pretended: the linker puts this file's calls in front of the system's.
#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoints_elsewhere.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal.h"

#include "training_support.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>

namespace homebooth::core::testing {
namespace {

/// What the system says of a disk. One thread writes and asks.
struct PretendedDisk {
    std::string full; ///< no file of tensors in this folder takes anything; empty: all do
    int error = ENOSPC;
    int64_t freeBytes = -1;       ///< -1: as the real one has them
    std::string taken;            ///< where it is gone there is room again
    std::string mountPoint;       ///< of a drive that is not mounted: it lies on another disk
    std::function<void()> looked; ///< somebody has asked for them
};
PretendedDisk disk;

bool refuses(int file) {
    if (disk.full.empty() || (!disk.taken.empty() && !std::filesystem::exists(disk.taken))) return false;
    char path[4096];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
    const std::string_view name(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
    return name.starts_with(disk.full + "/") && name.find(".safetensors") != std::string_view::npos;
}

} // namespace
} // namespace homebooth::core::testing

extern "C" ssize_t __real_write(int file, const void* data, size_t bytes);
extern "C" ssize_t __wrap_write(int file, const void* data, size_t bytes) {
    using namespace homebooth::core::testing;
    if (!refuses(file)) return __real_write(file, data, bytes);
    errno = disk.error;
    return -1;
}

extern "C" int __real_statvfs(const char* path, struct statvfs* facts);
extern "C" int __wrap_statvfs(const char* path, struct statvfs* facts) {
    using namespace homebooth::core::testing;
    if (disk.looked) disk.looked();
    const int failed = __real_statvfs(path, facts);
    if (failed != 0 || disk.freeBytes < 0) return failed;
    facts->f_frsize = 1; // freeBytes to the byte
    facts->f_bavail = static_cast<fsblkcnt_t>(disk.freeBytes);
    return 0;
}

extern "C" int __real_stat(const char* path, struct stat* facts);
extern "C" int __wrap_stat(const char* path, struct stat* facts) {
    using namespace homebooth::core::testing;
    const int failed = __real_stat(path, facts);
    if (failed == 0 && !disk.mountPoint.empty() && disk.mountPoint == path) ++facts->st_dev;
    return failed;
}

namespace homebooth::core::testing {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

/// Lets a disk become full as something is saved, and does something at each wait for room.
class FillingDisk : public EventList {
public:
    /// @param folder  where nothing can be written then
    FillingDisk(std::string detail, int64_t times, std::string folder)
        : m_detail(std::move(detail))
        , m_times(times)
        , m_folder(std::move(folder)) {
        disk = {};
    }
    ~FillingDisk() override { disk = {}; }
    FillingDisk(const FillingDisk&) = delete;
    FillingDisk& operator=(const FillingDisk&) = delete;

    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr) return;
        if (state->state == "saving" && state->detail == m_detail && ++m_saved == m_times) {
            disk.full = m_folder;
            if (whenFull) whenFull();
        }
        if (state->state != kWaitsForRoom) return;
        waits.push_back(*state);
        whenWaiting();
    }
    std::function<void()> whenFull;
    std::function<void()> whenWaiting;
    std::vector<StateEvent> waits;

    [[nodiscard]] int64_t tries() const { return m_saved; }

private:
    std::string m_detail;
    int64_t m_times;
    std::string m_folder;
    int64_t m_saved = 0;
};

OutcomeEvent runOn(FillingDisk& events, const TrainConfig& config, JobWorld& world) {
    const RunFolder run =
        fs::exists(config.output.runDir) ? *RunFolder::open(config.output.runDir) : makeRun(config);
    return runTrainJob(config, run, events, world.control, world.pictures, world.writer, world.options);
}

/// The run that never waits.
void trainStraight(const TrainConfig& config, const std::string& root) {
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), world).result, "done");
}

void expectSameRun(const TrainConfig& config, const std::string& root) {
    const TrainConfig straight = inFolder(config, root + "/straight");
    for (const int64_t step : {2, 4})
        expectEqualFolders(checkpointOf(config, step), checkpointOf(straight, step));
    expectEqualFolders(config.output.runDir + "/result", straight.output.runDir + "/result");
}

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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints that all ranks write at once: the bytes of one process, to go on from in any number of them,
// and whatever fails meanwhile leaves the one before. What a rank's system calls meet stands in files of the
// job's folder (rankFile), which appear after its first step (rank_training.h: block):
//   full    writing into files of tensors finds no space
//   forgets writing into them says that it did, and did not
//   broken  making them durable fails
//   narrow  space cannot be reserved
//   hangs   making them durable never returns; the file "hanging" says that it began
// And one that somebody else makes:
//   room    a GiB more is free on every disk than there is
#include "rank_training.h"

#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/engine/training/checkpointing.h"
#include "core/engine/training/denoiser_trainee.h"

#include <sys/statvfs.h>

#include <atomic>
#include <cerrno>

namespace homebooth::core::testing {
namespace {

std::atomic<int64_t> writtenBytes = 0; // into files of tensors, by this process

std::string ownFile(const char* kind) {
    const char* folder = std::getenv(kFolderVariable);
    const char* rank = std::getenv(kRankVariable);
    if (folder == nullptr || rank == nullptr) return "";
    return std::string(folder) + "/" + kind + "-" + rank;
}

bool meets(const char* kind) {
    const std::string path = ownFile(kind);
    return !path.empty() && access(path.c_str(), F_OK) == 0;
}

bool isTensorFile(int file) {
    char path[4096];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
    return length > 0 && std::string_view(path, static_cast<size_t>(length)).ends_with(".safetensors");
}

} // namespace
} // namespace homebooth::core::testing

// The linker puts these in front of the system's for what the engine calls.
extern "C" ssize_t __real_pwrite(int file, const void* data, size_t bytes, off_t offset);
extern "C" ssize_t __wrap_pwrite(int file, const void* data, size_t bytes, off_t offset) {
    using namespace homebooth::core::testing;
    const bool tensors = isTensorFile(file);
    if (tensors && meets("full")) {
        errno = ENOSPC;
        return -1;
    }
    if (tensors && meets("forgets")) return static_cast<ssize_t>(bytes);
    const ssize_t written = __real_pwrite(file, data, bytes, offset);
    if (tensors && written > 0) writtenBytes += written;
    return written;
}

extern "C" int __real_fsync(int file);
extern "C" int __wrap_fsync(int file) {
    using namespace homebooth::core::testing;
    if (isTensorFile(file) && meets("broken")) {
        errno = EIO;
        return -1;
    }
    if (isTensorFile(file) && meets("hangs")) {
        std::ofstream(ownFile("hanging")) << "in the middle";
        for (;;) pause();
    }
    return __real_fsync(file);
}

extern "C" int __real_fallocate(int file, int mode, off_t offset, off_t bytes);
extern "C" int __wrap_fallocate(int file, int mode, off_t offset, off_t bytes) {
    using namespace homebooth::core::testing;
    if (!isTensorFile(file) || !meets("narrow")) return __real_fallocate(file, mode, offset, bytes);
    errno = ENOSPC;
    return -1;
}

extern "C" int __real_statvfs(const char* path, struct statvfs* facts);
extern "C" int __wrap_statvfs(const char* path, struct statvfs* facts) {
    constexpr fsblkcnt_t kGiB = fsblkcnt_t{1} << 30;
    const int failed = __real_statvfs(path, facts);
    if (failed == 0 && homebooth::core::testing::meets("room")) facts->f_bavail += kGiB / facts->f_frsize;
    return failed;
}

namespace homebooth::core::testing {
namespace {

constexpr int64_t kBegun = 2;

/// Averages and a second part: six files of tensors.
TrainConfig manyFiles(const std::string& root) {
    TrainConfig config = sharedTraining(root);
    config.steps = kBegun;
    config.output.checkpointEverySteps = kBegun;
    config.optimizer.emaDecay = 0.9;
    config.trainTextEncoder = true;
    return config;
}

TrainConfig manyTypes(const std::string& root) {
    TrainConfig config = manyFiles(root);
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    return config;
}

/// A job of so many ranks that goes on with a run that was begun.
TrainConfig prepareFurther(const TrainConfig& begun, const Spread& spread, int64_t steps,
                           const std::string& name, const Preparation& prepare = nothing()) {
    const std::string folder = freshFolder(name);
    fs::copy(begun.output.runDir, folder + "/run", fs::copy_options::recursive);
    TrainConfig further = inFolder(begun, folder);
    further.steps = steps;
    further.output.checkpointEverySteps = steps;
    further.parallel = {spread.ranks, spread.zero};
    std::ofstream(folder + "/config.json") << toJson(further);
    prepare(folder);
    return further;
}

/// What a rank's system calls meet from its first step on.
Preparation meeting(int rank, const char* kind) {
    return [=](const std::string& folder) { obstacle(rank, "block", rankFile(folder, rank, kind))(folder); };
}

int64_t tensorBytes(const std::string& folder) {
    int64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors") bytes += static_cast<int64_t>(entry.file_size());
    return bytes;
}

int leftOvers(const TrainConfig& config) {
    const fs::path folder = config.output.runDir + "/checkpoints";
    return static_cast<int>(
        std::count_if(fs::directory_iterator(folder), fs::directory_iterator(),
                      [](const auto& entry) { return entry.path().filename().string().starts_with("."); }));
}

/// The one before is whole, and nothing else is there.
void expectOnlyBegun(const TrainConfig& config) {
    const auto found = listCheckpoints(config.output.runDir + "/checkpoints");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().step, kBegun);
    const auto verified = verifyCheckpoint(found.front().path);
    EXPECT_TRUE(verified.ok()) << (verified ? "" : verified.error().text());
    EXPECT_EQ(leftOvers(config), 0);
}

} // namespace

TEST(ARank, DISABLED_trains) {
    trainAsRank();
    ownPlace().leave("wrote", std::to_string(writtenBytes.load()));
}

TEST(ARank, DISABLED_triesToTrain) {
    static_cast<void>(tryAsRank());
}

/// Takes the run's checkpoint back and writes it anew, with no step between.
TEST(ARank, DISABLED_savesAgain) {
    const OwnPlace place = ownPlace();
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    const auto ranks = Ranks::meet(own);
    ASSERT_TRUE(ranks.ok()) << (ranks ? "" : ranks.error().text());
    const TrainConfig config = Obstacles(place).config();
    at::set_num_threads(1);
    JobWorld world;
    world.options.ranks = ranks->get();
    const RunFolder run = *RunFolder::open(config.output.runDir);
    const JobContext job{.config = config,
                         .run = run,
                         .events = world.events,
                         .control = world.control,
                         .pictures = world.pictures,
                         .writer = world.writer,
                         .options = world.options};
    const auto trainee = DenoiserTrainee::make(job);
    ASSERT_TRUE(trainee.ok() && *trainee) << (trainee ? "it stopped" : trainee.error().text());
    const auto restored = restoreCheckpoint(job, **trainee);
    ASSERT_TRUE(restored.ok()) << (restored ? "" : restored.error().text());
    ASSERT_EQ(restored->step, kBegun);
    (*ranks)->meetAgain();
    if (own.rank == 0) fs::remove_all(restored->path);
    const auto saved = saveCheckpoint(job, **trainee, kBegun);
    ASSERT_TRUE(saved.ok()) << (saved ? "" : saved.error().text());
    place.leave("wrote", std::to_string(writtenBytes.load()));
}

TEST(RankCheckpoints, haveTheBytesOfOneProcessAtEveryStage) {
    for (const bool types : {false, true}) {
        const std::string name = types ? "bytes-types" : "bytes-files";
        const std::string root = scratchFolder(name);
        const TrainConfig begun = trainAlone(types ? manyTypes(root) : manyFiles(root), name + "-begun");
        const int64_t bytes = tensorBytes(checkpointOf(begun, kBegun));
        for (const Spread spread : {Spread{2, 0}, Spread{3, 0}, Spread{2, 2}, Spread{3, 2}, Spread{3, 3}}) {
            SCOPED_TRACE(std::to_string(spread.ranks) + " ranks, stage " + std::to_string(spread.zero));
            const TrainConfig again =
                prepareFurther(begun, spread, kBegun,
                               name + "-" + std::to_string(spread.ranks) + "-" + std::to_string(spread.zero));
            RankProcesses(spread.ranks, "ARank.DISABLED_savesAgain", folderOf(again)).expectSuccessOfAll();
            expectSameTensors(again, begun, kBegun);
            expectOnlyBegun(again);
            int64_t all = 0;
            for (int rank = 0; rank < spread.ranks; ++rank) {
                const int64_t own = numberOf(again, rank, "wrote");
                EXPECT_GE(4 * own * spread.ranks, bytes); // in a model so small parts are not quite equal
                all += own;
            }
            EXPECT_EQ(all, bytes); // none wrote what another did
        }
    }
}

TEST(RankCheckpoints, ofAFewProcessesGoOnInFewer) {
    TrainConfig config = manyFiles(scratchFolder("fewer"));
    config.steps = 5;
    const TrainConfig through = trainAlone(config, "fewer-through");
    config.steps = kBegun;
    const TrainConfig begun = trainSpread(config, {3, 2}, "fewer-begun");
    for (const Spread spread : {Spread{2, 0}, Spread{2, 3}, Spread{1, 0}}) {
        const std::string name = "fewer-" + std::to_string(spread.ranks) + "-" + std::to_string(spread.zero);
        const TrainConfig further = prepareFurther(begun, spread, through.steps, name);
        RankProcesses(spread.ranks, "ARank.DISABLED_trains", folderOf(further)).expectSuccessOfAll();
        EXPECT_LE(difference(checkpointOf(further, through.steps) + "/unet.safetensors",
                             checkpointOf(through, through.steps) + "/unet.safetensors"),
                  1e-5);
    }
}

/// Two without a common folder: the first one makes a rolling checkpoint count in its own alone.
TEST(RankCheckpoints, areTakenAlikeWhereOneRanksIsRolling) {
    const TrainConfig begun = trainAlone(manyFiles(scratchFolder("rolling")), "rolling-begun");
    for (const int rolling : {0, 1}) {
        const Spread spread{2, 0};
        const std::string name = "rolling-" + std::to_string(rolling);
        const auto place = [](std::string folder, int rank) {
            return folder.append(rank == 0 ? "/run" : "/second");
        };
        const TrainConfig made = prepareFurther(begun, spread, kBegun, name, [&](const std::string& folder) {
            fs::copy(folder + "/run", place(folder, 1), fs::copy_options::recursive);
            const std::string path = listCheckpoints(place(folder, rolling) + "/checkpoints").front().path;
            ManifestOptions options;
            options.step = kBegun;
            options.rolling = true;
            options.configHash = readManifest(path)->configHash;
            EXPECT_TRUE(writeManifest(path, options).ok());
            TrainConfig further = begun;
            further.output.checkpointEverySteps = kBegun;
            settingsOf(1, further, spread, [&](TrainConfig& own, const std::string&) {
                own.output.runDir = place(folder, 1);
            })(folder);
        });
        RankProcesses(2, "ARank.DISABLED_triesToTrain", folderOf(made)).expectSuccessOfAll();
        for (const int rank : {0, 1}) EXPECT_EQ(leftBy(made, rank, "outcome"), "0 ") << rolling;
        EXPECT_FALSE(isRolling(checkpointOf(made, kBegun)));
    }
}

TEST(RankCheckpoints, thatOneRankCannotWriteEndAllWithTheCause) {
    struct Fault {
        int rank;
        const char* kind;
        const char* code;
        const char* words;
    };
    const TrainConfig begun = trainAlone(manyFiles(scratchFolder("faults")), "faults-begun");
    for (const Fault& fault : {Fault{1, "full", "4 ", "cannot write: the disk is full"},
                               Fault{1, "broken", "3 ", "the disk reports an error"},
                               Fault{1, "forgets", "3 ", "other bytes back than were written"},
                               Fault{0, "full", "4 ", "cannot write: the disk is full"},
                               Fault{0, "narrow", "4 ", "bytes: the disk is full"}})
        for (const int64_t zero : {0, 3}) {
            const std::string name =
                std::string("faults-") + fault.kind + std::to_string(fault.rank) + "-" + std::to_string(zero);
            SCOPED_TRACE(name);
            const auto prepare = [&fault](const std::string& folder) {
                meeting(fault.rank, fault.kind)(folder);
                obstacle(1, "gives-up", "at once")(folder); // what of it is a full disk
            };
            const TrainConfig made = prepareFurther(begun, {2, zero}, kBegun + 2, name, prepare);
            RankProcesses(2, "ARank.DISABLED_triesToTrain", folderOf(made)).expectSuccessOfAll();
            const std::string who = fault.code + ("rank " + std::to_string(fault.rank) + ": ");
            for (const int rank : {0, 1}) {
                const std::string outcome = leftBy(made, rank, "outcome");
                EXPECT_TRUE(outcome.starts_with(who)) << outcome;
                for (const char* words : {"saving the checkpoint of step 4", fault.words})
                    EXPECT_NE(outcome.find(words), std::string::npos) << outcome;
            }
            expectOnlyBegun(made);
        }
}

TEST(RankCheckpoints, waitForRoomTogether) {
    const TrainConfig begun = trainAlone(manyFiles(scratchFolder("room")), "room-begun");
    const TrainConfig straight = prepareFurther(begun, {2, 2}, kBegun + 2, "room-straight");
    RankProcesses(2, "ARank.DISABLED_trains", folderOf(straight)).expectSuccessOfAll();
    for (const int who : {0, 1}) {
        const std::string name = "room-" + std::to_string(who);
        SCOPED_TRACE(name);
        const TrainConfig made = prepareFurther(begun, {2, 2}, kBegun + 2, name, meeting(who, "full"));
        const std::string folder = folderOf(made);
        RankProcesses processes(2, "ARank.DISABLED_trains", folder);
        for (const int rank : {0, 1}) processes.awaitText(rank, "waits");
        expectOnlyBegun(made);
        fs::remove(rankFile(folder, who, "full"));
        std::ofstream(rankFile(folder, 0, "room")) << "somebody has tidied up";
        processes.expectSuccessOfAll();
        expectSameTensors(made, straight, kBegun + 2);
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(made, kBegun + 2)).ok());
    }
}

TEST(RankCheckpoints, waitTogetherForTheDriveThatTheyLieOn) {
    const TrainConfig begun = trainAlone(manyFiles(scratchFolder("away")), "away-begun");
    const TrainConfig straight = prepareFurther(begun, {2, 2}, kBegun + 2, "away-straight");
    RankProcesses(2, "ARank.DISABLED_trains", folderOf(straight)).expectSuccessOfAll();
    const std::string drive = scratchFolder("away-drive");
    const TrainConfig made =
        prepareFurther(begun, {2, 2}, kBegun + 2, "away-made", obstacle(0, "unplug", drive));
    ASSERT_TRUE(moveCheckpoints(*RunFolder::open(made.output.runDir), drive));
    RankProcesses processes(2, "ARank.DISABLED_trains", folderOf(made));
    for (const int rank : {0, 1}) processes.awaitText(rank, "waits");
    fs::rename(drive + " unplugged", drive);
    processes.expectSuccessOfAll();
    expectSameTensors(made, straight, kBegun + 2);
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(made, kBegun + 2)).ok());
}

TEST(RankCheckpoints, areNoneWhereARankIsKilledInTheMiddle) {
    const TrainConfig begun = trainAlone(manyFiles(scratchFolder("killed")), "killed-begun");
    for (const int killed : {0, 1}) {
        const std::string name = "killed-" + std::to_string(killed);
        SCOPED_TRACE(name);
        TrainConfig made = prepareFurther(begun, {2, 2}, kBegun + 2, name, meeting(killed, "hangs"));
        {
            RankProcesses processes(2, "ARank.DISABLED_triesToTrain", folderOf(made));
            processes.awaitText(killed, "hanging");
            EXPECT_EQ(leftOvers(made), 1); // half of a checkpoint
            processes.signal(killed, SIGKILL);
            EXPECT_TRUE(WIFSIGNALED(processes.await(killed)));
            processes.expectSuccess(1 - killed);
        }
        const std::string outcome = leftBy(made, 1 - killed, "outcome");
        EXPECT_TRUE(outcome.starts_with("7 ")) << outcome;
        if (killed == 1) expectOnlyBegun(made); // the first one takes its folder away
        made.parallel = {1, 0};
        JobWorld world;
        const OutcomeEvent further = runAgain(made, world);
        EXPECT_EQ(further.result, "done") << further.message;
        EXPECT_EQ(leftOvers(made), 0);
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(made, kBegun + 2)).ok());
    }
}

} // namespace homebooth::core::testing

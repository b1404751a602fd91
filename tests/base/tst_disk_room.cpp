// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan puts on disks: what goes to one has to fit together, and each disk counts by itself.
#include "core/base/run/failure_cause.h"
#include "core/base/swap/disk_room.h"
#include "core/base/system/disk_facts.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <sys/resource.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kMuch = int64_t{1} << 60;
constexpr const char* kOtherDisk = "/dev/shm";

class DiskRoomTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::string folder() const { return m_folder.path().toStdString(); }

    /// Seven tenths: twice that is too much, whatever else is written meanwhile.
    static int64_t mostOf(const std::string& folder) {
        const auto disk = diskFacts(folder);
        return disk ? disk->freeBytes / 10 * 7 : 0;
    }
    static bool areOneDisk(const std::string& one, const std::string& other) {
        const auto first = diskFacts(one);
        const auto second = diskFacts(other);
        return !first || !second || first->device == second->device;
    }

private slots:
    void swappingAndCheckpointsOnOneDiskHaveToFitTogether() {
        const int64_t most = mostOf(folder());
        DiskRoom swapAlone;
        QVERIFY(swapAlone.addSwap(folder(), {folder()}, most, 1).ok());
        QVERIFY(swapAlone.check().ok());
        DiskRoom savedAlone;
        QVERIFY(savedAlone.addSaved(folder(), most, 1).ok());
        QVERIFY(savedAlone.check().ok());
        DiskRoom both;
        QVERIFY(both.addSwap(folder(), {folder()}, most, 1).ok());
        QVERIFY(both.addSaved(folder() + "/not/yet/there", most, 1).ok());
        const auto refused = both.check();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        for (const char* words :
             {" of disk, and ", "checkpoints and result", "for swapping", "--swap", "--output"})
            QVERIFY2(refused.error().message.find(words) != std::string::npos,
                     refused.error().message.c_str());
    }

    void checkpointsElsewhereOnTheSameDiskCountWithTheResult() {
        DiskRoom room;
        QVERIFY(room.addSaved(folder() + "/run", mostOf(folder()), 1).ok());
        QVERIFY(room.check().ok());
        QVERIFY(room.addSaved(folder() + "/elsewhere", mostOf(folder()), 1).ok());
        QVERIFY(!room.check().ok());
    }

    void otherDisksHaveRoomOfTheirOwn() {
        if (areOneDisk(folder(), kOtherDisk)) QSKIP("there is one disk");
        DiskRoom room;
        QVERIFY(room.addSwap(folder(), {folder()}, mostOf(folder()), 1).ok());
        QVERIFY(room.addSaved(kOtherDisk, mostOf(kOtherDisk), 1).ok());
        QVERIFY(room.check().ok());
    }

    /// The folder that was named holds but links then.
    void eachProcessesPartCountsWhereItLies() {
        if (areOneDisk(folder(), kOtherDisk)) QSKIP("there is one disk");
        const int64_t most = mostOf(kOtherDisk);
        const int64_t part = std::min(most, mostOf(folder()));
        const std::string first = folder() + "/rank-0";
        const std::string second = folder() + "/rank-1";
        fs::create_directory_symlink(kOtherDisk, first);
        DiskRoom apart; // the second process makes its folder in the one that was named
        QVERIFY(apart.addSwap(folder(), {first, second}, part, 1).ok());
        QVERIFY(apart.check().ok());
        fs::create_directory_symlink(kOtherDisk, second);
        DiskRoom together;
        QVERIFY(together.addSwap(folder(), {first, second}, most, 1).ok());
        const auto refused = together.check();
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().context.find("rank-0") != std::string::npos);
        fs::remove(first);
        fs::remove(second);
    }

    void aDiskWithoutRoomIsRefused() {
        DiskRoom saved;
        QVERIFY(saved.addSaved("./not/yet/there", 0, 0).ok());
        QVERIFY(saved.check().ok());
        QVERIFY(saved.addSaved(".", kMuch, 1).ok());
        QCOMPARE(saved.check().error().code, ErrorCode::OutOfResources);
        DiskRoom swap;
        QVERIFY(swap.addSwap(".", {"."}, kMuch, 1).ok());
        const auto refused = swap.check();
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("--swap") != std::string::npos);
        QCOMPARE(causeOf(4, refused.error().message), FailureCause::DiskFull);
        QVERIFY(DiskRoom().addSwap("/nowhere", {"/nowhere"}, 0, 0).ok()); // nothing is looked at
        DiskRoom untold; // a file system that does not say how much is free
        QVERIFY(untold.addSwap("/proc", {"/proc"}, kMuch, 1).ok());
        QVERIFY(untold.check().ok());
    }

    void aFileLargerThanTheDiskTakesIsRefused_data() {
        QTest::addColumn<bool>("swapped");
        QTest::addColumn<QString>("option");
        QTest::newRow("saved") << false << "--output";
        QTest::newRow("swapped") << true << "--swap";
    }

    void aFileLargerThanTheDiskTakesIsRefused() {
        QFETCH(bool, swapped);
        QFETCH(QString, option);
        const auto add = [swapped](DiskRoom& room, const std::string& folder, int64_t largestFile) {
            return swapped ? room.addSwap(folder, {folder}, 3 * kMiB, largestFile)
                           : room.addSaved(folder, 3 * kMiB, largestFile);
        };
        const std::string elsewhere = folder() + "/elsewhere";
        fs::create_directories(elsewhere);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        DiskRoom room; // looked at while there is a limit, which stands for that of a file system
        {
            const rlimit limit{kMiB, before.rlim_max};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const auto added = add(room, folder(), kMiB);
            ::setrlimit(RLIMIT_FSIZE, &before);
            QVERIFY(added.ok());
        }
        QVERIFY(room.check().ok());
        QVERIFY(add(room, elsewhere, kMiB + 1).ok());
        const auto refused = room.check();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        QCOMPARE(refused.error().context, elsewhere); // whose file it is
        for (const std::string& words : {std::string("1.00 MiB"), std::string("FAT32"), option.toStdString(),
                                         std::string("another drive")})
            QVERIFY2(refused.error().message.find(words) != std::string::npos,
                     refused.error().message.c_str());
        QCOMPARE(causeOf(4, refused.error().message), FailureCause::FileTooLarge);
    }

    void whatIsSwappedMustBeAllowed() {
        MemoryConfig memory;
        memory.swapDir = "/nowhere";
        QVERIFY(checkSwapSize(memory, kMuch).ok()); // no limit was named
        memory.swapBytes = kMiB;
        QVERIFY(checkSwapSize(memory, kMiB).ok());
        const auto refused = checkSwapSize(memory, kMiB + 1);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        QVERIFY(refused.error().message.find("--swap-size") != std::string::npos);
        QCOMPARE(causeOf(4, refused.error().message), FailureCause::SwapLimit); // nobody has to free room
    }
};

} // namespace

QTEST_GUILESS_MAIN(DiskRoomTest)
#include "tst_disk_room.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan puts on disks: what goes to one has to fit together, and each disk counts by itself.
#include "core/base/config/byte_size.h"
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

    /// Calls while there is a limit, which stands for that of a file system.
    template <class Call>
    static auto withSmallFiles(const Call& call) {
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{kMiB, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto result = call();
        ::setrlimit(RLIMIT_FSIZE, &before);
        return result;
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
        DiskRoom room;
        QVERIFY(withSmallFiles([&] { return add(room, folder(), kMiB); }).ok());
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
        TrainConfig config;
        config.memory.swapDir = "/nowhere";
        QVERIFY(checkSwapSize(config, kMuch).ok()); // no limit was named
        config.memory.swapBytes = kMiB;
        QVERIFY(checkSwapSize(config, kMiB).ok());
        const auto refused = checkSwapSize(config, kMiB + 1);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        QVERIFY(refused.error().message.find("--swap-size") != std::string::npos);
        QCOMPARE(causeOf(4, refused.error().message), FailureCause::SwapLimit); // nobody has to free room
    }

    void theFigureThatIsNamedIsEnough_data() {
        QTest::addColumn<qint64>("bytes"); // of AdamW's states in fp32, beside the default method
        QTest::newRow("SD 1.5") << qint64{6'876'167'712};
        QTest::newRow("SD 2.1") << qint64{6'927'247'616};
        QTest::newRow("SDXL") << qint64{20'539'708'416};
    }

    void theFigureThatIsNamedIsEnough() {
        QFETCH(qint64, bytes);
        TrainConfig config;
        config.memory.swapBytes = bytes - 1;
        const auto refused = checkSwapSize(config, bytes);
        QVERIFY(!refused.ok());
        const QString figure = QString::fromStdString(refused.error().message)
                                   .section("memory needs ", 1)
                                   .section(" for swapping", 0, 0);
        const auto named = parseByteSize(figure.toStdString());
        QVERIFY2(named.ok(), qPrintable(figure));
        config.memory.swapBytes = *named;
        QVERIFY2(checkSwapSize(config, bytes).ok(), qPrintable(figure));
        QVERIFY(*named < bytes + kMiB);
    }

    void whatCannotChangeAnyMoreIsNotAdvised_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<bool>("saved");
        QTest::addColumn<bool>("leaner");
        const auto row = [](const char* name, OptimizerKind kind, bool saved, bool leaner) {
            QTest::newRow(name) << static_cast<int>(kind) << saved << leaner;
        };
        row("nothing saved", OptimizerKind::AdamW, false, true);
        row("saved with another optimizer", OptimizerKind::AdamW, true, false);
        row("lean already", OptimizerKind::AdamW8bit, false, false);
        row("leaner still", OptimizerKind::Adafactor, false, false);
    }

    void whatCannotChangeAnyMoreIsNotAdvised() {
        QFETCH(int, optimizer);
        QFETCH(bool, saved);
        QFETCH(bool, leaner);
        TrainConfig config;
        config.optimizer.kind = static_cast<OptimizerKind>(optimizer);
        config.output.runDir = folder() + "/" + QTest::currentDataTag();
        fs::create_directories(config.output.runDir + (saved ? "/checkpoints/step-000002" : ""));
        config.memory.swapBytes = kMiB;
        const std::string optional = leaner ? ", or take a leaner optimizer (--optimizer adamw8bit)" : "";
        const auto limited = checkSwapSize(config, kMuch);
        QVERIFY(!limited.ok());
        QVERIFY2(limited.error().message.ends_with("allow more (--swap-size)" + optional),
                 limited.error().message.c_str());
        DiskRoom swap(config);
        QVERIFY(swap.addSwap(folder(), {folder()}, kMuch, 1).ok());
        const std::string refused = swap.check().error().message;
        QVERIFY2(refused.ends_with("name another folder (--swap)" + optional), refused.c_str());
        QCOMPARE(refused.find("or name another") != std::string::npos, !leaner);
        DiskRoom large(config);
        QVERIFY(withSmallFiles([&] { return large.addSaved(folder(), 1, 2 * kMiB); }).ok());
        const std::string file = large.check().error().message;
        QVERIFY2(file.ends_with("another drive (--output)" + optional), file.c_str());
    }

    void whereARunLiesIsNamedByNoOption_data() {
        QTest::addColumn<bool>("elsewhere");
        QTest::newRow("with its checkpoints") << false;
        QTest::newRow("with checkpoints on another drive") << true; // which stay there when it moves
    }

    void whereARunLiesIsNamedByNoOption() {
        QFETCH(bool, elsewhere);
        TrainConfig config;
        config.output.runDir = folder() + "/of " + QTest::currentDataTag();
        fs::create_directories(config.output.runDir);
        if (elsewhere) fs::create_directory_symlink("/gone", config.output.runDir + "/checkpoints");
        DiskRoom saved(config, /*hasFolder=*/true);
        QVERIFY(saved.addSaved(folder(), kMuch, 1).ok());
        const std::string refused = saved.check().error().message;
        QVERIFY2(refused.ends_with(elsewhere ? "; free some space"
                                             : "; free some space, or move the run's folder to another disk"),
                 refused.c_str());
        DiskRoom both(config, /*hasFolder=*/true);
        QVERIFY(both.addSaved(folder(), kMuch, 1).ok());
        QVERIFY(both.addSwap(folder(), {folder()}, kMiB, 1).ok());
        const std::string mixed = both.check().error().message;
        QVERIFY2(mixed.find("(--swap)") != std::string::npos, mixed.c_str());
        QVERIFY(mixed.find("--output") == std::string::npos);
        QCOMPARE(mixed.find("--optimizer") == std::string::npos, elsewhere); // something is saved there
    }
};

} // namespace

QTEST_GUILESS_MAIN(DiskRoomTest)
#include "tst_disk_room.moc"

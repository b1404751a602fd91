// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of a run whose checkpoints lie on another disk has the same link: it works on some of its own, and
// leaves those of its original alone.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/run_identity.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <linux/magic.h>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

void makeCheckpoint(const std::string& path, int64_t step, bool rolling = false) {
    auto folder = AtomicFolder::create(path);
    QVERIFY(folder.ok());
    std::ofstream(folder->partialPath() + "/unet.safetensors") << "weights of " << step;
    ManifestOptions options;
    options.step = step;
    options.rolling = rolling;
    QVERIFY(writeManifest(folder->partialPath(), options).ok());
    QVERIFY(folder->commit().ok());
}

std::vector<int64_t> stepsIn(const std::string& folder) {
    std::vector<int64_t> steps;
    for (const CheckpointEntry& entry : listCheckpoints(folder)) steps.push_back(entry.step);
    return steps;
}

/// Saves as a training does.
void save(const RunFolder& run, int64_t step, bool rolling = false) {
    makeCheckpoint(run.checkpointDir(step), step, rolling);
    const auto journal = JournalWriter::open(run.journalFile());
    QVERIFY(journal.ok());
    (*journal)->emit(CheckpointEvent{step, run.checkpointDir(step)});
}

} // namespace

class tst_copied_run : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_root;
    std::string m_place; // of the original's checkpoints, on another disk

    std::string path(const char* name) const { return m_root + "/" + name; }
    RunFolder open(const char* name) const { return *RunFolder::open(path(name)); }
    /// As file managers, cp and rsync do it.
    RunFolder copy(const char* from, const char* to) const {
        fs::copy(path(from), path(to), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
        return open(to);
    }
    std::string newFolder(const char* name) const {
        fs::create_directory(path(name));
        return path(name);
    }
    /// As each verb that goes on with a run begins.
    static Result<std::optional<OfAnother>> goOn(const RunFolder& run) {
        HOMEBOOTH_CHECK(correctPaths(run));
        HOMEBOOTH_CHECK(returnToCheckpointsBefore(run));
        return takeOwnCheckpoints(run);
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_root = fs::canonical(m_folder->path().toStdString()).string();
        TrainConfig config;
        config.model = "/models/a";
        config.data.instanceDir = "/photos";
        const auto run = RunFolder::create(path("robot"), config);
        QVERIFY(run.ok());
        save(*run, 100);
        const auto moved = moveCheckpoints(*run, newFolder("disk"));
        QVERIFY(moved.ok());
        m_place = *moved;
        for (const int64_t step : {200, 300}) save(*run, step);
    }

    void whatTheLinkLeadsToIsTheOriginals() {
        const RunFolder copied = copy("robot", "copy");
        QVERIFY(checkpointsAreAnothers(copied.path()));
        QVERIFY(!ownCheckpointsElsewhere(copied.path()));
        QVERIFY(!checkpointsAreAnothers(path("robot")));
        QCOMPARE(*ownCheckpointsElsewhere(path("robot")), m_place);
        QVERIFY(correctPaths(copied).ok()); // once its run.json says where it is, too
        QVERIFY(!ownCheckpointsElsewhere(copied.path()));
        QCOMPARE(*ownCheckpointsElsewhere(path("robot")), m_place);
    }

    void aCopyMakesItsOwnResult() {
        QVERIFY(fs::create_directory(resultPlace(open("robot"))));
        std::ofstream(path("robot") + "/result/lora.safetensors") << "learned";
        const RunFolder copied = copy("robot", "copy");
        QVERIFY(goOn(copied).ok());
        QVERIFY(fs::exists(copied.resultDir() + "/lora.safetensors"));
        fs::remove(copied.resultDir() + "/lora.safetensors");
        QVERIFY(fs::exists(path("robot") + "/result/lora.safetensors"));
    }

    void aCopyGoesOnWithItsOwn() {
        const RunFolder copied = copy("robot", "copy");
        save(open("robot"), 400); // which the copy knows nothing of
        const auto left = goOn(copied);
        QVERIFY2(left.ok(), left ? "" : left.error().text().c_str());
        QVERIFY(left->has_value());
        QCOMPARE((*left)->step, int64_t{300});
        QCOMPARE((*left)->others, m_place);
        QCOMPARE((*left)->folder, path("disk/copy checkpoints"));
        QCOMPARE(*ownCheckpointsElsewhere(copied.path()), path("disk/copy checkpoints"));
        QCOMPARE(stepsIn(copied.checkpointsDir()), std::vector<int64_t>{300});
        save(copied, 500);
        QVERIFY(pruneCheckpoints(copied.checkpointsDir(), 500, 2).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{400, 300, 200, 100}));
        QVERIFY(!goOn(copied)->has_value()); // once
        QVERIFY(!goOn(open("robot"))->has_value());
        QVERIFY(expectSavedThere(copied).ok());
    }

    void whatACopyBeginsWithCounts() {
        save(open("robot"), 310, /*rolling=*/true);
        const RunFolder copied = copy("robot", "copy");
        QVERIFY(goOn(copied)->has_value());
        QCOMPARE(stepsIn(copied.checkpointsDir()), std::vector<int64_t>{310});
        QVERIFY(!isRolling(copied.checkpointDir(310)));
        QVERIFY(isRolling(m_place + "/step-000310")); // the original's is as it was
    }

    void aCopyThatGetsAnotherFolderLeavesTheOriginals() {
        const RunFolder copied = copy("robot", "copy");
        save(open("robot"), 400); // which the copy knows nothing of
        const auto moved = moveCheckpoints(copied, newFolder("other"));
        QVERIFY2(moved.ok(), moved ? "" : moved.error().text().c_str());
        QCOMPARE(*ownCheckpointsElsewhere(copied.path()), *moved);
        QCOMPARE(stepsIn(*moved), std::vector<int64_t>{300});
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{400, 300, 200, 100}));
        QCOMPARE(*ownCheckpointsElsewhere(path("robot")), m_place);
    }

    void aCopyBringsNoResultToItsOriginal() {
        fs::rename(path("disk"), path("disk away"));
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QVERIFY(fs::create_directory(resultPlace(open("robot"))));
        const RunFolder copied = copy("robot", "copy");
        fs::rename(path("disk away"), path("disk"));
        QVERIFY(goOn(copied)->has_value());
        QVERIFY(!fs::exists(m_place + "/result"));
        QVERIFY(fs::exists(path("robot") + "/result"));
    }

    void aCopyWhoseCheckpointsAreGoneIsNotGivenLaterOnes() {
        const RunFolder copied = copy("robot", "copy");
        save(open("robot"), 400);
        for (const char* gone : {"/step-000100", "/step-000200", "/step-000300"})
            fs::remove_all(m_place + gone);
        const auto left = goOn(copied);
        QVERIFY(!left.ok());
        for (const char* words : {"of step 300", "copy it again"})
            QVERIFY2(left.error().text().find(words) != std::string::npos, left.error().text().c_str());
        QCOMPARE(stepsIn(m_place), std::vector<int64_t>{400});
        QCOMPARE(*checkpointsElsewhere(copied.path()), m_place);
    }

    void aRunThatWasMovedKeepsItsOwn_data() {
        QTest::addColumn<bool>("seen");
        QTest::newRow("by what brings its paths along") << true;
        QTest::newRow("where nobody could write that then") << false;
    }
    void aRunThatWasMovedKeepsItsOwn() {
        QFETCH(bool, seen);
        fs::rename(path("robot"), path("android"));
        const RunFolder run = open("android");
        QVERIFY(!ownCheckpointsElsewhere(run.path()));
        if (seen)
            QVERIFY(correctPaths(run).ok());
        else
            QVERIFY(!takeOwnCheckpoints(run)->has_value());
        QCOMPARE(*ownCheckpointsElsewhere(run.path()), m_place);
        QVERIFY(!goOn(run)->has_value());
        QCOMPARE(stepsIn(run.checkpointsDir()), (std::vector<int64_t>{300, 200, 100}));
    }

    void ofTwoCopiesNeitherTakesWhatIsLeft() {
        const RunFolder first = copy("robot", "first");
        const RunFolder second = copy("robot", "second");
        fs::remove_all(path("robot"));
        for (const RunFolder& one : {first, second}) {
            QVERIFY(!ownCheckpointsElsewhere(one.path()));
            const auto left = goOn(one);
            QVERIFY(left.ok() && left->has_value());
            QCOMPARE(stepsIn(one.checkpointsDir()), std::vector<int64_t>{300});
        }
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
    }

    void aCopyIsNeverTakenForAnOriginalOutOfSight_data() {
        QTest::addColumn<bool>("renamed");
        QTest::addColumn<bool>("further");
        QTest::addColumn<bool>("inItsPlace");
        for (const bool renamed : {true, false})
            for (const bool further : {true, false})
                for (const bool inItsPlace : {true, false})
                    QTest::addRow("%s, %s, %s", renamed ? "renamed" : "away",
                                  further ? "has gone on" : "has not gone on",
                                  inItsPlace ? "the copy has its name" : "the copy has another one")
                        << renamed << further << inItsPlace;
    }
    void aCopyIsNeverTakenForAnOriginalOutOfSight() {
        QFETCH(bool, renamed);
        QFETCH(bool, further);
        QFETCH(bool, inItsPlace);
        RunFolder copied = copy("robot", "copy");
        if (further) save(open("robot"), 400); // which the copy knows nothing of
        const std::vector<int64_t> all = stepsIn(m_place);
        const std::string away = renamed ? path("android") : newFolder("drive") + "/robot";
        fs::rename(path("robot"), away);
        if (inItsPlace) fs::rename(path("copy"), path("robot"));
        copied = open(inItsPlace ? "robot" : "copy");
        QVERIFY(checkpointsAreAnothers(copied.path()));
        QVERIFY(!ownCheckpointsElsewhere(copied.path()));
        const auto left = goOn(copied);
        QVERIFY2(left.ok(), left ? "" : left.error().text().c_str());
        QVERIFY(left->has_value());
        QCOMPARE((*left)->step, int64_t{300});
        QCOMPARE(stepsIn(copied.checkpointsDir()), std::vector<int64_t>{300});
        save(copied, 500);
        QVERIFY(pruneCheckpoints(copied.checkpointsDir(), 500, 2).ok());
        QVERIFY(moveCheckpoints(copied, newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), all);
        const RunFolder original = *RunFolder::open(away);
        QVERIFY(!goOn(original)->has_value());
        QCOMPARE(*ownCheckpointsElsewhere(away), m_place);
        QCOMPARE(stepsIn(original.checkpointsDir()), all);
    }

    void whatACopyStandsOnStaysWhereItsOriginalMovesOn_data() {
        QTest::addColumn<bool>("further");
        QTest::newRow("it knows of all of it") << false;
        QTest::newRow("its original has gone on") << true;
    }
    void whatACopyStandsOnStaysWhereItsOriginalMovesOn() {
        QFETCH(bool, further);
        const RunFolder copied = copy("robot", "copy");
        if (further) save(open("robot"), 400);
        const std::vector<int64_t> all = stepsIn(m_place);
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), all);
        const auto left = goOn(copied);
        QVERIFY2(left.ok(), left ? "" : left.error().text().c_str());
        QCOMPARE(left->has_value(), further); // else the folder is its own by now
        QCOMPARE(stepsIn(copied.checkpointsDir()).front(), int64_t{300});
        QVERIFY(ownCheckpointsElsewhere(copied.path()));
        QCOMPARE(stepsIn(m_place), all);
    }

    void aCopyElsewhereIsKnownOnceItWasSeen_data() {
        QTest::addColumn<bool>("away");
        QTest::newRow("in sight") << false;
        QTest::newRow("its drive is away") << true;
    }
    void aCopyElsewhereIsKnownOnceItWasSeen() {
        QFETCH(bool, away);
        newFolder("drive");
        QVERIFY(correctPaths(copy("robot", "drive/copy")).ok()); // as a window does that finds it
        save(open("robot"), 400);                                // which the copy knows nothing of
        if (away) {
            fs::rename(path("drive"), path("drive away"));
            newFolder("drive"); // where it will be again
        }
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{400, 300, 200, 100}));
        if (away) {
            fs::remove(path("drive"));
            fs::rename(path("drive away"), path("drive"));
        }
        const RunFolder copied = open("drive/copy");
        QVERIFY(goOn(copied)->has_value());
        QCOMPARE(stepsIn(copied.checkpointsDir()), std::vector<int64_t>{300});
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{400, 300, 200, 100}));
        QVERIFY(othersThatNeed(m_place, path("robot")).empty());
    }

    void aCopyThatIsNotWhereItWasIsNeverGivenUp_data() {
        QTest::addColumn<QString>("now");
        QTest::newRow("renamed") << "drive/clone";
        QTest::newRow("moved") << "archive/copy";
        QTest::newRow("gone") << QString();
    }
    void aCopyThatIsNotWhereItWasIsNeverGivenUp() {
        QFETCH(QString, now);
        for (const char* name : {"drive", "archive"}) newFolder(name);
        QVERIFY(correctPaths(copy("robot", "drive/copy")).ok());
        const std::string place = path(qPrintable(now));
        if (now.isEmpty())
            fs::remove_all(path("drive/copy"));
        else
            fs::rename(path("drive/copy"), place);
        QCOMPARE(othersThatNeed(m_place, path("robot")), std::vector{path("drive/copy")});
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
        if (now.isEmpty()) return;
        noteStanding(place); // as a window does that finds it
        QCOMPARE(othersThatNeed(m_place, path("robot")), std::vector{place});
        QVERIFY(goOn(*RunFolder::open(place))->has_value());
        QVERIFY(othersThatNeed(m_place, path("robot")).empty());
    }

    void aCopyIsKnownThoughTheDiskWasAwayAsItWasFound() {
        newFolder("drive");
        const RunFolder copied = copy("robot", "drive/copy");
        fs::rename(path("disk"), path("disk away"));
        QVERIFY(correctPaths(copied).ok());
        fs::rename(path("disk away"), path("disk"));
        noteStanding(copied.path()); // at the next look
        noteStanding(path("robot")); // which stands on its own
        QCOMPARE(othersThatNeed(m_place, path("robot")), std::vector{copied.path()});
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
    }

    void aCopyThatHasItsOwnIsNamedNoMore_data() {
        QTest::addColumn<bool>("moves");
        QTest::newRow("by going on") << false;
        QTest::newRow("in a folder that was chosen") << true;
    }
    void aCopyThatHasItsOwnIsNamedNoMore() {
        QFETCH(bool, moves);
        newFolder("runs");
        const RunFolder copied = copy("robot", "runs/copy");
        QVERIFY(correctPaths(copied).ok());
        QCOMPARE(othersThatNeed(m_place, path("robot")), std::vector{copied.path()});
        QVERIFY(moves ? moveCheckpoints(copied, newFolder("chosen")).ok() : goOn(copied)->has_value());
        fs::rename(path("runs"), path("trainings"));
        QVERIFY(correctPaths(open("trainings/copy")).ok());
        QVERIFY(othersThatNeed(m_place, path("robot")).empty());
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QVERIFY(!fs::exists(m_place)); // its own
    }

    void whatADeletionLeavesStays_data() {
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("inItsPlace");
        QTest::newRow("in the trash") << "trash/robot" << false;
        QTest::newRow("under another name") << "desktop/android" << false;
        QTest::newRow("the copy has its name") << "trash/robot" << true;
    }
    void whatADeletionLeavesStays() {
        QFETCH(QString, to);
        QFETCH(bool, inItsPlace);
        for (const char* name : {"trash", "desktop", "backups"}) newFolder(name);
        copy("robot", "backups/copy");
        save(open("robot"), 400); // which the copy knows nothing of
        const std::vector<int64_t> all = stepsIn(m_place);
        const std::string away = path(qPrintable(to));
        QVERIFY(!lacksItsRun(m_place));
        fs::rename(path("robot"), away);
        QVERIFY(lacksItsRun(m_place));
        if (inItsPlace) fs::rename(path("backups/copy"), path("robot"));
        const RunFolder copied = open(inItsPlace ? "robot" : "backups/copy");
        QVERIFY(goOn(copied)->has_value());
        QVERIFY(moveCheckpoints(copied, newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), all);
        const RunFolder original = *RunFolder::open(away); // taken back
        QVERIFY(!goOn(original)->has_value());
        QCOMPARE(*ownCheckpointsElsewhere(away), m_place);
        QVERIFY(!lacksItsRun(m_place));
    }

    void whoeverIsNamedInTheOtherFormIsTheSame() {
        const std::string run = path("robot");
        const RunFolder copied = copy("robot", "copy");
        std::ofstream(m_place + "/" + kOwnerName) << run << '\n' << identityOf(run, false) << '\n';
        QVERIFY(!checkpointsAreAnothers(run));
        QVERIFY(checkpointsAreAnothers(copied.path()));
        QVERIFY(!goOn(open("robot"))->has_value()); // nothing is copied
        fs::rename(run, path("android"));
        QVERIFY(!checkpointsAreAnothers(path("android"))); // the form that lasts was written by then
    }

    void whereNumbersDoNotLastThePathStandsIn() {
        QVERIFY(!numbersLastOn(FUSE_SUPER_MAGIC));
        QVERIFY(numbersLastOn(EXT4_SUPER_MAGIC));
        const std::string run = path("robot");
        const std::string before = identityOf(run, false);
        const std::string lasting = identityOf(run, true);
        const std::string ofCopy = identityOf(copy("robot", "copy").path(), false);
        QVERIFY(!before.empty() && before != lasting && before.find(' ') == std::string::npos);
        QVERIFY(ofCopy != before);
        fs::rename(run, path("mounted before"));
        copy("mounted before", "robot"); // with another number, as the next mount gives it
        QVERIFY(identityOf(run, true) != lasting);
        QCOMPARE(identityOf(run, false), before);
        fs::remove_all(run);
        TrainConfig config;
        config.model = "/models/b";
        config.data.instanceDir = "/photos";
        QTest::qSleep(2); // run.json has the time in milliseconds
        QVERIFY(RunFolder::create(run, config).ok());
        QVERIFY(identityOf(run, false) != before); // another run
        QVERIFY(identityOf(path("nowhere"), false).empty());
    }

    void nobodyIsGivenWhatTwoCopiesStandOn() {
        const RunFolder first = copy("robot", "first");
        const RunFolder second = copy("robot", "second");
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
        for (const RunFolder& one : {first, second}) {
            QVERIFY(goOn(one)->has_value());
            QCOMPARE(stepsIn(one.checkpointsDir()), std::vector<int64_t>{300});
        }
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
    }

    void whoComesFromAnotherDiskTakesItsOwnWhereSomebodySaysSo() {
        const RunFolder copied = copy("robot", "copy");
        fs::remove_all(path("robot")); // moved, as file managers do it between file systems
        QVERIFY(correctPaths(copied).ok());
        QVERIFY(checkpointsAreAnothers(copied.path()));
        std::ofstream(m_place + "/" + kOwnerName) << copied.path() << '\n';
        QVERIFY(!ownCheckpointsElsewhere(copied.path()));
        QVERIFY(!goOn(copied)->has_value());
        QCOMPARE(*ownCheckpointsElsewhere(copied.path()), m_place);
    }

    void aLinkThatSomebodyMadeIsTheirsWhoGoOn() {
        fs::rename(m_place, path("mine"));
        fs::remove(path("mine") + "/" + kOwnerName);
        fs::remove(path("robot/checkpoints"));
        fs::create_directory_symlink(path("mine"), path("robot/checkpoints"));
        const RunFolder run = open("robot");
        const RunFolder copied = copy("robot", "copy");
        QVERIFY(goOn(copied)->has_value()); // though it is the first one to go on
        QVERIFY(!goOn(run)->has_value());
        QVERIFY(isOwner(run.path(), path("mine")));
        QCOMPARE(stepsIn(path("mine")), (std::vector<int64_t>{300, 200, 100}));
        QVERIFY(!ownCheckpointsElsewhere(run.path())); // the folder may be anything
    }

    void whatIsNobodysAndNewerThanTheRunKnowsStays() {
        fs::remove(m_place + "/" + kOwnerName);
        makeCheckpoint(m_place + "/step-000400", 400);
        const auto left = goOn(open("robot"));
        QVERIFY(left.ok() && left->has_value());
        QCOMPARE(stepsIn(open("robot").checkpointsDir()), std::vector<int64_t>{300});
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{400, 300, 200, 100}));
    }

    void whatIsNobodysStays() {
        fs::remove(m_place + "/" + kOwnerName);
        fs::create_directory(m_place + "/step-7"); // somebody's, by chance of that name
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100, 7}));
    }

    void whatIsNoCheckpointStays() {
        std::ofstream(m_place + "/holiday.jpg") << "somebody's";
        fs::create_directory(m_place + "/step-7");
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
        QCOMPARE(stepsIn(m_place), std::vector<int64_t>{7});
        QVERIFY(fs::exists(m_place + "/holiday.jpg"));
    }
};

QTEST_APPLESS_MAIN(tst_copied_run)
#include "tst_copied_run.moc"

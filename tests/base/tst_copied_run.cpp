// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of a run whose checkpoints lie on another disk has the same link: it works on some of its own, and
// leaves those of its original alone.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoint_places.h"
#include "core/base/run/checkpoints_elsewhere.h"
#include "core/base/run/journal.h"
#include "core/base/run/moved_run.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

void makeCheckpoint(const std::string& path, int64_t step) {
    auto folder = AtomicFolder::create(path);
    QVERIFY(folder.ok());
    std::ofstream(folder->partialPath() + "/unet.safetensors") << "weights of " << step;
    ManifestOptions options;
    options.step = step;
    QVERIFY(writeManifest(folder->partialPath(), options).ok());
    QVERIFY(folder->commit().ok());
}

std::vector<int64_t> stepsIn(const std::string& folder) {
    std::vector<int64_t> steps;
    for (const CheckpointEntry& entry : listCheckpoints(folder)) steps.push_back(entry.step);
    return steps;
}

/// Saves as a training does.
void save(const RunFolder& run, int64_t step) {
    makeCheckpoint(run.checkpointDir(step), step);
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

    void aCopyThatGetsAnotherFolderLeavesTheOriginals() {
        const RunFolder copied = copy("robot", "copy");
        const auto moved = moveCheckpoints(copied, newFolder("other"));
        QVERIFY2(moved.ok(), moved ? "" : moved.error().text().c_str());
        QCOMPARE(*ownCheckpointsElsewhere(copied.path()), *moved);
        QCOMPARE(stepsIn(m_place), (std::vector<int64_t>{300, 200, 100}));
        QCOMPARE(*ownCheckpointsElsewhere(path("robot")), m_place);
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
        QCOMPARE(stepsIn(m_place), all);
        QVERIFY(ownCheckpointsElsewhere(copied.path()));
    }

    void nobodyIsGivenWhatTwoCopiesStandOn() {
        const RunFolder first = copy("robot", "first");
        const RunFolder second = copy("robot", "second");
        QVERIFY(moveCheckpoints(open("robot"), newFolder("other")).ok());
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

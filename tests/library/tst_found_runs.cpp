// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders of runs that the index does not know: moved ones are the same run, copies are runs of their own.
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/run/run_folder.h"
#include "rebuild_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <utility>

using namespace homebooth::core;
namespace fs = std::filesystem;

class FoundRunsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_library.reset(); }
    void aFolderThatWasRenamedIsTheSameRun();
    void whatBeganFromARunThatWasRenamedKnowsItsNewName();
    void aWholeFolderOfRunsThatWasMovedGoesOn();
    void aRunThatSomebodyWorksOnIsLeftAsItIs();
    void aCopyIsARunOfItsOwn();
    void whatACopysLinkLeadsToStaysItsOriginals();
    void whatACopyStandsOnNamesItOnceItIsInReach();
    void aCopyIsNotTakenForItsOriginalThatGoesLater();
    void ofTwoThatMayHaveBeenMovedNeitherIs();
    void aLinkToARunIsNoOtherRun();
    void whatTheIndexLearnsDuringTheLookStays();
    void aModelThatWasChosenDuringTheLookStays();
    void aMoveThatTheIndexNeverLearnedIsFoundAgain();
    void whatEndedElsewhereIsNoticed();
    void whatWaitsInTheQueueIsKnownWhereverItLies();

private:
    [[nodiscard]] std::string folder(const char* name) const { return m_runs + "/" + name; }
    /// The run of a folder; one without a key if the index has none.
    [[nodiscard]] RunRecord run(const char* name) const;
    /// A run that learns on from what came out of "robot".
    void makeFurther(const char* name) const {
        TrainConfig config;
        config.model = folder("robot") + "/result/model";
        QVERIFY(RunFolder::create(folder(name), config));
    }
    [[nodiscard]] std::string modelOf(const char* name) const {
        return RunFolder::open(folder(name))->config()->model;
    }
    [[nodiscard]] RunRecord runAt(const std::string& path) const;
    [[nodiscard]] size_t count() const { return loadRuns(*m_library)->size(); }
    void copy(const char* from, const char* to) const {
        fs::copy(folder(from), folder(to), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Library> m_library;
    std::string m_runs;
    int64_t m_key = 0; ///< of the run "robot", which the index knows, and which the user gave a title
};

RunRecord FoundRunsTest::run(const char* name) const {
    return runAt(folder(name));
}

RunRecord FoundRunsTest::runAt(const std::string& path) const {
    const auto runs = loadRuns(*m_library);
    for (const RunRecord& one : *runs)
        if (one.folder == path) return one;
    return {};
}

void FoundRunsTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_folder->filePath("state").toUtf8()); // of the queue
    auto opened = Library::open(m_folder->filePath("library.db").toStdString());
    QVERIFY2(opened, opened ? "" : opened.error().text().c_str());
    m_library = std::move(*opened);
    m_runs = m_folder->filePath("runs").toStdString();
    TrainConfig config;
    config.model = folder("robot") + "/base";
    config.data.instanceDir = folder("robot") + "/photos";
    config.steps = 80;
    const auto made = RunFolder::create(folder("robot"), config);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    {
        auto journal = JournalWriter::open(made->journalFile());
        (*journal)->emit(StepEvent{80, 1, 0.1, 1e-4, 0.1, 1.0, {}, {}, {}, {}});
        (*journal)->emit(OutcomeEvent{"done", {}, {}, 0, "", ""});
    }
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QVERIFY(renameRun(*m_library, folder("robot"), "my own title"));
    m_key = run("robot").id;
    QVERIFY(m_key != 0);
}

void FoundRunsTest::aFolderThatWasRenamedIsTheSameRun() {
    fs::rename(folder("robot"), folder("android"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(count(), size_t{1});
    QCOMPARE(run("android").id, m_key);
    QCOMPARE(run("android").title, std::string("my own title"));
    QVERIFY(!movedFrom(folder("android")));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
}

void FoundRunsTest::whatBeganFromARunThatWasRenamedKnowsItsNewName() {
    makeFurther("known");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    makeFurther("unknown");
    fs::rename(folder("robot"), folder("android"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 2);
    for (const char* name : {"known", "unknown"}) {
        QCOMPARE(modelOf(name), folder("android") + "/result/model");
        QCOMPARE(run(name).model, modelOf(name));
    }
    fs::rename(folder("android"), folder("golem")); // as the user says
    QVERIFY(followMove(*RunFolder::open(folder("golem"))));
    QVERIFY(moveRun(*m_library, folder("android"), folder("golem")));
    followRuns(*loadRuns(*m_library), {{folder("android"), folder("golem")}});
    QCOMPARE(modelOf("known"), folder("golem") + "/result/model");
}

void FoundRunsTest::aWholeFolderOfRunsThatWasMovedGoesOn() {
    makeFurther("further");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    const std::string before = std::exchange(m_runs, m_folder->filePath("elsewhere").toStdString());
    fs::rename(before, m_runs);
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 2);
    QCOMPARE(count(), size_t{2});
    QCOMPARE(modelOf("further"), folder("robot") + "/result/model");
    QVERIFY(!movedFrom(folder("further")));
}

void FoundRunsTest::aRunThatSomebodyWorksOnIsLeftAsItIs() {
    makeFurther("further");
    const std::string before = modelOf("further");
    const auto lock = RunLock::acquire(folder("further") + "/lock");
    QVERIFY(lock);
    fs::rename(folder("robot"), folder("android"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 2);
    QCOMPARE(modelOf("further"), before);
}

void FoundRunsTest::aCopyIsARunOfItsOwn() {
    copy("robot", "copy");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(count(), size_t{2});
    QCOMPARE(run("robot").id, m_key);
    QCOMPARE(run("robot").title, std::string("my own title"));
    const RunRecord own = run("copy");
    QVERIFY(own.id != 0 && own.id != m_key);
    QCOMPARE(own.state, std::string("done"));
    // What it is resumed with is its own, too.
    QCOMPARE(own.model, folder("copy") + "/base");
    QCOMPARE(RunFolder::open(folder("copy"))->config()->data.instanceDir, folder("copy") + "/photos");
    QCOMPARE(RunFolder::open(folder("robot"))->config()->data.instanceDir, folder("robot") + "/photos");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
}

void FoundRunsTest::whatACopysLinkLeadsToStaysItsOriginals() {
    fs::create_directory(m_folder->filePath("disk").toStdString());
    const auto moved =
        moveCheckpoints(*RunFolder::open(folder("robot")), m_folder->filePath("disk").toStdString());
    QVERIFY2(moved, moved ? "" : moved.error().text().c_str());
    copy("robot", "copy");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(ownCheckpointsElsewhere(folder("robot")), std::optional(*moved));
    QVERIFY(!ownCheckpointsElsewhere(folder("copy")));
    QVERIFY(checkpointsAreAnothers(folder("copy")));
    fs::rename(folder("robot"), folder("android")); // the same run
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(ownCheckpointsElsewhere(folder("android")), std::optional(*moved));
    QVERIFY(!ownCheckpointsElsewhere(folder("copy")));
}

void FoundRunsTest::whatACopyStandsOnNamesItOnceItIsInReach() {
    const std::string disk = m_folder->filePath("disk").toStdString();
    fs::create_directory(disk);
    const auto moved = moveCheckpoints(*RunFolder::open(folder("robot")), disk);
    QVERIFY2(moved, moved ? "" : moved.error().text().c_str());
    copy("robot", "copy");
    fs::rename(disk, disk + " away");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    fs::rename(disk + " away", disk);
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
    fs::rename(folder("copy"), m_folder->filePath("out of sight").toStdString());
    QCOMPARE(othersThatNeed(*moved, folder("robot")), std::vector{folder("copy")});
}

void FoundRunsTest::aCopyIsNotTakenForItsOriginalThatGoesLater() {
    copy("robot", "copy");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    const int64_t own = run("copy").id;
    fs::remove_all(folder("robot"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
    QCOMPARE(run("robot").id, m_key); // gone for a while, as far as anybody knows
    fs::rename(folder("copy"), folder("renamed"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(run("renamed").id, own);
    QCOMPARE(run("robot").id, m_key);
    QCOMPARE(count(), size_t{2});
}

void FoundRunsTest::ofTwoThatMayHaveBeenMovedNeitherIs() {
    copy("robot", "one");
    copy("robot", "two");
    fs::remove_all(folder("robot"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 2);
    QCOMPARE(count(), size_t{3});
    QCOMPARE(run("robot").id, m_key); // the user says which one it is
    QVERIFY(run("one").id != m_key && run("two").id != m_key);
    QCOMPARE(*movedFrom(folder("one")), folder("robot"));
    QCOMPARE(*movedFrom(folder("two")), folder("robot"));
    QVERIFY(moveRun(*m_library, folder("robot"), folder("two")));
    QCOMPARE(count(), size_t{2});
    QCOMPARE(run("two").id, m_key);
}

void FoundRunsTest::aLinkToARunIsNoOtherRun() {
    fs::create_directory_symlink(folder("robot"), folder("link"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
    QCOMPARE(count(), size_t{1});
    QVERIFY(!movedFrom(folder("robot"))); // nothing was written through the link
}

void FoundRunsTest::whatTheIndexLearnsDuringTheLookStays() {
    makeFurther("begun");
    makeFurther("removed");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 2);
    QVERIFY(removeRun(*m_library, folder("begun")));
    for (const char* name : {"robot", "removed"}) {
        RunRecord early = run(name);
        early.state = "running";
        early.endedMs = 0;
        QVERIFY(saveRun(*m_library, early));
    }
    const FoundRuns found = lookForRuns(*loadRuns(*m_library), m_runs);
    QCOMPARE(found.news.size(), size_t{3});
    RunRecord later = run("robot");
    later.state = "cancelled";
    later.endedMs = nowMs();
    QVERIFY(saveRun(*m_library, later));
    RunRecord begun;
    begun.id = newRecordId();
    begun.folder = folder("begun");
    begun.state = "running";
    QVERIFY(saveRun(*m_library, begun));
    QVERIFY(removeRun(*m_library, folder("removed")));
    QCOMPARE(*takeUpRuns(*m_library, found), 0);
    QCOMPARE(run("robot").state, std::string("cancelled"));
    QCOMPARE(run("begun").state, std::string("running"));
    QCOMPARE(count(), size_t{2});
}

void FoundRunsTest::aModelThatWasChosenDuringTheLookStays() {
    RunRecord early = run("robot");
    early.state = "running";
    early.endedMs = 0;
    QVERIFY(saveRun(*m_library, early));
    const FoundRuns found = lookForRuns(*loadRuns(*m_library), m_runs);
    QVERIFY(setRunModel(*m_library, folder("robot"), "/found/model"));
    QCOMPARE(*takeUpRuns(*m_library, found), 1);
    QVERIFY(run("robot").state != "running");
    QCOMPARE(run("robot").model, std::string("/found/model"));
}

void FoundRunsTest::aMoveThatTheIndexNeverLearnedIsFoundAgain() {
    makeFurther("further");
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    fs::rename(folder("robot"), folder("android"));
    QCOMPARE(lookForRuns(*loadRuns(*m_library), m_runs).moved.size(), size_t{1}); // and then the power went
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(run("android").id, m_key);
    QCOMPARE(modelOf("further"), folder("android") + "/result/model");
    QCOMPARE(run("further").model, modelOf("further"));
}

void FoundRunsTest::whatEndedElsewhereIsNoticed() {
    const std::string path = m_folder->filePath("other disk/far").toStdString();
    fs::create_directories(fs::path(path).parent_path());
    QVERIFY(RunFolder::create(path, TrainConfig()));
    RunRecord begun;
    begun.id = newRecordId();
    begun.folder = path;
    begun.title = "far away";
    begun.state = "waiting";
    QVERIFY(saveRun(*m_library, begun));
    {
        auto journal = JournalWriter::open(path + "/events.jsonl");
        OutcomeEvent outcome;
        outcome.result = "done";
        (*journal)->emit(StepEvent{80, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        (*journal)->emit(outcome);
    }
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1); // from a command line, say, while no window was open
    const RunRecord known = runAt(path);
    QCOMPARE(known.state, std::string("done"));
    QCOMPARE(known.stepsDone, int64_t{80});
    QVERIFY(known.endedMs > 0);
    QCOMPARE(known.title, std::string("far away"));
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
}

void FoundRunsTest::whatWaitsInTheQueueIsKnownWhereverItLies() {
    const std::string path = m_folder->filePath("scripts/one").toStdString();
    fs::create_directories(fs::path(path).parent_path());
    QVERIFY(RunFolder::create(path, TrainConfig()));
    const JobQueue queue;
    QVERIFY(queue.add(path).ok() && queue.add("/nowhere/at/all").ok());
    fs::create_directory_symlink(m_runs, m_folder->filePath("link").toStdString());
    QVERIFY(queue.add(m_folder->filePath("link/robot").toStdString()).ok()); // which is known
    const size_t before = count();
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 1);
    QCOMPARE(runAt(path).state, std::string("waiting"));
    QCOMPARE(count(), before + 1);
    QCOMPARE(*rebuildRuns(*m_library, m_runs), 0);
}

QTEST_APPLESS_MAIN(FoundRunsTest)
#include "tst_found_runs.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of a run, which no window has seen, goes on beside its original: alone and from the queue. A run
// itself stays where it lies.
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "tests/cli/supervised.h"

using namespace homebooth::core;
using namespace homebooth::test;

class tst_copied_runs : public Supervised {
    Q_OBJECT

    struct Copy {
        std::string disk;
        std::string folder;
        std::string place; ///< of the original's moments on the disk
    };
    /// Copies a run that is done and whose moments are on another disk.
    Copy copyOfMoved() {
        const Finished made = run(trainArguments(), "done");
        if (made.code != 0) qFatal("%s", made.err.c_str());
        Copy copy{fs::canonical(m_folder.path().toStdString()).string() + "/disk",
                  m_folder.filePath("copy").toStdString(),
                  {}};
        for (const std::string& left : {copy.disk, copy.folder}) fs::remove_all(left);
        fs::create_directory(copy.disk);
        const auto moved = moveCheckpoints(*RunFolder::open(m_run.toStdString()), copy.disk);
        if (!moved) qFatal("%s", moved.error().text().c_str());
        copy.place = *moved;
        fs::copy(m_run.toStdString(), copy.folder,
                 fs::copy_options::recursive | fs::copy_options::copy_symlinks);
        return copy;
    }
    static void bothWays() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("resume") << QStringList{"resume", "RUN", "--device", "cpu"};
        QTest::newRow("queue") << QStringList{"supervise", "RUN", "--no-queue"};
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginAgain(); }

    void aRunGoesOnInItsOwnFolder() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const QString other = m_folder.filePath("other");
        const QStringList further{"resume", m_run, "--steps", "25", "--device", "cpu", "--output"};
        const Finished ended = run(further + QStringList{other}, "done");
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "copy the run's folder"), ended.err.c_str());
        QVERIFY(!QFile::exists(other));
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->steps, int64_t{10});
        QCOMPARE(run(further + QStringList{m_run}, "done").code, 0);
    }

    void aCopyGoesOnBesideItsOriginal_data() { bothWays(); }
    void aCopyGoesOnBesideItsOriginal() {
        QFETCH(QStringList, words);
        const auto [disk, copied, place] = copyOfMoved();
        words[1] = QString::fromStdString(copied);
        const Finished ended = run(words, "done");
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(checkpointsElsewhere(copied), std::optional(disk + "/copy checkpoints"));
        QCOMPARE(checkpointsElsewhere(m_run.toStdString()), std::optional(place));
        const std::string journal = readAll(copied + "/events.jsonl");
        QVERIFY2(contains(journal, "\"code\":\"copied-run\""), journal.c_str());
        QCOMPARE(run({"resume", m_run, "--device", "cpu"}, "done").code, 0);
        QCOMPARE(checkpointsElsewhere(m_run.toStdString()), std::optional(place));
    }

    void whatWasLeftForACopyStaysThoughItHasItsOwn() {
        const auto [disk, copied, place] = copyOfMoved();
        fs::remove_all(m_run.toStdString());
        const Finished ended = run({"resume", QString::fromStdString(copied), "--device", "cpu"}, "done");
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY(fs::exists(place)); // for whoever takes the original back
        QCOMPARE(checkpointsElsewhere(copied), std::optional(disk + "/copy checkpoints"));
        const std::string journal = readAll(copied + "/events.jsonl");
        QVERIFY2(contains(journal, place + " stays as it is"), journal.c_str());
    }

    void whereItSavesIsToldThoughItDoesNotBeginAtOnce_data() { bothWays(); }
    void whereItSavesIsToldThoughItDoesNotBeginAtOnce() {
        QFETCH(QStringList, words);
        const std::string copied = copyOfMoved().folder;
        words[1] = QString::fromStdString(copied);
        fs::remove_all(photos().toStdString());
        QVERIFY(run(words, "done").code != 0);
        makePhotos();
        QCOMPARE(run(words, "done").code, 0);
        const std::string journal = readAll(copied + "/events.jsonl");
        const std::string told = "\"code\":\"copied-run\"";
        QVERIFY2(contains(journal, told.c_str()), journal.c_str());
        QCOMPARE(journal.find(told), journal.rfind(told)); // once
    }
};

QTEST_GUILESS_MAIN(tst_copied_runs)
#include "tst_copied_runs.moc"

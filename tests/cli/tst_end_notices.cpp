// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a supervisor tells the desktop of jobs that end without a window: in the window's words, once a job. A
// program of the test's own stands in for busctl.
#include "core/base/run/end_words.h"
#include "tests/cli/supervised.h"

#include <csignal>
#include <signal.h>

using namespace homebooth::core;
using namespace homebooth::test;

class tst_end_notices : public Supervised {
    Q_OBJECT

    QString told() const { return m_folder.filePath("told"); }

    /// The titles, one a line.
    std::string titles() const { return readAll(told().toStdString()); }

    void startSupervisor(QProcess& process, const QString& how) const {
        QProcessEnvironment values = environmentWithTools(how);
        values.insert("TOLD", told());
        process.setProcessEnvironment(values);
        process.start(m_engine, {"supervise"});
    }

    void supervise(const QString& how) const {
        QProcess process;
        startSupervisor(process, how);
        QVERIFY(process.waitForFinished(kLongestMs));
    }

private slots:
    void initTestCase() {
        makePrograms();
        // The title is the last word but four, see the arguments of Notify.
        writeTool("busctl", "#!/bin/bash\necho \"${@: -5:1}\" >>\"$TOLD\"\n");
    }
    void init() {
        beginAgain();
        QFile::remove(told());
        QCOMPARE(run(trainArguments(), "done").code, 0);
    }

    void whatEndsIsToldInTheWindowsWords() {
        const JobQueue queue(queueFolder());
        QVERIFY(setEndWords(queue, {"%1 ist fertig", "%1 braucht dich"}).ok());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.add("/no/such/thing").ok());
        supervise("done");
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(titles()).count('\n'), qsizetype{2}, kLongestMs);
        QVERIFY2(titles().find("run ist fertig\n") != std::string::npos, titles().c_str());
        QVERIFY2(titles().find("thing braucht dich\n") != std::string::npos, titles().c_str());
    }

    void aRunThatWaitsForRoomIsToldOnce() {
        const JobQueue queue(queueFolder());
        QVERIFY(setEndWords(queue, {"%1 done", "%1 needs you"}).ok());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        supervise("waits for room, twice");
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(titles()).count('\n'), qsizetype{2}, kLongestMs);
        QVERIFY2(titles().find("run needs you\n") != std::string::npos, titles().c_str());
        QVERIFY2(titles().find("run done\n") != std::string::npos, titles().c_str()); // either may be first
    }

    void aLivingWindowTellsItItself() {
        const JobQueue queue(queueFolder());
        QVERIFY(setEndWords(queue, {"%1 done", "%1 failed"}).ok());
        auto window = beTheWindow(queue);
        QVERIFY(window.ok() && window->has_value());
        QVERIFY(windowLives(queue));
        QVERIFY(queue.add(m_run.toStdString()).ok());
        supervise("done");
        QTest::qWait(500);
        QCOMPARE(titles(), std::string());
        window->reset();
        QVERIFY(!windowLives(queue));
        QVERIFY(queue.add(m_run.toStdString()).ok());
        supervise("done");
        QTRY_COMPARE_WITH_TIMEOUT(titles(), std::string("run done\n"), kLongestMs);
    }

    void withoutWordsNothingIsTold() {
        const JobQueue queue(queueFolder());
        QVERIFY(endWords(queue).done.empty()); // no window was ever here
        QVERIFY(queue.add(m_run.toStdString()).ok());
        supervise("done");
        QVERIFY(setEndWords(queue, {}).ok()); // the user wants none
        QVERIFY(queue.add(m_run.toStdString()).ok());
        supervise("done");
        QTest::qWait(500);
        QCOMPARE(titles(), std::string());
    }

    void whoeverStoppedItKnows() {
        const JobQueue queue(queueFolder());
        QVERIFY(setEndWords(queue, {"%1 done", "%1 failed"}).ok());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QProcess process;
        startSupervisor(process, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        ::kill(workerPid(), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QTest::qWait(500);
        QCOMPARE(titles(), std::string());
    }

    void damagedWordsAreNone() {
        const JobQueue queue(queueFolder());
        QVERIFY(QDir().mkpath(QString::fromStdString(queueFolder())));
        std::ofstream(queueFolder() + "/words") << "{\"done\": 7";
        QVERIFY(endWords(queue).done.empty());
        QVERIFY(endWords(queue).failed.empty());
    }
};

QTEST_GUILESS_MAIN(tst_end_notices)
#include "tst_end_notices.moc"

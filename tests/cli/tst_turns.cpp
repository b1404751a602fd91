// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue as the window shares it with the supervisor: whoever has the turn keeps it, trainings go on when
// that one is gone, and words are found beside their run. A program of another kind stands for the window.
#include "core/base/run/queue/job_queue.h"
#include "tests/cli/supervised.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth::core;
using namespace homebooth::test;

class tst_turns : public Supervised {
    Q_OBJECT

private slots:
    void initTestCase() { makePrograms(); }
    void init() {
        beginAgain();
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
    }

    void aTrainingWaitsWhilePicturesAreMade() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        auto turn = queue.takeTurn();
        QVERIFY(turn.ok() && turn->has_value());
        QProcess process;
        start(process, {"supervise"}, "done");
        QTRY_VERIFY_WITH_TIMEOUT(queue.supervised(), kLongestMs);
        QTest::qWait(600);
        QVERIFY(!workerStarted());
        QCOMPARE(queue.jobs()->size(), size_t{1});
        turn->reset();
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(workerStarted());
        QVERIFY(queue.jobs()->empty());
        QVERIFY(queue.takeTurn()->has_value()); // and it is given back
    }

    void aRunThatIsNamedWaitsForPicturesToo() {
        const JobQueue queue(queueFolder());
        auto turn = queue.takeTurn();
        QProcess process;
        start(process, {"supervise", m_run}, "done");
        QTRY_VERIFY_WITH_TIMEOUT(queue.jobs()->size() == 1, kLongestMs);
        QTest::qWait(600);
        QVERIFY(!workerStarted());
        turn->reset();
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(workerStarted());
    }

    void trainingsGoOnWithoutAWindowThatDied() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t window = ::fork();
        if (window == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // with the test, however that ends
            const auto turn = queue.takeTurn();
            const char sign = turn.ok() && turn->has_value() ? 'y' : 'n';
            (void)!::write(ready[1], &sign, 1);
            while (true) ::pause();
        }
        char sign = 0;
        QCOMPARE(::read(ready[0], &sign, 1), ssize_t{1});
        QCOMPARE(sign, 'y');
        QProcess process;
        start(process, {"supervise"}, "done");
        QTRY_VERIFY_WITH_TIMEOUT(queue.supervised(), kLongestMs);
        QTest::qWait(600);
        QVERIFY(!workerStarted());
        ::kill(window, SIGKILL);
        QCOMPARE(::waitpid(window, nullptr, 0), window);
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(workerStarted());
        QVERIFY(queue.jobs()->empty());
    }

    void wordsOfARunLieInItsFolder() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        const Finished ended = run({"supervise", "--logs-in-runs"}, "segv");
        QVERIFY2(ended.err.empty(), ended.err.c_str());
        const std::string words = readAll(m_run.toStdString() + "/supervisor.log");
        QVERIFY2(words.find("SIGSEGV") != std::string::npos, words.c_str());
    }

    void aPipeInPlaceOfALogHoldsNobody() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QCOMPARE(::mkfifo((m_run.toStdString() + "/supervisor.log").c_str(), 0600), 0);
        QVERIFY(run({"supervise", "--logs-in-runs"}, "done").code >= 0);
        QVERIFY(workerStarted());
        QVERIFY(queue.jobs()->empty());
    }

    void nobodyWaitsForATurnWithNothingToDo() {
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        const auto turn = queue.takeTurn();
        QProcess process;
        start(process, {"supervise"}, "done");
        QTRY_VERIFY_WITH_TIMEOUT(queue.supervised(), kLongestMs);
        QByteArray told;
        QTRY_VERIFY_WITH_TIMEOUT((told += process.readAllStandardError()).contains("comes first"),
                                 kLongestMs);
        QTest::qWait(600);
        told += process.readAllStandardError();
        QCOMPARE(told.count("comes first"), 1); // and not at every look
        QVERIFY2(told.contains(QByteArray::number(::getpid())), told.constData());
        QVERIFY(*queue.remove(id, JobState::Waiting));
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(!workerStarted());
    }
};

QTEST_GUILESS_MAIN(tst_turns)
#include "tst_turns.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue as the supervisor works it off: in order, after a stop, when it is held, and beside a run that is
// named. The job is of a run that has ended once.
#include "core/base/run/queue/job_queue.h"
#include "tests/cli/supervised.h"

#include <csignal>
#include <signal.h>

using namespace homebooth::core;
using namespace homebooth::test;

class tst_queued_jobs : public Supervised {
    Q_OBJECT

private slots:
    void initTestCase() { makePrograms(); }
    void init() {
        beginAgain();
        QCOMPARE(run(trainArguments(), "done").code, 0);
    }

    void theQueueIsWorkedOffInOrder() {
        const QString queue = m_folder.filePath("state/homebooth/queue");
        QVERIFY(QDir().mkpath(queue));
        std::ofstream(queue.toStdString() + "/1.json") << "{\"run\": \"" << m_run.toStdString() << "\"}";
        std::ofstream(queue.toStdString() + "/2.json") << "{\"run\": \"/no/such/run\"}";
        std::ofstream(queue.toStdString() + "/3.json") << "not json";
        std::ofstream(queue.toStdString() + "/4.json") << "{\"run\": \"" << m_run.toStdString() << "\"}";
        QVERIFY(run({"supervise"}, "done").code >= 0);
        QVERIFY(!QFile::exists(queue + "/1.json"));
        QVERIFY(!QFile::exists(queue + "/4.json"));
        QVERIFY(QFile::exists(queue + "/lost/2.json")); // its run may be found again
        QVERIFY(QFile::exists(queue + "/failed/3.json"));
        QCOMPARE(history().steps.size(), size_t{3});
    }

    void aStoppedJobStopsAlone() {
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        QVERIFY(queue.add("/no/such/run").ok());
        QProcess process;
        start(process, {"supervise"}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        QVERIFY(queue.supervised());
        ::kill(workerPid(), SIGTERM); // as the worker's own "stop" ends it: the supervisor was not asked
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(queue.jobs(JobState::Stopped)->size(), size_t{1});
        QCOMPARE(queue.jobs(JobState::Stopped)->front().id, id);
        QVERIFY(queue.jobs()->empty()); // the next one had its turn
        QCOMPARE(queue.jobs(JobState::Lost)->size(), size_t{1});
        QVERIFY(run({"supervise"}, "done").code >= 0);
        QCOMPARE(history().steps.size(), size_t{2}); // what was stopped does not begin by itself
        QCOMPARE(queue.jobs(JobState::Stopped)->size(), size_t{1});
        QCOMPARE(queue.jobs(JobState::Lost)->size(), size_t{1});
    }

    void aHeldQueueRestsAfterAStop() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.add("/no/such/run").ok());
        QProcess process;
        start(process, {"supervise"}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        QVERIFY(queue.setHeld(true).ok());
        ::kill(workerPid(), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(queue.jobs(JobState::Stopped)->size(), size_t{1});
        QCOMPARE(queue.jobs()->size(), size_t{1});
    }

    void aHeldQueueRests() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.setHeld(true).ok());
        const Finished ended = run({"supervise"}, "done");
        QCOMPARE(ended.code, 0);
        QVERIFY2(contains(ended.out, "the queue is held"), ended.out.c_str());
        QCOMPARE(queue.jobs()->size(), size_t{1});
        QCOMPARE(history().steps.size(), size_t{1});
    }

    void anEmptyQueueIsSaid() {
        const Finished ended = run({"supervise"}, "done");
        QCOMPARE(ended.code, 0);
        QVERIFY2(contains(ended.out, "the queue is empty"), ended.out.c_str());
    }

    void aJobThatTheSystemCutShortWaitsAgain() {
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        QProcess process;
        start(process, {"supervise"}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(queue.jobs()->size(), size_t{1});
        QCOMPARE(queue.jobs()->front().id, id);
        QCOMPARE(run({"supervise"}, "done").code, 0);
        QVERIFY(queue.jobs()->empty());
    }

    void nothingBeginsBehindAJobThatEndsWhileTheSupervisorIsStopped() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.add("/no/such/run").ok());
        QProcess process;
        start(process, {"supervise"}, "done at a stop");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(history().outcome->result, std::string("done"));
        QCOMPARE(queue.jobs()->size(), size_t{1}); // which is none, but nobody has looked
        QVERIFY(queue.jobs(JobState::Failed)->empty());
    }

    void aJobThatTheSystemCutShortWhileItWasPlannedWaitsAgain() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        fs::remove(m_folder.filePath("pid").toStdString());
        QProcess process;
        start(process, {"supervise"}, "endless plan");
        QTRY_VERIFY_WITH_TIMEOUT(!readAll(m_folder.filePath("pid").toStdString()).empty(), kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(queue.jobs()->size(), size_t{1});
        QCOMPARE(history().outcome->result, std::string("done")); // the first run's; nothing failed since
    }

    void aRunThatIsNamedIsNotWorkedOnAgainByTheQueue() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QCOMPARE(history().steps.size(), size_t{1});
        QCOMPARE(run({"supervise", m_run}, "done").code, 0);
        QVERIFY(queue.jobs()->empty());
        QCOMPARE(history().steps.size(), size_t{2});
    }

    void aNamedRunThatTheSystemCutShortWaits() {
        const JobQueue queue(queueFolder());
        QProcess process;
        start(process, {"supervise", m_run}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        QVERIFY(*queue.add(m_run.toStdString()) == queue.jobs(JobState::Running)->front().id);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(queue.jobs()->size(), size_t{1});
    }

    void aRunBesideAnotherSupervisorIsTheNextOne() {
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add("/runs/waiting").ok());
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        {
            const auto lock = queue.supervise();
            QVERIFY(lock.ok());
            const Finished second = run({"supervise", m_run}, "done");
            QCOMPARE(second.code, 0);
            QVERIFY2(second.out.find("next one") != std::string::npos, second.out.c_str());
        }
        QVERIFY(!workerStarted());
        QCOMPARE(queue.jobs()->size(), size_t{2});
        QCOMPARE(queue.jobs()->front().runDir, m_run.toStdString());
    }

    void aRunThatWasMovedBeforeItsTurnIsLostUntilItIsFound() {
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        const QString now = m_run + ", renamed";
        QVERIFY(QDir(now).removeRecursively() && QDir().rename(m_run, now));
        const Finished ended = run({"supervise"}, "done");
        for (const char* words : {"expected a run there", "found none", "put back"})
            QVERIFY2(contains(ended.err, words), ended.err.c_str());
        QVERIFY(queue.jobs()->empty() && queue.jobs(JobState::Failed)->empty());
        QCOMPARE(queue.jobs(JobState::Lost)->front().id, id);
        QVERIFY(queue.follow(m_run.toStdString(), now.toStdString()).ok());
        QCOMPARE(queue.jobs()->front().runDir, now.toStdString());
        m_run = now;
        QCOMPARE(history().steps.size(), size_t{1});
        QCOMPARE(run({"supervise"}, "done").code, 0);
        QCOMPARE(history().steps.size(), size_t{2});
        QVERIFY(queue.jobs()->empty() && queue.jobs(JobState::Lost)->empty());
    }

    void aQueuedRunThatIsNamedByALinkIsTheSameJob() {
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        const QString link = m_folder.filePath("link");
        QFile::remove(link);
        QVERIFY(QFile::link(m_folder.path(), link));
        QProcess process;
        start(process, {"supervise", link + "/" + QFileInfo(m_run).fileName()}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        QVERIFY(queue.jobs()->empty());
        QCOMPARE(queue.jobs(JobState::Running)->front().id, id);
        QCOMPARE(queue.jobs(JobState::Running)->front().runDir, m_run.toStdString());
        ::kill(workerPid(), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(QFile::remove(link));
    }

    void aQueuedJobIsCheckedAgainBeforeItRuns() {
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        QVERIFY(QFile::remove(photos() + "/good.png")); // since the job was queued
        const QString queue = m_folder.filePath("state/homebooth/queue");
        QVERIFY(QDir().mkpath(queue));
        std::ofstream(queue.toStdString() + "/1.json") << "{\"run\": \"" << m_run.toStdString() << "\"}";
        const Finished ended = run({"supervise"}, "done");
        QVERIFY2(ended.err.find("found none") != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QVERIFY(QFile::exists(queue + "/failed/1.json"));
        QCOMPARE(history().outcome->result, std::string("failed"));
        QCOMPARE(history().outcome->code, 3);
    }
};

QTEST_GUILESS_MAIN(tst_queued_jobs)
#include "tst_queued_jobs.moc"

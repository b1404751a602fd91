// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How runs end: by themselves, by signals, by dying workers and supervisors.
#include "core/base/run/failure_cause.h"
#include "core/base/run/lock_wait.h"
#include "core/base/run/queue/job_queue.h"
#include "tests/cli/supervised.h"
#include "tests/cli/worker_processes.h"

#include <chrono>
#include <csignal>
#include <signal.h>
#include <thread>

using namespace homebooth::core;
using namespace homebooth::test;

Q_DECLARE_METATYPE(homebooth::core::FailureCause)

class tst_supervisor : public Supervised {
    Q_OBJECT

    static constexpr qint64 kUntilStep = -1;
    static constexpr int kAnotherRequestMs = 600; // what is sent sooner belongs to the one before

    /// Whatever is there of the run says how it ended. @param begun  how often something is
    void stopAfter(qint64 delayUs, int& begun) {
        fs::remove_all(m_run.toStdString());
        QProcess process;
        const bool untilStep = delayUs == kUntilStep; // and then it does not end by itself
        start(process, trainArguments(), untilStep ? "stoppable" : "done");
        QVERIFY(process.waitForStarted(kLongestMs));
        if (untilStep)
            QVERIFY(waitForStep());
        else
            std::this_thread::sleep_for(std::chrono::microseconds(delayUs));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        const bool died = process.exitStatus() == QProcess::CrashExit;
        if (died) QCOMPARE(process.exitCode(), SIGINT); // it did not listen yet
        const Finished ended = collect(process);
        QVERIFY2(died || ended.code == 5 || ended.code == 0, ended.err.c_str());
        if (!QFile::exists(m_run)) return; // it had not begun
        ++begun;
        for (const auto& entry : fs::directory_iterator(m_run.toStdString())) { // what is in the making
            const std::string name = entry.path().filename();
            QVERIFY2(!name.starts_with('.') || name == ".run-copy.json", name.c_str());
        }
        QVERIFY(history().outcome.has_value());
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() {
        m_slots = "GPU-1=The only one";
        beginAgain();
    }

    void aCrashIsOneToWhoeverLetSigchldBeIgnored() {
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGCHLD, SIG_IGN); }); // and so the engine starts
        start(process, trainArguments(), "segv");
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.err.find("SIGSEGV") != std::string::npos, ended.err.c_str());
        QCOMPARE(history().outcome->result, std::string("failed"));
    }

    void aFinishedRunPrintsItsResult() {
        const Finished ended = run(trainArguments(), "done");
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.find("result/model") != std::string::npos, ended.out.c_str());
        QVERIFY(ended.err.empty());
        QCOMPARE(history().outcome->result, std::string("done"));
        QVERIFY(history().plan.has_value());
        QVERIFY(lockIsFree());
    }

    void aDeadWorkerIsExplained_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        QTest::addColumn<FailureCause>("cause");
        QTest::newRow("killed") << "kill" << 1 << "SIGKILL" << FailureCause::Killed;
        QTest::newRow("killed while writing") << "torn" << 1 << "SIGKILL" << FailureCause::Killed;
        QTest::newRow("crashed") << "segv" << 1 << "SIGSEGV" << FailureCause::Crash;
        QTest::newRow("aborted") << "abort" << 1 << "SIGABRT" << FailureCause::Crash;
        QTest::newRow("out of memory") << "exit4" << 4 << "memory" << FailureCause::OutOfMemory;
        QTest::newRow("device lost") << "exit6" << 6 << "GPU" << FailureCause::DeviceLost;
        QTest::newRow("strange code") << "exit99" << 1 << "99" << FailureCause::Unknown;
    }
    void aDeadWorkerIsExplained() {
        QFETCH(QString, how);
        QFETCH(int, code);
        QFETCH(QString, words);
        const Finished ended = run(trainArguments(), how);
        QCOMPARE(ended.code, code);
        QVERIFY2(ended.err.find(words.toStdString()) != std::string::npos, ended.err.c_str());
        QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), std::ptrdiff_t{1});
        const RunHistory after = history();
        QVERIFY(after.outcome.has_value());
        QCOMPARE(after.outcome->result, std::string("failed"));
        QCOMPARE(after.outcome->code, code);
        QVERIFY(!after.outcome->message.empty());
        QTEST(causeOf(after.outcome->code, after.outcome->message), "cause");
        QVERIFY(!after.outcome->kept.empty());
        QCOMPARE(after.steps.size(), size_t{1});
        QVERIFY(lockIsFree());
        QVERIFY(QFile::exists(m_run + "/run.json"));
    }

    void ctrlCSavesAndSaysHowToGoOn() {
        QProcess process;
        start(process, trainArguments(), "stoppable");
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.out.find(" resume '" + m_run.toStdString()) != std::string::npos, ended.out.c_str());
        QVERIFY(QFile::exists(m_run + "/saved"));
        QCOMPARE(history().outcome->result, std::string("cancelled"));
    }

    void howToGoOnCanBeCopiedIntoAnyShell_data() {
        QTest::addColumn<QString>("bin"); // the engine's folder
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("byName");
        QTest::newRow("away from PATH") << "bin"
                                        << "nowhere" << false;
        QTest::newRow("in a folder of any name") << "Anna's $(bin);x"
                                                 << "nowhere" << false;
        QTest::newRow("on PATH") << "bin"
                                 << "bin" << true;
        QTest::newRow("another one on PATH") << "bin"
                                             << "tools" << false;
    }
    void howToGoOnCanBeCopiedIntoAnyShell() {
        QFETCH(QString, bin);
        QFETCH(QString, path);
        m_run = m_folder.filePath("Anna's $(run);x");
        fs::remove_all(m_run.toStdString());
        const fs::path programs = m_folder.filePath(bin).toStdString();
        if (!fs::exists(programs)) fs::copy(m_folder.filePath("bin").toStdString(), programs);
        writeTool("homebooth-engine", "#!/bin/sh\nexit 9\n");
        QProcessEnvironment values = environment("stoppable");
        values.insert("PATH", m_folder.filePath(path));
        QProcess process;
        process.setProcessEnvironment(values);
        process.start(QString::fromStdString(programs / "homebooth-engine"), trainArguments());
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        const QString said = QString::fromStdString(collect(process).out);
        const QString command = said.section("go on with: ", 1).section('\n', 0, 0);
        QTEST(command.startsWith("homebooth-engine resume '"), "byName");
        values.insert("FAKE_WORKER", "done");
        QProcess shell;
        shell.setProcessEnvironment(values);
        shell.setWorkingDirectory("/");
        shell.start("/bin/sh", {"-c", command});
        QVERIFY(shell.waitForFinished(kLongestMs));
        QVERIFY2(shell.exitCode() == 0, qPrintable(command + shell.readAllStandardError()));
        QCOMPARE(history().outcome->result, std::string("done"));
    }

    void ctrlCAtAnyMomentLeavesNoHalfRun() {
        constexpr int kMoments = 24;
        QElapsedTimer undisturbed;
        undisturbed.start();
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const qint64 wholeUs = undisturbed.nsecsElapsed() / 1000;
        int begun = 0;
        for (int moment = 0; moment < kMoments; ++moment) {
            stopAfter(wholeUs * 6 / 5 * moment / kMoments, begun); // to beyond its end
            if (QTest::currentTestFailed()) QFAIL(QByteArray::number(moment));
        }
        QVERIFY2(begun < kMoments, "no moment was ahead of the run");
        stopAfter(kUntilStep, begun); // the others are all ahead of it where the machine became slower
        QVERIFY(begun > 0);
    }

    void aSupervisedRunOutlivesItsTerminal() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        QProcess process;
        process.setChildProcessModifier([] { ::setpgid(0, 0); }); // as an interactive shell starts programs
        start(process, {"supervise", m_run, "--no-queue"}, "stoppable");
        QVERIFY(QTest::qWaitFor([this] { return workerPid() > 0; }, kLongestMs));
        const auto supervisor = static_cast<pid_t>(process.processId());
        ::kill(-supervisor, SIGHUP);
        QTest::qWait(500);
        QCOMPARE(process.state(), QProcess::Running);
        QVERIFY(!QFile::exists(m_run + "/saved"));
        ::kill(supervisor, SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(collect(process).code, 5);
        QVERIFY(QFile::exists(m_run + "/saved"));
    }

    /// As timeout does, which tells its child and then the whole group.
    void whatIsSentTwiceInAMomentIsOneRequest() {
        QProcess process;
        start(process, trainArguments(), "slower");
        QVERIFY(waitForStep());
        for (int sent = 0; sent < 20; ++sent) {
            ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
            ::usleep(500);
        }
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.out.find("stopping at once") == std::string::npos, ended.out.c_str());
        QVERIFY(QFile::exists(m_run + "/saved"));
    }

    void aSecondCtrlCLeavesAMomentForWhatIsBeingSaved() {
        QProcess process;
        start(process, trainArguments(), "saves until told");
        QVERIFY(waitForStep());
        QByteArray said;
        for (const char* words : {"saving and stopping", "stopping at once"}) {
            QTest::qWait(kAnotherRequestMs);
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardOutput()).contains(words), kLongestMs);
        }
        std::ofstream(m_run.toStdString() + "/end") << "now\n"; // it has saved
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(collect(process).code, 5);
        QVERIFY(QFile::exists(m_run + "/saved"));
    }

    void aWorkerThatDoesNotListenYetIsStoppedByTheFirstCtrlC() {
        QProcess process;
        start(process, trainArguments(), "deaf");
        QVERIFY(waitForStep());
        QTRY_VERIFY_WITH_TIMEOUT(!isSignalIn(workerPid(), "SigCgt", SIGTERM), kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.err.empty(), ended.err.c_str());
        QVERIFY(history().outcome->message.starts_with("stopped before it had begun"));
    }

    /// As the journal has it, also where the worker could not say it any more.
    void programsAreToldOfEachEnd() {
        const Finished ended = run(trainArguments() + QStringList{"--json"}, "segv");
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.out.find("\"state\":\"planning\"") < ended.out.find("\"type\":\"plan\""),
                 ended.out.c_str());
        const QStringList lines = QString::fromStdString(ended.out).trimmed().split('\n');
        QCOMPARE(lines.filter("\"type\":\"outcome\"").size(), qsizetype{1});
        QVERIFY2(lines.back().contains("SIGSEGV"), qPrintable(lines.back()));
    }

    void theSecondCtrlCKills() {
        QProcess process;
        start(process, trainArguments(), "stubborn");
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QByteArray said; // by whoever has heard the first one: two that come together are one
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardOutput()).contains("saving and stopping"),
                                 kLongestMs);
        QTest::qWait(kAnotherRequestMs);
        QCOMPARE(process.state(), QProcess::Running);
        QElapsedTimer moment;
        moment.start();
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(moment.elapsed() > 1000); // for what is just being saved
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.out.find("stopping at once") != std::string::npos, ended.out.c_str());
        QVERIFY2(ended.out.find("nothing was saved yet") != std::string::npos, ended.out.c_str());
        QCOMPARE(history().outcome->result, std::string("cancelled"));
        QVERIFY(!QFile::exists(m_run + "/saved"));
    }

    void aWorkerWhoseSupervisorDiesSavesAndEnds() {
        QProcess process;
        start(process, trainArguments(), "stoppable");
        QVERIFY(waitForStep());
        const pid_t worker = workerPid();
        QVERIFY(worker > 0);
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(QTest::qWaitFor([this] { return QFile::exists(m_run + "/saved"); }, kLongestMs));
        QVERIFY(QTest::qWaitFor([this] { return lockIsFree(); }, kLongestMs));
        // Nobody asked for this end: it must not read like one that the user wanted.
        QCOMPARE(history().outcome->result, std::string("failed"));
        QVERIFY(causeOf(history().outcome->code, history().outcome->message) == FailureCause::EngineEnded);
        QVERIFY(QFile::exists(m_run + "/ended"));
    }

    void theLockHoldsUntilTheWorkerIsGone() {
        QProcess process;
        start(process, trainArguments(), "stubborn");
        QVERIFY(waitForStep());
        const pid_t worker = workerPid();
        const Finished second = run({"resume", m_run, "--device", "cpu"}, "done");
        QCOMPARE(second.code, 3);
        QVERIFY2(second.err.find(std::to_string(process.processId())) != std::string::npos,
                 second.err.c_str());
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        // The supervisor is dead, the worker does not want to end: the run is still being written.
        const Finished third = run({"resume", m_run, "--device", "cpu"}, "done");
        QCOMPARE(third.code, 3);
        QVERIFY2(third.err.find("its worker has not ended") != std::string::npos, third.err.c_str());
        ::kill(worker, SIGKILL);
        QVERIFY(QTest::qWaitFor([this] { return lockIsFree(); }, kLongestMs));
        QCOMPARE(run({"resume", m_run, "--device", "cpu"}, "done").code, 0);
    }

    void aStandInEndsWithTheFolderOfAFailedTest_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("that does not end") << "stubborn";
        QTest::newRow("that saves for long") << "saves until told";
    }
    void aStandInEndsWithTheFolderOfAFailedTest() {
        QFETCH(QString, how);
        QProcess process;
        start(process, trainArguments(), how);
        QVERIFY(waitForStep());
        const pid_t worker = workerPid();
        const auto end = qScopeGuard([worker] {
            if (lives(worker)) ::kill(worker, SIGKILL);
        });
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(QTest::qWaitFor([this] { return QFile::exists(m_run + "/asked"); }, kLongestMs));
        QVERIFY(lives(worker));
        fs::remove_all(m_run.toStdString()); // before anybody told it to end
        QVERIFY(QTest::qWaitFor([worker] { return !lives(worker); }, kLongestMs));
    }

    void resumingWaitsForAWorkerThatLostItsSupervisor() {
        QProcess process;
        start(process, trainArguments(), "saves until told");
        QVERIFY(waitForStep());
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        QProcess next;
        start(next, {"resume", m_run, "--device", "cpu"}, "done");
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT(
            (said += next.readAllStandardOutput()).contains("waiting for the run's last worker"), kLongestMs);
        QVERIFY(!QFile::exists(m_run + "/ended"));
        std::ofstream(m_run.toStdString() + "/end") << "now\n"; // it has saved
        const Finished ended = finish(next);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY(QFile::exists(m_run + "/ended")); // before the next one began
    }

    void aQueuedJobWaitsForItsLastWorkerHoweverLongThatSaves_data() {
        QTest::addColumn<QString>("gpus");
        QTest::newRow("one job at a time") << "GPU-1=The only one";
        QTest::newRow("one on each GPU") << "GPU-1=The first;GPU-2=The second";
    }
    // Longer than whoever resumes it is asked to wait. The next job must not begin beside it, either.
    void aQueuedJobWaitsForItsLastWorkerHoweverLongThatSaves() {
        QFETCH(QString, gpus);
        m_slots = gpus;
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QProcess first;
        start(first, {"supervise"}, "stubborn");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, kLongestMs);
        const pid_t worker = workerPid();
        const auto end = qScopeGuard([worker] { ::kill(worker, SIGKILL); });
        first.kill();
        QVERIFY(first.waitForFinished(kLongestMs));
        QVERIFY(queue.add("/no/such/run").ok());
        QProcess second;
        start(second, {"supervise"}, "done");
        QTest::qWait(static_cast<int>(kLockPatience.count()) + 1500);
        QCOMPARE(second.state(), QProcess::Running);
        QVERIFY(queue.jobs(JobState::Failed)->empty());
        QCOMPARE(queue.jobs(JobState::Running)->front().runDir, m_run.toStdString());
        ::kill(static_cast<pid_t>(second.processId()), SIGTERM);
        QVERIFY(second.waitForFinished(kLongestMs));
        QCOMPARE(collect(second).code, 5);
        QCOMPARE(queue.jobs()->size(), size_t{2});
        QCOMPARE(queue.jobs()->front().runDir, m_run.toStdString());
        QProcess third;
        start(third, {"supervise"}, "done");
        QTRY_VERIFY_WITH_TIMEOUT(!queue.jobs(JobState::Running)->empty(), kLongestMs);
        ::kill(worker, SIGKILL);
        QVERIFY(third.waitForFinished(kLongestMs));
        QCOMPARE(history().outcome->result, std::string("done"));
        QCOMPARE(queue.jobs(JobState::Lost)->size(), size_t{1}); // which is none
    }

    void aMissingWorkerIsSaidPlainly() {
        const QString worker = m_folder.filePath("bin/homebooth-worker");
        QVERIFY(QFile::rename(worker, worker + ".away"));
        const Finished ended = run(trainArguments(), "done");
        QVERIFY(QFile::rename(worker + ".away", worker));
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.err.find("homebooth-worker") != std::string::npos, ended.err.c_str());
        QVERIFY(!QFile::exists(m_run));
    }
};

QTEST_GUILESS_MAIN(tst_supervisor)
#include "tst_supervisor.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue on a machine with several GPUs: a job on each at once, and each of them by itself.
#include "core/base/run/failure_cause.h"
#include "tests/cli/slotted.h"
#include "tests/cli/worker_processes.h"

#include <signal.h>

using namespace homebooth::core;
using namespace homebooth::test;

class tst_slots : public Slotted {
    Q_OBJECT

    /// A run that so many processes train, on GPUs where there are enough.
    /// @param gpus  that it names
    std::string makeOnGpus(const QString& name, int64_t processes, const std::vector<std::string>& gpus) {
        std::string folder = makeRun(name);
        const auto run = RunFolder::open(folder);
        if (!run) qFatal("%s", run.error().message.c_str());
        TrainConfig config = *run->config();
        config.parallel.processes = processes;
        config.parallel.gpus = gpus;
        config.batchSize = 2;
        config.memory.device = ComputeDevice::Auto;
        if (const auto set = run->setConfig(config); !set) qFatal("%s", set.error().message.c_str());
        return folder;
    }
    std::string makeWide(const QString& name) { return makeOnGpus(name, 2, {}); }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginWithTwo(); }

    void twoJobsRunAtOnceEachOnItsGpu() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QCOMPARE(gpuOf(a), QString("GPU-1"));
        QCOMPARE(gpuOf(b), QString("GPU-2"));
        const auto running = queue.jobs(JobState::Running);
        QCOMPARE(running->size(), size_t{2});
        for (const QueuedJob& job : *running) {
            QCOMPARE(job.slot, job.runDir == a ? 0 : 1);
            QCOMPARE(job.device, std::string(job.runDir == a ? "The first" : "The second"));
        }
        QCOMPARE(queue.knownSlots(), (std::vector<JobSlot>{{"GPU-1", "The first"}, {"GPU-2", "The second"}}));
        tell(a, "done");
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Running), QStringList{"b"}, kLongestMs);
        QCOMPARE(process.state(), QProcess::Running);
        QVERIFY(!historyOf(b).outcome);
        tell(b, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
        for (const std::string& one : {a, b}) QCOMPARE(historyOf(one).outcome->result, "done");
        for (const JobState state :
             {JobState::Waiting, JobState::Running, JobState::Stopped, JobState::Failed})
            QVERIFY(queue.jobs(state)->empty());
    }

    void aThirdJobTakesTheSlotThatIsFreeFirst() {
        const JobQueue queue(queueFolder());
        const auto [a, b, c] = queued<3>(queue);
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QTest::qWait(1500); // a look at the queue or more
        QVERIFY(!started(c));
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"c"});
        tell(b, "done");
        QTRY_VERIFY_WITH_TIMEOUT(started(c), kLongestMs);
        QCOMPARE(gpuOf(c), QString("GPU-2"));
        QVERIFY(!historyOf(a).outcome);
        for (const std::string& one : {a, c}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void whatComesMeanwhileBeginsInAFreeSlot() {
        const std::string a = makeRun("a");
        const std::string b = makeRun("b");
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(a).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QTest::qWait(500);
        QVERIFY(queue.add(b).ok());
        QTRY_VERIFY_WITH_TIMEOUT(started(b), kLongestMs);
        QCOMPARE(gpuOf(b), QString("GPU-2"));
        for (const std::string& one : {a, b}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void aFailureFreesItsSlotAndTouchesNoOther() {
        const JobQueue queue(queueFolder());
        const auto [a, b, c] = queued<3>(queue);
        QProcess process;
        beginInSlots(process, "done", {"supervise", "--logs-in-runs"});
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        tell(a, "segv");
        QTRY_VERIFY_WITH_TIMEOUT(started(c), kLongestMs);
        QCOMPARE(gpuOf(c), QString("GPU-1"));
        QCOMPARE(runsOf(queue, JobState::Failed), QStringList{"a"});
        QCOMPARE(historyOf(a).outcome->result, "failed");
        QVERIFY(!historyOf(b).outcome);
        for (const std::string& one : {b, c}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0); // as with one slot: the queue goes on
        QVERIFY(readAll(a + "/supervisor.log").find("SIGSEGV") != std::string::npos);
        QVERIFY(readAll(b + "/supervisor.log").find("SIGSEGV") == std::string::npos);
    }

    void aStopOfOneLeavesTheOther() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        ::kill(workerOf(b), SIGTERM); // as the worker's own "stop" ends it: the supervisor was not asked
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Stopped), QStringList{"b"}, kLongestMs);
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"a"});
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(historyOf(a).outcome->result, "done");
        QCOMPARE(runsOf(queue, JobState::Stopped), QStringList{"b"});
    }

    // A session that ends sends SIGTERM to all of its programs: each worker must have the time to save.
    void aSessionThatEndsLetsAllJobsSaveAndWait() {
        const std::string a = makeRun("a", "slower");
        const std::string b = makeRun("b", "slower");
        const JobQueue queue(queueFolder());
        for (const std::string& one : {a, b}) QVERIFY(queue.add(one).ok());
        QProcess process;
        process.setChildProcessModifier([] { ::setpgid(0, 0); });
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(historyOf(b).steps.size(), size_t{2}, kLongestMs); // it listens
        ::kill(-static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        for (const std::string& one : {a, b}) {
            QVERIFY2(QFile::exists(QString::fromStdString(one) + "/ended"), one.c_str());
            QCOMPARE(historyOf(one).outcome->result, "cancelled");
        }
        QCOMPARE(runsOf(queue, JobState::Waiting), (QStringList{"a", "b"}));
    }

    // A worker that does not listen yet dies of what goes to the whole session; its job hears of it later.
    void aSessionThatEndsWhileAWorkerLoadsLetsItsJobWait() {
        const std::string a = makeRun("a", "deaf");
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(a).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(historyOf(a).steps.size(), size_t{2}, kLongestMs);
        QTRY_VERIFY_WITH_TIMEOUT(!isSignalIn(workerOf(a), "SigCgt", SIGTERM), kLongestMs);
        const pid_t worker = workerOf(a);
        ::kill(worker, SIGTERM);
        // Until its job has taken note of that, and no longer: it does not wait long for what ended it.
        QVERIFY(QTest::qWaitFor([worker] { return ::kill(worker, 0) != 0; }, kLongestMs));
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"a"});
        QCOMPARE(historyOf(a).outcome->result, "cancelled");
    }

    void aJobWhoseProcessDiesBeforeItsPlanSaysWhy() {
        const JobQueue queue(queueFolder());
        const auto [a] = queued<1>(queue);
        fs::remove(m_folder.filePath("pid").toStdString()); // of its making
        QProcess process;
        beginInSlots(process, "endless plan");
        QTRY_VERIFY_WITH_TIMEOUT(workerStarted() && workerPid() > 0, kLongestMs);
        const std::string status = readAll("/proc/" + std::to_string(workerPid()) + "/status");
        const size_t parent = status.find("PPid:");
        QVERIFY(parent != std::string::npos);
        const pid_t job = std::atoi(status.c_str() + parent + 5);
        QVERIFY(job > 1 && job != static_cast<pid_t>(process.processId()));
        ::kill(job, SIGKILL);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(runsOf(queue, JobState::Failed), QStringList{"a"});
        const auto outcome = historyOf(a).outcome;
        QCOMPARE(outcome->result, "failed");
        QVERIFY2(outcome->message.find("signal 9") != std::string::npos, outcome->message.c_str());
    }

    void aNamedRunThatEndsWhileAllAreStoppedIsNotQueuedAgain() {
        const std::string named = makeRun("named", "done at a stop");
        const JobQueue queue(queueFolder());
        QProcess process;
        beginInSlots(process, "done", {"supervise", QString::fromStdString(named)});
        QTRY_VERIFY_WITH_TIMEOUT(started(named) && historyOf(named).steps.size() == 2, kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(historyOf(named).outcome->result, "done");
        QVERIFY(queue.jobs()->empty() && queue.jobs(JobState::Running)->empty());
    }

    void aSecondRequestEndsAllAtOnce() {
        const std::string a = makeRun("a", "stubborn");
        const std::string b = makeRun("b", "stubborn");
        const JobQueue queue(queueFolder());
        for (const std::string& one : {a, b}) QVERIFY(queue.add(one).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        for (const std::string& one : {a, b}) { // two requests that come together are one
            const QString asked = QString::fromStdString(one) + "/asked";
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(asked), kLongestMs);
        }
        QTest::qWait(600);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(runsOf(queue, JobState::Waiting), (QStringList{"a", "b"}));
    }

    void jobsOfAKilledSupervisorSaveAndBeginAgain() {
        const JobQueue queue(queueFolder());
        const auto [a, b, c] = queued<3>(queue);
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        for (const std::string& one : {a, b}) {
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(one) + "/ended"), kLongestMs);
            // Nobody asked for this end: it must not read like one that the user wanted.
            const auto outcome = historyOf(one).outcome;
            QVERIFY(causeOf(outcome->code, outcome->message) == FailureCause::EngineEnded);
            QVERIFY(fs::remove(one + "/started"));
        }
        QProcess next;
        beginInSlots(next);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"c"});
        for (const std::string& one : {a, b, c}) tell(one, "done");
        QVERIFY(next.waitForFinished(kLongestMs));
        for (const std::string& one : {a, b, c}) QCOMPARE(historyOf(one).outcome->result, "done");
    }

    void picturesHoldOneSlotAndNoOther() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        auto turn = queue.takeTurn(0);
        QVERIFY(turn.ok() && turn->has_value());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QCOMPARE(gpuOf(a), QString("GPU-2"));
        QTest::qWait(1500);
        QVERIFY(!started(b));
        turn->reset();
        QTRY_VERIFY_WITH_TIMEOUT(started(b), kLongestMs);
        QCOMPARE(gpuOf(b), QString("GPU-1"));
        for (const std::string& one : {a, b}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        for (const int slot : {0, 1}) QVERIFY(queue.takeTurn(slot)->has_value()); // and they are given back
    }

    void aHeldQueueFinishesWhatRuns() {
        const JobQueue queue(queueFolder());
        const auto [a, b, c] = queued<3>(queue);
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QVERIFY(queue.setHeld(true).ok());
        for (const std::string& one : {a, b}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(!started(c));
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"c"});
    }

    void aRunThatIsNamedBeginsFirstAndTellsItsEnd() {
        const std::string a = makeRun("a");
        const std::string named = makeRun("named");
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(a).ok());
        QProcess process;
        beginInSlots(process, "done", {"supervise", QString::fromStdString(named)});
        QTRY_VERIFY_WITH_TIMEOUT(started(named) && started(a), kLongestMs);
        QCOMPARE(gpuOf(named), QString("GPU-1"));
        tell(named, "exit6");
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Running), QStringList{"a"}, kLongestMs);
        QVERIFY(queue.jobs(JobState::Failed)->empty()); // it is for whoever named it to know
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 6);
        QCOMPARE(historyOf(a).outcome->result, "done");
    }

    // It keeps those behind it back, and pictures too: all GPUs are its own.
    void aJobOfSeveralProcessesHasAGpuForEachAndRunsAlone() {
        const std::string a = makeRun("a");
        const std::string wide = makeWide("wide");
        const std::string c = makeRun("c");
        const JobQueue queue(queueFolder());
        for (const std::string& one : {a, wide, c}) QVERIFY(queue.add(one).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QTest::qWait(1500); // a look at the queue or more
        QVERIFY(!started(wide) && !started(c));
        tell(a, "done");
        const QString second = QString::fromStdString(wide) + "/started-1";
        QTRY_VERIFY_WITH_TIMEOUT(started(wide) && !readAll(second.toStdString()).empty(), kLongestMs);
        QCOMPARE(gpuOf(wide), QString("GPU-1"));
        QCOMPARE(readAll(second.toStdString()), " GPU-2 .\n");
        QTest::qWait(1500);
        QVERIFY(!started(c));
        QVERIFY(!queue.takeTurn(1)->has_value());
        const auto running = queue.jobs(JobState::Running);
        QCOMPARE(running->size(), size_t{1});
        QCOMPARE(running->front().device, "The first, The second");
        tell(wide, "done");
        QTRY_VERIFY_WITH_TIMEOUT(started(c), kLongestMs);
        QCOMPARE(historyOf(wide).outcome->result, "done");
        QVERIFY(queue.takeTurn(1)->has_value());
        tell(c, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
    }

    void whileSomebodyHasASlotAJobOfSeveralProcessesWaits() {
        const std::string wide = makeWide("wide");
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(wide).ok());
        auto turn = queue.takeTurn(1); // as the window's pictures have it
        QVERIFY(turn.ok() && turn->has_value());
        QProcess process;
        beginInSlots(process);
        QTest::qWait(2500);
        QVERIFY(!started(wide));
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"wide"});
        turn->reset();
        QTRY_VERIFY_WITH_TIMEOUT(started(wide), kLongestMs);
        tell(wide, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
    }

    // By its number or the beginning of its UUID: the settings may come from a command line.
    void aJobThatNamesAGpuWaitsForThatAndLeavesTheOthers() {
        for (const char* first : {"0", "GPU-1"}) {
            const std::string a = makeRun("a");
            const std::string named = makeOnGpus("named", 1, {first});
            const std::string c = makeRun("c");
            const JobQueue queue(queueFolder());
            for (const std::string& one : {a, named, c}) QVERIFY(queue.add(one).ok());
            QProcess process;
            beginInSlots(process);
            QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(c), kLongestMs);
            QCOMPARE(gpuOf(c), QString("GPU-2"));
            QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"named"});
            tell(c, "done");
            QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Running), QStringList{"a"}, kLongestMs);
            QTest::qWait(1500); // a look at the queue or more
            QVERIFY(!started(named));
            tell(a, "done");
            QTRY_VERIFY_WITH_TIMEOUT(started(named), kLongestMs);
            QCOMPARE(gpuOf(named), QString("GPU-1"));
            QVERIFY(queue.takeTurn(1)->has_value()); // that GPU is another's
            tell(named, "done");
            QVERIFY(process.waitForFinished(kLongestMs));
            QCOMPARE(process.exitCode(), 0);
        }
    }

    void aJobThatNamesSeveralGpusHasThemAndTheirTurns() {
        m_slots = "GPU-1=The first;GPU-2=The second;GPU-3=The third";
        const std::string named = makeOnGpus("named", 2, {"2", "1"});
        const std::string b = makeRun("b");
        const std::string c = makeRun("c");
        const JobQueue queue(queueFolder());
        for (const std::string& one : {named, b, c}) QVERIFY(queue.add(one).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(named) && started(b), kLongestMs);
        QCOMPARE(gpuOf(named), QString("GPU-3"));
        QTRY_COMPARE_WITH_TIMEOUT(readAll(named + "/started-1"), std::string(" GPU-2 .\n"), kLongestMs);
        QCOMPARE(gpuOf(b), QString("GPU-1"));
        QTest::qWait(1500);
        QVERIFY(!started(c));
        QVERIFY(!queue.takeTurn(2)->has_value());
        const auto running = queue.jobs(JobState::Running);
        for (const QueuedJob& job : *running)
            QCOMPARE(job.device, std::string(job.runDir == named ? "The second, The third" : "The first"));
        tell(named, "done");
        QTRY_VERIFY_WITH_TIMEOUT(started(c), kLongestMs);
        QCOMPARE(gpuOf(c), QString("GPU-2"));
        QVERIFY(queue.takeTurn(2)->has_value());
        for (const std::string& one : {b, c}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
    }

    void aGpuThatIsNotThereIsNotWaitedFor() {
        const std::string a = makeRun("a");
        const std::string lost = makeOnGpus("lost", 2, {"GPU-1", "GPU-7"});
        const JobQueue queue(queueFolder());
        for (const std::string& one : {a, lost}) QVERIFY(queue.add(one).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Failed), QStringList{"lost"}, kLongestMs);
        const auto outcome = historyOf(lost).outcome;
        QVERIFY2(outcome->message.find("found \"GPU-7\"") != std::string::npos, outcome->message.c_str());
        QVERIFY(!started(lost));
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"a"});
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void gpusThatAreNotThereAreRefusedBeforeTheStart() {
        QStringList more = trainArguments() + QStringList{"--batch", "6"};
        more[more.indexOf("cpu")] = "gpu";
        const auto refused = [&](const QStringList& options, const char* words) {
            const Finished ended = run(more + options, "done");
            QCOMPARE(ended.code, 2);
            QVERIFY2(ended.err.find(words) != std::string::npos, ended.err.c_str());
            QVERIFY(!QFile::exists(m_run));
        };
        refused({"--processes", "3"}, "expected a GPU for each of 3, found 2 GPUs");
        refused({"--processes", "2", "--gpus", "1"}, "found 1 GPU in --gpus");
        refused({"--processes", "2", "--gpus", "1,GPU-2"}, "expected each GPU once");
        refused({"--processes", "2", "--gpus", "0,2"}, "found \"2\"");
    }

    void aRunIsWorkedOnOnceAtATime() {
        const std::string a = makeRun("a");
        fs::create_directories(queueFolder());
        for (const char* name : {"/1.json", "/2.json"})
            std::ofstream(queueFolder() + name) << "{\"run\": \"" << a << "\"}";
        std::ofstream(queueFolder() + "/3.json") << "not json";
        const JobQueue queue(queueFolder());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QTest::qWait(1500); // a look at the queue or more
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"a"});
        QVERIFY(queue.jobs(JobState::Failed)->empty());
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(historyOf(a).steps.size(), size_t{3}); // one when it was made
        QVERIFY(queue.jobs(JobState::Failed)->empty() && queue.jobs()->empty());
        QVERIFY(fs::exists(queueFolder() + "/failed/3.json"));
    }

    void oneGpuHasNoSlots() {
        const JobQueue queue(queueFolder());
        const auto [a] = queued<1>(queue);
        QVERIFY(queue.setKnownSlots({{"GPU-1", "The first"}, {"GPU-2", "The second"}}).ok()); // of yesterday
        m_slots = "GPU-1=The only one";
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QCOMPARE(startOf(a)[1], qEnvironmentVariable("CUDA_VISIBLE_DEVICES", "none"));
        QCOMPARE(queue.knownSlots().size(), size_t{1});
        QVERIFY(queue.jobs(JobState::Running)->front().device.empty());
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }
};

QTEST_GUILESS_MAIN(tst_slots)
#include "tst_slots.moc"

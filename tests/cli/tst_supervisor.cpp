// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoint.h"
#include "core/base/run/job_queue.h"
#include "core/base/run/journal.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/process_id.h"

#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <signal.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOnePixelPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Finished {
    int code = -1;
    std::string out;
    std::string err;
};

std::string readAll(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

/// The engine beside a worker that ends as it is told.
class tst_supervisor : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_engine;
    QString m_run;

    QProcessEnvironment environment(const QString& how) const {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        values.insert("FAKE_WORKER", how);
        values.insert("FAKE_WORKER_PID", m_folder.filePath("pid"));
        values.insert("XDG_STATE_HOME", m_folder.filePath("state"));
        return values;
    }

    void start(QProcess& process, const QStringList& arguments, const QString& how) const {
        process.setProcessEnvironment(environment(how));
        process.start(m_engine, arguments);
    }

    Finished run(const QStringList& arguments, const QString& how) const {
        QProcess process;
        start(process, arguments, how);
        process.waitForFinished(30000);
        return collect(process);
    }

    static Finished collect(QProcess& process) {
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
    }

    QString photos() const { return m_folder.filePath("photos"); }

    /// One good photo and nothing else.
    void makePhotos() const {
        fs::remove_all(photos().toStdString());
        QVERIFY(QDir().mkpath(photos()));
        QFile photo(photos() + "/good.png");
        QVERIFY(photo.open(QIODevice::WriteOnly));
        photo.write(QByteArray::fromBase64(kOnePixelPng));
    }

    QStringList trainArguments() const {
        return {"train",        "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                "--instance",   photos(),  "--prompt",
                "a photo of x", "--steps", "10",
                "--device",     "cpu",     "--output",
                m_run};
    }
    std::string queueFolder() const { return m_folder.filePath("state/homebooth/queue").toStdString(); }
    bool workerStarted() const { return QFile::exists(m_folder.filePath("pid")); }

    RunHistory history() const { return *readHistory(m_run.toStdString() + "/events.jsonl"); }

    bool waitForStep() const {
        return QTest::qWaitFor([this] { return !history().steps.empty(); }, 10000);
    }

    bool lockIsFree() const {
        const auto owner = RunLock::owner(m_run.toStdString() + "/lock");
        return owner.has_value() && !owner->alive;
    }

    pid_t workerPid() const {
        return static_cast<pid_t>(std::atoi(readAll(m_folder.filePath("pid").toStdString()).c_str()));
    }

private slots:
    void initTestCase() {
        const QString bin = m_folder.filePath("bin");
        QVERIFY(QDir().mkpath(bin));
        m_engine = bin + "/homebooth-engine";
        QVERIFY(QFile::copy(HOMEBOOTH_BIN_DIR "/homebooth-engine", m_engine));
        QVERIFY(QFile::copy(HOMEBOOTH_FAKE_WORKER, bin + "/homebooth-worker"));
    }

    void init() {
        m_run = m_folder.filePath("run");
        fs::remove_all(m_run.toStdString());
        fs::remove_all(m_folder.filePath("state").toStdString());
        fs::remove(m_folder.filePath("pid").toStdString());
        makePhotos();
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
        QTest::newRow("killed") << "kill" << 1 << "SIGKILL";
        QTest::newRow("killed while writing") << "torn" << 1 << "SIGKILL";
        QTest::newRow("crashed") << "segv" << 1 << "SIGSEGV";
        QTest::newRow("aborted") << "abort" << 1 << "SIGABRT";
        QTest::newRow("out of memory") << "exit4" << 4 << "memory";
        QTest::newRow("device lost") << "exit6" << 6 << "GPU";
        QTest::newRow("strange code") << "exit99" << 1 << "99";
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
        QVERIFY(!after.outcome->kept.empty());
        QCOMPARE(after.steps.size(), size_t{1});
        QVERIFY(lockIsFree());
        QVERIFY(QFile::exists(m_run + "/run.json"));
    }

    void badInputBeforeTheFirstStepLeavesNothing() {
        const Finished ended = run(trainArguments(), "badinput");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("third photo") != std::string::npos, ended.err.c_str());
        QVERIFY(!QFile::exists(m_run));
    }

    void foldersMadeForAFailedOutputGo() {
        m_run = m_folder.filePath("new/deep/run");
        QCOMPARE(run(trainArguments(), "badinput").code, 3);
        QVERIFY(!QFile::exists(m_folder.filePath("new")));
        const QString pictures = m_folder.filePath("new/pictures");
        const QStringList sample{"sample",   "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--device", "cpu",
                                 "--output", pictures};
        const Finished ended = run(sample, "");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("third photo") != std::string::npos, ended.err.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("new")));
        QVERIFY(QDir().mkpath(pictures));
        QCOMPARE(run(sample, "").code, 3);
        QVERIFY(QFile::exists(pictures)); // it was there before
        fs::remove_all(m_folder.filePath("new").toStdString());
    }

    void missingPhotosAreFoundBeforeAnythingIsMade() {
        QVERIFY(QFile::remove(photos() + "/good.png"));
        const Finished ended = run(trainArguments(), "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("found none") != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QVERIFY(!QFile::exists(m_run));
    }

    void brokenPicturesAreNamedAndMayBeLeftOut() {
        const std::string folder = photos().toStdString();
        std::ofstream(folder + "/empty.jpg");
        std::ofstream(folder + "/text.PNG") << "words";
        std::ofstream(folder + "/good.txt") << "a caption";
        std::ofstream(folder + "/notes.pdf") << "%PDF-1.4";
        fs::create_symlink("loop.webp", folder + "/loop.webp");
        const Finished refused = run(trainArguments(), "done");
        QCOMPARE(refused.code, 3);
        for (const char* words : {"empty.jpg (an empty file)", "text.PNG (",
                                  "loop.webp (a link that leads to itself)", "--skip-broken-images"})
            QVERIFY2(refused.err.find(words) != std::string::npos, refused.err.c_str());
        QVERIFY(refused.err.find("notes.pdf") == std::string::npos);
        QVERIFY(!workerStarted());
        QVERIFY(!QFile::exists(m_run));

        const Finished without = run(trainArguments() + QStringList{"--skip-broken-images"}, "done");
        QVERIFY2(without.code == 0, without.err.c_str());
        const std::string journal = readAll(m_run.toStdString() + "/events.jsonl");
        for (const char* words : {"left out empty.jpg", "left out text.PNG", "left out notes.pdf"}) {
            QVERIFY2(without.out.find(words) != std::string::npos, without.out.c_str());
            QVERIFY(journal.find(words) != std::string::npos);
        }
        QVERIFY(without.out.find("good.txt") == std::string::npos);
    }

    void anotherRunsFolderIsNotTakenFromItsFile() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const QString first = m_run + "/run.json";
        const std::string before = readAll(first.toStdString());
        const Finished unnamed = run({"train", "--config", first, "--device", "cpu"}, "done");
        QVERIFY2(unnamed.err.find("--output") != std::string::npos, unnamed.err.c_str());
        QVERIFY(unnamed.err.find("already holds a run") == std::string::npos);
        const QString second = m_folder.filePath("second");
        QCOMPARE(run({"train", "--config", first, "--device", "cpu", "--output", second}, "done").code, 0);
        QCOMPARE(RunFolder::open(second.toStdString())->config()->steps, int64_t{10});
        QCOMPARE(readAll(first.toStdString()), before);
        fs::remove_all(second.toStdString());
    }

    void ctrlCSavesAndSaysHowToGoOn() {
        QProcess process;
        start(process, trainArguments(), "stoppable");
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(10000));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.out.find("homebooth-engine resume") != std::string::npos, ended.out.c_str());
        QVERIFY(QFile::exists(m_run + "/saved"));
        QCOMPARE(history().outcome->result, std::string("cancelled"));
    }

    void ctrlCAtAnyMomentLeavesNoHalfRun() {
        constexpr int kMoments = 24;
        for (int moment = 0; moment < kMoments; ++moment) {
            fs::remove_all(m_run.toStdString());
            QProcess process;
            start(process, trainArguments(), "done");
            QVERIFY(process.waitForStarted());
            QTest::qSleep(moment * 3);
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(10000));
            if (!QFile::exists(m_run)) continue; // it had not begun
            for (const auto& entry : fs::directory_iterator(m_run.toStdString()))
                QVERIFY2(!entry.path().filename().string().starts_with('.'), entry.path().c_str());
            QVERIFY2(history().outcome.has_value(), QByteArray::number(moment));
        }
    }

    void aSupervisedRunOutlivesItsTerminal() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        QProcess process;
        process.setChildProcessModifier([] { ::setpgid(0, 0); }); // as an interactive shell starts programs
        start(process, {"supervise", m_run, "--no-queue"}, "stoppable");
        QVERIFY(QTest::qWaitFor([this] { return workerPid() > 0; }, 10000));
        const auto supervisor = static_cast<pid_t>(process.processId());
        ::kill(-supervisor, SIGHUP);
        QTest::qWait(500);
        QCOMPARE(process.state(), QProcess::Running);
        QVERIFY(!QFile::exists(m_run + "/saved"));
        ::kill(supervisor, SIGTERM);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(collect(process).code, 5);
        QVERIFY(QFile::exists(m_run + "/saved"));
    }

    void aSecondCtrlCLeavesAMomentForWhatIsBeingSaved() {
        QProcess process;
        start(process, trainArguments(), "slow");
        QVERIFY(waitForStep());
        for (int count = 0; count < 2; ++count) {
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QTest::qWait(150);
        }
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(collect(process).code, 5);
        QVERIFY(QFile::exists(m_run + "/saved"));
    }

    void aWorkerThatDoesNotListenYetIsStoppedByTheFirstCtrlC() {
        QProcess process;
        start(process, trainArguments(), "deaf");
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(10000));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(ended.err.empty(), ended.err.c_str());
    }

    void theSecondCtrlCKills() {
        QProcess process;
        start(process, trainArguments(), "stubborn");
        QVERIFY(waitForStep());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QTest::qWait(300);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(10000));
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
        QVERIFY(process.waitForFinished(5000));
        QVERIFY(QTest::qWaitFor([this] { return QFile::exists(m_run + "/saved"); }, 10000));
        QVERIFY(QTest::qWaitFor([this] { return lockIsFree(); }, 10000));
        QCOMPARE(history().outcome->result, std::string("cancelled"));
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
        process.waitForFinished(5000);
        // The supervisor is dead, the worker does not want to end: the run is still being written.
        const Finished third = run({"resume", m_run, "--device", "cpu"}, "done");
        QCOMPARE(third.code, 3);
        QVERIFY2(third.err.find("its worker has not ended") != std::string::npos, third.err.c_str());
        ::kill(worker, SIGKILL);
        QVERIFY(QTest::qWaitFor([this] { return lockIsFree(); }, 10000));
        QCOMPARE(run({"resume", m_run, "--device", "cpu"}, "done").code, 0);
    }

    void resumingWaitsForAWorkerThatLostItsSupervisor() {
        QProcess process;
        start(process, trainArguments(), "slow"); // it saves for 0.7 s when it is told to end
        QVERIFY(waitForStep());
        process.kill();
        process.waitForFinished(5000);
        const Finished next = run({"resume", m_run, "--device", "cpu"}, "done");
        QVERIFY2(next.code == 0, next.err.c_str());
        QVERIFY2(next.out.find("waiting for the run's last worker") != std::string::npos, next.out.c_str());
        QVERIFY(QFile::exists(m_run + "/ended")); // before the next one began
    }

    void aFolderThatHoldsARunIsRefused() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const std::string before = readAll(m_run.toStdString() + "/run.json");
        const Finished again = run(trainArguments(), "done");
        QCOMPARE(again.code, 3);
        QVERIFY2(again.err.find("resume") != std::string::npos, again.err.c_str());
        QCOMPARE(readAll(m_run.toStdString() + "/run.json"), before);
    }

    void resumeTakesMoreSteps() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QCOMPARE(run({"resume", m_run, "--steps", "25", "--device", "cpu"}, "done").code, 0);
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->steps, int64_t{25});
    }

    void settingsOfAnAttemptThatNeverBeganAreTakenBack() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QCOMPARE(run({"resume", m_run, "--steps", "25", "--device", "cpu"}, "badinput").code, 3);
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->steps, int64_t{10});
    }

    void whatIsSavedDecidesShapesAndNumbers_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("words");
        QTest::newRow("method") << QStringList{"--method", "lora"} << "--method from full to lora";
        QTest::newRow("rank") << QStringList{"--lora-rank", "8"} << "--lora-rank from 16 to 8";
        QTest::newRow("precision") << QStringList{"--precision", "bf16"} << "--precision from fp32 to bf16";
        QTest::newRow("optimizer") << QStringList{"--optimizer", "adafactor"}
                                   << "--optimizer from adamw to adafactor";
        QTest::newRow("text") << QStringList{"--train-text-encoder"} << "--train-text-encoder";
    }
    void whatIsSavedDecidesShapesAndNumbers() {
        QFETCH(QStringList, options);
        QFETCH(QString, words);
        QCOMPARE(run(trainArguments() + QStringList{"--precision", "fp32"}, "done").code, 0);
        const RunFolder folder = *RunFolder::open(m_run.toStdString());
        auto checkpoint = AtomicFolder::create(folder.checkpointDir(10));
        QVERIFY(checkpoint.ok());
        std::ofstream(checkpoint->partialPath() + "/optimizer-unet.safetensors") << "states";
        QVERIFY(writeManifest(checkpoint->partialPath(), {}).ok() && checkpoint->commit().ok());
        const std::string before = readAll(folder.runFile());
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const Finished ended = run(QStringList{"resume", m_run, "--device", "cpu"} + options, "done");
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.find(words.toStdString()) != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QCOMPARE(readAll(folder.runFile()), before);
        QCOMPARE(run({"resume", m_run, "--lr", "1e-5", "--device", "cpu"}, "done").code, 0);
    }

    void unknownKeysInTheRunFileAreNamed() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const std::string file = m_run.toStdString() + "/run.json";
        std::string text = readAll(file);
        text.replace(text.find("\"batchSize\""), 11, "\"batchSzie\"");
        std::ofstream(file) << text;
        const Finished ended = run({"resume", m_run}, "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("did you mean \"batchSize\"") != std::string::npos, ended.err.c_str());
    }

    void theQueueIsWorkedOffInOrder() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const QString queue = m_folder.filePath("state/homebooth/queue");
        QVERIFY(QDir().mkpath(queue));
        std::ofstream(queue.toStdString() + "/1.json") << "{\"run\": \"" << m_run.toStdString() << "\"}";
        std::ofstream(queue.toStdString() + "/2.json") << "{\"run\": \"/no/such/run\"}";
        std::ofstream(queue.toStdString() + "/3.json") << "not json";
        std::ofstream(queue.toStdString() + "/4.json") << "{\"run\": \"" << m_run.toStdString() << "\"}";
        run({"supervise"}, "done");
        QVERIFY(!QFile::exists(queue + "/1.json"));
        QVERIFY(!QFile::exists(queue + "/4.json"));
        QVERIFY(QFile::exists(queue + "/failed/2.json"));
        QVERIFY(QFile::exists(queue + "/failed/3.json"));
        QCOMPARE(history().steps.size(), size_t{3});
    }

    void aStoppedJobDoesNotRunAgainByItself() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        QVERIFY(queue.add("/no/such/run").ok()); // rest is wanted: it is not even tried
        QProcess process;
        start(process, {"supervise"}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, 10000);
        QVERIFY(queue.supervised());
        ::kill(workerPid(), SIGTERM); // as the worker's own "stop" ends it: the supervisor was not asked
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(queue.jobs(JobState::Stopped)->size(), size_t{1});
        QCOMPARE(queue.jobs(JobState::Stopped)->front().id, id);
        QCOMPARE(queue.jobs()->size(), size_t{1});
        run({"supervise"}, "done");
        QCOMPARE(history().steps.size(), size_t{2});
        QCOMPARE(queue.jobs(JobState::Stopped)->size(), size_t{1});
        QCOMPARE(queue.jobs(JobState::Failed)->size(), size_t{1});
    }

    void aJobThatTheSystemCutShortWaitsAgain() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const JobQueue queue(queueFolder());
        const std::string id = *queue.add(m_run.toStdString());
        QProcess process;
        start(process, {"supervise"}, "stoppable");
        QTRY_VERIFY_WITH_TIMEOUT(history().steps.size() == 2, 10000);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(queue.jobs()->size(), size_t{1});
        QCOMPARE(queue.jobs()->front().id, id);
        QCOMPARE(run({"supervise"}, "done").code, 0);
        QVERIFY(queue.jobs()->empty());
    }

    void aHeldQueueRests() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.setHeld(true).ok());
        QCOMPARE(run({"supervise"}, "done").code, 0);
        QCOMPARE(queue.jobs()->size(), size_t{1});
        QCOMPARE(history().steps.size(), size_t{1});
    }

    void aRunBesideAnotherSupervisorIsTheNextOne() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
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

    void aQueuedJobIsCheckedAgainBeforeItRuns() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
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

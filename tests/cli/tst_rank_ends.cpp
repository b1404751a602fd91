// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two programs together where several workers train one model: how that begins, stops, goes on and ends,
// whoever dies. HOMEBOOTH_KILLS says how many ranks are killed at random moments; a line for each is printed,
// which tests/reference/measure_ranks.py reads.
#include "core/base/files/descriptor.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/control/control.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/finished.h"
#include "tests/cli/tiny_training.h"
#include "tests/cli/worker_processes.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <signal.h>
#include <sstream>
#include <sys/file.h>

using namespace homebooth::core;
using namespace homebooth::test;
namespace fs = std::filesystem;

namespace {

Finished engine(const QStringList& arguments,
                const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
    return finish(process);
}

} // namespace

class tst_rank_ends : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string run() const { return m_folder.filePath("run").toStdString(); }

    QStringList train(const QStringList& more) const {
        return tinyTraining(m_folder.filePath("run"), QStringList{"--threads", "1", "--batch", "6"} + more);
    }

    RunHistory history() const { return *readHistory(run() + "/events.jsonl"); }

    int outcomesInJournal() const {
        std::ifstream file(run() + "/events.jsonl");
        int outcomes = 0;
        for (std::string line; std::getline(file, line);) outcomes += contains(line, "\"type\":\"outcome\"");
        return outcomes;
    }

    /// Starts a training without end and waits until it has done a step.
    void startEndless(QProcess& process, const QStringList& more = {}) const {
        endWithTest(process);
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                      train(QStringList{"--steps", "100000", "--checkpoint-every", "3"} + more));
        QVERIFY(process.waitForStarted());
    }

    bool waitForStep(QProcess& process) const {
        return QTest::qWaitFor(
            [&] {
                return process.state() == QProcess::NotRunning ||
                       (fs::exists(run() + "/events.jsonl") && !history().steps.empty());
            },
            kLongestMs);
    }

    bool hasSaved() const { return fs::exists(run() + "/events.jsonl") && !history().checkpoints.empty(); }

    /// What was saved is there: whole, and the last that the journal tells of.
    void expectCheckpoints(bool any) const {
        const std::vector<CheckpointEntry> kept = listCheckpoints(run() + "/checkpoints");
        for (const CheckpointEntry& checkpoint : kept) QVERIFY(verifyCheckpoint(checkpoint.path).ok());
        const std::vector<CheckpointEvent> told = history().checkpoints;
        if (told.empty()) QVERIFY(!any);
        if (told.empty()) return;
        // The one behind it may be whole, too, of which nothing could be told any more.
        QVERIFY(std::ranges::count(kept, told.back().step, &CheckpointEntry::step) == 1);
    }

    /// Checks what a run says of the rank that was killed.
    void expectCause(size_t rank) const {
        QVERIFY(!RunLock::owner(run() + "/lock")->alive);
        QCOMPARE(outcomesInJournal(), 1);
        const OutcomeEvent outcome = *history().outcome;
        const auto failed = failedRankOf(outcome.message); // as the window reads it
        QVERIFY2(failed.has_value(), outcome.message.c_str());
        QCOMPARE(static_cast<size_t>(failed->rank), rank);
        QCOMPARE(failed->ranks, 2);
        QCOMPARE(causeOf(outcome.code, outcome.message), FailureCause::Killed);
    }

    /// Kills a rank and checks that everything ends soon, says why, and has kept what it had.
    /// @param saved  whether the delay begins with the first checkpoint, and not with the workers
    void killAfter(bool saved, int delayMs, size_t rank, const char* zero) const {
        QProcess process;
        startEndless(process, {"--processes", "2", "--zero", zero});
        QVERIFY(QTest::qWaitFor([&] { return workersOf(process.processId()).size() == 2; }, kLongestMs));
        const std::vector<pid_t> workers = workersOf(process.processId());
        QElapsedTimer sinceBegun;
        sinceBegun.start();
        QVERIFY(!saved || QTest::qWaitFor([&] { return hasSaved(); }, kLongestMs));
        QTest::qSleep(delayMs);
        const qint64 afterMs = sinceBegun.restart();
        QVERIFY(::kill(workers.at(rank), SIGKILL) == 0);
        QVERIFY(process.waitForFinished(kEndsWithinMs));
        const qint64 endedWithinMs = sinceBegun.elapsed();
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 1);
        for (const std::string& words :
             {"rank " + std::to_string(rank) + " of 2 ended", std::string("SIGKILL")})
            QVERIFY2(contains(ended.err, words), ended.err.c_str());
        for (const pid_t worker : workers) QVERIFY(!lives(worker));
        expectCause(rank);
        expectCheckpoints(saved);
        std::printf(
            "killed: rank %zu, zero %s, after %d ms; ended within %d ms, %zu steps, %zu checkpoints whole\n",
            rank, zero, static_cast<int>(afterMs), static_cast<int>(endedWithinMs), history().steps.size(),
            listCheckpoints(run() + "/checkpoints").size());
    }

    /// Whether what was learned last is saved; each third step counts.
    bool savedForTheBattery() const {
        const auto saved = listCheckpoints(run() + "/checkpoints");
        const int64_t learned = history().steps.back().step;
        return !saved.empty() && saved.front().step == learned &&
               isRolling(saved.front().path) == (learned % 3 != 0);
    }

private slots:
    void whatAKilledOneHasLeftIsSwept() {
        const QTemporaryDir runtime;
        const auto folder = [&](const char* name) {
            const fs::path made = runtime.filePath(name).toStdString();
            fs::create_directory(made);
            fs::last_write_time(made, fs::file_time_type::clock::now() - std::chrono::hours(1));
            return made;
        };
        const fs::path left = folder("homebooth-ranks-aaaaaa");
        const fs::path used = folder("homebooth-ranks-bbbbbb");
        const fs::path others = folder("somebody-else");
        const Descriptor lock(::open(used.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        QVERIFY(::flock(lock.get(), LOCK_EX | LOCK_NB) == 0);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_RUNTIME_DIR", runtime.path());
        process.setProcessEnvironment(environment);
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", train({"--steps", "1", "--processes", "2"}));
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, "in the first of 2 processes"), ended.out.c_str());
        QVERIFY(!fs::exists(left));
        QVERIFY(fs::exists(used));
        QVERIFY(fs::exists(others));
    }

    void ranksMeetElsewhereWhereTheRuntimeFolderIsAnothersOwn() {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_RUNTIME_DIR", "/proc"); // nobody can make a folder there, root neither
        environment.insert("TMPDIR", ".");              // is passed over, too
        process.setProcessEnvironment(environment);
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", train({"--steps", "1", "--processes", "2"}));
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QVERIFY2(ended.code == 0, ended.err.c_str());
    }

    void onProcessorsNoneOfThemAsksADriver() {
        const QString driver = m_folder.filePath("driver");
        const QString asked = m_folder.filePath("asked");
        QVERIFY(QDir().mkpath(driver));
        QVERIFY(QFile::copy(HOMEBOOTH_FAKE_NVML, driver + "/libnvidia-ml.so.1"));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_LIBRARY_PATH", driver + ':' + environment.value("LD_LIBRARY_PATH"));
        environment.insert("FAKE_NVML_OPENED", asked);
        const Finished ended = engine(train({"--steps", "1", "--processes", "2"}), environment);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY(!QFile::exists(asked));
        engine({"doctor"}, environment);
        QVERIFY(QFile::exists(asked));
    }

    void aFolderForSwappingHasToBeThere() {
        const QString none = m_folder.filePath("nowhere");
        const Finished ended = engine(train({"--steps", "1", "--processes", "2", "--swap", none}));
        QCOMPARE(ended.code, 3);
        QVERIFY2(contains(ended.err, "--swap: expected a folder") && contains(ended.err, "nowhere") &&
                     !contains(ended.err, "rank-"),
                 ended.err.c_str());
        QVERIFY(!fs::exists(run()));
    }

    void initTestCase() { qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8()); }
    void init() { fs::remove_all(run()); }

    void aBatchThatCannotBeSharedIsRefused() {
        const Finished ended = engine(train({"--processes", "4"}));
        QCOMPARE(ended.code, 2);
        for (const char* words :
             {"4 processes can share equally", "found 6", "take --processes 3 or 6, or --batch 8"})
            QVERIFY2(contains(ended.err, words), ended.err.c_str());
        QVERIFY(!fs::exists(run()));
    }

    void oneProcessIsToldThatItHasNothingToShare() {
        const auto told = [this] {
            const auto warnings = history().warnings;
            return std::count_if(warnings.begin(), warnings.end(), [](const WarningEvent& warning) {
                return warning.code == "nothing-to-share" && contains(warning.message, "--zero 3");
            });
        };
        const Finished alone = engine(train({"--zero", "3", "--steps", "1"}));
        QVERIFY2(alone.code == 0, alone.err.c_str());
        QCOMPARE(told(), 1);
        // Of a run that has the stage from others it is not asked for.
        const Finished further =
            engine({"resume", m_folder.filePath("run"), "--device", "cpu", "--steps", "2"});
        QVERIFY2(further.code == 0, further.err.c_str());
        QCOMPARE(told(), 1);
    }

    void whatCannotBeSpreadIsRefused_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("words");
        QTest::newRow("adafactor") << QStringList{"--zero", "1", "--optimizer", "adafactor"}
                                   << "rows and columns";
    }
    void whatCannotBeSpreadIsRefused() {
        QFETCH(QStringList, options);
        QFETCH(QString, words);
        const Finished ended = engine(train(QStringList{"--processes", "2"} + options));
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, words.toStdString()), ended.err.c_str());
        QVERIFY(!fs::exists(run()));
    }

    void twoProcessesTrainOneRun_data() {
        QTest::addColumn<QString>("zero");
        for (const char* zero : {"0", "2", "3"}) QTest::newRow(zero) << zero;
    }
    void twoProcessesTrainOneRun() {
        QFETCH(QString, zero);
        const Finished ended = engine(train(
            {"--processes", "2", "--zero", zero, "--ema", "0.9", "--steps", "4", "--preview-every", "2"}));
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, "result/model"), ended.out.c_str());
        QCOMPARE(history().steps.size(), size_t{4});
        QCOMPARE(history().previews.size(), size_t{2});
        QCOMPARE(outcomesInJournal(), 1);
        QCOMPARE(engine({"verify", m_folder.filePath("run")}).code, 0);
        const Finished further = engine({"resume", m_folder.filePath("run"), "--device", "cpu", "--steps",
                                         "6", "--processes", "3", "--zero", "1"});
        QVERIFY2(further.code == 0, further.err.c_str());
        QCOMPARE(history().steps.size(), size_t{6});
    }

    /// Each keeps its part of the model in RAM, and of the optimizer's states in a folder of its own.
    void twoProcessesStreamAndSwapTheirParts() {
        const QString swap = m_folder.filePath("swap");
        QVERIFY(QDir().mkpath(swap));
        const Finished ended = engine(
            train({"--processes", "2", "--zero", "3", "--policy", "cpu", "--swap", swap, "--steps", "2"}));
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(history().steps.size(), size_t{2});
        std::ostringstream journal;
        journal << std::ifstream(run() + "/events.jsonl").rdbuf();
        QVERIFY(contains(journal.str(), "in the RAM of each of 2 processes"));
        for (const char* rank : {"rank-0", "rank-1"}) {
            QVERIFY2(QDir(swap).exists(rank), rank);
            QVERIFY2(QDir(swap + "/" + rank).isEmpty(), rank); // nothing is left there
        }
    }

    void aSignalSavesAndStopsAllOfThem() {
        QProcess process;
        startEndless(process, {"--processes", "2"});
        QVERIFY(waitForStep(process));
        QVERIFY(::kill(static_cast<pid_t>(process.processId()), SIGINT) == 0);
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QCOMPARE(ended.code, 5);
        QVERIFY2(contains(ended.out, "the checkpoint of step"), ended.out.c_str());
        const int64_t last = history().steps.back().step;
        QVERIFY(verifyCheckpoint(
                    run() + "/checkpoints/" +
                    fs::path(listCheckpoints(run() + "/checkpoints").front().path).filename().string())
                    .ok());
        QCOMPARE(listCheckpoints(run() + "/checkpoints").front().step, last);
        const Finished alone = engine({"resume", m_folder.filePath("run"), "--device", "cpu", "--processes",
                                       "1", "--steps", QString::number(last + 2)});
        QVERIFY2(alone.code == 0, alone.err.c_str());
    }

    void theyPauseGoOnAndFinishTogether() {
        QProcess process;
        startEndless(process, {"--processes", "2", "--zero", "1", "--json"});
        QVERIFY(waitForStep(process));
        const auto ask = [this](ControlVerb verb, bool battery = false) {
            return sendControl(run() + "/control", {verb, {}, {}, battery}).ok();
        };
        const auto stateIs = [this](const char* name) {
            return QTest::qWaitFor([&] { return history().state && history().state->state == name; },
                                   kLongestMs);
        };
        QVERIFY(ask(ControlVerb::Pause));
        QVERIFY(stateIs("paused"));
        // What a person paused does not go on with the charger.
        QVERIFY(ask(ControlVerb::Pause, /*battery=*/true) && ask(ControlVerb::Resume, /*battery=*/true));
        const auto status = sendControl(run() + "/control", {ControlVerb::Status, {}});
        QVERIFY(status.ok() && contains(status->detail, "\"paused\":true"));
        const size_t done = history().steps.size();
        QVERIFY(ask(ControlVerb::Resume));
        QVERIFY(stateIs("training"));
        QVERIFY(QTest::qWaitFor([&] { return history().steps.size() > done; }, kLongestMs));
        QVERIFY(ask(ControlVerb::Pause, /*battery=*/true));
        QVERIFY(stateIs("paused"));
        QVERIFY(QTest::qWaitFor([this] { return savedForTheBattery(); }, kLongestMs));
        QVERIFY(stateIs("paused")); // again, where that was told first
        QCOMPARE(history().state->detail, std::string(kBatteryIsLow));
        QVERIFY(ask(ControlVerb::Resume, /*battery=*/true));
        QVERIFY(stateIs("training"));
        QVERIFY(ask(ControlVerb::Finish));
        QVERIFY(process.waitForFinished(kLongestMs));
        const Finished ended = collect(process);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(QString::fromStdString(history().outcome->result), QStringLiteral("done"));
        QVERIFY(contains(ended.out, std::string("\"state\":\"") + kEndsOnRequest)); // heard by the supervisor
    }

    void aRankThatIsKilledEndsAllWithItsCause() {
        const int kills = qEnvironmentVariableIntValue("HOMEBOOTH_KILLS");
        constexpr std::array<const char*, 3> stages{"0", "2", "3"};
        std::mt19937 random(1); // the moments themselves hang on the machine
        for (int kill = 0; kill < std::max(kills, 4); ++kill) {
            fs::remove_all(run());
            const bool saved = kill % 4 > 1; // by then, of each rank and of each stage
            killAfter(saved, static_cast<int>(random() % 2500), static_cast<size_t>(kill % 2),
                      stages.at(kill % 3));
            if (QTest::currentTestFailed()) return;
        }
    }

    void withTheSupervisorAllRanksGo() {
        QProcess process;
        startEndless(process, {"--processes", "3"});
        QVERIFY(waitForStep(process));
        const std::vector<pid_t> workers = workersOf(process.processId());
        QCOMPARE(workers.size(), size_t{3});
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(QTest::qWaitFor([&] { return std::none_of(workers.begin(), workers.end(), lives); },
                                kEndsWithinMs));
        // Nobody asked for it, so it is not called a stop.
        QCOMPARE(QString::fromStdString(history().outcome->result), QStringLiteral("failed"));
    }
};

QTEST_GUILESS_MAIN(tst_rank_ends)
#include "tst_rank_ends.moc"

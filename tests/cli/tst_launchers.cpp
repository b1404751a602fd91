// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs as launchers start them: one beside the other, each with the variables that say which one it
// is. They meet over TCP, on one machine and, as far as networks of one's own are permitted, on two.
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"

#include "tests/cli/finished.h"
#include "tests/cli/tiny_training.h"
#include "tests/cli/worker_processes.h"
#include "tests/free_port.h"

#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <signal.h>
#include <sstream>

using namespace homebooth::core;
using namespace homebooth::test;
namespace fs = std::filesystem;

namespace {

constexpr int kNotPermitted = 77;

using Variables = QMap<QString, QString>;

std::string bytesOf(const fs::path& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

QString freePort() {
    return QString::number(homebooth::testing::freePort());
}

/// The tests themselves may have been started by a launcher, which is not meant here.
void forgetLaunchers() {
    for (const char* prefix : {"RANK=", "WORLD_SIZE=", "LOCAL_", "MASTER_", "TORCHELASTIC_", "OMPI_", "PMI_",
                               "PMIX_", "MPI_LOCAL", "SLURM_", "HOMEBOOTH_MEETING_FILE="})
        for (const QString& variable : QProcessEnvironment::systemEnvironment().toStringList())
            if (variable.startsWith(prefix)) qunsetenv(qPrintable(variable.section('=', 0, 0)));
}

/// What launchers say to one of two ranks.
Variables variablesOf(const QString& launcher, int rank, const QString& port) {
    const QString number = QString::number(rank);
    Variables variables{{"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}};
    if (launcher == "torchrun")
        variables.insert(
            {{"RANK", number}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", number}, {"LOCAL_WORLD_SIZE", "2"}});
    if (launcher == "mpirun")
        variables.insert({{"OMPI_COMM_WORLD_RANK", number},
                          {"OMPI_COMM_WORLD_SIZE", "2"},
                          {"OMPI_COMM_WORLD_LOCAL_RANK", number},
                          {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
    if (launcher == "mpiexec")
        variables.insert(
            {{"PMI_RANK", number}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", number}, {"MPI_LOCALNRANKS", "2"}});
    if (launcher == "srun")
        variables.insert({{"SLURM_STEP_ID", "0"},
                          {"SLURM_JOB_ID", "7"},
                          {"SLURM_PROCID", number},
                          {"SLURM_NTASKS", "2"},
                          {"SLURM_LOCALID", number},
                          {"SLURM_NNODES", "1"}});
    return variables;
}

} // namespace

class tst_launchers : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] std::string run() const { return path("run").toStdString(); }

    [[nodiscard]] QStringList train(const QString& output, const QStringList& more) const {
        return tinyTraining(output, QStringList{"--threads", "1", "--batch", "2"} + more);
    }

    /// Starts the program as one of two ranks.
    std::unique_ptr<QProcess> start(const Variables& variables, const QStringList& arguments) const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (auto variable = variables.begin(); variable != variables.end(); ++variable)
            environment.insert(variable.key(), variable.value());
        auto process = std::make_unique<QProcess>();
        endWithTest(*process);
        process->setProcessEnvironment(environment);
        process->start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        return process;
    }

    std::vector<std::unique_ptr<QProcess>> startBoth(const QString& launcher,
                                                     const QStringList& arguments) const {
        const QString port = freePort();
        std::vector<std::unique_ptr<QProcess>> both;
        for (const int rank : {0, 1}) both.push_back(start(variablesOf(launcher, rank, port), arguments));
        return both;
    }

    [[nodiscard]] RunHistory history() const { return *readHistory(run() + "/events.jsonl"); }

    bool waitForStep(const QProcess& process) const {
        return QTest::qWaitFor(
            [&] {
                return process.state() == QProcess::NotRunning ||
                       (fs::exists(run() + "/events.jsonl") && !history().steps.empty());
            },
            kLongestMs);
    }

    /// The same weights as those of the processes that one program has started.
    void expectReference() const {
        const std::string file = "/checkpoints/step-000004/unet.safetensors";
        const std::string expected = bytesOf(path("reference").toStdString() + file);
        QVERIFY(!expected.empty());
        QVERIFY(bytesOf(run() + file) == expected);
        QCOMPARE(history().steps.size(), size_t{4});
        QCOMPARE(QString::fromStdString(history().outcome->result), QStringLiteral("done"));
    }

private slots:
    void initTestCase() {
        forgetLaunchers();
        qputenv("XDG_CACHE_HOME", path("cache").toUtf8());
        const auto reference =
            start({}, train(path("reference"), {"--steps", "4", "--processes", "2", "--zero", "2"}));
        QVERIFY(reference->waitForFinished(kLongestMs));
        const Finished ended = collect(*reference);
        QVERIFY2(ended.code == 0, ended.err.c_str());
    }
    void init() { fs::remove_all(run()); }

    void ranksOfALauncherTrainOneRun_data() {
        QTest::addColumn<QString>("launcher");
        for (const char* launcher : {"torchrun", "mpirun", "mpiexec", "srun"})
            QTest::newRow(launcher) << launcher;
    }
    void ranksOfALauncherTrainOneRun() {
        QFETCH(QString, launcher);
        const auto both = startBoth(launcher, train(path("run"), {"--steps", "4", "--zero", "2"}));
        for (const auto& process : both) QVERIFY(process->waitForFinished(kLongestMs));
        const Finished first = collect(*both[0]);
        const Finished second = collect(*both[1]);
        QVERIFY2(first.code == 0, first.err.c_str());
        QVERIFY2(second.code == 0, second.err.c_str());
        QVERIFY2(contains(first.out, "result/model"), first.out.c_str());
        QVERIFY2(second.out.empty(), second.out.c_str());
        expectReference();
    }

    void theyGoOnFromACheckpoint() {
        fs::copy(path("reference").toStdString(), run(), fs::copy_options::recursive);
        const QStringList resume{"resume", path("run"), "--steps", "6", "--device", "cpu"};
        const auto both = startBoth("torchrun", resume);
        for (const auto& process : both) QVERIFY(process->waitForFinished(kLongestMs));
        for (const auto& process : both) {
            const Finished ended = collect(*process);
            QVERIFY2(ended.code == 0, ended.err.c_str());
        }
        QCOMPARE(history().steps.size(), size_t{6});
    }

    void aSignalToAnyOfThemSavesAndStopsAll() {
        const auto both =
            startBoth("torchrun", train(path("run"), {"--steps", "100000", "--checkpoint-every", "1000"}));
        QVERIFY(waitForStep(*both[0]));
        QVERIFY(::kill(static_cast<pid_t>(both[1]->processId()), SIGINT) == 0);
        for (const auto& process : both) {
            QVERIFY(process->waitForFinished(kLongestMs));
            const Finished ended = collect(*process);
            QVERIFY2(ended.code == 5, ended.err.c_str());
        }
        const std::vector<CheckpointEntry> kept = listCheckpoints(run() + "/checkpoints");
        QCOMPARE(kept.size(), size_t{1});
        QVERIFY(verifyCheckpoint(kept.front().path).ok());
    }

    /// As launchers do with the others when one does not come up.
    void whoWaitsForTheOthersCanBeStopped_data() {
        QTest::addColumn<int>("rank");
        QTest::addRow("first") << 0;
        QTest::addRow("second") << 1;
    }

    void whoWaitsForTheOthersCanBeStopped() {
        QFETCH(const int, rank);
        const auto lone =
            start(variablesOf("torchrun", rank, freePort()), train(path("run"), {"--steps", "4"}));
        const auto trains = [&lone, rank] { // what was begun for the plan has ended
            if (lone->state() == QProcess::NotRunning) return true;
            const std::vector<pid_t> workers = workersOf(lone->processId());
            return !workers.empty() && verbOf(workers.front()) == (rank == 0 ? "train" : "join");
        };
        QVERIFY(QTest::qWaitFor(trains, kLongestMs));
        const auto says = [this] {
            return contains(bytesOf(run() + "/events.jsonl"), "waiting for rank 1 at 127.0.0.1:");
        };
        QVERIFY(rank > 0 || QTest::qWaitFor(says, kLongestMs));
        QVERIFY(lone->state() == QProcess::Running && !lone->waitForFinished(3'000)); // it waits
        QVERIFY(::kill(static_cast<pid_t>(lone->processId()), SIGTERM) == 0);
        QVERIFY(lone->waitForFinished(kEndsWithinMs));
        const Finished ended = collect(*lone);
        QVERIFY2(ended.code == 5, ended.err.c_str());
        QVERIFY2(rank > 0 || contains(ended.out, ", at most 10 min, 1 of 2"), ended.out.c_str());
        QVERIFY2(!contains(ended.err, "c10d"), ended.err.c_str());
    }

    void oneThatIsKilledEndsAll() {
        const auto both = startBoth("torchrun", train(path("run"), {"--steps", "100000", "--json"}));
        QVERIFY(waitForStep(*both[0]));
        const std::string number = std::to_string(both[1]->processId());
        pid_t worker = 0;
        std::ifstream("/proc/" + number + "/task/" + number + "/children") >> worker;
        QVERIFY(worker > 0 && ::kill(worker, SIGKILL) == 0);
        for (const auto& process : both) QVERIFY(process->waitForFinished(kEndsWithinMs));
        const Finished first = collect(*both[0]);
        const Finished second = collect(*both[1]);
        QCOMPARE(first.code, 1);
        QCOMPARE(second.code, 1);
        QVERIFY2(contains(first.err, "lost rank 1"), first.err.c_str());
        QVERIFY2(contains(first.err, "or from the first step where none was written"), first.err.c_str());
        for (const char* library : {"c10d", ".cc:"})
            QVERIFY2(!contains(first.err, library), first.err.c_str());
        QVERIFY2(contains(second.err, "rank 1 of 2: ") && contains(second.err, "SIGKILL"),
                 second.err.c_str());
        QCOMPARE(QString::fromStdString(history().outcome->result), QStringLiteral("failed"));
        QCOMPARE(QString::fromStdString(first.out).count("\"type\":\"outcome\""), qsizetype{1});
    }

    void anotherNumberOfProcessesIsRefused() {
        const auto first = start(variablesOf("torchrun", 0, freePort()),
                                 train(path("run"), {"--steps", "4", "--processes", "3"}));
        QVERIFY(first->waitForFinished(kLongestMs));
        const Finished ended = collect(*first);
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "as torchrun has started, 2"), ended.err.c_str());
        QVERIFY(!fs::exists(run()));
    }

    void oneRankIsAlone() {
        Variables alone = variablesOf("torchrun", 0, freePort());
        alone["WORLD_SIZE"] = "1";
        alone["LOCAL_WORLD_SIZE"] = "1";
        const auto only = start(alone, train(path("run"), {"--steps", "2"}));
        QVERIFY(only->waitForFinished(kLongestMs));
        const Finished ended = collect(*only);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        fs::remove_all(run());
        fs::copy(path("reference").toStdString(), run(), fs::copy_options::recursive);
        const auto said = [&](const QStringList& more) {
            const auto further = start(alone, QStringList{"resume", path("run"), "--device", "cpu"} + more);
            further->waitForFinished(kLongestMs);
            const Finished resumed = collect(*further);
            return resumed.out + resumed.err;
        };
        const char* words = "torchrun has started one process, and the run goes on with 2";
        const std::string told = said({"--steps", "5"});
        QVERIFY2(contains(told, words), told.c_str());
        const std::string named = said({"--steps", "6", "--processes", "2"});
        QVERIFY2(contains(named, "result/model") && !contains(named, words), named.c_str());
    }

    /// With its own store, which answers instead of rank 0.
    void torchrunItselfStartsThem() {
        if (!fs::exists(HOMEBOOTH_REFERENCE_PYTHON)) QSKIP("the reference side with torchrun is not there");
        QProcess torchrun;
        torchrun.start(HOMEBOOTH_REFERENCE_PYTHON,
                       QStringList{"-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
                                   "--no-python", HOMEBOOTH_BIN_DIR "/homebooth-engine"} +
                           train(path("run"), {"--steps", "4", "--zero", "2"}));
        QVERIFY(torchrun.waitForFinished(kLongestMs));
        const Finished ended = collect(torchrun);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        expectReference();
    }

    void twoMachinesTrainOneRun() {
        QProcess both;
        const QString said = path("said");
        both.start(HOMEBOOTH_SOURCE_DIR "/tests/cli/two_machines.sh",
                   QStringList{said, HOMEBOOTH_BIN_DIR "/homebooth-engine"} +
                       train(path("run"), {"--steps", "4", "--zero", "2"}));
        QVERIFY(both.waitForFinished(kLongestMs));
        const Finished ended = collect(both);
        if (ended.code == kNotPermitted) QSKIP(ended.out.c_str());
        QVERIFY2(ended.code == 0, (ended.out + ended.err + bytesOf(said.toStdString())).c_str());
        expectReference();
    }
};

QTEST_GUILESS_MAIN(tst_launchers)
#include "tst_launchers.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What long verbs show while they work: a bar on a terminal, lines or nothing elsewhere; and what they hear.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/disk_facts.h"
#include "core/base/system/memory_facts.h"
#include "tests/cli/finished.h"
#include "tests/cli/worker_processes.h"

#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

using namespace homebooth::core;
using homebooth::test::isSignalIn;
using homebooth::test::kLongestMs;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEngine = HOMEBOOTH_BIN_DIR "/homebooth-engine";
constexpr const char* kModel = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
constexpr int64_t kCheckpointBytes = int64_t{8} << 20;
constexpr int kHugeLoraTensors = 300;
constexpr int64_t kHugeLoraTensorBytes = int64_t{16} << 20;
constexpr int64_t kHugeLoraBytes = kHugeLoraTensors * kHugeLoraTensorBytes;

struct Finished {
    int code = -1;
    QByteArray out;
    QByteArray err; ///< on a terminal what it showed
};

/// Takes what a terminal shows so far.
void drain(int terminal, QByteArray& shown) {
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = ::read(terminal, buffer.data(), buffer.size())) > 0;)
        shown.append(buffer.data(), count);
}

Finished finish(QProcess& process, int terminal = -1) {
    Finished ended;
    for (int waited = 0; waited < kLongestMs && !process.waitForFinished(50); waited += 50)
        if (terminal >= 0) drain(terminal, ended.err);
    if (terminal >= 0) drain(terminal, ended.err);
    const homebooth::test::Finished left = homebooth::test::collect(process);
    ended.code = left.code;
    ended.out = QByteArray::fromStdString(left.out);
    ended.err += QByteArray::fromStdString(left.err); // on a terminal empty, if it has ended
    return ended;
}

Finished run(const QStringList& arguments) {
    QProcess process;
    process.start(kEngine, arguments);
    return finish(process);
}

/// The same with a terminal as standard error.
Finished runOnTerminal(const QStringList& arguments) {
    int shown = -1;
    int written = -1;
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 120;
    if (::openpty(&shown, &written, nullptr, nullptr, &size) != 0) return {};
    ::fcntl(shown, F_SETFL, O_NONBLOCK);
    QProcess process;
    process.setChildProcessModifier([written] { ::dup2(written, STDERR_FILENO); });
    process.start(kEngine, arguments);
    const Finished ended = finish(process, shown);
    ::close(shown);
    ::close(written);
    return ended;
}

/// A LoRA of some gigabytes in a file with nothing but holes: takes no space, but long to convert.
void makeHugeLora(const std::string& path) {
    QByteArray header = "{";
    int64_t begin = 0;
    for (int index = 0; index < kHugeLoraTensors; ++index) {
        const bool down = index % 2 == 0;
        header += QString("%1\"lora_te_text_model_encoder_layers_%2_mlp_fc1.lora_%3.weight\":{\"dtype\":"
                          "\"F32\",\"shape\":[%4],\"data_offsets\":[%5,%6]}")
                      .arg(index > 0 ? "," : "")
                      .arg(index / 2)
                      .arg(down ? "down" : "up", down ? "1024,4096" : "4096,1024")
                      .arg(begin)
                      .arg(begin + kHugeLoraTensorBytes)
                      .toLatin1();
        begin += kHugeLoraTensorBytes;
    }
    header += "}";
    const auto length = static_cast<uint64_t>(header.size());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file.write(header.constData(), header.size());
    file.close();
    fs::resize_file(path, sizeof length + length + static_cast<uint64_t>(begin));
}

} // namespace

class tst_terminal : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{QDir::currentPath() + "/terminal-XXXXXX"};

    /// A run with one checkpoint of 8 MiB.
    QString checkpointedRun() const {
        const std::string path = m_folder.filePath("run").toStdString();
        fs::remove_all(path);
        const RunFolder folder = *RunFolder::create(path, {});
        auto checkpoint = AtomicFolder::create(folder.checkpointDir(10));
        std::ofstream(checkpoint->partialPath() + "/unet.safetensors") << std::string(kCheckpointBytes, 'x');
        if (!writeManifest(checkpoint->partialPath(), {}).ok() || !checkpoint->commit().ok()) return {};
        return QString::fromStdString(path);
    }

    QStringList benchSwap() const {
        return {"bench", "swap", "--swap", m_folder.path(), "--size", "8MiB", "--block-size", "64KiB"};
    }

private slots:
    void verifyShowsHowFarItIsOnATerminalAlone() {
        const QString path = checkpointedRun();
        QVERIFY(!path.isEmpty());
        const Finished shown = runOnTerminal({"verify", path});
        QCOMPARE(shown.code, 0);
        QVERIFY2(shown.err.contains("[####") && shown.err.contains("MiB of step-000010, 8 of 8"),
                 shown.err.constData());
        QVERIFY2(shown.err.endsWith("\r\n"),
                 shown.err.constData()); // the findings begin on a line of their own
        const Finished plain = run({"verify", path});
        QCOMPARE(plain.err, QByteArray());
        QVERIFY2(plain.out.count('\n') == 1 && plain.out.contains("whole"), plain.out.constData());
    }

    void benchSwapShowsItsPasses() {
        const Finished shown = runOnTerminal(benchSwap() + QStringList{"--json"});
        QCOMPARE(shown.code, 0);
        QVERIFY(QJsonDocument::fromJson(shown.out).isObject());
        for (const char* words : {"MiB written, 8 of 8", "MiB written again, 8 of 8", "MiB read, 8 of 8"})
            QVERIFY2(shown.err.contains(words), shown.err.constData());
        const Finished plain = run(benchSwap());
        QVERIFY2(plain.out.contains("MiB read, 8 of 8\n"), plain.out.constData());
        QVERIFY(QJsonDocument::fromJson(run(benchSwap() + QStringList{"--json"}).out).isObject());
    }

    void benchShowsHowManyCallsItTimed() {
        const QStringList bench{"bench",        "sample", "--model-config", kModel, "--resolution", "64",
                                "--steps",      "2",      "--device",       "cpu",  "--policy",     "cpu",
                                "--gpu-memory", "64MiB"};
        const Finished shown = runOnTerminal(bench + QStringList{"--json"});
        QVERIFY2(shown.code == 0, shown.err.constData());
        QVERIFY2(shown.err.contains("calls of the UNet, 2 of 2") && shown.err.contains("decodings, 2 of 2"),
                 shown.err.constData());
        const QJsonObject facts = QJsonDocument::fromJson(shown.out).object();
        QCOMPARE(facts["policy"].toString(), QString("cpu"));
        QCOMPARE(facts["deviceLimitBytes"].toInt(), 64 << 20);
        QVERIFY(facts["sample"].toObject()["devicePeakBytes"].toDouble() > 0);
        QVERIFY(facts["sample"].toObject()["devicePeakBytes"].toDouble() <= 64 << 20);
        QVERIFY(facts["sample"].toObject()["linkBytesPerCall"].toDouble() > 0);
        const Finished plain = run(bench);
        QVERIFY2(plain.out.contains("calls of the UNet, 2 of 2\n"), plain.out.constData());
        QCOMPARE(plain.err, QByteArray());
    }

    void benchStaysWithinTheMemoryThatStandsForAGpu() {
        const Finished ended = run({"bench", "sample", "--model-config", kModel, "--resolution", "64",
                                    "--steps", "1", "--device", "cpu", "--gpu-memory", "64KiB"});
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.err.contains("device tier is full"), ended.err.constData());
    }

    void buffersBeyondTheMemoryAreRefused() {
        // 256 GiB of blocks twice, the most that can be asked for, against half of what is free.
        if (memoryFacts().usableBytes() > int64_t{1} << 40) QSKIP("the memory takes the largest buffers");
        const Finished ended = run({"bench", "swap", "--swap", m_folder.path(), "--size", "900GiB",
                                    "--block-size", "1GiB", "--depth", "256"});
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.contains("--block-size") && ended.err.contains("--depth"), ended.err.constData());
    }

    void whoStartsAVerbWithNohupIsHeard() {
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });
        process.start(kEngine, {"bench", "swap", "--swap", m_folder.path(), "--size", "256MiB",
                                "--block-size", "4KiB"});
        QVERIFY(process.waitForStarted());
        // As soon as it listens to one signal, it has decided about all.
        QVERIFY(
            QTest::qWaitFor([&] { return isSignalIn(process.processId(), "SigCgt", SIGTERM); }, kLongestMs));
        QTest::qWait(20);
        QVERIFY(isSignalIn(process.processId(), "SigIgn", SIGHUP));
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QCOMPARE(finish(process).code, 5);
    }

    void ctrlCWhileCheckingIsACancellation() {
        const std::string checkpoint = checkpointedRun().toStdString() + "/checkpoints/step-000010";
        constexpr qint64 kBytes = qint64{16} << 30; // a hole: takes no space, but long to hash
        fs::resize_file(checkpoint + "/unet.safetensors", kBytes);
        QFile manifest(QString::fromStdString(checkpoint + "/manifest.json"));
        QVERIFY(manifest.open(QIODevice::ReadOnly));
        QByteArray text = manifest.readAll();
        manifest.close();
        const qsizetype before = text.size();
        text.replace(QByteArray::number(kCheckpointBytes), QByteArray::number(kBytes));
        QVERIFY(text.size() > before);
        text.replace("manifestSha256", "none"); // as of an earlier version
        QVERIFY(manifest.open(QIODevice::WriteOnly));
        manifest.write(text);
        manifest.close();
        QProcess process;
        process.start(kEngine, {"verify", QString::fromStdString(checkpoint)});
        QVERIFY(process.waitForStarted());
        QVERIFY(
            QTest::qWaitFor([&] { return isSignalIn(process.processId(), "SigCgt", SIGINT); }, kLongestMs));
        QTest::qWait(200); // it checks by now, or will
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 5);
    }

    void ctrlCWhileConvertingLeavesNothing() {
        // Not in /tmp, which may be a small file system in memory.
        const QTemporaryDir place(qEnvironmentVariable("HOMEBOOTH_TEST_DIR", ".") + "/convert-XXXXXX");
        const auto disk = diskFacts(place.path().toStdString());
        QVERIFY(disk.ok());
        if (disk->freeBytes < kHugeLoraBytes * 5 / 4) QSKIP("the disk has no room for what is written");
        const std::string in = place.filePath("huge.safetensors").toStdString();
        makeHugeLora(in);
        const QDir folder(place.filePath("converted"));
        QVERIFY(folder.mkpath("."));
        QProcess process;
        process.start(kEngine, {"convert", QString::fromStdString(in), folder.filePath("out.safetensors"),
                                "--to", "diffusers-lora"});
        const auto entries = [&folder] { return folder.entryList(QDir::Files | QDir::Hidden); };
        QVERIFY(QTest::qWaitFor([&] { return !entries().isEmpty(); }, kLongestMs));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 5, process.readAllStandardError().constData());
        QVERIFY(process.readAllStandardOutput().contains("nothing was written"));
        QCOMPARE(entries(), QStringList());
    }

    void benchSwapEndsOnCtrlCAndLeavesNothing() {
        QTemporaryDir folder(QDir::currentPath() + "/swap-XXXXXX");
        QProcess process;
        process.start(kEngine,
                      {"bench", "swap", "--swap", folder.path(), "--size", "512MiB", "--block-size", "4KiB"});
        QTRY_COMPARE_WITH_TIMEOUT(QDir(folder.path()).entryList(QDir::Files).size(), qsizetype{1},
                                  kLongestMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 5);
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_terminal)
#include "tst_terminal.moc"

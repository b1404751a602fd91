// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two programs together while they make pictures: stopping, serving, failing.
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <csignal>
#include <signal.h>

using homebooth::test::kLongestMs;

namespace {

constexpr const char* kModel = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";

} // namespace

class tst_generation : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcess m_engine;
    QByteArray m_said;

    void start(const QStringList& arguments) {
        m_said.clear();
        m_engine.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        QVERIFY(m_engine.waitForStarted());
    }

    /// Waits until `words` were printed.
    bool heard(const char* words) {
        return QTest::qWaitFor(
            [this, words] {
                m_said += m_engine.readAllStandardOutput();
                return m_said.contains(words);
            },
            kLongestMs);
    }

    void signal(int number) { ::kill(static_cast<pid_t>(m_engine.processId()), number); }

    QString pictures() const { return m_folder.filePath("pictures"); }

    QStringList longSample() const {
        return {"sample",  "--model", kModel,     "--prompt", "x",      "--steps",  "1000",
                "--count", "50",      "--device", "cpu",      "--json", "--output", pictures()};
    }

    /// The process behind the engine; -1 if there is none.
    pid_t workerId() const {
        const auto number = QByteArray::number(m_engine.processId());
        QFile children("/proc/" + number + "/task/" + number + "/children");
        if (!children.open(QIODevice::ReadOnly)) return -1;
        const QByteArray first = children.readAll().split(' ').first();
        return first.isEmpty() ? -1 : static_cast<pid_t>(first.toInt());
    }

    /// A line of what the kernel says of a process; empty without such a line, or once it is gone.
    static QByteArray statusOf(pid_t process, const QByteArray& name) {
        QFile status("/proc/" + QByteArray::number(process) + "/status");
        if (!status.open(QIODevice::ReadOnly)) return {};
        for (const QByteArray& line : status.readAll().split('\n'))
            if (line.startsWith(name + ':')) return line.mid(name.size() + 1).trimmed();
        return {};
    }

    /// Bytes of the worker's memory by the kernel's count. @param name  VmRSS or VmHWM
    qint64 workerMemory(const QByteArray& name) const {
        const QByteArray kibibytes = statusOf(workerId(), name).split(' ').first();
        return kibibytes.isEmpty() ? -1 : kibibytes.toLongLong() * 1024;
    }

    /// Nothing but the header of a picture.
    QString pictureOf(qint32 width, qint32 height) const {
        const QString path = m_folder.filePath(QString("%1x%2.bmp").arg(width).arg(height));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return {};
        QDataStream bytes(&file);
        bytes.setByteOrder(QDataStream::LittleEndian);
        constexpr qint32 kBegin = 54, kHeader = 40;
        bytes.writeRawData("BM", 2);
        bytes << kBegin << 0 << kBegin << kHeader << width << height << qint16{1} << qint16{24};
        for (int rest = 0; rest < 6; ++rest) bytes << 0;
        return path;
    }

    /// @returns  the exit code
    int ended(const QStringList& arguments) {
        start(arguments);
        if (!m_engine.waitForFinished(kLongestMs) || m_engine.exitStatus() != QProcess::NormalExit) return -1;
        m_said = m_engine.readAllStandardOutput();
        return m_engine.exitCode();
    }

private slots:
    void cleanup() {
        if (m_engine.state() != QProcess::NotRunning) m_engine.kill();
        m_engine.waitForFinished();
        m_engine.readAll();
    }

    void ctrlCStopsAGenerationAndLeavesNothing() {
        start(longSample());
        QVERIFY(heard("\"sampling\""));
        signal(SIGINT);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 5);
        QVERIFY(!QFile::exists(pictures()));
    }

    void ctrlCStopsAGenerationThatStillLoads() {
        start(longSample());
        QVERIFY(heard("\"loading\""));
        signal(SIGINT);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 5);
        QVERIFY(!QFile::exists(pictures()));
    }

    /// Libraries of the worker ask for that folder's path.
    void aFolderThatIsGoneStopsNothing() {
        const auto startFrom = [this](const QString& enter, const QStringList& more) {
            m_engine.start("bash",
                           QStringList{"-c", "cd \"$0\" && " + enter + " && exec \"$@\"", m_folder.path(),
                                       HOMEBOOTH_BIN_DIR "/homebooth-engine", "sample", "--model", kModel,
                                       "--prompt", "x", "--steps", "1", "--device", "cpu", "--output"} +
                               more);
            QVERIFY(m_engine.waitForFinished(kLongestMs));
        };
        const QString gone = "mkdir gone && cd gone && rmdir ../gone";
        startFrom(gone, {pictures()});
        QVERIFY2(m_engine.exitCode() == 0, m_engine.readAllStandardError().constData());
        QCOMPARE(QDir(pictures()).entryList({"*.png"}).size(), qsizetype{1});
        for (const QStringList& relative :
             {QStringList{"relative"}, QStringList{pictures(), "--lora", kModel, "--lora", "relative:0.5"},
              QStringList{pictures(), "--embedding", kModel, "--embedding", "relative"}}) {
            startFrom(gone, relative);
            QCOMPARE(m_engine.exitCode(), 3);
            const QByteArray said = m_engine.readAllStandardError();
            QVERIFY2(said.contains("relative") && said.contains("is gone, or its path is too long"),
                     said.constData());
        }
        QDir(pictures()).removeRecursively();
        const auto shallow = qScopeGuard([this] { // what has no path cannot be removed by one
            QProcess::execute("rm", {"-rf", m_folder.filePath(QString(250, 'd'))});
        });
        startFrom("d=$(printf 'd%.0s' {1..250}); for i in {1..17}; do mkdir $d && cd $d || exit; done",
                  {pictures()});
        QVERIFY2(m_engine.exitCode() == 0, m_engine.readAllStandardError().constData());
        QDir(pictures()).removeRecursively();
    }

    void picturesAreToldByTheirWholePaths() {
        m_engine.setWorkingDirectory(m_folder.path());
        const int code = ended({"sample", "--model", kModel, "--prompt", "x", "--steps", "1", "--device",
                                "cpu", "--json", "--output", "pictures"});
        m_engine.setWorkingDirectory({});
        QCOMPARE(code, 0);
        const QJsonObject outcome = QJsonDocument::fromJson(m_said.trimmed().split('\n').back()).object();
        const QString made = outcome["result"].toArray().at(0).toString();
        QVERIFY2(QDir::isAbsolutePath(made) && QFile::exists(made), m_said.constData());
        QDir(pictures()).removeRecursively();
    }

    void linesThatNobodyGetsAreAFailure() {
        const QStringList asked{"sample", "--model",  kModel, "--prompt", "x",       "--steps",
                                "1",      "--device", "cpu",  "--output", pictures()};
        m_engine.setStandardOutputFile("/dev/full");
        const int told = ended(asked + QStringList{"--json"});
        const QByteArray error = m_engine.readAllStandardError();
        const int made = ended(asked);
        const QByteArray warning = m_engine.readAllStandardError();
        m_engine.setStandardOutputFile({});
        QCOMPARE(told, 4);
        QVERIFY2(error.contains("the disk is full"), error.constData());
        QCOMPARE(made, 0);
        QVERIFY2(warning.contains("warning: ") && warning.contains("the disk is full"), warning.constData());
        QDir(pictures()).removeRecursively();
    }

    void aSideThatAPictureGivesIsPlannedFor() {
        const auto peak = [this](const QStringList& size) {
            const int code = ended(QStringList{"plan", "sample", "--model", kModel, "--prompt", "x",
                                               "--device", "cpu", "--json", "--init", pictureOf(100, 400)} +
                                   size);
            return code == 0 ? QJsonDocument::fromJson(m_said).object()["peak"].toObject() : QJsonObject();
        };
        const QJsonObject found = peak({"--width", "128"});
        QVERIFY(!found.isEmpty());
        QCOMPARE(found, peak({"--width", "128", "--height", "512"}));
        QVERIFY(found != peak({"--width", "128", "--height", "64"})); // the model's own
    }

    void aSideThatGoesTooFarIsRefusedBeforeAnythingIsMade() {
        const QStringList asked = {"--model",  kModel, "--prompt", "x",
                                   "--device", "cpu",  "--init",   pictureOf(100, 8000),
                                   "--width",  "128",  "--output", pictures()};
        for (const QStringList& verb : {QStringList{"plan", "sample"}, QStringList{"sample"}}) {
            QCOMPARE(ended(verb + asked), 2);
            QVERIFY(m_engine.readAllStandardError().contains("--width"));
        }
        QVERIFY(!QFile::exists(pictures()));
    }

    void ctrlCStopsABenchmark() {
        start({"bench", "train", "--model-config", kModel, "--resolution", "64", "--device", "cpu", "--steps",
               "1000"});
        QVERIFY(QTest::qWaitFor([this] { return workerId() > 0; }, kLongestMs));
        QTest::qWait(1000); // it computes by now, or will
        QCOMPARE(m_engine.state(), QProcess::Running);
        signal(SIGINT);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_engine.exitCode(), 5);
        QCOMPARE(m_engine.readAllStandardError(), QByteArray());
        QVERIFY(m_engine.readAllStandardOutput().contains("stopped"));
    }

    void guidanceIsWhatSuitsTheModelUnlessItIsNamed() {
        const auto guidanceOf = [this](const QStringList& further) -> QString {
            const QTemporaryDir folder;
            start(QStringList{"sample", "--model", HOMEBOOTH_SOURCE_DIR "/resources/models/sketch",
                              "--prompt", "a red apple", "--steps", "1", "--output", folder.path()} +
                  further);
            m_engine.waitForFinished(kLongestMs);
            const QStringList made = QDir(folder.path()).entryList({"*.png"});
            if (made.isEmpty()) return m_engine.readAllStandardError();
            QFile picture(folder.filePath(made.front()));
            if (!picture.open(QIODevice::ReadOnly)) return made.front();
            const QString words = QString::fromLatin1(picture.readAll());
            return words.section("CFG scale: ", 1).section(',', 0, 0);
        };
        QCOMPARE(guidanceOf({}), QString("4"));
        QCOMPARE(guidanceOf({"--guidance", "6.5"}), QString("6.5"));
    }

    void aBenchmarkPlansForTheRamThatItIsGiven() {
        const QStringList asked{"bench",    "train", "--model-config", kModel, "--resolution", "64",
                                "--device", "cpu",   "--policy",       "cpu",  "--keep",       "searched",
                                "--steps",  "1",     "--gpu-memory",   "1GiB", "--json"};
        start(asked + QStringList{"--ram", "20GiB"});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 0);
        const QJsonObject said = QJsonDocument::fromJson(m_engine.readAllStandardOutput()).object();
        QCOMPARE(said["ramLimitBytes"].toDouble(), 20.0 * 1024 * 1024 * 1024);
        start(asked + QStringList{"--ram", "1MiB"});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 4);
        QVERIFY(m_engine.readAllStandardError().contains("of RAM would do"));
    }

    void aBenchmarkTellsOfOptionsThatChangeNothing() {
        const auto saidWith = [this](const QStringList& further) {
            start(QStringList{"bench", "sample", "--model-config", kModel, "--resolution", "64", "--device",
                              "cpu", "--steps", "1", "--json"} +
                  further);
            m_engine.waitForFinished(kLongestMs);
            return m_engine.readAllStandardError();
        };
        const QByteArray told = saidWith({"--lora-rank", "4", "--link-speed", "1e9"});
        QVERIFY2(told.contains("--lora-rank has no effect: nothing learns") &&
                     told.contains("--link-speed has no effect: nothing is streamed"),
                 told.constData());
        QVERIFY(QJsonDocument::fromJson(m_engine.readAllStandardOutput()).isObject());
        const QByteArray streamed = saidWith({"--policy", "cpu", "--link-speed", "1e9"});
        QVERIFY2(!streamed.contains("no effect"), streamed.constData());
    }

    void aBenchmarkCountsTheLinkOfAllThatLearns() {
        const auto linkBytes = [this](const QStringList& further) {
            start(QStringList{"bench", "train", "--model-config", kModel, "--resolution", "64", "--device",
                              "cpu", "--policy", "cpu", "--steps", "1", "--json"} +
                  further);
            m_engine.waitForFinished(kLongestMs);
            const QJsonObject said = QJsonDocument::fromJson(m_engine.readAllStandardOutput()).object();
            return said["train"].toObject()["linkBytesPerStep"].toDouble();
        };
        const double denoiser = linkBytes({});
        QVERIFY(denoiser > 0.0);
        const double both = linkBytes({"--train-text-encoder"}); // which has a quarter of the parameters
        QVERIFY2(both > 1.1 * denoiser, qPrintable(QString::number(both / denoiser)));
    }

    void benchOptimizerComparesEveryFormatWithACopy() {
        start({"bench", "optimizer", "--elements", "100000", "--rounds", "2", "--json"});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 0);
        const QJsonObject said = QJsonDocument::fromJson(m_engine.readAllStandardOutput()).object();
        QCOMPARE(said["elements"].toInt(), 100000);
        const QMap<QString, double> touched{
            {"fp32", 22.0}, {"bf16", 14.0}, {"8bit", 10.0 + 16.0 * 391 / 100000}};
        for (auto one = touched.begin(); one != touched.end(); ++one) {
            const QJsonObject found = said["optimizer"][one.key()].toObject();
            QVERIFY(qAbs(found["bytesPerElement"].toDouble() - one.value()) <
                    1e-9); // 391 blocks, two scales each
            QVERIFY(found["seconds"].toDouble() > 0.0);
            const double share = found["bytesPerSecond"].toDouble() / found["copyBytesPerSecond"].toDouble();
            QVERIFY(qAbs(found["shareOfCopy"].toDouble() - share) < 1e-9);
        }
        start({"bench", "optimizer", "--elements", "10"});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 2);
    }

    void aPictureOfOnePixelIsNothingToStartFrom() {
        const QString pixel = m_folder.filePath("pixel.png");
        homebooth::test::writeOnePixel(pixel);
        start({"sample", "--model", kModel, "--prompt", "x", "--init", pixel, "--device", "cpu", "--output",
               pictures()});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 3);
        const QByteArray error = m_engine.readAllStandardError();
        QVERIFY2(error.contains("found 1 x 1") && error.count('\n') == 1, error.constData());
        QVERIFY(!QFile::exists(pictures()));
    }

    void aSignalEndsAServerThatWaits_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
        QTest::newRow("SIGINT") << SIGINT;
    }
    void aSignalEndsAServerThatWaits() {
        QFETCH(int, number);
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        signal(number);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 5);
    }

    void aServerThatWaitsGivesItsMemoryBack() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the address sanitizer holds freed memory back");
#endif
        constexpr qint64 kFewBytes = qint64{16} << 20;
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        const qint64 before = workerMemory("VmRSS");
        QVERIFY(before > 0);
        m_said.clear();
        m_engine.write(
            QByteArray("{\"command\":\"generate\",\"request\":{\"prompt\":\"x\",\"steps\":1,\"device\":"
                       "\"cpu\",\"widthPixels\":512,\"heightPixels\":512,\"model\":\"") +
            kModel + "\",\"outputDir\":\"" + pictures().toUtf8() + "\"}}\n");
        QVERIFY(heard("\"outcome\":\"done\""));
        QVERIFY(heard("\"ready\"")); // it has given back by then
        const qint64 taken = workerMemory("VmHWM") - before;
        QVERIFY2(taken > 2 * kFewBytes, "too little was taken to tell");
        const qint64 left = workerMemory("VmRSS") - before; // the model stays
        QVERIFY2(left < taken / 2, QByteArray::number(left) + " of " + QByteArray::number(taken));
        QVERIFY(QDir(pictures()).removeRecursively());
    }

    void aSignalEndsAServerThatWorks() {
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        const QJsonObject request{{"model", kModel}, {"prompt", "x"}, {"steps", 1000},
                                  {"device", "cpu"}, {"count", 50},   {"outputDir", pictures()}};
        const QJsonObject command{{"command", "generate"}, {"request", request}};
        m_engine.write(QJsonDocument(command).toJson(QJsonDocument::Compact) + "\n");
        QVERIFY(heard("\"sampling\""));
        signal(SIGTERM);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 5);
        QVERIFY(!QFile::exists(pictures()));
    }

    /// How its last request ended is not how it ended.
    void aServerThatIsKilledBehindARequestHasFailed() {
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        m_engine.write("{\"command\":\"generate\",\"request\":{\"model\":\"/no\"}}\n");
        QVERIFY(heard("\"outcome\":\"failed\""));
        const pid_t worker = workerId();
        QVERIFY(worker > 0);
        ::kill(worker, SIGKILL);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 1);
        const QByteArray error = m_engine.readAllStandardError();
        QVERIFY2(error.contains("SIGKILL"), error.constData());
    }

    void aServerThatHangsDiesWithItsEngine() {
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        const pid_t worker = workerId();
        QVERIFY(worker > 0);
        QCOMPARE(::kill(worker, SIGSTOP), 0); // hears no other signal, and cannot see the end of its input
        m_engine.kill();
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        const bool freed = QTest::qWaitFor([&] { return statusOf(worker, "VmRSS").isEmpty(); }, kLongestMs);
        ::kill(worker, SIGKILL); // should it be left
        QVERIFY(freed);
    }

    void everyRequestIsAnsweredAlsoAfterAStop() {
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        const QJsonObject request{{"model", kModel}, {"prompt", "x"}, {"steps", 1000},
                                  {"device", "cpu"}, {"count", 50},   {"outputDir", pictures()}};
        const QJsonObject command{{"command", "generate"}, {"request", request}};
        const QByteArray line = QJsonDocument(command).toJson(QJsonDocument::Compact) + "\n";
        m_engine.write(line + line + line);
        QVERIFY(heard("\"sampling\""));
        m_engine.write("{\"command\":\"stop\"}\n");
        m_engine.closeWriteChannel();
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        m_said += m_engine.readAllStandardOutput();
        QCOMPARE(m_said.count("\"type\":\"outcome\""), 3);
        QCOMPARE(m_said.count("\"outcome\":\"cancelled\""), 3);
        QVERIFY(!QFile::exists(pictures()));
    }

    void picturesGoToTheFolderThatAServerIsTold_data() {
        QTest::addColumn<bool>("atOnce");
        QTest::newRow("while it makes them") << false;
        QTest::newRow("before it begins") << true;
    }
    void picturesGoToTheFolderThatAServerIsTold() {
        QFETCH(bool, atOnce);
        start({"sample", "--serve"});
        QVERIFY(heard("\"ready\""));
        const QString other = pictures() + "/other";
        const QJsonObject request{{"model", kModel}, {"prompt", "x"}, {"steps", 200},
                                  {"device", "cpu"}, {"count", 1},    {"outputDir", pictures()}};
        const QJsonObject command{{"command", "generate"}, {"request", request}};
        const QJsonObject elsewhere{{"command", "elsewhere"}, {"folder", other}};
        const QByteArray moves = QJsonDocument(elsewhere).toJson(QJsonDocument::Compact) + "\n";
        m_engine.write(QJsonDocument(command).toJson(QJsonDocument::Compact) + "\n" +
                       (atOnce ? moves : QByteArray()));
        QVERIFY(heard("\"sampling\""));
        if (!atOnce) m_engine.write(moves);
        QVERIFY(heard("\"outcome\":\"done\""));
        QCOMPARE(QDir(other).entryList({"*.png"}, QDir::Files).size(), 1);
        QVERIFY(QDir(pictures()).removeRecursively());
    }

    void theEndOfItsInputEndsAServer() {
        start({"sample", "--serve"});
        m_engine.closeWriteChannel();
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(tst_generation)
#include "tst_generation.moc"

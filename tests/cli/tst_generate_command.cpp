// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// `homebooth-engine generate` with its worker: where texts go, what it refuses, how it is stopped.
#include "tests/cli/finished.h"

#include <QtTest>

#include <csignal>
#include <signal.h>

using homebooth::test::kLongestMs;

namespace {

constexpr const char* kLanguage = HOMEBOOTH_FIXTURES_DIR "/language";

} // namespace

class tst_generate_command : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcess m_engine;

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }

    void start(const QStringList& further) {
        m_engine.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                       (further.contains("--model")
                            ? QStringList{"generate", "--device", "cpu"}
                            : QStringList{"generate", "--model", path("model"), "--device", "cpu"}) +
                           further);
        QVERIFY(m_engine.waitForStarted());
    }

    int run(const QStringList& further) {
        start(further);
        const bool ended = m_engine.waitForFinished(kLongestMs);
        return ended && m_engine.exitStatus() == QProcess::NormalExit ? m_engine.exitCode() : -1;
    }

    QJsonObject object() { return QJsonDocument::fromJson(m_engine.readAllStandardOutput()).object(); }

    static QByteArray contentOf(const QString& file) {
        QFile open(file);
        return open.open(QIODevice::ReadOnly) ? open.readAll() : QByteArray();
    }

    void write(const char* name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

private slots:
    /// The tiny OPT has no tokenizer of its own; of the other one's ids it knows those of bytes.
    void initTestCase() {
        QVERIFY(QDir(m_folder.path()).mkdir("model"));
        for (const char* name : {"opt/config.json", "opt/model.safetensors", "tokenizer/tokenizer.json"})
            QVERIFY(QFile::copy(QString("%1/%2").arg(kLanguage, name),
                                path("model/") + QString(name).section('/', 1)));
    }

    void cleanup() {
        if (m_engine.state() != QProcess::NotRunning) m_engine.kill();
        m_engine.waitForFinished();
        m_engine.readAll();
    }

    void writesToStandardOutputToAFileAndAsAnObject() {
        const QStringList asked{"--prompt", "ABC", "--tokens", "8", "--seed", "4", "--count", "2"};
        QCOMPARE(run(asked), 0);
        QCOMPARE(m_engine.readAllStandardError(), QByteArray());
        const QByteArray said = m_engine.readAllStandardOutput();
        QVERIFY(said.endsWith('\n'));
        QCOMPARE(run(asked + QStringList{"--output", path("text")}), 0);
        QCOMPARE(m_engine.readAllStandardOutput(), QByteArray());
        QCOMPARE(contentOf(path("text")), said);
        QCOMPARE(run(asked + QStringList{"--json"}), 0);
        const QJsonObject all = object();
        const QJsonArray texts = all["texts"].toArray();
        QCOMPARE(texts.size(), 2);
        QCOMPARE(all["seeds"].toArray(), QJsonArray({4, 5}));
        for (const QJsonValue& end : all["endedBy"].toArray())
            QVERIFY(end.toString() == "tokens" || end.toString() == "end-token");
        QVERIFY(all["tokens"].toArray()[0].toInt() <= 8);
        QVERIFY(all["seconds"].toDouble() > 0.0);
        QVERIFY(all["tokensPerSecond"].toDouble() > 0.0);
        const auto line = [](const QJsonValue& text) {
            const QByteArray bytes = text.toString().toUtf8();
            return bytes.endsWith('\n') || bytes.isEmpty() ? bytes : bytes + '\n';
        };
        QCOMPARE(line(texts[0]) + '\n' + line(texts[1]), said);
    }

    void takesThePromptFromAFile() {
        write("prompt", "ABC\n");
        const QStringList asked{"--tokens", "8", "--temperature", "0"};
        QCOMPARE(run(asked + QStringList{"--prompt", "ABC"}), 0);
        const QByteArray said = m_engine.readAllStandardOutput();
        QCOMPARE(run(asked + QStringList{"--prompt-file", path("prompt")}), 0);
        QCOMPARE(m_engine.readAllStandardOutput(), said);
        QCOMPARE(run(asked + QStringList{"--prompt-file", path("prompt"), "--prompt", "ABC"}), 2);
        write("prompt", "AB\xFF");
        QCOMPARE(run(asked + QStringList{"--prompt-file", path("prompt")}), 3);
        QVERIFY(m_engine.readAllStandardError().contains("UTF-8"));
    }

    void givesTheSameTextWithLessMemory() {
        const QStringList asked{"--prompt", "ABC", "--tokens", "12", "--count", "3"};
        QCOMPARE(run(asked), 0);
        const QByteArray said = m_engine.readAllStandardOutput();
        QCOMPARE(run(asked + QStringList{"--policy", "cpu"}), 0);
        QCOMPARE(m_engine.readAllStandardOutput(), said);
        QCOMPARE(run(asked + QStringList{"--gpu-memory", "1KiB"}), 4);
        QCOMPARE(m_engine.readAllStandardOutput(), QByteArray());
    }

    void saysInALineWhatCannotBe_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        const QString long30(30, 'X');
        for (const char* folder : {"models--gpt2/refs", "models--gpt2/snapshots/b2", "notes"})
            QVERIFY(QDir(m_folder.path()).mkpath(folder));
        write("notes/a.txt", "A note.");
        QTest::newRow("pictures") << QStringList{"--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1"} << 3
                                  << QByteArray("homebooth-engine sample");
        QTest::newRow("hub's cache") << QStringList{"--model", path("models--gpt2")} << 3
                                     << QByteArray("models--gpt2/snapshots/b2");
        QTest::newRow("no model") << QStringList{"--model", path("notes")} << 3
                                  << QByteArray("config.json as transformers has it");
        QTest::newRow("prompt") << QStringList{"--prompt", long30} << 3 << QByteArray("23 tokens at most");
        QTest::newRow("temperature") << QStringList{"--temperature", "-1"} << 2
                                     << QByteArray("--temperature");
        QTest::newRow("share") << QStringList{"--top-p", "0"} << 2 << QByteArray("--top-p");
        QTest::newRow("LoRA") << QStringList{"--lora", "/nowhere"} << 3 << QByteArray("/nowhere");
        QTest::newRow("products") << QStringList{"--quantize", "w8a8"} << 2 << QByteArray("--quantize");
    }
    void saysInALineWhatCannotBe() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QByteArray, words);
        QCOMPARE(run(arguments + QStringList{"--output", path("none")}), code);
        const QByteArray error = m_engine.readAllStandardError();
        QVERIFY2(error.contains(words) && error.count('\n') == 1, error.constData());
        QVERIFY(!QFile::exists(path("none")));
    }

    void replacesNoFile() {
        write("old", "mine");
        QCOMPARE(run({"--prompt", "ABC", "--output", path("old")}), 3);
        QVERIFY(m_engine.readAllStandardError().contains("does not exist yet"));
        QCOMPARE(contentOf(path("old")), QByteArray("mine"));
    }

    void ctrlCEndsItAndWhatWasWrittenStays() {
        start({"--prompt", "ABC", "--count", "1000000", "--output", path("stopped")});
        QVERIFY(QTest::qWaitFor([this] { return contentOf(path("stopped")).size() > 100; }, kLongestMs));
        ::kill(static_cast<pid_t>(m_engine.processId()), SIGINT);
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QCOMPARE(m_engine.exitCode(), 5);
        QVERIFY(contentOf(path("stopped")).size() > 100);
    }

    void endsWhereNobodyReads() {
        m_engine.start("/bin/sh", {"-c", R"(("$0" "$@"; echo "code $?" >&2) | head -c 20)",
                                   HOMEBOOTH_BIN_DIR "/homebooth-engine", "generate", "--model",
                                   path("model"), "--device", "cpu", "--count", "1000000"});
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        const QByteArray said = m_engine.readAllStandardError();
        QVERIFY2(said.contains("standard output") && said.contains("code 3"), said.constData());
    }
};

QTEST_GUILESS_MAIN(tst_generate_command)
#include "tst_generate_command.moc"

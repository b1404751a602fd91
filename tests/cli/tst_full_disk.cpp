// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two programs together when a file cannot grow any further, at the result, a chart and the journal: a
// limit on the size of files is met in the same way as a full disk.
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/finished.h"
#include "tests/cli/tiny_training.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace homebooth::core;
using namespace homebooth::test;
namespace fs = std::filesystem;

namespace {

/// @param limitBytes  of every file that it writes; 0: none
Finished engine(const QStringList& arguments, uintmax_t limitBytes = 0,
                const QString& program = HOMEBOOTH_BIN_DIR "/homebooth-engine") {
    QProcess process;
    if (limitBytes > 0)
        process.setChildProcessModifier([limitBytes] {
            const rlimit limit{limitBytes, limitBytes};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        });
    process.start(program, arguments);
    return finish(process);
}

uintmax_t largestIn(const fs::path& folder) {
    uintmax_t largest = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) largest = std::max<uintmax_t>(largest, entry.file_size());
    return largest;
}

} // namespace

class tst_full_disk : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string run(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QStringList train(const char* name, const QStringList& more) const {
        return tinyTraining(m_folder.filePath(name), more);
    }

    /// The engine beside a worker that alone has the limit, as if it came after the start: else nothing would
    /// be begun. @returns  the program
    QString engineWithLimitedWorker(uintmax_t limitBytes) const {
        const QString bin = m_folder.filePath("bin");
        QDir().mkpath(bin);
        QFile::copy(HOMEBOOTH_BIN_DIR "/homebooth-engine", bin + "/homebooth-engine");
        QFile worker(bin + "/homebooth-worker");
        if (!worker.open(QIODevice::WriteOnly)) return {};
        const QByteArray blocks = QByteArray::number(qulonglong(limitBytes / 512));
        worker.write("#!/bin/sh\nulimit -f " + blocks +
                     "\nexec \"" HOMEBOOTH_BIN_DIR "/homebooth-worker\" \"$@\"\n");
        worker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return bin + "/homebooth-engine";
    }

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8()); }

    void aFileThatWillNotFitIsRefusedBeforeAnythingIsLearned_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("limit");
        // The UNet has some 310 kB, its moments twice that, all of a model in one file some 590 kB.
        QTest::newRow("moments") << QStringList{"--optimizer", "adamw"} << 600'000;
        QTest::newRow("result") << QStringList{"--optimizer", "adafactor"} << 470'000;
    }
    void aFileThatWillNotFitIsRefusedBeforeAnythingIsLearned() {
        QFETCH(QStringList, options);
        QFETCH(int, limit);
        const QString name = QString("refused-") + QTest::currentDataTag();
        const std::string folder = m_folder.filePath(name).toStdString();
        const QStringList arguments = train(name.toUtf8().constData(), QStringList{"--steps", "2"} + options);
        const Finished refused = engine(arguments, static_cast<uintmax_t>(limit));
        QCOMPARE(refused.code, 4);
        for (const char* words : {"no file there may be larger", "FAT32", "--output"})
            QVERIFY2(contains(refused.err, words), refused.err.c_str());
        QVERIFY(!fs::exists(folder));
        const Finished whole = engine(arguments);
        QVERIFY2(whole.code == 0, whole.err.c_str());
        QVERIFY(largestIn(folder) > static_cast<uintmax_t>(limit)); // it would have been met in the end
    }

    void aResultThatDoesNotFitLeavesTheCheckpointAndSaysHowToGoOn() {
        const QStringList options{"--steps", "2", "--optimizer", "adafactor"};
        const Finished whole = engine(train("whole", options));
        QVERIFY2(whole.code == 0, whole.err.c_str());
        const uintmax_t checkpoint = largestIn(run("whole") + "/checkpoints");
        const uintmax_t result = fs::file_size(run("whole") + "/result/model.safetensors");
        QVERIFY(checkpoint < result);
        const Finished ended =
            engine(train("result", options), 0, engineWithLimitedWorker((checkpoint + result) / 2));
        QCOMPARE(ended.code, 4);
        for (const char* words : {"the result of step 2", "larger than allowed", "the checkpoint of step 2",
                                  "homebooth-engine", " resume '"})
            QVERIFY2(contains(ended.err, words), ended.err.c_str());
        QVERIFY(verifyCheckpoint(run("result") + "/checkpoints/step-000002").ok());
        QVERIFY(!fs::exists(run("result") + "/result/model.safetensors"));
        const Finished again = engine({"resume", m_folder.filePath("result"), "--device", "cpu"});
        QVERIFY2(again.code == 0, again.err.c_str());
        QCOMPARE(fs::file_size(run("result") + "/result/model.safetensors"), result);
        QCOMPARE(readHistory(run("result") + "/events.jsonl")->steps.size(), size_t{2}); // none of them twice
    }

    void chartsThatDoNotFitAreAWarning() {
        const Finished whole = engine(train(
            "charts", {"--steps", "2", "--method", "lora", "--lora-rank", "1", "--no-keep-optimizer-state"}));
        QVERIFY2(whole.code == 0, whole.err.c_str());
        const std::string chart = run("charts") + "/charts/loss.png";
        const uintmax_t chartBytes = fs::file_size(chart);
        const fs::file_time_type drawn = fs::last_write_time(chart);
        fs::rename(run("charts") + "/charts", run("away"));
        const uintmax_t others = largestIn(run("charts"));
        fs::rename(run("away"), run("charts") + "/charts");
        QVERIFY2(others < chartBytes, qPrintable(QString("%1 < %2").arg(others).arg(chartBytes)));
        // A run that is done writes its result and its charts again.
        const Finished ended =
            engine({"resume", m_folder.filePath("charts"), "--device", "cpu"}, (others + chartBytes) / 2);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, "the charts could not be drawn"), ended.out.c_str());
        QVERIFY(contains(ended.out, "result/lora.safetensors"));
        QVERIFY(fs::last_write_time(chart) == drawn); // the earlier one stays
        QCOMPARE(std::distance(fs::directory_iterator(run("charts") + "/charts"), fs::directory_iterator()),
                 std::ptrdiff_t{2});
    }

    void aJournalThatCannotGrowEndsNoTraining() {
        const Finished begun = engine(train("journal", {"--steps", "1"}));
        QVERIFY2(begun.code == 0, begun.err.c_str());
        // Larger than anything else that is written: its end is met first.
        const std::string journal = run("journal") + "/events.jsonl";
        const uintmax_t others = largestIn(run("journal"));
        {
            std::ofstream file(journal, std::ios::app);
            const std::string line =
                "{\"v\":1,\"seq\":1,\"type\":\"other\",\"text\":\"" + std::string(10000, 'x') + "\"}\n";
            while (fs::file_size(journal) < others + 100000) file << line << std::flush;
        }
        const uintmax_t size = fs::file_size(journal);
        const QStringList resume{"resume", m_folder.filePath("journal"), "--device", "cpu", "--steps", "30"};
        const Finished refused = engine(resume, size + 100);
        QCOMPARE(refused.code, 4);
        QVERIFY2(contains(refused.err, "journal cannot be written"), refused.err.c_str());
        QCOMPARE(RunFolder::open(run("journal"))->config()->steps, int64_t{1}); // what it asked for is undone
        const Finished ended = engine(resume, size + 6000);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.err, "cannot write the journal"), ended.err.c_str());
        QVERIFY(verifyCheckpoint(run("journal") + "/checkpoints/step-000030").ok());
        QVERIFY(contains(ended.out, "result/model"));
        const auto history = readHistory(journal);
        QVERIFY(history.ok());
        QVERIFY(history->steps.size() > 1 && history->steps.size() < 30); // whole lines, as far as they fit
    }
};

QTEST_GUILESS_MAIN(tst_full_disk)
#include "tst_full_disk.moc"

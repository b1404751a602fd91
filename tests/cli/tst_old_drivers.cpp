// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA drivers that this build cannot use: what `doctor` says of them is what the other verbs do. The
// driver is a library of the test (fake_nvml.cpp). Needs no GPU.
#include "tests/cli/finished.h"

#include <QtTest>

using homebooth::test::contains;
using homebooth::test::finish;
using homebooth::test::Finished;

class tst_old_drivers : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Beside a driver 535 that runs these cards.
    [[nodiscard]] Finished engine(const QString& cards, const QStringList& arguments) const {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        values.insert("LD_LIBRARY_PATH", m_folder.path() + ':' + values.value("LD_LIBRARY_PATH"));
        values.insert("FAKE_NVML_DRIVER", "535.183.01");
        values.insert("FAKE_NVML_CARDS", cards);
        values.insert("HOMEBOOTH_HOME", m_folder.path()); // whose disk doctor looks at
        QProcess process;
        process.setProcessEnvironment(values);
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        return finish(process);
    }

    [[nodiscard]] QJsonObject doctor(const QString& cards) const {
        const Finished ended = engine(cards, {"doctor", "--json"});
        return QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
    }

    [[nodiscard]] Finished planned(const QString& cards, const QStringList& further = {}) const {
        return engine(cards,
                      QStringList{"plan", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                                  HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog", "--prompt", "p"} +
                          further);
    }

private slots:
    void initTestCase() {
        if (QFile::exists("/proc/driver/nvidia/version")) QSKIP("a driver is there, whose version counts");
        QVERIFY(QFile::copy(HOMEBOOTH_FAKE_NVML, m_folder.filePath("libnvidia-ml.so.1")));
    }

    /// No newer driver would help it.
    void aCardThatIsTooOldIsToldBeforeItsDriver() {
        const QString cards = "NVIDIA GeForce GTX 1060 6GB=61;NVIDIA GeForce GTX 1050=61";
        const QJsonObject report = doctor(cards);
        const QJsonObject gpu = report["gpu"].toObject();
        QCOMPARE(gpu["state"].toString(), QString("no device"));
        QCOMPARE(gpu["driver"].toString(), QString("535.183.01"));
        QCOMPARE(gpu["tooOld"].toArray().at(0).toString(), QString("NVIDIA GeForce GTX 1060 6GB"));
        const QString message = gpu["message"].toString();
        QVERIFY2(message.contains("GTX 1060") && !message.contains("driver"), qPrintable(message));
        const QString verdict = report["verdicts"].toArray().at(0).toString();
        QVERIFY2(verdict.startsWith("training and generation run on the CPU"), qPrintable(verdict));
        const Finished plan = planned(cards);
        QVERIFY2(plan.code == 0, plan.err.c_str());
    }

    void aDriverThatIsTooOldStopsWhatItCouldSlowDown_data() {
        QTest::addColumn<QString>("cards");
        QTest::newRow("a card of use") << "NVIDIA GeForce RTX 3050=86";
        QTest::newRow("behind one that is too old") << "GTX 1060=61;NVIDIA GeForce RTX 3050=86";
        QTest::newRow("a card that says nothing") << "NVIDIA GeForce=0";
        QTest::newRow("no card that is known") << "";
    }

    void aDriverThatIsTooOldStopsWhatItCouldSlowDown() {
        QFETCH(QString, cards);
        const QJsonObject report = doctor(cards);
        QCOMPARE(report["gpu"].toObject()["state"].toString(), QString("driver too old"));
        const QString verdict = report["verdicts"].toArray().at(0).toString();
        QVERIFY2(verdict.startsWith("nothing is trained or generated") && verdict.contains("--device cpu"),
                 qPrintable(verdict));
        const Finished plan = planned(cards);
        QCOMPARE(plan.code, 3);
        QVERIFY2(contains(plan.err, "535.183.01 is too old") && contains(plan.err, "--device cpu"),
                 plan.err.c_str());
        const Finished onCpu = planned(cards, {"--device", "cpu"});
        QVERIFY2(onCpu.code == 0, onCpu.err.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_old_drivers)
#include "tst_old_drivers.moc"

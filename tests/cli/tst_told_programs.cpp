// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What programs that start the engine with --json are told of its end.
#include "tests/cli/plain_engine.h"

#include <QtTest>

using namespace homebooth::test;

class tst_told_programs : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void programsAreToldWhatCannotBegin_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        const QString photos = m_folder.filePath("photos");
        QVERIFY(QDir().mkpath(photos));
        writeOnePixel(photos + "/one.png");
        const QStringList train{"train",    "--model",  HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                                "--prompt", "p",        "--instance",
                                photos,     "--device", "cpu"};
        QTest::newRow("train") << QStringList{"train", "--model", "/no"} + train.mid(3) +
                                      QStringList{"--output", "o"}
                               << 3;
        QTest::newRow("train wrongly") << train << 2;
        QTest::newRow("unknown option") << train + QStringList{"--stepz", "1"} << 2;
        QTest::newRow("resume") << QStringList{"resume", "/no"} << 3;
        QTest::newRow("sample") << QStringList{"sample", "--model", "/no", "--prompt", "x", "--output", "o"}
                                << 3;
        QTest::newRow("generate") << QStringList{"generate", "--model", "/no"} << 3;
        QTest::newRow("plan") << QStringList{"plan"} + train.mid(1) + QStringList{"--ram", "1MiB"} << 4;
        QTest::newRow("convert") << QStringList{"convert", "/no", "o", "--to", "diffusers"} << 3;
    }
    void programsAreToldWhatCannotBegin() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const Finished ended = engine(arguments + QStringList{"--json"});
        QCOMPARE(ended.code, code);
        const QList<QByteArray> lines = QByteArray::fromStdString(ended.out).trimmed().split('\n');
        const QJsonObject outcome = QJsonDocument::fromJson(lines.back()).object();
        QCOMPARE(outcome["type"].toString(), QString("outcome"));
        QCOMPARE(outcome["outcome"].toString(), QString("failed"));
        QCOMPARE(outcome["code"].toInt(), code);
        QVERIFY2(contains(ended.err, outcome["message"].toString().toStdString()), ended.err.c_str());
        QVERIFY(engine(arguments).out.find("outcome") == std::string::npos);
    }

    void pathsAreWhole_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("model") << QStringList{"inspect", HOMEBOOTH_FIXTURES_DIR "/./tiny-sd1/"};
        QTest::newRow("nothing") << QStringList{"inspect", "not/../there"};
        QTest::newRow("verified") << QStringList{"verify", "there"};
    }
    void pathsAreWhole() {
        QFETCH(QStringList, arguments);
        const Finished ended = engine(arguments + QStringList{"--json"});
        const auto told = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out));
        const QString path = told.isArray() ? told[0]["path"].toString() : told["path"].toString();
        QVERIFY2(QDir::isAbsolutePath(path) && QDir::cleanPath(path) == path, ended.out.c_str());
    }

    void whatCannotBeLookedAtHasAProblem() {
        const Finished inspected = engine({"inspect", "/no", "--json"});
        const auto facts = QJsonDocument::fromJson(QByteArray::fromStdString(inspected.out)).object();
        QCOMPARE(facts["path"].toString(), QString("/no"));
        QVERIFY2(contains(inspected.err, facts["problem"].toString().toStdString()) &&
                     facts.contains("problem"),
                 inspected.out.c_str());
        const Finished verified = engine({"verify", "/no", "--json"});
        const auto found = QJsonDocument::fromJson(QByteArray::fromStdString(verified.out)).array();
        QCOMPARE(found.size(), qsizetype{1});
        QCOMPARE(found[0].toObject()["ok"], QJsonValue(false));
        QVERIFY(!found[0].toObject()["problem"].toString().isEmpty());
    }

    void convertEndsWithItsOutcome() {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                      {"convert", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "made.safetensors", "--to",
                       "checkpoint", "--json"});
        const Finished ended = finish(process);
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QList<QByteArray> lines = QByteArray::fromStdString(ended.out).trimmed().split('\n');
        const QJsonObject outcome = QJsonDocument::fromJson(lines.back()).object();
        QCOMPARE(outcome["outcome"].toString(), QString("done"));
        const QString made = outcome["result"].toArray().at(0).toString();
        QVERIFY2(QDir::isAbsolutePath(made) && QFile::exists(made), qPrintable(made));
    }
};

QTEST_GUILESS_MAIN(tst_told_programs)
#include "tst_told_programs.moc"

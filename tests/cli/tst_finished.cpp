// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What these tests take for the end of a program is one.
#include "tests/cli/finished.h"

#include <QtTest>

using namespace homebooth::test;

class tst_finished : public QObject {
    Q_OBJECT

private slots:
    void aProgramThatHasNotEndedHasNoCode() {
        QProcess process;
        process.start("/bin/sh", {"-c", "echo begun; exec sleep 60"});
        QVERIFY(process.waitForStarted(kLongestMs));
        QVERIFY(process.waitForReadyRead(kLongestMs));
        QCOMPARE(process.exitCode(), 0); // as that of one that did well
        const Finished ended = finish(process, 50);
        QCOMPARE(ended.code, -1);
        QCOMPARE(ended.out, std::string("begun\n"));
        QVERIFY2(contains(ended.err, "did not end"), ended.err.c_str());
        QCOMPARE(process.state(), QProcess::NotRunning);
    }

    void aProgramThatIsNotThereHasNoCode() {
        QProcess process;
        process.start("/no/such/program", QStringList());
        const Finished ended = finish(process);
        QCOMPARE(ended.code, -1);
        QVERIFY(!ended.err.empty());
    }

    void aProgramThatDiedHasNoCode() {
        QProcess process;
        process.start("/bin/sh", {"-c", "kill -KILL $$"});
        QCOMPARE(finish(process).code, -1);
    }

    void whatEndsHasItsCodeAndItsWords() {
        QProcess process;
        for (const int code : {0, 7}) {
            process.start("/bin/sh", {"-c", QString("echo out; echo err >&2; exit %1").arg(code)});
            const Finished ended = finish(process);
            QCOMPARE(ended.code, code);
            QCOMPARE(ended.out, std::string("out\n"));
            QCOMPARE(ended.err, std::string("err\n"));
        }
    }
};

QTEST_GUILESS_MAIN(tst_finished)
#include "tst_finished.moc"

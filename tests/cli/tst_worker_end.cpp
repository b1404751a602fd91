// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of workers that could not say how they ended.
#include "core/base/run/failure_cause.h"
#include "core/cli/worker/worker_process.h"

#include <QtTest>

#include <algorithm>
#include <csignal>
#include <sys/resource.h>

using namespace homebooth::core;

class tst_worker_end : public QObject {
    Q_OBJECT

private slots:
    /// A run that goes on refuses a leaner format, optimizer or size, and pictures have other settings.
    void shortMemoryIsAnsweredWithWhatAnyRunTakes() {
        WorkerEnd end;
        end.signal = SIGKILL;
        end.memoryKill = true;
        const OutcomeEvent outcome = outcomeOf(end);
        QCOMPARE(causeOf(outcome.code, outcome.message), FailureCause::MemoryKill);
        const auto message = QString::fromStdString(outcome.message);
        for (const char* helps :
             {"close other programs", "--ram", "--swap FOLDER", "--batch", "--quantize int8"})
            QVERIFY2(message.contains(helps), qPrintable(message));
        for (const char* refused : {"bf16", "adamw8bit", "LoRA", "resolution", "context"})
            QVERIFY2(!message.contains(refused), qPrintable(message));
    }

    /// What a library ends the program with is no code of ours.
    void aSilentEndIsNoMistakeOfTheUser_data() {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("code");
        for (const int foreign : {1, 2, 3, 99}) QTest::addRow("%d", foreign) << foreign << 1;
        for (const int own : {0, 4, 5, 6}) QTest::addRow("own %d", own) << own << own;
    }
    void aSilentEndIsNoMistakeOfTheUser() {
        QFETCH(int, exitCode);
        QFETCH(int, code);
        WorkerEnd end;
        end.exitCode = exitCode;
        QCOMPARE(outcomeOf(end).code, code);
        if (code == 1) QCOMPARE(outcomeOf(end).result, std::string("failed"));
    }

    void whoAskedOnceDidNotAskForAnEndAtOnce() {
        WorkerEnd end;
        end.signal = SIGTERM;
        end.killedByUs = true;
        QCOMPARE(outcomeOf(end).message, std::string("stopped at once, as asked, without saving"));
        end.unheard = true;
        const OutcomeEvent outcome = outcomeOf(end);
        QCOMPARE(outcome.result, std::string("cancelled"));
        QCOMPARE(outcome.message, std::string("stopped before it had begun; there was nothing to save"));
    }

    /// The loader says the same of a library that is missing and of one that has no room.
    void aLimitOfAddressesIsNamed() {
        WorkerEnd end;
        end.exitCode = kExitNotStarted;
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
        QCOMPARE(outcomeOf(end).code, before.rlim_cur == RLIM_INFINITY ? 1 : 4);
        rlimit limited = before;
        limited.rlim_cur = std::min(before.rlim_cur, rlim_t{1} << 60);
        QCOMPARE(::setrlimit(RLIMIT_AS, &limited), 0);
        const OutcomeEvent outcome = outcomeOf(end);
        QCOMPARE(::setrlimit(RLIMIT_AS, &before), 0);
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.message.find("ulimit -v") != std::string::npos, outcome.message.c_str());
    }
};

QTEST_APPLESS_MAIN(tst_worker_end)
#include "tst_worker_end.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What works for the window alone ends with it, even where the window is killed.
#include "app/engine/bound_process.h"
#include "tests/patience.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace homebooth::app;
using homebooth::testing::kLongestMs;

namespace {

/// Starts a process that would go on for a minute, and says its number. @param bound  to this program
int startAndWait(bool bound) {
    QProcess sleeper;
    if (bound) endWithThisProgram(sleeper);
    sleeper.start(QStringLiteral("sleep"), {QStringLiteral("60")});
    if (!sleeper.waitForStarted()) return 1;
    std::printf("%lld\n", static_cast<long long>(sleeper.processId()));
    std::fflush(stdout);
    return sleeper.waitForFinished(-1) ? 0 : 1;
}

/// Whether it runs; one that has ended and that nobody has asked after does not.
bool lives(pid_t process) {
    QFile state(QStringLiteral("/proc/%1/stat").arg(process));
    return state.open(QIODevice::ReadOnly) && !state.readAll().contains(") Z ");
}

} // namespace

class BoundProcessTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void endsWithAKilledProgram_data() {
        QTest::addColumn<bool>("bound");
        QTest::newRow("bound") << true;
        QTest::newRow("others go on") << false;
    }

    void endsWithAKilledProgram() {
        QFETCH(const bool, bound);
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(),
                      {bound ? QStringLiteral("--bound") : QStringLiteral("--free")});
        QVERIFY(program.waitForStarted(kLongestMs));
        QTRY_VERIFY_WITH_TIMEOUT(program.canReadLine(), kLongestMs);
        const pid_t sleeper = program.readLine().trimmed().toInt();
        QVERIFY(sleeper > 1 && lives(sleeper));
        program.kill();
        QVERIFY(program.waitForFinished(kLongestMs));
        if (bound) {
            QTRY_VERIFY_WITH_TIMEOUT(!lives(sleeper), kLongestMs);
        } else {
            QVERIFY(lives(sleeper));
            ::kill(sleeper, SIGKILL);
        }
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QString first = application.arguments().value(1);
    if (first == QStringLiteral("--bound") || first == QStringLiteral("--free"))
        return startAndWait(first == QStringLiteral("--bound"));
    BoundProcessTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_bound_process.moc"

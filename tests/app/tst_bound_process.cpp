// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What works for the window alone ends with it, even where the window is killed. What the system says to
// the window.
#include "app/engine/bound_process.h"
#include "app/shell/surroundings.h"
#include "tests/patience.h"

#include <QCoreApplication>
#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <array>
#include <csignal>
#include <cstdio>
#include <utility>

using namespace Qt::StringLiterals;

using namespace homebooth::app;
using homebooth::testing::kLongestMs;

namespace {

/// Starts a process that would go on for a minute, and says its number. @param bound  to this program
int startAndWait(bool bound) {
    QProcess sleeper;
    if (bound) endWithThisProgram(sleeper);
    sleeper.start(u"sleep"_s, {u"60"_s});
    if (!sleeper.waitForStarted()) return 1;
    std::printf("%lld\n", static_cast<long long>(sleeper.processId()));
    std::fflush(stdout);
    return sleeper.waitForFinished(-1) ? 0 : 1;
}

/// Whether it runs; one that has ended and that nobody has asked after does not.
bool lives(pid_t process) {
    QFile state(u"/proc/%1/stat"_s.arg(process));
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
        program.start(QCoreApplication::applicationFilePath(), {bound ? u"--bound"_s : u"--free"_s});
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

    void aSignalToEndClosesAsItsUserDoes() {
        for (const int signal : {SIGTERM, SIGHUP}) {
            std::signal(signal, SIG_DFL); // whoever started the test may ignore it
            const EndSignals ends;
            QSignalSpy asked(&ends, &EndSignals::asked);
            ::raise(signal); // else this program has ended
            QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 1, kLongestMs);
        }
    }

    void foldersOfTheUserAndAScaleAreAlwaysThere() {
        const std::array<std::pair<const char*, QByteArray>, 4> odd{{{"HOME", ""},
                                                                     {"XDG_DATA_HOME", "somewhere"},
                                                                     {"XDG_CACHE_HOME", "/tmp/cache"},
                                                                     {"QT_SCALE_FACTOR", "0.8"}}};
        std::array<QByteArray, 4> before;
        for (size_t i = 0; i < odd.size(); ++i) {
            before[i] = qgetenv(odd[i].first);
            qputenv(odd[i].first, odd[i].second);
        }
        const auto putBack = qScopeGuard([&] {
            for (size_t i = 0; i < odd.size(); ++i)
                before[i].isNull() ? qunsetenv(odd[i].first) : qputenv(odd[i].first, before[i]);
        });
        settleSurroundings();
        QVERIFY(qgetenv("HOME").startsWith('/'));
        QVERIFY(qEnvironmentVariableIsEmpty("XDG_DATA_HOME")); // it would be another one wherever it starts
        QCOMPARE(qgetenv("XDG_CACHE_HOME"), QByteArray("/tmp/cache"));
        QVERIFY(qEnvironmentVariableIsEmpty("QT_SCALE_FACTOR"));
        qputenv("QT_SCALE_FACTOR", "1.25");
        settleSurroundings();
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.25"));
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QString first = application.arguments().value(1);
    if (first == u"--bound"_s || first == u"--free"_s) return startAndWait(first == u"--bound"_s);
    BoundProcessTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_bound_process.moc"

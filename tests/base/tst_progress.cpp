// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/progress.h"
#include "core/base/run/progress_interval.h"

#include <QtTest>

#include <cstdio>
#include <unistd.h>

using namespace homebooth::core;

class tst_progress : public QObject {
    Q_OBJECT

private slots:
    void durationsAreReadable_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("seconds") << 8.2 << "8 s";
        QTest::newRow("minutes") << 130.0 << "2 min 10 s";
        QTest::newRow("hours") << 3900.0 << "1 h 05 min";
        QTest::newRow("negative") << -1.0 << "?";
        QTest::newRow("endless") << std::numeric_limits<double>::infinity() << "?";
    }
    void durationsAreReadable() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(seconds), text.toStdString());
    }

    void theEndOfAPhaseIsSaidOnce() {
        QTemporaryFile said;
        QVERIFY(said.open());
        std::fflush(stdout);
        const int before = ::dup(STDOUT_FILENO);
        ::dup2(said.handle(), STDOUT_FILENO);
        Progress progress(false, 0);
        for (const int64_t done : {0, 19, 19, 19}) progress.show(StateEvent{"MiB written", "", done, 19});
        progress.show(StateEvent{"MiB read", "", 19, 19});
        std::fflush(stdout);
        ::dup2(before, STDOUT_FILENO);
        ::close(before);
        QVERIFY(said.seek(0));
        QCOMPARE(said.readAll(),
                 QByteArray("MiB written, 0 of 19\nMiB written, 19 of 19\nMiB read, 19 of 19\n"));
    }

    void longWorkSpeaksAtOnceAndThenEverySecond() {
        ProgressInterval interval;
        const ProgressInterval::Clock::time_point start{};
        QVERIFY(interval.due(start));
        QVERIFY(!interval.due(start + std::chrono::milliseconds(999)));
        QVERIFY(interval.due(start + std::chrono::milliseconds(1000)));
        QVERIFY(!interval.due(start + std::chrono::milliseconds(1999)));
        QVERIFY(interval.due(start + std::chrono::hours(1)));
    }

    void barsNeverLeaveTheirFrame() {
        QCOMPARE(barText(0, 10, 4), std::string("[....]"));
        QCOMPARE(barText(5, 10, 4), std::string("[##..]"));
        QCOMPARE(barText(10, 10, 4), std::string("[####]"));
        QCOMPARE(barText(99, 10, 4), std::string("[####]"));
        QCOMPARE(barText(-3, 10, 4), std::string("[....]"));
        QCOMPARE(barText(3, 0, 4), std::string("[....]"));
    }
};

QTEST_APPLESS_MAIN(tst_progress)
#include "tst_progress.moc"

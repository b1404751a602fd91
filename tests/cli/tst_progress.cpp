// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/progress.h"

#include <QtTest>

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

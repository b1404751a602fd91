// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/progress.h"
#include "core/base/run/progress_interval.h"

#include <QtTest>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <unistd.h>

using namespace homebooth::core;

class tst_progress : public QObject {
    Q_OBJECT

    /// What goes to where there is no terminal.
    static QByteArray saidOf(const std::function<void(Progress&)>& show, int64_t steps = 0) {
        QTemporaryFile said;
        if (!said.open()) return {};
        std::fflush(stdout);
        const int before = ::dup(STDOUT_FILENO);
        ::dup2(said.handle(), STDOUT_FILENO);
        {
            Progress progress(false, steps);
            show(progress);
        }
        std::fflush(stdout);
        ::dup2(before, STDOUT_FILENO);
        ::close(before);
        said.seek(0);
        return said.readAll();
    }

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
        const QByteArray said = saidOf([](Progress& progress) {
            for (const int64_t done : {0, 19, 19, 19}) progress.show(StateEvent{"MiB written", "", done, 19});
            progress.show(StateEvent{"MiB read", "", 19, 19});
        });
        QCOMPARE(said, QByteArray("MiB written, 0 of 19\nMiB written, 19 of 19\nMiB read, 19 of 19\n"));
    }

    void aWaitForRoomIsSaidOnce() {
        const StateEvent waits{kWaitsForRoom, "saving: the disk is full", int64_t{1} << 20, int64_t{3} << 20};
        const QByteArray said = saidOf([&waits](Progress& progress) {
            progress.show(waits);
            progress.show(waits); // after a try that failed again
        });
        QCOMPARE(said,
                 QByteArray("saving: the disk is full; waiting: 3.00 MiB are needed, 1.00 MiB are free; "
                            "it goes on by itself when there is room\n"));
    }

    void aWaitForADriveSpeaksOfNoRoom() {
        const std::string lack = "expected checkpoints; connect the drive that they lie on, or put them back";
        const QByteArray said = saidOf([&lack](Progress& progress) {
            progress.show(StateEvent{kWaitsForRoom, lack, 0, 0});
        });
        QCOMPARE(said,
                 QByteArray::fromStdString(lack) + "; waiting: it goes on by itself when they are there\n");
    }

    void aWaitForAnotherDriveSpeaksOfNoRoom() {
        const std::string lack = systemError("write", "/run", EFBIG).message;
        const QByteArray said = saidOf([&lack](Progress& progress) {
            progress.show(StateEvent{kWaitsForRoom, lack, 0, 0});
        });
        QCOMPARE(said,
                 QByteArray::fromStdString(lack) + "; waiting: give it one in the window (Other folder)\n");
    }

    void theNextWaitForRoomIsSaidAgain() {
        const StateEvent waits{kWaitsForRoom, "saving", 0, 0};
        const QByteArray said = saidOf([&waits](Progress& progress) {
            progress.show(waits);
            progress.show(StepEvent());
            progress.show(waits);
        });
        QCOMPARE(said.count("waiting: 0 bytes are free"), qsizetype{2});
    }

    void stepsTellWhatTheyWaitedForPictures() {
        StepEvent first;
        first.step = 1;
        first.seconds = 1.0;
        StepEvent second = first;
        second.step = 2;
        second.dataSeconds = 0.03;
        const QByteArray said = saidOf(
            [&](Progress& progress) {
                progress.show(first);
                progress.show(second);
            },
            2);
        const QList<QByteArray> lines = said.trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype{2});
        QVERIFY(!lines.front().contains("waited")); // it did not
        QVERIFY2(lines.back().contains("15 ms a step (1.5 %) waited for data"), said.constData());
    }

    void aPauseIsNoPartOfThePace_data() {
        QTest::addColumn<QString>("state");
        QTest::newRow("paused") << "paused";
        QTest::newRow("no room on the disk") << kWaitsForRoom;
    }
    void aPauseIsNoPartOfThePace() {
        QFETCH(QString, state);
        StepEvent step;
        step.step = 1;
        step.seconds = 0.01;
        const QByteArray said = saidOf(
            [&](Progress& progress) {
                progress.show(step);
                progress.show(StateEvent{state.toStdString(), "", 0, 0});
                QTest::qSleep(1200);
                progress.show(StateEvent{"training", "", 0, 0});
                step.step = 2;
                progress.show(step);
            },
            2);
        const QRegularExpression rate("step 2 of 2, loss 0.0000, ([0-9.]+) per s");
        const QRegularExpressionMatch found = rate.match(QString::fromUtf8(said));
        QVERIFY2(found.hasMatch(), said.constData());
        QVERIFY2(found.captured(1).toDouble() > 5.0, said.constData());
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

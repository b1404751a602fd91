// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the watch over the event loop counts: a thread that stands before a lock or a disk computes nothing,
// but no frame is drawn all the same. And what tests wait for that never comes.
#include "app_fixture.h"
#include "loop_watch.h"

#include <QThread>

using namespace homebooth;
using namespace homebooth::app;

class LoopWatchTest : public QObject {
    Q_OBJECT
public:
    explicit LoopWatchTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void whatTheThreadSleepsIsHeld();
    void theWaitForAProcessorIsNot();
    void whatNeverComesIsWaitedForOnce();
};

void LoopWatchTest::whatTheThreadSleepsIsHeld() {
    constexpr unsigned long kSleepMs = 150;
    LoopWatch watch;
    if (!watch.tellsWaits()) QSKIP("this system does not tell how long a thread waits for a processor");
    QTest::qWait(20);
    QThread::msleep(kSleepMs);
    QTest::qWait(20);
    QVERIFY2(watch.worstHeldMs() >= qint64(kSleepMs), qPrintable(watch.report()));
    QVERIFY2(watch.worstComputedMs() < qint64(kSleepMs), qPrintable(watch.report()));
}

void LoopWatchTest::theWaitForAProcessorIsNot() {
    const LoopWatch::Pause busyMachine{150'000, 4'000, 120'000};
    QCOMPARE(busyMachine.heldUs(), qint64{30'000});
    const LoopWatch::Pause behindAnother{150'000, 4'000, 10'000, 90'000}; // which had a lock
    QCOMPARE(behindAnother.heldUs(), qint64{50'000});
    const LoopWatch::Pause lateCount{10'000, 9'000, 5'000}; // the two clocks are read one after the other
    QCOMPARE(lateCount.heldUs(), qint64{9'000});
}

void LoopWatchTest::whatNeverComesIsWaitedForOnce() {
    constexpr int kTurns = 8;
    int looks = 0;
    QEXPECT_FAIL("", "it never comes", Continue);
    QTRY_VERIFY_WITH_TIMEOUT(++looks > 1000, kTurns * testing::kLookAgainMs);
    QVERIFY2(looks >= kTurns && looks <= kTurns + 2, qPrintable(QString::number(looks)));
}

HOMEBOOTH_APP_TEST_MAIN(LoopWatchTest)
#include "tst_loop_watch.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a hang takes away: the turn that was held while it lasted, and no other. And a guard that finds no
// thread to watch from.
#include "app/engine/hang_guard.h"
#include "app/engine/queue/queue_desk.h"
#include "queue_fixture.h"

#include <QRegularExpression>

#include <atomic>
#include <chrono>
#include <memory>
#include <pthread.h>

using namespace homebooth;
using namespace homebooth::app;
using namespace std::chrono_literals;

namespace {

/// While it lives no thread can begin: no address space has room for such a stack.
class NoThreads {
public:
    NoThreads() {
        ::pthread_getattr_default_np(&m_before);
        pthread_attr_t huge{};
        ::pthread_getattr_default_np(&huge);
        ::pthread_attr_setstacksize(&huge, size_t{1} << 48);
        ::pthread_setattr_default_np(&huge);
        ::pthread_attr_destroy(&huge);
    }
    ~NoThreads() {
        ::pthread_setattr_default_np(&m_before);
        ::pthread_attr_destroy(&m_before);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t m_before{};
};

constexpr HangGuard::Patience kBrief{20ms, 5};

/// Hangs until a hang was noticed, for a second at most.
void hang(const std::atomic<int>& noticed) {
    for (int look = 0; look < 100 && noticed == 0; ++look) QThread::msleep(10);
}

} // namespace

class HangGuardTest : public QueueFixture {
    Q_OBJECT
public:
    explicit HangGuardTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void aHangIsNoticedOnceAndItsEndToo();
    void withoutAThreadTheWindowGoesOn();
    void aTurnTakenSinceIsNotAbandoned();
};

void HangGuardTest::aHangIsNoticedOnceAndItsEndToo() {
    std::atomic<int> noticed = 0;
    const HangGuard guard(kBrief, [&noticed] { ++noticed; });
    QSignalSpy recovered(&guard, &HangGuard::recovered);
    hang(noticed);
    QThread::msleep(200);
    QCOMPARE(noticed.load(), 1);
    QTRY_COMPARE(recovered.size(), 1);
}

void HangGuardTest::withoutAThreadTheWindowGoesOn() {
    std::atomic<int> noticed = 0;
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(u"^QThread::start: "_s));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"^no thread to notice "_s));
    std::unique_ptr<HangGuard> guard;
    {
        const NoThreads none;
        guard = std::make_unique<HangGuard>(kBrief, [&noticed] { ++noticed; });
    }
    QSignalSpy recovered(guard.get(), &HangGuard::recovered);
    QThread::msleep(300);
    QTest::qWait(50);
    QCOMPARE(noticed.load(), 0);
    QCOMPARE(recovered.size(), 0);
    guard = std::make_unique<HangGuard>(kBrief, [&noticed] { ++noticed; }); // the next turn's
    hang(noticed);
    QCOMPARE(noticed.load(), 1);
}

void HangGuardTest::aTurnTakenSinceIsNotAbandoned() {
    QueueDesk desk;
    desk.open();
    desk.wantTurn(true);
    QTRY_VERIFY(desk.hasTurn());
    const int first = desk.turn();
    desk.wantTurn(false);
    desk.wantTurn(true);
    QTRY_VERIFY(desk.hasTurn());
    std::atomic<int> abandoned = 0;
    const auto count = [&abandoned] { ++abandoned; };
    desk.abandonTurn(first, count); // noticed before, done late
    desk.finish();
    QCOMPARE(abandoned.load(), 0);
    QVERIFY(!m_queue.takeTurn()->has_value());
    desk.abandonTurn(desk.turn(), count);
    desk.finish();
    QCOMPARE(abandoned.load(), 1);
    QVERIFY(m_queue.takeTurn()->has_value());
    desk.wantTurn(false);
    desk.finish();
}

HOMEBOOTH_APP_TEST_MAIN(HangGuardTest)
#include "tst_hang_guard.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is told of jobs that end, and that the machine stays awake meanwhile: on a bus of the test's own,
// whose notifications and logind the test plays itself.
#include "app/engine/runs/run_session.h"
#include "app/shell/main_window.h"
#include "app/shell/notices.h"
#include "app/shell/sleep_lock.h"
#include "app/widgets/message_bar.h"
#include "core/base/run/end_words.h"
#include "queue_fixture.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <unistd.h>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Answers every call and keeps what it was asked.
class Desktop : public QDBusVirtualObject {
public:
    [[nodiscard]] QString introspect(const QString&) const override { return {}; }
    bool handleMessage(const QDBusMessage& message, const QDBusConnection& bus) override {
        if (message.member() == QLatin1String("Notify"))
            told.append(message.arguments().value(3).toString() + '|' +
                        message.arguments().value(4).toString());
        if (message.member() == QLatin1String("Inhibit")) {
            int ends[2];
            if (::pipe(ends) != 0) return false;
            inhibited.append(message.arguments().value(0).toString());
            bus.send(message.createReply(QVariant::fromValue(QDBusUnixFileDescriptor(ends[1]))));
            ::close(ends[1]);
            lock = ends[0];
            return true;
        }
        bus.send(message.createReply(QVariant(1U)));
        return true;
    }
    /// Whether the other end of the lock was closed.
    [[nodiscard]] bool released() const {
        char byte = 0;
        return ::read(lock, &byte, 1) == 0;
    }
    QStringList told;
    QStringList inhibited;
    int lock = -1;
};

} // namespace

class NoticesTest : public QueueFixture {
    Q_OBJECT
public:
    explicit NoticesTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase();
    void init() {
        beginAgain();
        m_desktop.told.clear();
        m_services->settings.reset(keys::kSeenMs);
    }
    void cleanup() {
        letPicturesGo();
        m_services.reset();
    }
    void cleanupTestCase();
    void trainingsThatEndAreToldByTheirState_data();
    void trainingsThatEndAreToldByTheirState();
    void aTrainingThatWaitsForRoomIsToldOnce();
    void picturesAreToldAndKeepTheMachineAwake();
    void whatEndedWhileTheWindowWasClosedIsToldLater();
    void whatWasCutOffIsToldOnceAlsoAfterAFirstSession();
    void wordsAreLeftForASupervisorWithoutAWindow();
    void whoClosesTheWindowIsToldOfTheLid();

private:
    QProcess m_bus;
    Desktop m_desktop;
};

void NoticesTest::initTestCase() {
    useFakeEngine();
    const QString daemon = QStandardPaths::findExecutable(u"dbus-daemon"_s);
    if (daemon.isEmpty()) QSKIP("there is no dbus-daemon");
    m_bus.start(daemon, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
    QTRY_VERIFY(m_bus.canReadLine());
    const QByteArray address = m_bus.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    qputenv("DBUS_SYSTEM_BUS_ADDRESS", address);
    QDBusConnection bus = QDBusConnection::connectToBus(QString::fromLatin1(address), u"desktop"_s);
    QVERIFY(bus.isConnected());
    for (const char* name : {"org.freedesktop.Notifications", "org.freedesktop.login1"})
        QVERIFY(bus.registerService(QString::fromLatin1(name)));
    QVERIFY(bus.registerVirtualObject(u"/org/freedesktop"_s, &m_desktop, QDBusConnection::SubPath));
}

void NoticesTest::cleanupTestCase() {
    QDBusConnection::disconnectFromBus(u"desktop"_s);
    m_bus.kill();
    m_bus.waitForFinished();
}

void NoticesTest::trainingsThatEndAreToldByTheirState_data() {
    QTest::addColumn<QString>("state");
    QTest::addColumn<QStringList>("told");
    QTest::newRow("done") << "done" << QStringList{u"robot is ready|1 of 100 steps"_s};
    QTest::newRow("failed") << "failed"
                            << QStringList{u"robot needs you|The disk is full. (1 of 100 steps)"_s};
    QTest::newRow("stopped") << "cancelled" << QStringList();
}

void NoticesTest::trainingsThatEndAreToldByTheirState() {
    QFETCH(QString, state);
    const QString folder = makeRun("robot", "running");
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    QWidget window;
    const Notices* notices = new Notices(m_services->all(), window);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    core::OutcomeEvent end;
    end.result = state.toStdString();
    end.code = end.result == "failed" ? 4 : 0;
    if (end.result == "failed") end.message = "/a: the disk is full; free some space";
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    writeEvents(folder, {end});
    lock.reset();
    QTRY_COMPARE(finished.size(), 1);
    QFETCH(QStringList, told);
    if (!told.isEmpty()) QTRY_COMPARE(m_desktop.told.size(), told.size());
    QTest::qWait(300); // for more than that
    QCOMPARE(m_desktop.told, told);
    QVERIFY(notices != nullptr);
}

void NoticesTest::aTrainingThatWaitsForRoomIsToldOnce() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder);
    QWidget window;
    new Notices(m_services->all(), window);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    const core::StateEvent waits{core::kWaitsForRoom, "full", 1, 2};
    const QStringList once{u"robot needs you|The disk is full. (1 of 100 steps)"_s};
    writeEvents(folder, {waits});
    QTRY_COMPARE(m_desktop.told, once);
    writeEvents(folder, {core::StateEvent{"saving", "checkpoint", 0, 0}});
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::Saving);
    writeEvents(folder, {waits}); // a try that failed is no news
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::DiskFull);
    QTest::qWait(300);
    QCOMPARE(m_desktop.told, once);
    writeEvents(folder, {core::StateEvent{"training", "", 1, 100}});
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::Learning);
    writeEvents(folder, {waits});
    QTRY_COMPARE(m_desktop.told.size(), 2);
}

void NoticesTest::picturesAreToldAndKeepTheMachineAwake() {
    openRuns();
    QWidget window; // nobody looks at it
    new Notices(m_services->all(), window);
    const SleepLock lock(m_services->generator);
    QVERIFY(!lock.held());
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    holdPictures();
    m_services->generator.make(pictures(1), 1);
    QTRY_VERIFY(lock.held());
    QCOMPARE(m_desktop.inhibited, QStringList{u"sleep:idle"_s});
    letPicturesGo();
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(!lock.held());
    QTRY_VERIFY(m_desktop.released());
    QTRY_COMPARE(m_desktop.told.size(), 1);
    QVERIFY2(m_desktop.told[0].startsWith(u"Pictures are ready"_s), qPrintable(m_desktop.told[0]));
    m_services->settings.set(keys::kNotify, false);
    m_services->generator.make(pictures(1), 2);
    QTRY_COMPARE(ended.size(), 2);
    QTest::qWait(200);
    QCOMPARE(m_desktop.told.size(), 1); // the user wants none
    m_services->settings.reset(keys::kNotify);
}

void NoticesTest::whatEndedWhileTheWindowWasClosedIsToldLater() {
    makeRun("known", "done");
    QTest::qWait(20);
    m_services->settings.set(keys::kSeenMs, QString::number(core::nowMs()));
    QTest::qWait(20);
    const QString news = makeRun("news", "done");
    MainWindow window(m_services->all());
    window.show();
    openRuns();
    MessageBar& messages = window.page(window.currentPage())->messages();
    QTRY_COMPARE(messages.count(), 1);
    QVERIFY2(messages.currentText().contains(u"news is ready"_s), qPrintable(messages.currentText()));
    QVERIFY(!messages.findChild<QTimer*>(u"life"_s)->isActive()); // it waits for somebody
    buttonNamed(messages, u"Open"_s)->click();
    QCOMPARE(window.currentPage(), PageId::Train);
    QCOMPARE(m_services->runs.current()->folder(), news);
}

void NoticesTest::whatWasCutOffIsToldOnceAlsoAfterAFirstSession() {
    makeRun("older", "done");
    QTest::qWait(20); // file times are coarse
    const QString cut = makeRun("cut", "waiting", false);
    writeEvents(cut, {core::StateEvent{"loading", "", 0, 0}}); // it had not learned yet
    QTest::qWait(20);
    const QString queue = makeRun("queue", "running"); // on another GPU
    QVERIFY(m_queue.add(queue.toStdString()).ok() && m_queue.take()->has_value());
    queued("next");
    core::OutcomeEvent known;
    known.result = "failed";
    known.message = "/a: the disk is full; free some space";
    writeEvents(makeRun("full", "failed"), {known}); // no news
    for (const int times : {2, 0}) {
        QWidget window;
        auto* notices = new Notices(m_services->all(), window);
        QSignalSpy missed(notices, &Notices::missed);
        openRuns();
        QTRY_COMPARE(m_services->runs.find(cut)->state, "failed");
        QTRY_COMPARE(missed.size(), times);
        QTest::qWait(300); // for more than that
        QCOMPARE(missed.size(), times);
        if (times == 0) break;
        for (const QList<QVariant>& told : missed) {
            const QString text = told[0].toString();
            const bool ofCut = told[1].toString() == cut;
            QVERIFY2(text.contains(u"was cut off"_s), qPrintable(text));
            QVERIFY2(text.contains(ofCut ? u"Open it and resume"_s : u"goes on with the queue"_s),
                     qPrintable(text));
            QVERIFY(!told[2].toBool());
        }
        QVERIFY(missed[0][1] != missed[1][1]);
    }
}

void NoticesTest::wordsAreLeftForASupervisorWithoutAWindow() {
    const core::JobQueue queue;
    {
        QWidget window;
        new Notices(m_services->all(), window);
        QTRY_COMPARE(core::endWords(queue).done, "%1 is ready");
        QTRY_VERIFY(core::windowLives(queue));
        m_services->settings.set(keys::kNotify, false);
        QTRY_VERIFY(core::endWords(queue).done.empty() && core::endWords(queue).failed.empty());
        m_services->settings.reset(keys::kNotify);
        QTRY_COMPARE(core::endWords(queue).failed, "%1 needs you");
    }
    QVERIFY(!core::windowLives(queue));
}

void NoticesTest::whoClosesTheWindowIsToldOfTheLid() {
    const QString lids = m_place.path("lids");
    QVERIFY(!hasLid(lids)); // as where the kernel knows of none
    QVERIFY(QDir().mkpath(lids));
    QVERIFY(!hasLid(lids));
    QVERIFY(QDir(lids).mkdir(u"LID0"_s));
    QVERIFY(hasLid(lids));
    const auto lock = work(makeRun("robot", "running"));
    MainWindow window(m_services->all());
    window.show();
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    window.close();
    const QString words =
        hasLid() ? u"Homebooth|Training goes on while the lid is open."_s : u"Homebooth|Training goes on."_s;
    QTRY_COMPARE(m_desktop.told, QStringList{words});
}

HOMEBOOTH_APP_TEST_MAIN(NoticesTest)
#include "tst_notices.moc"

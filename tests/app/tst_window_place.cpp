// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the window comes up: before the others, as it was kept, within a screen that becomes smaller.
#include "app/settings/settings.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/widgets/bring_up.h"
#include "app_files.h"

#include <QScreen>
#include <QScrollArea>
#include <QSignalSpy>

using namespace homebooth;
using namespace homebooth::app;

class WindowPlaceTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void aMinimisedWindowComesUp_data();
    void aMinimisedWindowComesUp();
    void howItWasIsKeptForAnotherScreen();
    void aScreenThatBecomesSmallerHasAllOfIt();
    void aSmallScreenScrolls();

private:
    void open();
    /// As on a screen of quite another width, of which Qt takes no place.
    void reopenElsewhere();
    /// The screen of the tests does not change: what follows it is told so.
    void tellRoom(const QRect& available);

    std::unique_ptr<MainWindow> m_window;
};

void WindowPlaceTest::init() {
    beginAgain();
    open();
    m_window->showNormal();
    m_window->resize(800, 560);
}

void WindowPlaceTest::cleanup() {
    m_window.reset();
    end();
}

void WindowPlaceTest::open() {
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void WindowPlaceTest::reopenElsewhere() {
    m_window->close();
    m_services->settings.set(keys::kGeometry, QByteArray("of another screen"));
    m_window.reset();
    open();
}

void WindowPlaceTest::tellRoom(const QRect& available) {
    Q_EMIT m_window->screen()->availableGeometryChanged(available);
}

void WindowPlaceTest::aMinimisedWindowComesUp_data() {
    QTest::addColumn<bool>("maximised");
    QTest::newRow("in its size") << false;
    QTest::newRow("maximised") << true;
}

void WindowPlaceTest::aMinimisedWindowComesUp() {
    QFETCH(bool, maximised);
    if (maximised) m_window->showMaximized();
    m_window->setWindowState(m_window->windowState() | Qt::WindowMinimized);
    QVERIFY(m_window->isMinimized());
    bringUp(*m_window, "a token");
    QVERIFY(!m_window->isMinimized());
    QCOMPARE(m_window->isMaximized(), maximised);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QVERIFY(!qEnvironmentVariableIsSet(kActivationToken)); // programs that it starts do not come up by it
}

void WindowPlaceTest::howItWasIsKeptForAnotherScreen() {
    reopenElsewhere();
    QCOMPARE(m_window->size(), QSize(800, 560)
                                   .boundedTo(m_window->screen()->availableSize() - QSize(8, 40))
                                   .expandedTo(m_window->minimumSize()));
    m_window->showMaximized();
    reopenElsewhere();
    QVERIFY(m_window->isMaximized());
    m_window->showNormal();
    reopenElsewhere();
    QVERIFY(!m_window->isMaximized());
}

void WindowPlaceTest::aScreenThatBecomesSmallerHasAllOfIt() {
    m_window->resize(1180, 740);
    m_window->move(60, 40);
    const QRect room(20, 10, 900, 620);
    tellRoom(room);
    QTRY_VERIFY(room.contains(m_window->frameGeometry()));
    QCOMPARE(m_window->frameGeometry().size(), room.size());
    QVERIFY(qobject_cast<QScrollArea*>(m_window->centralWidget()) == nullptr);
    const QSize size = m_window->size();
    tellRoom({}); // is off
    tellRoom({0, 0, 1920, 1080});
    QCOMPARE(m_window->size(), size);
    m_window->showMaximized();
    const QSize all = m_window->size();
    tellRoom({0, 0, 900, 600}); // the desktop sees to it
    QCOMPARE(m_window->size(), all);
    QVERIFY(m_window->isMaximized());
}

void WindowPlaceTest::aSmallScreenScrolls() {
    const QSize small(640, 460);
    tellRoom({{0, 0}, small});
    QVERIFY(m_window->isMaximized());
    QVERIFY(m_window->minimumWidth() <= small.width() && m_window->minimumHeight() <= small.height());
    const auto* area = qobject_cast<QScrollArea*>(m_window->centralWidget());
    QVERIFY(area != nullptr && area->isAncestorOf(m_window->findChild<JobBar*>()));
    m_window->showNormal();
    m_window->resize(700, 500);
    QCoreApplication::processEvents();
    tellRoom({{0, 0}, small});
    // As wide as a maximised one, which has no sides.
    QTRY_VERIFY(m_window->width() <= small.width() && m_window->frameGeometry().height() <= small.height());
    QVERIFY(!m_window->isMaximized()); // as somebody wanted it
}

HOMEBOOTH_APP_TEST_MAIN(WindowPlaceTest)
#include "tst_window_place.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The large view by mouse: buttons that show while it moves, and the whole screen.
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/settings/settings.h"
#include "app/shell/main_window.h"
#include "app/widgets/pictures/large_view.h"
#include "app_files.h"

#include <QMouseEvent>
#include <QPushButton>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class LargeViewToolsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void buttonsShowWhileTheMouseMoves();
    void buttonsWalkAndLeave();
    void deletingAndMarkingIsForPicturesOfTheLibrary();
    void tabWalksThroughTheButtonsAlone();
    void aClickBetweenThemLeavesNothing();
    void aPictureTakesTheWholeScreen();
    void theWindowIsAsItWasAfterAPicture();
    void theCoveredPageIsNotPressed();

private:
    [[nodiscard]] QToolButton& tool(const QString& name) const;
    void moveMouse() const;

    QStringList m_files;
    std::unique_ptr<QWidget> m_parent;
    LargeView* m_view = nullptr;
};

void LargeViewToolsTest::init() {
    beginAgain();
    QDir().mkpath(m_place.path(u"large"_s));
    m_files.clear();
    for (int i = 0; i < 3; ++i)
        m_files.append(writeTestPicture(m_place.path(u"large/%1.png"_s.arg(i)), i, {400, 300}));
    m_parent = std::make_unique<QWidget>();
    m_parent->resize(800, 600);
    m_parent->show();
    m_view = new LargeView(m_parent.get());
    m_view->open(m_files[0], m_files);
}

void LargeViewToolsTest::cleanup() {
    m_parent.reset();
    end();
}

QToolButton& LargeViewToolsTest::tool(const QString& name) const {
    for (auto* one : m_view->findChildren<QToolButton*>())
        if (one->accessibleName() == name && one->toolTip() == name) return *one;
    qFatal("there is no button of this name");
}

void LargeViewToolsTest::moveMouse() const {
    const QPointF place(100, 500);
    QMouseEvent move(QEvent::MouseMove, place, m_view->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(m_view, &move);
}

void LargeViewToolsTest::buttonsShowWhileTheMouseMoves() {
    QCOMPARE(m_view->findChildren<QToolButton*>().size(), 6);
    QVERIFY(m_view->hasMouseTracking());
    const QToolButton& next = tool(u"Next picture"_s);
    QVERIFY(!next.isVisible());
    moveMouse();
    QVERIFY(next.isVisible());
    QVERIFY(m_view->rect().contains(next.parentWidget()->geometry()));
    QTRY_VERIFY_WITH_TIMEOUT(!next.isVisible(), 10'000);
}

void LargeViewToolsTest::buttonsWalkAndLeave() {
    moveMouse();
    QToolButton& next = tool(u"Next picture"_s);
    QToolButton& previous = tool(u"Previous picture"_s);
    QVERIFY(!previous.isEnabled());
    next.click();
    QCOMPARE(m_view->path(), m_files[1]);
    previous.click();
    QCOMPARE(m_view->path(), m_files[0]);
    next.click();
    next.click();
    QCOMPARE(m_view->path(), m_files[2]);
    QVERIFY(!next.isEnabled() && previous.isEnabled());
    QSignalSpy left(m_view, &LargeView::left);
    tool(u"Back"_s).click();
    QVERIFY(m_view->isHidden());
    QCOMPARE(left.size(), 1);
}

void LargeViewToolsTest::deletingAndMarkingIsForPicturesOfTheLibrary() {
    QToolButton& mark = tool(u"Favourite"_s);
    QToolButton& trash = tool(u"Delete"_s);
    QVERIFY(!mark.isEnabled() && !trash.isEnabled());
    core::PictureState state;
    state.id = 5;
    m_view->setState(state);
    QVERIFY(mark.isEnabled() && trash.isEnabled());
    QSignalSpy marked(m_view, &LargeView::favouriteWanted);
    QSignalSpy trashed(m_view, &LargeView::trashWanted);
    mark.click();
    trash.click();
    QCOMPARE(marked.size(), 1);
    QCOMPARE(marked[0][0].toString(), m_files[0]);
    QCOMPARE(trashed.size(), 1);
    QCOMPARE(trashed[0][0].toString(), m_files[0]);
    state.favourite = true;
    m_view->setState(state);
    QCOMPARE(mark.accessibleName(), u"No favourite"_s);
}

void LargeViewToolsTest::tabWalksThroughTheButtonsAlone() {
    const auto focused = [this] { return m_parent->focusWidget(); };
    QToolButton& next = tool(u"Next picture"_s);
    QTest::keyClick(m_view, Qt::Key_Tab);
    QVERIFY(next.isVisible());
    QVERIFY(focused() == &next); // the one before it has nowhere to go
    QTest::keyClick(focused(), Qt::Key_Return);
    QCOMPARE(m_view->path(), m_files[1]);
    QVERIFY(m_view->isVisible());
    QTest::keyClick(&next, Qt::Key_Tab); // what is not possible is passed over
    QVERIFY(focused() == &tool(u"Start from this picture"_s));
    QTest::keyClick(focused(), Qt::Key_Tab);
    QVERIFY(focused() == &tool(u"Back"_s));
    QTest::keyClick(focused(), Qt::Key_Tab);
    QVERIFY(focused() == m_view);
    QTest::keyClick(m_view, Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(focused() == &tool(u"Back"_s));
    QTest::keyClick(focused(), Qt::Key_Escape);
    QVERIFY(m_view->isHidden());
}

void LargeViewToolsTest::aClickBetweenThemLeavesNothing() {
    moveMouse();
    QWidget* bar = tool(u"Back"_s).parentWidget();
    QTest::mouseClick(bar, Qt::LeftButton, {}, QPoint(1, 1));
    QVERIFY(m_view->isVisible());
}

void LargeViewToolsTest::aPictureTakesTheWholeScreen() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Gallery);
    auto* page = static_cast<GalleryPage*>(window.page(PageId::Gallery));
    auto* view = window.findChild<LargeView*>();
    Q_EMIT page->largeWanted(m_files[0]);
    QVERIFY(window.isFullScreen());
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!window.isFullScreen());
    window.showFullScreen(); // by F11, before
    Q_EMIT page->largeWanted(m_files[0]);
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(window.isFullScreen());
}

void LargeViewToolsTest::theWindowIsAsItWasAfterAPicture() {
    m_services->settings.reset(keys::kGeometry); // what another function left
    {
        MainWindow window(m_services->all());
        window.show();
        window.showPage(PageId::Gallery);
        Q_EMIT static_cast<GalleryPage*>(window.page(PageId::Gallery))->largeWanted(m_files[0]);
        QVERIFY(window.isFullScreen());
        window.close(); // with the picture in view
    }
    MainWindow window(m_services->all());
    window.show();
    QVERIFY(!window.isFullScreen());
}

void LargeViewToolsTest::theCoveredPageIsNotPressed() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Generate);
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.windowHandle()));
    auto* page = static_cast<GeneratePage*>(window.page(PageId::Generate));
    QPushButton* main = page->mainButton();
    main->disconnect(page); // it is counted, and begins nothing
    main->setEnabled(true);
    QSignalSpy pressed(main, &QPushButton::clicked);
    auto* view = window.findChild<LargeView*>();
    Q_EMIT page->largeWanted(m_files[0]);
    QTRY_VERIFY(view->isVisible());
    QTest::keyClick(view, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(pressed.size(), 0);
    view->leave();
    main->setEnabled(true);
    QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(pressed.size(), 1);
}

HOMEBOOTH_APP_TEST_MAIN(LargeViewToolsTest)
#include "tst_large_view_tools.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The menus offer what would do something now, and nothing else: with the large view open, with nothing
// chosen, with a list in focus.
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/large_view.h"
#include "app_files.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSlider>

using namespace homebooth;
using namespace homebooth::app;

class MenusTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void theLargeViewIsZoomedOverAnyPage();
    void theLargeViewIsZoomedBeforeTheGallery();

private:
    /// The entry of a menu with this text; null if there is none.
    [[nodiscard]] QAction* entry(const char* text) const;
    [[nodiscard]] bool offered(const char* text) const {
        return entry(text) != nullptr && entry(text)->isEnabled();
    }
    [[nodiscard]] LargeView* large() const { return m_window->findChild<LargeView*>(); }

    std::unique_ptr<MainWindow> m_window;
};

namespace {

constexpr const char* kZoom[] = {"Zoom &in", "Zoom &out", "&Usual size"};

} // namespace

void MenusTest::init() {
    beginAgain();
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->resize(1024, 700);
    m_window->show();
}

void MenusTest::cleanup() {
    m_window.reset();
    end();
}

QAction* MenusTest::entry(const char* text) const {
    for (const QAction* menu : m_window->menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->text() == QLatin1String(text)) return action;
    return nullptr;
}

void MenusTest::theLargeViewIsZoomedOverAnyPage() {
    const QString path = writeTestPicture(m_place.path(QStringLiteral("large.png")), 1);
    m_window->showPage(PageId::Train);
    for (const char* text : kZoom) QVERIFY2(!offered(text), text);
    Q_EMIT static_cast<TrainPage*>(m_window->page(PageId::Train))->largeWanted(path);
    QTRY_VERIFY(large()->pictureRect().width() > 0); // it was read
    for (const char* text : kZoom) QVERIFY2(offered(text), text);
    const double fits = large()->zoomFactor();
    entry("Zoom &in")->trigger();
    QVERIFY(large()->zoomFactor() > fits);
    entry("&Usual size")->trigger();
    QCOMPARE(large()->zoomFactor(), fits);
    for (const char* text : {"&Delete", "&Favourite", "&Large view"}) // the library does not have it
        QVERIFY2(!offered(text), text);
    QVERIFY(offered("&Copy"));
    QApplication::clipboard()->setText(QStringLiteral("before"));
    entry("&Copy")->trigger();
    QTRY_COMPARE(QApplication::clipboard()->mimeData()->urls(), QList<QUrl>{QUrl::fromLocalFile(path)});
    large()->leave();
    for (const char* text : kZoom) QVERIFY2(!offered(text), text);
    QVERIFY(!offered("&Copy"));
}

void MenusTest::theLargeViewIsZoomedBeforeTheGallery() {
    auto* gallery = static_cast<GalleryPage*>(m_window->page(PageId::Gallery));
    QSignalSpy reloaded(&gallery->model(), &GalleryModel::reloaded);
    m_window->showPage(PageId::Gallery);
    QVERIFY(reloaded.wait());
    const auto* size = gallery->findChild<QSlider*>();
    const int before = size->value();
    Q_EMIT gallery->largeWanted(writeTestPicture(m_place.path(QStringLiteral("over.png")), 2));
    const double zoom = large()->zoomFactor();
    entry("Zoom &in")->trigger();
    QVERIFY(large()->zoomFactor() > zoom);
    QCOMPARE(size->value(), before);
    large()->leave();
    entry("Zoom &in")->trigger();
    QVERIFY(size->value() > before);
    entry("&Usual size")->trigger();
}

HOMEBOOTH_APP_TEST_MAIN(MenusTest)
#include "tst_menus.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Details at the side of a page, which a compact window puts away.
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/details_drawer.h"
#include "app_files.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// A page's content with a field in its details.
struct Parts {
    explicit Parts(Settings& settings)
        : field(new QLineEdit)
        , drawer(new DetailsDrawer(field, settings, QByteArrayLiteral("test")))
        , handle(drawer->findChild<QToolButton*>()) {
        auto* row = new QHBoxLayout(&page);
        content = new QLineEdit;
        row->addWidget(content, 1);
        row->addWidget(drawer);
        page.resize(600, 300);
        page.show();
        page.activateWindow();
    }
    QWidget page;
    QLineEdit* content = nullptr;
    QLineEdit* field = nullptr;
    DetailsDrawer* drawer = nullptr;
    QToolButton* handle = nullptr;
};

} // namespace

class DetailsDrawerTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void besideTheContentTheyAreAlwaysThere();
    void aHandleOpensThemInACompactWindow();
    void escapePutsThemAway();
    void whatSomebodyTypesInStaysOpen();
    void itIsKeptWhetherTheyAreOpen();
    void aNarrowWindowPutsThemAway();
    void namingASubjectOpensThem();
    void sayingWhatASubjectIsOpensThem();
};

void DetailsDrawerTest::besideTheContentTheyAreAlwaysThere() {
    const Parts parts(m_services->settings);
    QVERIFY(parts.drawer->isOpen());
    QVERIFY(parts.field->isVisible() && !parts.handle->isVisible());
}

void DetailsDrawerTest::aHandleOpensThemInACompactWindow() {
    const Parts parts(m_services->settings);
    parts.drawer->setCompact(true);
    QVERIFY(!parts.field->isVisible() && parts.handle->isVisible());
    QCOMPARE(parts.handle->accessibleName(), u"Show the details"_s);
    QTRY_VERIFY(parts.content->width() > 500); // the content has their room
    parts.handle->setFocus();
    QTest::keyClick(parts.handle, Qt::Key_Space);
    QVERIFY(parts.field->isVisible());
    QCOMPARE(parts.handle->accessibleName(), u"Put the details away"_s);
    parts.handle->click();
    QVERIFY(!parts.field->isVisible());
    parts.drawer->setCompact(false);
    QVERIFY(parts.field->isVisible() && !parts.handle->isVisible());
}

void DetailsDrawerTest::escapePutsThemAway() {
    const Parts parts(m_services->settings);
    QVERIFY(QTest::qWaitForWindowActive(parts.page.windowHandle()));
    parts.drawer->setCompact(true);
    parts.drawer->setOpen(true);
    parts.field->setFocus();
    QTest::keyClick(parts.field, Qt::Key_Escape);
    QVERIFY(!parts.field->isVisible());
    QVERIFY(parts.handle->hasFocus());
}

void DetailsDrawerTest::whatSomebodyTypesInStaysOpen() {
    const Parts parts(m_services->settings);
    QVERIFY(QTest::qWaitForWindowActive(parts.page.windowHandle()));
    parts.field->setFocus();
    QTRY_VERIFY(parts.field->hasFocus());
    parts.drawer->setCompact(true);
    QVERIFY(parts.field->isVisible() && parts.field->hasFocus());
}

void DetailsDrawerTest::itIsKeptWhetherTheyAreOpen() {
    {
        const Parts parts(m_services->settings);
        parts.drawer->setCompact(true);
        parts.drawer->setOpen(true);
    }
    {
        const Parts parts(m_services->settings);
        parts.drawer->setCompact(true);
        QVERIFY(parts.field->isVisible());
        parts.drawer->setOpen(false);
    }
    const Parts parts(m_services->settings);
    parts.drawer->setCompact(true);
    QVERIFY(!parts.field->isVisible());
}

void DetailsDrawerTest::aNarrowWindowPutsThemAway() {
    MainWindow window(m_services->all());
    window.show();
    for (const PageId id : {PageId::Subjects, PageId::Gallery, PageId::Datasets}) {
        const auto* drawer = window.page(id)->findChild<DetailsDrawer*>();
        QVERIFY(drawer != nullptr);
        window.resize(1024, 700);
        QTRY_VERIFY(drawer->isOpen());
        window.resize(1000, 700);
        QTRY_VERIFY(!drawer->isOpen());
    }
}

void DetailsDrawerTest::namingASubjectOpensThem() {
    MainWindow window(m_services->all());
    window.show();
    window.resize(1000, 700);
    QVERIFY(QTest::qWaitForWindowActive(&window));
    m_services->subjects.addEmpty();
    window.showPage(PageId::Subjects);
    Page& page = *window.page(PageId::Subjects);
    auto* drawer = page.findChild<DetailsDrawer*>();
    QVERIFY(drawer != nullptr);
    QTRY_VERIFY(!drawer->isOpen());
    QVERIFY(page.command(Page::Command::Rename)); // by F2
    QVERIFY(drawer->isOpen());
    QWidget* name = QApplication::focusWidget();
    QVERIFY(name != nullptr && drawer->isAncestorOf(name) && name->isVisible());
    QTest::keyClick(name, Qt::Key_Escape);
    QVERIFY(!drawer->isOpen());
    QCOMPARE(QApplication::focusWidget(), drawer->findChild<QToolButton*>());
}

void DetailsDrawerTest::sayingWhatASubjectIsOpensThem() {
    SubjectBook& book = m_services->subjects;
    const QString photo = writeTestPicture(m_place.path(u"rex.png"_s), 1);
    const int64_t rex = book.addFromPhotos({photo}, u"Rex"_s);
    QVERIFY(lacksClass(*book.find(rex)));
    MainWindow window(m_services->all());
    window.resize(1000, 700);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* train = static_cast<TrainPage*>(window.page(PageId::Train));
    train->prepareSubject(rex);
    window.showPage(PageId::Train);
    const auto* drawer = window.page(PageId::Subjects)->findChild<DetailsDrawer*>();
    QTRY_VERIFY(!drawer->isOpen());
    auto* say = buttonNamed(*train, u"Say what it is"_s);
    QVERIFY(say != nullptr);
    QTRY_VERIFY(say->isVisible());
    say->click();
    QCOMPARE(window.currentPage(), PageId::Subjects);
    QVERIFY(drawer->isOpen());
    auto* field = qobject_cast<QComboBox*>(window.focusWidget());
    QVERIFY(field != nullptr && drawer->isAncestorOf(field) && field->isVisible());
    QTest::keyClicks(field, u"dog"_s);
    QCOMPARE(QString::fromStdString(book.find(rex)->classNoun), u"dog"_s);
    book.remove(rex);
}

HOMEBOOTH_APP_TEST_MAIN(DetailsDrawerTest)
#include "tst_details_drawer.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The menus offer what would do something now, and nothing else: with the large view open, with nothing
// chosen, with a list in focus.
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/pictures/section_grid.h"
#include "app_files.h"
#include "gallery_fixture.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
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
    void nothingIsOfferedWhereNothingIsChosen_data();
    void nothingIsOfferedWhereNothingIsChosen();
    void theGalleryOffersWhatItsChoiceCanDo();
    void deletingMeansTheListWithTheFocus();
    void rowsOfferWhatTheirButtonsDo();
    void whatIsUndoneIsNamedAsItIs();
    void photosThatAreChosenElsewhereMakeANewSubject_data();
    void photosThatAreChosenElsewhereMakeANewSubject();

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
    const QString path = writeTestPicture(m_place.path(u"large.png"_s), 1);
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
    QApplication::clipboard()->setText(u"before"_s);
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
    QVERIFY(reloaded.wait(kLongestMs));
    const auto* size = gallery->findChild<QSlider*>();
    const int before = size->value();
    Q_EMIT gallery->largeWanted(writeTestPicture(m_place.path(u"over.png"_s), 2));
    const double zoom = large()->zoomFactor();
    entry("Zoom &in")->trigger();
    QVERIFY(large()->zoomFactor() > zoom);
    QCOMPARE(size->value(), before);
    large()->leave();
    entry("Zoom &in")->trigger();
    QVERIFY(size->value() > before);
    entry("&Usual size")->trigger();
}

void MenusTest::nothingIsOfferedWhereNothingIsChosen_data() {
    QTest::addColumn<PageId>("page");
    QTest::addColumn<QList<const char*>>("texts");
    using Texts = QList<const char*>;
    const Texts ofPictures{"&Copy", "Use these &settings", "&Delete", "&Favourite", "&Large view"};
    QTest::newRow("subjects") << PageId::Subjects << Texts{"Re&name", "&Delete", "&Large view"};
    QTest::newRow("generate") << PageId::Generate << ofPictures;
    QTest::newRow("gallery") << PageId::Gallery << ofPictures;
    QTest::newRow("datasets") << PageId::Datasets << Texts{"&Delete"};
    QTest::newRow("models") << PageId::Models << Texts{"Re&name", "&Delete"}; // the built-in one is there
    QTest::newRow("queue") << PageId::Queue << Texts{"&Delete"};
}

void MenusTest::nothingIsOfferedWhereNothingIsChosen() {
    using Command = Page::Command;
    QFETCH(const PageId, page);
    QFETCH(const QList<const char*>, texts);
    m_window->showPage(page);
    for (const char* text : texts) QVERIFY2(entry(text) != nullptr && !offered(text), text);
    Page* shown = m_window->page(page);
    for (const Command command : {Command::Copy, Command::UseSettings, Command::Delete, Command::Rename,
                                  Command::Favourite, Command::LargeView})
        QVERIFY(!shown->offers(command) && !shown->command(command));
}

void MenusTest::theGalleryOffersWhatItsChoiceCanDo() {
    core::PictureRecord made = picture(901, QDateTime::currentDateTime());
    made.path = writeTestPicture(m_place.path(u"chosen.png"_s), 3).toStdString();
    const core::PictureRecord gone = picture(902, QDateTime::currentDateTime());
    m_services->library.write([made, gone](core::Library& library) {
        return core::addPictures(library, {made, gone});
    });
    m_window->showPage(PageId::Gallery);
    const auto* gallery = static_cast<GalleryPage*>(m_window->page(PageId::Gallery));
    const auto* grid = gallery->findChild<SectionGrid*>();
    const auto choose = [grid](int64_t id, QItemSelectionModel::SelectionFlags how) {
        for (int row = 0; row < grid->model()->rowCount(); ++row)
            if (const QModelIndex one = grid->model()->index(row, 0);
                one.data(GalleryModel::IdRole).toLongLong() == id)
                grid->selectionModel()->select(one, how);
    };
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    choose(made.id, QItemSelectionModel::ClearAndSelect);
    for (const char* text : {"&Copy", "Use these &settings", "&Delete", "&Favourite", "&Large view"})
        QVERIFY2(offered(text), text);
    choose(gone.id, QItemSelectionModel::Select); // both
    QVERIFY(offered("&Copy") && !offered("Use these &settings"));
    QVERIFY(offered("&Delete") && offered("&Favourite"));
    choose(gone.id, QItemSelectionModel::ClearAndSelect);
    QTRY_VERIFY(!offered("&Copy") && !offered("&Large view")); // once its file was looked for
    QVERIFY(offered("&Delete"));
    grid->selectionModel()->clearSelection();
    QVERIFY(!offered("&Delete") && !offered("&Favourite"));
    m_services->library.write([](core::Library& library) {
        return core::forgetPictures(library, {901, 902});
    });
}

void MenusTest::deletingMeansTheListWithTheFocus() {
    m_services->subjects.addEmpty(); // without photos
    m_window->showPage(PageId::Subjects);
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    Page* page = m_window->page(PageId::Subjects);
    QListView* list = nullptr;
    for (auto* one : page->findChildren<QListView*>())
        if (one->accessibleName() == QLatin1String("Subjects")) list = one;
    QVERIFY(list != nullptr);
    page->searchField()->setFocus();
    QVERIFY(!offered("&Delete") && offered("Re&name"));
    list->setFocus();
    QVERIFY(offered("&Delete"));
    auto* search = static_cast<QLineEdit*>(page->searchField());
    search->setText(u"nobody is called so"_s);
    QVERIFY(!offered("&Delete")); // nothing is seen that would go
    search->clear();
    list->setCurrentIndex(list->model()->index(0, 0));
    QVERIFY(offered("&Delete"));
    m_window->menuBar()->setFocus(Qt::MenuBarFocusReason); // as Alt does: the menu means what had it before
    QVERIFY(offered("&Delete"));
    page->searchField()->setFocus();
    Q_EMIT list->customContextMenuRequested(list->visualRect(list->model()->index(0, 0)).center());
    auto* menu = list->findChild<QMenu*>();
    QVERIFY(menu != nullptr && menu->isVisible());
    QCOMPARE(menu->actions(), (QList<QAction*>{entry("Re&name"), entry("&Delete")}));
    menu->close();
    for (const PageId other : {PageId::Datasets, PageId::Models, PageId::Queue})
        QVERIFY(m_window->page(other)->menuList() != nullptr);
    list->setFocus();
    entry("&Delete")->trigger();
    QVERIFY(m_services->subjects.subjects().empty());
    QVERIFY(!offered("&Delete") && !offered("Re&name"));
}

void MenusTest::rowsOfferWhatTheirButtonsDo() {
    m_window->showPage(PageId::Models);
    Page* page = m_window->page(PageId::Models);
    QAbstractItemView* list = page->menuList();
    QTRY_VERIFY(list->currentIndex().isValid() && buttonNamed(*page, u"Make pictures"_s)->isVisible());
    Q_EMIT list->customContextMenuRequested(list->visualRect(list->currentIndex()).center());
    auto* menu = list->findChild<QMenu*>();
    QVERIFY(menu != nullptr && menu->isVisible());
    QStringList texts;
    for (const QAction* one : menu->actions()) texts.append(one->text());
    QCOMPARE(texts,
             (QStringList{u"Make pictures"_s, u"Train with it"_s, u"Export as"_s})); // of the built-in one
    Q_EMIT page->chosenGone();
    QVERIFY(!menu->isVisible()); // it would mean its neighbour
    const auto* ofJobs = m_window->page(PageId::Queue)->findChild<QWidget*>(u"row actions"_s);
    QVERIFY(ofJobs != nullptr && ofJobs->isAncestorOf(buttonNamed(*ofJobs, u"Take out"_s)));
}

void MenusTest::whatIsUndoneIsNamedAsItIs() {
    for (const char* text : {"&Undo", "&Redo"}) QVERIFY2(entry(text) != nullptr && !offered(text), text);
    m_services->undo.push(new QUndoCommand(u"add dataset cats & dogs"_s));
    QVERIFY(offered("&Undo: add dataset cats && dogs"));
    entry("&Undo: add dataset cats && dogs")->trigger();
    QVERIFY(offered("&Redo: add dataset cats && dogs"));
    QVERIFY(!offered("&Undo: add dataset cats && dogs"));
    entry("&Redo: add dataset cats && dogs")->trigger();
    QVERIFY(offered("&Undo: add dataset cats && dogs"));
    m_services->undo.clear();
    QVERIFY(entry("&Undo") != nullptr && !offered("&Undo"));
}

void MenusTest::photosThatAreChosenElsewhereMakeANewSubject_data() {
    QTest::addColumn<int>("page");
    QTest::newRow("welcome's first step") << int(PageId::Welcome);
    QTest::newRow("import, from a page without one") << int(PageId::Queue);
}

void MenusTest::photosThatAreChosenElsewhereMakeANewSubject() {
    QFETCH(int, page);
    SubjectBook& book = m_services->subjects;
    const int64_t shown = book.addEmpty();
    const size_t before = book.subjects().size();
    m_window->showPage(static_cast<PageId>(page));
    if (static_cast<PageId>(page) == PageId::Welcome)
        m_window->page(PageId::Welcome)->mainButton()->click();
    else
        entry("&Import...")->trigger();
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
    auto* dialog = m_window->page(PageId::Subjects)->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->filesSelected({writeTestPicture(m_place.path(u"rex.png"_s), 2)});
    dialog->close();
    QCOMPARE(book.subjects().size(), before + 1);
    QVERIFY(book.find(shown)->photos.empty());
    while (m_services->undo.canUndo()) m_services->undo.undo();
}

HOMEBOOTH_APP_TEST_MAIN(MenusTest)
#include "tst_menus.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/models/model_list.h"
#include "app/shell/main_window.h"
#include "app/theme/style.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "app/widgets/toast.h"
#include "app_files.h"
#include "core/base/text/generation_parameters.h"
#include "core/media/picture_io.h"
#include "item_rules.h"
#include "loop_watch.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>

using namespace homebooth;
using namespace homebooth::app;

class WindowTest : public QObject {
    Q_OBJECT
public:
    explicit WindowTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void cleanup();
    void everyPageOpensInEverySize();
    void everyFocusableWidgetHasAName();
    void atMostOneButtonIsColoured();
    void filesMakeASubjectInOneStep();
    void roomIsMadeAmongTheModels();
    void undoBelongsToThePageAlsoWithinFields();
    void aFieldTakesBackWhatWasTypedInItFirst();
    void bothKeysDoAgain();
    void undoShowsThePageThatItChanges();
    void theToastMeansItsOwnStepAlone();
    void menusOfferOnlyWhatThePageKnows();
    void theMenuOfThePageHasItsButtons();
    void keysZoomTheGallery();
    void textThatTheMouseChoosesKeysChooseToo();
    void theChosenTextOfAMessageIsCopied();
    void colourSchemesKeepTheirContrast();
    void aButtonThatCannotBePressedIsStillRead();
    void findsPicturesOnTheDiskAgain();
    void galleryTakesTenThousandPictures();
    void deletesPicturesWithAWayBack();
    void modelListKeepsTheRules();
    void messagesReplaceThoseOfTheirKey();
    void settingsThatAreNotKeptAreTold();

private:
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
};

namespace {

std::vector<core::PictureRecord> manyPictures(int count) {
    std::vector<core::PictureRecord> pictures(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        core::PictureRecord& picture = pictures[static_cast<size_t>(i)];
        picture.id = i + 1;
        picture.path = "/nowhere/" + std::to_string(i) + ".png";
        picture.prompt = "picture " + std::to_string(i);
        picture.createdMs = count - i;
    }
    return pictures;
}

} // namespace

void WindowTest::init() {
    failOnAnyWarning();
    m_services = std::make_unique<TestServices>(m_place);
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->show();
}

void WindowTest::cleanup() {
    m_window.reset();
    m_services.reset();
}

void WindowTest::everyPageOpensInEverySize() {
    for (const QSize& size : {QSize(800, 480), QSize(1024, 700), QSize(1920, 1080)}) {
        m_window->resize(size);
        for (const PageId id : kPages) {
            m_window->showPage(id);
            QCOMPARE(m_window->currentPage(), id);
            QCoreApplication::processEvents();
            QVERIFY2(m_window->width() <= size.width(), "a page forces the window wider");
        }
    }
}

void WindowTest::everyFocusableWidgetHasAName() {
    QStringList nameless;
    for (const auto* widget : m_window->findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus)) continue;
        if (widget->objectName().startsWith(QLatin1String("qt_"))) continue;
        if (qobject_cast<const QLabel*>(widget) != nullptr) continue; // its text is its name
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool partOfAnother = qobject_cast<const QLineEdit*>(widget) != nullptr &&
                                   (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                                    qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr);
        const bool inside =
            qobject_cast<const QAbstractItemView*>(widget) != nullptr && widget->window() != m_window.get();
        if (partOfAnother || inside) continue;
        if (widget->accessibleName().isEmpty() && (button == nullptr || button->text().isEmpty()))
            nameless.append(QString::fromLatin1(widget->metaObject()->className()) + '<' +
                            QString::fromLatin1(widget->parentWidget()->metaObject()->className()));
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u", "_s)));
}

void WindowTest::atMostOneButtonIsColoured() {
    int pages = 0; // that have one
    for (const PageId id : kPages) {
        m_window->showPage(id);
        QCoreApplication::processEvents();
        QPushButton* main = m_window->page(id)->mainButton();
        if (main != nullptr && main->isVisible()) ++pages;
        for (auto* button : m_window->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->property(kLookProperty) == u"primary"_s)
                QVERIFY2(button == main, qPrintable(button->text()));
        if (main != nullptr) QCOMPARE(main->property(kLookProperty).toString(), u"primary"_s);
    }
    QVERIFY2(pages >= 5, qPrintable(QString::number(pages)));
}

void WindowTest::filesMakeASubjectInOneStep() {
    QDir().mkpath(m_place.path("red_car"));
    QStringList paths;
    for (int i = 0; i < 3; ++i) paths.append(writeTestPicture(m_place.path(u"red_car/%1.png"_s.arg(i)), i));
    m_window->showPage(PageId::Gallery);
    m_window->openPaths(paths);
    QTRY_COMPARE(m_window->currentPage(), PageId::Subjects);
    QCOMPARE(QString::fromStdString(m_services->subjects.subjects().front().name), u"red car"_s);
    QPushButton* train = m_window->page(PageId::Subjects)->mainButton();
    QVERIFY(train->isEnabled());
    train->click();
    QCOMPARE(m_window->currentPage(), PageId::Train);
}

void WindowTest::roomIsMadeAmongTheModels() {
    MessageBar& told = m_window->page(PageId::Models)->messages();
    for (const PageId id : {PageId::Train, PageId::Generate}) {
        told.clear();
        m_window->showPage(id);
        Q_EMIT m_window->page(id)->roomWanted(m_services->settings.runsFolder());
        QCOMPARE(m_window->currentPage(), PageId::Models);
        QTRY_COMPARE(told.count(), 1); // also where nothing can go
    }
}

void WindowTest::undoBelongsToThePageAlsoWithinFields() {
    m_services->subjects.addEmpty();
    m_window->showPage(PageId::Subjects);
    auto* name = m_window->page(PageId::Subjects)->findChildren<QLineEdit*>().value(1);
    for (auto* field : m_window->page(PageId::Subjects)->findChildren<QLineEdit*>())
        if (field->accessibleName() == u"Name"_s) name = field;
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, u"Bear"_s);
    QCOMPARE(QString::fromStdString(m_services->subjects.subjects().front().name), u"Bear"_s);
    const int typed = m_services->undo.index();
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_services->undo.index(), typed - 1); // by the page, not by the field alone
    QCOMPARE(name->text(), u"New subject"_s);
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_services->undo.index(), typed);
    QCOMPARE(name->text(), u"Bear"_s);
    while (m_services->undo.canUndo()) m_services->undo.undo();
}

void WindowTest::menusOfferOnlyWhatThePageKnows() {
    using Command = Page::Command;
    const QList<Command> all{Command::Rename,    Command::Delete,      Command::LargeView,
                             Command::Favourite, Command::UseSettings, Command::Export,
                             Command::Search,    Command::Expert,      Command::Prompts};
    const auto enabled = [this](const QString& text) {
        for (const QAction* menu : m_window->menuBar()->actions())
            for (const QAction* action : menu->menu()->actions())
                if (action->text() == text) return action->isEnabled();
        return false;
    };
    for (const PageId id : kPages) {
        m_window->showPage(id);
        Page* page = m_window->page(id);
        for (const Command command : all)
            QVERIFY2(page->offers(command) || !page->command(command),
                     qPrintable(u"%1 does more than it offers"_s.arg(page->accessibleName())));
        QCOMPARE(page->offers(Command::Search), page->searchField() != nullptr);
        QCOMPARE(enabled(u"&Favourite"_s), page->offers(Command::Favourite));
        QCOMPARE(enabled(u"&Expert settings"_s), page->offers(Command::Expert));
        QCOMPARE(enabled(u"&Search"_s), page->offers(Command::Search));
    }
    m_services->settings.reset(keys::kTrainExpert); // which the search has unfolded
    m_window->showPage(PageId::Gallery);
    QVERIFY(enabled(u"Zoom &in"_s));
    QVERIFY(!enabled(u"&Export..."_s));
    QVERIFY(!enabled(u"&Pause or continue"_s)); // nothing works
    QVERIFY(!enabled(u"S&top and keep"_s));
}

void WindowTest::theMenuOfThePageHasItsButtons() {
    auto* menu = m_window->findChild<QMenu*>(u"page"_s);
    QVERIFY(menu != nullptr);
    const auto named = [menu](const QString& text) {
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text().section('\t', 0, 0).remove('&') == QString(text).remove('&')) return action;
        return static_cast<QAction*>(nullptr);
    };
    for (const PageId id : kPages) {
        m_window->showPage(id);
        const Page* page = m_window->page(id);
        for (const QPushButton* button : page->actionButtons()) {
            const QAction* action = named(button->text());
            QVERIFY2(action != nullptr, qPrintable(button->text()));
            QCOMPARE(action->isEnabled(), button->isEnabled());
            QCOMPARE(action->text().contains('\t'), button == page->mainButton()); // its key is told
        }
        Q_EMIT menu->aboutToShow();
        QVERIFY(!menu->isEmpty());
        QStringList letters; // one of its own for each entry that can be chosen
        for (const QAction* action : menu->actions())
            letters.append(QKeySequence::mnemonic(action->text()).toString());
        QCOMPARE(letters.removeDuplicates(), 0);
        QVERIFY(!letters.contains(QString()) || page->actionButtons().isEmpty());
    }
    m_window->showPage(PageId::Generate);
    const QPushButton* prompts = buttonNamed(*m_window->page(PageId::Generate), u"Prompts"_s);
    const bool before = prompts->isChecked();
    named(prompts->text())->trigger();
    QCOMPARE(prompts->isChecked(), !before);
    QCOMPARE(named(prompts->text())->isChecked(), !before);
    m_window->showPage(PageId::Datasets);
    QVERIFY(named(u"Prompts"_s) == nullptr);
    const QAction* add = named(u"Add folder"_s); // a button with a menu
    QVERIFY(add != nullptr && add->menu() != nullptr && add->menu()->actions().size() == 2);
}

void WindowTest::keysZoomTheGallery() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->showPage(PageId::Gallery);
    const auto* size = m_window->page(PageId::Gallery)->findChild<QSlider*>();
    QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
    const int usual = size->value();
    QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(size->value() > usual);
    QTest::keyClick(m_window.get(), Qt::Key_Equal, Qt::ControlModifier);
    const int larger = size->value();
    QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QVERIFY(size->value() > usual && size->value() < larger);
    QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(size->value(), usual);
    QVERIFY(!m_window->page(PageId::Settings)->offers(Page::Command::ZoomIn));
}

void WindowTest::textThatTheMouseChoosesKeysChooseToo() {
    int found = 0;
    for (const auto* label : m_window->findChildren<QLabel*>()) {
        const auto flags = label->textInteractionFlags();
        if (!flags.testFlag(Qt::TextSelectableByMouse)) continue;
        ++found;
        QVERIFY2(flags.testFlag(Qt::TextSelectableByKeyboard), qPrintable(label->text()));
    }
    QVERIFY(found > 10);
}

void WindowTest::theChosenTextOfAMessageIsCopied() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->showPage(PageId::Gallery); // whose own command copies pictures
    MessageBar& messages = m_window->page(PageId::Gallery)->messages();
    messages.show({MessageKind::Error, u"Disk full: /data"_s, {}, u"copied"_s});
    QLabel* text = nullptr;
    for (auto* label : messages.findChildren<QLabel*>())
        if (label->text() == u"Disk full: /data"_s) text = label;
    QVERIFY(text != nullptr && (text->focusPolicy() & Qt::TabFocus));
    text->setFocus(Qt::TabFocusReason);
    text->setSelection(11, 5);
    QApplication::clipboard()->setText(u"before"_s);
    QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"/data"_s);
}

void WindowTest::aFieldTakesBackWhatWasTypedInItFirst() {
    m_window->showPage(PageId::Subjects);
    const int64_t id = m_services->subjects.addEmpty();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->showPage(PageId::Models);
    auto* search = fieldNamed(*m_window->page(PageId::Models), u"Search models"_s);
    search->setFocus();
    QTest::keyClicks(search, u"sketch"_s);
    QTest::keyClick(search, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(search->text() != u"sketch"_s);
    QVERIFY2(m_services->subjects.find(id) != nullptr, "another page's edit was undone");
    QTest::keyClick(search, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(search->text(), u"sketch"_s);
    while (search->isUndoAvailable()) QTest::keyClick(search, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(search->text(), QString());
    QVERIFY(m_services->subjects.find(id) != nullptr);
    QTest::keyClick(search, Qt::Key_Z, Qt::ControlModifier); // nothing of its own is left
    QVERIFY(m_services->subjects.find(id) == nullptr);
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
}

void WindowTest::bothKeysDoAgain() {
    m_window->showPage(PageId::Subjects);
    const int64_t id = m_services->subjects.addEmpty();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    auto* search = fieldNamed(*m_window->page(PageId::Models), u"Search models"_s);
    for (const auto& [key, modifiers] : {std::pair(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier),
                                         std::pair(Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier))}) {
        m_services->undo.undo();
        QVERIFY(m_services->subjects.find(id) == nullptr);
        m_window->showPage(PageId::Models);
        search->setFocus();
        QTest::keyClick(search, key, modifiers);
        QVERIFY2(m_services->subjects.find(id) != nullptr, qPrintable(QKeySequence(key).toString()));
    }
    // What was typed and taken back in a field comes first, as with the other key.
    m_window->showPage(PageId::Models);
    search->setFocus();
    QTest::keyClicks(search, u"ab"_s);
    const QString typed = search->text();
    QTest::keyClick(search, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(search->text() != typed);
    QTest::keyClick(search, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(search->text(), typed);
    search->clear();
    m_services->undo.undo();
}

void WindowTest::undoShowsThePageThatItChanges() {
    m_window->showPage(PageId::Subjects);
    m_services->subjects.addEmpty();
    m_window->showPage(PageId::Datasets);
    m_services->undo.undo();
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
    m_window->showPage(PageId::Queue);
    m_services->undo.redo();
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
    m_window->showPage(PageId::Gallery);
    m_services->undo.undo();
    m_window->showPage(PageId::Gallery);
    m_services->subjects.addEmpty(); // takes the place of the step that could have been done again
    m_window->showPage(PageId::Queue);
    m_services->undo.undo();
    QCOMPARE(m_window->currentPage(), PageId::Gallery);
    m_window->showPage(PageId::Settings); // whose changes are steps, too
    auto* contrast = m_window->page(PageId::Settings)->findChild<QCheckBox*>();
    contrast->click();
    m_services->undo.undo();
    QCOMPARE(m_window->currentPage(), PageId::Settings);
    QVERIFY(!contrast->isChecked());
}

void WindowTest::theToastMeansItsOwnStepAlone() {
    m_window->showPage(PageId::Subjects);
    const int64_t id = m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("toast.png"), 1)});
    auto* page = m_window->page(PageId::Subjects);
    auto* toast = m_window->findChild<Toast*>();
    auto* grid = page->findChild<ThumbnailGrid*>();
    const auto chooseFirst = [grid] { // a key that a test pressed may still count as held
        grid->selectionModel()->setCurrentIndex(grid->model()->index(0, 0),
                                                QItemSelectionModel::ClearAndSelect);
    };
    chooseFirst();
    QVERIFY(page->command(Page::Command::Delete));
    QVERIFY(toast->isVisible());
    core::Subject after = *m_services->subjects.find(id);
    QVERIFY(after.photos.empty());
    after.name = "renamed";
    m_services->subjects.change(after, u"rename"_s);
    QVERIFY2(!toast->isVisible(), "its button would undo the renaming");
    m_services->undo.undo();
    m_services->undo.undo();
    chooseFirst();
    QVERIFY(page->command(Page::Command::Delete));
    QVERIFY(toast->isVisible());
    buttonNamed(*toast, u"Undo"_s)->click();
    QCOMPARE(m_services->subjects.find(id)->photos.size(), size_t{1});
    m_services->undo.undo();
}

void WindowTest::colourSchemesKeepTheirContrast() {
    for (const QPalette& palette : {lightPalette(), darkPalette()}) {
        const Colours c = coloursOf(palette);
        for (const QColor& ground : {c.window, c.base}) {
            for (const QColor& text : {c.text, c.muted, c.link, c.error, c.caution, c.good})
                QVERIFY(contrast(text, ground) >= 4.5);
            for (const QColor& shape : {c.outline, c.accent}) QVERIFY(contrast(shape, ground) >= 3.0);
        }
        QVERIFY(contrast(c.onAccent, c.accent) >= 4.4);
        for (const QColor& kind : c.memory) QVERIFY(contrast(kind, c.base) >= 3.0);
    }
    QVERIFY(!coloursOf(lightPalette()).dark);
    QVERIFY(coloursOf(darkPalette()).dark);
}

void WindowTest::aButtonThatCannotBePressedIsStillRead() {
    const std::unique_ptr<QPushButton> button(makeButton(u"Start training"_s, {}, "primary"));
    button->setEnabled(false);
    button->resize(160, 32);
    const QImage drawn = button->grab().toImage();
    const QColor ground = drawn.pixelColor(drawn.width() / 2, 4);
    double most = 0.0; // of what is written on it
    for (int y = 4; y < drawn.height() - 4; ++y)
        for (int x = 8; x < drawn.width() - 8; ++x)
            most = std::max(most, contrast(drawn.pixelColor(x, y), ground));
    QVERIFY2(most >= 2.2, qPrintable(QString::number(most)));
}

void WindowTest::findsPicturesOnTheDiskAgain() {
    const QDir folder(m_services->settings.picturesFolder());
    QDir().mkpath(folder.path());
    core::GenerationParameters facts;
    facts.prompt = "found again";
    facts.model = "sketch";
    facts.steps = 20;
    facts.sampler = "Euler";
    facts.guidanceScale = 3.0;
    facts.seed = 1;
    facts.widthPixels = facts.heightPixels = 64;
    core::Picture picture{64, 64, std::vector<uint8_t>(64 * 64 * 3, 120)};
    QVERIFY(core::writePng(folder.filePath(u"one.png"_s).toStdString(), picture,
                           {{"parameters", core::writeGenerationParameters(facts)}}));
    auto* gallery = static_cast<GalleryPage*>(m_window->page(PageId::Gallery));
    m_services->album.open(folder.path());
    m_window->showPage(PageId::Gallery);
    QTRY_COMPARE(gallery->model().rowCount(), 1);
    QCOMPARE(QString::fromStdString(gallery->model().at(0).prompt), u"found again"_s);
    QCOMPARE(QString::fromStdString(gallery->model().at(0).model), u"sketch"_s);
}

void WindowTest::galleryTakesTenThousandPictures() {
    constexpr int kMany = 10'000;
    GalleryModel model(m_services->all());
    const ItemRules tester(model);
    model.set(manyPictures(3));
    auto* gallery = static_cast<GalleryPage*>(m_window->page(PageId::Gallery));
    QSignalSpy reloaded(&gallery->model(), &GalleryModel::reloaded);
    m_window->showPage(PageId::Gallery);
    QVERIFY(reloaded.wait(kLongestMs));
    QTest::qWait(200); // whatever else was asked for comes, too
    const qint64 before = LoopWatch::computedUs();
    gallery->model().set(manyPictures(kMany));
    QCoreApplication::processEvents();
    const qint64 computedMs = (LoopWatch::computedUs() - before) / 1000;
    QVERIFY2(computedMs < 3000, qPrintable(QString::number(computedMs)));
    QCOMPARE(gallery->model().rowCount(), kMany);
}

void WindowTest::deletesPicturesWithAWayBack() {
    core::PictureRecord record;
    record.id = core::newRecordId();
    record.path = m_place.path("kept.png").toStdString();
    record.prompt = "to be deleted";
    record.createdMs = core::nowMs() + 100'000; // the newest stands first
    m_services->library.write(
        [record](core::Library& library) { return core::addPictures(library, {record}); });
    auto* gallery = static_cast<GalleryPage*>(m_window->page(PageId::Gallery));
    m_window->showPage(PageId::Gallery);
    QTRY_VERIFY(gallery->model().rowCount() > 0 && gallery->model().at(0).id == record.id);
    const int before = gallery->model().rowCount();
    m_services->album.trash({record.id});
    QTRY_COMPARE(gallery->model().rowCount(), before - 1);
    m_services->undo.undo();
    QTRY_COMPARE(gallery->model().rowCount(), before);
}

void WindowTest::modelListKeepsTheRules() {
    ModelList list(m_services->models);
    const ItemRules tester(list);
    QVERIFY(list.rowCount() >= 1);
    list.setFilter(u"no such model"_s);
    QCOMPARE(list.rowCount(), 0);
    list.setFilter({});
    QVERIFY(list.rowCount() >= 1);
}

void WindowTest::messagesReplaceThoseOfTheirKey() {
    MessageBar bar;
    bar.show({MessageKind::Error, u"first"_s, {}, u"a"_s});
    bar.show({MessageKind::Note, u"second"_s, {}, u"b"_s});
    bar.show({MessageKind::Error, u"third"_s, {}, u"a"_s});
    QCOMPARE(bar.count(), 2);
    QCOMPARE(bar.currentText(), u"third"_s);
    bar.drop(u"a"_s);
    QCOMPARE(bar.currentText(), u"second"_s);
    bar.clear();
    QVERIFY(bar.isHidden());
}

void WindowTest::settingsThatAreNotKeptAreTold() {
    m_window->showPage(PageId::Gallery);
    Q_EMIT m_services->settings.notWritten(u"/disk/<full>.ini"_s);
    const QString told = m_window->page(PageId::Gallery)->messages().currentText();
    QVERIFY2(told.contains(u"/disk/&lt;full&gt;.ini cannot be written"_s), qPrintable(told));
    m_window->showPage(PageId::Settings);
    Q_EMIT m_services->settings.writtenAgain();
    QCOMPARE(m_window->page(PageId::Gallery)->messages().currentText(), QString());
}

HOMEBOOTH_APP_TEST_MAIN(WindowTest)
#include "tst_window.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gallery: filters, favourites and deletions with their way back, pictures that leave it as files.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/shell/main_window.h"
#include "app/theme/icons.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/pictures/section_grid.h"
#include "app_files.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/text/generation_parameters.h"
#include "core/library/queue_store.h"
#include "core/media/picture_io.h"
#include "gallery_fixture.h"
#include "item_rules.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScopeGuard>
#include <QTextDocumentFragment>
#include <QUrl>

#include <algorithm>
#include <cstdlib>

using namespace homebooth;
using namespace homebooth::app;

namespace {

core::Result<void> writeMade(const QString& path, const std::string& prompt, uint64_t seed) {
    core::GenerationParameters facts;
    facts.prompt = prompt;
    facts.model = "model";
    facts.steps = 20;
    facts.sampler = "Euler";
    facts.guidanceScale = 3.0;
    facts.seed = seed;
    facts.widthPixels = facts.heightPixels = 64;
    const core::Picture pixels{64, 64, std::vector<uint8_t>(64 * 64 * 3, 120)};
    return core::writePng(path.toStdString(), pixels,
                          {{"parameters", core::writeGenerationParameters(facts)}});
}

/// Counts drags instead of carrying them out.
template <typename Grid>
class DragCounter : public Grid {
public:
    using Grid::Grid;
    int drags = 0;

protected:
    void startDrag(Qt::DropActions) override { ++drags; }
};

/// Pulls the first picture as a hand does: pressed, moved far enough, moved on.
void pullFirst(QAbstractItemView& grid) {
    const QPoint first = grid.visualRect(grid.model()->index(0, 0)).center();
    QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, first);
    for (const int pixels : {20, 40}) {
        const QPointF to = first + QPoint(pixels, 0);
        QMouseEvent move(QEvent::MouseMove, to, grid.viewport()->mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(grid.viewport(), &move);
    }
    QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, first);
}

template <typename Grid>
int dragsOf(QAbstractItemModel& model, Thumbnails& thumbnails) {
    DragCounter<Grid> grid(thumbnails);
    grid.setModel(&model);
    grid.resize(600, 400);
    grid.show();
    pullFirst(grid);
    return grid.drags;
}

QComboBox* boxNamed(const QWidget& root, const QString& name) {
    for (auto* box : root.findChildren<QComboBox*>())
        if (box->accessibleName() == name) return box;
    return nullptr;
}

/// Takes all pictures out of the library and puts these in.
core::Result<void> replacePictures(core::Library& library, const std::vector<core::PictureRecord>& pictures) {
    HOMEBOOTH_ASSIGN(const std::vector<core::PictureRecord> old,
                     core::findPictures(library, {}, 0, 1'000'000));
    std::vector<int64_t> ids;
    for (const core::PictureRecord& picture : old) ids.push_back(picture.id);
    HOMEBOOTH_CHECK(core::forgetPictures(library, ids));
    return core::addPictures(library, pictures);
}

/// It has a name for each language, and one on the command line.
std::vector<core::PictureRecord> picturesOfTheBuiltInModel() {
    std::vector<core::PictureRecord> pictures = picturesDownFrom(4);
    pictures[0].model = "sketch";
    pictures[1].model = "Sketch (eingebaut)";
    pictures[1].modelPath = builtInModel().toStdString();
    return pictures;
}

GalleryPage* galleryOf(const MainWindow& window) {
    return static_cast<GalleryPage*>(window.page(PageId::Gallery));
}

} // namespace

class GalleryTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void filtersBySubject();
    void theFilterKnowsASubjectsNewWords();
    void picturesOfOnePromptAreToldApartByEar();
    void aFilterGoesWithWhatItNames();
    void aPromptIsNoMarkup();
    void asksForTheHeadingsAgainWhenItIsOpened();
    void aPictureWithoutSettingsSaysSo();
    void namesTheModelOfPicturesThatWereCutShort();
    void theLargeViewNamesTheModelAsTheLibraryDoes();
    void deleteMeansThePictureInTheLargeView();
    void favouritesAreMarkedInOneStep();
    void favouritesHaveAWayBack();
    void changesOfTheModelKeepTheRules();
    void picturesAreDraggedOutAsFiles();
    void copiesOfPicturesAreSavedElsewhere();
    void theWallStaysWhereNothingIsChosen();
    void picturesBeginFromTheChosenOne();
    void theStarIsSeenOnAnyPicture();
    void severalChosenAreWalkedAndCopiedTogether();
    void manyAreCountedInGroups();

private:
    /// A window that shows so many new pictures in the gallery, and no others.
    [[nodiscard]] std::unique_ptr<MainWindow> openGallery(int count);
    /// Has the library write these pictures, and no others.
    void keepOnly(const std::vector<core::PictureRecord>& pictures);
};

void GalleryTest::filtersBySubject() {
    SubjectBook& book = m_services->subjects;
    const int64_t robot = book.addFromPhotos({m_place.path("robot_toy/1.png")});
    core::RunRecord run;
    run.id = core::newRecordId();
    run.folder = "/runs/robot toy";
    run.state = "done";
    run.subjects = {robot};
    core::PictureRecord learned = picture(1, QDateTime::currentDateTime());
    learned.modelPath = "/runs/robot toy/result/model";
    learned.prompt = "on a beach";
    core::PictureRecord other = picture(2, QDateTime::currentDateTime());
    other.modelPath = "/runs/robot toy 2/result/model"; // begins alike
    other.prompt = "a red apple";
    core::PictureRecord named = picture(3, QDateTime::currentDateTime());
    named.prompt = "a photo of ohwx toy in snow";
    m_services->library.write([=](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_CHECK(core::saveRun(library, run));
        return core::addPictures(library, {learned, other, named});
    });
    GalleryPage page(m_services->all());
    page.activated();
    QTRY_COMPARE(page.model().rowCount(), 3);
    QComboBox* subjects = boxNamed(page, u"Subject"_s);
    QVERIFY(subjects != nullptr);
    subjects->setCurrentIndex(subjects->findData(QVariant::fromValue<qlonglong>(robot)));
    QTRY_COMPARE(page.model().rowCount(), 2);
    QSet<int64_t> found{page.model().at(0).id, page.model().at(1).id};
    QCOMPARE(found, (QSet<int64_t>{1, 3}));
    m_services->library.write([](core::Library& library) {
        return core::forgetPictures(library, {1, 2, 3});
    });
}

void GalleryTest::theFilterKnowsASubjectsNewWords() {
    SubjectBook& book = m_services->subjects;
    const int64_t robot = book.addFromPhotos({m_place.path("robot_toy/1.png")});
    std::vector<core::PictureRecord> pictures = picturesDownFrom(2);
    pictures[0].prompt = "a photo of qvyx toy in snow";
    pictures[1].prompt = "a red apple";
    keepOnly(pictures);
    GalleryPage page(m_services->all());
    page.activated();
    QTRY_COMPARE(page.model().rowCount(), 2);
    QComboBox* subjects = boxNamed(page, u"Subject"_s);
    subjects->setCurrentIndex(subjects->findData(QVariant::fromValue<qlonglong>(robot)));
    QTRY_COMPARE(page.model().rowCount(), 0);
    core::Subject renamed = *book.find(robot);
    renamed.triggerWord = "qvyx"; // on another page
    book.change(renamed, u"trigger word"_s);
    page.activated();
    QTRY_COMPARE(page.model().rowCount(), 1);
    QCOMPARE(page.model().at(0).id, pictures[0].id);
    m_services->library.write([](core::Library& library) { return core::forgetPictures(library, {1, 2}); });
}

void GalleryTest::picturesOfOnePromptAreToldApartByEar() {
    std::vector<core::PictureRecord> pictures = picturesDownFrom(2);
    for (core::PictureRecord& one : pictures) {
        one.prompt = "a dog";
        one.parameters = "a dog\nSteps: 20, Sampler: Euler, Seed: " + std::to_string(one.id + 40);
    }
    keepOnly(pictures);
    GalleryPage page(m_services->all());
    page.activated();
    QTRY_COMPARE(page.model().rowCount(), 2);
    const auto said = [&page](int row) { return page.model().index(row).data(Qt::AccessibleTextRole); };
    QVERIFY2(said(0).toString().startsWith(u"a dog, seed 4"_s), qPrintable(said(0).toString()));
    QVERIFY(said(0) != said(1));
}

void GalleryTest::aFilterGoesWithWhatItNames() {
    SubjectBook& book = m_services->subjects;
    const int64_t robot = book.addFromPhotos({m_place.path("robot_toy/1.png")});
    std::vector<core::PictureRecord> pictures = picturesDownFrom(2);
    pictures[0].model = "one";
    pictures[1].model = "two";
    keepOnly(pictures);
    GalleryPage page(m_services->all());
    page.show();
    page.activated();
    QComboBox* models = boxNamed(page, u"Model"_s);
    QTRY_VERIFY(page.model().rowCount() == 2 && models->count() == 3);
    models->setCurrentText(u"one"_s);
    QTRY_COMPARE(page.model().rowCount(), 1);
    m_services->album.trash({pictures[0].id}); // no other picture is of that model
    QTRY_COMPARE(models->currentIndex(), 0);
    QTRY_VERIFY(page.model().rowCount() == 1 && page.model().at(0).id == pictures[1].id);
    pictures = picturesOfTheBuiltInModel();
    m_services->library.write([pictures](core::Library& library) {
        return core::addPictures(library, {pictures[0], pictures[1]});
    });
    page.activated();
    QTRY_COMPARE(models->count(), 3); // "two", and this one
    models->setCurrentIndex(models->findData(builtInModel()));
    QTRY_VERIFY(page.model().rowCount() == 2 && page.model().at(0).id == pictures[0].id);
    QCOMPARE(page.shownModel(pictures[1].model), m_services->models.nameOf(builtInModel()).toStdString());
    QCOMPARE(page.shownModel("two"), std::string("two"));
    models->setCurrentIndex(0);
    m_services->library.write([](core::Library& library) { return core::forgetPictures(library, {3, 4}); });
    QComboBox* subjects = boxNamed(page, u"Subject"_s);
    subjects->setCurrentIndex(subjects->findData(QVariant::fromValue<qlonglong>(robot)));
    QTRY_COMPARE(page.model().rowCount(), 0);
    book.remove(robot);
    page.activated();
    QCOMPARE(subjects->currentIndex(), 0);
    QTRY_COMPARE(page.model().rowCount(), 1);
    m_services->library.write([](core::Library& library) { return core::forgetPictures(library, {1, 2}); });
}

void GalleryTest::aPromptIsNoMarkup() {
    std::vector<core::PictureRecord> pictures = picturesDownFrom(1);
    pictures[0].prompt = "a <b>bold</b> sign of \"A & B\"";
    const QString prompt = QString::fromStdString(pictures[0].prompt);
    GalleryPage page(m_services->all());
    page.model().set(pictures);
    page.choose(QString::fromStdString(pictures[0].path));
    QLabel* shown = nullptr;
    for (auto* label : page.findChildren<QLabel*>())
        if (label->text() == prompt) shown = label;
    QVERIFY(shown != nullptr);
    shown->setSelection(0, static_cast<int>(prompt.size()));
    QCOMPARE(shown->selectedText(), prompt);
    const QString tip = page.model().index(0).data(Qt::ToolTipRole).toString();
    QVERIFY(Qt::mightBeRichText(tip) && !tip.contains(QChar::Nbsp)); // else a long one is a single line
    QCOMPARE(QTextDocumentFragment::fromHtml(tip).toPlainText(), prompt);
    pictures[0].prompt.clear();
    page.model().set(pictures);
    QVERIFY(page.model().index(0).data(Qt::ToolTipRole).toString().isEmpty());
}

void GalleryTest::asksForTheHeadingsAgainWhenItIsOpened() {
    int asked = 0;
    GalleryPage page(m_services->all());
    page.model().set(picturesDownFrom(3));
    page.findChild<SectionGrid*>()->setSections([&page, &asked] {
        ++asked;
        return page.model().sections();
    });
    const int before = asked;
    page.activated(); // perhaps on another day
    QVERIFY(asked > before);
}

void GalleryTest::aPictureWithoutSettingsSaysSo() {
    const auto window = openGallery(1); // a picture that no engine made
    auto* page = galleryOf(*window);
    QTRY_VERIFY(page->findChild<SectionGrid*>()->currentIndex().isValid());
    QVERIFY(page->command(Page::Command::UseSettings));
    QCOMPARE(window->currentPage(), PageId::Gallery);
    QVERIFY(page->messages().currentText().contains(u"does not say how it was made"_s));
    const int64_t id = page->model().at(0).id;
    m_services->library.write([id](core::Library& library) { return core::forgetPictures(library, {id}); });
}

void GalleryTest::namesTheModelOfPicturesThatWereCutShort() {
    const QString folder = m_place.path("cut_short");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(writeMade(folder + u"/a.png"_s, "a photo of ohwx toy", 12));
    QVERIFY(writeMade(folder + u"/b.png"_s, "a photo of ohwx toy", 99));
    core::SampleConfig config;
    config.model = "/runs/robot toy/result/model";
    config.prompt = "a photo of ohwx toy";
    config.seed = 10;
    config.count = 4;
    config.outputDir = folder.toStdString();
    const core::QueuedRequest job{1, "pictures", "robot toy", core::toJson(config), 0};
    m_services->library.write([job](core::Library& library) { return core::saveQueue(library, {job}); });
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    m_services->album.open(folder);
    QVERIFY(changed.wait(kLongestMs));
    GalleryModel model(m_services->all());
    model.reload();
    QTRY_COMPARE(model.rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        const bool ours = QString::fromStdString(model.at(row).path).endsWith(u"a.png"_s);
        QCOMPARE(model.at(row).model, std::string(ours ? "robot toy" : "model"));
        QCOMPARE(model.at(row).modelPath, ours ? config.model : std::string());
    }
    m_services->library.write([](core::Library& library) { return core::saveQueue(library, {}); });
}

void GalleryTest::keepOnly(const std::vector<core::PictureRecord>& pictures) {
    m_services->library.write(
        [pictures](core::Library& library) { return replacePictures(library, pictures); });
}

std::unique_ptr<MainWindow> GalleryTest::openGallery(int count) {
    const QString folder = m_place.path(QString::fromLatin1(QTest::currentTestFunction()));
    QDir().mkpath(folder);
    std::vector<core::PictureRecord> pictures;
    int64_t made = core::nowMs() + 1'000'000; // before what other tests made
    for (int i = 0; i < count; ++i) {
        core::PictureRecord record;
        record.id = core::newRecordId();
        record.path = writeTestPicture(u"%1/%2.png"_s.arg(folder).arg(i), i, {64, 48}).toStdString();
        record.createdMs = --made;
        pictures.push_back(record);
    }
    keepOnly(pictures);
    auto window = std::make_unique<MainWindow>(m_services->all());
    window->show();
    window->activateWindow();
    (void)QTest::qWaitForWindowActive(window.get());
    window->showPage(PageId::Gallery);
    const QString first = QString::fromStdString(pictures.front().path);
    const auto shown = [&] { return galleryOf(*window)->paths(); };
    [&] { QTRY_VERIFY(shown().size() == count && shown().front() == first); }();
    return window;
}

void GalleryTest::theLargeViewNamesTheModelAsTheLibraryDoes() {
    const QString file = m_place.path("of a moment.png");
    QVERIFY(writeMade(file, "a photo of ohwx toy", 12)); // its text says "model"
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    m_services->album.add(file, u"robot toy, step 200"_s, u"/cache/0123456789abcdef"_s);
    QVERIFY(changed.wait(kLongestMs));
    MainWindow window(m_services->all());
    window.show();
    auto* view = window.findChild<LargeView*>();
    for (const PageId id : {PageId::Generate, PageId::Gallery}) {
        window.showPage(id);
        if (id == PageId::Gallery)
            Q_EMIT galleryOf(window)->largeWanted(file);
        else
            Q_EMIT static_cast<GeneratePage*>(window.page(id))->largeWanted(file);
        QTRY_VERIFY2(view->accessibleDescription().contains(u"robot toy, step 200"_s),
                     qPrintable(view->accessibleDescription()));
        QVERIFY(view->accessibleDescription().contains(u"seed 12"_s));
        QVERIFY(!view->accessibleDescription().contains(u"model"_s));
        QTest::keyClick(view, Qt::Key_Escape);
        view->setAccessibleDescription({});
    }
}

void GalleryTest::deleteMeansThePictureInTheLargeView() {
    const auto window = openGallery(4);
    auto* page = galleryOf(*window);
    const QStringList files = page->paths();
    auto* view = window->findChild<LargeView*>();
    QVERIFY(page->command(Page::Command::LargeView));
    QCOMPARE(view->path(), files[0]);
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(view->path(), files[2]);
    QTest::keyClick(view, Qt::Key_Delete);
    QTRY_COMPARE(page->paths(), (QStringList{files[0], files[1], files[3]}));
    QCOMPARE(view->path(), files[3]); // the next one takes its place
    QTest::keyClick(view, Qt::Key_Delete);
    QTRY_COMPARE(page->paths(), (QStringList{files[0], files[1]}));
    QCOMPARE(view->path(), files[1]);
    for (int left = 1; left >= 0; --left) {
        QTest::keyClick(view, Qt::Key_Delete);
        QTRY_COMPARE(page->paths().size(), left);
    }
    QVERIFY(view->isHidden());
    for (int i = 0; i < 4; ++i) m_services->undo.undo();
    QTRY_COMPARE(page->paths(), files);
}

void GalleryTest::favouritesAreMarkedInOneStep() {
    const auto window = openGallery(5);
    auto* page = galleryOf(*window);
    page->findChild<SectionGrid*>()->selectAll();
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    QVERIFY(page->command(Page::Command::Favourite));
    const auto favourites = [page] {
        int count = 0;
        for (int row = 0; row < page->model().rowCount(); ++row) count += page->model().at(row).favourite;
        return count;
    };
    QTRY_COMPARE(favourites(), 5);
    QCOMPARE(changed.count(), 1);
    QVERIFY(page->command(Page::Command::Favourite));
    QTRY_COMPARE(favourites(), 0);
    QCOMPARE(changed.count(), 2);
}

void GalleryTest::favouritesHaveAWayBack() {
    const auto window = openGallery(3);
    auto* page = galleryOf(*window);
    const QStringList files = page->paths();
    const auto marked = [page] {
        QList<bool> all;
        for (int row = 0; row < page->model().rowCount(); ++row) all.append(page->model().at(row).favourite);
        return all;
    };
    page->choose(files[1]);
    QVERIFY(page->command(Page::Command::Favourite));
    QTRY_COMPARE(marked(), (QList<bool>{false, true, false}));
    page->findChild<SectionGrid*>()->selectAll();
    QVERIFY(page->command(Page::Command::Favourite));
    QTRY_COMPARE(marked(), (QList<bool>{true, true, true}));
    m_services->undo.undo(); // the one that was marked before stays so
    QTRY_COMPARE(marked(), (QList<bool>{false, true, false}));
    m_services->undo.undo();
    QTRY_COMPARE(marked(), (QList<bool>{false, false, false}));
    m_services->undo.redo();
    QTRY_COMPARE(marked(), (QList<bool>{false, true, false}));
}

void GalleryTest::changesOfTheModelKeepTheRules() {
    GalleryModel model(m_services->all());
    const ItemRules tester(model);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.set(picturesDownFrom(20));
    std::vector<core::PictureRecord> some = picturesDownFrom(25);
    std::erase_if(some,
                  [](const core::PictureRecord& one) { return one.id == 3 || one.id == 12 || one.id == 13; });
    some[4].favourite = true;
    model.set(some);
    QCOMPARE(resets.size(), 0); // row by row
    QCOMPARE(model.rowCount(), 22);
    for (int row = 0; row < model.rowCount(); ++row) QVERIFY(model.at(row) == some[static_cast<size_t>(row)]);
    std::reverse(some.begin(), some.end());
    model.set(some);
    QCOMPARE(resets.size(), 1);
    QVERIFY(model.at(0) == some[0]);
    model.set({});
    QCOMPARE(model.rowCount(), 0);
}

void GalleryTest::picturesAreDraggedOutAsFiles() {
    GalleryModel model(m_services->all());
    model.set(picturesDownFrom(3));
    const std::unique_ptr<QMimeData> dragged(mimeOfPictures({model.index(0), model.index(2)}));
    QVERIFY(dragged != nullptr);
    QCOMPARE(dragged->urls(), (QList<QUrl>{QUrl::fromLocalFile(u"/nowhere/3.png"_s),
                                           QUrl::fromLocalFile(u"/nowhere/1.png"_s)}));
    QVERIFY(dragged->hasFormat(u"text/uri-list"_s));
    QVERIFY(mimeOfPictures({}) == nullptr);
    QCOMPARE(dragsOf<SectionGrid>(model, m_services->thumbnails), 1);
    QCOMPARE(dragsOf<ThumbnailGrid>(model, m_services->thumbnails), 1);
}

void GalleryTest::copiesOfPicturesAreSavedElsewhere() {
    const auto window = openGallery(3);
    auto* page = galleryOf(*window);
    const QString folder = m_place.path("copies");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(page->paths()[0], folder + u"/1.png"_s)); // another one of that name
    page->findChild<SectionGrid*>()->selectAll();
    buttonNamed(*page, u"Save a copy..."_s)->click();
    auto* dialog = page->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->filesSelected({folder});
    dialog->close();
    QTRY_VERIFY(page->messages().currentText().startsWith(u"3 picture(s) copied to "_s));
    for (const auto& [copy, of] :
         {std::pair("0", 0), std::pair("1 2", 1), std::pair("1", 0), std::pair("2", 2)})
        QCOMPARE(bytesOf(u"%1/%2.png"_s.arg(folder, QLatin1String(copy))), bytesOf(page->paths()[of]));
    page->findChild<SectionGrid*>()->clearSelection();
    QVERIFY(!page->command(Page::Command::Export));
}

void GalleryTest::theWallStaysWhereNothingIsChosen() {
    const auto window = openGallery(3);
    window->resize(1400, 800); // with room for the details
    auto* page = galleryOf(*window);
    auto* grid = page->findChild<SectionGrid*>();
    const QPushButton* remove = buttonNamed(*page, u"Delete"_s);
    page->choose(page->paths()[0]);
    QTRY_VERIFY(remove->isVisible());
    QTest::qWait(50); // all is laid out
    const int wide = grid->width();
    grid->clearSelection();
    QVERIFY(!remove->isVisible());
    QTest::qWait(50);
    QCOMPARE(grid->width(), wide); // else a double click's second half meets what came under the pointer
    page->choose(page->paths()[1]);
    QTRY_VERIFY(remove->isVisible());
    QTest::qWait(50);
    QCOMPARE(grid->width(), wide);
}

void GalleryTest::picturesBeginFromTheChosenOne() {
    const auto window = openGallery(2);
    auto* page = galleryOf(*window);
    const auto* form = window->page(PageId::Generate)->findChild<GenerateForm*>();
    const QStringList files = page->paths();
    page->choose(files[1]);
    buttonNamed(*page, u"Start from this picture"_s)->click();
    QCOMPARE(window->currentPage(), PageId::Generate);
    QCOMPARE(form->config().initImage, files[1].toStdString());
    window->showPage(PageId::Gallery);
    Q_EMIT page->largeWanted(files[0]);
    auto* view = window->findChild<LargeView*>();
    Q_EMIT view->startWanted(view->path());
    QVERIFY(view->isHidden());
    QCOMPARE(window->currentPage(), PageId::Generate);
    QCOMPARE(form->config().initImage, files[0].toStdString());
}

void GalleryTest::severalChosenAreWalkedAndCopiedTogether() {
    const auto window = openGallery(4);
    auto* page = galleryOf(*window);
    const QStringList files = page->paths();
    auto* rows = page->findChild<SectionGrid*>()->selectionModel();
    rows->select(page->model().index(2), QItemSelectionModel::ClearAndSelect);
    rows->select(page->model().index(0), QItemSelectionModel::Select);
    QVERIFY(page->command(Page::Command::Copy));
    QCOMPARE(QApplication::clipboard()->mimeData()->urls(),
             (QList<QUrl>{QUrl::fromLocalFile(files[0]), QUrl::fromLocalFile(files[2])}));
    buttonNamed(*page, u"Large view"_s)->click();
    auto* view = window->findChild<LargeView*>();
    QCOMPARE(view->path(), files[0]);
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(view->path(), files[2]); // what lies between them was not chosen
    QCOMPARE(page->paths(), (QStringList{files[0], files[2]}));
    QTest::keyClick(view, Qt::Key_Escape);
    QCOMPARE(rows->selectedIndexes().size(), 2); // as before
    rows->select(page->model().index(0), QItemSelectionModel::ClearAndSelect);
    buttonNamed(*page, u"Large view"_s)->click(); // of one alone: all
    QCOMPARE(page->paths(), files);
    QTest::keyClick(view, Qt::Key_Escape);
}

void GalleryTest::manyAreCountedInGroups() {
    const QLocale before;
    const auto back = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    GalleryPage page(m_services->all());
    page.model().set(picturesDownFrom(12'345));
    const auto labels = page.findChildren<ElidedLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const ElidedLabel* one) { return one->fullText().startsWith(u"12,345 "_s); }));
}

void GalleryTest::theStarIsSeenOnAnyPicture() {
    for (const QColor& ground : {QColor(Qt::black), QColor(Qt::white), QColor(0xF2B84B)}) {
        QImage picture(20, 20, QImage::Format_RGB32);
        picture.fill(ground);
        QPainter(&picture).drawPixmap(0, 0, favouriteMark(20, 1.0));
        int apart = 0;
        for (int at = 0; at < 400; ++at)
            apart += std::abs(qGray(picture.pixel(at % 20, at / 20)) - qGray(ground.rgb())) > 80 ? 1 : 0;
        QVERIFY2(apart > 20, qPrintable(ground.name()));
    }
}

HOMEBOOTH_APP_TEST_MAIN(GalleryTest)
#include "tst_gallery.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gallery: headings by date, the wall of pictures with keys and thousands of items, filters, the large
// view.
#include "app/library/thumbnails.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/large_view.h"
#include "app_fixture.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/text/generation_parameters.h"
#include "core/library/queue_store.h"
#include "core/media/picture_io.h"
#include "loop_watch.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QUrl>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class GalleryTest : public QObject {
    Q_OBJECT
public:
    explicit GalleryTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void cleanup() { m_services.reset(); }
    void headingsFollowTheDate();
    void wallPlacesPicturesUnderTheirHeadings();
    void arrowsWalkOverHeadings();
    void filtersBySubject();
    void namesTheModelOfPicturesThatWereCutShort();
    void tenThousandPicturesScrollWithoutDecodingInTheWindow();
    void largeViewObeysItsKeys();
    void deleteMeansThePictureInTheLargeView();
    void favouritesAreMarkedInOneStep();
    void favouritesHaveAWayBack();
    void whatIsInViewStaysWhenPicturesArriveOrGo();
    void aFilterKeepsChoiceAndPlace();
    void changesOfTheModelKeepTheRules();
    void picturesAreDraggedOutAsFiles();

private:
    /// A window that shows pictures of these files in the gallery, the first one in front.
    std::unique_ptr<MainWindow> openGallery(const QStringList& files);
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

namespace {

core::PictureRecord picture(int64_t id, QDateTime made) {
    core::PictureRecord record;
    record.id = id;
    record.path = "/nowhere/" + std::to_string(id) + ".png";
    record.createdMs = made.toMSecsSinceEpoch();
    return record;
}

/// A wall of `counts` pictures in sections.
struct Wall {
    Wall(Thumbnails& thumbnails, const QList<int>& counts)
        : grid(thumbnails) {
        std::vector<GridSection> sections;
        int all = 0;
        for (const int count : counts) {
            sections.push_back({all, QStringLiteral("from %1").arg(all)});
            all += count;
        }
        for (int i = 0; i < all; ++i) model.appendRow(new QStandardItem(QString::number(i)));
        grid.setSections([sections] { return sections; });
        grid.setModel(&model);
        grid.setSide(100);
        grid.resize(4 * 112 + 20, 400);
        grid.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        grid.show();
        grid.setCurrentIndex(model.index(0, 0));
    }
    int press(int key) {
        QTest::keyClick(&grid, static_cast<Qt::Key>(key));
        return grid.currentIndex().row();
    }
    QStandardItemModel model;
    SectionGrid grid;
};

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

} // namespace

void GalleryTest::init() {
    failOnAnyWarning();
    m_services = std::make_unique<TestServices>(m_place);
}

void GalleryTest::headingsFollowTheDate() {
    const QDate today(2026, 11, 21);
    const auto at = [&today](int daysAgo, int hour) {
        return QDateTime(today.addDays(-daysAgo), QTime(hour, 0));
    };
    const std::vector<core::PictureRecord> pictures{
        picture(1, at(-1, 1)), picture(2, at(0, 20)), picture(3, at(0, 0)),
        picture(4, at(1, 23)), picture(5, at(2, 5)),  picture(6, at(6, 5)),
        picture(7, at(7, 5)),  picture(8, at(20, 5)), picture(9, at(40, 5))};
    const std::vector<GridSection> found = sectionsByDate(pictures, today);
    QStringList titles;
    QList<int> firsts;
    for (const GridSection& section : found) {
        titles.append(section.title);
        firsts.append(section.first);
    }
    const QLocale words;
    const QString november = words.standaloneMonthName(11) + QStringLiteral(" 2026");
    const QString october = words.standaloneMonthName(10) + QStringLiteral(" 2026");
    QCOMPARE(titles, (QStringList{QStringLiteral("Today"), QStringLiteral("Yesterday"),
                                  QStringLiteral("Last 7 days"), november, october}));
    QCOMPARE(firsts, (QList<int>{0, 3, 4, 6, 8}));
    QVERIFY(sectionsByDate({}, today).empty());
}

void GalleryTest::wallPlacesPicturesUnderTheirHeadings() {
    Wall wall(m_services->thumbnails, {5, 0, 2, 300});
    QCOMPARE(wall.grid.columns(), 4);
    const QRect first = wall.grid.visualRect(wall.model.index(0, 0));
    QVERIFY(first.top() > 0); // its heading
    QCOMPARE(wall.grid.visualRect(wall.model.index(3, 0)).top(), first.top());
    QCOMPARE(wall.grid.visualRect(wall.model.index(4, 0)).left(), first.left());
    const QRect sixth = wall.grid.visualRect(wall.model.index(5, 0));
    QCOMPARE(sixth.left(), first.left());
    QVERIFY(sixth.top() > wall.grid.visualRect(wall.model.index(4, 0)).bottom());
    for (const int row : {0, 4, 5, 6, 7, 11})
        QCOMPARE(wall.grid.indexAt(wall.grid.visualRect(wall.model.index(row, 0)).center()).row(), row);
    QVERIFY(!wall.grid.indexAt(QPoint(10, 4)).isValid());
    wall.grid.scrollTo(wall.model.index(306, 0));
    QVERIFY(wall.grid.viewport()->rect().contains(wall.grid.visualRect(wall.model.index(306, 0)).center()));
    wall.model.removeRows(7, 300);
    QCOMPARE(wall.grid.verticalScrollBar()->maximum() < 400, true);
}

void GalleryTest::arrowsWalkOverHeadings() {
    Wall wall(m_services->thumbnails, {5, 2, 9});
    QCOMPARE(wall.press(Qt::Key_Right), 1);
    QCOMPARE(wall.press(Qt::Key_Right), 2);
    QCOMPARE(wall.press(Qt::Key_Down), 4); // the short second line
    QCOMPARE(wall.press(Qt::Key_Down), 5);
    QCOMPARE(wall.press(Qt::Key_Right), 6);
    QCOMPARE(wall.press(Qt::Key_Down), 8);
    QCOMPARE(wall.press(Qt::Key_Up), 6);
    QCOMPARE(wall.press(Qt::Key_Up), 4);
    QCOMPARE(wall.press(Qt::Key_Home), 0);
    QCOMPARE(wall.press(Qt::Key_Up), 0);
    QCOMPARE(wall.press(Qt::Key_End), 15);
    QCOMPARE(wall.press(Qt::Key_Down), 15);
    QSignalSpy large(&wall.grid, &SectionGrid::large);
    wall.press(Qt::Key_Space);
    QCOMPARE(large.size(), 1);
}

void GalleryTest::filtersBySubject() {
    SubjectBook& book = m_services->subjects;
    const int64_t robot = book.addFromPhotos({m_place.path(QStringLiteral("robot_toy/1.png"))});
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
    QComboBox* subjects = nullptr;
    for (auto* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == QStringLiteral("Subject")) subjects = box;
    QVERIFY(subjects != nullptr);
    subjects->setCurrentIndex(subjects->findData(QVariant::fromValue<qlonglong>(robot)));
    QTRY_COMPARE(page.model().rowCount(), 2);
    QSet<int64_t> found{page.model().at(0).id, page.model().at(1).id};
    QCOMPARE(found, (QSet<int64_t>{1, 3}));
    m_services->library.write([](core::Library& library) {
        return core::forgetPictures(library, {1, 2, 3});
    });
}

void GalleryTest::namesTheModelOfPicturesThatWereCutShort() {
    const QString folder = m_place.path(QStringLiteral("cut_short"));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(writeMade(folder + QStringLiteral("/a.png"), "a photo of ohwx toy", 12));
    QVERIFY(writeMade(folder + QStringLiteral("/b.png"), "a photo of ohwx toy", 99));
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
    QVERIFY(changed.wait());
    GalleryModel model(m_services->all());
    model.reload();
    QTRY_COMPARE(model.rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        const bool ours = QString::fromStdString(model.at(row).path).endsWith(QStringLiteral("a.png"));
        QCOMPARE(model.at(row).model, std::string(ours ? "robot toy" : "model"));
        QCOMPARE(model.at(row).modelPath, ours ? config.model : std::string());
    }
    m_services->library.write([](core::Library& library) { return core::saveQueue(library, {}); });
}

void GalleryTest::tenThousandPicturesScrollWithoutDecodingInTheWindow() {
    constexpr int kMany = 10'000;
    constexpr int kFiles = 60;
    QDir().mkpath(m_place.path(QStringLiteral("wall")));
    QStringList files;
    for (int i = 0; i < kFiles; ++i)
        files.append(writeTestPicture(m_place.path(QStringLiteral("wall/%1.png").arg(i)), i, {256, 256}));
    std::vector<core::PictureRecord> pictures;
    const QDateTime now = QDateTime::currentDateTime();
    for (int i = 0; i < kMany; ++i) {
        pictures.push_back(picture(i + 1, now.addSecs(-3600LL * i)));
        pictures.back().path = files[i % kFiles].toStdString();
    }
    GalleryPage page(m_services->all());
    page.resize(1400, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model().set(pictures);
    const int before = picturesReadHere();
    QScrollBar* bar = page.findChild<SectionGrid*>()->verticalScrollBar();
    QVERIFY(bar->maximum() > 100'000);
    LoopWatch watch;
    constexpr int kTurns = 200;
    for (int turn = 1; turn <= kTurns; ++turn) {
        bar->setValue(int(int64_t(bar->maximum()) * turn / kTurns));
        QTest::qWait(1);
    }
    qInfo("10,000 pictures scrolled from top to bottom in %d turns: longest pause of the event loop %lld ms",
          kTurns, static_cast<long long>(watch.worstMs()));
    QCOMPARE(bar->value(), bar->maximum());
    QTRY_VERIFY(!m_services->thumbnails.find({files.front(), {}, 320}).isNull());
    QVERIFY2(picturesReadHere() == before, "a picture was read on the window's thread");
}

void GalleryTest::largeViewObeysItsKeys() {
    QDir().mkpath(m_place.path(QStringLiteral("large")));
    QStringList files;
    for (int i = 0; i < 3; ++i)
        files.append(writeTestPicture(m_place.path(QStringLiteral("large/%1.png").arg(i)), i, {400, 300}));
    QWidget parent;
    QLineEdit field(&parent);
    parent.resize(800, 600);
    parent.show();
    QVERIFY(QTest::qWaitForWindowExposed(&parent));
    parent.activateWindow();
    field.setFocus();
    LargeView view(&parent);
    view.open(files[0], files);
    QTRY_VERIFY(qFuzzyCompare(view.zoomFactor(), (600.0 - 48) / 300));
    const double fitting = view.zoomFactor();
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.zoomFactor() > fitting);
    QTest::keyClick(&view, Qt::Key_Minus);
    QCOMPARE(view.zoomFactor(), fitting);
    QTest::keyClick(&view, Qt::Key_1);
    QCOMPARE(view.zoomFactor(), 1.0);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.zoomFactor(), fitting);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.path(), files[1]);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(view.path(), files[1]); // moved, not walked
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.path(), files[2]);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.path(), files[0]);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(view.isHidden());
    QVERIFY(field.hasFocus());
}

std::unique_ptr<MainWindow> GalleryTest::openGallery(const QStringList& files) {
    std::vector<core::PictureRecord> pictures;
    int64_t made = core::nowMs() + 1'000'000; // before what other tests made
    for (const QString& file : files) {
        core::PictureRecord record;
        record.id = core::newRecordId();
        record.path = writeTestPicture(file, static_cast<int>(pictures.size()), {64, 48}).toStdString();
        record.createdMs = --made;
        pictures.push_back(record);
    }
    m_services->library.write([pictures](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_ASSIGN(const std::vector<core::PictureRecord> old,
                         core::findPictures(library, {}, 0, 1'000'000));
        std::vector<int64_t> ids;
        for (const core::PictureRecord& picture : old) ids.push_back(picture.id);
        HOMEBOOTH_CHECK(core::forgetPictures(library, ids));
        return core::addPictures(library, pictures);
    });
    auto window = std::make_unique<MainWindow>(m_services->all());
    window->show();
    window->activateWindow();
    (void)QTest::qWaitForWindowActive(window.get());
    window->showPage(PageId::Gallery);
    auto* page = static_cast<GalleryPage*>(window->page(PageId::Gallery));
    [&] { QTRY_COMPARE(page->paths(), files); }();
    return window;
}

void GalleryTest::deleteMeansThePictureInTheLargeView() {
    QDir().mkpath(m_place.path(QStringLiteral("shown")));
    QStringList files;
    for (int i = 0; i < 4; ++i) files.append(m_place.path(QStringLiteral("shown/%1.png").arg(i)));
    const auto window = openGallery(files);
    auto* page = static_cast<GalleryPage*>(window->page(PageId::Gallery));
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
    QDir().mkpath(m_place.path(QStringLiteral("marked")));
    QStringList files;
    for (int i = 0; i < 5; ++i) files.append(m_place.path(QStringLiteral("marked/%1.png").arg(i)));
    const auto window = openGallery(files);
    auto* page = static_cast<GalleryPage*>(window->page(PageId::Gallery));
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
    QDir().mkpath(m_place.path(QStringLiteral("way_back")));
    QStringList files;
    for (int i = 0; i < 3; ++i) files.append(m_place.path(QStringLiteral("way_back/%1.png").arg(i)));
    const auto window = openGallery(files);
    auto* page = static_cast<GalleryPage*>(window->page(PageId::Gallery));
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

namespace {

/// Pictures with keys from `last` down to 1, newest first.
std::vector<core::PictureRecord> picturesDownFrom(int last) {
    const QDateTime begin = QDateTime::currentDateTime().addSecs(-100'000);
    std::vector<core::PictureRecord> pictures;
    for (int id = last; id > 0; --id) pictures.push_back(picture(id, begin.addSecs(id)));
    return pictures;
}

int rowOf(const GalleryModel& model, int64_t id) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.at(row).id == id) return row;
    return -1;
}

} // namespace

void GalleryTest::whatIsInViewStaysWhenPicturesArriveOrGo() {
    GalleryPage page(m_services->all());
    page.resize(1000, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTest::qWait(100);
    GalleryModel& model = page.model();
    model.set(picturesDownFrom(300));
    auto* grid = page.findChild<SectionGrid*>();
    grid->selectionModel()->setCurrentIndex(model.index(rowOf(model, 150)),
                                            QItemSelectionModel::ClearAndSelect);
    grid->scrollTo(grid->currentIndex(), QAbstractItemView::PositionAtCenter);
    const int y = grid->visualRect(model.index(rowOf(model, 150))).top();
    QVERIFY(y > 0);
    model.set(picturesDownFrom(340));
    QCOMPARE(grid->visualRect(model.index(rowOf(model, 150))).top(), y);
    QCOMPARE(model.at(grid->currentIndex().row()).id, int64_t{150});
    std::vector<core::PictureRecord> fewer = picturesDownFrom(340);
    std::erase_if(fewer, [](const core::PictureRecord& one) { return one.id > 200 && one.id % 60 == 0; });
    model.set(fewer);
    QCOMPARE(grid->visualRect(model.index(rowOf(model, 150))).top(), y);
    QCOMPARE(grid->selectionModel()->selectedIndexes().size(), 1);
    // At the top one wants to see what is new.
    grid->verticalScrollBar()->setValue(0);
    model.set(picturesDownFrom(360));
    QCOMPARE(grid->verticalScrollBar()->value(), 0);
}

void GalleryTest::aFilterKeepsChoiceAndPlace() {
    GalleryPage page(m_services->all());
    page.resize(1000, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTest::qWait(100);
    GalleryModel& model = page.model();
    model.set(picturesDownFrom(400));
    auto* grid = page.findChild<SectionGrid*>();
    for (const int64_t id : {120, 121})
        grid->selectionModel()->setCurrentIndex(model.index(rowOf(model, id)), QItemSelectionModel::Select);
    grid->scrollTo(grid->currentIndex(), QAbstractItemView::PositionAtCenter);
    std::vector<core::PictureRecord> odd = picturesDownFrom(400);
    std::erase_if(odd, [](const core::PictureRecord& one) { return one.id % 2 == 0; });
    const int y = grid->visualRect(grid->currentIndex()).top();
    model.set(odd); // too many changes to be told one by one
    QCOMPARE(grid->selectionModel()->selectedIndexes().size(), 1);
    QCOMPARE(model.at(grid->currentIndex().row()).id, int64_t{121});
    QVERIFY(grid->viewport()->rect().contains(grid->visualRect(grid->currentIndex()).center()));
    model.set(picturesDownFrom(400));
    QCOMPARE(model.at(grid->currentIndex().row()).id, int64_t{121});
    QCOMPARE(grid->visualRect(grid->currentIndex()).top(), y);
}

void GalleryTest::changesOfTheModelKeepTheRules() {
    GalleryModel model(m_services->all());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
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
    QCOMPARE(dragged->urls(), (QList<QUrl>{QUrl::fromLocalFile(QStringLiteral("/nowhere/3.png")),
                                           QUrl::fromLocalFile(QStringLiteral("/nowhere/1.png"))}));
    QVERIFY(dragged->hasFormat(QStringLiteral("text/uri-list")));
    QVERIFY(mimeOfPictures({}) == nullptr);
}

HOMEBOOTH_APP_TEST_MAIN(GalleryTest)
#include "tst_gallery.moc"

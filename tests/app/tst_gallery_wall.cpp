// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The wall of pictures: headings by date, keys, thousands of items, what stays in view; and the large
// view over it.
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/thumbnails.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/large_view.h"
#include "gallery_fixture.h"
#include "item_rules.h"
#include "loop_watch.h"
#include "shown_widget.h"

#include <QDir>
#include <QLineEdit>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QUndoStack>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// A wall of `counts` pictures in sections.
struct Wall {
    Wall(Thumbnails& thumbnails, const QList<int>& counts)
        : grid(thumbnails) {
        std::vector<GridSection> sections;
        int all = 0;
        for (const int count : counts) {
            sections.push_back({all, u"from %1"_s.arg(all)});
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

/// Of a few contents, each in a file of its own.
std::vector<core::PictureRecord> linkedPictures(const QString& folder, int count) {
    constexpr int kContents = 20;
    QDir().mkpath(folder);
    for (int i = 0; i < kContents; ++i)
        writeTestPicture(u"%1/content%2.png"_s.arg(folder).arg(i), i, {256, 256});
    std::vector<core::PictureRecord> pictures;
    const QDateTime now = QDateTime::currentDateTime();
    for (int i = 0; i < count; ++i) {
        const QString path = u"%1/%2.png"_s.arg(folder).arg(i);
        QFile::link(u"content%1.png"_s.arg(i % kContents), path);
        pictures.push_back(picture(i + 1, now.addSecs(-3600LL * i)));
        pictures.back().path = path.toStdString();
    }
    return pictures;
}

/// The value below which so much of them lies; 1: the greatest.
qint64 partOf(std::vector<qint64> values, double part) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(part * double(values.size() - 1))];
}

/// What each frame took while a wall was scrolled, in microseconds: by the clock, and of computing.
struct FrameTimes {
    std::vector<qint64> wall;
    std::vector<qint64> computed;

    void scroll(SectionGrid& grid, int pixels, int frames) {
        QScrollBar* bar = grid.verticalScrollBar();
        for (int frame = 0; frame < frames; ++frame) {
            QElapsedTimer timer;
            timer.start();
            const qint64 before = LoopWatch::computedUs();
            bar->setValue(bar->value() + pixels);
            grid.viewport()->repaint();
            computed.push_back(LoopWatch::computedUs() - before);
            wall.push_back(timer.nsecsElapsed() / 1000);
            QTest::qWait(1); // pictures arrive
        }
    }
    [[nodiscard]] QString report() const {
        const auto said = [](const std::vector<qint64>& times) {
            return u"median %1 ms, 95 % %2 ms, longest %3 ms"_s
                .arg(double(partOf(times, 0.5)) / 1000.0, 0, 'f', 1)
                .arg(double(partOf(times, 0.95)) / 1000.0, 0, 'f', 1)
                .arg(double(partOf(times, 1.0)) / 1000.0, 0, 'f', 1);
        };
        return u"a frame takes %1 by the clock; it computes %2"_s.arg(said(wall), said(computed));
    }
};

int rowOf(const GalleryModel& model, int64_t id) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.at(row).id == id) return row;
    return -1;
}

} // namespace

class GalleryWallTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void headingsFollowTheDate();
    void wallPlacesPicturesUnderTheirHeadings();
    void arrowsWalkOverHeadings();
    void tenThousandPicturesScrollWithoutDecodingInTheWindow();
    void framesOfTenThousandPicturesAreDrawnAtOnce();
    void largeViewObeysItsKeys();
    void whatIsInViewStaysInAnotherSize();
    void whatIsInViewStaysWhenPicturesArriveOrGo();
    void aFilterKeepsChoiceAndPlace();
    void theNewestIsChosenAtTheFirstLook();
    void ofPicturesThatChangedNoOthersAreRead();
    void behindAnotherPageNothingIsRead();
    void filesAreLookedAtWhereSomethingHappened();
    void afterMidnightNothingOfYesterdayIsOfToday();
    void whatIsEnlargedSaysHowItWasMade();

private:
    /// All that the library was asked for so far is done.
    void waitForLibrary();
};

void GalleryWallTest::waitForLibrary() {
    bool answered = false;
    m_services->library.ask<int>(
        this, [](core::Library&) { return core::Result<int>(1); }, [&answered](int) { answered = true; });
    QTRY_VERIFY(answered);
}

void GalleryWallTest::headingsFollowTheDate() {
    const QDate today(2026, 11, 21);
    const auto at = [&today](int daysAgo, int hour) {
        return QDateTime(today.addDays(-daysAgo), QTime(hour, 0));
    };
    const std::vector<core::PictureRecord> pictures{
        picture(2, at(0, 20)), picture(3, at(0, 0)),  picture(4, at(1, 23)), picture(5, at(2, 5)),
        picture(6, at(6, 5)),  picture(7, at(7, 5)),  picture(8, at(20, 5)), picture(9, at(40, 5)),
        picture(1, at(-1, 1)), picture(10, at(-9, 1))};
    const std::vector<GridSection> found = sectionsByDate(pictures, today);
    QStringList titles;
    QList<int> firsts;
    for (const GridSection& section : found) {
        titles.append(section.title);
        firsts.append(section.first);
    }
    const QLocale words;
    const QString november = words.standaloneMonthName(11) + u" 2026"_s;
    const QString october = words.standaloneMonthName(10) + u" 2026"_s;
    QCOMPARE(titles, (QStringList{u"Today"_s, u"Yesterday"_s, u"Last 7 days"_s, november, october,
                                  u"Dated in the future"_s}));
    QCOMPARE(firsts, (QList<int>{0, 2, 3, 5, 7, 8}));
    QVERIFY(sectionsByDate({}, today).empty());
    GalleryModel model(m_services->all());
    const QDateTime now = QDateTime::currentDateTime();
    model.set({picture(1, now.addDays(2)), picture(2, now), picture(3, now.addDays(-2))});
    QCOMPARE(model.at(0).id, int64_t{2});
    QCOMPARE(model.at(2).id, int64_t{1});
}

void GalleryWallTest::wallPlacesPicturesUnderTheirHeadings() {
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

void GalleryWallTest::arrowsWalkOverHeadings() {
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

void GalleryWallTest::tenThousandPicturesScrollWithoutDecodingInTheWindow() {
    constexpr int kMany = 10'000;
    constexpr int kFiles = 60;
    QDir().mkpath(m_place.path("wall"));
    QStringList files;
    for (int i = 0; i < kFiles; ++i)
        files.append(writeTestPicture(m_place.path(u"wall/%1.png"_s.arg(i)), i, {256, 256}));
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
    qInfo("10,000 pictures scrolled from top to bottom in %d turns: %s", kTurns, qPrintable(watch.report()));
    QCOMPARE(bar->value(), bar->maximum());
    QTRY_VERIFY(!m_services->thumbnails.find({files.front(), {}, 320}).isNull());
    QVERIFY2(picturesReadHere() == before, "a picture was read on the window's thread");
}

void GalleryWallTest::framesOfTenThousandPicturesAreDrawnAtOnce() {
    constexpr int kMany = 10'000;
    constexpr qint64 kFrameUs = 16'000;
    constexpr qint64 kLongUs = 100'000;
    GalleryPage page(m_services->all());
    page.resize(1400, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model().set(linkedPictures(m_place.path("frames"), kMany));
    auto* grid = page.findChild<SectionGrid*>();
    const QSignalSpy loads(&m_services->thumbnails, &Thumbnails::ready);
    constexpr int kFrames = 200;
    constexpr int kWheel = 40; // pixels
    FrameTimes wheel;
    wheel.scroll(*grid, kWheel, kFrames);
    // What never came into view was not asked for.
    for (qsizetype before = -1; before != loads.size(); QTest::qWait(200)) before = loads.size();
    const int high = grid->visualRect(page.model().index(0)).height();
    const int lines = (kFrames * kWheel + grid->viewport()->height()) / high + 2;
    QVERIFY(loads.size() >= grid->columns());
    QVERIFY2(loads.size() <= lines * grid->columns(), qPrintable(QString::number(loads.size())));
    FrameTimes jumps;
    jumps.scroll(*grid, grid->verticalScrollBar()->maximum() / kFrames + 1, kFrames);
    QCOMPARE(grid->verticalScrollBar()->value(), grid->verticalScrollBar()->maximum());
    for (const auto& [name, times] : {std::pair{"by the wheel", &wheel}, std::pair{"in jumps", &jumps}}) {
        qInfo("%s: %s; %lld pictures read so far", name, qPrintable(times->report()),
              static_cast<long long>(loads.size()));
        QVERIFY2(partOf(times->computed, 0.5) <= kFrameUs, name);
        QVERIFY2(partOf(times->computed, 1.0) <= kLongUs, name);
    }
}

void GalleryWallTest::largeViewObeysItsKeys() {
    QDir().mkpath(m_place.path("large"));
    QStringList files;
    for (int i = 0; i < 3; ++i)
        files.append(writeTestPicture(m_place.path(u"large/%1.png"_s.arg(i)), i, {400, 300}));
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

void GalleryWallTest::whatIsInViewStaysInAnotherSize() {
    Wall wall(m_services->thumbnails, {30, 400});
    const QRect view = wall.grid.viewport()->rect();
    const auto sees = [&](int row) {
        return view.contains(wall.grid.visualRect(wall.model.index(row, 0)).center());
    };
    QVERIFY(sees(0)); // the first one is chosen
    wall.grid.scrollTo(wall.model.index(250, 0), QAbstractItemView::PositionAtCenter);
    QVERIFY(sees(250) && !sees(0));
    for (const int side : {60, 160}) {
        const int middle = wall.grid.indexAt({10, view.center().y()}).row();
        QVERIFY(middle > 200);
        wall.grid.setSide(side);
        QVERIFY2(sees(middle), qPrintable(QString::number(side)));
    }
    wall.grid.setCurrentIndex(wall.model.index(10, 0)); // what is chosen and in view goes first
    for (const int side : {60, 160}) {
        wall.grid.setSide(side);
        QVERIFY2(sees(10), qPrintable(QString::number(side)));
    }
}

void GalleryWallTest::whatIsInViewStaysWhenPicturesArriveOrGo() {
    GalleryPage page(m_services->all());
    QVERIFY(isShown(page, {1000, 700}));
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

void GalleryWallTest::aFilterKeepsChoiceAndPlace() {
    GalleryPage page(m_services->all());
    QVERIFY(isShown(page, {1000, 700}));
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

void GalleryWallTest::theNewestIsChosenAtTheFirstLook() {
    GalleryPage page(m_services->all());
    for (const int made : {1, 2, 3}) page.model().set(picturesDownFrom(made)); // out of sight
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.model().set(picturesDownFrom(4));
    const auto* grid = page.findChild<SectionGrid*>();
    QCOMPARE(page.model().at(grid->currentIndex().row()).id, int64_t{4});
    page.model().set(picturesDownFrom(5)); // in sight: what is looked at stays
    QCOMPARE(page.model().at(grid->currentIndex().row()).id, int64_t{4});
}

void GalleryWallTest::ofPicturesThatChangedNoOthersAreRead() {
    GalleryPage page(m_services->all());
    page.show();
    GalleryModel& model = page.model();
    const ItemRules tester(model);
    model.set(picturesDownFrom(400)); // the library has none of them
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const QString file = writeTestPicture(m_place.path("made.png"), 1, {64, 64});
    m_services->album.add(file, u"robot"_s, {});
    QTRY_COMPARE(model.rowCount(), 401);
    const core::PictureRecord made = model.at(0);
    QCOMPARE(QString::fromStdString(made.path), file);
    m_services->album.setFavourite({made.id}, true);
    QTRY_VERIFY(model.at(0).favourite);
    m_services->album.trash({made.id});
    QTRY_COMPARE(model.rowCount(), 400);
    m_services->undo.undo();
    QTRY_COMPARE(model.rowCount(), 401);
    QCOMPARE(model.at(0).id, made.id);
    m_services->album.add(file, u"another"_s, {}); // in its place
    QTRY_COMPARE(model.at(0).model, "another");
    QVERIFY(model.at(0).id != made.id);
    QCOMPARE(model.rowCount(), 401);
    QCOMPARE(resets.size(), 0);
    m_services->library.write(
        [id = model.at(0).id](core::Library& library) { return core::forgetPictures(library, {id}); });
}

void GalleryWallTest::behindAnotherPageNothingIsRead() {
    GalleryPage page(m_services->all());
    page.model().set(picturesDownFrom(400));
    QSignalSpy reloaded(&page.model(), &GalleryModel::reloaded);
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    m_services->album.add(writeTestPicture(m_place.path("behind.png"), 1, {64, 64}), u"robot"_s, {});
    QTRY_COMPARE(changed.size(), 1);
    waitForLibrary();
    QCOMPARE(reloaded.size(), 0);
    page.show();
    page.activated();
    QTRY_COMPARE(page.model().rowCount(), 1); // all that the library has
    m_services->library.write(
        [id = page.model().at(0).id](core::Library& library) { return core::forgetPictures(library, {id}); });
}

void GalleryWallTest::filesAreLookedAtWhereSomethingHappened() {
    std::vector<core::PictureRecord> pictures = picturesDownFrom(2);
    QStringList folders;
    for (core::PictureRecord& one : pictures) {
        folders.append(m_place.path(u"looked at %1"_s.arg(one.id)));
        QDir().mkpath(folders.back());
        one.path = folders.back().toStdString() + "/1.png";
    }
    GalleryModel model(m_services->all());
    model.set(pictures);
    QTRY_VERIFY(model.gone(0) && model.gone(1));
    for (const QString& folder : folders) writeTestPicture(folder + u"/1.png"_s, 1, {64, 64});
    model.lookAtFilesIn({folders[0]});
    QTRY_VERIFY(!model.gone(0));
    QVERIFY(model.gone(1));
    model.lookAtFilesIn({});
    QTRY_VERIFY(!model.gone(1));
    QVERIFY(QFile::remove(folders[1] + u"/1.png"_s));
    QStringList others; // each would be compared with each picture in the window
    for (int day = 0; day < 365; ++day) others.append(m_place.path(u"day %1"_s.arg(day)));
    model.lookAtFilesIn(others);
    QTRY_VERIFY(model.gone(1));
}

void GalleryWallTest::afterMidnightNothingOfYesterdayIsOfToday() {
    GalleryPage page(m_services->all());
    auto* days = page.model().findChild<DayWatch*>();
    QVERIFY(days != nullptr);
    const QDate day(2026, 11, 21);
    days->setCalendar([day] { return day; });
    page.model().set({picture(2, QDateTime(day.addDays(1), QTime(1, 0))), // the clock was wrong
                      picture(1, QDateTime(day, QTime(23, 0)))});
    QCOMPARE(page.model().at(0).id, int64_t{1});
    QStringList shown;
    page.findChild<SectionGrid*>()->setSections([&page, &shown] {
        const std::vector<GridSection> sections = page.model().sections();
        shown.clear();
        for (const GridSection& section : sections) shown.append(section.title);
        return sections;
    });
    QCOMPARE(shown, (QStringList{u"Today"_s, u"Dated in the future"_s}));
    days->setCalendar([day] { return day.addDays(1); }); // the window stays open over midnight
    QCOMPARE(page.model().at(0).id, int64_t{2});
    QCOMPARE(shown, (QStringList{u"Today"_s, u"Yesterday"_s}));
}

void GalleryWallTest::whatIsEnlargedSaysHowItWasMade() {
    GalleryPage page(m_services->all());
    core::PictureRecord made = picture(1, QDateTime::currentDateTime());
    made.path = writeTestPicture(m_place.path(u"made.png"_s), 1, {64, 48}).toStdString();
    made.widthPixels = 64;
    made.heightPixels = 48;
    page.model().set({made});
    page.choose(QString::fromStdString(made.path));
    QSignalSpy wanted(&page, &GalleryPage::enlargeWanted);
    buttonNamed(page, u"Enlarge"_s)->click();
    QCOMPARE(wanted.size(), 0);
    QVERIFY(page.messages().currentText().contains(u"does not say how it was made"_s));
    made.parameters = "a toy\nSteps: 20, Size: 64x48, Seed: 5";
    made.modelPath = "/models/toy";
    page.model().set({made});
    page.choose(QString::fromStdString(made.path));
    buttonNamed(page, u"Enlarge"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toString(), QString::fromStdString(made.path));
    QCOMPARE(wanted[0][1].toSize(), QSize(64, 48));
    QCOMPARE(wanted[0][2].toString(), QString::fromStdString(made.parameters));
    QCOMPARE(wanted[0][3].toString(), QString::fromStdString(made.modelPath));
}

HOMEBOOTH_APP_TEST_MAIN(GalleryWallTest)
#include "tst_gallery_wall.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done with all captions of a dataset at once: figures of them, and replacing words in them. Neither
// holds the window.
#include "app/library/background.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/datasets/figures/dataset_figures.h"
#include "app/pages/datasets/figures/figures_model.h"
#include "app/pages/datasets/figures/figures_view.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/shell/main_window.h"
#include "app/theme/colours.h"
#include "app/theme/metrics.h"
#include "core/base/config/training_size.h"
#include "dataset_fixture.h"
#include "item_rules.h"
#include "layout_checks.h"
#include "loop_watch.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTableView>

using namespace homebooth;
using namespace homebooth::app;

class DatasetFiguresTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup();
    void sizesWordsTagsAndProblemsAreCounted();
    void shapesAreThoseOfTheEngine();
    void theTableKeepsTheRules();
    void figuresOfWhatIsShownAreReadByKeys();
    void withoutFiguresThereIsAWord();
    void theFormOfATrainingSaysAtWhichSize();
    void picturesThatAreChosenAreCaptionedTogether();
    void aSmallWindowIsFilled();
    void barsAreSeenInEveryLook_data();
    void barsAreSeenInEveryLook();
    void tagsWithPercentSignsStayAsTheyAre();
    void aCaptionThatIsTypedMeanwhileIsReplacedToo();
    void wordsAreReplacedWhereTheyWereWanted();
    void aCaptionThatIsTypedBeforeAnotherFolderComesStays();
    void tenThousandCaptionsAreOneStep();
    void tenThousandCaptionsStopNoFrame();

private:
    [[nodiscard]] static std::vector<DatasetItem> fiveItems();
    /// A folder of kMany pictures that are not there, with captions.
    [[nodiscard]] QString makeVast(const QString& name) const;
    /// Shows it, with words to find and to replace.
    static void openVast(DatasetsPage& page, const QString& folder);
    /// What stands in the table of figures, a row a line.
    [[nodiscard]] static QStringList rowsOf(const QAbstractItemModel& model);
};

namespace {

constexpr int kMany = 10'000;
constexpr LearnedSizes kKept{512, 64, core::FramingMode::Buckets};

DatasetItem itemOf(QSize size, const char* caption) {
    DatasetItem item;
    item.path = u"/birds/%1.png"_s.arg(QString::fromLatin1(caption));
    item.widthPixels = size.width();
    item.heightPixels = size.height();
    item.caption = QString::fromLatin1(caption);
    return item;
}

int captionsWith(const QAbstractItemModel& model, const char* word) {
    int count = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        count += model.index(row, 0).data().toString().contains(QLatin1String(word)) ? 1 : 0;
    return count;
}

QStringList wordsOf(const std::vector<Figure>& figures, FigureKind kind) {
    QStringList words;
    for (const Figure& figure : figures)
        if (figure.kind == kind)
            words.append(
                u"%1%2-%3: %4"_s.arg(figure.tag).arg(figure.first).arg(figure.last).arg(figure.pictures));
    return words;
}

} // namespace

void DatasetFiguresTest::cleanup() {
    m_services->settings.reset(keys::kDatasetView);
    end();
}

std::vector<DatasetItem> DatasetFiguresTest::fiveItems() {
    std::vector<DatasetItem> items{itemOf({300, 200}, "owl, snow"), itemOf({1000, 400}, "owl, branch"),
                                   itemOf({5000, 5000}, "a plain sentence of seven words here"),
                                   itemOf({0, 0}, "owl, snow"), itemOf({0, 0}, "")};
    items[3].problem = u"not there"_s;
    items[3].missing = true;
    items[4].problem = u"cut short"_s;
    return items;
}

QString DatasetFiguresTest::makeVast(const QString& name) const {
    QByteArray lines;
    for (int i = 0; i < kMany; ++i)
        lines += "{\"file_name\":\"" + QByteArray::number(i) + ".png\",\"text\":\"a red bird, snow, number " +
                 QByteArray::number(i) + "\"}\n";
    writeBytes(m_place.path(name) + u"/metadata.jsonl"_s, lines);
    return m_place.path(name);
}

QStringList DatasetFiguresTest::rowsOf(const QAbstractItemModel& model) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row)
        rows.append(model.index(row, FiguresModel::What).data().toString() + '|' +
                    model.index(row, FiguresModel::Pictures).data().toString() + '|' +
                    model.index(row, FiguresModel::Share).data().toString());
    return rows;
}

void DatasetFiguresTest::sizesWordsTagsAndProblemsAreCounted() {
    const std::vector<Figure> figures = countFigures(fiveItems(), kKept);
    QCOMPARE(wordsOf(figures, FigureKind::Side).join(' '),
             u"256-511: 1 512-767: 0 768-1023: 1 1024-1535: 0 1536-2047: 0 2048-3071: 0 "
             "3072-4095: 0 4096-0: 1"_s);
    QCOMPARE(wordsOf(figures, FigureKind::Words).join(' '), u"1-5: 3 6-10: 1"_s);
    QCOMPARE(wordsOf(figures, FigureKind::Tag).join(' '), u"owl0-0: 3 snow0-0: 2 branch0-0: 1"_s);
    for (const FigureKind kind : {FigureKind::Missing, FigureKind::Broken, FigureKind::NoCaption})
        QCOMPARE(wordsOf(figures, kind).join(' '), u"0-0: 1"_s);
    QVERIFY(countFigures({}, kKept).empty());
}

void DatasetFiguresTest::shapesAreThoseOfTheEngine() {
    QStringList expected;
    for (const core::PictureSize original : {core::PictureSize{1000, 400}, {300, 200}, {5000, 5000}}) {
        const core::PictureSize size =
            core::trainingSize(original, kKept.pixels, core::FramingMode::Buckets, kKept.step);
        expected.append(u"%1-%2: 1"_s.arg(size.widthPixels).arg(size.heightPixels));
    }
    QCOMPARE(wordsOf(countFigures(fiveItems(), kKept), FigureKind::Learned), expected); // the widest first
    LearnedSizes cropped = kKept;
    cropped.framing = core::FramingMode::Crop;
    QCOMPARE(wordsOf(countFigures(fiveItems(), cropped), FigureKind::Learned), expected);
    QVERIFY(expected.contains(u"512-512: 1"_s));
}

void DatasetFiguresTest::theTableKeepsTheRules() {
    FiguresModel model;
    const ItemRules tester(model);
    std::vector<Figure> figures = countFigures(fiveItems(), kKept);
    model.set(figures, 5, kKept);
    const QStringList rows = rowsOf(model);
    QCOMPARE(rows.mid(0, 2), (QStringList{u"Longer side||"_s, u"256 to 511 px|1|20 %"_s}));
    QVERIFY(rows.contains(u"Shapes at 512 px||"_s));
    QVERIFY(rows.contains(u"owl|3|60 %"_s));
    QCOMPARE(rows.last(), u"No caption|1|20 %"_s);
    QVERIFY(model.index(1, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(u"Longer side, 256 to 511 px: 1 "_s));
    QVERIFY(model.index(0, 0).data(FiguresModel::HeadingRole).toBool());
    QCOMPARE(model.index(1, 0).data(FiguresModel::BarRole).toDouble(), 0.2); // as long as its part of all
    QCOMPARE(model.index(2, 0).data(FiguresModel::BarRole).toDouble(), 0.0);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    figures.front().pictures = 2; // whoever reads a row stays at it
    model.set(figures, 6, kKept);
    QCOMPARE(rowsOf(model).at(1), u"256 to 511 px|2|33 %"_s);
    QCOMPARE(reset.size(), 0);
    LearnedSizes cropped = kKept;
    cropped.framing = core::FramingMode::Crop;
    model.set(figures, 500, cropped);
    QVERIFY(rowsOf(model).contains(u"Shapes at 512 px, if kept||"_s));
    QCOMPARE(rowsOf(model).at(1), u"256 to 511 px|2|< 1 %"_s);
    model.set({}, 0, kKept);
    QCOMPARE(model.rowCount(), 0);
}

void DatasetFiguresTest::figuresOfWhatIsShownAreReadByKeys() {
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.addFolder(makeFolder("counted"));
    buttonNamed(page, u"Figures"_s)->click();
    auto* view = page.findChild<FiguresView*>();
    QTRY_VERIFY(view->isVisible() && !page.findChild<ThumbnailGrid*>()->isVisible());
    QTRY_VERIFY(rowsOf(*view->model()).contains(u"snow|2|50 %"_s)); // of four
    view->setFocus();
    view->setCurrentIndex(view->model()->index(0, 0));
    QStringList read;
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        read.append(view->currentIndex().data(Qt::AccessibleTextRole).toString());
        QTest::keyClick(view, Qt::Key_Down);
    }
    QCOMPARE(read.removeDuplicates(), 0);
    QCOMPARE(read.filter(u"Missing: 1 "_s).size(), 1);
    QCOMPARE(read.filter(u"Broken: 1 "_s).size(), 1);
    auto* filter = fieldNamed(page, u"Filter captions by words"_s);
    filter->setText(u"robin"_s);
    QTRY_VERIFY(rowsOf(*view->model()).contains(u"snow|1|100 %"_s));
    DatasetsPage again(m_services->all());
    QVERIFY(buttonNamed(again, u"Figures"_s)->isChecked()); // as it was left
}

void DatasetFiguresTest::withoutFiguresThereIsAWord() {
    const QString folder = m_place.path("not filled yet");
    QDir().mkpath(folder);
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    buttonNamed(page, u"Figures"_s)->click();
    auto* view = page.findChild<FiguresView*>();
    QTRY_VERIFY(view->accessibleDescription().startsWith(u"Put pictures with captions"_s));
    QCOMPARE(view->model()->rowCount(), 0);
    page.addFolder(makeFolder("filled"));
    QTRY_VERIFY(view->model()->rowCount() > 0);
    QVERIFY(view->accessibleDescription().isEmpty());
    fieldNamed(page, u"Filter captions by words"_s)->setText(u"no such word"_s);
    QTRY_VERIFY(view->accessibleDescription().startsWith(u"Nothing matches"_s));
    QCOMPARE(view->model()->rowCount(), 0);
}

void DatasetFiguresTest::theFormOfATrainingSaysAtWhichSize() {
    m_services->models.refresh();
    MainWindow window(m_services->all());
    window.show();
    auto* page = static_cast<DatasetsPage*>(window.page(PageId::Datasets));
    page->addFolder(makeFolder("to be learned"));
    auto* view = page->findChild<FiguresView*>();
    QTRY_VERIFY(
        rowsOf(*view->model()).contains(u"Shapes at 128 px, if kept||"_s)); // as the built-in model does
    auto* expert = window.page(PageId::Train)->findChild<ExpertForm*>();
    expert->setChange(u"data.resolutionPixels"_s, u"256"_s);
    expert->setChange(u"data.framing"_s, u"buckets"_s);
    QTRY_VERIFY(rowsOf(*view->model()).contains(u"Shapes at 256 px||"_s));
    QVERIFY(rowsOf(*view->model()).contains(u"256 x 256|1|25 %"_s)); // b.png is square
}

void DatasetFiguresTest::picturesThatAreChosenAreCaptionedTogether() {
    const QString folder = m_place.path("bare");
    QDir().mkpath(folder);
    for (int i = 0; i < 3; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {64, 64});
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    buttonNamed(page, u"Pictures"_s)->click();
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 3);
    buttonNamed(page, u"Show"_s)->click();
    grid->selectAll();
    QVERIFY(shownTexts(page).contains(u"3 pictures chosen"_s));
    const int steps = m_services->undo.count();
    auto* caption = page.findChild<QPlainTextEdit*>();
    caption->setPlainText(u"a cat"_s);
    QCOMPARE(m_services->undo.count(), steps + 1);
    auto* tag = fieldNamed(page, u"Add a tag"_s);
    tag->setText(u"snow"_s);
    QTest::keyClick(tag, Qt::Key_Return);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    caption->setPlainText(u"an owl"_s);
    grid->selectAll();
    QVERIFY(!caption->isEnabled());                     // what is typed would take the place of both
    buttonNamed(page, u"Show all pictures"_s)->click(); // no problem is left
    QVERIFY(!buttonNamed(page, u"Problems"_s)->isChecked());
    QTRY_COMPARE(bytesOf(folder + u"/0.txt"_s), QByteArray("an owl"));
    QTRY_COMPARE(bytesOf(folder + u"/2.txt"_s), QByteArray("a cat, snow"));
    while (m_services->undo.undoText().startsWith(u"caption"_s)) m_services->undo.undo();
    QTRY_VERIFY(!QFile::exists(folder + u"/2.txt"_s));
}

void DatasetFiguresTest::aSmallWindowIsFilled() {
    constexpr int kMostBeside = 60; // a scroll bar, and less than a step for each picture of a line
    const QString folder = m_place.path("twelve");
    QDir().mkpath(folder);
    for (int i = 0; i < 12; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {64, 64});
    DatasetsPage page(m_services->all());
    page.resize(1100 - kSidebarWidth, 700);
    page.show();
    page.addFolder(folder);
    buttonNamed(page, u"Pictures"_s)->click();
    const auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 12);
    const auto placeOf = [grid](int row) { return grid->visualRect(grid->model()->index(row, 0)); };
    const auto beside = [grid, &placeOf] {
        int right = 0;
        for (int row = 0; row < 12; ++row)
            if (placeOf(row).top() == placeOf(0).top()) right = placeOf(row).right();
        return grid->width() - right;
    };
    QTRY_VERIFY2(beside() <= kMostBeside, qPrintable(QString::number(beside())));
    buttonNamed(page, u"Table"_s)->click();
    for (const auto* table : page.findChildren<QTableView*>())
        if (table->isVisible()) QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    buttonNamed(page, u"Pictures"_s)->click();
}

void DatasetFiguresTest::barsAreSeenInEveryLook_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("textSize");
    for (const bool dark : {false, true})
        for (const int size : {100, 200})
            QTest::addRow("%s, text of %d %%", dark ? "dark" : "light", size) << dark << size;
}

void DatasetFiguresTest::barsAreSeenInEveryLook() {
    constexpr int kLeastPixels = 100; // in the colour of bars
    QFETCH(bool, dark);
    QFETCH(int, textSize);
    m_services->theme.setScheme(dark ? ColourScheme::Dark : ColourScheme::Light);
    m_services->theme.setTextSize(textSize);
    DatasetsPage page(m_services->all());
    page.setCompact(textSize > 100);
    page.resize(1024 - kSidebarWidth, 700);
    page.show();
    page.addFolder(makeFolder("looked at"));
    auto* button = buttonNamed(page, u"Figures"_s);
    button->click();
    auto* view = page.findChild<FiguresView*>();
    QTRY_VERIFY(view->model()->rowCount() > 0);
    QTRY_COMPARE(view->horizontalScrollBar()->maximum(), 0); // nothing lies beside what is seen
    QCOMPARE(cutOff(button), QString());
    const Colours now = m_services->theme.colours();
    QVERIFY(contrast(now.outline, now.base) >= 3.0);
    const auto barPixels = [view, &now] {
        const QImage seen = view->viewport()->grab().toImage();
        int count = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = seen.width() / 2; x < seen.width(); ++x)
                count += seen.pixelColor(x, y).rgb() == now.outline.rgb() ? 1 : 0;
        return count;
    };
    QTRY_VERIFY2(barPixels() >= kLeastPixels, qPrintable(QString::number(barPixels())));
    m_services->theme.setTextSize(100);
    m_services->theme.setScheme(ColourScheme::Light);
}

void DatasetFiguresTest::tagsWithPercentSignsStayAsTheyAre() {
    const QString folder = makeFolder("percent");
    writeBytes(folder + u"/a.txt"_s, "great tit, 50%1 grey");
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    const auto* tags = page.findChild<QComboBox*>();
    const QString tag = u"50%1 grey"_s;
    QTRY_VERIFY(tags->findData(tag) > 0);
    QCOMPARE(tags->itemText(tags->findData(tag)), u"50%1 grey (1)"_s);
}

void DatasetFiguresTest::aCaptionThatIsTypedMeanwhileIsReplacedToo() {
    const QString folder = makeFolder("typed meanwhile");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    QSignalSpy replaced(&model, &DatasetModel::replaced);
    {
        const Blocked busy(workPool());
        model.replaceAll(u"snow"_s, u"ice"_s);
        QVERIFY(model.replacing());
        model.replaceAll(u"snow"_s, u"rain"_s); // one at a time
        model.setCaption(0, u"zebra, snow"_s);
    }
    QTRY_COMPARE(replaced.size(), 1);
    QVERIFY(!model.replacing());
    QCOMPARE(replaced.front().front().toInt(), 2);
    QCOMPARE(model.at(0).caption, u"zebra, ice"_s);
    QCOMPARE(model.at(1).caption, u"robin, ice, branch"_s);
    m_services->undo.undo();
    QCOMPARE(model.at(0).caption, u"zebra, snow"_s);
    QCOMPARE(model.at(1).caption, u"robin, Snow, branch"_s);
    m_services->undo.undo();
    QCOMPARE(model.at(0).caption, u"great tit, snow"_s);
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow"));
}

void DatasetFiguresTest::wordsAreReplacedWhereTheyWereWanted() {
    const QString first = makeFolder("wanted here");
    const QString second = makeFolder("looked at by then");
    DatasetModel model(m_services->undo);
    model.set(first, *readDataset(first));
    QSignalSpy elsewhere(&model, &DatasetModel::changedElsewhere);
    {
        const Blocked busy(workPool());
        model.replaceAll(u"branch"_s, u"roof"_s);
        model.set(second, *readDataset(second));
    }
    QTRY_COMPARE(bytesOf(first + u"/b.txt"_s), QByteArray("robin, Snow, roof"));
    QTRY_COMPARE(elsewhere.size(), 1);
    QCOMPARE(elsewhere.front().front().toString(), first);
    QCOMPARE(model.at(1).caption, u"robin, Snow, branch"_s);
    QCOMPARE(bytesOf(second + u"/b.txt"_s), QByteArray("robin, Snow, branch"));
}

void DatasetFiguresTest::aCaptionThatIsTypedBeforeAnotherFolderComesStays() {
    const QString first = makeFolder("typed here");
    const QString second = makeFolder("shown then");
    DatasetModel model(m_services->undo);
    model.set(first, *readDataset(first));
    QSignalSpy replaced(&model, &DatasetModel::replaced);
    {
        const Blocked busy(workPool());
        model.replaceAll(u"branch"_s, u"roof"_s);
        model.setCaption(1, u"robin on a branch"_s);
        model.set(second, *readDataset(second));
    }
    QTRY_COMPARE(replaced.size(), 1);
    QCOMPARE(replaced.front().front().toInt(), 0);
    QTRY_COMPARE(bytesOf(first + u"/b.txt"_s), QByteArray("robin on a branch"));
}

void DatasetFiguresTest::openVast(DatasetsPage& page, const QString& folder) {
    page.resize(1000, 640);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.addFolder(folder);
    QTRY_COMPARE(page.findChild<ThumbnailGrid*>()->model()->rowCount(), kMany);
    QTRY_VERIFY(page.findChild<QComboBox*>()->findData(u"snow"_s) > 0);
    fieldNamed(page, u"Find in captions"_s)->setText(u"snow"_s);
    fieldNamed(page, u"Replace in captions"_s)->setText(u"ice"_s);
}

void DatasetFiguresTest::tenThousandCaptionsAreOneStep() {
    const QString folder = makeVast(u"one step"_s);
    DatasetsPage page(m_services->all());
    openVast(page, folder);
    const auto* model = page.findChild<ThumbnailGrid*>()->model();
    auto* all = buttonNamed(page, u"Replace in all shown"_s);
    all->setFocus();
    {
        const Blocked busy(workPool()); // no other thread has time for it
        QTest::keyClick(all, Qt::Key_Space);
        QVERIFY(!all->isEnabled());
        QTest::qWait(400);
        QCOMPARE(captionsWith(*model, "snow"), kMany); // so nobody has done it
    }
    QTRY_VERIFY(all->isEnabled());
    QVERIFY(all->hasFocus()); // as before
    QCOMPARE(captionsWith(*model, "ice"), kMany);
    const QString file = folder + u"/metadata.jsonl"_s;
    QTRY_VERIFY(!bytesOf(file).contains("snow"));
    m_services->undo.undo();
    QCOMPARE(captionsWith(*model, "snow"), kMany);
    QTRY_VERIFY(!bytesOf(file).contains("ice"));
}

void DatasetFiguresTest::tenThousandCaptionsStopNoFrame() {
    const QString folder = makeVast(u"no frame"_s);
    DatasetsPage page(m_services->all());
    openVast(page, folder);
    const auto* tags = page.findChild<QComboBox*>();
    LoopWatch watch;
    buttonNamed(page, u"Replace in all shown"_s)->click();
    QTRY_VERIFY(tags->findData(u"ice"_s) > 0);
    QTRY_VERIFY(!bytesOf(folder + u"/metadata.jsonl"_s).contains("snow"));
    QTest::qWait(500); // the folder is read again
    qInfo("words of ten thousand captions are replaced: %s", qPrintable(watch.report()));
    QVERIFY2(watch.worstHeldMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
}

HOMEBOOTH_APP_TEST_MAIN(DatasetFiguresTest)
#include "tst_dataset_figures.moc"

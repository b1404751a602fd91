// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done with all captions of a dataset at once: figures of them, and replacing words in them. Neither
// holds the window.
#include "app/library/background.h"
#include "app/pages/datasets/dataset_figures.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/datasets/figures_model.h"
#include "app/pages/datasets/figures_view.h"
#include "app/pages/train/expert_form.h"
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
    item.path = QStringLiteral("/birds/%1.png").arg(QString::fromLatin1(caption));
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
            words.append(QStringLiteral("%1%2-%3: %4")
                             .arg(figure.tag)
                             .arg(figure.first)
                             .arg(figure.last)
                             .arg(figure.pictures));
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
    items[3].problem = QStringLiteral("not there");
    items[3].missing = true;
    items[4].problem = QStringLiteral("cut short");
    return items;
}

QString DatasetFiguresTest::makeVast(const QString& name) const {
    QByteArray lines;
    for (int i = 0; i < kMany; ++i)
        lines += "{\"file_name\":\"" + QByteArray::number(i) + ".png\",\"text\":\"a red bird, snow, number " +
                 QByteArray::number(i) + "\"}\n";
    writeBytes(m_place.path(name) + QStringLiteral("/metadata.jsonl"), lines);
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
             QStringLiteral("256-511: 1 512-767: 0 768-1023: 1 1024-1535: 0 1536-2047: 0 2048-3071: 0 "
                            "3072-4095: 0 4096-0: 1"));
    QCOMPARE(wordsOf(figures, FigureKind::Words).join(' '), QStringLiteral("1-5: 3 6-10: 1"));
    QCOMPARE(wordsOf(figures, FigureKind::Tag).join(' '),
             QStringLiteral("owl0-0: 3 snow0-0: 2 branch0-0: 1"));
    for (const FigureKind kind : {FigureKind::Missing, FigureKind::Broken, FigureKind::NoCaption})
        QCOMPARE(wordsOf(figures, kind).join(' '), QStringLiteral("0-0: 1"));
    QVERIFY(countFigures({}, kKept).empty());
}

void DatasetFiguresTest::shapesAreThoseOfTheEngine() {
    QStringList expected;
    for (const core::PictureSize original : {core::PictureSize{1000, 400}, {300, 200}, {5000, 5000}}) {
        const core::PictureSize size =
            core::trainingSize(original, kKept.pixels, core::FramingMode::Buckets, kKept.step);
        expected.append(QStringLiteral("%1-%2: 1").arg(size.widthPixels).arg(size.heightPixels));
    }
    QCOMPARE(wordsOf(countFigures(fiveItems(), kKept), FigureKind::Learned), expected); // the widest first
    LearnedSizes cropped = kKept;
    cropped.framing = core::FramingMode::Crop;
    QCOMPARE(wordsOf(countFigures(fiveItems(), cropped), FigureKind::Learned), expected);
    QVERIFY(expected.contains(QStringLiteral("512-512: 1")));
}

void DatasetFiguresTest::theTableKeepsTheRules() {
    FiguresModel model;
    const ItemRules tester(model);
    std::vector<Figure> figures = countFigures(fiveItems(), kKept);
    model.set(figures, 5, kKept);
    const QStringList rows = rowsOf(model);
    QCOMPARE(rows.mid(0, 2),
             (QStringList{QStringLiteral("Longer side||"), QStringLiteral("256 to 511 px|1|20 %")}));
    QVERIFY(rows.contains(QStringLiteral("Shapes at 512 px||")));
    QVERIFY(rows.contains(QStringLiteral("owl|3|60 %")));
    QCOMPARE(rows.last(), QStringLiteral("No caption|1|20 %"));
    QVERIFY(model.index(1, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("Longer side, 256 to 511 px: 1 ")));
    QVERIFY(model.index(0, 0).data(FiguresModel::HeadingRole).toBool());
    QCOMPARE(model.index(1, 0).data(FiguresModel::BarRole).toDouble(), 0.2); // as long as its part of all
    QCOMPARE(model.index(2, 0).data(FiguresModel::BarRole).toDouble(), 0.0);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    figures.front().pictures = 2; // whoever reads a row stays at it
    model.set(figures, 6, kKept);
    QCOMPARE(rowsOf(model).at(1), QStringLiteral("256 to 511 px|2|33 %"));
    QCOMPARE(reset.size(), 0);
    LearnedSizes cropped = kKept;
    cropped.framing = core::FramingMode::Crop;
    model.set(figures, 500, cropped);
    QVERIFY(rowsOf(model).contains(QStringLiteral("Shapes at 512 px, if kept||")));
    QCOMPARE(rowsOf(model).at(1), QStringLiteral("256 to 511 px|2|< 1 %"));
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
    buttonNamed(page, QStringLiteral("Figures"))->click();
    auto* view = page.findChild<FiguresView*>();
    QTRY_VERIFY(view->isVisible() && !page.findChild<ThumbnailGrid*>()->isVisible());
    QTRY_VERIFY(rowsOf(*view->model()).contains(QStringLiteral("snow|2|50 %"))); // of four
    view->setFocus();
    view->setCurrentIndex(view->model()->index(0, 0));
    QStringList read;
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        read.append(view->currentIndex().data(Qt::AccessibleTextRole).toString());
        QTest::keyClick(view, Qt::Key_Down);
    }
    QCOMPARE(read.removeDuplicates(), 0);
    QCOMPARE(read.filter(QStringLiteral("Missing: 1 ")).size(), 1);
    QCOMPARE(read.filter(QStringLiteral("Broken: 1 ")).size(), 1);
    auto* filter = fieldNamed(page, QStringLiteral("Filter captions by words"));
    filter->setText(QStringLiteral("robin"));
    QTRY_VERIFY(rowsOf(*view->model()).contains(QStringLiteral("snow|1|100 %")));
    DatasetsPage again(m_services->all());
    QVERIFY(buttonNamed(again, QStringLiteral("Figures"))->isChecked()); // as it was left
}

void DatasetFiguresTest::withoutFiguresThereIsAWord() {
    const QString folder = m_place.path("not filled yet");
    QDir().mkpath(folder);
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    buttonNamed(page, QStringLiteral("Figures"))->click();
    auto* view = page.findChild<FiguresView*>();
    QTRY_VERIFY(view->accessibleDescription().startsWith(QStringLiteral("Put pictures with captions")));
    QCOMPARE(view->model()->rowCount(), 0);
    page.addFolder(makeFolder("filled"));
    QTRY_VERIFY(view->model()->rowCount() > 0);
    QVERIFY(view->accessibleDescription().isEmpty());
    fieldNamed(page, QStringLiteral("Filter captions by words"))->setText(QStringLiteral("no such word"));
    QTRY_VERIFY(view->accessibleDescription().startsWith(QStringLiteral("Nothing matches")));
    QCOMPARE(view->model()->rowCount(), 0);
}

void DatasetFiguresTest::theFormOfATrainingSaysAtWhichSize() {
    m_services->models.refresh();
    MainWindow window(m_services->all());
    window.show();
    auto* page = static_cast<DatasetsPage*>(window.page(PageId::Datasets));
    page->addFolder(makeFolder("to be learned"));
    auto* view = page->findChild<FiguresView*>();
    QTRY_VERIFY(rowsOf(*view->model())
                    .contains(QStringLiteral("Shapes at 128 px, if kept||"))); // as the built-in model does
    auto* expert = window.page(PageId::Train)->findChild<ExpertForm*>();
    expert->setChange(QStringLiteral("data.resolutionPixels"), QStringLiteral("256"));
    expert->setChange(QStringLiteral("data.framing"), QStringLiteral("buckets"));
    QTRY_VERIFY(rowsOf(*view->model()).contains(QStringLiteral("Shapes at 256 px||")));
    QVERIFY(rowsOf(*view->model()).contains(QStringLiteral("256 x 256|1|25 %"))); // b.png is square
}

void DatasetFiguresTest::picturesThatAreChosenAreCaptionedTogether() {
    const QString folder = m_place.path("bare");
    QDir().mkpath(folder);
    for (int i = 0; i < 3; ++i) writeTestPicture(folder + QStringLiteral("/%1.png").arg(i), i, {64, 64});
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    buttonNamed(page, QStringLiteral("Pictures"))->click();
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 3);
    buttonNamed(page, QStringLiteral("Show"))->click();
    grid->selectAll();
    QVERIFY(shownTexts(page).contains(QStringLiteral("3 pictures chosen")));
    const int steps = m_services->undo.count();
    auto* caption = page.findChild<QPlainTextEdit*>();
    caption->setPlainText(QStringLiteral("a cat"));
    QCOMPARE(m_services->undo.count(), steps + 1);
    auto* tag = fieldNamed(page, QStringLiteral("Add a tag"));
    tag->setText(QStringLiteral("snow"));
    QTest::keyClick(tag, Qt::Key_Return);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    caption->setPlainText(QStringLiteral("an owl"));
    grid->selectAll();
    QVERIFY(!caption->isEnabled()); // what is typed would take the place of both
    buttonNamed(page, QStringLiteral("Show all pictures"))->click(); // no problem is left
    QVERIFY(!buttonNamed(page, QStringLiteral("Problems"))->isChecked());
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/0.txt")), QByteArray("an owl"));
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/2.txt")), QByteArray("a cat, snow"));
    while (m_services->undo.undoText().startsWith(QStringLiteral("caption"))) m_services->undo.undo();
    QTRY_VERIFY(!QFile::exists(folder + QStringLiteral("/2.txt")));
}

void DatasetFiguresTest::aSmallWindowIsFilled() {
    constexpr int kMostBeside = 60; // a scroll bar, and less than a step for each picture of a line
    const QString folder = m_place.path("twelve");
    QDir().mkpath(folder);
    for (int i = 0; i < 12; ++i) writeTestPicture(folder + QStringLiteral("/%1.png").arg(i), i, {64, 64});
    DatasetsPage page(m_services->all());
    page.resize(1100 - kSidebarWidth, 700);
    page.show();
    page.addFolder(folder);
    buttonNamed(page, QStringLiteral("Pictures"))->click();
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
    buttonNamed(page, QStringLiteral("Table"))->click();
    for (const auto* table : page.findChildren<QTableView*>())
        if (table->isVisible()) QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    buttonNamed(page, QStringLiteral("Pictures"))->click();
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
    auto* button = buttonNamed(page, QStringLiteral("Figures"));
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
    writeBytes(folder + QStringLiteral("/a.txt"), "great tit, 50%1 grey");
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    const auto* tags = page.findChild<QComboBox*>();
    const QString tag = QStringLiteral("50%1 grey");
    QTRY_VERIFY(tags->findData(tag) > 0);
    QCOMPARE(tags->itemText(tags->findData(tag)), QStringLiteral("50%1 grey (1)"));
}

void DatasetFiguresTest::aCaptionThatIsTypedMeanwhileIsReplacedToo() {
    const QString folder = makeFolder("typed meanwhile");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    QSignalSpy replaced(&model, &DatasetModel::replaced);
    {
        const Blocked busy(workPool());
        model.replaceAll(QStringLiteral("snow"), QStringLiteral("ice"));
        QVERIFY(model.replacing());
        model.replaceAll(QStringLiteral("snow"), QStringLiteral("rain")); // one at a time
        model.setCaption(0, QStringLiteral("zebra, snow"));
    }
    QTRY_COMPARE(replaced.size(), 1);
    QVERIFY(!model.replacing());
    QCOMPARE(replaced.front().front().toInt(), 2);
    QCOMPARE(model.at(0).caption, QStringLiteral("zebra, ice"));
    QCOMPARE(model.at(1).caption, QStringLiteral("robin, ice, branch"));
    m_services->undo.undo();
    QCOMPARE(model.at(0).caption, QStringLiteral("zebra, snow"));
    QCOMPARE(model.at(1).caption, QStringLiteral("robin, Snow, branch"));
    m_services->undo.undo();
    QCOMPARE(model.at(0).caption, QStringLiteral("great tit, snow"));
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("great tit, snow"));
}

void DatasetFiguresTest::wordsAreReplacedWhereTheyWereWanted() {
    const QString first = makeFolder("wanted here");
    const QString second = makeFolder("looked at by then");
    DatasetModel model(m_services->undo);
    model.set(first, *readDataset(first));
    QSignalSpy elsewhere(&model, &DatasetModel::changedElsewhere);
    {
        const Blocked busy(workPool());
        model.replaceAll(QStringLiteral("branch"), QStringLiteral("roof"));
        model.set(second, *readDataset(second));
    }
    QTRY_COMPARE(bytesOf(first + QStringLiteral("/b.txt")), QByteArray("robin, Snow, roof"));
    QTRY_COMPARE(elsewhere.size(), 1);
    QCOMPARE(elsewhere.front().front().toString(), first);
    QCOMPARE(model.at(1).caption, QStringLiteral("robin, Snow, branch"));
    QCOMPARE(bytesOf(second + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch"));
}

void DatasetFiguresTest::aCaptionThatIsTypedBeforeAnotherFolderComesStays() {
    const QString first = makeFolder("typed here");
    const QString second = makeFolder("shown then");
    DatasetModel model(m_services->undo);
    model.set(first, *readDataset(first));
    QSignalSpy replaced(&model, &DatasetModel::replaced);
    {
        const Blocked busy(workPool());
        model.replaceAll(QStringLiteral("branch"), QStringLiteral("roof"));
        model.setCaption(1, QStringLiteral("robin on a branch"));
        model.set(second, *readDataset(second));
    }
    QTRY_COMPARE(replaced.size(), 1);
    QCOMPARE(replaced.front().front().toInt(), 0);
    QTRY_COMPARE(bytesOf(first + QStringLiteral("/b.txt")), QByteArray("robin on a branch"));
}

void DatasetFiguresTest::openVast(DatasetsPage& page, const QString& folder) {
    page.resize(1000, 640);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.addFolder(folder);
    QTRY_COMPARE(page.findChild<ThumbnailGrid*>()->model()->rowCount(), kMany);
    QTRY_VERIFY(page.findChild<QComboBox*>()->findData(QStringLiteral("snow")) > 0);
    fieldNamed(page, QStringLiteral("Find in captions"))->setText(QStringLiteral("snow"));
    fieldNamed(page, QStringLiteral("Replace in captions"))->setText(QStringLiteral("ice"));
}

void DatasetFiguresTest::tenThousandCaptionsAreOneStep() {
    const QString folder = makeVast(QStringLiteral("one step"));
    DatasetsPage page(m_services->all());
    openVast(page, folder);
    const auto* model = page.findChild<ThumbnailGrid*>()->model();
    auto* all = buttonNamed(page, QStringLiteral("Replace in all shown"));
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
    const QString file = folder + QStringLiteral("/metadata.jsonl");
    QTRY_VERIFY(!bytesOf(file).contains("snow"));
    m_services->undo.undo();
    QCOMPARE(captionsWith(*model, "snow"), kMany);
    QTRY_VERIFY(!bytesOf(file).contains("ice"));
}

void DatasetFiguresTest::tenThousandCaptionsStopNoFrame() {
    const QString folder = makeVast(QStringLiteral("no frame"));
    DatasetsPage page(m_services->all());
    openVast(page, folder);
    const auto* tags = page.findChild<QComboBox*>();
    LoopWatch watch;
    buttonNamed(page, QStringLiteral("Replace in all shown"))->click();
    QTRY_VERIFY(tags->findData(QStringLiteral("ice")) > 0);
    QTRY_VERIFY(!bytesOf(folder + QStringLiteral("/metadata.jsonl")).contains("snow"));
    QTest::qWait(500); // the folder is read again
    qInfo("words of ten thousand captions are replaced: %s", qPrintable(watch.report()));
    QVERIFY2(watch.worstHeldMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
}

HOMEBOOTH_APP_TEST_MAIN(DatasetFiguresTest)
#include "tst_dataset_figures.moc"

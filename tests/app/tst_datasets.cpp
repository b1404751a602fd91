// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Datasets: tags, shapes, what is broken or missing and how it is mended, import with copying.
#include "app/pages/datasets/caption_panel.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/pages/datasets/dataset_table.h"
#include "app/pages/datasets/datasets_page.h"
#include "app_files.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QTableView>

using namespace homebooth;
using namespace homebooth::app;

class DatasetsTest : public QObject {
    Q_OBJECT
public:
    explicit DatasetsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void cleanup() { m_services.reset(); }
    void tagsAreThePartsBetweenCommas();
    void countsShapesSizesAndWords();
    void showsWhatIsBrokenOrMissing();
    void findsMissingPicturesByName();
    void leavesOutWhatCannotBeMended();
    void copiesAWholeDataset();
    void modelFiltersByTagAndShape();
    void pageEditsTagsAndOffersRepair();
    void tableSortsByItsColumns_data();
    void tableSortsByItsColumns();
    void tableAndPicturesShowTheSameOne();
    void otherKeysAndLinesOfMetadataSurvive();
    void theListOfTextsKeepsItsOthers();
    void picturesInFoldersFurtherDownAreShown();
    void aPictureWithoutALineGetsOne();
    void whatIsNotUnderstoodIsNeverWrittenOver_data();
    void whatIsNotUnderstoodIsNeverWrittenOver();
    void aCaptionThatCannotBeReadIsNeverWrittenOver();
    void aFailedWriteIsSaidAndShown();
    void undoShowsTheDatasetThatItChanges();
    void whatOtherProgramsDoToTheFolderIsFollowed();
    void aFolderThatGoesAndComesBackIsTold();
    void whatIsTypedWinsOverAReadingThatIsOlder();
    void brokenPicturesAreMendedByWholeCopies();
    void takingADatasetOffTheListHasAWayBack();
    void theListKeepsTheRules();

private:
    /// A folder with two whole pictures, a broken one and a caption without its picture.
    QString makeFolder(const QString& name);
    /// A folder with a.png and deep/b.png, and these lines as its metadata.jsonl.
    QString makeListed(const QString& name, const QByteArray& lines);
    static std::vector<DatasetItem> threeItems();
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

QString DatasetsTest::makeFolder(const QString& name) {
    const QString folder = m_place.path(name);
    QDir(folder).removeRecursively();
    QDir().mkpath(folder);
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {300, 200});
    writeBytes(folder + QStringLiteral("/a.txt"), "great tit, snow");
    writeTestPicture(folder + QStringLiteral("/b.png"), 2, {128, 128});
    writeBytes(folder + QStringLiteral("/b.txt"), "robin, Snow, branch");
    writeBytes(folder + QStringLiteral("/broken.jpg"), "no picture");
    writeBytes(folder + QStringLiteral("/gone.txt"), "a lost owl");
    return folder;
}

void DatasetsTest::tagsAreThePartsBetweenCommas() {
    QCOMPARE(
        tagsOf(QStringLiteral("great tit , snow,,SNOW, on a branch")),
        (QStringList{QStringLiteral("great tit"), QStringLiteral("snow"), QStringLiteral("on a branch")}));
    QVERIFY(tagsOf(QStringLiteral("a great tit on a branch")).isEmpty());
    QCOMPARE(withTag(QStringLiteral("great tit"), QStringLiteral("snow")), QStringLiteral("great tit, snow"));
    QCOMPARE(withTag(QStringLiteral("tit, snow"), QStringLiteral(" Snow ")), QStringLiteral("tit, snow"));
    QCOMPARE(withTag(QString(), QStringLiteral("a,b")), QStringLiteral("ab"));
    QCOMPARE(withoutTag(QStringLiteral("tit, snow, old"), QStringLiteral("SNOW")),
             QStringLiteral("tit, old"));
    QCOMPARE(withoutTag(QStringLiteral("a plain sentence"), QStringLiteral("plain")),
             QStringLiteral("a plain sentence"));
}

void DatasetsTest::countsShapesSizesAndWords() {
    std::vector<DatasetItem> items(4);
    const QSize sizes[] = {{1024, 1024}, {900, 600}, {600, 900}, {0, 0}};
    for (size_t i = 0; i < items.size(); ++i) {
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = QStringLiteral("one two three, tag");
    }
    items[3].caption.clear();
    const DatasetFigures figures = figuresOf(items);
    QStringList shapes;
    for (const auto& [shape, count] : figures.shapes) shapes.append(shape + '=' + QString::number(count));
    QCOMPARE(shapes,
             (QStringList{QStringLiteral("3:2=1"), QStringLiteral("1:1=1"), QStringLiteral("2:3=1")}));
    QCOMPARE(figures.leastSide, 600);
    QCOMPARE(figures.mostWords, 4);
    QCOMPARE(figures.tags.front().second, 3);
    QCOMPARE(shapeOf(items[3]), QString());
}

void DatasetsTest::showsWhatIsBrokenOrMissing() {
    const auto items = readDataset(makeFolder(QStringLiteral("birds")));
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{4});
    QVERIFY((*items)[0].problem.isEmpty());
    QVERIFY(!(*items)[2].problem.isEmpty() && !(*items)[2].missing);
    QVERIFY((*items)[3].missing);
    QCOMPARE((*items)[3].caption, QStringLiteral("a lost owl"));
    const QString named = m_place.path(QStringLiteral("named"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    writeBytes(
        named + QStringLiteral("/metadata.jsonl"),
        "{\"file_name\":\"here.png\",\"text\":\"one\"}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    const auto listed = readDataset(named);
    QCOMPARE(listed->size(), size_t{2});
    QVERIFY((*listed)[1].missing);
    QCOMPARE((*listed)[1].caption, QStringLiteral("two"));
}

void DatasetsTest::findsMissingPicturesByName() {
    const QString folder = makeFolder(QStringLiteral("seeking"));
    const QString elsewhere = m_place.path(QStringLiteral("elsewhere/deep"));
    QDir().mkpath(elsewhere);
    writeBytes(elsewhere + QStringLiteral("/gone.doc"), "no picture");
    writeTestPicture(elsewhere + QStringLiteral("/gone.jpg"), 5, {90, 90});
    QCOMPARE(findMissing(folder, *readDataset(folder), m_place.path(QStringLiteral("elsewhere"))), 1);
    QVERIFY(QFile::exists(folder + QStringLiteral("/gone.jpg")));
    const auto items = readDataset(folder);
    QCOMPARE(
        std::count_if(items->begin(), items->end(), [](const DatasetItem& item) { return item.missing; }), 0);
    QCOMPARE(findMissing(folder, *items, m_place.path(QStringLiteral("elsewhere"))), 0);
}

void DatasetsTest::leavesOutWhatCannotBeMended() {
    const QString folder = makeFolder(QStringLiteral("mended"));
    writeBytes(folder + QStringLiteral("/broken.txt"), "a broken one");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files),
             (QStringList{QStringLiteral("broken.jpg"), QStringLiteral("broken.txt"),
                          QStringLiteral("gone.txt")}));
    const QString named = m_place.path(QStringLiteral("lines"));
    QDir().mkpath(named);
    writeTestPicture(named + QStringLiteral("/here.png"), 1, {64, 64});
    writeBytes(named + QStringLiteral("/metadata.jsonl"),
               "{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":"
               "1}\n{\"file_name\":\"gone.png\",\"text\":\"two\"}\n");
    QVERIFY(leaveOutProblems(named, *readDataset(named)));
    QCOMPARE(bytesOf(named + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"here.png\",\"text\":\"one\",\"more\":1}\n"));
}

void DatasetsTest::copiesAWholeDataset() {
    const QString folder = makeFolder(QStringLiteral("original"));
    const QString copy = m_place.path(QStringLiteral("copies/original"));
    QVERIFY(copyDataset(folder, copy));
    QCOMPARE(bytesOf(copy + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch"));
    QCOMPARE(readDataset(copy)->size(), size_t{3}); // what is missing cannot be copied
    QVERIFY(!copyDataset(folder, copy));            // never over what is there
    QVERIFY(QFile::exists(folder + QStringLiteral("/a.png")));
}

void DatasetsTest::modelFiltersByTagAndShape() {
    DatasetModel model(m_services->undo);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QString folder = makeFolder(QStringLiteral("filtered"));
    model.set(folder, *readDataset(folder));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.broken(), 1);
    QCOMPARE(model.missing(), 1);
    model.setFilter({{}, QStringLiteral("snow"), {}, false});
    QCOMPARE(model.rowCount(), 2);
    model.setFilter({QStringLiteral("robin"), QStringLiteral("snow"), {}, false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, QStringLiteral("3:2"), false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, {}, true});
    QCOMPARE(model.rowCount(), 2);
}

void DatasetsTest::pageEditsTagsAndOffersRepair() {
    const QString folder = makeFolder(QStringLiteral("on page"));
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.addFolder(folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 4);
    QVERIFY(!page.mainButton()->isEnabled()); // something is broken
    grid->setCurrentIndex(grid->model()->index(0, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->toPlainText(), QStringLiteral("great tit, snow"));
    for (auto* field : page.findChildren<QLineEdit*>())
        if (field->accessibleName() == QStringLiteral("Add a tag")) {
            field->setText(QStringLiteral("winter"));
            QTest::keyClick(field, Qt::Key_Return);
        }
    QCOMPARE(caption->toPlainText(), QStringLiteral("great tit, snow, winter"));
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("great tit, snow, winter"));
    m_services->undo.undo();
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("great tit, snow"));
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Leave out")) {
            QVERIFY(button->isVisible());
            button->click();
        }
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QVERIFY(page.mainButton()->isEnabled());
    QTRY_VERIFY(page.findChild<QComboBox*>()->findData(QStringLiteral("snow")) > 0);
}

void DatasetsTest::tableSortsByItsColumns_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("down");
    QTest::addColumn<QString>("files");
    QTest::newRow("file, as people count") << int(DatasetTable::File) << false << "2.png 3.png 10.png";
    QTest::newRow("file, down") << int(DatasetTable::File) << true << "10.png 3.png 2.png";
    QTest::newRow("size") << int(DatasetTable::Size) << false << "3.png 2.png 10.png";
    QTest::newRow("words") << int(DatasetTable::Words) << true << "3.png 10.png 2.png";
    QTest::newRow("tags") << int(DatasetTable::Tags) << false << "3.png 2.png 10.png";
    QTest::newRow("caption") << int(DatasetTable::Caption) << false << "3.png 2.png 10.png";
}

std::vector<DatasetItem> DatasetsTest::threeItems() {
    std::vector<DatasetItem> items(3);
    const QString names[] = {"10.png", "2.png", "3.png"};
    const QSize sizes[] = {{900, 900}, {800, 1000}, {64, 64}};
    const QString captions[] = {"owl, snow", "bear", "a b c"};
    for (size_t i = 0; i < items.size(); ++i) {
        items[i].path = QStringLiteral("/birds/") + names[i];
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = captions[i];
    }
    items[1].caption = QStringLiteral("bear,");
    return items;
}

void DatasetsTest::tableSortsByItsColumns() {
    QFETCH(int, column);
    QFETCH(bool, down);
    DatasetModel model(m_services->undo);
    DatasetTable table(model);
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set(QStringLiteral("/birds"), threeItems());
    const QPersistentModelIndex kept = table.index(table.rowOf(1), DatasetTable::File);
    table.sort(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    QStringList files;
    for (int row = 0; row < table.rowCount(); ++row)
        files.append(table.index(row, DatasetTable::File).data().toString());
    QTEST(files.join(' '), "files");
    QCOMPARE(kept.data().toString(), QStringLiteral("2.png"));
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Size).data().toString(), QStringLiteral("900 x 900"));
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Words).data().toString(), QStringLiteral("2"));
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Tags).data().toString(), QStringLiteral("owl, snow"));
    model.setFilter({QStringLiteral("owl"), {}, {}, false});
    QCOMPARE(table.rowCount(), 1);
}

void DatasetsTest::tableAndPicturesShowTheSameOne() {
    const QString folder = makeFolder(QStringLiteral("both ways"));
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    page.show();
    page.addFolder(folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    auto* table = page.findChild<QTableView*>();
    QTRY_COMPARE(grid->model()->rowCount(), 4);
    QVERIFY(!table->isVisible());
    buttonNamed(page, QStringLiteral("Table"))->click();
    QVERIFY(table->isVisible() && !grid->isVisible());
    table->sortByColumn(DatasetTable::File, Qt::DescendingOrder);
    table->setCurrentIndex(table->model()->index(3, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->toPlainText(), QStringLiteral("great tit, snow"));
    buttonNamed(page, QStringLiteral("Previous"))->click();
    QCOMPARE(caption->toPlainText(), QStringLiteral("robin, Snow, branch"));
    QCOMPARE(table->currentIndex().row(), 2);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QCOMPARE(table->currentIndex().row(), 3);
    caption->setPlainText(QStringLiteral("zebra"));
    QCOMPARE(table->model()->index(3, DatasetTable::Caption).data().toString(), QStringLiteral("zebra"));
    DatasetsPage again(m_services->all());
    QVERIFY(buttonNamed(again, QStringLiteral("Table"))->isChecked()); // as it was left
    buttonNamed(page, QStringLiteral("Pictures"))->click();
}

QString DatasetsTest::makeListed(const QString& name, const QByteArray& lines) {
    const QString folder = m_place.path(name);
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {64, 64});
    QDir().mkpath(folder + QStringLiteral("/deep"));
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {64, 64});
    writeTestPicture(folder + QStringLiteral("/deep/b.png"), 2, {64, 64});
    writeBytes(folder + QStringLiteral("/metadata.jsonl"), lines);
    return folder;
}

void DatasetsTest::otherKeysAndLinesOfMetadataSurvive() {
    const QByteArray untouched = "{ \"text\" : \"b\",  \"file_name\":\"deep/b.png\", \"score\": 1.50 }\r\n\n"
                                 "{\"file_name\":\"gone.png\",\"text\":\"c\"}";
    const QString folder = makeListed(
        QStringLiteral("keys"),
        "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"a\",\"id\":9007199254740993}\n" +
            untouched);
    QVERIFY(writeCaptions(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new \"ä\"")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             "{\"z\":[1,{\"y\":null}],\"file_name\":\"a.png\",\"text\":\"new \\\"ä\\\"\","
             "\"id\":9007199254740993}\n" +
                 untouched);
}

void DatasetsTest::theListOfTextsKeepsItsOthers() {
    const QString folder =
        makeListed(QStringLiteral("texts"), "{\"file_name\":\"a.png\",\"texts\":[\"one\",\"two\"]}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->front().caption, QStringLiteral("one"));
    QVERIFY(writeCaptions(folder, {{items->front().path, QStringLiteral("first")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"a.png\",\"texts\":[\"first\",\"two\"]}\n"));
}

void DatasetsTest::picturesInFoldersFurtherDownAreShown() {
    const QString folder =
        makeListed(QStringLiteral("further"), "{\"file_name\":\"./deep/b.png\",\"text\":\"below\"}\n");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(items->back().path, folder + QStringLiteral("/deep/b.png"));
    QCOMPARE(items->back().caption, QStringLiteral("below"));
    QCOMPARE(items->back().widthPixels, 64);
    QVERIFY(!items->back().missing);
}

void DatasetsTest::aPictureWithoutALineGetsOne() {
    const QByteArray line = "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}";
    for (const QByteArray& end : {QByteArray(), QByteArray("\n")}) {
        const QString folder = makeListed(QStringLiteral("unlisted"), line + end);
        QVERIFY(writeCaptions(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("mine")}}));
        QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
                 line + "\n{\"file_name\":\"a.png\",\"text\":\"mine\"}\n");
        QCOMPARE(readDataset(folder)->front().caption, QStringLiteral("mine"));
    }
}

void DatasetsTest::whatIsNotUnderstoodIsNeverWrittenOver_data() {
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("cut short") << QByteArray("{\"file_name\":\"deep/b.png\",\"te");
    QTest::newRow("no object") << QByteArray("[1]");
    QTest::newRow("no name") << QByteArray("{\"text\":\"b\"}");
    QTest::newRow("outside") << QByteArray("{\"file_name\":\"../b.png\",\"text\":\"b\"}");
    QTest::newRow("absolute") << QByteArray("{\"file_name\":\"/b.png\",\"text\":\"b\"}");
    QTest::newRow("no UTF-8") << QByteArray("{\"file_name\":\"deep/b.png\",\"text\":\"\xE4\"}");
    QTest::newRow("too deep") << "{\"file_name\":\"b.png\",\"x\":" + QByteArray(100, '[') +
                                     QByteArray(100, ']') + "}";
}

void DatasetsTest::whatIsNotUnderstoodIsNeverWrittenOver() {
    QFETCH(QByteArray, second);
    const QByteArray all = "{\"file_name\":\"a.png\",\"text\":\"a\"}\n" + second + "\n";
    const QString folder = makeListed(QStringLiteral("not understood"), all);
    const auto read = readDataset(folder);
    QVERIFY(!read);
    QVERIFY2(read.error().text().find("line 2") != std::string::npos, read.error().text().c_str());
    const auto written = writeCaptions(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new")}});
    QVERIFY(!written);
    DatasetItem broken;
    broken.path = folder + QStringLiteral("/a.png");
    broken.problem = QStringLiteral("broken");
    QVERIFY(!leaveOutProblems(folder, {broken}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), all);
}

void DatasetsTest::aCaptionThatCannotBeReadIsNeverWrittenOver() {
    const QString folder = makeFolder(QStringLiteral("other coding"));
    writeBytes(folder + QStringLiteral("/a.txt"), "sch\xF6n"); // Latin-1
    const auto items = readDataset(folder);
    QVERIFY(items);
    QVERIFY2(items->front().problem.contains(QStringLiteral("UTF-8")), qPrintable(items->front().problem));
    QVERIFY(!writeCaptions(folder, {{folder + QStringLiteral("/a.png"), QStringLiteral("new")},
                                    {folder + QStringLiteral("/b.png"), QStringLiteral("new")}}));
    QCOMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("sch\xF6n"));
    QCOMPARE(bytesOf(folder + QStringLiteral("/b.txt")), QByteArray("robin, Snow, branch")); // none or all
    // A folder of that name cannot be read either, and is no file to be replaced.
    const QString named = makeListed(QStringLiteral("no file"), "{}");
    QVERIFY(QFile::remove(named + QStringLiteral("/metadata.jsonl")));
    QVERIFY(QDir().mkpath(named + QStringLiteral("/metadata.jsonl")));
    QVERIFY(!writeCaptions(named, {{named + QStringLiteral("/a.png"), QStringLiteral("new")}}));
    QVERIFY(QFileInfo(named + QStringLiteral("/metadata.jsonl")).isDir());
}

void DatasetsTest::aFailedWriteIsSaidAndShown() {
    const QString folder =
        makeListed(QStringLiteral("changed meanwhile"), "{\"file_name\":\"a.png\",\"text\":\"a\"}\n");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    const QByteArray other = "{\"file_name\":\"a.png\",\"text\":\"theirs\"}\nhalf a li";
    writeBytes(folder + QStringLiteral("/metadata.jsonl"), other);
    QSignalSpy failed(&model, &DatasetModel::failed);
    model.setCaption(0, QStringLiteral("mine"));
    QTRY_VERIFY(failed.count() > 0);
    QVERIFY(failed.front().front().toString().contains(QStringLiteral("could not be written")));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), other);
    QTRY_COMPARE(model.rowCount(), 0); // not as if it had been kept
}

void DatasetsTest::undoShowsTheDatasetThatItChanges() {
    const QString first = makeFolder(QStringLiteral("changed first"));
    const QString second = makeFolder(QStringLiteral("looked at later"));
    DatasetsPage page(m_services->all());
    page.show();
    auto* grid = page.findChild<ThumbnailGrid*>();
    const auto pathAt = [grid](int row) { return grid->model()->index(row, 0).data(PathRole).toString(); };
    page.addFolder(first);
    QTRY_COMPARE(pathAt(1), first + QStringLiteral("/b.png"));
    grid->setCurrentIndex(grid->model()->index(1, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    caption->setPlainText(QStringLiteral("zebra"));
    QTRY_COMPARE(bytesOf(first + QStringLiteral("/b.txt")), QByteArray("zebra"));
    page.addFolder(second);
    QTRY_COMPARE(pathAt(1), second + QStringLiteral("/b.png"));
    m_services->undo.undo();
    QTRY_COMPARE(pathAt(1), first + QStringLiteral("/b.png"));
    QCOMPARE(page.findChild<QListView*>(QStringLiteral("datasets"))->currentIndex().data().toString(),
             QStringLiteral("changed first"));
    QCOMPARE(grid->currentIndex().row(), 1);
    QCOMPARE(caption->toPlainText(), QStringLiteral("robin, Snow, branch"));
    m_services->undo.redo();
    QTRY_COMPARE(bytesOf(first + QStringLiteral("/b.txt")), QByteArray("zebra"));
    QCOMPARE(caption->toPlainText(), QStringLiteral("zebra"));
}

void DatasetsTest::whatOtherProgramsDoToTheFolderIsFollowed() {
    const QString folder = makeFolder(QStringLiteral("followed"));
    DatasetModel model(m_services->undo);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    QTest::qWait(100); // the watch begins
    const auto find = [&model](const QString& name) -> const DatasetItem* {
        for (const DatasetItem& item : model.items())
            if (QFileInfo(item.path).fileName() == name) return &item;
        return nullptr;
    };
    writeTestPicture(folder + QStringLiteral("/c.png"), 3, {90, 90}); // comes
    QTRY_VERIFY(find(QStringLiteral("c.png")) != nullptr);
    QVERIFY(QFile::remove(folder + QStringLiteral("/b.png"))); // goes, its caption stays
    QTRY_COMPARE(model.missing(), 2);
    QSignalSpy changed(&model, &DatasetModel::fileChanged);
    writeBytes(folder + QStringLiteral("/a.png"), "cut short"); // breaks, in place
    QTRY_VERIFY(find(QStringLiteral("a.png")) != nullptr &&
                !find(QStringLiteral("a.png"))->problem.isEmpty());
    QTRY_VERIFY(changed.size() > 0);                                  // its small picture is made anew
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {60, 40}); // and is whole again
    QTRY_COMPARE(find(QStringLiteral("a.png"))->widthPixels, 60);
    writeBytes(folder + QStringLiteral("/a.txt"), "written elsewhere");
    QTRY_COMPARE(find(QStringLiteral("a.png"))->caption, QStringLiteral("written elsewhere"));
}

void DatasetsTest::aFolderThatGoesAndComesBackIsTold() {
    const QString folder = makeFolder(QStringLiteral("on a stick"));
    DatasetModel model(m_services->undo);
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    QTest::qWait(100);
    QSignalSpy failed(&model, &DatasetModel::failed);
    QVERIFY(QDir().rename(folder, folder + QStringLiteral(" elsewhere")));
    QTRY_VERIFY(failed.size() > 0);
    QSignalSpy readable(&model, &DatasetModel::readable);
    QTest::qWait(100);
    QVERIFY(QDir().rename(folder + QStringLiteral(" elsewhere"), folder));
    QTRY_VERIFY(readable.size() > 0);
    QCOMPARE(model.items().size(), size_t{4});
}

void DatasetsTest::whatIsTypedWinsOverAReadingThatIsOlder() {
    const QString folder = makeFolder(QStringLiteral("typed"));
    DatasetModel model(m_services->undo);
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    for (int i = 0; i < 30; ++i) { // some of the readings end after the typing that they do not know of
        model.rescan();
        if (i % 3 == 0) QTest::qWait(1);
        const QString caption = QStringLiteral("typed %1").arg(i);
        model.setCaption(0, caption);
        QCOMPARE(model.at(0).caption, caption);
        if (i % 4 == 0) QTest::qWait(3);
        QCOMPARE(model.at(0).caption, caption);
    }
    QTRY_COMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("typed 29"));
    QTest::qWait(400);
    QCOMPARE(model.at(0).caption, QStringLiteral("typed 29"));
}

void DatasetsTest::brokenPicturesAreMendedByWholeCopies() {
    const QString folder = makeFolder(QStringLiteral("to be mended"));
    const QString copies = m_place.path(QStringLiteral("copies/deep"));
    QDir().mkpath(copies);
    QVERIFY(QFile::copy(folder + QStringLiteral("/broken.jpg"), copies + QStringLiteral("/a.jpg")));
    writeBytes(m_place.path(QStringLiteral("copies/broken.jpg")), "broken as well");
    writeTestPicture(copies + QStringLiteral("/broken.jpg"), 4, {50, 50});
    const auto before = readDataset(folder);
    QCOMPARE(findMissing(folder, *before, m_place.path(QStringLiteral("copies"))), 1);
    const auto after = readDataset(folder);
    for (const DatasetItem& item : *after)
        if (item.path.endsWith(QStringLiteral("broken.jpg"))) {
            QCOMPARE(item.problem, QString());
            QCOMPARE(item.widthPixels, 50);
        }
    QCOMPARE(bytesOf(folder + QStringLiteral("/left out/broken.jpg")), QByteArray("no picture")); // kept
}

void DatasetsTest::takingADatasetOffTheListHasAWayBack() {
    const QString first = makeFolder(QStringLiteral("alpha"));
    const QString second = makeFolder(QStringLiteral("beta"));
    DatasetsPage page(m_services->all());
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* list = page.findChild<QListView*>(QStringLiteral("datasets"));
    page.addFolder(second);
    page.addFolder(first);
    const auto chosen = [list] { return list->currentIndex().data(DatasetList::FolderRole).toString(); };
    QTRY_COMPARE(chosen(), first);
    const int before = list->model()->rowCount();
    list->setFocus();
    QVERIFY(page.command(Page::Command::Delete));
    QTRY_COMPARE(list->model()->rowCount(), before - 1);
    QVERIFY(chosen() != first);
    m_services->undo.undo();
    QTRY_COMPARE(list->model()->rowCount(), before);
    QCOMPARE(chosen(), first);
    m_services->undo.redo();
    QTRY_COMPARE(list->model()->rowCount(), before - 1);
}

void DatasetsTest::theListKeepsTheRules() {
    DatasetList list;
    const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
    list.set({{1, "a", "/a", 0}, {2, "b", "/b", 0}});
    QCOMPARE(list.rowOf(QStringLiteral("/b")), 1);
    list.set({{2, "b", "/b", 0}});
    QCOMPARE(list.rowCount(), 1);
    QCOMPARE(list.rowOf(QStringLiteral("/a")), -1);
}

HOMEBOOTH_APP_TEST_MAIN(DatasetsTest)
#include "tst_datasets.moc"

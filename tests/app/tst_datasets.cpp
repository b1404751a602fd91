// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Datasets: tags, tables, repair, undo, and the folder that other programs change.
#include "app/pages/datasets/dataset_copy.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_table.h"
#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "dataset_pages.h"
#include "item_rules.h"
#include "layout_checks.h"

#include <QColorDialog>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTextDocument>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Of the pictures; the figures are a table, too.
QTableView* tableOf(const DatasetsPage& page) {
    for (auto* table : page.findChildren<QTableView*>())
        if (table->accessibleName() == QLatin1String("Pictures as a table")) return table;
    return nullptr;
}

} // namespace

class DatasetsTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void modelFiltersByTagAndShape();
    void pageEditsTagsAndOffersRepair();
    void aTableOfNumbersMakesNoTags();
    void captionsUnderAnotherNameAreOffered();
    void typingIntoAListedPictureKeepsItInView();
    void tableSortsByItsColumns_data();
    void tableSortsByItsColumns();
    void whatMeansNothingCannotBePressed();
    void problemsThatAreCountedAreShown();
    void aCaptionSaysWhereItLies();
    void captionsAreNoMarkupInTooltips();
    void replacingSaysInHowManyCaptions();
    void tableAndPicturesShowTheSameOne();
    void aFailedWriteIsSaidAndShown();
    void undoShowsTheDatasetThatItChanges();
    void whatOtherProgramsDoToTheFolderIsFollowed();
    void whatOthersWroteSinceIsNotUndone();
    void aFolderThatGoesAndComesBackIsTold();
    void whatChangesBeforeTheFolderIsWatchedIsSeen();
    void aFolderOfShardsIsTrainedOnButNotShown();
    void whatIsTypedWinsOverAReadingThatIsOlder();
    void takingADatasetOffTheListHasAWayBack();
    void theListKeepsTheRules();
    void theTitleIsSeenWholeBesideLongButtons();

private:
    [[nodiscard]] static std::vector<DatasetItem> threeItems();
};

void DatasetsTest::modelFiltersByTagAndShape() {
    DatasetModel model(m_services->undo);
    const ItemRules tester(model);
    const QString folder = makeFolder("filtered");
    model.set(folder, *readDataset(folder));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.broken(), 1);
    QCOMPARE(model.missing(), 1);
    model.setFilter({{}, u"snow"_s, {}, false});
    QCOMPARE(model.rowCount(), 2);
    model.setFilter({u"robin"_s, u"snow"_s, {}, false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, u"3:2"_s, false});
    QCOMPARE(model.rowCount(), 1);
    model.setFilter({{}, {}, {}, true});
    QCOMPARE(model.rowCount(), 2);
}

void DatasetsTest::pageEditsTagsAndOffersRepair() {
    const QString folder = makeFolder("on page");
    DatasetsPage page(m_services->all());
    auto* grid = showFirst(page, folder, 4);
    QVERIFY(!page.mainButton()->isEnabled()); // something is broken
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->toPlainText(), u"great tit, snow"_s);
    for (auto* field : page.findChildren<QLineEdit*>())
        if (field->accessibleName() == u"Add a tag"_s) {
            field->setText(u"winter"_s);
            QTest::keyClick(field, Qt::Key_Return);
        }
    QCOMPARE(caption->toPlainText(), u"great tit, snow, winter"_s);
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow, winter"));
    m_services->undo.undo();
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow"));
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == u"Leave out"_s) {
            QVERIFY(button->isVisible());
            button->click();
        }
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QVERIFY(page.mainButton()->isEnabled());
    QTRY_VERIFY(page.findChild<QComboBox*>()->findData(u"snow"_s) > 0);
}

void DatasetsTest::aTableOfNumbersMakesNoTags() {
    const QString folder = makeFolder("landmarks");
    QStringList numbers;
    for (int i = 0; i < 5'000; ++i) numbers.append(QString::number(i));
    writeBytes(folder + u"/a.txt"_s, numbers.join(',').toUtf8());
    DatasetsPage page(m_services->all());
    auto* grid = showFolder(page, folder, 4);
    const auto chips = [&page] {
        const auto buttons = page.findChildren<QPushButton*>();
        return std::count_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return !button->isHidden() && button->accessibleDescription().startsWith(u"Without the tag"_s);
        });
    };
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QVERIFY(page.findChild<QPlainTextEdit*>()->toPlainText().startsWith(u"0,1,2,3"_s));
    QCOMPARE(chips(), 0);
    grid->setCurrentIndex(grid->model()->index(1, 0));
    QTRY_COMPARE(chips(), 3);
}

void DatasetsTest::captionsUnderAnotherNameAreOffered() {
    const QByteArray lines = "{\"file_name\": \"a.png\", \"title\": \"a tit\", \"tags\": \"bird, snow\"}\n"
                             "{\"file_name\": \"deep/b.png\", \"text\": \"an owl\", \"title\": \"no\"}\n";
    const QString folder = makeListed("titled", lines);
    DatasetsPage page(m_services->all());
    showFolder(page, folder, 2);
    QPushButton* offer = nullptr;
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text() == u"Captions from"_s) offer = button;
    QVERIFY(offer != nullptr && offer->isVisible());
    Q_EMIT offer->menu()->aboutToShow();
    QCOMPARE(offer->menu()->actions().size(), 2);
    QCOMPARE(offer->menu()->actions().at(1)->text(), u"title"_s);
    offer->menu()->actions().at(1)->trigger();
    QTRY_VERIFY(bytesOf(folder + u"/metadata.jsonl"_s).contains("\"text\":\"a tit\""));
    QVERIFY(bytesOf(folder + u"/metadata.jsonl"_s).contains("\"text\": \"an owl\""));
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QVERIFY(!offer->isVisible());
    m_services->undo.undo();
    QTRY_VERIFY(offer->isVisible());
    QVERIFY(!page.mainButton()->isEnabled());
}

void DatasetsTest::typingIntoAListedPictureKeepsItInView() {
    const QByteArray lines = "{\"file_name\": \"a.png\", \"title\": \"a tit\"}\n"
                             "{\"file_name\": \"deep/b.png\", \"title\": \"an owl\"}\n";
    const QString folder = makeListed("typed into", lines);
    DatasetModel model(m_services->undo);
    model.open(folder);
    QTRY_COMPARE(model.rowCount(), 2);
    model.setFilter({{}, {}, {}, true});
    QCOMPARE(model.rowCount(), 2);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setCaption(1, u"a large owl"_s);
    QTRY_VERIFY(bytesOf(folder + u"/metadata.jsonl"_s).contains("a large owl"));
    model.rescan();
    QTest::qWait(300);
    QCOMPARE(resets.size(), 0);
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
        items[i].path = u"/birds/"_s + names[i];
        items[i].widthPixels = sizes[i].width();
        items[i].heightPixels = sizes[i].height();
        items[i].caption = captions[i];
    }
    items[1].caption = u"bear,"_s;
    return items;
}

void DatasetsTest::tableSortsByItsColumns() {
    QFETCH(int, column);
    QFETCH(bool, down);
    DatasetModel model(m_services->undo);
    DatasetTable table(model);
    const ItemRules tester(table);
    model.set(u"/birds"_s, threeItems());
    const QPersistentModelIndex kept = table.index(table.rowOf(1), DatasetTable::File);
    table.sort(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    QStringList files;
    for (int row = 0; row < table.rowCount(); ++row)
        files.append(table.index(row, DatasetTable::File).data().toString());
    QTEST(files.join(' '), "files");
    QCOMPARE(kept.data().toString(), u"2.png"_s);
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Size).data().toString(), u"900 x 900"_s);
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Words).data().toString(), u"2"_s);
    QCOMPARE(table.index(table.rowOf(0), DatasetTable::Tags).data().toString(), u"owl, snow"_s);
    model.setFilter({u"owl"_s, {}, {}, false});
    QCOMPARE(table.rowCount(), 1);
}

void DatasetsTest::whatMeansNothingCannotBePressed() {
    const QString folder = makeFolder("nothing to do");
    writeBytes(folder + u"/a.txt"_s, "black & white, snow");
    DatasetsPage page(m_services->all());
    auto* grid = showFirst(page, folder, 4);
    QPushButton* tag = buttonNamed(page, u"black && white"_s);
    QVERIFY(tag != nullptr && !page.actionButtons().contains(tag)); // a tag is no action of the page's menu
    QPushButton* replace = buttonNamed(page, u"Replace in all shown"_s);
    QPushButton* next = buttonNamed(page, u"Next"_s);
    QVERIFY(next->isEnabled() && !replace->isEnabled());
    fieldNamed(page, u"Find in captions"_s)->setText(u"snow"_s);
    QVERIFY(replace->isEnabled());
    QLineEdit* filter = fieldNamed(page, u"Filter captions by words"_s);
    filter->setText(u"no caption says this"_s);
    QTRY_COMPARE(grid->model()->rowCount(), 0);
    QVERIFY(!replace->isEnabled() && !next->isEnabled());
    filter->clear();
    QTRY_VERIFY(replace->isEnabled() && next->isEnabled());
}

void DatasetsTest::problemsThatAreCountedAreShown() {
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    auto* grid = showFolder(page, makeFolder("counted"), 4);
    fieldNamed(page, u"Filter captions by words"_s)->setText(u"tit"_s);
    QCOMPARE(grid->model()->rowCount(), 1);
    buttonNamed(page, u"Figures"_s)->click();
    QVERIFY(!grid->isVisible());
    QPushButton* show = buttonNamed(page, u"Show"_s);
    QVERIFY(show != nullptr && show->isVisible());
    show->click();
    QVERIFY(grid->isVisible());
    QCOMPARE(grid->model()->rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        const QString name = QFileInfo(grid->model()->index(row, 0).data(PathRole).toString()).fileName();
        QVERIFY2(name == u"broken.jpg"_s || name == u"gone"_s, qPrintable(name));
    }
    QVERIFY(buttonNamed(page, u"Problems"_s)->isChecked()); // the way back
    buttonNamed(page, u"Pictures"_s)->click();              // kept for the next session
}

void DatasetsTest::aCaptionSaysWhereItLies() {
    const QString listed = makeListed("listed", R"({"file_name": "a.png", "text": "a tit"})");
    DatasetsPage page(m_services->all());
    page.show();
    const auto says = [&page](const QString& words) { return !shownTexts(page).filter(words).isEmpty(); };
    page.addFolder(makeFolder("beside"));
    QTRY_VERIFY(says(u"a.png, 300 x 200, caption from .txt"_s));
    page.findChild<QPlainTextEdit*>()->clear();
    QVERIFY(!says(u"caption from"_s));
    m_services->undo.undo();
    QVERIFY(says(u"caption from .txt"_s));
    page.addFolder(listed);
    QTRY_VERIFY(says(u"a.png, 64 x 64, caption from metadata.jsonl"_s));
    QVERIFY(!says(u"is not used"_s));
    page.addFolder(makeFolder("10_zwx toy")); // as sd-scripts has it
    QTRY_VERIFY(says(u"The 10 in the folder's name"_s));
}

void DatasetsTest::captionsAreNoMarkupInTooltips() {
    const auto shown = [](const QString& tip) {
        QTextDocument document;
        document.setHtml(tip);
        return document.toPlainText();
    };
    DatasetModel model(m_services->undo);
    const DatasetTable table(model);
    std::vector<DatasetItem> items = threeItems();
    items[0].caption = u"a <b>dog</b>"_s;
    model.set(u"/birds"_s, items);
    const QString words = u"10.png: a <b>dog</b>"_s;
    QCOMPARE(model.index(0).data(Qt::AccessibleTextRole).toString(), words);
    QCOMPARE(shown(model.index(0).data(Qt::ToolTipRole).toString()), words);
    QCOMPARE(shown(table.index(table.rowOf(0), DatasetTable::File).data(Qt::ToolTipRole).toString()), words);
    ElidedLabel label;
    label.resize(label.minimumSizeHint());
    label.setFullText(words);
    QCOMPARE(shown(label.toolTip()), words);
    QCOMPARE(label.accessibleDescription(), words); // else screen readers read the tooltip's markup
    label.setFullText({});
    QVERIFY(label.toolTip().isEmpty());
}

void DatasetsTest::replacingSaysInHowManyCaptions() {
    DatasetsPage page(m_services->all());
    showFolder(page, makeFolder("replaced"), 4);
    QPushButton* replace = buttonNamed(page, u"Replace in all shown"_s);
    QLineEdit* find = fieldNamed(page, u"Find in captions"_s);
    find->setText(u"snow"_s);
    QTRY_COMPARE(replace->text(), u"Replace in all 2"_s); // "Snow" is one of them
    find->setText(u"sno"_s);
    QCOMPARE(replace->text(), u"Replace in all shown"_s); // not counted so far
    QTRY_COMPARE(replace->text(), u"Replace in all 0"_s); // a part of a word
    find->setText(u"snow"_s);
    fieldNamed(page, u"Filter captions by words"_s)->setText(u"robin"_s);
    QTRY_COMPARE(replace->text(), u"Replace in all 1"_s);
    find->clear();
    QCOMPARE(replace->text(), u"Replace in all shown"_s);
}

void DatasetsTest::tableAndPicturesShowTheSameOne() {
    const QString folder = makeFolder("both ways");
    DatasetsPage page(m_services->all());
    page.resize(1000, 640);
    auto* grid = showFolder(page, folder, 4);
    auto* table = tableOf(page);
    QVERIFY(!table->isVisible());
    buttonNamed(page, u"Table"_s)->click();
    QVERIFY(table->isVisible() && !grid->isVisible());
    table->sortByColumn(DatasetTable::File, Qt::DescendingOrder);
    table->setCurrentIndex(table->model()->index(3, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->toPlainText(), u"great tit, snow"_s);
    buttonNamed(page, u"Previous"_s)->click();
    QCOMPARE(caption->toPlainText(), u"robin, Snow, branch"_s);
    QCOMPARE(table->currentIndex().row(), 2);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QCOMPARE(table->currentIndex().row(), 3);
    caption->setPlainText(u"zebra"_s);
    QCOMPARE(table->model()->index(3, DatasetTable::Caption).data().toString(), u"zebra"_s);
    DatasetsPage again(m_services->all());
    QVERIFY(buttonNamed(again, u"Table"_s)->isChecked()); // as it was left
    buttonNamed(page, u"Pictures"_s)->click();
}

void DatasetsTest::aFailedWriteIsSaidAndShown() {
    const QString folder = makeListed("changed meanwhile", "{\"file_name\":\"a.png\",\"text\":\"a\"}\n");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    const QByteArray other = "{\"file_name\":\"a.png\",\"text\":\"theirs\"}\nhalf a li";
    writeBytes(folder + u"/metadata.jsonl"_s, other);
    QSignalSpy failed(&model, &DatasetModel::failed);
    model.setCaption(0, u"mine"_s);
    QTRY_VERIFY(failed.count() > 0);
    QVERIFY(failed.front().front().toString().contains(u"could not be written"_s));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), other);
    QTRY_COMPARE(model.rowCount(), 0); // not as if it had been kept
}

void DatasetsTest::undoShowsTheDatasetThatItChanges() {
    const QString first = makeFolder("changed first");
    const QString second = makeFolder("looked at later");
    DatasetsPage page(m_services->all());
    page.show();
    auto* grid = page.findChild<ThumbnailGrid*>();
    const auto pathAt = [grid](int row) { return grid->model()->index(row, 0).data(PathRole).toString(); };
    page.addFolder(second);
    QTRY_COMPARE(pathAt(1), second + u"/b.png"_s);
    page.addFolder(first);
    QTRY_COMPARE(pathAt(1), first + u"/b.png"_s);
    grid->setCurrentIndex(grid->model()->index(1, 0));
    auto* caption = page.findChild<QPlainTextEdit*>();
    caption->setPlainText(u"zebra"_s);
    QTRY_COMPARE(bytesOf(first + u"/b.txt"_s), QByteArray("zebra"));
    page.addFolder(second); // is on the list: chosen, and no step of undo
    QTRY_COMPARE(pathAt(1), second + u"/b.png"_s);
    m_services->undo.undo();
    QTRY_COMPARE(pathAt(1), first + u"/b.png"_s);
    QCOMPARE(datasetList(page)->currentIndex().data().toString(), u"changed first"_s);
    QCOMPARE(grid->currentIndex().row(), 1);
    QCOMPARE(caption->toPlainText(), u"robin, Snow, branch"_s);
    m_services->undo.redo();
    QTRY_COMPARE(bytesOf(first + u"/b.txt"_s), QByteArray("zebra"));
    QCOMPARE(caption->toPlainText(), u"zebra"_s);
}

void DatasetsTest::whatOtherProgramsDoToTheFolderIsFollowed() {
    const QString folder = makeFolder("followed");
    DatasetModel model(m_services->undo);
    const ItemRules tester(model);
    const QSignalSpy readable(&model, &DatasetModel::readable);
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    QTRY_VERIFY(readable.size() >= 2); // it is watched, and was read once more for what changed until then
    const auto find = [&model](const QString& name) -> const DatasetItem* {
        for (const DatasetItem& item : model.items())
            if (QFileInfo(item.path).fileName() == name) return &item;
        return nullptr;
    };
    writeTestPicture(folder + u"/c.png"_s, 3, {90, 90}); // comes
    QTRY_VERIFY(find(u"c.png"_s) != nullptr);
    QVERIFY(QFile::remove(folder + u"/b.png"_s)); // goes, its caption stays
    QTRY_COMPARE(model.missing(), 2);
    QSignalSpy changed(&model, &DatasetModel::filesChanged);
    writeBytes(folder + u"/a.png"_s, "cut short"); // breaks, in place
    QTRY_VERIFY(find(u"a.png"_s) != nullptr && !find(u"a.png"_s)->problem.isEmpty());
    QTRY_VERIFY(changed.size() > 0);                     // its small picture is made anew
    writeTestPicture(folder + u"/a.png"_s, 1, {60, 40}); // and is whole again
    QTRY_COMPARE(find(u"a.png"_s)->widthPixels, 60);
    writeBytes(folder + u"/a.txt"_s, "written elsewhere");
    QTRY_COMPARE(find(u"a.png"_s)->caption, u"written elsewhere"_s);
}

void DatasetsTest::whatOthersWroteSinceIsNotUndone() {
    const QString folder = makeFolder("written by others");
    DatasetModel model(m_services->undo);
    const QSignalSpy readable(&model, &DatasetModel::readable);
    QSignalSpy stay(&model, &DatasetModel::othersStay);
    model.open(folder);
    QTRY_VERIFY(readable.size() >= 2); // it is watched
    const auto captionOf = [&model](const QString& name) {
        for (const DatasetItem& item : model.items())
            if (QFileInfo(item.path).fileName() == name) return item.caption;
        return QString();
    };
    model.setCaptions({0, 1}, [](const QString& caption) { return caption + u", winter"_s; });
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow, winter"));
    QTRY_COMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("robin, Snow, branch, winter"));
    QTest::qWait(300); // that was read again
    writeBytes(folder + u"/b.txt"_s, "by hand, an hour of work");
    QTRY_COMPARE(captionOf(u"b.png"_s), u"by hand, an hour of work"_s);
    m_services->undo.undo();
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow"));
    QCOMPARE(stay.size(), 1);
    QCOMPARE(stay[0][0].toInt(), 1);
    m_services->undo.redo();
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow, winter"));
    QCOMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("by hand, an hour of work"));
    QCOMPARE(captionOf(u"b.png"_s), u"by hand, an hour of work"_s);
}

void DatasetsTest::aFolderThatGoesAndComesBackIsTold() {
    const QString folder = makeFolder("on a stick");
    DatasetModel model(m_services->undo);
    QSignalSpy readable(&model, &DatasetModel::readable);
    model.open(folder);
    QTRY_VERIFY(readable.size() >= 2); // it is watched
    QSignalSpy failed(&model, &DatasetModel::failed);
    QVERIFY(QDir().rename(folder, folder + u" elsewhere"_s));
    QTRY_VERIFY(failed.size() > 0);
    readable.clear();
    QVERIFY(QDir().rename(folder + u" elsewhere"_s, folder));
    QTRY_VERIFY(readable.size() > 0);
    QCOMPARE(model.items().size(), size_t{4});
}

void DatasetsTest::whatChangesBeforeTheFolderIsWatchedIsSeen() {
    const QString folder = makeFolder("read first");
    DatasetModel model(m_services->undo);
    const QSignalSpy readable(&model, &DatasetModel::readable);
    model.open(folder);
    QTRY_VERIFY(readable.size() >= 2);
    auto* watch = model.findChild<FileWatch*>();
    QVERIFY(watch != nullptr);
    watch->set({}); // as if it had not begun yet
    QTest::qWait(300);
    QVERIFY(QFile::remove(folder + u"/b.png"_s));
    watch->set({folder});
    QTRY_COMPARE(model.missing(), 2);
}

void DatasetsTest::aFolderOfShardsIsTrainedOnButNotShown() {
    const QString folder = m_place.path("shards");
    QDir().mkpath(folder + u"/train"_s);
    writeBytes(folder + u"/train/000.tar"_s, QByteArray(1024, '\0'));
    DatasetModel model(m_services->undo);
    QSignalSpy failed(&model, &DatasetModel::failed);
    model.open(folder);
    QTRY_VERIFY(failed.size() > 0);
    QVERIFY(saysShards(failed.front().back().value<core::Error>()));
    WorkCount count;
    const auto copied = copyDataset({folder, m_place.path("copied shards")}, count);
    QVERIFY(!copied && saysShards(copied.error()));
    DatasetsPage page(m_services->all());
    page.show();
    page.addFolder(folder);
    QTRY_VERIFY(page.messages().currentText().contains(u"packed in WebDataset shards"_s));
    buttonNamed(page, u"Colour behind transparent parts"_s)->click();
    auto* colours = page.findChild<QColorDialog*>();
    QVERIFY(colours != nullptr);
    colours->reject();
    QVERIFY(buttonNamed(page, u"Train from scratch"_s)->isEnabled());
    QSignalSpy wanted(&page, &DatasetsPage::trainWanted);
    buttonNamed(page, u"Train on this"_s)->click();
    QCOMPARE(wanted.size(), 1);
    const auto order = wanted.front()[0].value<DatasetOrder>();
    QCOMPARE(order.folder, folder);
    QVERIFY(!order.skipBroken);
    QCOMPARE(order.pictures, int64_t{0}); // nobody has counted what is packed
    QVERIFY(model.packed());
    writeTestPicture(folder + u"/a.png"_s, 1, {60, 40}); // one to show
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{1});
    QVERIFY(!model.packed());
    // The page follows the folder: a picture without caption cannot be trained on.
    QTRY_VERIFY(!buttonNamed(page, u"Train on this"_s)->isEnabled());
}

void DatasetsTest::whatIsTypedWinsOverAReadingThatIsOlder() {
    const QString folder = makeFolder("typed");
    DatasetModel model(m_services->undo);
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    for (int i = 0; i < 30; ++i) { // some of the readings end after the typing that they do not know of
        model.rescan();
        if (i % 3 == 0) QTest::qWait(1);
        const QString caption = u"typed %1"_s.arg(i);
        model.setCaption(0, caption);
        QCOMPARE(model.at(0).caption, caption);
        if (i % 4 == 0) QTest::qWait(3);
        QCOMPARE(model.at(0).caption, caption);
    }
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("typed 29"));
    QTest::qWait(400);
    QCOMPARE(model.at(0).caption, u"typed 29"_s);
}

void DatasetsTest::takingADatasetOffTheListHasAWayBack() {
    const QString first = makeFolder("alpha");
    const QString second = makeFolder("beta");
    DatasetsPage page(m_services->all());
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* list = datasetList(page);
    page.addFolder(second);
    page.addFolder(first);
    QTRY_COMPARE(chosenFolder(page), first);
    const int before = list->model()->rowCount();
    list->setFocus();
    QVERIFY(page.command(Page::Command::Delete));
    QTRY_COMPARE(list->model()->rowCount(), before - 1);
    QVERIFY(chosenFolder(page) != first);
    m_services->undo.undo();
    QTRY_COMPARE(list->model()->rowCount(), before);
    QCOMPARE(chosenFolder(page), first);
    m_services->undo.redo();
    QTRY_COMPARE(list->model()->rowCount(), before - 1);
}

void DatasetsTest::theListKeepsTheRules() {
    DatasetList list;
    const ItemRules tester(list);
    list.set({{1, "a", "/a", 0}, {2, "b", "/b", 0}});
    QCOMPARE(list.rowOf(u"/b"_s), 1);
    list.set({{2, "b", "/b", 0}});
    QCOMPARE(list.rowCount(), 1);
    QCOMPARE(list.rowOf(u"/a"_s), -1);
}

void DatasetsTest::theTitleIsSeenWholeBesideLongButtons() {
    LongWords words;
    words.setMore(2.0);
    QCoreApplication::installTranslator(&words);
    DatasetsPage page(m_services->all());
    QCoreApplication::removeTranslator(&words);
    page.show();
    auto* title = page.findChild<ElidedLabel*>();
    int room = title->sizeHint().width() / 2;
    for (const auto* button : page.findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly))
        room += button->sizeHint().width() + kGapLabel;
    page.resize(room, 600);
    QTRY_COMPARE(title->text(), title->fullText());
    QCOMPARE(page.width(), room);
    QVERIFY(page.mainButton()->y() > title->geometry().bottom());
    page.resize(2 * room, 600);
    QTRY_VERIFY(page.mainButton()->y() < title->geometry().bottom());
}

HOMEBOOTH_APP_TEST_MAIN(DatasetsTest)
#include "tst_datasets.moc"

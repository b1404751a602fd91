// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Datasets mends: pictures that are missing or broken, and a folder that is elsewhere.
#include "app/library/drive_pools.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/widgets/message_bar.h"
#include "dataset_pages.h"
#include "folder_answers.h"

#include <QPlainTextEdit>

using namespace homebooth;
using namespace homebooth::app;

class DatasetRepairTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void namesAreNoPatterns_data();
    void namesAreNoPatterns();
    void ofSeveralOfANameThatOfTheSameFolderIsTaken();
    void aSearchForPicturesCountsAndStops();
    void aRepairedPictureIsShownAtOnce();
    void aCaptionInAnOlderEncodingIsTakenAsItIsShown();
    void leavingOutIsUndone();
    void leavingOutIsDoneAgainToTheSamePictures();
    void leavingOutStaysWithWhatIsShown();
    void aFolderThatIsElsewhereIsFound();
    void aFolderThatIsOnTheListAlreadyIsNotThereTwice();
    void aFolderThatIsThereAgainStaysOnTheList();
    void whatTheEngineDoesNotTakeIsAProblem();
    void brokenPicturesAreSkippedUnlessThereAreNoOthers();

private:
    /// Answers the question that a button asks.
    static void answer(QWidget& page, const QString& button, const QString& folder);
};

void DatasetRepairTest::answer(QWidget& page, const QString& button, const QString& folder) {
    QVERIFY(buttonNamed(page, button) != nullptr);
    buttonNamed(page, button)->click();
    answerWith(page, {folder});
}

void DatasetRepairTest::namesAreNoPatterns_data() {
    QTest::addColumn<QString>("base");
    QTest::addColumn<bool>("listed");
    for (const bool listed : {true, false})
        for (const char* base : {"photo [1]", "what? *", "v1.5 owl", "plain"})
            QTest::addRow("%s, %s", base, listed ? "by metadata.jsonl" : "by its caption")
                << QString::fromLatin1(base) << listed;
}

void DatasetRepairTest::namesAreNoPatterns() {
    QFETCH(QString, base);
    QFETCH(bool, listed);
    const QString folder = m_place.path("lacks one");
    QDir(folder).removeRecursively();
    if (listed)
        writeBytes(folder + u"/metadata.jsonl"_s,
                   "{\"file_name\": \"" + base.toUtf8() + ".png\", \"text\": \"an owl\"}\n");
    else
        writeBytes(folder + '/' + base + u".txt"_s, "an owl");
    const QString copies = m_place.path("has it");
    QDir(copies).removeRecursively();
    QDir().mkpath(copies + u"/deep"_s);
    writeTestPicture(copies + u"/photo 1.png"_s, 1, {64, 64}); // what "photo [1]" would match
    writeTestPicture(copies + u"/deep/"_s + base + u".png"_s, 2, {64, 48});
    QCOMPARE(findMissing(folder, *readDataset(folder), copies), 1);
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1});
    QCOMPARE(items->front().problem, QString());
    QCOMPARE(items->front().heightPixels, 48);
    QCOMPARE(items->front().caption, u"an owl"_s);
}

void DatasetRepairTest::ofSeveralOfANameThatOfTheSameFolderIsTaken() {
    const QString folder = m_place.path("lacks two");
    writeBytes(folder + u"/metadata.jsonl"_s, "{\"file_name\": \"a/1.png\", \"text\": \"a\"}\n"
                                              "{\"file_name\": \"b/1.png\", \"text\": \"b\"}\n");
    const QString copies = m_place.path("has both");
    for (const char* name : {"a", "b"}) QDir().mkpath(copies + '/' + QLatin1String(name));
    writeTestPicture(copies + u"/a/1.png"_s, 1, {64, 64});
    writeTestPicture(copies + u"/b/1.png"_s, 2, {64, 48});
    QCOMPARE(findMissing(folder, *readDataset(folder), copies), 2);
    const auto items = readDataset(folder);
    QVERIFY(items);
    for (const DatasetItem& item : *items) QCOMPARE(item.heightPixels, item.caption == u"a"_s ? 64 : 48);
}

void DatasetRepairTest::aSearchForPicturesCountsAndStops() {
    const QString folder = m_place.path("lacks it");
    writeBytes(folder + u"/owl.txt"_s, "an owl");
    writeTestPicture(folder + u"/there.png"_s, 1);
    const QString copies = m_place.path("copies of it");
    QDir().mkpath(copies);
    writeTestPicture(copies + u"/owl.png"_s, 2);
    DatasetsPage page(m_services->all());
    showFolder(page, folder, 2);
    const auto said = [&page] { return page.messages().currentText(); };
    {
        const Blocked held(workPool());
        answer(page, u"Find again..."_s, copies);
        QVERIFY2(said().contains(u"Looking through"_s), qPrintable(said()));
        QVERIFY(buttonNamed(page.messages(), u"Stop"_s) != nullptr);
        buttonNamed(page.messages(), u"Stop"_s)->click();
    }
    QTRY_COMPARE(said(), u"Stopped. None of these pictures was found by then."_s);
    QVERIFY(!QFile::exists(folder + u"/owl.png"_s));
    WorkCount count;
    QCOMPARE(findMissing(folder, *readDataset(folder), copies, &count), 1);
    QCOMPARE(count.done.load(), 1);
    QCOMPARE(count.total.load(), 1);
}

void DatasetRepairTest::aRepairedPictureIsShownAtOnce() {
    const QString folder = makeFolder("grey");
    const QString copies = m_place.path("whole ones");
    QDir().mkpath(copies);
    writeTestPicture(copies + u"/broken.jpg"_s, 4, {90, 60});
    DatasetsPage page(m_services->all());
    showFolder(page, folder, 4);
    const ThumbnailKey key{folder + u"/broken.jpg"_s, {}, 160};
    (void)m_services->thumbnails.find(key);
    QTRY_VERIFY(m_services->thumbnails.unreadable(key));
    answer(page, u"Find again..."_s, copies);
    QTRY_VERIFY(page.messages().currentText().contains(u"found and copied"_s));
    QTRY_VERIFY(!m_services->thumbnails.find(key).isNull());
}

void DatasetRepairTest::aCaptionInAnOlderEncodingIsTakenAsItIsShown() {
    const QString folder = makeFolder("older");
    const QString file = folder + u"/a.txt"_s;
    const QByteArray older = "sch\xF6n \x97 da"; // Windows-1252
    const QString shown = QString::fromUtf8("sch\u00F6n \u2014 da");
    writeBytes(file, older);
    DatasetsPage page(m_services->all());
    auto* grid = showFirst(page, folder, 4);
    QCOMPARE(grid->currentIndex().data(StateTextRole).toString(), u"Caption?"_s);
    auto* caption = page.findChild<QPlainTextEdit*>();
    QCOMPARE(caption->placeholderText(), shown);
    QPushButton* use = buttonNamed(page, u"Use it so"_s);
    QVERIFY(use != nullptr && !use->isHidden() && !caption->isEnabled());
    use->click();
    QTRY_COMPARE(bytesOf(file), shown.toUtf8());
    QTRY_VERIFY(use->isHidden() && caption->isEnabled());
    QCOMPARE(caption->toPlainText(), shown);
    m_services->undo.undo();
    QTRY_COMPARE(bytesOf(file), older);
    QTRY_VERIFY(!use->isHidden());
    writeBytes(file, QByteArray("\xFF\xFE\xF6\0", 4)); // UTF-16 says itself what it is
    QCOMPARE(readDataset(folder)->front().caption, QString::fromUtf8("\u00F6"));
}

void DatasetRepairTest::leavingOutIsUndone() {
    const QString folder = m_place.path("undone");
    const QString metadata = folder + u"/metadata.jsonl"_s;
    const QByteArray whole = "{\"file_name\": \"2.png\", \"text\": \"two\"}\n";
    const QByteArray all = "{\"file_name\": \"1.png\", \"text\": \"one\"}\n" + whole +
                           "{\"file_name\": \"deep/3.png\", \"text\": \"three\"}\n";
    writeBytes(metadata, all);
    writeBytes(folder + u"/1.png"_s, "no picture");
    writeTestPicture(folder + u"/2.png"_s, 2);
    DatasetsPage page(m_services->all());
    auto* grid = showFolder(page, folder, 3);
    QSignalSpy toasts(&page, &Page::toast);
    buttonNamed(page, u"Leave out"_s)->click();
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    QTRY_COMPARE(toasts.size(), 1);
    QCOMPARE(bytesOf(metadata), whole);
    QVERIFY(QFile::exists(folder + u"/left out/1.png"_s));
    m_services->undo.undo();
    QTRY_COMPARE(grid->model()->rowCount(), 3);
    QCOMPARE(bytesOf(metadata), all);
    QTRY_VERIFY(!QFile::exists(folder + u"/left out"_s));
    writeTestPicture(folder + u"/1.png"_s, 1); // whole by now
    m_services->undo.redo();
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QVERIFY(QFile::exists(folder + u"/1.png"_s));
}

void DatasetRepairTest::leavingOutIsDoneAgainToTheSamePictures() {
    const QString folder = m_place.path("once more");
    QDir().mkpath(folder);
    for (const char* name : {"/1.png", "/3.png"}) writeBytes(folder + QLatin1String(name), "no picture");
    writeTestPicture(folder + u"/2.png"_s, 2);
    for (const char* name : {"/1.txt", "/2.txt", "/3.txt", "/4.txt", "/5.txt"})
        writeBytes(folder + QLatin1String(name), "a toy");
    DatasetsPage page(m_services->all());
    auto* grid = showFolder(page, folder, 5);
    QSignalSpy toasts(&page, &Page::toast);
    buttonNamed(page, u"Leave out"_s)->click();
    QTRY_COMPARE(toasts.size(), 1);
    m_services->undo.undo();
    QTRY_COMPARE(grid->model()->rowCount(), 5);
    QTRY_VERIFY(!QFile::exists(folder + u"/left out"_s));
    writeTestPicture(folder + u"/3.png"_s, 3); // whole by now, as the next one
    writeTestPicture(folder + u"/5.png"_s, 5);
    writeBytes(folder + u"/2.png"_s, "no picture"); // it was no part of the step
    m_services->undo.redo();
    QTRY_COMPARE(toasts.size(), 2);
    QCOMPARE(QDir(folder + u"/left out"_s).entryList(QDir::Files),
             (QStringList{u"1.png"_s, u"1.txt"_s, u"4.txt"_s}));
    QVERIFY(QFile::exists(folder + u"/2.png"_s));
    QTRY_COMPARE(grid->model()->rowCount(), 3);
}

void DatasetRepairTest::leavingOutStaysWithWhatIsShown() {
    const QString folder = makeFolder("left");
    const QString other = m_place.path("shown");
    QDir().mkpath(other);
    writeTestPicture(other + u"/1.png"_s, 1);
    DatasetsPage page(m_services->all());
    page.show();
    auto* list = datasetList(page);
    const auto choose = [list](const QString& wanted) {
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex one = list->model()->index(row, 0);
            if (one.data(DatasetList::FolderRole).toString() == wanted) list->setCurrentIndex(one);
        }
    };
    page.addFolder(other);
    QTRY_COMPARE(chosenFolder(page), other);
    page.addFolder(folder);
    QTRY_COMPARE(chosenFolder(page), folder);
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 4);
    QSignalSpy toasts(&page, &Page::toast);
    const int steps = m_services->undo.count();
    {
        const Blocked drive(writeDrives().of(folder + '/')); // which is slow
        for (int clicks = 0; clicks < 2; ++clicks) buttonNamed(page, u"Leave out"_s)->click();
        choose(other);
        QCOMPARE(chosenFolder(page), other);
    }
    QTRY_COMPARE(toasts.size(), 1);
    QCOMPARE(m_services->undo.count(), steps + 1);
    QCOMPARE(chosenFolder(page), other);
    m_services->undo.undo();
    QTRY_COMPARE(chosenFolder(page), folder); // what is taken back is seen
    QTRY_COMPARE(grid->model()->rowCount(), 4);
    QVERIFY(buttonNamed(page, u"Leave out"_s)->isEnabled());
}

void DatasetRepairTest::aFolderThatIsElsewhereIsFound() {
    const QString before = makeFolder("old place");
    const QString now = m_place.path("new place");
    DatasetsPage page(m_services->all());
    auto* grid = showFolder(page, before, 4);
    grid->setCurrentIndex(grid->model()->index(0, 0));
    page.findChild<QPlainTextEdit*>()->setPlainText(u"typed"_s);
    QTRY_COMPARE(bytesOf(before + u"/a.txt"_s), QByteArray("typed"));
    QVERIFY(QDir().rename(before, now));
    page.activated();
    QTRY_VERIFY(page.messages().currentText().contains(u"Folder \"old place\" is gone."_s));
    answer(page, u"Find folder"_s, now);
    auto* list = datasetList(page);
    QTRY_COMPARE(chosenFolder(page), now);
    QTRY_COMPARE(grid->model()->index(0, 0).data().toString(), u"typed"_s);
    QTRY_COMPARE(page.messages().count(), 0);
    QVERIFY(m_services->undo.undoText().contains(u"new place"_s));
    m_services->undo.undo();
    QTRY_COMPARE(chosenFolder(page), before);
    m_services->undo.redo();
    QTRY_COMPARE(chosenFolder(page), now);
    QCOMPARE(list->currentIndex().data().toString(), u"new place"_s);
}

void DatasetRepairTest::aFolderThatIsOnTheListAlreadyIsNotThereTwice() {
    const QString gone = makeFolder("here before");
    const QString known = makeFolder("here now");
    DatasetsPage page(m_services->all());
    page.show();
    auto* list = datasetList(page);
    page.addFolder(known);
    QTRY_COMPARE(chosenFolder(page), known);
    page.addFolder(gone);
    QTRY_COMPARE(chosenFolder(page), gone);
    const int count = list->model()->rowCount();
    QVERIFY(QDir(gone).removeRecursively());
    page.activated();
    QTRY_VERIFY(page.messages().currentText().contains(u"is gone."_s));
    answer(page, u"Find folder"_s, known);
    QTRY_COMPARE(chosenFolder(page), known);
    QTRY_COMPARE(list->model()->rowCount(), count - 1);
}

void DatasetRepairTest::aFolderThatIsThereAgainStaysOnTheList() {
    const QString folder = makeFolder("comes back");
    const QString away = m_place.path("went away");
    DatasetsPage page(m_services->all());
    auto* grid = showFolder(page, folder, 4);
    const int steps = m_services->undo.count();
    QVERIFY(QDir().rename(folder, away));
    page.activated();
    QTRY_VERIFY(page.messages().currentText().contains(u"is gone."_s));
    buttonNamed(page, u"Find folder"_s)->click();
    auto* dialog = page.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(QDir().rename(away, folder)); // its drive was connected meanwhile
    Q_EMIT dialog->filesSelected({folder});
    dialog->close();
    QCOMPARE(m_services->undo.count(), steps);
    QTRY_COMPARE(page.messages().count(), 0);
    QCOMPARE(grid->model()->rowCount(), 4);
}

void DatasetRepairTest::whatTheEngineDoesNotTakeIsAProblem() {
    const QString folder = m_place.path("moving");
    writeBytes(folder + u"/a.gif"_s, QByteArray("GIF89a\x20\0\x20\0\0\0\0", 13));
    writeBytes(folder + u"/a.txt"_s, "a cat");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1});
    QVERIFY2(items->front().problem.contains(u"GIF"_s), qPrintable(items->front().problem));
    QVERIFY(!items->front().wantsCopy());
}

void DatasetRepairTest::brokenPicturesAreSkippedUnlessThereAreNoOthers() {
    const QString folder = m_place.path("half broken");
    QDir().mkpath(folder);
    for (const char* name : {"/a.txt", "/b.txt"}) writeBytes(folder + QLatin1String(name), "a red car");
    writeBytes(folder + u"/a.jpg"_s, "no picture");
    writeBytes(folder + u"/c.jpg"_s, "none, and without a caption");
    writeTestPicture(folder + u"/b.jpg"_s, 4, {90, 60});
    DatasetsPage page(m_services->all());
    page.addFolder(folder);
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QCOMPARE(page.mainButton()->toolTip(), u"Broken pictures will be skipped."_s);
    QSignalSpy wanted(&page, &DatasetsPage::trainWanted);
    page.mainButton()->click();
    QCOMPARE(wanted.size(), 1);
    const auto order = wanted[0][0].value<DatasetOrder>();
    QVERIFY(order.skipBroken);
    QCOMPARE(order.pictures, int64_t{1}); // that can be learned
    writeBytes(folder + u"/b.jpg"_s, "no picture, either");
    page.activated();
    QTRY_COMPARE(page.mainButton()->toolTip(), u"No picture can be read."_s);
    QVERIFY(!page.mainButton()->isEnabled());
}

HOMEBOOTH_APP_TEST_MAIN(DatasetRepairTest)
#include "tst_dataset_repair.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copying and reading many pictures: counted, stopped between two of them, taken back, and gone on with where
// a disk was full.
#include "app/library/background.h"
#include "app/pages/datasets/dataset_copy.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_list.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/models/models_page.h"
#include "app/pages/subjects/subject_models.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/widgets/room_message.h"
#include "dataset_fixture.h"
#include "folder_answers.h"

#include <QListView>
#include <QMenu>

#include <optional>
#include <utility>

using namespace homebooth;
using namespace homebooth::app;

class LongWorkTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aStoppedCopyIsADataset();
    void aCopyThatWasStoppedAtOnceLeavesNothing();
    void aCopyGoesOnWhereTheDiskWasFull();
    void theLinesOfACopyAreNotLostToAFullDisk();
    void aCopyLooksForRoomFirst();
    void aFullDiskIsSaidWithTheWayToAnotherFolder();
    void aCopyIsStoppedOnThePage();
    void copiesOfOneNameHaveFoldersOfTheirOwn();
    void aFreeFolderIsLookedForWhereTheCopyIsMade();
    void aCopyThatFailsLeavesNoFolder();
    void whatWasCopiedIsTakenOffTheListByUndo();
    void aStoppedReadingShowsWhatWasRead();
    void aStoppedReadingIsSaidAndGoneOnWith();
    void whatIsLeftWhileItIsReadIsNotShown();
    void addingManyPhotosIsStoppedAndTakenBack();
    void anExportLooksForRoomAndGoesElsewhere();
    void aFullDiskUnderTheRunsIsTold();
    void copyingTheirPhotosIsStoppedBeforeATrainingBegins();

private:
    /// Two captioned pictures, listed by metadata.jsonl.
    [[nodiscard]] QString makeTwo(const QString& name) const {
        return makeListed(name, "{\"file_name\":\"a.png\",\"text\":\"one\"}\n"
                                "{\"file_name\":\"deep/b.png\",\"text\":\"two\"}\n");
    }
    /// A training on one photo.
    [[nodiscard]] RunOrder onePhoto() const {
        RunOrder order;
        order.title = u"robot"_s;
        order.config.model = builtInModel().toStdString();
        order.config.data.instancePrompt = "a photo of ohwx toy";
        core::Subject subject;
        core::Photo photo;
        photo.path = writeTestPicture(m_place.path("one.png"), 1).toStdString();
        subject.photos.push_back(photo);
        order.subjects.push_back(subject);
        return order;
    }
    [[nodiscard]] QString fresh(const QString& name) const {
        const QString folder = m_place.path(name);
        QDir(folder).removeRecursively();
        return folder;
    }
    static void askForCopy(DatasetsPage& page, const QString& folder) {
        for (auto* button : page.findChildren<QPushButton*>())
            if (button->menu() != nullptr && button->menu()->actions().size() == 2 &&
                button->text() == u"Add folder"_s)
                button->menu()->actions().at(1)->trigger();
        answerWith(page, {folder});
    }
    [[nodiscard]] static int listed(const DatasetsPage& page) {
        int rows = 0;
        for (auto* view : page.findChildren<QListView*>())
            if (auto* model = qobject_cast<DatasetList*>(view->model())) rows = model->rowCount();
        return rows;
    }
};

void LongWorkTest::aStoppedCopyIsADataset() {
    const QString from = makeTwo(u"stopped from"_s);
    const QString to = fresh(u"stopped to"_s);
    QDir().mkpath(to);
    QVERIFY(QFile::copy(from + u"/a.png"_s, to + u"/a.png"_s));
    WorkCount count;
    count.stopped = true; // after the first one
    const auto copied = copyDataset({from, to, true}, count);
    QVERIFY(copied && copied->stopped && !copied->full);
    QCOMPARE(copied->pictures, 1);
    QCOMPARE(copied->ofPictures, 2);
    QCOMPARE(count.total.load(), 2);
    QCOMPARE(count.done.load(), 1);
    const auto items = readDataset(to);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1}); // nothing is missing
    QCOMPARE(items->front().caption, u"one"_s);
    QVERIFY(QFile::exists(from + u"/deep/b.png"_s));
}

void LongWorkTest::aCopyThatWasStoppedAtOnceLeavesNothing() {
    const QString from = makeTwo(u"at once from"_s);
    const QString to = fresh(u"at once to"_s);
    WorkCount count;
    count.stopped = true;
    const auto copied = copyDataset({from, to}, count);
    QVERIFY(copied && copied->stopped);
    QCOMPARE(copied->pictures, 0);
    QVERIFY(!QFileInfo::exists(to));
}

void LongWorkTest::aCopyGoesOnWhereTheDiskWasFull() {
    const QString from = makeFolder("full from");
    const QString to = fresh(u"full to"_s);
    {
        const FullDisk disk;
        WorkCount count;
        const auto copied = copyDataset({from, to}, count);
        QVERIFY(copied && copied->full && !copied->stopped);
        QVERIFY(copied->full->neededBytes >= QFileInfo(from + u"/a.png"_s).size());
        QCOMPARE(copied->pictures, 0);
        QVERIFY(!QFileInfo::exists(to));
    }
    QDir().mkpath(to);
    QVERIFY(QFile::copy(from + u"/a.png"_s, to + u"/a.png"_s)); // had found room
    {
        const FullDisk disk;
        WorkCount count;
        const auto copied = copyDataset({from, to, true}, count);
        QVERIFY(copied && copied->full);
        QCOMPARE(copied->pictures, 1);
        QVERIFY(!QFileInfo::exists(to + u"/b.png"_s)); // no part of it
    }
    const QString elsewhere = fresh(u"full elsewhere"_s);
    WorkCount count;
    const auto copied = copyDataset({from, elsewhere, false, {to}}, count);
    QVERIFY(copied && !copied->full && !copied->stopped);
    QCOMPARE(copied->pictures, 3);
    QVERIFY(!QFileInfo::exists(to));
    QCOMPARE(bytesOf(elsewhere + u"/b.png"_s), bytesOf(from + u"/b.png"_s));
    QCOMPARE(bytesOf(elsewhere + u"/b.txt"_s), QByteArray("robin, Snow, branch"));
}

void LongWorkTest::theLinesOfACopyAreNotLostToAFullDisk() {
    const QString from = makeTwo(u"lines from"_s);
    const QString to = fresh(u"lines to"_s);
    QDir().mkpath(to);
    for (const char* name : {"/a.png", "/metadata.jsonl"})
        QVERIFY(QFile::copy(from + QLatin1String(name), to + QLatin1String(name)));
    const FullDisk disk;
    WorkCount count;
    const auto copied = copyDataset({from, to, true}, count);
    QVERIFY(copied && copied->full);
    QCOMPARE(copied->pictures, 1);
    QCOMPARE(bytesOf(to + u"/metadata.jsonl"_s), bytesOf(from + u"/metadata.jsonl"_s));
}

void LongWorkTest::aCopyLooksForRoomFirst() {
    constexpr qint64 kMore = qint64{8} << 40; // than any disk of a test has
    const QString from = makeFolder("large from");
    const QString to = fresh(u"large to"_s);
    QFile caption(from + u"/a.txt"_s);
    if (freeBytesAt(to) >= kMore || !caption.resize(kMore)) QSKIP("no sparse file, or a very large disk");
    WorkCount count;
    const auto copied = copyDataset({from, to}, count);
    QVERIFY(copied && copied->full);
    QVERIFY(copied->full->neededBytes > kMore);
    QVERIFY(copied->full->freeBytes >= 0 && copied->full->freeBytes < kMore);
    QVERIFY(!QFileInfo::exists(to));
    QDir(from).removeRecursively();
}

void LongWorkTest::aFullDiskIsSaidWithTheWayToAnotherFolder() {
    QWidget page;
    MessageBar bar(&page);
    QString chosen;
    bool again = false;
    constexpr qint64 kGiga = 1'000'000'000;
    RoomMessage message{m_place.path("Data"), {4 * kGiga, kGiga}, u"All is kept."_s, u"room"_s};
    message.remedies.push_back({u"Continue"_s, [&again] { again = true; }});
    const auto tell = [&] {
        tellNoRoom(page, bar, message, [&chosen](const QString& folder) { chosen = folder; });
    };
    tell();
    for (const char* words :
         {"The disk of \"Data\" is full.", "4.0 GB are needed, 1.0 GB are free.", "All is kept."})
        QVERIFY2(bar.currentText().contains(QString::fromLatin1(words).toHtmlEscaped()) ||
                     bar.currentText().contains(QString::fromLatin1(words)),
                 qPrintable(bar.currentText()));
    QVERIFY(buttonNamed(bar, u"Continue"_s) != nullptr);
    buttonNamed(bar, u"Continue"_s)->click();
    QVERIFY(again);
    QCOMPARE(bar.count(), 0);
    tell();
    buttonNamed(bar, u"Other folder"_s)->click();
    QCOMPARE(bar.count(), 1); // until there is a choice
    answerWith(page, {m_place.path("elsewhere")});
    QCOMPARE(chosen, m_place.path("elsewhere"));
    QCOMPARE(bar.count(), 0);
}

void LongWorkTest::aCopyIsStoppedOnThePage() {
    const QString from = makeFolder("page from");
    DatasetsPage page(m_services->all());
    page.show();
    {
        const Blocked held(workPool());
        askForCopy(page, from);
        QVERIFY(page.messages().currentText().contains(u"Copying page from to "_s));
        QVERIFY(buttonNamed(page.messages(), u"Stop"_s) != nullptr);
        buttonNamed(page.messages(), u"Stop"_s)->click();
    }
    QTRY_COMPARE(page.messages().currentText(), u"Stopped. Nothing was copied."_s);
    QCOMPARE(listed(page), 0);
    QVERIFY(!m_services->undo.canUndo());
}

void LongWorkTest::copiesOfOneNameHaveFoldersOfTheirOwn() {
    const QString first = makeFolder("here/twins");
    const QString second = makeFolder("there/twins");
    writeBytes(second + u"/a.txt"_s, "another one");
    DatasetsPage page(m_services->all());
    page.show();
    {
        const Blocked held(workPool()); // both are asked for before one of them begins
        askForCopy(page, first);
        askForCopy(page, second);
    }
    QTRY_COMPARE(listed(page), 2);
    const QString copies = m_services->settings.text(keys::kHome) + u"/datasets/"_s;
    QSet<QByteArray> captions; // whichever came first
    for (const char* name : {"twins/a.txt", "twins 2/a.txt"})
        captions.insert(bytesOf(copies + QLatin1String(name)));
    QCOMPARE(captions, (QSet<QByteArray>{"great tit, snow", "another one"}));
    for (int step = 0; step < 2; ++step) {
        m_services->undo.undo();
        QTRY_COMPARE(listed(page), 1 - step);
    }
}

void LongWorkTest::aFreeFolderIsLookedForWhereTheCopyIsMade() {
    const QString from = makeFolder("here/jays");
    const QString copies = m_services->settings.text(keys::kHome) + u"/datasets/"_s;
    DatasetsPage page(m_services->all());
    page.show();
    {
        const Blocked held(workPool());
        askForCopy(page, from);
        QVERIFY(QDir().mkpath(copies + u"jays"_s)); // somebody else was faster
    }
    QTRY_COMPARE(listed(page), 1);
    QVERIFY(QDir(copies + u"jays"_s).isEmpty());
    QCOMPARE(bytesOf(copies + u"jays 2/a.txt"_s), QByteArray("great tit, snow"));
    m_services->undo.undo();
    QTRY_COMPARE(listed(page), 0);
}

void LongWorkTest::aCopyThatFailsLeavesNoFolder() {
    const QString to = fresh(u"never copied"_s);
    WorkCount count;
    QVERIFY(!copyDatasetWhereFree({m_place.path("no such folder"), to}, count));
    QVERIFY(!QFileInfo::exists(to));
    writeBytes(m_place.path("a file"), "in the way");
    const QString below = m_place.path("a file/birds");
    QVERIFY(!copyDatasetWhereFree({makeFolder("not to be copied"), below}, count));
}

void LongWorkTest::whatWasCopiedIsTakenOffTheListByUndo() {
    const QString from = makeFolder("birds to copy");
    DatasetsPage page(m_services->all());
    page.show();
    askForCopy(page, from);
    QTRY_COMPARE(listed(page), 1);
    QVERIFY(m_services->undo.undoText().startsWith(u"add dataset birds to copy"_s));
    m_services->undo.undo();
    QTRY_COMPARE(listed(page), 0);
    m_services->undo.redo();
    QTRY_COMPARE(listed(page), 1);
    QTRY_VERIFY(page.messages().currentText().isEmpty()); // nothing is being copied any more
    m_services->undo.undo();
    QTRY_COMPARE(listed(page), 0);
}

void LongWorkTest::aStoppedReadingShowsWhatWasRead() {
    const QString folder = makeFolder("read in part");
    WorkCount count;
    const auto whole = readDataset(folder, &count);
    QVERIFY(whole);
    QCOMPARE(whole->size(), size_t{4}); // with what is missing
    QCOMPARE(count.done.load(), count.total.load());
    count.stopped = true;
    count.done = 0;
    const auto part = readDataset(folder, &count);
    QVERIFY(part && part->empty()); // what was not read is neither missing nor broken
    QCOMPARE(count.done.load(), 0);
    QVERIFY(count.total.load() >= 2);
}

void LongWorkTest::aStoppedReadingIsSaidAndGoneOnWith() {
    const QString folder = makeFolder("read on");
    DatasetModel model(m_services->undo);
    QSignalSpy stopped(&model, &DatasetModel::stopped);
    {
        const Blocked held(workPool());
        connect(&model, &DatasetModel::reading, this,
                [](const std::shared_ptr<WorkCount>& count) { count->stopped = true; });
        model.open(folder);
    }
    QTRY_COMPARE(stopped.size(), 1);
    QCOMPARE(stopped.front().front().toInt(), 0);
    QVERIFY(stopped.front().back().toInt() >= 2);
    QVERIFY(model.items().empty());
    model.disconnect(this);
    model.rescan();
    QTRY_COMPARE(model.items().size(), size_t{4});
    QCOMPARE(stopped.size(), 1);
}

void LongWorkTest::whatIsLeftWhileItIsReadIsNotShown() {
    const QString folder = makeFolder("left early");
    DatasetModel model(m_services->undo);
    const QSignalSpy readable(&model, &DatasetModel::readable);
    {
        const Blocked held(workPool());
        model.open(folder);
        model.open({}); // as when it is taken off the list
    }
    workPool().waitForDone();
    QCoreApplication::processEvents(); // the answer comes
    QCOMPARE(readable.size(), 0);
    QVERIFY(model.items().empty());
}

void LongWorkTest::addingManyPhotosIsStoppedAndTakenBack() {
    constexpr int kMany = 20;
    QStringList paths;
    for (int i = 0; i < kMany + 2; ++i)
        paths.append(writeTestPicture(m_place.path(u"photo %1.png"_s.arg(i)), i));
    SubjectsPage page(m_services->all());
    page.show();
    const int64_t id = m_services->subjects.addFromPhotos(paths.mid(0, 2));
    page.select(id);
    const auto subject = [this, id] { return *m_services->subjects.find(id); };
    const auto said = [&page] { return page.messages().currentText(); };
    auto* grid = page.findChild<ThumbnailGrid*>();
    QTRY_COMPARE(grid->model()->index(0, 0).data(StateTextRole).toString(), u"Good"_s);
    QTRY_COMPARE(grid->model()->index(1, 0).data(StateTextRole).toString(), u"Good"_s);
    QCOMPARE(said(), QString()); // few photos are no news
    m_services->subjects.addPhotos(id, paths.mid(2));
    QCOMPARE(said(), u"Looking at the photos: 2 of 22"_s);
    buttonNamed(page.messages(), u"Stop"_s)->click();
    QCOMPARE(subject().photos.size(), size_t{2});
    QCOMPARE(m_services->undo.undoText(), u"stop adding photos"_s);
    QCOMPARE(said(), QString());
    m_services->undo.undo();
    QCOMPARE(subject().photos.size(), size_t{kMany + 2});
    QTRY_COMPARE_WITH_TIMEOUT(said(), QString(), 60'000); // all are looked at after all
    for (int row = 0; row < kMany + 2; ++row)
        QVERIFY(grid->model()->index(row, 0).data(StateTextRole).toString() != u"Checking"_s);
}

void LongWorkTest::anExportLooksForRoomAndGoesElsewhere() {
    constexpr qint64 kMore = qint64{8} << 40;
    const QString from = m_place.path("huge.safetensors");
    writeBytes(from, "huge");
    QFile huge(from);
    if (freeBytesAt(from) >= kMore || !huge.resize(kMore)) QSKIP("no sparse file, or a very large disk");
    ModelsPage page(m_services->all());
    page.show();
    const auto said = [&page](const QString& words) { return page.messages().currentText().contains(words); };
    page.exportTo(from, m_place.path("out/small.safetensors"), u"checkpoint"_s);
    QTRY_VERIFY(said(u"are needed"_s));
    QVERIFY(said(u"Nothing was written."_s));
    buttonNamed(page.messages(), u"Other folder"_s)->click();
    QVERIFY(huge.resize(4)); // the other disk has room; what is there is no model
    answerWith(page, {m_place.path("other")});
    QTRY_VERIFY_WITH_TIMEOUT(said(u"could not be exported"_s), 60'000);
    QVERIFY(QFile::remove(from));
}

void LongWorkTest::aFullDiskUnderTheRunsIsTold() {
    const RunOrder order = onePhoto();
    QSignalSpy told(&m_services->runs, &RunCentre::noRoom);
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    const QString runs = m_place.path("runs without room");
    {
        const FullDisk disk;
        m_services->runs.begin(order, runs);
        QTRY_COMPARE(told.size(), 1);
    }
    QCOMPARE(failed.size(), 0);
    QCOMPARE(told.front().at(1).toString(), runs);
    QCOMPARE(told.front().at(2).value<Shortage>().neededBytes, QFileInfo(m_place.path("one.png")).size());
    QVERIFY(QDir(runs).isEmpty()); // nothing of the run stays
}

void LongWorkTest::copyingTheirPhotosIsStoppedBeforeATrainingBegins() {
    RunCentre& centre = m_services->runs;
    QSignalSpy failed(&centre, &RunCentre::failed);
    QSignalSpy begun(&centre, &RunCentre::begun);
    QSignalSpy prepared(&centre, &RunCentre::prepared);
    connect(&centre, &RunCentre::preparing, this,
            [](const std::shared_ptr<WorkCount>& count) { count->stopped = true; });
    const QString runs = m_place.path("runs not begun");
    centre.begin(onePhoto(), runs);
    QTRY_COMPARE(prepared.size(), 1);
    QVERIFY(prepared.front().front().toBool());
    QVERIFY(QDir(runs).isEmpty());
    QCOMPARE(failed.size(), 0);
    QCOMPARE(begun.size(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(LongWorkTest)
#include "tst_long_work.moc"

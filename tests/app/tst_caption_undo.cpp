// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Captions that are put back: where another program has written since the edit its words stay, also where
// nobody has read them yet.
#include "app/library/drive_pools.h"
#include "app/pages/datasets/dataset_model.h"
#include "dataset_fixture.h"

#include <QUndoStack>

using namespace homebooth;
using namespace homebooth::app;

class CaptionUndoTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void othersCaptionsOfADatasetThatIsNotShownStay();
    void othersLinesOfADatasetThatIsNotShownStay();
    void whatWasNotReadYetStaysAndIsShown();
    void whatIsNotWrittenYetIsTakenBack();
    void aFolderThatIsAwayIsSaidToBe();

private:
    static void addWinter(DatasetModel& model) {
        model.setCaptions({0, 1}, [](const QString& caption) { return caption + u", winter"_s; });
    }
};

void CaptionUndoTest::othersCaptionsOfADatasetThatIsNotShownStay() {
    const QString folder = makeFolder("changed and left");
    const QString other = makeFolder("shown by then");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    QSignalSpy stay(&model, &DatasetModel::othersStay);
    addWinter(model);
    QTRY_COMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("robin, Snow, branch, winter"));
    model.set(other, *readDataset(other));
    writeBytes(folder + u"/b.txt"_s, "by hand, an hour of work");
    m_services->undo.undo();
    QTRY_COMPARE(stay.size(), 1);
    QCOMPARE(stay[0][0].toInt(), 1);
    QCOMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow"));
    QCOMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("by hand, an hour of work"));
    m_services->undo.redo();
    QTRY_COMPARE(stay.size(), 2);
    QCOMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow, winter"));
    QCOMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("by hand, an hour of work"));
}

void CaptionUndoTest::othersLinesOfADatasetThatIsNotShownStay() {
    const QByteArray second = "{\"file_name\":\"deep/b.png\",\"text\":\"wren, winter\"}\n";
    const QString folder =
        makeListed("listed and left", "{\"file_name\":\"a.png\",\"text\":\"tit\"}\n"
                                      "{\"file_name\":\"deep/b.png\",\"text\":\"wren\"}\n");
    const QString other = makeFolder("shown instead");
    const QString lines = folder + u"/metadata.jsonl"_s;
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    QSignalSpy stay(&model, &DatasetModel::othersStay);
    addWinter(model);
    QTRY_VERIFY(bytesOf(lines).contains("wren, winter"));
    model.set(other, *readDataset(other));
    writeBytes(lines, "{\"file_name\":\"a.png\",\"text\":\"by hand\"}\n" + second);
    m_services->undo.undo();
    QTRY_COMPARE(stay.size(), 1);
    QVERIFY2(bytesOf(lines).contains("by hand"), bytesOf(lines).constData());
    QVERIFY2(!bytesOf(lines).contains("winter"), bytesOf(lines).constData());
}

void CaptionUndoTest::whatWasNotReadYetStaysAndIsShown() {
    const QString folder = makeFolder("not read yet");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder)); // nothing is watched
    QSignalSpy stay(&model, &DatasetModel::othersStay);
    addWinter(model);
    QTRY_COMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("robin, Snow, branch, winter"));
    writeBytes(folder + u"/b.txt"_s, "by hand");
    m_services->undo.undo();
    QTRY_COMPARE(stay.size(), 1);
    QCOMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("by hand"));
    QTRY_COMPARE(model.at(1).caption, u"by hand"_s);
    QCOMPARE(model.at(0).caption, u"great tit, snow"_s);
}

void CaptionUndoTest::whatIsNotWrittenYetIsTakenBack() {
    const QString folder = makeFolder("not written yet");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    const QSignalSpy stay(&model, &DatasetModel::othersStay);
    {
        const Blocked busy(writeDrives().of(folder));
        addWinter(model);
        m_services->undo.undo();
        m_services->undo.redo();
        m_services->undo.undo();
    }
    addWinter(model); // written behind those
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow, winter"));
    QCOMPARE(stay.size(), 0);
    m_services->undo.undo();
    QTRY_COMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("great tit, snow"));
}

void CaptionUndoTest::aFolderThatIsAwayIsSaidToBe() {
    const QString folder = makeFolder("on a drive");
    const QString other = makeFolder("shown while it is away");
    DatasetModel model(m_services->undo);
    model.set(folder, *readDataset(folder));
    addWinter(model);
    QTRY_COMPARE(bytesOf(folder + u"/b.txt"_s), QByteArray("robin, Snow, branch, winter"));
    model.set(other, *readDataset(other));
    const QSignalSpy stay(&model, &DatasetModel::othersStay);
    const QSignalSpy failed(&model, &DatasetModel::failed);
    QVERIFY(QDir().rename(folder, folder + u" away"_s));
    m_services->undo.undo();
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(stay.size(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(CaptionUndoTest)
#include "tst_caption_undo.moc"

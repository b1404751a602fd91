// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets of many pictures, or on slow drives: what is typed is written in few writes and before the program
// ends, what nobody wants is read no further, what is as it was is not opened again, and sorting makes each
// key once.
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_table.h"
#include "app/pages/datasets/figures/dataset_stats.h"
#include "dataset_fixture.h"
#include "loop_watch.h"

#include <QDateTime>
#include <QProcess>
#include <QSet>
#include <QSignalSpy>
#include <QThread>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <sys/inotify.h>
#include <unistd.h>
#include <vector>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr const char* kClose = "--close";
constexpr unsigned long kSettledMs = 2200; // what changed before that is known by its times

/// The files of folders to which something happens: IN_OPEN, or IN_MOVED_TO, as atomic writes replace them.
class Happenings {
public:
    Happenings(const QStringList& folders, uint32_t what)
        : m_events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        for (const QString& folder : folders) ::inotify_add_watch(m_events, qPrintable(folder), what);
    }
    ~Happenings() { ::close(m_events); }
    Happenings(const Happenings&) = delete;
    Happenings& operator=(const Happenings&) = delete;
    /// Their names, since the last call.
    [[nodiscard]] QStringList take() {
        QStringList names;
        alignas(inotify_event) char bytes[4096];
        for (ssize_t size = 0; (size = ::read(m_events, bytes, sizeof bytes)) > 0;)
            for (ssize_t at = 0; at < size;) {
                const auto* event = reinterpret_cast<const inotify_event*>(bytes + at);
                at += ssize_t(sizeof(inotify_event)) + event->len;
                if (event->len > 0 && (event->mask & IN_ISDIR) == 0)
                    names.append(QString::fromUtf8(event->name));
            }
        return names;
    }

private:
    int m_events;
};

/// The files that a model opens to read its folder again.
QSet<QString> openedAgain(DatasetModel& model, Happenings& opened) {
    (void)opened.take();
    QSignalSpy readable(&model, &DatasetModel::readable);
    model.rescan();
    if (!readable.wait(kLongestMs)) return {u"nothing was read"_s};
    const QStringList names = opened.take();
    return {names.begin(), names.end()};
}

/// What a window does that is closed while a disk does not answer and a caption waits for another, slow one.
int closeAmidWriting(const QString& folder) {
    constexpr unsigned long kSlowMs = 12'000; // work that hangs is not waited for as long
    static QSemaphore never;
    workPool().start([] { never.acquire(); });
    writeDrives().start(folder, [] { QThread::msleep(kSlowMs); });
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(folder, *readDataset(folder));
    model.setCaption(0, u"typed"_s);
    return 0;
}

} // namespace

class DatasetVastTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void manyLettersAreOneWrite();
    void whatWasTypedIsWrittenBeforeTheProgramEnds();
    void captionsOnASlowDriveHoldTheirOwnFolderAlone();
    void captionsOfOtherDrivesAreWritten();
    void whatIsAsItWasIsNotOpenedAgain();
    void whatIsAnotherFileIsReadAgain();
    void whatJustChangedIsNotKnownYet();
    void aReadingThatNobodyWantsIsStopped();
    void picturesFurtherDownAreCountedAndStopped();
    void sortingMakesEachKeyOnce();
};

void DatasetVastTest::manyLettersAreOneWrite() {
    const QString folder = makeListed(u"typed into"_s, "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}\n");
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(folder, *readDataset(folder));
    Happenings rewrites({folder}, IN_MOVED_TO);
    QString typed;
    {
        const Blocked slow(writeDrives().of(folder + '/')); // a write is under way
        model.setCaption(1, u"an owl"_s);
        for (int letter = 0; letter < 50; ++letter) model.setCaption(0, typed += QChar(u'x'));
    }
    QCOMPARE(rewrites.take().size(), 1);
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), "{\"file_name\":\"deep/b.png\",\"text\":\"an owl\"}\n"
                                                     "{\"file_name\":\"a.png\",\"text\":\"" +
                                                         typed.toUtf8() + "\"}\n");
    model.setCaption(0, u"later"_s);
    writeDrives().finish();
    QCOMPARE(rewrites.take().size(), 1);
    QVERIFY(bytesOf(folder + u"/metadata.jsonl"_s).contains("later"));
}

void DatasetVastTest::whatWasTypedIsWrittenBeforeTheProgramEnds() {
    const QString folder = makeFolder(u"closed over"_s);
    const QString temporary = m_place.path(u"of the window"_s);
    QVERIFY(QDir().mkpath(temporary));
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(u"TMPDIR"_s, temporary); // it ends without cleaning up
    QProcess window;
    window.setProcessEnvironment(values);
    window.setProcessChannelMode(QProcess::ForwardedChannels);
    window.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(kClose), folder});
    QVERIFY(window.waitForFinished(60'000)); // though other work never ends
    QCOMPARE(window.exitStatus(), QProcess::NormalExit);
    QCOMPARE(window.exitCode(), 0);
    QCOMPARE(bytesOf(folder + u"/a.txt"_s), QByteArray("typed"));
}

void DatasetVastTest::captionsOnASlowDriveHoldTheirOwnFolderAlone() {
    const QString slow = makeFolder(u"on a slow drive"_s);
    const QString other = makeFolder(u"on another drive"_s);
    QUndoStack undo;
    DatasetModel model(undo);
    model.open(slow);
    QTRY_COMPARE(model.items().size(), size_t{4});
    {
        const Blocked drive(writeDrives().of(slow + '/'));
        model.setCaption(0, u"typed"_s);
        model.open(other);
        QTRY_COMPARE(model.items().size(), size_t{4});
        QCOMPARE(model.folder(), other);
        model.open(slow);
        QTest::qWait(50);
        QVERIFY(model.items().empty()); // the files say what was before
    }
    QTRY_COMPARE(model.items().size(), size_t{4});
    QCOMPARE(model.at(0).caption, u"typed"_s);
}

void DatasetVastTest::captionsOfOtherDrivesAreWritten() {
    const QString away = u"/proc/away"_s; // on a drive that is none of the test's
    const QString here = makeFolder(u"written meanwhile"_s);
    QUndoStack undo;
    DatasetModel model(undo);
    const QSignalSpy failed(&model, &DatasetModel::failed);
    DatasetItem picture;
    picture.path = away + u"/a.png"_s;
    model.set(away, {picture});
    {
        const Blocked drive(writeDrives().of(away + '/'));
        model.setCaption(0, u"never written"_s);
        model.open(here);
        QTRY_COMPARE(model.items().size(), size_t{4});
        model.setCaption(0, u"typed"_s);
        QTRY_COMPARE(bytesOf(here + u"/a.txt"_s), QByteArray("typed"));
        const QString other = makeFolder(u"opened meanwhile"_s);
        model.open(other);
        QTRY_COMPARE(model.items().size(), size_t{4});
        model.open(here); // whose captions are written
        QTRY_COMPARE(model.items().size(), size_t{4});
        QCOMPARE(model.at(0).caption, u"typed"_s);
        QVERIFY(failed.isEmpty());
    }
    QTRY_COMPARE(failed.size(), 1);
}

void DatasetVastTest::whatIsAsItWasIsNotOpenedAgain() {
    const QString beside = makeFolder(u"as it was"_s);
    QVERIFY(QFile::remove(beside + u"/broken.jpg"_s)); // it is tried each time
    const QString listed =
        makeListed(u"listed as it was"_s, "{\"file_name\":\"a.png\",\"text\":\"a\"}\n"
                                          "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}\n");
    QThread::msleep(kSettledMs);
    for (const QString& folder : {beside, listed}) {
        QUndoStack undo;
        DatasetModel model(undo);
        model.open(folder);
        QTRY_VERIFY(!model.items().empty());
        const std::vector<DatasetItem> before = model.items();
        Happenings opened({folder, folder + u"/deep"_s}, IN_OPEN);
        QCOMPARE(openedAgain(model, opened), QSet<QString>()); // as when the window comes to the front
        QVERIFY(model.items() == before);
        model.setCaption(0, u"typed"_s);
        writeDrives().finish();
        const QString written = folder == listed ? u"metadata.jsonl"_s : u"a.txt"_s;
        QCOMPARE(openedAgain(model, opened), QSet<QString>{written});
        QCOMPARE(model.at(0).caption, u"typed"_s);
        QCOMPARE(model.at(1).caption, before[1].caption);
    }
}

void DatasetVastTest::whatIsAnotherFileIsReadAgain() {
    const QString folder = m_place.path(u"others"_s);
    QVERIFY(QDir().mkpath(folder));
    const QString picture = folder + u"/a.bmp"_s;
    writeBytes(folder + u"/a.txt"_s, "one");
    writeTestPicture(picture, 1, {64, 32});
    const QString high = writeTestPicture(m_place.path(u"high.bmp"_s), 1, {32, 64});
    const QString wide = writeTestPicture(m_place.path(u"wide.bmp"_s), 2, {64, 32});
    QCOMPARE(QFileInfo(high).size(), QFileInfo(picture).size());
    const auto time = std::filesystem::last_write_time(picture.toStdString());
    std::filesystem::last_write_time(wide.toStdString(), time);
    QThread::msleep(kSettledMs);
    QUndoStack undo;
    DatasetModel model(undo);
    const QSignalSpy readable(&model, &DatasetModel::readable);
    model.open(folder);
    QTRY_VERIFY(readable.size() >= 2); // once more when it was watched
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0).widthPixels, 64);
    QSignalSpy changed(&model, &DatasetModel::filesChanged);
    writeBytes(picture, bytesOf(high)); // in place, and under its old time
    std::filesystem::last_write_time(picture.toStdString(), time);
    model.rescan();
    QTRY_COMPARE(model.at(0).widthPixels, 32);
    QTRY_COMPARE(changed.size(), 1);
    std::filesystem::rename(wide.toStdString(), picture.toStdString()); // another file of that size and time
    model.rescan();
    QTRY_COMPARE(model.at(0).widthPixels, 64);
    QTRY_COMPARE(changed.size(), 2);
    writeBytes(folder + u"/a.txt"_s, "two"); // by another program
    writeTestPicture(folder + u"/10.png"_s, 3, {20, 20});
    writeTestPicture(folder + u"/2.png"_s, 4, {20, 20});
    model.rescan();
    QTRY_COMPARE(model.rowCount(), 3);
    QVERIFY(model.at(0).path.endsWith(u"/2.png"_s));
    QVERIFY(model.at(1).path.endsWith(u"/10.png"_s));
    QCOMPARE(model.at(2).caption, u"two"_s);
}

void DatasetVastTest::whatJustChangedIsNotKnownYet() {
    const QString folder = makeFolder(u"just changed"_s);
    QThread::msleep(kSettledMs);
    QUndoStack undo;
    DatasetModel model(undo);
    QFile picture(writeTestPicture(folder + u"/b.png"_s, 3, {128, 128}));
    QVERIFY(picture.open(QIODevice::ReadWrite));
    // However long it takes until it is read.
    const QDateTime then = QDateTime::currentDateTime().addSecs(600);
    QVERIFY(picture.setFileTime(then, QFileDevice::FileModificationTime));
    picture.close();
    model.open(folder);
    QTRY_COMPARE(model.items().size(), size_t{4});
    Happenings opened({folder}, IN_OPEN);
    const QSet<QString> names = openedAgain(model, opened);
    QVERIFY(names.contains(u"b.png"_s)); // another change in the same tick would leave no trace
    QVERIFY(!names.contains(u"a.png"_s));
}

void DatasetVastTest::aReadingThatNobodyWantsIsStopped() {
    const QString first = makeFolder(u"wanted first"_s);
    const QString second = makeFolder(u"wanted then"_s);
    QUndoStack undo;
    std::vector<std::shared_ptr<WorkCount>> counts;
    auto model = std::make_unique<DatasetModel>(undo);
    connect(model.get(), &DatasetModel::reading, this,
            [&counts](const std::shared_ptr<WorkCount>& count) { counts.push_back(count); });
    {
        const Blocked held(workPool());
        model->open(first);
        model->open(second);
        QCOMPARE(counts.size(), size_t{2});
        QVERIFY(counts[0]->stopped);
        QVERIFY(!counts[1]->stopped);
    }
    QTRY_COMPARE(model->items().size(), size_t{4});
    QCOMPARE(model->folder(), second);
    QCOMPARE(counts[0]->done.load(), 0);
    const Blocked held(workPool());
    model->open(first);
    model.reset();
    QCOMPARE(counts.size(), size_t{3});
    QVERIFY(counts[2]->stopped);
}

void DatasetVastTest::picturesFurtherDownAreCountedAndStopped() {
    const QString folder = makeListed(u"named"_s, "{\"file_name\":\"a.png\",\"text\":\"a\"}\n\n"
                                                  "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}\n");
    WorkCount count;
    const auto whole = readDataset(folder, &count);
    QVERIFY(whole);
    QCOMPARE(whole->size(), size_t{2});
    QCOMPARE(count.total.load(), 2);
    QCOMPARE(count.done.load(), 2);
    count.stopped = true;
    count.done = 0;
    const auto part = readDataset(folder, &count);
    QVERIFY(part && part->empty());
    QCOMPARE(count.total.load(), 2);
    QCOMPARE(count.done.load(), 0);
}

void DatasetVastTest::sortingMakesEachKeyOnce() {
    constexpr int kMany = 50'000;
    std::vector<DatasetItem> items(kMany);
    for (int i = 0; i < kMany; ++i) {
        DatasetItem& item = items[static_cast<size_t>(i)];
        item.path = u"/birds/%1.png"_s.arg(i);
        item.caption = u"bird %1, snow, winter, branch, small, red, tree, cloudy sky"_s.arg(
            (i * 7919LL) % kMany, 5, 10, QLatin1Char('0'));
    }
    qint64 begun = LoopWatch::computedUs();
    qsizetype tags = 0;
    for (const DatasetItem& item : items) tags += tagsOf(item.caption).size();
    const qint64 onceUs = LoopWatch::computedUs() - begun;
    QCOMPARE(tags, qsizetype{8} * kMany);
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(u"/birds"_s, std::move(items));
    DatasetTable table(model);
    begun = LoopWatch::computedUs();
    table.sort(DatasetTable::Tags, Qt::AscendingOrder);
    const qint64 sortUs = LoopWatch::computedUs() - begun;
    for (const int row : {0, 1, kMany / 2, kMany - 1}) {
        const QString text = table.index(row, DatasetTable::Tags).data().toString();
        QCOMPARE(text.left(10), u"bird %1"_s.arg(row, 5, 10, QLatin1Char('0')));
    }
    qInfo("fifty thousand rows: tags of all take %lld ms, sorting by them %lld ms", onceUs / 1000,
          sortUs / 1000);
    QVERIFY(sortUs < 20 * onceUs); // made for each comparison they would take more than thirty times as long
}

int main(int argc, char** argv) {
    const TestPlace place;
    const QApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.value(1) == QLatin1String(kClose)) return closeAmidWriting(words.value(2));
    DatasetVastTest test(place);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_dataset_vast.moc"

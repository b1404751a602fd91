// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets of many pictures, or on slow drives: what is typed is written in few writes and before the program
// ends, what nobody wants is read no further, and sorting makes each key once.
#include "app/library/background.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/pages/datasets/dataset_table.h"
#include "dataset_fixture.h"
#include "loop_watch.h"

#include <QProcess>
#include <QThread>

#include <memory>
#include <sys/inotify.h>
#include <unistd.h>
#include <vector>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr const char* kClose = "--close";

/// Counts how often files of a folder are replaced, as atomic writes do it.
class Rewrites {
public:
    explicit Rewrites(const QString& folder)
        : m_events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        ::inotify_add_watch(m_events, qPrintable(folder), IN_MOVED_TO);
    }
    ~Rewrites() { ::close(m_events); }
    Rewrites(const Rewrites&) = delete;
    Rewrites& operator=(const Rewrites&) = delete;
    [[nodiscard]] int count() {
        alignas(inotify_event) char bytes[4096];
        for (ssize_t size = 0; (size = ::read(m_events, bytes, sizeof bytes)) > 0;)
            for (ssize_t at = 0; at < size; ++m_count)
                at += ssize_t(sizeof(inotify_event)) + reinterpret_cast<inotify_event*>(bytes + at)->len;
        return m_count;
    }

private:
    int m_events;
    int m_count = 0;
};

/// What a window does that is closed while a disk does not answer and a caption waits for another, slow one.
int closeAmidWriting(const QString& folder) {
    constexpr unsigned long kSlowMs = 12'000; // work that hangs is not waited for as long
    static QSemaphore never;
    workPool().start([] { never.acquire(); });
    writeThread().start([] { QThread::msleep(kSlowMs); });
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(folder, *readDataset(folder));
    model.setCaption(0, QStringLiteral("typed"));
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
    void aReadingThatNobodyWantsIsStopped();
    void picturesFurtherDownAreCountedAndStopped();
    void sortingMakesEachKeyOnce();
};

void DatasetVastTest::manyLettersAreOneWrite() {
    const QString folder =
        makeListed(QStringLiteral("typed into"), "{\"file_name\":\"deep/b.png\",\"text\":\"b\"}\n");
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(folder, *readDataset(folder));
    Rewrites rewrites(folder);
    QString typed;
    {
        const Blocked slow(writeThread()); // a write is under way
        model.setCaption(1, QStringLiteral("an owl"));
        for (int letter = 0; letter < 50; ++letter) model.setCaption(0, typed += QChar(u'x'));
    }
    QCOMPARE(rewrites.count(), 1);
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             "{\"file_name\":\"deep/b.png\",\"text\":\"an owl\"}\n"
             "{\"file_name\":\"a.png\",\"text\":\"" +
                 typed.toUtf8() + "\"}\n");
    model.setCaption(0, QStringLiteral("later"));
    writeThread().waitForDone();
    QCOMPARE(rewrites.count(), 2);
    QVERIFY(bytesOf(folder + QStringLiteral("/metadata.jsonl")).contains("later"));
}

void DatasetVastTest::whatWasTypedIsWrittenBeforeTheProgramEnds() {
    const QString folder = makeFolder(QStringLiteral("closed over"));
    const QString temporary = m_place.path(QStringLiteral("of the window"));
    QVERIFY(QDir().mkpath(temporary));
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(QStringLiteral("TMPDIR"), temporary); // it ends without cleaning up
    QProcess window;
    window.setProcessEnvironment(values);
    window.setProcessChannelMode(QProcess::ForwardedChannels);
    window.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(kClose), folder});
    QVERIFY(window.waitForFinished(60'000)); // though other work never ends
    QCOMPARE(window.exitStatus(), QProcess::NormalExit);
    QCOMPARE(window.exitCode(), 0);
    QCOMPARE(bytesOf(folder + QStringLiteral("/a.txt")), QByteArray("typed"));
}

void DatasetVastTest::aReadingThatNobodyWantsIsStopped() {
    const QString first = makeFolder(QStringLiteral("wanted first"));
    const QString second = makeFolder(QStringLiteral("wanted then"));
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
    const QString folder =
        makeListed(QStringLiteral("named"), "{\"file_name\":\"a.png\",\"text\":\"a\"}\n\n"
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
        item.path = QStringLiteral("/birds/%1.png").arg(i);
        item.caption = QStringLiteral("bird %1, snow, winter, branch, small, red, tree, cloudy sky")
                           .arg((i * 7919LL) % kMany, 5, 10, QLatin1Char('0'));
    }
    qint64 begun = LoopWatch::computedUs();
    qsizetype tags = 0;
    for (const DatasetItem& item : items) tags += tagsOf(item.caption).size();
    const qint64 onceUs = LoopWatch::computedUs() - begun;
    QCOMPARE(tags, qsizetype{8} * kMany);
    QUndoStack undo;
    DatasetModel model(undo);
    model.set(QStringLiteral("/birds"), std::move(items));
    DatasetTable table(model);
    begun = LoopWatch::computedUs();
    table.sort(DatasetTable::Tags, Qt::AscendingOrder);
    const qint64 sortUs = LoopWatch::computedUs() - begun;
    for (const int row : {0, 1, kMany / 2, kMany - 1}) {
        const QString text = table.index(row, DatasetTable::Tags).data().toString();
        QCOMPARE(text.left(10), QStringLiteral("bird %1").arg(row, 5, 10, QLatin1Char('0')));
    }
    qInfo("fifty thousand rows: tags of all take %lld ms, sorting by them %lld ms", onceUs / 1000,
          sortUs / 1000);
    QVERIFY(sortUs < 12 * onceUs); // made for each comparison they would take more than thirty times as long
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

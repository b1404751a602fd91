// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is watched on the disk: a path is looked at once for each change, and found again however its
// file was written.
#include "app/library/file_watch.h"
#include "app/library/watch_places.h"
#include "app_fixture.h"

#include <filesystem>

using namespace homebooth::app;

class FileWatchTest : public QObject {
    Q_OBJECT
public:
    explicit FileWatchTest(const TestPlace&) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void foldersComeFirstAndNothingTwice();
    void aPathIsLookedAtOnceUntilSomethingChanges();
    void aListThatLacksAPathForgetsIt();
    void aFileWrittenAnewIsWatchedAsBefore();
    void fromWhenOnItIsWatchedIsTold();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    /// As programs save: another file takes the name.
    static void write(const QString& path) {
        QFile file(path + u".new"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        std::filesystem::rename(file.fileName().toStdString(), path.toStdString());
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void FileWatchTest::foldersComeFirstAndNothingTwice() {
    write(path("a"));
    WatchPlaces places;
    const QString folder = m_folder->path();
    QCOMPARE(places.of({path("a"), path("missing"), path("a"), folder}), (QStringList{folder, path("a")}));
    QCOMPARE(places.of({}), QStringList());
}

void FileWatchTest::aPathIsLookedAtOnceUntilSomethingChanges() {
    write(path("a"));
    WatchPlaces places;
    QCOMPARE(places.of({path("a")}), QStringList{path("a")});
    QVERIFY(QFile::remove(path("a")));
    QCOMPARE(places.of({path("a"), path("b")}), (QStringList{m_folder->path(), path("a")})); // by then known
    places.forget();
    QCOMPARE(places.of({path("a")}), QStringList{m_folder->path()});
}

void FileWatchTest::aListThatLacksAPathForgetsIt() {
    WatchPlaces places;
    QCOMPARE(places.of({path("a")}), QStringList{m_folder->path()});
    QCOMPARE(places.of({}), QStringList());
    write(path("a"));
    QCOMPARE(places.of({path("a")}), QStringList{path("a")});
}

void FileWatchTest::aFileWrittenAnewIsWatchedAsBefore() {
    write(path("a"));
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    QSignalSpy begun(&watch, &FileWatch::begun);
    const QStringList paths{path("a")};
    connect(&watch, &FileWatch::changed, this, [&watch, &paths] { watch.set(paths); }); // as its owners do
    watch.set(paths);
    for (qsizetype times = 1; times <= 3; ++times) {
        QTRY_VERIFY(begun.size() >= times); // each time it is another file
        QTest::qWait(500);                  // what was told is over
        const qsizetype before = changed.size();
        write(path("a"));
        QTRY_VERIFY(changed.size() > before);
        QCOMPARE(changed.back().front().toStringList(), paths);
    }
}

void FileWatchTest::fromWhenOnItIsWatchedIsTold() {
    write(path("a"));
    write(path("b"));
    const QString folder = m_folder->path();
    FileWatch watch;
    QSignalSpy begun(&watch, &FileWatch::begun);
    QSignalSpy changed(&watch, &FileWatch::changed);
    const auto news = [&begun] {
        QStringList places = begun.back().front().toStringList();
        places.sort();
        return places;
    };
    watch.set({path("a"), folder});
    QCOMPARE(begun.size(), 0); // what changes until then nobody tells
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(news(), (QStringList{folder, path("a")}));
    watch.set({folder, path("a")}); // no news
    watch.set({folder, path("a"), path("b"), path("missing")});
    QTRY_COMPARE(begun.size(), 2);
    QCOMPARE(news(), QStringList{path("b")});
    write(path("b")); // at once: it is watched by now
    QTRY_VERIFY(!changed.isEmpty());
    QTRY_COMPARE(begun.size(), 3); // that is another file
    QCOMPARE(news(), QStringList{path("b")});
    QVERIFY(QDir().mkpath(path("deep")));
    watch.set({path("deep")});
    watch.set({});
    QTest::qWait(300);
    QCOMPARE(begun.size(), 3); // nobody wants to know of any by then
}

HOMEBOOTH_APP_TEST_MAIN(FileWatchTest)
#include "tst_file_watch.moc"

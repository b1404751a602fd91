// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is watched on the disk: a path is looked at once for each change, and found again however its
// file was written.
#include "app/library/file_watch.h"
#include "app/library/watch_places.h"
#include "app_fixture.h"

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

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    /// As programs save: another file takes the name.
    static void write(const QString& path) {
        QFile file(path + QStringLiteral(".new"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QFile::remove(path);
        QVERIFY(QFile::rename(file.fileName(), path));
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
    const QStringList paths{path("a")};
    connect(&watch, &FileWatch::changed, this, [&watch, &paths] { watch.set(paths); }); // as its owners do
    watch.set(paths);
    for (qsizetype times = 1; times <= 3; ++times) {
        QTest::qWait(500); // until it is watched, and what was told is over
        const qsizetype before = changed.size();
        write(path("a"));
        QTRY_VERIFY(changed.size() > before);
        QCOMPARE(changed.back().front().toStringList(), paths);
    }
}

HOMEBOOTH_APP_TEST_MAIN(FileWatchTest)
#include "tst_file_watch.moc"

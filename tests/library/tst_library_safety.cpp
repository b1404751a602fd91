// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to the library when things go wrong: kills, damage, locks, full disks, other versions.
#include "core/library/prompt_store.h"
#include "core/library/schema.h"
#include "core/library/subject_store.h"
#include "library_file.h"

#include <SQLiteCpp/Database.h>

#include <QDir>
#include <QRandomGenerator>

#include <csignal>
#include <linux/capability.h>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth::core;

namespace {

/// From now on root may do no more than the owner of its files. False: it still may.
bool giveUpRootsRights() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    return ::geteuid() != 0 || ::syscall(SYS_capset, &header, none) == 0;
}

/// Commits one prompt after another for ever and says each number that is committed.
[[noreturn]] void writePromptsForEver(const std::string& path, int64_t first, int said) {
    auto library = Library::open(path);
    if (!library) _exit(9);
    for (int64_t number = first;; ++number) {
        const Prompt prompt{number, "prompt " + std::to_string(number), "", false, number, 0};
        if (!savePrompt(**library, prompt)) _exit(8);
        if (::write(said, &number, sizeof number) != sizeof number) _exit(7);
    }
}

/// Lets a child commit at least `commits` times and go on for `microseconds`, kills it, and returns the last
/// number that it said.
int64_t killWriter(const std::string& path, int64_t first, int commits, unsigned microseconds) {
    int ends[2];
    if (::pipe(ends) != 0) return -1;
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        writePromptsForEver(path, first, ends[1]);
    }
    ::close(ends[1]);
    int64_t last = first - 1;
    for (int64_t number = 0; commits > 0 && ::read(ends[0], &number, sizeof number) == sizeof number;
         --commits)
        last = number;
    ::usleep(microseconds);
    ::kill(child, SIGKILL);
    for (int64_t number = 0; ::read(ends[0], &number, sizeof number) == sizeof number;) last = number;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? last : -1;
}

} // namespace

class LibrarySafetyTest : public LibraryFileTest {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { m_library.reset(); }
    void losesNothingCommittedUnderKills();
    void refusesANewerVersionUntouched();
    void refusesANewerVersionThatIsOnlyInTheLog();
    void refusesOtherProgramsFilesUntouched();
    void refusesAFileThatMayOnlyBeRead();
    void saysThatTheDiskIsFull();
    void saysThatAnotherProgramHoldsTheLock();
    void letsOnlyOneProcessIn();
    void backsUpBeforeAMigration();
    void takesNoEmptyCopyForABackup();
    void keepsFiveBackups();
    void aBackupFromTheFutureIsNoneOfTheNewest();
    void backsUpWhatChangedWhenItCloses();
    void backsUpDailyWhileItIsOpen();
    void closingOftenLeavesEarlierDays();
    void keepsTheGoodBackupsOfALibraryDamagedWhileOpen();
    void removesWhatBackupsThatWereCutOffLeft();
    void leavesOutAPhotoWhoseSubjectIsGone();
    void saysWhatTheRowsReadersThrow();
};

void LibrarySafetyTest::losesNothingCommittedUnderKills() {
    constexpr int kKills = 200;
    int64_t committed = 0;
    int productive = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        // Every fourth kill may come while the library is being opened.
        const int commits = QRandomGenerator::global()->bounded(4);
        const auto wait = static_cast<unsigned>(QRandomGenerator::global()->bounded(4000));
        const int64_t last = killWriter(m_path, committed + 1, commits, wait);
        QVERIFY2(last >= committed, "the writer ended by itself");
        open();
        QVERIFY(!m_library->recovery().recovered);
        const auto prompts = findPrompts(*m_library, "", 1'000'000);
        QVERIFY(prompts);
        const auto found = static_cast<int64_t>(prompts->size());
        QVERIFY2(found >= last, qPrintable(QString("%1 of %2 left").arg(found).arg(last)));
        productive += found > committed ? 1 : 0;
        committed = found;
        m_library.reset();
    }
    QVERIFY2(productive > kKills / 4, qPrintable(QString::number(productive)));
}

void LibrarySafetyTest::refusesANewerVersionUntouched() {
    open();
    m_library.reset();
    {
        SQLite::Database raw(m_path, SQLite::OPEN_READWRITE);
        raw.exec("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99");
    }
    const QByteArray before = contentOf(m_file);
    const auto opened = Library::open(m_path);
    QVERIFY(!opened);
    QVERIFY(opened.error().message.find("newer") != std::string::npos);
    QVERIFY(contentOf(m_file) == before);
    QVERIFY(!QFile::exists(m_file + "-wal"));
}

void LibrarySafetyTest::refusesANewerVersionThatIsOnlyInTheLog() {
    open();
    m_library.reset();
    SQLite::Database other(m_path, SQLite::OPEN_READWRITE);
    other.exec("PRAGMA user_version = 99");
    const QByteArray before = contentOf(m_file);
    QVERIFY(QFile::exists(m_file + "-wal"));
    const auto opened = Library::open(m_path);
    QVERIFY(!opened);
    QVERIFY(opened.error().message.find("newer") != std::string::npos);
    QVERIFY(contentOf(m_file) == before);
}

void LibrarySafetyTest::refusesOtherProgramsFilesUntouched() {
    {
        SQLite::Database raw(m_path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        raw.exec("CREATE TABLE songs(title TEXT)");
    }
    const QByteArray before = contentOf(m_file);
    QVERIFY(!Library::open(m_path));
    QVERIFY(contentOf(m_file) == before);
    {
        SQLite::Database raw(m_path, SQLite::OPEN_READWRITE);
        raw.exec("PRAGMA application_id = 7");
    }
    const QByteArray named = contentOf(m_file);
    QVERIFY(!Library::open(m_path));
    QVERIFY(contentOf(m_file) == named);
}

void LibrarySafetyTest::saysThatTheDiskIsFull() {
    open();
    QVERIFY(m_library->read([](SQLite::Database& database) {
        const int pages = database.execAndGet("PRAGMA page_count").getInt();
        database.exec("PRAGMA max_page_count = " + std::to_string(pages + 2));
    }));
    const Prompt large{1, std::string(100000, 'x'), "", false, 0, 0};
    const auto written = savePrompt(*m_library, large);
    QVERIFY(!written);
    QVERIFY(written.error().code == ErrorCode::OutOfResources);
    QVERIFY(notePromptUse(*m_library, "small ones still fit", ""));
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibrarySafetyTest::saysThatAnotherProgramHoldsTheLock() {
    LibraryOptions options;
    options.busyTimeoutMs = 20;
    auto opened = Library::open(m_path, options);
    QVERIFY(opened);
    SQLite::Database other(m_path, SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    const auto written = notePromptUse(**opened, "later", "");
    QVERIFY(!written);
    QVERIFY(written.error().message.find("another program") != std::string::npos);
    other.exec("ROLLBACK");
    QVERIFY(notePromptUse(**opened, "later", ""));
}

void LibrarySafetyTest::letsOnlyOneProcessIn() {
    open();
    const pid_t child = ::fork();
    if (child == 0) _exit(Library::open(m_path) ? 1 : 0);
    int status = -1;
    ::waitpid(child, &status, 0);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void LibrarySafetyTest::backsUpBeforeAMigration() {
    open();
    QVERIFY(notePromptUse(*m_library, "of before", ""));
    m_library.reset();
    // A library that an older Homebooth left: the last migration is still to come.
    LibraryOptions options;
    options.lastMigration = librarySchemaVersion() - 1;
    m_path += ".old";
    QVERIFY(Library::open(m_path, options));
    const size_t backups = listBackups(m_path).size();
    open();
    QCOMPARE(listBackups(m_path).size(), backups + 1);
}

void LibrarySafetyTest::refusesAFileThatMayOnlyBeRead() {
    open();
    m_library.reset();
    QVERIFY(QFile::remove(m_file + ".lock"));
    QCOMPARE(::chmod(m_path.c_str(), 0444), 0);
    const QByteArray before = contentOf(m_file);
    const pid_t child = ::fork();
    if (child == 0) {
        if (!giveUpRootsRights()) _exit(3); // which write everything
        const auto opened = Library::open(m_path);
        if (opened) _exit(2);
        _exit(opened.error().text().find("may only be read") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QCOMPARE(contentOf(m_file), before);
}

void LibrarySafetyTest::takesNoEmptyCopyForABackup() {
    LibraryOptions options;
    options.busyTimeoutMs = 20;
    auto opened = Library::open(m_path, options);
    QVERIFY(opened);
    Library& library = **opened;
    QVERIFY(notePromptUse(library, "kept", ""));
    // As on a disk of the network, where there may be no log beside the file: who writes holds all of it.
    QVERIFY(library.read([](SQLite::Database& database) { database.exec("PRAGMA journal_mode = DELETE"); }));
    const size_t before = listBackups(m_path).size();
    SQLite::Database other(m_path, SQLite::OPEN_READWRITE);
    other.exec("BEGIN EXCLUSIVE");
    const auto copied = library.backUp();
    QVERIFY(!copied);
    QVERIFY(copied.error().message.find("another program") != std::string::npos);
    QCOMPARE(listBackups(m_path).size(), before);
    other.exec("ROLLBACK");
    QVERIFY(library.backUp());
}

void LibrarySafetyTest::keepsFiveBackups() {
    open();
    for (int i = 0; i < 8; ++i) {
        QTest::qSleep(2);
        QVERIFY(m_library->backUp());
    }
    QCOMPARE(listBackups(m_path).size(), size_t{5});
}

void LibrarySafetyTest::aBackupFromTheFutureIsNoneOfTheNewest() {
    open();
    QVERIFY(notePromptUse(*m_library, "old", ""));
    const auto old = m_library->backUp();
    QVERIFY(old);
    // As if the clock had been wrong by centuries when it was made.
    const QString future = m_folder->filePath("backups/library-9999999999999.db");
    QVERIFY(QFile::rename(QString::fromStdString(*old), future));
    QVERIFY(notePromptUse(*m_library, "new", ""));
    for (int i = 0; i < 5; ++i) {
        QTest::qSleep(2);
        const auto last = m_library->backUp();
        QVERIFY(last);
        QCOMPARE(listBackups(m_path).front().path, *last); // that a damaged library is restored from
    }
    QVERIFY(!QFile::exists(future)); // the first one to go
}

void LibrarySafetyTest::backsUpWhatChangedWhenItCloses() {
    open();
    QCOMPARE(listBackups(m_path).size(), size_t{1}); // of the empty one
    QVERIFY(notePromptUse(*m_library, "typed", ""));
    QTest::qSleep(2);
    m_library.reset();
    QCOMPARE(listBackups(m_path).size(), size_t{2});
    open();
    m_library.reset(); // nothing changed
    QCOMPARE(listBackups(m_path).size(), size_t{2});
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    open();
    QVERIFY(m_library->recovery().recovered);
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibrarySafetyTest::backsUpDailyWhileItIsOpen() {
    LibraryOptions options;
    options.backUpEveryMs = 300;
    auto opened = Library::open(m_path, options);
    QVERIFY(opened);
    Library& library = **opened;
    QTest::qSleep(310);
    QVERIFY(library.backUpDaily()); // nothing changed
    QCOMPARE(listBackups(m_path).size(), size_t{1});
    QVERIFY(notePromptUse(library, "typed", ""));
    QVERIFY(library.backUpDaily());
    QCOMPARE(listBackups(m_path).size(), size_t{2});
    options.backUpEveryMs = LibraryOptions().backUpEveryMs;
    opened->reset();
    opened = Library::open(m_path, options);
    QVERIFY(opened);
    QVERIFY(notePromptUse(**opened, "typed later", ""));
    QVERIFY((*opened)->backUpDaily()); // the last one is of today
    QCOMPARE(listBackups(m_path).size(), size_t{2});
}

void LibrarySafetyTest::closingOftenLeavesEarlierDays() {
    open();
    const std::string first = listBackups(m_path).front().path;
    for (int i = 0; i < 8; ++i) {
        open();
        QVERIFY(notePromptUse(*m_library, "prompt " + std::to_string(i), ""));
        QTest::qSleep(2);
        m_library.reset();
    }
    const std::vector<BackupFile> backups = listBackups(m_path);
    QCOMPARE(backups.size(), size_t{2});
    QCOMPARE(backups.back().path, first);
}

void LibrarySafetyTest::keepsTheGoodBackupsOfALibraryDamagedWhileOpen() {
    open();
    for (int64_t i = 1; i <= 500; ++i)
        QVERIFY(savePrompt(*m_library, {i, std::string(200, 'x') + std::to_string(i), "", false, i, 0}));
    const auto good = m_library->backUp();
    QVERIFY(good);
    QVERIFY(m_library->read([](SQLite::Database& database) {
        database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = 1; PRAGMA shrink_memory");
    }));
    QVERIFY(notePromptUse(*m_library, "typed", ""));
    const qint64 size = QFileInfo(m_file).size();
    overwrite(m_file, 4096, QByteArray(int(size) - 8192, '\x5a'));
    QVERIFY(!m_library->backUp());
    m_library.reset();
    QCOMPARE(listBackups(m_path).front().path, *good);
    const QDir backups(m_folder->filePath("backups")); // nothing is left of those that came to nothing
    QCOMPARE(backups.entryList({"*.partial*"}, QDir::Files), QStringList());
}

void LibrarySafetyTest::removesWhatBackupsThatWereCutOffLeft() {
    const QDir backups(m_folder->filePath("backups"));
    QVERIFY(backups.mkpath("."));
    const QString others = "library-2-1790000000000.db.partial"; // of a library of another name
    for (const QString& name : {QString("library-1790000000000.db.partial"),
                                QString("library-1790000000000.db.partial-journal"), others})
        overwrite(backups.filePath(name), 0, "half");
    open();
    QCOMPARE(backups.entryList({"*.partial*"}, QDir::Files), QStringList{others});
    QCOMPARE(listBackups(m_path).size(), size_t{1});
}

void LibrarySafetyTest::leavesOutAPhotoWhoseSubjectIsGone() {
    open();
    const Subject kept{7, "robot toy", "toy", false, "ohwx", 1, {}};
    QVERIFY(saveSubject(*m_library, kept, 0));
    SQLite::Database raw(m_path, SQLite::OPEN_READWRITE);
    raw.exec(
        "PRAGMA foreign_keys = OFF; INSERT INTO photos(id, subject_id, path, position, caption, left_out)"
        " VALUES(1, 12345, '/photos/lost.jpg', 0, '', 0)");
    const auto subjects = loadSubjects(*m_library);
    QVERIFY2(subjects, subjects ? "" : subjects.error().text().c_str());
    QVERIFY(*subjects == std::vector<Subject>{kept});
}

void LibrarySafetyTest::saysWhatTheRowsReadersThrow() {
    open();
    const auto throws = [](SQLite::Database&) { throw std::out_of_range("no such row"); };
    const auto read = m_library->read(throws);
    QVERIFY(!read && read.error().message.find("no such row") != std::string::npos);
    const auto written = m_library->write([&throws](SQLite::Database& database) {
        database.exec("DELETE FROM subjects; INSERT INTO subjects(id, name, class_noun, class_guessed,"
                      " trigger_word, position, created_ms) VALUES(1, 'half', '', 0, '', 0, 0)");
        throws(database);
    });
    QVERIFY(!written);
    QVERIFY(loadSubjects(*m_library)->empty()); // nothing of it is kept
}

QTEST_APPLESS_MAIN(LibrarySafetyTest)
#include "tst_library_safety.moc"

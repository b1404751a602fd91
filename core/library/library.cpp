// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/library.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/log.h"
#include "core/library/library_files.h"
#include "core/library/schema.h"
#include "core/library/search_function.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <random>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMissing = "the file is missing or empty";

bool meansDamage(const SQLite::Exception& thrown) {
    return thrown.getErrorCode() == SQLITE_CORRUPT || thrown.getErrorCode() == SQLITE_NOTADB;
}

Error libraryError(const SQLite::Exception& thrown, const std::string& path) {
    const std::string what = thrown.what();
    switch (thrown.getErrorCode()) {
    case SQLITE_FULL:
        return {ErrorCode::OutOfResources, "cannot write the library: the disk is full; free some space",
                path};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return badInput("cannot write the library: another program holds it; close that program", path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return badInput("cannot write the library (" + what + "); check the folder's permissions", path);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return badInput("the library is damaged (" + what + "); start Homebooth again to restore it", path);
    default:
        return badInput("the library could not do this: " + what, path);
    }
}

/// The first fault that SQLite finds; empty if there is none.
std::string firstFault(SQLite::Database& database) {
    SQLite::Statement check(database, "PRAGMA integrity_check(1)");
    check.executeStep();
    const std::string text = check.getColumn(0).getString();
    return text == "ok" ? std::string() : text;
}

void setUp(SQLite::Database& database, int busyTimeoutMs) {
    database.setBusyTimeout(busyTimeoutMs);
    database.exec("PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                  "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON;");
    addSearchFunction(database);
}

int userVersion(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

Error newerVersion(int found, const std::string& path) {
    return badInput("the library is of a newer Homebooth (version " + std::to_string(found) +
                        ", this one knows " + std::to_string(librarySchemaVersion()) +
                        "); nothing was changed; install the newer Homebooth again",
                    path);
}

Error foreignFile(const std::string& path) {
    return badInput("expected a library of Homebooth, found another program's file; nothing was changed; "
                    "move it away",
                    path);
}

/// What can be said of the file before SQLite opens it. @returns how it is damaged; empty if it is not
Result<std::string> damageOf(const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::optional<DatabaseHeader> header, readDatabaseHeader(path));
    // One that was there before has backups: a full disk, or what cleans up, may have left nothing else. A
    // new library in its place would drive them out, one closing after another.
    if (!header) return listBackups(path).empty() ? std::string() : std::string(kMissing);
    if (!header->database) return std::string("the file does not begin as a database");
    if (header->applicationId != 0 && header->applicationId != kLibraryApplicationId)
        return foreignFile(path);
    if (header->userVersion > librarySchemaVersion() && header->applicationId == kLibraryApplicationId)
        return newerVersion(header->userVersion, path);
    return std::string();
}

/// Lays a backup to the library's place. @returns whether it is one: of an empty file SQLite makes a library
/// without anything, and finds no fault in it
Result<bool> layBackup(const std::string& backup, const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::optional<DatabaseHeader> header, readDatabaseHeader(backup));
    if (!header || !header->database || header->applicationId != kLibraryApplicationId) return false;
    std::error_code code;
    fs::copy_file(backup, path, fs::copy_options::overwrite_existing, code);
    if (code) return systemError("restore the library", backup, code.value());
    return true;
}

/// Backups of which none could be restored are for somebody who can do more with them: under their names
/// those of the new library would drive them out.
void keepFromPruning(const std::vector<BackupFile>& backups) {
    for (const BackupFile& backup : backups) {
        std::error_code ignored;
        fs::rename(backup.path, backup.path + ".damaged", ignored);
    }
}

/// Copies a whole database into a new file and checks that. Errors: as Library::write
Result<void> copyInto(const std::string& partial, SQLite::Database& source) {
    try {
        SQLite::Database copy(partial, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        // Of a source that another program holds it copies nothing, and throws nothing.
        if (SQLite::Backup(copy, source).executeStep(-1) != SQLITE_DONE)
            return badInput("cannot back up the library: another program holds it; close that program",
                            partial);
        copy.exec("PRAGMA journal_mode = DELETE");
        const std::string fault = firstFault(copy);
        return fault.empty() ? Result<void>()
                             : badInput("the library's backup is damaged: " + fault, partial);
    } catch (const SQLite::Exception& thrown) {
        return libraryError(thrown, partial);
    }
}

/// Lays a checked copy to its place, or nothing. Errors: as Library::write
Result<void> copyDatabase(SQLite::Database& source, const std::string& target) {
    const std::string partial = target + kPartialBackup;
    std::error_code code;
    Result<void> copied = copyInto(partial, source);
    if (copied) {
        fs::rename(partial, target, code);
        if (code) copied = systemError("write the library's backup", target, code.value());
    }
    if (!copied) fs::remove(partial, code); // each try has a name of its own: they would fill the disk
    return copied;
}

} // namespace

/// Keeps the lock out of the header.
struct Library::Lock {
    RunLock held;
};

Library::Library(std::string path, LibraryOptions options)
    : m_path(std::move(path))
    , m_options(options) {}

Library::~Library() {
    if (m_savedChanges >= 0) backUpAtClosing();
}

Result<std::unique_ptr<Library>> Library::open(const std::string& path, const LibraryOptions& options) {
    std::error_code code;
    const fs::path folder = fs::absolute(path, code).parent_path();
    if (!code) fs::create_directories(folder, code);
    if (code) return systemError("make the library's folder", folder.string(), code.value());
    std::unique_ptr<Library> library(new Library(path, options));
    auto lock = RunLock::acquire(path + ".lock", "the library");
    if (!lock) return lock.error();
    library->m_lock = std::make_unique<Lock>(Lock{std::move(*lock)});
    HOMEBOOTH_CHECK(library->openOrRecover());
    HOMEBOOTH_CHECK(library->migrate());
    if (const auto copied = library->backUpAtOpening(); !copied)
        log(LogLevel::Warning, copied.error().text()); // a full disk must not keep the user from the library
    library->m_savedChanges = library->changes();
    return library;
}

Result<void> Library::openOrRecover() {
    HOMEBOOTH_ASSIGN(const std::string damage, damageOf(m_path));
    m_recovery.missing = damage == kMissing;
    if (!damage.empty()) return recover(damage);
    auto opened = openChecked();
    if (opened || !m_damaged) return opened;
    return recover(opened.error().message);
}

Result<void> Library::openChecked() {
    try {
        m_database = std::make_unique<SQLite::Database>(m_path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        m_database->setBusyTimeout(m_options.busyTimeoutMs);
        // The log may hold a newer version than the file's header.
        const int found = userVersion(*m_database);
        if (found > librarySchemaVersion()) {
            sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
            m_database.reset();
            return newerVersion(found, m_path);
        }
        const bool tables = m_database->execAndGet("SELECT count(*) FROM sqlite_master").getInt() > 0;
        if (tables && m_database->execAndGet("PRAGMA application_id").getInt() != kLibraryApplicationId) {
            m_database.reset();
            return foreignFile(m_path);
        }
        // SQLite opens a file that it may not write all the same; then every change would fail.
        if (sqlite3_db_readonly(m_database->getHandle(), "main") == 1) {
            m_database.reset();
            return badInput("expected a library that can be written, found a file that may only be read; "
                            "nothing was changed; check its permissions, and whether the disk is read-only",
                            m_path);
        }
        setUp(*m_database, m_options.busyTimeoutMs);
        const std::string fault = firstFault(*m_database);
        if (fault.empty()) return {};
        m_damaged = true;
        m_database.reset();
        return badInput(fault, m_path);
    } catch (const SQLite::Exception& thrown) {
        m_damaged = meansDamage(thrown);
        m_database.reset();
        return libraryError(thrown, m_path);
    }
}

Result<void> Library::recover(const std::string& reason) {
    m_recovery.recovered = true;
    m_recovery.reason = reason;
    HOMEBOOTH_ASSIGN(m_recovery.damagedFile, putDatabaseAside(m_path, nowMs()));
    std::optional<Error> unread;
    const std::vector<BackupFile> backups = listBackups(m_path);
    for (const BackupFile& backup : backups) {
        const auto laid = layBackup(backup.path, m_path);
        if (!laid) unread = laid.error();
        if (!laid || !*laid) continue;
        m_damaged = false;
        if (const auto opened = openChecked(); opened) {
            m_recovery.backupFile = backup.path;
            m_recovery.backupMs = backup.madeMs;
            return {};
        } else if (!m_damaged) {
            return opened;
        }
        std::error_code ignored;
        fs::remove(m_path, ignored);
    }
    m_damaged = false;
    if (unread) {
        // Without it the next start would find nothing and begin anew, for all that the backups hold.
        HOMEBOOTH_CHECK(takeDatabaseBack(m_recovery.damagedFile, m_path));
        return *unread;
    }
    keepFromPruning(backups);
    return openChecked(); // a new, empty one
}

Result<void> Library::migrate() {
    const int last = m_options.lastMigration > 0 ? m_options.lastMigration : librarySchemaVersion();
    int version = 0;
    HOMEBOOTH_CHECK(read([&version](SQLite::Database& database) { version = userVersion(database); }));
    if (version > 0 && version < last) HOMEBOOTH_CHECK(backUp());
    for (const Migration& migration : libraryMigrations()) {
        if (migration.number <= version || migration.number > last) continue;
        HOMEBOOTH_CHECK(write([&migration](SQLite::Database& database) {
            database.exec(migration.sql);
            database.exec("PRAGMA application_id = " + std::to_string(kLibraryApplicationId));
            database.exec("PRAGMA user_version = " + std::to_string(migration.number));
        }));
    }
    return {};
}

Result<void> Library::write(const std::function<void(SQLite::Database&)>& change) {
    return read([&change](SQLite::Database& database) {
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        change(database);
        transaction.commit();
    });
}

Result<void> Library::read(const std::function<void(SQLite::Database&)>& question) const {
    try {
        question(*m_database);
        return {};
    } catch (const SQLite::Exception& thrown) {
        return libraryError(thrown, m_path);
    } catch (const std::exception& thrown) { // of what reads the rows: the caller's thread takes none
        return badInput("the library holds what was not expected: " + std::string(thrown.what()), m_path);
    }
}

Result<std::string> Library::backUp() {
    removePartialBackups(m_path); // nobody else makes one: this process holds the library's lock
    HOMEBOOTH_ASSIGN(const std::string path, newBackupPath(m_path, nowMs()));
    HOMEBOOTH_CHECK(copyDatabase(*m_database, path));
    if (m_savedChanges >= 0) m_savedChanges = changes();
    const std::vector<BackupFile> backups = listBackups(m_path);
    for (size_t i = static_cast<size_t>(m_options.keepBackups); i < backups.size(); ++i) {
        std::error_code ignored;
        fs::remove(backups[i].path, ignored);
    }
    return path;
}

int Library::changes() const {
    return sqlite3_total_changes(m_database->getHandle());
}

bool Library::lastBackupIsOld() const {
    const std::vector<BackupFile> backups = listBackups(m_path);
    if (backups.empty()) return true;
    const int64_t age = nowMs() - backups.front().madeMs;
    return age < 0 || age >= m_options.backUpEveryMs; // below 0: of a clock that was wrong
}

Result<void> Library::backUpAtOpening() {
    if (!lastBackupIsOld()) return {};
    const auto copied = backUp();
    return copied ? Result<void>() : copied.error();
}

Result<void> Library::backUpDaily() {
    return changes() == m_savedChanges ? Result<void>() : backUpAtOpening();
}

void Library::backUpAtClosing() {
    if (changes() == m_savedChanges) return;
    if (const auto copied = backUp(); !copied)
        log(LogLevel::Warning, copied.error().text());
    else
        dropBackupOfTheSameDay();
}

/// Many closings in a day would leave nothing of earlier days among the backups that are kept.
void Library::dropBackupOfTheSameDay() const {
    const std::vector<BackupFile> backups = listBackups(m_path);
    if (backups.size() < 3) return;
    const int64_t span = backups[0].madeMs - backups[2].madeMs;
    if (span < 0 || span >= m_options.backUpEveryMs) return; // below 0: of a clock that was wrong
    const auto header = readDatabaseHeader(backups[1].path);
    const bool ofThisVersion = header && *header && (*header)->userVersion == librarySchemaVersion();
    std::error_code ignored;
    if (ofThisVersion) fs::remove(backups[1].path, ignored); // one of before a migration stays
}

int64_t newRecordId() {
    static thread_local std::mt19937_64 chance{std::random_device{}()};
    static std::atomic<int64_t> last{0};
    constexpr int kChanceBits = 20;
    const int64_t drawn = nowMs() << kChanceBits | static_cast<int64_t>(chance() & ((1 << kChanceBits) - 1));
    int64_t before = last.load();
    int64_t id = 0;
    do {
        id = std::max(drawn, before + 1); // two draws of one millisecond may be equal
    } while (!last.compare_exchange_weak(before, id));
    return id;
}

int64_t nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's library, one SQLite file: what was typed (subjects, captions, crops, prompts, favourites, queue)
// and an index of runs and pictures, which can be rebuilt from the folders.
// Owned by one thread, which does all reading and writing. Invariants:
// 1. One process writes: a lock beside the file belongs to it.
// 2. A file of a newer Homebooth or of another program is refused and not changed by a byte.
// 3. Before a migration, once a day and at closing, a checked copy is laid into "backups" beside the file.
// 4. A damaged file is put aside, never deleted, and the newest good backup takes its place, as it does where
//    the file is gone or empty. To begin anew "backups" has to go, too.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace SQLite {
class Database;
}

namespace homebooth::core {

/// What opening had to mend, for a message to the user.
struct LibraryRecovery {
    bool recovered = false;
    bool missing = false;    ///< the file was gone or empty, not damaged
    std::string damagedFile; ///< where the damaged file lies now; empty: it was gone
    std::string backupFile;  ///< what it was restored from; empty: there was none, the library is new
    int64_t backupMs = 0;    ///< when that was made, since 1970
    std::string reason;      ///< what SQLite said
};

struct LibraryOptions {
    int busyTimeoutMs = 5000; ///< how long to wait for a lock that another program holds
    int keepBackups = 5;
    int64_t backUpEveryMs = int64_t{24} * 3600 * 1000; ///< while something changes
    int lastMigration = 0;                             ///< for tests: stop after this one; 0: all
};

class Library {
public:
    /// Opens or makes the library, brings it to the present schema and checks it.
    /// Errors: BadInput: in use by another process, of a newer version, not a library, damaged beyond
    ///         recovery; OutOfResources: full disk
    [[nodiscard]] static Result<std::unique_ptr<Library>> open(const std::string& path,
                                                               const LibraryOptions& options = {});
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const LibraryRecovery& recovery() const { return m_recovery; }

    /// Runs `change` in one transaction: all of it is on disk afterwards, or nothing.
    /// Errors: OutOfResources for a full disk; BadInput for a lock, damage or a broken rule of the schema
    [[nodiscard]] Result<void> write(const std::function<void(SQLite::Database&)>& change);

    /// Runs `question` and takes what it throws. Errors: as write
    [[nodiscard]] Result<void> read(const std::function<void(SQLite::Database&)>& question) const;

    /// Lays a checked copy into "backups" and drops the oldest beyond those to keep. @returns its path
    [[nodiscard]] Result<std::string> backUp();

    /// Backs up if something changed since the last backup and that is a day old. To be asked now and then.
    [[nodiscard]] Result<void> backUpDaily();

private:
    struct Lock;
    Library(std::string path, LibraryOptions options);
    [[nodiscard]] Result<void> openOrRecover();
    [[nodiscard]] Result<void> openChecked();
    [[nodiscard]] Result<void> migrate();
    [[nodiscard]] Result<void> recover(const std::string& reason);
    [[nodiscard]] Result<void> backUpAtOpening();
    void backUpAtClosing();
    void dropBackupOfTheSameDay() const;
    [[nodiscard]] int changes() const;
    [[nodiscard]] bool lastBackupIsOld() const;

    std::string m_path;
    LibraryOptions m_options;
    std::unique_ptr<Lock> m_lock;
    std::unique_ptr<SQLite::Database> m_database;
    LibraryRecovery m_recovery;
    bool m_damaged = false;
    int m_savedChanges = -1; ///< how many there were at the last backup; below 0: opening is not done
};

/// A new key, larger than all before it in this process: the time in its upper bits, chance in its lower
/// ones, so that undoing a removal can bring a row back under its own key and two threads never wait for each
/// other. Any thread.
[[nodiscard]] int64_t newRecordId();

/// Milliseconds since 1970, UTC.
[[nodiscard]] int64_t nowMs();

} // namespace homebooth::core

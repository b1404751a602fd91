// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/forgetting.h"

#include "core/library/library_files.h"
#include "core/library/schema.h"
#include "core/library/statements.h"

#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <exception>
#include <filesystem>
#include <system_error>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

void forgetIn(SQLite::Database& backup, const Prompt* one) {
    SQLite::Transaction transaction(backup);
    constexpr const char* kGonePictures =
        "DELETE FROM pictures WHERE id NOT IN (SELECT id FROM now.pictures)";
    if (one != nullptr) {
        execute(backup, "DELETE FROM prompts WHERE text = ? AND negative = ?", one->text, one->negative);
        execute(backup, std::string(kGonePictures) + " AND prompt = ?", one->text);
    } else {
        backup.exec("DELETE FROM prompts");
        backup.exec(kGonePictures);
    }
    // They were made or dropped: their prompts lie in texts of several kinds.
    backup.exec("DELETE FROM queue WHERE id NOT IN (SELECT id FROM now.queue)");
    transaction.commit();
}

/// @returns whether it is done; else the backup is as it was
bool rewrite(const std::string& backup, const std::string& library, const Prompt* one) {
    const auto header = readDatabaseHeader(backup);
    if (!header || !*header || (*header)->applicationId != kLibraryApplicationId) return false;
    if ((*header)->userVersion > librarySchemaVersion()) return false; // nobody knows what its rows mean
    const std::string partial = backup + kPartialBackup;
    std::error_code code;
    fs::copy_file(backup, partial, fs::copy_options::overwrite_existing, code);
    try {
        if (!code) {
            SQLite::Database copy(partial, SQLite::OPEN_READWRITE);
            copy.exec("PRAGMA secure_delete = ON");
            execute(copy, "ATTACH DATABASE ? AS now", library);
            forgetIn(copy, one);
            copy.exec("DETACH DATABASE now");
            copy.exec("VACUUM");
        }
    } catch (const std::exception&) { // damaged, or no room
        code = std::make_error_code(std::errc::io_error);
    }
    if (!code) fs::rename(partial, backup, code);
    if (!code) return true;
    std::error_code ignored;
    fs::remove(partial, ignored);
    return false;
}

/// Takes what was removed out of the library's file, also what was removed before, when its bytes stayed.
/// Errors: as Library::write
Result<void> clean(Library& library) {
    const auto packed = library.read([](SQLite::Database& database) { database.exec("VACUUM"); });
    // Until then the file is as it was, also where there was no room for all of it.
    HOMEBOOTH_CHECK(library.read([](SQLite::Database& database) {
        if (database.execAndGet("PRAGMA wal_checkpoint(TRUNCATE)").getInt() != 0) // it throws nothing
            throw SQLite::Exception("somebody reads it", SQLITE_BUSY);
    }));
    return packed;
}

} // namespace

Result<LeftFiles> forgetPrompts(Library& library, const Prompt* one) {
    // The library itself comes last: cut off before, the prompt is still there to be forgotten.
    LeftFiles left = listPutAside(library.path());
    removePartialBackups(library.path());
    for (const BackupFile& backup : listBackups(library.path()))
        if (!rewrite(backup.path, library.path(), one)) left.push_back(backup.path);
    HOMEBOOTH_CHECK(library.write([one](SQLite::Database& database) {
        if (one != nullptr)
            execute(database, "DELETE FROM prompts WHERE text = ? AND negative = ?", one->text,
                    one->negative);
        else
            database.exec("DELETE FROM prompts");
    }));
    HOMEBOOTH_CHECK(clean(library));
    return left;
}

} // namespace homebooth::core

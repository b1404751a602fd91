// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The files around a library: the header of a database, backups, putting a damaged one aside.
// Private to core/library. Free functions; one thread a library.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What a database's first bytes say, read without SQLite, which might change the file.
struct DatabaseHeader {
    bool database = false; ///< begins as SQLite files do
    int32_t applicationId = 0;
    int32_t userVersion = 0;
};

/// Nothing for a missing or empty file. Errors: BadInput if it cannot be read
[[nodiscard]] Result<std::optional<DatabaseHeader>> readDatabaseHeader(const std::string& path);

struct BackupFile {
    std::string path;
    int64_t madeMs = 0;
};

/// The backups of a library, newest first. One from the future was made while the clock was wrong, before
/// those of the right time: it comes behind them.
[[nodiscard]] std::vector<BackupFile> listBackups(const std::string& libraryPath);

/// Behind the name of a backup in the making, and in that of what SQLite lays beside it.
constexpr const char* kPartialBackup = ".partial";

/// Removes what backups that were cut off have left. Nobody may be making one.
void removePartialBackups(const std::string& libraryPath);

/// Damaged libraries that were put aside, and damaged backups.
[[nodiscard]] std::vector<std::string> listPutAside(const std::string& libraryPath);

/// "<folder>/backups/<library>-<ms>.db", its folder made. Errors: BadInput, OutOfResources
[[nodiscard]] Result<std::string> newBackupPath(const std::string& libraryPath, int64_t madeMs);

/// Moves a database with its -wal, -shm and -journal to "<path>.damaged-<ms>". @returns the new path; empty
/// if there was no such file
[[nodiscard]] Result<std::string> putDatabaseAside(const std::string& path, int64_t ms);

/// Moves one that was put aside back to its place, over what lies there. Where there was none, none is left.
[[nodiscard]] Result<void> takeDatabaseBack(const std::string& aside, const std::string& path);

} // namespace homebooth::core

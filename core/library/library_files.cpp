// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/library_files.h"

#include "core/base/files/atomic_file.h"
#include "core/base/util/regular_file.h"
#include "core/library/library.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <tuple>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* kMagic = "SQLite format 3";
constexpr size_t kHeaderBytes = 100;
constexpr size_t kUserVersionOffset = 60;
constexpr size_t kApplicationIdOffset = 68;

int32_t bigEndian(const std::string& bytes, size_t offset) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[offset + i]);
    return static_cast<int32_t>(value);
}

fs::path backupFolder(const std::string& libraryPath) {
    return fs::path(libraryPath).parent_path() / "backups";
}

/// How the names of a library's backups begin: another one beside it has its own.
std::string backupPrefix(const std::string& libraryPath) {
    return fs::path(libraryPath).stem().string() + "-";
}

/// With what SQLite lays beside it: left there it would be played into the file that takes its place.
Result<void> moveDatabase(const std::string& from, const std::string& to) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code code;
        if (!fs::exists(from + suffix, code)) continue;
        fs::rename(from + suffix, to + suffix, code);
        if (code) return systemError("put the damaged library aside", from + suffix, code.value());
    }
    return {};
}

} // namespace

Result<std::optional<DatabaseHeader>> readDatabaseHeader(const std::string& path) {
    std::error_code code;
    const auto status = fs::status(path, code);
    if (!fs::exists(status)) return std::optional<DatabaseHeader>();
    HOMEBOOTH_ASSIGN(const std::string start, readFileStart(path, kHeaderBytes));
    if (start.empty()) return std::optional<DatabaseHeader>();
    DatabaseHeader header;
    header.database = start.size() == kHeaderBytes && std::memcmp(start.data(), kMagic, 16) == 0;
    if (header.database) {
        header.userVersion = bigEndian(start, kUserVersionOffset);
        header.applicationId = bigEndian(start, kApplicationIdOffset);
    }
    return std::optional(header);
}

std::vector<BackupFile> listBackups(const std::string& libraryPath) {
    std::vector<BackupFile> backups;
    const std::string prefix = backupPrefix(libraryPath);
    std::error_code code;
    for (fs::directory_iterator it(backupFolder(libraryPath), code), end; !code && it != end;
         it.increment(code)) {
        const std::string name = it->path().stem().string();
        if (it->path().extension() != ".db" || !name.starts_with(prefix)) continue;
        int64_t ms = 0;
        const char* last = name.data() + name.size();
        if (std::from_chars(name.data() + prefix.size(), last, ms).ptr == last)
            backups.push_back({it->path().string(), ms});
    }
    std::sort(backups.begin(), backups.end(),
              [](const BackupFile& a, const BackupFile& b) { return a.madeMs > b.madeMs; });
    std::stable_partition(backups.begin(), backups.end(),
                          [now = nowMs()](const BackupFile& one) { return one.madeMs <= now; });
    return backups;
}

void removePartialBackups(const std::string& libraryPath) {
    const std::string prefix = backupPrefix(libraryPath);
    const std::string ending = std::string(".db") + kPartialBackup;
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::directory_iterator it(backupFolder(libraryPath), code), end; !code && it != end;
         it.increment(code)) {
        std::string name = it->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        name.erase(0, prefix.size());
        const size_t digits = name.find_first_not_of("0123456789");
        if (digits != std::string::npos && name.compare(digits, ending.size(), ending) == 0)
            found.push_back(it->path());
    }
    for (const fs::path& path : found) fs::remove(path, code);
}

std::vector<std::string> listPutAside(const std::string& libraryPath) {
    const fs::path library(libraryPath);
    std::vector<std::string> found;
    for (const auto& [folder, begin, middle] :
         {std::tuple(library.parent_path(), library.filename().string(), std::string(".damaged-")),
          std::tuple(backupFolder(libraryPath), backupPrefix(libraryPath), std::string(".db.damaged"))}) {
        std::error_code code;
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
            const std::string name = it->path().filename().string();
            if (name.starts_with(begin) && name.find(middle, begin.size()) != std::string::npos)
                found.push_back(it->path().string());
        }
    }
    return found;
}

Result<std::string> newBackupPath(const std::string& libraryPath, int64_t madeMs) {
    const fs::path folder = backupFolder(libraryPath);
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return systemError("make the folder of the library's backups", folder.string(), code.value());
    return (folder / (backupPrefix(libraryPath) + std::to_string(madeMs) + ".db")).string();
}

Result<std::string> putDatabaseAside(const std::string& path, int64_t ms) {
    const std::string aside = path + ".damaged-" + std::to_string(ms);
    HOMEBOOTH_CHECK(moveDatabase(path, aside));
    std::error_code ignored;
    return fs::exists(aside, ignored) ? aside : std::string();
}

Result<void> takeDatabaseBack(const std::string& aside, const std::string& path) {
    if (!aside.empty()) return moveDatabase(aside, path);
    std::error_code ignored;
    fs::remove(path, ignored);
    return {};
}

} // namespace homebooth::core

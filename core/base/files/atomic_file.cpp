// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Durable files and folders over POSIX calls. Every call that can fail is checked; errno becomes an Error
// at the place where it is still known.
#include "core/base/files/atomic_file.h"

#include "core/base/files/open_file.h"
#include "core/base/files/sync_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

/// What a failed system call means for the user, and what can be done.
struct Remedy {
    int errorNumber;
    ErrorCode code;
    const char* text;
};
constexpr const char* kTooManyFiles = "too many files are open; close other programs, or raise ulimit -n";
constexpr std::array kRemedies{
    Remedy{ENOSPC, ErrorCode::OutOfResources, "the disk is full; free some space and try again"},
    Remedy{EDQUOT, ErrorCode::OutOfResources, "your disk quota is used up; free some space"},
    Remedy{EFBIG, ErrorCode::OutOfResources,
           "the file would be larger than allowed; raise the limit (ulimit -f)"},
    Remedy{ENOMEM, ErrorCode::OutOfResources, "memory ran out; close other programs and try again"},
    Remedy{EMFILE, ErrorCode::OutOfResources, kTooManyFiles},
    Remedy{ENFILE, ErrorCode::OutOfResources, kTooManyFiles},
    Remedy{EACCES, ErrorCode::BadInput, "no permission; choose another place or change its permissions"},
    Remedy{EPERM, ErrorCode::BadInput, "no permission; choose another place or change its permissions"},
    Remedy{EROFS, ErrorCode::BadInput,
           "the disk is read-only; choose another place, or mount it for writing"},
    Remedy{ENOENT, ErrorCode::BadInput, "it does not exist; check the path"},
    Remedy{ENOTDIR, ErrorCode::BadInput, "a file lies where the path needs a folder; check the path"},
    Remedy{EISDIR, ErrorCode::BadInput, "a folder has this name; choose another name"},
    Remedy{EEXIST, ErrorCode::BadInput,
           "something with this name exists; choose another name or move it away"},
    Remedy{ENOTEMPTY, ErrorCode::BadInput, "the folder is not empty; choose another name or empty it"},
    Remedy{ELOOP, ErrorCode::BadInput,
           "a link in the path leads to itself; remove it or choose another path"},
    Remedy{ENAMETOOLONG, ErrorCode::BadInput, "the name or path is too long; choose a shorter one"},
    Remedy{EIO, ErrorCode::BadInput, "the disk reports an error; check it, and take another one"},
};

constexpr std::string_view kPartialMark = ".partial-";
constexpr size_t kRandomLetters = 6;

std::string folderOf(const std::string& path) {
    const std::string parent = fs::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

std::string withoutTrailingSlash(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

/// The beginning of a name, without a part of a character at its end: some file systems take UTF-8 alone.
std::string beginningOf(const std::string& name, size_t mostBytes) {
    const auto continues = [](char one) { return (static_cast<unsigned char>(one) & 0xC0U) == 0x80U; };
    size_t end = std::min(mostBytes, name.size());
    while (end > 0 && end < name.size() && continues(name[end])) --end;
    return name.substr(0, end);
}

/// ".name.partial-" and random letters, beside `path`; a long name is cut to stay below 255 bytes.
std::string partialName(const std::string& path) {
    constexpr size_t kLongestName = 200;
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
    const std::string name = beginningOf(fs::path(path).filename().string(), kLongestName);
    std::random_device device;
    std::string letters;
    for (size_t i = 0; i < kRandomLetters; ++i) letters += kLetters[device() % kLetters.size()];
    return folderOf(path) + "/." + name + std::string(kPartialMark) + letters;
}

/// Calls `make` with fresh partial names until one was free; returns that name. mkstemp is not used because
/// its files ignore the user's umask.
template <class Make>
Result<std::string> makePartial(const std::string& path, const std::string& operation, Make make) {
    constexpr int kAttempts = 100;
    int failed = EEXIST;
    for (int attempt = 0; attempt < kAttempts && failed == EEXIST; ++attempt) {
        std::string name = partialName(path);
        if (make(name.c_str())) return name;
        failed = errno;
    }
    return systemError(operation, folderOf(path), failed);
}

/// Takes the lock on a file or folder in the making. False: somebody took it for abandoned in that moment.
bool lockPartial(int descriptor, const char* name) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return namesOpenFile(name, descriptor);
}

/// Removes a partial file or folder of this user that no living process is making.
Result<bool> removeIfAbandoned(const fs::path& path) {
    constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    // NFS locks nothing that was not opened for writing. Folders cannot be.
    int descriptor = ::open(path.c_str(), O_RDWR | kFlags);
    if (descriptor < 0) descriptor = ::open(path.c_str(), O_RDONLY | kFlags);
    if (descriptor < 0) return false;
    struct stat status {};
    const bool ours = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                      (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
    const bool abandoned = ours && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    std::error_code code;
    if (abandoned) fs::remove_all(path, code);
    ::close(descriptor);
    if (code) return systemError("remove a left-over", path.string(), code.value());
    return abandoned;
}

Result<void> syncTree(const std::string& folder) {
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string path = it->path().string();
        const fs::file_type type = it->symlink_status(code).type();
        if (code) break;
        if (type == fs::file_type::directory) {
            HOMEBOOTH_CHECK(syncTree(path));
        } else if (type == fs::file_type::regular) {
            HOMEBOOTH_CHECK(syncFile(path));
        }
    }
    if (code) return systemError("list", folder, code.value());
    return syncFolder(folder);
}

Error alreadyExists(const std::string& path) {
    return badInput("cannot write here: something with this name exists; choose another name or move it away",
                    path);
}

/// Renames without ever replacing. Falls back to check-then-rename where the file system lacks the flag.
int renameWithoutReplacing(const std::string& from, const std::string& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    struct stat status {};
    if (::lstat(to.c_str(), &status) == 0) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

bool isPartialName(const std::string& name) {
    const size_t mark = name.rfind(kPartialMark);
    return name.starts_with(".") && mark != std::string::npos && mark > 0 &&
           name.size() == mark + kPartialMark.size() + kRandomLetters;
}

/// Whether this process may write files of any size: what is too large then, is so for its drive.
bool anyFileSize() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

Error tooLargeForTheDrive(const std::string& message, const std::string& path) {
    return {ErrorCode::OutOfResources,
            message + "the file would be larger than this drive takes (with FAT32 less than 4 GiB); choose a "
                      "folder on another drive",
            path};
}

} // namespace

Error systemError(const std::string& operation, const std::string& path, int errorNumber) {
    const auto found = std::find_if(kRemedies.begin(), kRemedies.end(), [errorNumber](const Remedy& remedy) {
        return remedy.errorNumber == errorNumber;
    });
    const std::string message = "cannot " + operation + ": ";
    if (errorNumber == EFBIG && anyFileSize()) return tooLargeForTheDrive(message, path);
    if (found == kRemedies.end())
        return badInput(message + std::strerror(errorNumber) + "; choose another place, or check the disk",
                        path);
    return {found->code, message + found->text, path};
}

Result<void> expectFreeName(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) return alreadyExists(path);
    return errno == ENAMETOOLONG ? systemError("write here", path, errno) : Result<void>();
}

Result<AtomicFile> AtomicFile::create(const std::string& path, Existing existing, unsigned mode) {
    if (existing == Existing::Refuse) HOMEBOOTH_CHECK(expectFreeName(path));
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        return badInput("cannot write a file here: a folder has this name", path);
    AtomicFile file;
    file.m_path = path;
    file.m_existing = existing;
    HOMEBOOTH_ASSIGN(file.m_partialPath,
                     makePartial(path, "create a file in this folder", [&](const char* name) {
                         file.m_descriptor = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
                         if (file.m_descriptor < 0) return false;
                         if (lockPartial(file.m_descriptor, name)) return true;
                         ::close(std::exchange(file.m_descriptor, -1));
                         errno = EEXIST; // another name then
                         return false;
                     }));
    file.m_lock = ::fcntl(file.m_descriptor, F_DUPFD_CLOEXEC, 0);
    if (file.m_lock < 0) return systemError("create a file in this folder", folderOf(path), errno);
    return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_partialPath(std::exchange(other.m_partialPath, {}))
    , m_existing(other.m_existing)
    , m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_lock(std::exchange(other.m_lock, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this == &other) return *this;
    discard();
    m_path = std::move(other.m_path);
    m_partialPath = std::exchange(other.m_partialPath, {});
    m_existing = other.m_existing;
    m_descriptor = std::exchange(other.m_descriptor, -1);
    m_lock = std::exchange(other.m_lock, -1);
    return *this;
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::discard() noexcept {
    if (m_descriptor >= 0) ::close(std::exchange(m_descriptor, -1));
    if (!m_partialPath.empty()) ::unlink(m_partialPath.c_str());
    m_partialPath.clear();
    if (m_lock >= 0) ::close(std::exchange(m_lock, -1));
}

Result<void> AtomicFile::write(std::span<const std::byte> data) {
    constexpr size_t kLargestWrite = size_t{1} << 30;
    while (!data.empty()) {
        const ssize_t written = ::write(m_descriptor, data.data(), std::min(data.size(), kLargestWrite));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return systemError("write", m_path, errno);
        if (written == 0) return systemError("write", m_path, ENOSPC);
        data = data.subspan(static_cast<size_t>(written));
    }
    return {};
}

Result<void> AtomicFile::write(std::string_view text) {
    return write(std::as_bytes(std::span(text)));
}

Result<void> AtomicFile::reserve(int64_t bytes) {
    if (bytes <= 0) return {};
    int failed = 0;
    do failed = ::fallocate(m_descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0 ? 0 : errno;
    while (failed == EINTR);
    if (failed == 0 || failed == EOPNOTSUPP || failed == ENOSYS || failed == EINVAL) return {};
    return systemError("reserve " + std::to_string(bytes) + " bytes", m_path, failed);
}

Result<void> AtomicFile::commit() {
    if (::fsync(m_descriptor) != 0) return systemError("sync to disk", m_path, errno);
    if (::close(std::exchange(m_descriptor, -1)) != 0) return systemError("close", m_path, errno);
    int failed = 0;
    if (m_existing == Existing::Refuse)
        failed = renameWithoutReplacing(m_partialPath, m_path);
    else if (::rename(m_partialPath.c_str(), m_path.c_str()) != 0)
        failed = errno;
    if (failed == EEXIST) return alreadyExists(m_path);
    if (failed != 0) return systemError("give the finished file its name", m_path, failed);
    m_partialPath.clear();
    ::close(std::exchange(m_lock, -1));
    return syncFolder(folderOf(m_path));
}

Result<void> writeFileAtomically(const std::string& path, std::string_view content) {
    HOMEBOOTH_ASSIGN(AtomicFile file, AtomicFile::create(path));
    HOMEBOOTH_CHECK(file.write(content));
    return file.commit();
}

Result<AtomicFolder> AtomicFolder::create(const std::string& path) {
    AtomicFolder folder;
    folder.m_path = withoutTrailingSlash(path);
    HOMEBOOTH_CHECK(expectFreeName(folder.m_path));
    HOMEBOOTH_ASSIGN(
        folder.m_partialPath,
        makePartial(folder.m_path, "create a folder in this folder", [&folder](const char* name) {
            if (::mkdir(name, 0777) != 0) return false;
            folder.m_lock = ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (folder.m_lock < 0) return true; // an unusual umask: nobody removes it
            if (lockPartial(folder.m_lock, name)) return true;
            ::close(std::exchange(folder.m_lock, -1));
            errno = EEXIST; // another name then
            return false;
        }));
    return folder;
}

AtomicFolder::AtomicFolder(AtomicFolder&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_partialPath(std::exchange(other.m_partialPath, {}))
    , m_lock(std::exchange(other.m_lock, -1)) {}

AtomicFolder& AtomicFolder::operator=(AtomicFolder&& other) noexcept {
    if (this == &other) return *this;
    discard();
    m_path = std::move(other.m_path);
    m_partialPath = std::exchange(other.m_partialPath, {});
    m_lock = std::exchange(other.m_lock, -1);
    return *this;
}

AtomicFolder::~AtomicFolder() {
    discard();
}

void AtomicFolder::discard() noexcept {
    std::error_code ignored; // a destructor has nobody to tell; the next removePartials tries again
    if (!m_partialPath.empty()) fs::remove_all(m_partialPath, ignored);
    m_partialPath.clear();
    if (m_lock >= 0) ::close(std::exchange(m_lock, -1));
}

Result<void> AtomicFolder::commit() {
    HOMEBOOTH_CHECK(syncTree(m_partialPath));
    const int failed = renameWithoutReplacing(m_partialPath, m_path);
    if (failed == EEXIST || failed == ENOTEMPTY) return alreadyExists(m_path);
    if (failed != 0) return systemError("give the finished folder its name", m_path, failed);
    m_partialPath.clear();
    if (m_lock >= 0) ::close(std::exchange(m_lock, -1));
    return syncFolder(folderOf(m_path));
}

Result<int> removePartials(const std::string& folder) {
    std::error_code code;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (isPartialName(it->path().filename().string())) found.push_back(it->path());
    if (code == std::errc::no_such_file_or_directory) return 0;
    if (code) return systemError("list", folder, code.value());
    int removed = 0;
    for (const fs::path& path : found) {
        HOMEBOOTH_ASSIGN(const bool gone, removeIfAbandoned(path));
        removed += gone ? 1 : 0;
    }
    return removed;
}

} // namespace homebooth::core

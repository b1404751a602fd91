// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/cache_bound.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUses = "uses"; // the folder of the files that say who works with the cache
constexpr const char* kGuard = "guard";

struct CachedFile {
    fs::path path;
    int64_t bytes = 0;
    fs::file_time_type used;
};

std::vector<CachedFile> filesIn(const std::string& folder) {
    std::vector<CachedFile> files;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    fs::recursive_directory_iterator entry(folder, options, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        if (entry.depth() == 0 && entry->path().filename() == kUses) entry.disable_recursion_pending();
        std::error_code status;
        if (!fs::is_regular_file(entry->symlink_status(status)) || status) continue;
        const auto bytes = static_cast<int64_t>(entry->file_size(status));
        if (status) continue;
        const fs::file_time_type used = entry->last_write_time(status);
        if (!status) files.push_back({entry->path(), bytes, used});
    }
    return files;
}

std::string usesFolder(const std::string& folder) {
    return folder + "/" + kUses;
}

/// Alone with the uses until the end of the scope, as far as the file system has locks: nobody begins to use
/// what is being chosen for removal.
class UsesLock {
public:
    explicit UsesLock(const std::string& folder)
        : m_file(::open((usesFolder(folder) + "/" + kGuard).c_str(),
                        O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
        while (m_file.get() >= 0 && ::flock(m_file.get(), LOCK_EX) != 0 && errno == EINTR) {
        }
    }

private:
    Descriptor m_file;
};

/// Whether somebody holds the lock of a use; one that nobody holds was left by a killed process and goes.
bool lives(const std::string& path) {
    // NFS locks nothing that was not opened for writing.
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.get() < 0) return false;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
    ::unlink(path.c_str());
    return false;
}

/// When the oldest run that still works with the cache began.
fs::file_time_type oldestUse(const std::string& folder) {
    fs::file_time_type oldest = fs::file_time_type::max();
    std::error_code error;
    fs::directory_iterator entry(usesFolder(folder), error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename() == kGuard || !lives(entry->path().string())) continue;
        std::error_code status;
        const fs::file_time_type began = entry->last_write_time(status);
        if (!status) oldest = std::min(oldest, began);
    }
    return oldest;
}

struct Bounded {
    int64_t removed = 0; // bytes
    int64_t left = 0;
};

Bounded bound(const std::string& folder, int64_t mostBytes) {
    const UsesLock alone(folder);
    const fs::file_time_type since = oldestUse(folder);
    std::vector<CachedFile> files = filesIn(folder);
    std::sort(files.begin(), files.end(), [](const CachedFile& left, const CachedFile& right) {
        return left.used != right.used ? left.used < right.used : left.path < right.path;
    });
    int64_t total = 0;
    for (const CachedFile& file : files) total += file.bytes;
    int64_t removed = 0;
    for (const CachedFile& file : files) {
        if (total - removed <= mostBytes || file.used >= since) break;
        std::error_code error;
        if (fs::remove(file.path, error) && !error) removed += file.bytes;
    }
    return {removed, total - removed};
}

} // namespace

bool takesFiles(const std::string& folder) {
    std::error_code ignored;
    fs::path there = folder;
    while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
    return ::access(there.c_str(), W_OK | X_OK) == 0;
}

void markUsed(const std::string& path) {
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

CacheUse::CacheUse(const std::string& folder) {
    std::error_code ignored;
    fs::create_directories(usesFolder(folder), ignored);
    std::random_device random;
    const UsesLock alone(folder);
    m_path = usesFolder(folder) + "/" + std::to_string(::getpid()) + "-" + std::to_string(random());
    m_file.reset(::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (m_file.get() >= 0) ::flock(m_file.get(), LOCK_EX | LOCK_NB); // nobody else knows the file yet
}

CacheUse::~CacheUse() {
    if (m_file.get() >= 0) ::unlink(m_path.c_str());
}

int64_t boundCache(const std::string& folder, int64_t mostBytes) {
    return bound(folder, mostBytes).removed;
}

bool CacheRoom::take(int64_t bytes) {
    if (bytes > m_mostBytes) return false;
    if (bytes > m_free) {
        const int64_t free = m_mostBytes - bound(m_folder, m_mostBytes - bytes).left;
        if (bytes > free) return false;
        m_free = std::min(free, std::max(bytes, m_mostBytes / 16));
    }
    m_free -= bytes;
    return true;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/meeting_folder.h"

#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "homebooth-ranks-";
constexpr std::chrono::minutes kYoung{1}; // its owner may not have locked it yet

/// Locks a folder for as long as `lock` lives. @returns  false where somebody else has it
bool take(const std::string& folder, Descriptor& lock) {
    lock.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    return lock.get() >= 0 && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

/// Removes folders whose owners were killed; best effort: those of other users stay, but for root.
void removeStale(const fs::path& root) {
    std::error_code error;
    for (fs::directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(kPrefix)) continue;
        std::error_code ignored;
        const auto changed = fs::last_write_time(entry->path(), ignored);
        if (ignored || fs::file_time_type::clock::now() - changed < kYoung) continue;
        Descriptor lock;
        if (take(entry->path().string(), lock)) fs::remove_all(entry->path(), ignored);
    }
}

} // namespace

MeetingFolder::~MeetingFolder() {
    std::error_code ignored;
    if (!m_path.empty()) fs::remove_all(m_path, ignored);
}

Result<void> MeetingFolder::make() {
    // Where a login's own files lie in memory; a killed program's are gone with the login. After su the
    // variable may still name that of another user.
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code code;
    int failed = 0;
    fs::path other = fs::temp_directory_path(code);
    if (code || !other.is_absolute()) other = "/tmp";
    for (const fs::path& root : {fs::path(runtime != nullptr ? runtime : ""), other}) {
        if (!root.is_absolute()) continue;
        removeStale(root);
        std::string pattern = (root / (std::string(kPrefix) + "XXXXXX")).string();
        if (m_path.empty() && ::mkdtemp(pattern.data()) != nullptr)
            m_path = pattern;
        else
            failed = errno;
    }
    if (m_path.empty())
        return systemError("make a folder in which the processes meet", other.string(), failed);
    // Where the file system has no locks, nobody takes it for left either.
    static_cast<void>(take(m_path, m_lock));
    return {};
}

std::vector<std::string> MeetingFolder::argumentsOf(int64_t rank, int64_t ranks) const {
    if (ranks == 1) return {};
    return {"--rank", std::to_string(rank), "--ranks", std::to_string(ranks), "--meeting", file()};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/made_folders.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/plain_path.h"
#include "core/base/system/user_folders.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

/// Whether it is one of Homebooth's own folders, or leads to one.
bool isPrivate(const fs::path& folder, const std::vector<std::string>& own) {
    std::error_code code;
    const std::string path = fs::absolute(folder, code).lexically_normal().string();
    return std::any_of(own.begin(), own.end(), [&path](const std::string& one) {
        const std::string name = fs::path(one + "/").lexically_normal().string();
        return name.starts_with(path + "/");
    });
}

} // namespace

Result<MadeFolders> MadeFolders::make(const std::string& folder) {
    const std::vector<std::string> own = ownFolders();
    MadeFolders folders;
    fs::path path;
    for (const fs::path& part : plainPath(folder)) {
        path /= part;
        if (part.empty()) continue; // behind a closing slash
        int failed = ::mkdir(path.c_str(), isPrivate(path, own) ? 0700 : 0777) == 0 ? 0 : errno;
        if (failed == 0) {
            folders.m_made.push_back(path.string());
            continue;
        }
        // Some file systems complain of their permissions before they say that it exists.
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0)
            failed = S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
        else if (errno == ELOOP)
            failed = ELOOP; // mkdir only says that something is there
        if (failed == 0) continue;
        folders.removeEmpty();
        return systemError("make the folder", path.string(), failed);
    }
    return folders;
}

void MadeFolders::removeEmpty() const {
    for (auto made = m_made.rbegin(); made != m_made.rend(); ++made) ::rmdir(made->c_str());
}

} // namespace homebooth::core

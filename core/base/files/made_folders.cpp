// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/made_folders.h"

#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {

Result<MadeFolders> MadeFolders::make(const std::string& folder) {
    namespace fs = std::filesystem;
    MadeFolders folders;
    fs::path path;
    for (const fs::path& part : fs::path(folder).lexically_normal()) {
        path /= part;
        if (part.empty()) continue; // behind a closing slash
        int failed = ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno;
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

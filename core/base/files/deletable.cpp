// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/deletable.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {

bool mayBeDeleted(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    struct stat file {};
    struct stat around {};
    if (::lstat(path.c_str(), &file) != 0 || ::stat(folder.c_str(), &around) != 0) return true;
    if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        return errno != EACCES && errno != EROFS && errno != EPERM;
    // In a shared folder such as /tmp everybody deletes their own alone.
    const uid_t user = ::geteuid();
    const bool sticky = (around.st_mode & S_ISVTX) != 0 && user != 0;
    return !sticky || file.st_uid == user || around.st_uid == user;
}

} // namespace homebooth::core

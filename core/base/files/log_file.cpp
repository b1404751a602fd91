// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {

int openLog(const std::string& path) {
    constexpr int kHow = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const int file = ::open(path.c_str(), kHow, 0644);
    struct stat status {};
    if (file < 0 || (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
    ::close(file);
    return -1;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/sync_folder.h"

#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace homebooth::core {

Result<void> syncFolder(const std::string& path) {
    const int descriptor = ::open(path.empty() ? "." : path.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return systemError("open for syncing", path, errno);
    const int failed = ::fsync(descriptor) != 0 ? errno : 0;
    ::close(descriptor);
    if (failed != 0 && failed != EINVAL) return systemError("sync to disk", path, failed);
    return {};
}

Result<void> syncFile(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return systemError("open for syncing", path, errno);
    const int failed = ::fsync(descriptor) != 0 ? errno : 0;
    ::close(descriptor);
    if (failed != 0) return systemError("sync to disk", path, failed);
    return {};
}

} // namespace homebooth::core

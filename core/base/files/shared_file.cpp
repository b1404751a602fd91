// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/shared_file.h"

#include "core/base/files/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

/// Gives a new file its size. Where space cannot be promised the file has holes, and a full disk is met
/// later.
Result<void> extend(int file, const std::string& path, int64_t bytes) {
    int failed = 0;
    do failed = ::fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
    while (failed == EINTR);
    const bool unsupported = failed == EOPNOTSUPP || failed == ENOSYS || failed == EINVAL;
    if (unsupported) failed = ::ftruncate(file, bytes) == 0 ? 0 : errno;
    if (failed != 0) return systemError("reserve " + std::to_string(bytes) + " bytes", path, failed);
    return {};
}

} // namespace

Result<void> SharedFile::layOut(const std::string& path, std::string_view head, int64_t bytes) {
    const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (made < 0) return systemError("create a file in this folder", path, errno);
    SharedFile file(path, made);
    HOMEBOOTH_CHECK(extend(made, path, bytes));
    return file.writeAt(0, std::as_bytes(std::span(head)));
}

Result<std::unique_ptr<SharedFile>> SharedFile::open(const std::string& path) {
    const int opened = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (opened < 0) return systemError("open a file to be written", path, errno);
    return std::unique_ptr<SharedFile>(new SharedFile(path, opened));
}

Result<void> SharedFile::writeAt(int64_t offset, std::span<const std::byte> data) {
    constexpr size_t kLargestWrite = size_t{1} << 30;
    while (!data.empty()) {
        const ssize_t written =
            ::pwrite(m_file.get(), data.data(), std::min(data.size(), kLargestWrite), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return systemError("write", m_path, errno);
        if (written == 0) return systemError("write", m_path, ENOSPC);
        data = data.subspan(static_cast<size_t>(written));
        offset += written;
    }
    return {};
}

Result<void> SharedFile::sync() {
    if (::fsync(m_file.get()) != 0) return systemError("sync to disk", m_path, errno);
    return {};
}

Result<bool> SharedFile::holds(int64_t offset, std::span<const std::byte> data) const {
    constexpr size_t kPiece = size_t{1} << 20;
    std::vector<std::byte> found(std::min(data.size(), kPiece));
    while (!data.empty()) {
        const ssize_t read = ::pread(m_file.get(), found.data(), std::min(data.size(), kPiece), offset);
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) return systemError("read back", m_path, errno);
        const auto count = static_cast<size_t>(read);
        if (count == 0 || std::memcmp(found.data(), data.data(), count) != 0) return false;
        data = data.subspan(count);
        offset += read;
    }
    return true;
}

} // namespace homebooth::core

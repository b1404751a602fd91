// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/file_reader.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_look.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

std::string_view kindOf(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISSOCK(mode)) return "a socket";
    return "no regular file";
}

Error readError(const std::filesystem::path& path, int number) {
    return systemError("read the file", displayName(path), number);
}

} // namespace

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
    FileReader reader;
    reader.m_path = path;
    // O_NONBLOCK: opening a FIFO would wait for a writer otherwise; regular files do not mind it.
    reader.m_file = std::make_unique<const Descriptor>(
        ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (reader.m_file->get() < 0) return readError(path, errno);
    struct stat status {};
    if (::fstat(reader.m_file->get(), &status) != 0) return readError(path, errno);
    if (!S_ISREG(status.st_mode)) {
        return badInput("cannot read the file: expected a regular file, found " +
                            std::string(kindOf(status.st_mode)) + "; choose another file",
                        displayName(path));
    }
    reader.m_identity = identityOf(status);
    return reader;
}

/// @returns  the bytes that were read, fewer than there is room for where the file ends
Result<size_t> FileReader::readSome(int64_t offset, std::span<std::byte> destination) const {
    constexpr size_t kLargestRead = size_t{1} << 30;
    size_t done = 0;
    while (done < destination.size()) {
        const ssize_t got =
            ::pread(m_file->get(), destination.data() + done,
                    std::min(destination.size() - done, kLargestRead), offset + static_cast<int64_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return readError(m_path, errno);
        if (got == 0) break;
        done += static_cast<size_t>(got);
    }
    return done;
}

Result<std::string> FileReader::read(int64_t offset, int64_t count) const {
    std::string content(static_cast<size_t>(count), '\0');
    HOMEBOOTH_ASSIGN(const size_t done, readSome(offset, std::as_writable_bytes(std::span(content))));
    content.resize(done);
    return content;
}

Result<void> FileReader::readInto(int64_t offset, std::span<std::byte> destination) const {
    HOMEBOOTH_ASSIGN(const size_t done, readSome(offset, destination));
    if (done < destination.size())
        return badInput("the file became shorter while it was read; copy it again", displayName(m_path));
    return {};
}

void FileReader::willRead(int64_t offset, int64_t count) const {
    constexpr int64_t kPieceBytes = int64_t{128}
                                    << 10; // the kernel shortens greater requests to its read-ahead
    const int64_t end = offset + count;
    for (; offset < end; offset += kPieceBytes)
        ::posix_fadvise(m_file->get(), offset, std::min(kPieceBytes, end - offset), POSIX_FADV_WILLNEED);
}

} // namespace homebooth::core

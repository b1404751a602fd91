// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/regular_file.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/descriptor.h"
#include "core/base/text/unicode.h"

#include <cerrno>
#include <fcntl.h>
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

Result<std::string> readUpTo(int descriptor, const std::filesystem::path& path, int64_t wanted) {
    std::string content(static_cast<size_t>(wanted), '\0');
    size_t done = 0;
    while (done < content.size()) {
        const ssize_t got = ::read(descriptor, content.data() + done, content.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return readError(path, errno);
        if (got == 0) break;
        done += static_cast<size_t>(got);
    }
    content.resize(done);
    return content;
}

Result<std::string> readChecked(const std::filesystem::path& path, int64_t limitBytes, bool whole) {
    // O_NONBLOCK: opening a FIFO would wait for a writer otherwise; regular files do not mind it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (file.get() < 0) return readError(path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return readError(path, errno);
    if (!S_ISREG(status.st_mode)) {
        return badInput("cannot read the file: expected a regular file, found " +
                            std::string(kindOf(status.st_mode)) + "; choose another file",
                        displayName(path));
    }
    if (whole && status.st_size > limitBytes) {
        return badInput("cannot read the file: expected at most " + std::to_string(limitBytes) +
                            " bytes, found " + std::to_string(status.st_size) + "; choose another file",
                        displayName(path));
    }
    HOMEBOOTH_ASSIGN(std::string content,
                     readUpTo(file.get(), path, std::min<int64_t>(status.st_size, limitBytes)));
    if (whole && static_cast<int64_t>(content.size()) != status.st_size) {
        return badInput("cannot read the file: it became shorter while it was read; try again when no other "
                        "program writes it",
                        displayName(path));
    }
    return content;
}

} // namespace

Result<std::string> readRegularFile(const std::filesystem::path& path, int64_t limitBytes) {
    return readChecked(path, limitBytes, true);
}

Result<std::string> readFileStart(const std::filesystem::path& path, int64_t count) {
    return readChecked(path, count, false);
}

std::string displayName(const std::filesystem::path& path) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const std::string& bytes = path.native();
    std::string out;
    for (size_t i = 0; i < bytes.size();) {
        // The longest well-formed sequence is four bytes; the decoder gives one code point for it.
        size_t length = 1;
        char32_t codePoint = 0xFFFD;
        for (size_t n = 1; n <= 4 && i + n <= bytes.size(); ++n) {
            const std::u32string decoded = decodeUtf8(std::string_view(bytes).substr(i, n));
            if (decoded.size() == 1 && decoded[0] != 0xFFFD) {
                length = n;
                codePoint = decoded[0];
                break;
            }
        }
        const bool direction =
            (codePoint >= 0x202A && codePoint <= 0x202E) || (codePoint >= 0x2066 && codePoint <= 0x2069);
        if (codePoint == 0xFFFD || codePoint < 0x20 || (codePoint >= 0x7F && codePoint < 0xA0) || direction) {
            for (size_t k = 0; k < length; ++k) {
                const auto byte = static_cast<unsigned char>(bytes[i + k]);
                out += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
            }
        } else {
            out.append(bytes, i, length);
        }
        i += length;
    }
    return out;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Signatures at the beginning of files. Sources: the formats' specifications.
#include "core/base/formats/file_kind.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/descriptor.h"
#include "core/base/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {

namespace {

using namespace std::string_view_literals;

constexpr int64_t kHeadBytes = 4096;
constexpr int64_t kTailBytes = int64_t{1} << 20; ///< holds a directory of more than 10,000 members
constexpr std::string_view kPickleMember = "data.pkl";

bool isPicture(std::string_view head) {
    constexpr std::array kSignatures{
        "\x89PNG\r\n\x1a\n"sv, "\xff\xd8\xff"sv, "GIF87a"sv, "GIF89a"sv, "II*\0"sv, "MM\0*"sv, "BM"sv,
        "\0\0\0\x0cjP  "sv};
    const bool known = std::any_of(kSignatures.begin(), kSignatures.end(),
                                   [&](std::string_view s) { return head.starts_with(s); });
    const bool riff = head.starts_with("RIFF") && head.substr(0, 12).ends_with("WEBP");
    const bool heif =
        head.size() >= 12 && head.substr(4, 4) == "ftyp" &&
        (head.substr(8, 3) == "hei" || head.substr(8, 3) == "avi" || head.substr(8, 3) == "mif");
    return known || riff || heif;
}

bool isHtml(std::string_view head) {
    std::string text;
    for (const char c : head.substr(0, 512))
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (begin == std::string::npos) return false;
    const std::string_view rest = std::string_view(text).substr(begin);
    return rest.starts_with("<!doctype html") || rest.starts_with("<html") || rest.starts_with("<head") ||
           rest.starts_with("<?xml") || rest.starts_with("<error") ||
           (rest.starts_with('{') && rest.find("\"error\"") != rest.npos); // as sites refuse a download
}

/// A pickle of protocol 2 to 5: PROTO, its number, then an opcode (not the zeros of a small length).
bool isPickle(std::string_view head) {
    return head.size() >= 3 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5 && head[2] != '\0';
}

/// Length in front, then '{' or at least a plausible length: a damaged safetensors is still one, so that the
/// reader says what is wrong with it.
bool isSafetensors(std::string_view head, int64_t fileBytes) {
    if (head.size() < 9) return false;
    uint64_t length = 0;
    for (size_t i = 0; i < sizeof(length); ++i)
        length |= static_cast<uint64_t>(static_cast<unsigned char>(head[i])) << (8 * i);
    if (head[8] == '{') return true;
    return length > 1 && length <= static_cast<uint64_t>(kHeaderLimitBytes) &&
           length <= static_cast<uint64_t>(fileBytes) && head.substr(9, 64).find("\"dtype\"") != head.npos;
}

/// Whether the directory of a ZIP archive, which lies at its end, lists what torch.save calls its pickle. The
/// pickle itself may lie anywhere: members have no order.
bool listsPickle(std::string_view tail) {
    constexpr std::string_view kEntry = "PK\1\2"sv;
    constexpr size_t kEntryBytes = 46; // without the name
    constexpr size_t kLengthAt = 28;   // of the name, two bytes
    for (size_t at = tail.find(kEntry); at != tail.npos; at = tail.find(kEntry, at + 1)) {
        const std::string_view entry = tail.substr(at);
        if (entry.size() < kEntryBytes) return false;
        const size_t length = static_cast<unsigned char>(entry[kLengthAt]) +
                              size_t{256} * static_cast<unsigned char>(entry[kLengthAt + 1]);
        const std::string_view name = entry.substr(kEntryBytes, length);
        if (name == kPickleMember || name.ends_with("/data.pkl")) return true;
    }
    return false;
}

/// Fewer than `count` where the file ends.
Result<std::string> bytesAt(const Descriptor& file, int64_t offset, int64_t count, const std::string& path) {
    std::string bytes(static_cast<size_t>(count), '\0');
    const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), offset);
    if (got < 0) return systemError("read", path, errno);
    bytes.resize(static_cast<size_t>(got));
    return bytes;
}

std::string_view adviceFor(FileKind kind) {
    switch (kind) {
    case FileKind::PickleZip:
    case FileKind::PickleLegacy:
        return "such a file is taken for models, weights in their folders and LoRAs; here get the "
               ".safetensors version";
    case FileKind::GitLfsPointer:
        return "download the real file (`git lfs pull`, or the site's download button)";
    case FileKind::Html:
        return "the download saved what the site said, perhaps a log-in page; download the file again";
    case FileKind::Picture:
        return "choose the model file; pictures go to the training photos";
    case FileKind::Gguf:
        return "GGUF files are quantised and cannot be trained; get the .safetensors version";
    case FileKind::Empty:
        return "copy or download it again";
    default:
        return "check that it is the right file, and copy or download it again";
    }
}

} // namespace

FileKind fileKindOf(std::string_view head, int64_t fileBytes) {
    if (head.empty()) return FileKind::Empty;
    if (isSafetensors(head, fileBytes)) return FileKind::Safetensors;
    if (head.starts_with("PK\x03\x04"sv))
        return head.find(kPickleMember) != head.npos ? FileKind::PickleZip : FileKind::Zip;
    if (head.starts_with("version https://git-lfs")) return FileKind::GitLfsPointer;
    if (head.starts_with("GGUF")) return FileKind::Gguf;
    if (isPicture(head)) return FileKind::Picture;
    if (isHtml(head)) return FileKind::Html;
    if (isPickle(head)) return FileKind::PickleLegacy;
    return FileKind::Unknown;
}

Result<FileKind> detectFileKind(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return systemError("open", path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return systemError("examine", path, errno);
    if (!S_ISREG(status.st_mode))
        return badInput(S_ISDIR(status.st_mode) ? "expected a file, found a folder; choose a file in it"
                                                : "expected a file, found a device or pipe; choose another "
                                                  "file",
                        path);
    HOMEBOOTH_ASSIGN(const std::string head, bytesAt(file, 0, kHeadBytes, path));
    const FileKind kind = fileKindOf(head, status.st_size);
    if (kind != FileKind::Zip) return kind;
    const int64_t tailBytes = std::min<int64_t>(status.st_size, kTailBytes);
    HOMEBOOTH_ASSIGN(const std::string tail, bytesAt(file, status.st_size - tailBytes, tailBytes, path));
    return listsPickle(tail) ? FileKind::PickleZip : kind;
}

std::string_view fileKindName(FileKind kind) {
    switch (kind) {
    case FileKind::Safetensors:
        return "a .safetensors file";
    case FileKind::PickleZip:
        return "a PyTorch pickle (.ckpt)";
    case FileKind::PickleLegacy:
        return "an old PyTorch pickle (.ckpt)";
    case FileKind::Zip:
        return "a ZIP archive";
    case FileKind::GitLfsPointer:
        return "a Git LFS pointer";
    case FileKind::Html:
        return "a web page or an error message of a site";
    case FileKind::Picture:
        return "a picture";
    case FileKind::Gguf:
        return "a GGUF file";
    case FileKind::Empty:
        return "an empty file";
    case FileKind::Unknown:
        break;
    }
    return "a file of unknown format";
}

Error wrongKindError(FileKind kind, const std::string& expected, const std::string& path) {
    return badInput("expected " + expected + ", found " + std::string(fileKindName(kind)) + "; " +
                        std::string(adviceFor(kind)),
                    path);
}

} // namespace homebooth::core

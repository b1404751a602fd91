// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/regular_file.h"

#include "core/base/files/file_reader.h"
#include "core/base/text/unicode.h"

#include <algorithm>

namespace homebooth::core {
namespace {

Result<std::string> readChecked(const std::filesystem::path& path, int64_t limitBytes, bool whole) {
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    const int64_t bytes = file.identity().bytes;
    if (whole && bytes > limitBytes) {
        return badInput("cannot read the file: expected at most " + std::to_string(limitBytes) +
                            " bytes, found " + std::to_string(bytes) + "; choose another file",
                        displayName(path));
    }
    HOMEBOOTH_ASSIGN(std::string content, file.read(0, std::min(bytes, limitBytes)));
    if (whole && static_cast<int64_t>(content.size()) != bytes) {
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/caption_file.h"

#include "core/base/text/text_pieces.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"

#include <system_error>
#include <utility>

namespace homebooth::core {

namespace fs = std::filesystem;

fs::path captionFileOf(const fs::path& picture, FileNames& names) {
    const auto called = [&picture](const char* ending) {
        fs::path file = picture;
        file.replace_extension(ending);
        return file;
    };
    // Of a link that leads nowhere whoever opens it will say so.
    const auto isThere = [](const fs::path& file) {
        std::error_code ignored;
        return fs::exists(fs::symlink_status(file, ignored));
    };
    for (const char* ending : kCaptionEndings)
        if (fs::path file = called(ending); isThere(file)) return file;
    for (const char* ending : kCaptionEndings) {
        const fs::path file = called(ending);
        if (fs::path other = names.find(file.parent_path(), file.filename()); other != file) return other;
    }
    return called(kCaptionEndings.front());
}

std::string trimmedCaption(const std::string& text) {
    constexpr const char* kBlank = " \t\r\n";
    const size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

Result<std::string> captionOfFile(std::string_view bytes) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool little = bytes.starts_with("\xFF\xFE");
    if (little || bytes.starts_with("\xFE\xFF")) // UTF-16 with its mark
        return captionOfFile(fromUtf16(bytes, !little));
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    // English in UTF-16 without its mark is UTF-8 as well, but every other byte of it is zero.
    if (!isUtf8(bytes) || bytes.find('\0') != std::string_view::npos)
        return badInput("expected a caption in UTF-8, found another encoding; save it as UTF-8");
    return trimmedCaption(std::string(bytes));
}

Result<std::optional<std::string>> captionBeside(const fs::path& picture, FileNames& names) {
    const fs::path file = captionFileOf(picture, names);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return std::optional<std::string>();
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(file, kMaxCaptionBytes));
    HOMEBOOTH_ASSIGN(std::string caption, captionOfFile(text));
    return std::optional(std::move(caption));
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/captions/caption_beside.h"

#include "core/base/formats/caption_file.h"
#include "core/base/util/regular_file.h"

#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 20;
constexpr const char* kOtherCoding =
    "reading a caption: expected a text in UTF-8, found another encoding; save it as UTF-8";

/// What a caption says as Windows wrote it before Unicode; empty where that cannot be.
QString captionInWindows1252(const std::string& bytes) {
    // Source: the Unicode Consortium's mapping of code page 1252; what it leaves open stays as it is.
    static constexpr char16_t kFrom80[]{0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
    if (bytes.find('\0') != std::string::npos) return {};
    QString text = QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size()));
    for (QChar& c : text)
        if (c.unicode() >= 0x80 && c.unicode() < 0xA0) c = QChar(kFrom80[c.unicode() - 0x80]);
    return text.simplified();
}

} // namespace

core::Result<CaptionBytes> captionBytes(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return CaptionBytes();
    HOMEBOOTH_ASSIGN(std::string bytes, core::readRegularFile(file, kMostBytes));
    return CaptionBytes(std::move(bytes));
}

core::Result<QString> captionText(const std::filesystem::path& file) {
    HOMEBOOTH_ASSIGN(const CaptionBytes bytes, captionBytes(file));
    const auto text = core::captionOfFile(bytes.value_or(std::string()));
    if (!text) return core::badInput(kOtherCoding, core::displayName(file));
    return QString::fromStdString(*text).trimmed();
}

QString guessedCaption(const std::filesystem::path& file) {
    const auto bytes = captionBytes(file);
    return bytes ? captionInWindows1252(bytes->value_or(std::string())) : QString();
}

bool saysOtherCoding(const core::Error& error) {
    return error.message == kOtherCoding;
}

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/caption_beside.h"

#include "core/base/util/regular_file.h"

#include <QStringDecoder>

#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 20;
constexpr const char* kOtherCoding =
    "reading a caption: expected a text in UTF-8, found another coding; save it as UTF-8";

} // namespace

core::Result<CaptionBytes> captionBytes(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return CaptionBytes();
    HOMEBOOTH_ASSIGN(std::string bytes, core::readRegularFile(file, kMostBytes));
    return CaptionBytes(std::move(bytes));
}

core::Result<QString> captionText(const std::filesystem::path& file) {
    HOMEBOOTH_ASSIGN(const CaptionBytes bytes, captionBytes(file));
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(QByteArray::fromStdString(bytes.value_or(std::string())));
    if (decoder.hasError()) return core::badInput(kOtherCoding, core::displayName(file));
    return text.trimmed();
}

bool saysOtherCoding(const core::Error& error) {
    return error.message == kOtherCoding;
}

} // namespace homebooth::app

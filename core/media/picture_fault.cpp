// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_fault.h"

#include "core/base/util/regular_file.h"
#include "core/media/picture_header.h"
#include "core/media/picture_io.h"

#include <system_error>

namespace homebooth::core {

namespace fs = std::filesystem;

PictureFault pictureFault(const fs::path& path) {
    constexpr int64_t kStartBytes = 64; // what a picture is recognised by
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found) return PictureFault::Gone;
    if (code == std::errc::too_many_symbolic_link_levels) return PictureFault::Gone;
    if (code) return PictureFault::NoAccess;
    if (status.type() != fs::file_type::regular) return PictureFault::NotAFile;
    const auto start = readFileStart(path, kStartBytes);
    if (!start) return PictureFault::NoAccess;
    if (start->empty()) return PictureFault::Empty;
    if (!recognisePicture(*start) || isBigTiff(*start)) return PictureFault::OtherKind;
    const auto bytes = fs::file_size(path, code);
    if (!code && bytes > static_cast<uintmax_t>(kMaxPictureFileBytes)) return PictureFault::TooLarge;
    const auto file = readRegularFile(path, kMaxPictureFileBytes);
    if (!file) return PictureFault::NoAccess;
    const auto header = readPictureHeader(*file);
    if (!header) return PictureFault::Damaged;
    const PictureInfo& info = header->info;
    if (info.animated || info.format == PictureFormat::Gif) return PictureFault::Animated;
    if (info.widthPixels > ReadPictureOptions().maxPixels / info.heightPixels) return PictureFault::TooLarge;
    return header->unsupported.empty() ? PictureFault::None : PictureFault::OtherKind;
}

} // namespace homebooth::core

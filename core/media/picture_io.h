// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures in and out of files: JPEG, PNG, WebP, TIFF, BMP, HEIC and AVIF in; PNG with text out.
// Free functions without state; any thread. Invariants:
// 1. The size is taken from the header and checked before anything is decoded.
// 2. What comes out is upright (EXIF orientation applied), sRGB (embedded profile applied) and opaque.
// 3. Only regular files are read: a FIFO or a device never blocks.
#pragma once

#include "core/base/util/picture.h"
#include "core/base/util/result.h"
#include "core/media/png_text.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

enum class PictureFormat { Jpeg, Png, WebP, Tiff, Bmp, Gif, Heif, Avif };

/// The usual name of a format, such as "JPEG".
[[nodiscard]] std::string_view pictureFormatName(PictureFormat format);

/// What the header of a picture file says.
struct PictureInfo {
    PictureFormat format = PictureFormat::Png;
    int64_t widthPixels = 0;    ///< upright: after the orientation has been applied
    int64_t heightPixels = 0;   ///< upright
    int orientation = 1;        ///< EXIF 1-8 that reading still has to apply; 1 = stored upright
    bool alpha = false;         ///< has transparency
    bool animated = false;      ///< has more than one frame; reading takes the first
    bool colourProfile = false; ///< has an embedded ICC profile
};

struct ReadPictureOptions {
    int64_t maxPixels = 200'000'000;                  ///< larger pictures are refused before decoding
    std::array<uint8_t, 3> background{255, 255, 255}; ///< sRGB colour behind transparent pixels
    int64_t minSidePixels = 0; ///< > 0: a larger picture may be decoded at 1/2, 1/4 or 1/8 of its size as
                               ///< long as its shorter side stays at least this long (faster, less memory)
};

constexpr int64_t kMaxPictureFileBytes = int64_t{1} << 30; ///< larger files are not read

/// Reads a picture of any supported format, recognised by content and not by its name.
/// @param warnings  if not null, receives remarks: only the first frame read, colour profile damaged
/// Errors: BadInput naming the file and what to do: not a regular file, not a picture, too large, damaged,
///         animated without a readable first frame. Never throws.
[[nodiscard]] Result<Picture> readPicture(const std::filesystem::path& path,
                                          const ReadPictureOptions& options = {},
                                          std::vector<std::string>* warnings = nullptr);

/// The same for a file that is in memory already. @param name  what warnings and errors call it
[[nodiscard]] Result<Picture> decodePicture(std::string_view file, const std::filesystem::path& name,
                                            const ReadPictureOptions& options = {},
                                            std::vector<std::string>* warnings = nullptr);

/// Reads what the header says, without decoding pixels; of usual formats no more of the file than that.
/// Errors: BadInput as readPicture, but for the size.
[[nodiscard]] Result<PictureInfo> pictureInfo(const std::filesystem::path& path);

/// The same for a file that is in memory already. @param name  what errors call it
[[nodiscard]] Result<PictureInfo> decodePictureInfo(std::string_view file, const std::filesystem::path& name);

/// Whether what the header says lets decodePicture try at all: not too large, and of a kind that is decoded.
/// Errors: BadInput as decodePicture
[[nodiscard]] Result<void> checkPictureHeader(std::string_view file, const std::filesystem::path& name,
                                              const ReadPictureOptions& options = {});

/// Writes a PNG file atomically: the name appears with the whole content or not at all.
/// @param text  written as tEXt where the text is ASCII, else as iTXt
/// Errors: BadInput for an empty picture or a keyword that PNG forbids; OutOfResources for a failed write.
[[nodiscard]] Result<void> writePng(const std::filesystem::path& path, const Picture& picture,
                                    const PngText& text = {});

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the header of a picture file says, read by our own parsers before any decoder sees the file.
// Internal to media. Free functions without state; any thread.
#pragma once

#include "core/media/picture_io.h"

#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

struct PictureHeader {
    PictureInfo info;           ///< sizes as stored; `orientation` not yet applied
    std::string iccProfile;     ///< empty where there is none
    std::string userComment;    ///< of the EXIF block of JPEG and WebP, as UTF-8
    bool premultiplied = false; ///< of TIFF: colours were multiplied by the alpha
    std::string unsupported;    ///< why this file cannot be decoded, in words; empty: it can
};

/// The format by its first bytes (64 are enough), or nothing.
[[nodiscard]] std::optional<PictureFormat> recognisePicture(std::string_view start);

/// Whether it begins as a TIFF whose offsets have 64 bits: whole, but of a kind that is not read.
[[nodiscard]] bool isBigTiff(std::string_view start);

/// Parses the header. Errors: BadInput (without the file's name): no picture, or damaged.
[[nodiscard]] Result<PictureHeader> readPictureHeader(std::string_view file);

/// The Error of a picture: what was expected and found, and what to do. @param name  of the file
[[nodiscard]] Error pictureError(const std::string& expected, const std::string& found,
                                 const std::string& advice, const std::string& name = {});

/// EXIF orientation (1-8) of a TIFF structure, as EXIF blocks hold one; 1 where there is none.
[[nodiscard]] int orientationOfExif(std::string_view tiff);

/// EXIF's comment of the user (0x9286), as UTF-8; empty where there is none, or one in JIS.
[[nodiscard]] std::string commentOfExif(std::string_view tiff);

/// Whether the beginning of a JPEG file holds its header, whole or damaged: what follows says nothing of it.
[[nodiscard]] bool jpegHeaderEndsIn(std::string_view start);

// One parser a format. Each leaves width 0 where the header is damaged.
void readJpegHeader(std::string_view file, PictureHeader& header);
void readPngHeader(std::string_view file, PictureHeader& header);
void readTiffHeader(std::string_view file, PictureHeader& header);
void readWebpHeader(std::string_view file, PictureHeader& header);
void readBmpHeader(std::string_view file, PictureHeader& header);
void readGifHeader(std::string_view file, PictureHeader& header);
void readHeifHeader(std::string_view file, PictureHeader& header);

} // namespace homebooth::core

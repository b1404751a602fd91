// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The decoders behind readPicture. The header has been read and its size accepted before.
// Internal to media. Free functions without state; any thread; none throws but std::bad_alloc.
#pragma once

#include "core/media/picture_header.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// Pixels as a file holds them: not turned upright, in the file's own colours unless `inSrgb`.
struct DecodedPicture {
    Picture picture;
    std::vector<uint8_t> alpha; ///< [heightPixels, widthPixels], or empty: opaque
    bool inSrgb = false;        ///< the colour profile has been applied already
    bool upright = false;       ///< the orientation has been applied already
};

struct DecodeRequest {
    std::string_view file;
    const PictureHeader& header;
    int64_t minSidePixels = 0; ///< as in ReadPictureOptions
    std::vector<std::string>& warnings;
};

// Errors: BadInput (without the file's name): damaged, or of a kind that the decoder does not know.
[[nodiscard]] Result<DecodedPicture> decodeJpeg(const DecodeRequest& request);
[[nodiscard]] Result<DecodedPicture> decodeHeif(const DecodeRequest& request);
[[nodiscard]] Result<DecodedPicture> decodePng(const DecodeRequest& request);
[[nodiscard]] Result<DecodedPicture> decodeWithOpenCv(const DecodeRequest& request);

} // namespace homebooth::core

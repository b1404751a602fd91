// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a picture says of its making, of whatever program: PNG's `parameters`, the EXIF comment of JPEG
// and WebP, ComfyUI's graph. Loads no picture library. Free functions without state; any thread.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace homebooth::core {

struct PictureText {
    std::string parameters; ///< as generation_parameters.h has them; empty: it says nothing that is read
    bool unread = false;    ///< ComfyUI made it, and its graph is none whose settings can be told
};

/// Reads what a file says; nothing of formats that say nothing. Errors: BadInput: not a regular file
[[nodiscard]] Result<PictureText> readPictureText(const std::filesystem::path& path);

/// The same for a file that is in memory already.
[[nodiscard]] PictureText decodePictureText(std::string_view file);

} // namespace homebooth::core

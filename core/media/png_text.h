// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The text that PNG files carry, such as the prompt a picture was made with. Loads no picture library.
// Free functions without state; any thread.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Text chunks of a PNG file: keyword (1-79 Latin-1 characters, such as "parameters") to UTF-8 text.
using PngText = std::map<std::string, std::string>;

/// Reads the text chunks (tEXt, zTXt, iTXt) of a PNG file. Errors: BadInput.
[[nodiscard]] Result<PngText> readPngText(const std::filesystem::path& path);

/// The same for a file that is in memory already; nothing for one of another kind.
[[nodiscard]] PngText decodePngText(std::string_view file);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The chunks of a PNG file: walking over them, text in and out.
// Internal to media. Free functions without state; any thread.
// Source: Portable Network Graphics, third edition (W3C), sections 5 and 11.
#pragma once

#include "core/base/util/result.h"
#include "core/media/png_text.h"

#include <functional>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Calls `take(type, data)` for each chunk until it returns false or the file ends. Check sums are not looked
/// at: the decoder does that for pixels, and text with a wrong one is still worth reading.
void forEachPngChunk(std::string_view file,
                     const std::function<bool(std::string_view type, std::string_view data)>& take);

/// Unpacks zlib data of at most `roomBytes`; empty where it is damaged or larger.
/// @param roomBytes  what was unpacked is taken from it, in vain or not: that has cost its time
[[nodiscard]] std::string unpackZlib(std::string_view packed, size_t& roomBytes);

/// The text chunks of a PNG file, up to 16 MiB together as the file holds them and unpacked; later ones are
/// left out.
[[nodiscard]] PngText pngTextOf(std::string_view file);

/// Puts text chunks behind the header chunk of an encoded PNG file. Errors: BadInput for a forbidden keyword.
[[nodiscard]] Result<std::string> withPngText(std::string_view file, const PngText& text);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of texts as they come out of files: how they are encoded, and where they may end. Private to
// core. Free functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace homebooth::core {

/// UTF-16 as UTF-8, without the mark that it may begin with.
[[nodiscard]] std::string fromUtf16(std::string_view bytes, bool bigEndian);

/// Whether it is UTF-8 without zero bytes.
[[nodiscard]] bool isWellFormed(std::string_view bytes);

/// The first byte that is of no character, or zero.
[[nodiscard]] size_t wrongByte(std::string_view bytes);

/// Where a piece may end: neither within a character nor within a line's end.
[[nodiscard]] size_t wholeCharacters(const std::string& bytes);

/// Where a long text is best cut: no word there becomes another, neither GPT-2's nor BLOOM's.
[[nodiscard]] size_t cutOf(std::string_view text);

/// Makes \n of \r\n.
void useLineFeeds(std::string& text);

} // namespace homebooth::core

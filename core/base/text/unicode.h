// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The few operations on Unicode text that the tokenizer needs, equal to the reference's on every code point.
// Searching stands on them, too (search_text.h).
// Free functions without state; any thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

/// Decodes UTF-8; each malformed piece (the longest start of a sequence) becomes one U+FFFD.
[[nodiscard]] std::u32string decodeUtf8(std::string_view bytes);

/// Whether the bytes are well-formed UTF-8.
[[nodiscard]] bool isUtf8(std::string_view bytes);

/// The same text, each malformed piece as U+FFFD.
[[nodiscard]] std::string wellFormedUtf8(std::string_view bytes);

/// Appends a code point as UTF-8.
void appendUtf8(std::string& bytes, char32_t codePoint);

/// Normalisation form D: marks stand apart from their letters. Source: Unicode Standard Annex 15.
[[nodiscard]] std::u32string toNfd(const std::u32string& text);

/// Normalisation form C. Source: Unicode Standard Annex 15.
[[nodiscard]] std::u32string toNfc(std::u32string text);

/// Lower case, one code point at a time, whatever stands around it.
[[nodiscard]] std::u32string toLowerCase(const std::u32string& text);

[[nodiscard]] bool isLetter(char32_t codePoint);
[[nodiscard]] bool isNumber(char32_t codePoint);
[[nodiscard]] bool isWhiteSpace(char32_t codePoint);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A prompt as CLIP's tokenizer sees it, before it is cut into tokens. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

/// Form C, white space to single spaces, lower case: in this order, as the reference does.
[[nodiscard]] std::u32string normalised(const std::u32string& raw);

/// Whether no letter, number or underscore touches this part of a text.
[[nodiscard]] bool standsAlone(std::u32string_view text, size_t begin, size_t length);

/// Whether this part of a text is a word of its own. Unlike standsAlone, one that begins or ends with another
/// sign may touch anything there, as "<cat-toy>" does in "<cat-toy>s". @param length  at least 1
[[nodiscard]] bool isOwnWord(std::u32string_view text, size_t begin, size_t length);

/// A word as it is sought in a normalised prompt: without white space at its ends, which nobody types there.
[[nodiscard]] std::u32string soughtWord(std::string_view word);

/// Whether a prompt names that word, in any case and as a word of its own (isOwnWord), if only within a
/// longer one ("bad" in "bad-hand"). Both are UTF-8.
[[nodiscard]] bool namesWord(std::string_view prompt, std::string_view word);

} // namespace homebooth::core

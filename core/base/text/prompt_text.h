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

/// Whether a prompt names that word, in any case and where it stands alone. Both are UTF-8.
[[nodiscard]] bool namesWord(std::string_view prompt, std::string_view word);

} // namespace homebooth::core

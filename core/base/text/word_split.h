// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How byte-level tokenizers cut a text into words before they merge bytes. Free functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

enum class WordSplit {
    Gpt2, ///< 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    Bloom ///< runs that hold no space and no mark of the end of a clause, with one space in front, and the
          ///< rest
};

/// The way that a regular expression of a tokenizer.json means; nothing for others.
[[nodiscard]] std::optional<WordSplit> wordSplitOf(std::string_view pattern);

/// The end of the word that begins at `begin`, which is before the end of the text.
[[nodiscard]] size_t wordEnd(std::u32string_view text, size_t begin, WordSplit split);

} // namespace homebooth::core

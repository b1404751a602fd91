// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of a byte-level tokenizer say, whichever of them there are. Private to core/base/text.
// Plain values; any thread.
#pragma once

#include "core/base/text/byte_pair.h"
#include "core/base/text/word_split.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// A token that is found in texts as it is written, before anything else.
struct ByteLevelToken {
    int64_t id = -1;
    std::string content;
    bool special = false; ///< stands for no text
    bool yields = false;  ///< is looked for between the tokens that do not
    bool stripsLeft = false;
    bool stripsRight = false;
};

struct ByteLevelFiles {
    std::string file; ///< that the vocabulary is of, for messages
    VocabularyIds ids;
    std::vector<std::pair<std::string, std::string>> merges;
    std::vector<ByteLevelToken> added;
    WordSplit split = WordSplit::Gpt2;
    std::string startToken; ///< in front of every text; empty: nothing
    std::string endToken;   ///< that ends texts; empty: none is named, or the vocabulary lacks it
};

/// Errors: BadInput naming the file, what was expected in it, what was found, and what to do
[[nodiscard]] Result<ByteLevelFiles> readByteLevelFiles(const std::filesystem::path& folder);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of words for prompts: {animal} stands for a line of the list "animal". Free functions on the
// library's thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct WordList {
    int64_t id = 0;
    std::string name; ///< as it stands between braces; no two lists have the same
    std::string text; ///< one entry a line, as typed: blank lines and those that begin with # are none
    int64_t createdMs = 0;
    friend bool operator==(const WordList&, const WordList&) = default;
};

/// The entries of a list's text, without the space around them.
[[nodiscard]] std::vector<std::string> entriesOf(const std::string& text);

/// All lists by name.
[[nodiscard]] Result<std::vector<WordList>> loadWordLists(const Library& library);

/// Writes a list under its key, new or known.
[[nodiscard]] Result<void> saveWordList(Library& library, const WordList& list);

[[nodiscard]] Result<void> removeWordList(Library& library, int64_t id);

} // namespace homebooth::core

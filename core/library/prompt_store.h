// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts that were used or kept. Free functions on the library's thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

struct Prompt {
    int64_t id = 0;
    std::string text;
    std::string negative;
    bool favourite = false;
    int64_t usedMs = 0;
    int64_t uses = 0;
    friend bool operator==(const Prompt&, const Prompt&) = default;
};

/// Favourites first, then the latest. @param words  all of them must be in the prompt or in what it leaves
/// out; empty: every prompt
[[nodiscard]] Result<std::vector<Prompt>> findPrompts(const Library& library, const std::string& words,
                                                      int64_t limit, bool favouritesOnly = false);

/// The prompt of exactly these texts, if it is kept.
[[nodiscard]] Result<std::optional<Prompt>> findPrompt(const Library& library, const std::string& text,
                                                       const std::string& negative);

/// Notes that a prompt was used; the same text is kept once.
[[nodiscard]] Result<void> notePromptUse(Library& library, const std::string& text,
                                         const std::string& negative);

/// Writes a prompt under its key, new or known.
[[nodiscard]] Result<void> savePrompt(Library& library, const Prompt& prompt);

/// Marks a prompt, or takes the mark back. What else is known of it stays.
[[nodiscard]] Result<void> setPromptFavourite(Library& library, int64_t id, bool favourite);

[[nodiscard]] Result<void> removePrompt(Library& library, int64_t id);

} // namespace homebooth::core

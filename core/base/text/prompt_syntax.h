// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What A1111's web UI and its like do with a prompt beside reading it and weighing its words
// (prompt_weights.h). None of that is done here: a text encoder takes its signs for words. Pure functions;
// any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// The warning of pictures whose prompt has some of it.
inline constexpr const char* kPromptSyntax = "prompt-syntax";

/// Of each kind the first, as it stands in the prompt; empty: there is none.
struct PromptSyntax {
    std::string tag;      ///< calls an add-on: "<lora:hat:0.8>"
    std::string change;   ///< "[a|b]", "[a:b:0.5]", whose words change on the way; "BREAK", "AND"
    std::string wildcard; ///< "__animal__", "{2$$a|b}", for which those programs put words first

    [[nodiscard]] bool any() const { return !tag.empty() || !change.empty() || !wildcard.empty(); }
};

/// Brackets behind a backslash are words, as those programs have it; so is "AND" among words in capitals.
/// @param prompt  UTF-8
[[nodiscard]] PromptSyntax promptSyntax(std::string_view prompt);

/// A part of a text.
struct TextSpan {
    size_t begin = 0;
    size_t end = 0; ///< of what follows
};

/// Where square brackets have words that change while a picture is made, in the order of their ends:
/// "[a|b]", "[a:b:0.5]"; not "[a]", which weighs.
[[nodiscard]] std::vector<TextSpan> changingWords(std::string_view prompt);

/// What becomes of it, and what to do, a sentence for each kind: for the command line.
[[nodiscard]] std::vector<std::string> syntaxWarnings(const PromptSyntax& found);

} // namespace homebooth::core

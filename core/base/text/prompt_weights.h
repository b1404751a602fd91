// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts whose brackets weigh words, as A1111's web UI and Forge read them ("Original" emphasis): "(hat)"
// counts 1.1 times, "(hat:1.3)" 1.3 times, "[hat]" 1 / 1.1 times, and brackets within others multiply. A
// backslash before a bracket makes it a character. Pure functions; any thread.
#pragma once

#include "core/base/text/clip_tokenizer.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// Words that count alike.
struct PromptPiece {
    std::string text;
    double weight = 1.0;

    friend bool operator==(const PromptPiece&, const PromptPiece&) = default;
};

/// What a prompt consists of, at least one piece; neighbours differ in weight. One without any bracket is
/// its only piece, as it stands. A bracket that is never closed reaches to the end, one that was never opened
/// is a character, and so are those of words that change (changingWords).
/// @param prompt  UTF-8
[[nodiscard]] std::vector<PromptPiece> promptPieces(std::string_view prompt);

/// The prompt whose only piece is this very text, with the weight 1.
[[nodiscard]] std::string unweighedPrompt(std::string_view text);

/// Whether a piece names that word (namesWord).
[[nodiscard]] bool namesWord(std::span<const PromptPiece> pieces, std::string_view word);

/// Pieces as a text encoder takes them.
struct WeighedText {
    TokenizedText tokens;
    std::vector<float> weights; ///< of each of the ids; those of start, end and padding are 1. Empty: all are
};

/// Each piece becomes tokens on its own.
/// @param maxLength  ids, at least 2
[[nodiscard]] WeighedText tokenizePieces(const ClipTokenizer& tokenizer, std::span<const PromptPiece> pieces,
                                         int64_t maxLength);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prompts with places to fill in: {subject} is a subject's sentence, {red|blue} one of the words, {animal} a
// line of the user's list "animal"; \{ and \} are braces. Which words are taken follows from the seed alone.
// Pure functions; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>

namespace homebooth::app {

/// The entries of a list by its name; nothing if there is no such list.
using EntriesOf = std::function<std::optional<QStringList>(const QString& name)>;

/// Places may be nested so deeply, lists within lists included.
inline constexpr int kMostPromptDepth = 16;
/// Neither a prompt with places nor what it becomes may be longer.
inline constexpr int kMostPromptCharacters = 10'000;

struct FilledPrompt {
    enum class Problem { None, EmptyList, ListWithinItself, TooDeep, TooLong };
    QString text;                    ///< what is asked for; of no use with a problem
    Problem problem = Problem::None; ///< the first one
    QString list = {};               ///< the name that the problem is about; empty if it is about none
    QStringList unknown = {};        ///< names of no list, each once: they stay in the text with their braces
};

/// @param subject  what stands for {subject}: "ohwx toy"
/// @param seed     the same text and lists with the same seed give the same words
/// A brace without its partner stays as it is; braces may be nested, and entries may have places of their
/// own.
[[nodiscard]] FilledPrompt fillPrompt(const QString& text, const QString& subject, const EntriesOf& entries,
                                      uint64_t seed);

/// Whether filling in a prompt may change it.
[[nodiscard]] bool isTemplate(const QString& text);

/// The prompt with other signs for bars and colons of its places, for readers to whom such signs within
/// square brackets say something else: "[{red|blue} hat]" is a choice within a weight. As many bytes as
/// before.
[[nodiscard]] QString hidePlaces(const QString& text);

/// Undoes it.
[[nodiscard]] QString showPlaces(QString text);

/// The prompt that asks for this very text, whatever braces it has.
[[nodiscard]] QString literalPrompt(const QString& text);

/// The one that asks for it as words alone, whatever brackets it has: as what was learned is read, which no
/// bracket weighs.
[[nodiscard]] QString literalWords(const QString& text);

/// Likewise where braces are no places. @returns a backslash before each bracket
[[nodiscard]] QString unweighedWords(const QString& text);

} // namespace homebooth::app

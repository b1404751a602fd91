// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several subjects in one training are told apart by their trigger words alone. Pure functions; any thread.
#pragma once

#include "core/library/subject_store.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace homebooth::app {

/// How many tokens a word takes in the models that the user has, the most that one of them needs; 0: not
/// known.
using TokenCount = std::function<int(const QString& word)>;

/// Two subjects that a model could not tell apart, or one that has no word at all.
struct TriggerClash {
    core::Subject changed;                ///< the one to be given another word, with that word
    const core::Subject* other = nullptr; ///< that has the same word; null: there was no word
    QString word;                         ///< that both have
};

/// @param learned  together, in their order; one alone needs no word
/// @param all      of the user's: no word of theirs is suggested
[[nodiscard]] std::optional<TriggerClash> triggerClash(const std::vector<const core::Subject*>& learned,
                                                       const std::vector<core::Subject>& all,
                                                       const TokenCount& tokens = {});

/// Rare words without a meaning that CLIP's tokenizer keeps whole, the best first.
[[nodiscard]] const std::vector<const char*>& rareWords();

/// A word that none of `all` has: of the rare words the one of fewest tokens, of those the first. Two of them
/// together where all are taken.
[[nodiscard]] std::string suggestTriggerWord(const std::vector<core::Subject>& all,
                                             const TokenCount& tokens = {});

/// The first other subject that has the word of `subject`, as the tokenizer reads it; null: none, or no word.
[[nodiscard]] const core::Subject* triggerTwin(const core::Subject& subject,
                                               const std::vector<core::Subject>& all);

} // namespace homebooth::app

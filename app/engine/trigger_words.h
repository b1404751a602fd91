// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several subjects in one training are told apart by their trigger words alone. Pure functions; any thread.
#pragma once

#include "core/library/subject_store.h"

#include <QString>

#include <optional>
#include <vector>

namespace homebooth::app {

/// Two subjects that a model could not tell apart, or one that has no word at all.
struct TriggerClash {
    core::Subject changed;                ///< the one to be given another word, with that word
    const core::Subject* other = nullptr; ///< that has the same word; null: there was no word
    QString word;                         ///< that both have
};

/// @param learned  together, in their order; one alone needs no word
/// @param all      of the user's: no word of theirs is suggested
[[nodiscard]] std::optional<TriggerClash> triggerClash(const std::vector<const core::Subject*>& learned,
                                                       const std::vector<core::Subject>& all);

/// Rare words that CLIP's tokenizer keeps whole.
[[nodiscard]] const std::vector<const char*>& rareWords();

} // namespace homebooth::app

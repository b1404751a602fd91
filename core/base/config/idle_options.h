// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that somebody named and that change nothing, since another setting is not what they need. Each
// verb has a table of rules for them. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// When options change nothing. @tparam Settings  what was asked for, every setting filled in
template <class Settings>
struct IdleRule {
    std::string_view options;               ///< "--lora-rank --lora-alpha"
    bool (*idle)(const Settings& settings); ///< whether they are
    std::string_view found;                 ///< why, in words: what the settings say
    std::string_view remedy;                ///< "add --method lora"; empty: they can only be left out
    bool refused = false;                   ///< whoever names them wants another result than there would be
};

/// Options as the command line has them: "--lora-rank".
using NamedOptions = std::vector<std::string>;

/// Those of a rule that were named, in its order.
[[nodiscard]] NamedOptions namedOf(std::string_view options, const NamedOptions& named);

/// "--a and --b have no effect: FOUND; REMEDY, or leave them out"
[[nodiscard]] std::string idleText(const NamedOptions& options, std::string_view found,
                                   std::string_view remedy);

/// What there is to say of the options that change nothing, one text for each rule that is met.
/// Errors: Usage where one of them is refused: the texts of all those
template <class Settings>
[[nodiscard]] Result<std::vector<std::string>>
idleOptions(std::span<const IdleRule<Settings>> rules, const Settings& settings, const NamedOptions& named) {
    std::vector<std::string> told;
    std::string refused;
    for (const IdleRule<Settings>& rule : rules) {
        const NamedOptions options = namedOf(rule.options, named);
        if (options.empty() || !rule.idle(settings)) continue;
        std::string text = idleText(options, rule.found, rule.remedy);
        if (!rule.refused) {
            told.push_back(std::move(text));
            continue;
        }
        if (!refused.empty()) refused.append("; ");
        refused.append(text);
    }
    if (!refused.empty()) return Error{ErrorCode::Usage, std::move(refused), {}};
    return told;
}

} // namespace homebooth::core

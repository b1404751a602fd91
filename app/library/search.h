// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searching in what the user has typed, by the same rule as in the library. Free functions; any thread.
#pragma once

#include "core/base/text/search_text.h"

#include <QString>

#include <algorithm>
#include <string>
#include <vector>

namespace homebooth::app {

/// What of a text is compared: case and the way its marks are written do not count.
[[nodiscard]] inline QString searchForm(const QString& text) {
    return QString::fromStdString(core::searchText(text.toStdString()));
}

/// Whether a text holds all words. @param words  of `core::searchWords`
[[nodiscard]] inline bool holdsWords(const QString& text, const std::vector<std::string>& words) {
    if (words.empty()) return true;
    const std::string form = core::searchText(text.toStdString());
    return std::all_of(words.begin(), words.end(),
                       [&form](const std::string& word) { return form.find(word) != std::string::npos; });
}

} // namespace homebooth::app

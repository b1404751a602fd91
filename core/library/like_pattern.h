// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of a search as conditions of SQL. Private to core/library. Any thread.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace homebooth::core {

/// The pattern of a whole phrase for "LIKE ? ESCAPE '\\'".
[[nodiscard]] inline std::string likePhrase(const std::string& phrase) {
    std::string pattern = "%";
    for (const char character : phrase) {
        if (character == '%' || character == '_' || character == '\\') pattern += '\\';
        pattern += character;
    }
    return pattern + "%";
}

/// One pattern a word for "LIKE ? ESCAPE '\\'".
[[nodiscard]] inline std::vector<std::string> likePatterns(const std::string& words) {
    std::vector<std::string> patterns;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) patterns.push_back(likePhrase(word));
    return patterns;
}

} // namespace homebooth::core

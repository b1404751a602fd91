// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of a search as conditions of SQL. Private to core/library. Any thread.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace homebooth::core {

/// One pattern a word for "LIKE ? ESCAPE '\\'".
[[nodiscard]] inline std::vector<std::string> likePatterns(const std::string& words) {
    std::vector<std::string> patterns;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        std::string pattern = "%";
        for (const char character : word) {
            if (character == '%' || character == '_' || character == '\\') pattern += '\\';
            pattern += character;
        }
        patterns.push_back(pattern + "%");
    }
    return patterns;
}

} // namespace homebooth::core

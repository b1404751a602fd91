// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Words in a row, as messages and values of settings name them. Any thread.
#pragma once

#include <string>
#include <vector>

namespace homebooth::core {

/// Empty words count, but for those in front.
[[nodiscard]] inline std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

} // namespace homebooth::core

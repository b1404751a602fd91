// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/child_environment.h"

#include <algorithm>
#include <string_view>
#include <unistd.h>

namespace homebooth::core {

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& own) {
    std::vector<std::string> all;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text = *one;
        const bool replaced = std::any_of(own.begin(), own.end(), [text](const auto& variable) {
            return text.starts_with(variable.first + "=");
        });
        if (!replaced) all.emplace_back(text);
    }
    for (const auto& [name, value] : own) all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace homebooth::core

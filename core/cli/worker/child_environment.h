// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a child finds in its environment: this program's, with some variables of its own. Free function; it
// allocates, so it is called ahead of a fork.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// @param own   names and values
/// @returns     "NAME=value", each name once
[[nodiscard]] std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& own);

/// As execve takes them; valid while `words` are there and unchanged.
[[nodiscard]] std::vector<char*> pointersTo(std::vector<std::string>& words);

} // namespace homebooth::core

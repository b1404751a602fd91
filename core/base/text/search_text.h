// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts as searching compares them: upper and lower case are the same in every script, and so are a letter
// with its mark in one piece ("ä") and in two. Free functions without state; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// What two texts have in common that a search takes for the same. For comparing alone, not for showing.
/// Malformed UTF-8 becomes U+FFFD.
/// Source: Unicode Standard, section 3.13, D145 (canonical caseless matching), then composed, so that "a" is
///         no part of "ä".
[[nodiscard]] std::string searchText(std::string_view utf8);

/// The words of a search, each as `searchText` has it.
[[nodiscard]] std::vector<std::string> searchWords(std::string_view utf8);

} // namespace homebooth::core

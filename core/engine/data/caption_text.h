// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Captions as text files and JSON hold them. For .cpp files: this header needs nlohmann/json.
// Pure functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

constexpr int64_t kMaxCaptionBytes = int64_t{1} << 20;

/// Without blanks around it.
[[nodiscard]] std::string trimmedCaption(const std::string& text);

/// What a text file says as a caption: without a byte-order mark ahead of it, and trimmed.
/// Errors: BadInput, without naming the file, where it is not UTF-8
[[nodiscard]] Result<std::string> captionOfFile(std::string_view bytes);

/// Whether one of them is not empty.
[[nodiscard]] bool saysSomething(const std::vector<std::string>& captions);

/// The strings in the list `texts`; if they say nothing, the first of `keywords` that does. May be empty.
[[nodiscard]] std::vector<std::string> captionsIn(const nlohmann::json& object,
                                                  std::initializer_list<const char*> keywords);

/// What the members named as `columns` hold, one behind the other: a string is one caption, each string in a
/// list another. May be empty.
[[nodiscard]] std::vector<std::string> captionsInColumns(const nlohmann::json& object,
                                                         const std::vector<std::string>& columns);

/// Their names and types, for messages; of many the first ones.
[[nodiscard]] std::string membersOf(const nlohmann::json& object);

/// The names with "or" between, for messages.
[[nodiscard]] std::string eitherOf(const std::vector<std::string>& names);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Captions as JSON holds them; those of text files: formats/caption_file. For .cpp files: this header needs
// nlohmann/json. Pure functions; any thread.
#pragma once

#include "core/base/formats/caption_file.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace homebooth::core {

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

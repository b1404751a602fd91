// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What help says of settings, and texts of options set and checked at once. Free functions; any thread.
#pragma once

#include "core/base/config/config_fields.h"

#include <string>
#include <string_view>

namespace homebooth::core {

/// Where descriptions begin in help.
constexpr size_t kHelpColumn = 36;

/// What an option takes, as help names it: "N", "X", "SIZE", "PATH", "gpu|cpu".
[[nodiscard]] std::string typeName(const ConfigField& field);

/// The field's meaning with its range. @param shown  of its value, in brackets; empty: nothing
[[nodiscard]] std::string helpText(const ConfigField& field, const std::string& shown);

/// Errors: Usage, naming the option: what is no value of the field, or one out of its range
[[nodiscard]] Result<void> setChecked(ConfigField& field, const std::string& text);

/// Help with its long lines broken at blanks. What is said of an option goes on in kHelpColumn.
[[nodiscard]] std::string wrappedHelp(std::string_view help, size_t width);

/// As wide as the terminal on standard output; 100 elsewhere.
[[nodiscard]] size_t helpWidth();

} // namespace homebooth::core

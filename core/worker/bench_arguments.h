// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parsing that all parts of `bench` share. Free function; the main thread.
#pragma once

#include "core/base/config/field_option.h"

#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Options of these fields, whose present values help shows.
void addFieldOptions(CLI::App& app, const std::vector<ConfigField>& fields);

/// Fills what was declared in `app`. @param name  of the part, for an error
/// @returns the exit code where there is nothing to do: help was printed, or what is wrong was said
[[nodiscard]] std::optional<int> parseBenchArguments(CLI::App& app, const char* name,
                                                     const std::vector<std::string>& arguments);

} // namespace homebooth::core

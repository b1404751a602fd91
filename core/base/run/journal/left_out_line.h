// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which warnings of a run name something that the training goes on without. Free function; any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// The list of what was left out, in a run's folder: lines of `leftOutLine`, sorted.
constexpr const char* kLeftOutName = "left_out.txt";

/// A picture's path and why it was left out, in one line; nothing of other warnings.
[[nodiscard]] std::optional<std::string> leftOutLine(const WarningEvent& warning);

} // namespace homebooth::core

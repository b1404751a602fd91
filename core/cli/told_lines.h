// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What `--json` tells programs on standard output, line by line. Free functions; one thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace homebooth::core {

/// What help says of --json where it tells such lines.
constexpr const char* kJsonLinesHelp =
    "print the journal's lines instead of progress, JSON each; the last one is the outcome, also of what "
    "cannot begin";

/// Prints a line at once.
void tellLine(const std::string& line);

/// The same of an event. @param seq  its number; 0: it is none of those that are counted
void tellEvent(const Event& event, int64_t seq = 0);

/// Why the first line that was not written was not, as errno has it; 0: all were.
[[nodiscard]] int untoldLines();

/// As fail(); programs are told of it as the outcome, too.
/// @param json  whether they listen. @returns the exit code of the error
int failTold(std::string_view verb, const Error& error, bool json);

} // namespace homebooth::core

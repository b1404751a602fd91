// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Words on a terminal that somebody else may have written: what files, models and runs say could else set
// the terminal's title or clipboard, clear it, or pass for other lines. Free functions without state; any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

/// The text on one line, as UTF-8: line breaks and tabs as spaces. Other control characters, marks that turn
/// the direction of writing, and bytes that are not UTF-8 appear as \xNN.
[[nodiscard]] std::string terminalLine(std::string_view text);

/// The same, but line breaks and tabs stay.
[[nodiscard]] std::string terminalText(std::string_view text);

/// The same, but line breaks and tabs appear as \xNN, too: for names.
[[nodiscard]] std::string terminalName(std::string_view text);

} // namespace homebooth::core

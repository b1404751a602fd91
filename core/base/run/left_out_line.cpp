// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/left_out_line.h"

#include <algorithm>
#include <regex>

namespace homebooth::core {

std::optional<std::string> leftOutLine(const WarningEvent& warning) {
    if (warning.code != "broken-picture" && warning.code != "picture") return std::nullopt;
    static const std::regex frame("^(?:(.*): )?left out (.*?)(?: \\(\\d+ of \\d+\\))?$");
    std::string message = warning.message;
    std::replace(message.begin(), message.end(), '\n', ' '); // of a file's name
    std::smatch parts;
    if (!std::regex_match(message, parts, frame)) return std::nullopt;
    return parts[1].length() > 0 ? parts[1].str() + "/" + parts[2].str() : parts[2].str();
}

} // namespace homebooth::core

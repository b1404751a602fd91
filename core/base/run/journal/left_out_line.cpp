// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/journal/left_out_line.h"

#include <algorithm>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr std::string_view kLeftOut = "left out ";
constexpr std::string_view kWithin = ": "; // between a folder and what was left out in it

bool isNumber(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char one) { return one >= '0' && one <= '9'; });
}

/// Without " (3 of 7)" at its end.
std::string_view withoutCount(std::string_view text) {
    constexpr std::string_view kOpen = " (";
    constexpr std::string_view kOf = " of ";
    const size_t open = text.rfind(kOpen);
    if (open == std::string_view::npos || !text.ends_with(')')) return text;
    std::string_view count = text.substr(open + kOpen.size());
    count.remove_suffix(1);
    const size_t of = count.find(kOf);
    const bool counts = of != std::string_view::npos && isNumber(count.substr(0, of)) &&
                        isNumber(count.substr(of + kOf.size()));
    return counts ? text.substr(0, open) : text;
}

} // namespace

std::optional<std::string> leftOutLine(const WarningEvent& warning) {
    if (warning.code != "broken-picture" && warning.code != "picture") return std::nullopt;
    std::string message = warning.message;
    for (const char end : {'\n', '\r'}) std::replace(message.begin(), message.end(), end, ' '); // of a name
    // By hand: a regular expression goes as deep on the stack as the message is long, and journals may come
    // from anywhere.
    const std::string_view text = message;
    const size_t folder = text.rfind(std::string(kWithin) + std::string(kLeftOut));
    const bool within = folder != std::string_view::npos;
    if (!within && !text.starts_with(kLeftOut)) return std::nullopt;
    const size_t said = within ? folder + kWithin.size() : 0;
    const std::string left(withoutCount(text.substr(said + kLeftOut.size())));
    return within && folder > 0 ? message.substr(0, folder) + "/" + left : left;
}

} // namespace homebooth::core

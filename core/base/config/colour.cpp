// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/colour.h"

#include <charconv>
#include <cstdio>

namespace homebooth::core {

std::optional<uint32_t> parseColour(std::string_view text) {
    constexpr size_t kLetters = 7;
    constexpr int kBase = 16;
    if (text.size() != kLetters || text.front() != '#') return std::nullopt;
    uint32_t rgb = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data() + 1, end, rgb, kBase);
    if (failed != std::errc{} || rest != end) return std::nullopt;
    return rgb;
}

std::string colourText(uint32_t rgb) {
    char text[8];
    std::snprintf(text, sizeof text, "#%06x", rgb & 0xFFFFFFU);
    return text;
}

} // namespace homebooth::core

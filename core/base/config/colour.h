// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours as people write and read them. Free functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

constexpr uint32_t kWhite = 0xFFFFFF;

/// "#RRGGBB" in sRGB, digits in either case, as 0xRRGGBB; nothing for any other text.
[[nodiscard]] std::optional<uint32_t> parseColour(std::string_view text);

/// 0xRRGGBB as "#rrggbb".
[[nodiscard]] std::string colourText(uint32_t rgb);

/// Red, green and blue of 0xRRGGBB.
[[nodiscard]] constexpr std::array<uint8_t, 3> colourParts(uint32_t rgb) {
    return {static_cast<uint8_t>(rgb >> 16 & 0xFF), static_cast<uint8_t>(rgb >> 8 & 0xFF),
            static_cast<uint8_t>(rgb & 0xFF)};
}

} // namespace homebooth::core

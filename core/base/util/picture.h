// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A picture in memory: 8-bit sRGB, the one form in which pictures pass between media, engine and command
// line. Value type, owns its bytes; any thread. Invariant: rgb.size() == 3 * widthPixels * heightPixels.
#pragma once

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// 8-bit sRGB, interleaved R, G, B; rows from top to bottom without padding.
struct Picture {
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
    std::vector<uint8_t> rgb; ///< [heightPixels, widthPixels, 3]

    [[nodiscard]] bool empty() const { return rgb.empty(); }
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How large a picture is. Value type; any thread.
#pragma once

#include <compare>
#include <cstdint>

namespace homebooth::core {

struct PictureSize {
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
    friend auto operator<=>(const PictureSize&, const PictureSize&) = default;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How much of a tensor a fixture holds: of more than 64 numbers one of every 61, as
// tests/reference/common.py writes them.
#pragma once

#include <cstdint>

namespace homebooth::core::testing {

inline constexpr int64_t kHeldStride = 61;

/// How many numbers of a tensor of `count` a thinned fixture holds.
inline int64_t heldCount(int64_t count) {
    return count <= 64 ? count : (count + kHeldStride - 1) / kHeldStride;
}

} // namespace homebooth::core::testing

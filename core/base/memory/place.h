// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses within an arena that a rehearsal leaves without memory. Free function; any thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// Where something lies in an arena; null where the arena is.
template <class Element>
[[nodiscard]] Element* placeIn(Element* arena, int64_t offset) {
    return arena != nullptr ? arena + offset : nullptr;
}

} // namespace homebooth::core

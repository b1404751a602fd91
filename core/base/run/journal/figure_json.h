// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of a plan in JSON. For .cpp files: this header needs nlohmann/json. Free function; any thread.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace homebooth::core {

/// Whole numbers, such as bytes and counts, without a fraction; null for what is no number.
[[nodiscard]] inline nlohmann::ordered_json figureJson(double value) {
    constexpr double kMostWhole = 9007199254740992.0; // beyond that not each one is told from the next
    if (!std::isfinite(value)) return nullptr;
    if (value == std::floor(value) && std::abs(value) <= kMostWhole) return static_cast<int64_t>(value);
    return value;
}

} // namespace homebooth::core

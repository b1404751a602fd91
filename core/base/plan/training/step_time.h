// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a step takes, as people say it. A free function; any thread.
#pragma once

#include <string>

namespace homebooth::core {

/// "0.25 s", "95 s", "17 min", "2.5 h".
/// @param digits  that count, at least 1; whole numbers have all of theirs
[[nodiscard]] std::string stepTimeText(double seconds, int digits = 2);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names a process so that a later one with the same number is not taken for it. Free functions; any thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// When a process began, in clock ticks since boot; 0 if there is no such process or it has ended.
[[nodiscard]] int64_t processStartTicks(int64_t pid);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What wall clocks count and nobody works in: the sleep of the machine. Free function; any thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// How long this machine has slept since it was switched on, in milliseconds. Two clocks are read for it one
/// after the other, so it may go up and down by some of them.
[[nodiscard]] int64_t sleptMs();

} // namespace homebooth::core

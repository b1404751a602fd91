// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What wall clocks count and nobody works in: the sleep of the machine; and time that is counted on where
// such a clock is set. Free functions; any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace homebooth::core {

/// How long this machine has slept since it was switched on, in milliseconds. Two clocks are read for it one
/// after the other, so it may go up and down by some of them.
[[nodiscard]] int64_t sleptMs();

/// Since this machine was switched on, with its sleep, in milliseconds: nobody can set that clock.
[[nodiscard]] int64_t sinceBootMs();

/// When this machine was switched on, by its wall clock as that is now.
[[nodiscard]] std::chrono::system_clock::time_point switchedOn();

} // namespace homebooth::core

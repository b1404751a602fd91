// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether this machine runs on a battery, and how full that is. Free functions; any thread.
#pragma once

#include <filesystem>

namespace homebooth::core {

/// What batteries have to hold again before what got low is not low any more: with a charger that is too weak
/// the level goes up as soon as nothing computes, and down again behind that.
constexpr int kSafePercent = 20;

/// Another folder than the kernel's, for tests.
constexpr const char* kPowerFolderVariable = "HOMEBOOTH_POWER_FOLDER";

struct PowerFacts {
    bool discharging = false; ///< a battery of the machine's own is; a weak charger does not help it
    bool plugged = false;     ///< something feeds the machine
    int percent = -1;         ///< that its batteries hold, on the average; -1: it has none, or nobody knows

    [[nodiscard]] bool onBattery() const { return discharging && !plugged; }
    /// Whether the machine will be without power soon.
    [[nodiscard]] bool isLow() const;
    /// Whether a machine that was low need not care any more.
    [[nodiscard]] bool isSafe() const;
};

/// Batteries of mice and headsets are not the machine's.
/// @param folder  with a folder for each supply, as the kernel has it
[[nodiscard]] PowerFacts powerFactsIn(const std::filesystem::path& folder);

[[nodiscard]] PowerFacts powerFacts();

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times and sizes as the user reads them. Pure functions; any thread.
#pragma once

#include <QString>

#include <cstdint>

namespace homebooth::app {

/// "12 min left", "under a minute left".
[[nodiscard]] QString timeLeftText(double seconds);
/// "25 min", "40 s", "3 days 5 h".
[[nodiscard]] QString durationText(double seconds);
/// "0.01", "2e-6": small numbers as people write them, with the locale's point. @param digits  that count
[[nodiscard]] QString numberText(double value, int digits = 8);
/// "800", "10,000": how many, or which step; such long ones in groups, as the locale has them.
[[nodiscard]] QString countText(int64_t count);
/// "5.7 GB" with 2^30 bytes, as memory is counted.
[[nodiscard]] QString memoryText(int64_t bytes);
/// "5.9 of 7.2 GB".
[[nodiscard]] QString memoryOfText(int64_t bytes, int64_t wholeBytes);
/// "4.3 GB" with 10^9 bytes, as disks are counted; small files in kB.
[[nodiscard]] QString diskText(int64_t bytes);

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/swap_wear.h"

#include "core/base/config/byte_size.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace homebooth::core {
namespace {

/// What makers of consumer NVMe drives of 1 TB warrant to be written: 600 TB for Samsung's 970 EVO Plus, 980
/// and 980 PRO and for WD's Black SN770 and SN850X (their data sheets). Cheaper ones warrant a third of it.
constexpr double kTypicalEnduranceBytes = 600e12;
constexpr double kSecondsPerDay = 86400.0;

} // namespace

SwapWear swapWear(const SwapUse& use, double stepSeconds) {
    SwapWear wear;
    wear.heldBytes = use.setAsideBytes + use.homeBytes + use.frozenBytes;
    const int64_t written = use.changingBytes + use.gradientBytes + std::min(use.homeBytes, use.trainedBytes);
    const int64_t read = use.changingBytes + use.gradientReadBytes + use.fetchedBytes + use.againBytes;
    wear.writtenBytesPerStep = std::max<int64_t>(written + use.extra.writtenBytes, 0);
    wear.readBytesPerStep = std::max<int64_t>(read + use.extra.readBytes, 0);
    if (stepSeconds > 0.0)
        wear.writtenBytesPerDay =
            static_cast<double>(wear.writtenBytesPerStep) * kSecondsPerDay / stepSeconds;
    wear.endurancePerDay = wear.writtenBytesPerDay / kTypicalEnduranceBytes;
    return wear;
}

PlanDecision decisionOf(const SwapWear& wear, int64_t processes) {
    std::map<std::string, double> facts{{"heldBytes", static_cast<double>(wear.heldBytes)},
                                        {"stepBytes", static_cast<double>(wear.writtenBytesPerStep)},
                                        {kStepReadBytes, static_cast<double>(wear.readBytesPerStep)}};
    const bool several = processes > 1;
    if (several) facts["processes"] = static_cast<double>(processes);
    const std::string whose =
        several ? "swap, for each of " + std::to_string(processes) + " processes: " : std::string("swap: ");
    const std::string held = whose + byteSizeText(wear.heldBytes) + " on the disk; a step reads " +
                             byteSizeText(wear.readBytesPerStep) + " there and writes " +
                             byteSizeText(wear.writtenBytesPerStep);
    if (wear.writtenBytesPerDay <= 0.0) return {held, "swap", std::move(facts)};
    const double percent = 100.0 * wear.endurancePerDay;
    const double days = std::floor(1.0 / wear.endurancePerDay);
    facts.insert({{"dayBytes", wear.writtenBytesPerDay}, {"lifePercent", percent}, {"lifeDays", days}});
    char life[160];
    std::snprintf(
        life, sizeof life,
        "; a day of training writes %.2g %% of what a typical drive of 1 TB is made for (600 TB: %.0f "
        "days of training)",
        percent, days);
    return {held + ", " + byteSizeText(static_cast<int64_t>(wear.writtenBytesPerDay)) + " a day" + life +
                (several ? ", " + std::to_string(processes) + " times as much where they share it" : ""),
            "swap-wear", std::move(facts)};
}

} // namespace homebooth::core

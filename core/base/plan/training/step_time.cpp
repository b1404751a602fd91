// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/step_time.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace homebooth::core {
namespace {

constexpr double kMost = 99.5; // of a unit, where a larger one follows
constexpr double kSixty = 60.0;

int decimalsFor(double amount, int digits) {
    return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(amount))));
}

} // namespace

std::string stepTimeText(double seconds, int digits) {
    if (!std::isfinite(seconds) || seconds <= 0.0) return "0 s";
    const char* unit = "s";
    double amount = seconds;
    for (const char* larger : {"min", "h"}) {
        if (amount < kMost) break;
        amount /= kSixty;
        unit = larger;
    }
    const double scale = std::pow(10.0, decimalsFor(amount, digits));
    amount = std::round(amount * scale) / scale;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", decimalsFor(amount, digits), amount, unit);
    return text;
}

} // namespace homebooth::core

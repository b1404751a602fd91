// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/power_facts.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/sys/class/power_supply";
constexpr int kLowPercent = 15; // UPower calls 10 low, and switches off at 2; a step may take minutes
static_assert(kLowPercent < kSafePercent);

/// The first line; empty where there is none.
std::string lineOf(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::optional<int> percentOf(const fs::path& supply) {
    const std::string text = lineOf(supply / "capacity");
    int percent = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return std::clamp(percent, 0, 100);
}

bool isOwnBattery(const fs::path& supply) {
    return lineOf(supply / "type") == "Battery" && lineOf(supply / "scope") != "Device" &&
           lineOf(supply / "present") != "0";
}

} // namespace

bool PowerFacts::isLow() const {
    return discharging && percent >= 0 && percent < kLowPercent;
}

bool PowerFacts::isSafe() const {
    return !discharging && (percent < 0 || percent >= kSafePercent);
}

PowerFacts powerFactsIn(const fs::path& folder) {
    PowerFacts facts;
    bool charging = false;
    std::vector<int> percents;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const fs::path supply = it->path();
        const bool device = lineOf(supply / "scope") == "Device";
        if (!device && lineOf(supply / "type") != "Battery" && lineOf(supply / "online") == "1")
            facts.plugged = true;
        if (!isOwnBattery(supply)) continue;
        const std::string status = lineOf(supply / "status");
        facts.discharging = facts.discharging || status == "Discharging";
        charging = charging || status == "Charging";
        if (const auto percent = percentOf(supply)) percents.push_back(*percent);
    }
    if (charging) facts.discharging = false; // one of two gives to the other
    int sum = 0;
    for (const int percent : percents) sum += percent;
    if (!percents.empty()) facts.percent = sum / static_cast<int>(percents.size());
    return facts;
}

PowerFacts powerFacts() {
    const char* folder = std::getenv(kPowerFolderVariable);
    return powerFactsIn(folder != nullptr ? folder : kFolder);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace homebooth::core {
namespace {

// Of the values: marks that lie closer together could be neither told apart nor counted.
constexpr double kLeastRange = 1e-9;

/// The round step (1, 2 or 5 times a power of ten) that gives at most `wanted` marks over `range`.
double roundStep(double range, int wanted) {
    const double raw = range / std::max(wanted, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

void addLinearMarks(Axis& axis, int wanted) {
    const double step = roundStep(axis.high - axis.low, wanted);
    for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step; ++i) {
        axis.marks.push_back({i * step, shortNumber(i * step)});
    }
}

void addLogarithmicMarks(Axis& axis, int wanted) {
    const double decades = std::log10(axis.high / axis.low);
    const std::vector<double> factors = decades * 3 <= wanted ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
    const double every = std::max(1.0, std::ceil(decades / wanted));
    for (double power = std::floor(std::log10(axis.low)); power <= std::log10(axis.high); power += every) {
        for (double factor : factors) {
            const double value = factor * std::pow(10.0, power);
            if (value >= axis.low && value <= axis.high) axis.marks.push_back({value, shortNumber(value)});
        }
    }
    if (axis.marks.size() < 2) {
        axis.marks.clear();
        addLinearMarks(axis, wanted);
    }
}

void widen(Axis& axis, double margin) {
    if (axis.logarithmic) {
        const double factor = axis.high > axis.low ? std::pow(axis.high / axis.low, margin) : 2.0;
        axis.low /= factor;
        axis.high *= factor;
        return;
    }
    const bool nothingBelowZero = axis.low >= 0;
    double extra = (axis.high - axis.low) * margin;
    if (axis.high <= axis.low) extra = axis.high == 0 ? 1.0 : std::abs(axis.high) * 0.5;
    axis.low = nothingBelowZero ? std::max(axis.low - extra, 0.0) : axis.low - extra;
    axis.high += extra;
}

} // namespace

double Axis::position(double value) const {
    if (logarithmic) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

bool Axis::shows(double value) const {
    return std::isfinite(value) && (!logarithmic || value > 0);
}

Axis makeAxis(const std::vector<double>& values, bool logarithmic, int wanted, double margin) {
    Axis axis;
    axis.logarithmic = logarithmic;
    bool any = false;
    for (double value : values) {
        if (!axis.shows(value)) continue;
        axis.low = any ? std::min(axis.low, value) : value;
        axis.high = any ? std::max(axis.high, value) : value;
        any = true;
    }
    if (!any) axis = Axis{0, 1, false, {}};
    if (axis.high - axis.low <= kLeastRange * std::max(std::abs(axis.low), std::abs(axis.high)))
        axis.low = axis.high;
    if (any && (margin > 0 || axis.high <= axis.low)) widen(axis, margin);
    axis.logarithmic ? addLogarithmicMarks(axis, wanted) : addLinearMarks(axis, wanted);
    return axis;
}

Axis makeByteAxis(double highest, int wanted, std::string& unit) {
    static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t index = 0;
    double size = 1;
    while (highest / size >= 1024 && index + 1 < std::size(kUnits)) {
        size *= 1024;
        ++index;
    }
    unit = kUnits[index];
    Axis axis;
    axis.high = std::max(highest / size, 1e-9) * 1.08;
    addLinearMarks(axis, wanted);
    axis.high *= size;
    for (AxisMark& mark : axis.marks) mark.value *= size;
    return axis;
}

std::string shortNumber(double value) {
    char text[32];
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e7) {
        std::snprintf(text, sizeof text, "%.3g", value);
        return text;
    }
    std::snprintf(text, sizeof text, "%.*g", size >= 999'999.5 ? 7 : 6, value);
    std::string out = text;
    if (size < 1000 || out.find_first_of(".e") != std::string::npos) return out;
    for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3) {
        out.insert(static_cast<size_t>(at), ",");
    }
    return out;
}

} // namespace homebooth::core

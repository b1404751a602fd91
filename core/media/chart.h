// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Charts drawn into pictures, for reports and for machines without a display.
// Free functions without state; any thread.
#pragma once

#include "core/base/util/picture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct ChartSize {
    int64_t widthPixels = 960;
    int64_t heightPixels = 540;
};

/// One line of a chart. Values that are not finite leave a gap.
struct ChartSeries {
    std::string name;
    std::vector<double> x;
    std::vector<double> y; ///< as many as x
    bool marked = false;   ///< drawn as it is, never smoothed, with a round mark at each value
};

struct LineChart {
    std::string title;
    std::string xLabel; ///< with its unit, such as "step"
    std::string yLabel; ///< with its unit
    std::vector<ChartSeries> series;
    bool smooth = false;    ///< draw each series that is not marked faint, and its running mean strong
    bool logScaleY = false; ///< values that are not positive leave a gap
};

/// Draws a line chart with grid, axes and legend. Without any value it says so inside the frame.
[[nodiscard]] Picture drawLineChart(const LineChart& chart, const ChartSize& size = {});

/// Amounts over time that add up, such as memory by kind, and others beside them.
struct StackedChart {
    std::string title;
    std::string xLabel;
    std::vector<double> x;
    std::vector<ChartSeries> layers; ///< bottom first; y in bytes, as many as `x`; their own x is unused
    double limitBytes = 0;           ///< > 0: a dashed line, such as the budget
    std::string limitName;
    std::vector<ChartSeries> beside = {}; ///< likewise, but lines of their own, added to nothing
};

/// Draws a stacked area chart of bytes; the axis chooses KiB, MiB or GiB.
[[nodiscard]] Picture drawStackedChart(const StackedChart& chart, const ChartSize& size = {});

/// Exponential running mean with bias correction. @param span  number of values that weigh most, >= 1
[[nodiscard]] std::vector<double> runningMean(const std::vector<double>& values, double span);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/chart.h"

#include "core/media/axis.h"
#include "core/media/canvas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace homebooth::core {
namespace {

constexpr Rgb kBackground{255, 255, 255};
constexpr Rgb kPlot{250, 251, 252};
constexpr Rgb kGrid{230, 233, 238};
constexpr Rgb kFrame{176, 183, 193};
constexpr Rgb kTitle{31, 39, 51};
constexpr Rgb kText{91, 100, 112};
constexpr Rgb kLimit{198, 40, 56};
// Told apart with the common colour blindnesses too (after Okabe and Ito, 2008), a little deeper.
constexpr Rgb kPalette[] = {{38, 103, 206}, {230, 126, 34}, {22, 150, 114}, {176, 82, 160},
                            {214, 168, 24}, {86, 170, 222}, {120, 120, 130}};
// Of layers, which touch each other: the window's kinds of memory on light ground.
constexpr Rgb kLayers[] = {{80, 128, 216}, {123, 31, 162}, {154, 59, 10},
                           {16, 96, 90},   {176, 131, 26}, {135, 135, 135}};
constexpr double kTitleSize = 14, kLabelSize = 9.5, kRawShare = 0.30;
constexpr double kRaw = 1.0, kStrong = 2.0, kMark = 3.5;

Rgb colourOf(size_t index) {
    return kPalette[index % std::size(kPalette)];
}

Rgb colourOfLayer(size_t index) {
    return kLayers[index % std::size(kLayers)];
}

struct LegendEntry {
    std::string name;
    Rgb colour;
    bool marked = false;
};

/// The frame of a chart on its canvas: everything but the data.
class Plot {
public:
    Plot(const ChartSize& size, Axis x, Axis y)
        : m_canvas(size.widthPixels, size.heightPixels, kBackground)
        , m_x(std::move(x))
        , m_y(std::move(y))
        , m_area(70, 74, static_cast<double>(size.widthPixels) - 70 - 28,
                 static_cast<double>(size.heightPixels) - 74 - 56) {
        m_canvas.rectangle(m_area, kPlot);
        drawGrid();
    }

    Canvas& canvas() { return m_canvas; }
    [[nodiscard]] const cv::Rect2d& area() const { return m_area; }
    [[nodiscard]] const Axis& x() const { return m_x; }
    [[nodiscard]] const Axis& y() const { return m_y; }

    [[nodiscard]] cv::Point2d at(double x, double y) const {
        return {m_area.x + m_area.width * m_x.position(x), m_area.y + m_area.height * (1 - m_y.position(y))};
    }

    void drawTitles(const std::string& title, const std::string& xLabel, const std::string& yLabel) {
        m_canvas.text(title, {24, 34}, kTitleSize, kTitle, Anchor::Left, true);
        m_canvas.text(yLabel, {24, 60}, kLabelSize, kText);
        m_canvas.text(xLabel, {m_area.x + m_area.width / 2, m_area.br().y + 44}, kLabelSize, kText,
                      Anchor::Centre);
    }

    void drawFrame() {
        m_canvas.line({m_area.x, m_area.br().y}, m_area.br(), kFrame, 1);
        m_canvas.line(m_area.tl(), {m_area.x, m_area.br().y}, kFrame, 1);
    }

    /// Names with their colours and marks, from the right end of the line above the plot.
    void drawLegend(const std::vector<LegendEntry>& entries) {
        double right = m_area.br().x;
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            const auto& [name, colour, marked] = *entry;
            if (name.empty()) continue;
            m_canvas.text(name, {right, 60}, kLabelSize, kText, Anchor::Right);
            right -= Canvas::textWidth(name, kLabelSize) + 8;
            m_canvas.rectangle({right - 16, 54, 16, 4}, colour);
            if (marked) m_canvas.disc({right - 8, 56}, kMark + 1, colour);
            right -= 16 + 20;
        }
    }

    void sayEmpty() {
        m_canvas.text("no values yet", {m_area.x + m_area.width / 2, m_area.y + m_area.height / 2},
                      kTitleSize, kFrame, Anchor::Centre);
    }

private:
    void drawGrid() {
        for (const AxisMark& mark : m_y.marks) {
            const double y = at(m_x.low, mark.value).y;
            m_canvas.line({m_area.x, y}, {m_area.br().x, y}, kGrid, 1);
            m_canvas.text(mark.label, {m_area.x - 9, y + kLabelSize / 2}, kLabelSize, kText, Anchor::Right);
        }
        for (const AxisMark& mark : m_x.marks) {
            const double x = at(mark.value, m_y.low).x;
            m_canvas.line({x, m_area.y}, {x, m_area.br().y}, kGrid, 1);
            m_canvas.text(mark.label, {x, m_area.br().y + 20}, kLabelSize, kText, Anchor::Centre);
        }
    }

    Canvas m_canvas;
    Axis m_x;
    Axis m_y;
    cv::Rect2d m_area;
};

/// One line, broken where a value cannot be shown.
void drawSeries(Plot& plot, const std::vector<double>& x, const std::vector<double>& y, Rgb colour,
                double thickness) {
    std::vector<cv::Point2d> run;
    const auto flush = [&] {
        if (!run.empty()) plot.canvas().polyline(run, colour, thickness);
        run.clear();
    };
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (plot.x().shows(x[i]) && plot.y().shows(y[i])) {
            run.push_back(plot.at(x[i], y[i]));
        } else {
            flush();
        }
    }
    flush();
}

void drawMarks(Plot& plot, const ChartSeries& series, Rgb colour) {
    for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        if (!plot.x().shows(series.x[i]) || !plot.y().shows(series.y[i])) continue;
        plot.canvas().disc(plot.at(series.x[i], series.y[i]), kMark, colour);
    }
}

std::vector<double> together(const LineChart& chart, std::vector<double> ChartSeries::*values) {
    std::vector<double> all;
    for (const ChartSeries& series : chart.series) {
        all.insert(all.end(), (series.*values).begin(), (series.*values).end());
    }
    return all;
}

/// A span that smooths away noise but leaves the shape: a thirtieth of the series.
double spanOf(const std::vector<double>& values) {
    return std::max(5.0, static_cast<double>(values.size()) / 30);
}

/// Sums of the layers up to and including each, at each x.
std::vector<std::vector<double>> stacked(const StackedChart& chart) {
    std::vector<std::vector<double>> sums;
    std::vector<double> sum(chart.x.size(), 0.0);
    for (const ChartSeries& layer : chart.layers) {
        for (size_t i = 0; i < std::min(sum.size(), layer.y.size()); ++i) {
            sum[i] += std::isfinite(layer.y[i]) ? std::max(layer.y[i], 0.0) : 0.0;
        }
        sums.push_back(sum);
    }
    return sums;
}

void drawLayer(Plot& plot, const std::vector<double>& x, const std::vector<double>& lower,
               const std::vector<double>& upper, Rgb colour) {
    std::vector<cv::Point2d> outline, top;
    for (size_t i = 0; i < x.size(); ++i) top.push_back(plot.at(x[i], upper[i]));
    outline = top;
    for (size_t i = x.size(); i-- > 0;) outline.push_back(plot.at(x[i], lower[i]));
    plot.canvas().polygon(outline, mixed(colour, kPlot, 0.62));
    plot.canvas().polyline(top, colour, 1.2);
}

void drawLimit(Plot& plot, const StackedChart& chart) {
    if (chart.limitBytes <= 0) return;
    const double y = plot.at(plot.x().low, chart.limitBytes).y;
    plot.canvas().dashedLine({plot.area().x, y}, {plot.area().br().x, y}, kLimit, 1.4);
    plot.canvas().text(chart.limitName, {plot.area().br().x - 6, y - 6}, kLabelSize, kLimit, Anchor::Right);
}

} // namespace

std::vector<double> runningMean(const std::vector<double>& values, double span) {
    const double keep = 1.0 - 1.0 / std::max(span, 1.0);
    std::vector<double> out;
    double mean = 0, weight = 0;
    for (double value : values) {
        if (std::isfinite(value)) {
            mean = keep * mean + (1 - keep) * value;
            weight = keep * weight + (1 - keep);
            out.push_back(mean / weight);
        } else {
            out.push_back(std::numeric_limits<double>::quiet_NaN());
        }
    }
    return out;
}

Picture drawLineChart(const LineChart& chart, const ChartSize& size) {
    const std::vector<double> values = together(chart, &ChartSeries::y);
    Axis y = makeAxis(values, chart.logScaleY, 6, 0.06);
    Plot plot(size, makeAxis(together(chart, &ChartSeries::x), false, 9, 0.0), y);
    plot.drawFrame();
    std::vector<LegendEntry> legend;
    const auto smoothed = [&chart](const ChartSeries& series) { return chart.smooth && !series.marked; };
    for (size_t i = 0; i < chart.series.size(); ++i) {
        const ChartSeries& series = chart.series[i];
        if (!smoothed(series)) continue;
        const Rgb faint = mixed(colourOf(i), kPlot, kRawShare);
        drawSeries(plot, series.x, series.y, faint, kRaw);
        legend.push_back({series.name, faint});
    }
    for (size_t i = 0; i < chart.series.size(); ++i) {
        const ChartSeries& series = chart.series[i];
        const bool mean = smoothed(series);
        drawSeries(plot, series.x, mean ? runningMean(series.y, spanOf(series.y)) : series.y, colourOf(i),
                   kStrong);
        if (series.marked) drawMarks(plot, series, colourOf(i));
        legend.push_back({mean && !series.name.empty() ? series.name + ", smoothed" : series.name,
                          colourOf(i), series.marked});
    }
    if (std::none_of(values.begin(), values.end(), [&y](double value) { return y.shows(value); }))
        plot.sayEmpty();
    plot.drawLegend(legend);
    plot.drawTitles(chart.title, chart.xLabel, chart.yLabel);
    return plot.canvas().finished();
}

Picture drawStackedChart(const StackedChart& chart, const ChartSize& size) {
    const std::vector<std::vector<double>> sums = stacked(chart);
    double highest = chart.limitBytes;
    if (!sums.empty()) {
        for (double value : sums.back()) highest = std::max(highest, value);
    }
    for (const ChartSeries& line : chart.beside)
        for (double value : line.y) highest = std::max(highest, value);
    std::string unit;
    const Axis y = makeByteAxis(highest, 6, unit);
    Plot plot(size, makeAxis(chart.x, false, 9, 0.0), y);
    const std::vector<double> bottom(chart.x.size(), 0.0);
    std::vector<LegendEntry> legend;
    for (size_t i = 0; i < sums.size() && !chart.x.empty(); ++i) {
        drawLayer(plot, chart.x, i == 0 ? bottom : sums[i - 1], sums[i], colourOfLayer(i));
    }
    for (size_t i = 0; i < chart.layers.size(); ++i)
        legend.push_back({chart.layers[i].name, colourOfLayer(i)});
    for (size_t i = 0; i < chart.beside.size(); ++i) {
        const Rgb colour = colourOf(i + 1); // the first is like a layer's
        drawSeries(plot, chart.x, chart.beside[i].y, colour, kStrong);
        legend.push_back({chart.beside[i].name, colour});
    }
    if (chart.x.empty() || chart.layers.empty()) plot.sayEmpty();
    drawLimit(plot, chart);
    plot.drawFrame();
    plot.drawLegend(legend);
    plot.drawTitles(chart.title, chart.xLabel, unit);
    return plot.canvas().finished();
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Charts show every value that can be shown, and stay whole with those that cannot.
#include "core/media/axis.h"
#include "core/media/chart.h"

#include "picture_files.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Pixels within `tolerance` of a colour inside a part of a picture.
int64_t pixelsLike(const Picture& picture, Colour colour, const std::array<int64_t, 4>& leftTopRightBottom,
                   int tolerance = 12) {
    int64_t count = 0;
    for (int64_t y = leftTopRightBottom[1]; y < leftTopRightBottom[3]; ++y) {
        for (int64_t x = leftTopRightBottom[0]; x < leftTopRightBottom[2]; ++x) {
            count += distance(colourAt(picture, x, y), colour) <= tolerance ? 1 : 0;
        }
    }
    return count;
}

const Colour kBlue{38, 103, 206};
const Colour kOrange{230, 126, 34};
const Colour kLimitRed{198, 40, 56};

LineChart lineChart(const std::vector<double>& y) {
    LineChart chart{"Training loss", "step", "loss", {{"loss", {}, y}}, false, false};
    for (size_t i = 0; i < y.size(); ++i) chart.series[0].x.push_back(static_cast<double>(i));
    return chart;
}

std::vector<std::string> labelsOf(const Axis& axis) {
    std::vector<std::string> labels;
    for (const AxisMark& mark : axis.marks) labels.push_back(mark.label);
    return labels;
}

} // namespace

class TestChart : public QObject {
    Q_OBJECT

private slots:
    void marksAreRoundNumbers();
    void bytesAreMarkedInTheirUnit();
    void numbersAreShort();
    void lineRunsFromFirstToLastValue();
    void missingValuesLeaveAGap();
    void logarithmPassesOverZero();
    void oneValueIsVisible();
    void markedValuesAreNeverSmoothed();
    void emptyChartsSaySo();
    void layersFillUpToTheirSum();
    void limitIsDrawnAboveSmallAmounts();
    void runningMeanStartsAtTheFirstValue();
    void anyTextIsAccepted();
};

void TestChart::marksAreRoundNumbers() {
    QCOMPARE(labelsOf(makeAxis({0, 800}, false, 9, 0)),
             (std::vector<std::string>{"0", "100", "200", "300", "400", "500", "600", "700", "800"}));
    QCOMPARE(labelsOf(makeAxis({0.031, 0.089}, false, 6, 0)),
             (std::vector<std::string>{"0.04", "0.05", "0.06", "0.07", "0.08"}));
    QCOMPARE(labelsOf(makeAxis({-1, 1}, false, 4, 0)),
             (std::vector<std::string>{"-1", "-0.5", "0", "0.5", "1"}));
    QCOMPARE(labelsOf(makeAxis({1e-6, 1e-2}, true, 6, 0)),
             (std::vector<std::string>{"1e-06", "1e-05", "0.0001", "0.001", "0.01"}));
    QVERIFY(makeAxis({0.001, 1}, false, 6, 0.1).low == 0.0); // a loss is never negative
    // Values that differ by their last bits alone stand as one; marks between them would be without end.
    QCOMPARE(labelsOf(makeAxis({0.1, 0.1 * (1 + 1e-12)}, false, 6, 0.06)),
             labelsOf(makeAxis({0.1}, false, 6, 0.06)));
}

void TestChart::bytesAreMarkedInTheirUnit() {
    std::string unit;
    QCOMPARE(labelsOf(makeByteAxis(6.0 * (1ULL << 30), 6, unit)),
             (std::vector<std::string>{"0", "2", "4", "6"}));
    QCOMPARE(unit, std::string("GiB"));
    QVERIFY(makeByteAxis(300.0 * 1024, 6, unit).high > 300.0 * 1024);
    QCOMPARE(unit, std::string("KiB"));
    QVERIFY(makeByteAxis(0, 6, unit).high > 0);
}

void TestChart::numbersAreShort() {
    QCOMPARE(shortNumber(1500), std::string("1,500"));
    QCOMPARE(shortNumber(-123456), std::string("-123,456"));
    QCOMPARE(shortNumber(0.005), std::string("0.005"));
    QCOMPARE(shortNumber(0.00002), std::string("2e-05"));
    QCOMPARE(shortNumber(3e9), std::string("3e+09"));
    QCOMPARE(shortNumber(999), std::string("999"));
    QCOMPARE(shortNumber(1e6), std::string("1,000,000"));
    QCOMPARE(shortNumber(-1'200'000), std::string("-1,200,000"));
    QCOMPARE(shortNumber(9'999'999.7), std::string("1e+07"));
}

void TestChart::lineRunsFromFirstToLastValue() {
    const Picture picture = drawLineChart(lineChart({1, 2, 3, 4}));
    QCOMPARE(picture.widthPixels, int64_t{960});
    QCOMPARE(picture.heightPixels, int64_t{540});
    QVERIFY(pixelsLike(picture, kBlue, {70, 400, 140, 484}) > 20); // low on the left
    QVERIFY(pixelsLike(picture, kBlue, {860, 74, 932, 150}) > 20); // high on the right
    QCOMPARE(pixelsLike(picture, kBlue, {70, 74, 400, 200}), int64_t{0});
}

void TestChart::missingValuesLeaveAGap() {
    const Picture picture = drawLineChart(lineChart({1, 1, kNan, kNan, 1, 1}));
    QVERIFY(pixelsLike(picture, kBlue, {70, 74, 230, 484}) > 100);
    QCOMPARE(pixelsLike(picture, kBlue, {300, 74, 700, 484}), int64_t{0});
    QVERIFY(pixelsLike(picture, kBlue, {780, 74, 932, 484}) > 100);
}

void TestChart::logarithmPassesOverZero() {
    LineChart chart = lineChart({1, 0.1, 0, -5, 0.01, 0.001, std::numeric_limits<double>::infinity()});
    chart.logScaleY = true;
    chart.smooth = true;
    const Picture picture = drawLineChart(chart);
    QVERIFY(pixelsLike(picture, kBlue, {70, 74, 932, 484}) > 100);
}

void TestChart::oneValueIsVisible() {
    QVERIFY(pixelsLike(drawLineChart(lineChart({0.5})), kBlue, {70, 74, 932, 484}) > 3);
    QVERIFY(pixelsLike(drawLineChart(lineChart({0})), kBlue, {70, 74, 932, 484}) > 3);
}

void TestChart::markedValuesAreNeverSmoothed() {
    const std::array<int64_t, 4> area{70, 74, 932, 484};
    const std::array<int64_t, 4> legend{600, 40, 932, 70};
    LineChart chart = lineChart({1, 1, 1, 1});
    chart.smooth = true;
    const Picture without = drawLineChart(chart);
    QCOMPARE(pixelsLike(without, kOrange, {0, 0, 960, 540}), int64_t{0});
    chart.series.push_back({"held-out pictures", {0, 1, 2, 3}, {3, 1, 3, 1}, true});
    const Picture marked = drawLineChart(chart);
    chart.series.back().marked = false;
    const Picture smoothed = drawLineChart(chart);
    QVERIFY(pixelsLike(marked, kOrange, legend) > 60);
    // The third value stands as high as the first; its mean does not.
    const std::array<int64_t, 4> third{635, 74, 655, 120};
    QVERIFY(pixelsLike(marked, kOrange, third) > 20); // round and whole
    QCOMPARE(pixelsLike(smoothed, kOrange, third), int64_t{0});
    QVERIFY(pixelsLike(marked, kBlue, area) > 100);
}

void TestChart::emptyChartsSaySo() {
    const Colour letters{176, 183, 193};
    for (const LineChart& chart : {lineChart({}), lineChart({kNan, kNan}), LineChart{}}) {
        QVERIFY(pixelsLike(drawLineChart(chart), letters, {400, 250, 600, 300}, 30) > 50);
    }
    QVERIFY(pixelsLike(drawStackedChart({}), letters, {400, 250, 600, 300}, 30) > 50);
    QCOMPARE(drawLineChart({}, {320, 200}).widthPixels, int64_t{320});
}

void TestChart::layersFillUpToTheirSum() {
    constexpr double kGiB = 1ULL << 30;
    StackedChart chart{
        "Memory", "step", {0, 1, 2}, {{"a", {}, {kGiB, kGiB, kGiB}}, {"b", {}, {kGiB, kNan, kGiB}}}, 0, ""};
    chart.layers.push_back({"c", {}, {kGiB}}); // too few values count as zero
    const Picture picture = drawStackedChart(chart);
    const Colour low = colourAt(picture, 300, 470), high = colourAt(picture, 300, 90);
    QVERIFY(low[2] > low[0] + 40);                // blue at the bottom
    QVERIFY(distance(high, {250, 251, 252}) < 4); // nothing on top
}

void TestChart::limitIsDrawnAboveSmallAmounts() {
    StackedChart chart{"Memory", "step", {0, 1}, {{"a", {}, {100, 100}}}, 1000, "budget"};
    QVERIFY(pixelsLike(drawStackedChart(chart), kLimitRed, {70, 74, 932, 130}) > 200);
}

void TestChart::runningMeanStartsAtTheFirstValue() {
    const std::vector<double> mean = runningMean({2, 2, kNan, 8, 8}, 2);
    QCOMPARE(mean[0], 2.0);
    QCOMPARE(mean[1], 2.0);
    QVERIFY(std::isnan(mean[2]));
    QVERIFY(mean[3] > 4 && mean[3] < 8 && mean[4] > mean[3]);
}

void TestChart::anyTextIsAccepted() {
    LineChart chart = lineChart({1, 2});
    chart.title = "Ünïcode \U0001F680 " + std::string(5000, 'w');
    chart.yLabel = std::string("zero\0byte", 9);
    QVERIFY(!drawLineChart(chart).empty());
}

QTEST_GUILESS_MAIN(TestChart)
#include "tst_chart.moc"

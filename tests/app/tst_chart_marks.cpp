// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is marked in charts, and that words in them can be read: none lies upon another, and numbers are
// right.
#include "app/charts/line_chart.h"
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app_fixture.h"
#include "shown_widget.h"

#include <cmath>

using namespace homebooth;
using namespace homebooth::app;

class ChartMarksTest : public QObject {
    Q_OBJECT
public:
    explicit ChartMarksTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void rareMarksAreNamedWhereThereIsLittleRoom();
    void manyMarksAreNoMoreThanTheScreenShows();
    void namesOfMarksThatComeOftenAreCounted();
    void namesOfMarksLeaveEachOtherRoomInEverySize();
    void wordsInTheMemoryChartDoNotMeet_data();
    void wordsInTheMemoryChartDoNotMeet();
    void theCrosshairSaysWhatIsMarked();
    void marksAtEitherEndHaveRoom();
    void numbersAtTheAxesAreRightAndAlike();

private:
    Theme m_theme;
};

namespace {

QList<QCPItemText*> shownWords(const QCustomPlot& chart) {
    QList<QCPItemText*> shown;
    for (int i = 0; i < chart.itemCount(); ++i)
        if (auto* text = qobject_cast<QCPItemText*>(chart.item(i)); text && text->visible())
            shown.append(text);
    return shown;
}

QStringList markTexts(const QCustomPlot& chart) {
    QStringList texts;
    for (const QCPItemText* text : shownWords(chart)) texts.append(text->text());
    return texts;
}

/// Words that lie upon each other, in pairs.
QStringList covered(const QCustomPlot& chart) {
    const auto placeOf = [](const QCPItemText* text) {
        return QRectF(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
    };
    const QList<QCPItemText*> shown = shownWords(chart);
    QStringList pairs;
    for (qsizetype i = 0; i < shown.size(); ++i)
        for (qsizetype k = 0; k < i; ++k)
            if (placeOf(shown[i]).intersects(placeOf(shown[k])))
                pairs.append(shown[k]->text() + u" and "_s + shown[i]->text());
    return pairs;
}

/// Numbers that say another value than the one where they stand, or have other decimals than the last.
QStringList wrongNumbers(const QCPAxis& axis) {
    const QLocale locale = axis.parentPlot()->locale();
    qsizetype decimals = -1;
    QStringList wrong;
    for (int i = 0; i < axis.tickVector().size(); ++i) {
        const QString text = axis.tickVectorLabels().value(i);
        const qsizetype before = decimals;
        if (text != u"0"_s)
            decimals = text.section(locale.exponential(), 0, 0).section(locale.decimalPoint(), 1).size();
        bool read = false;
        const double off = std::abs(locale.toDouble(text, &read) - axis.tickVector()[i]);
        if (!read || off > 1e-6 * axis.range().size() || (before >= 0 && before != decimals))
            wrong.append(text);
    }
    return wrong;
}

} // namespace

void ChartMarksTest::rareMarksAreNamedWhereThereIsLittleRoom() {
    LossChart chart;
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0);
    chart.setLastStep(100);
    chart.setMarks({{50.0, u"saved"_s}, {51.0, u"replanned"_s, true}});
    QVERIFY(isShown(chart, {500, 240}));
    QTRY_VERIFY(markTexts(chart).contains(u"replanned"_s));
    QVERIFY(!markTexts(chart).contains(u"saved"_s));
}

void ChartMarksTest::manyMarksAreNoMoreThanTheScreenShows() {
    LossChart chart;
    std::vector<ChartMark> marks;
    for (int i = 1; i <= 100'000; ++i) marks.push_back({double(i), u"preview"_s});
    chart.append(100'000, 1.0);
    chart.setLastStep(100'000);
    chart.setMarks(marks);
    QVERIFY(isShown(chart, {500, 240}));
    QTRY_VERIFY(chart.itemCount() > 20);
    QVERIFY2(chart.itemCount() < 500, qPrintable(QString::number(chart.itemCount())));
}

void ChartMarksTest::namesOfMarksThatComeOftenAreCounted() {
    constexpr double kSteps = 800.0;
    const QString name = u"replanned"_s;
    LossChart chart;
    for (int i = 1; i <= 800; ++i) chart.append(i, 1.0);
    chart.setLastStep(kSteps);
    // As close together as a plan may follow another: a few pixels.
    chart.setMarks({{50.0, name, true},
                    {52.0, name, true},
                    {72.0, name, true},
                    {92.0, name, true},
                    {600.0, name, true},
                    {300.0, u"saved"_s},
                    {304.0, u"saved"_s}});
    QVERIFY(isShown(chart, {700, 240}));
    QTRY_VERIFY(!markTexts(chart).isEmpty());
    QStringList texts = markTexts(chart);
    texts.sort();
    QCOMPARE(texts, QStringList({name, u"replanned \u00d74"_s, u"saved"_s}));
    chart.showCrosshair(92.0); // each is told where it is
    QVERIFY(markTexts(chart).filter(u"step 92\n"_s).join(QString()).endsWith('\n' + name));
}

void ChartMarksTest::namesOfMarksLeaveEachOtherRoomInEverySize() {
    LossChart chart;
    for (int i = 1; i <= 101; ++i) chart.append(i, 1.0);
    chart.setLastStep(101);
    std::vector<ChartMark> marks;
    for (const double step : {4.0, 32.0, 65.0, 88.0}) marks.push_back({step, u"replanned"_s, true});
    for (const double step : {20.0, 40.0, 60.0, 80.0, 100.0}) marks.push_back({step, u"saved"_s});
    chart.setMarks(marks);
    QVERIFY(isShown(chart, {1200, 240}));
    QTRY_COMPARE(markTexts(chart).filter(u"replanned"_s).size(), 4);
    QCOMPARE(covered(chart), QStringList());
    // Of a run that ended nothing comes any more: the size alone is another one.
    chart.resize(260, 240);
    QTRY_VERIFY(markTexts(chart).filter(u"replanned"_s).size() < 4);
    QCOMPARE(covered(chart), QStringList());
    chart.resize(1200, 240);
    QTRY_COMPARE(markTexts(chart).filter(u"replanned"_s).size(), 4);
}

void ChartMarksTest::wordsInTheMemoryChartDoNotMeet_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("limit"); // GiB; 6 are planned
    QTest::newRow("high") << QSize(500, 240) << 0.0;
    QTest::newRow("low") << QSize(500, 120) << 0.0;
    QTest::newRow("limit just above") << QSize(500, 240) << 6.1;
    QTest::newRow("limit just below") << QSize(500, 240) << 5.9;
    QTest::newRow("limit at the plan") << QSize(500, 240) << 6.0;
}

void ChartMarksTest::wordsInTheMemoryChartDoNotMeet() {
    QFETCH(QSize, size);
    QFETCH(double, limit);
    constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = int64_t{5} << 30;
    for (int step = 0; step <= 100; ++step) chart.append(step, memory);
    chart.setPlanned(int64_t{6} << 30);
    chart.setLimit(static_cast<int64_t>(limit * kGibi));
    chart.setLastStep(100);
    chart.setMarks({{99.0, u"saved"_s}, {90.0, u"resumed"_s, true}});
    QVERIFY(isShown(chart, size));
    const auto planned = [&chart] { return !markTexts(chart).filter(u"planned"_s).isEmpty(); };
    QTRY_VERIFY(planned());
    QSignalSpy drawn(&chart, &QCustomPlot::afterReplot);
    chart.invalidate(); // its height is known now
    QTest::qWait(400);
    QTRY_VERIFY(!drawn.isEmpty());
    QTRY_COMPARE(covered(chart), QStringList());
    const qsizetype limits = limit > 0.0 ? 1 : 0;
    QCOMPARE(markTexts(chart).filter(u"limit"_s).size(), limits);
    if (size.height() > 200) QVERIFY(markTexts(chart).contains(u"resumed"_s));
}

void ChartMarksTest::theCrosshairSaysWhatIsMarked() {
    LossChart chart;
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0);
    chart.setLastStep(100);
    chart.setMarks({{40.0, u"saved, preview"_s}, {80.0, u"paused"_s, true}});
    QVERIFY(isShown(chart, {500, 240}));
    QTRY_VERIFY(!markTexts(chart).isEmpty());
    chart.showCrosshair(40.0);
    QCOMPARE(markTexts(chart).filter(u"step 40\n"_s).join(QString()).section('\n', -1), u"saved, preview"_s);
    chart.showCrosshair(60.0);
    QVERIFY(!markTexts(chart).filter(u"step 60"_s).join(QString()).contains(u"saved"_s));
}

void ChartMarksTest::marksAtEitherEndHaveRoom() {
    constexpr int kSteps = 800;
    constexpr double kHalfMark = 4.0; // pixels, rounded up
    LossChart chart;
    for (const int step : {0, kSteps}) {
        chart.append(step, 1.0);
        chart.appendHeldOut(step, 1.0);
    }
    chart.setLastStep(kSteps);
    chart.setMarks({{0.0, u"first"_s}, {kSteps, u"last"_s}});
    QVERIFY(isShown(chart, {600, 300}));
    const auto hasRoom = [&chart] {
        const QRect plot = chart.axisRect()->rect();
        return chart.xAxis->coordToPixel(0) - plot.left() >= kHalfMark &&
               plot.right() - chart.xAxis->coordToPixel(kSteps) >= kHalfMark;
    };
    QTRY_VERIFY(hasRoom());
    QTest::keyClick(&chart, Qt::Key_Plus);
    QVERIFY(!hasRoom());
    for (int times = 0; times < 3; ++times) QTest::keyClick(&chart, Qt::Key_Minus);
    QVERIFY(hasRoom());
}

void ChartMarksTest::numbersAtTheAxesAreRightAndAlike() {
    LineChart speed(u"Speed"_s, {});
    speed.append(1, 1.2); // 0.25, 0.5 ...
    LineChart rate(u"Learning rate"_s, {});
    rate.append(1, 1e-4); // 2, 4 ... times ten to the power of -5
    LossChart loss;
    for (int i = 1; i <= 100; ++i) loss.append(i, i % 2 == 0 ? 0.2195 : 0.2300); // 0.2200, 0.2225 ...
    LossChart begun;
    begun.append(1, 0.1423);
    LossChart astray;
    for (int i = 0; i <= 2; ++i) astray.append(1'000'000 * i, 2e9 * i);
    astray.setLastStep(2'000'000);
    MemoryChart memory;
    memory.append(1, {});
    memory.setPlanned(int64_t{5} << 30);
    for (Chart* chart : std::initializer_list<Chart*>{&speed, &rate, &loss, &begun, &astray, &memory}) {
        chart->resize(600, 240);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart));
        QTRY_VERIFY(!chart->graph(0)->data()->isEmpty());
        chart->replot();
        for (const QCPAxis* axis : {chart->xAxis, chart->yAxis}) {
            const QString all = axis->tickVectorLabels().join(' ');
            QVERIFY2(axis->tickVector().size() > 2 && wrongNumbers(*axis).isEmpty(), qPrintable(all));
            QVERIFY2(all.size() < 12 * axis->tickVector().size(), qPrintable(all)); // nor are they long
        }
    }
    QVERIFY(rate.yAxis->tickVectorLabels().contains(u"1.0e-4"_s)); // as beside the chart
}

HOMEBOOTH_APP_TEST_MAIN(ChartMarksTest)
#include "tst_chart_marks.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_table.h"
#include "app/charts/curve.h"
#include "app/charts/line_chart.h"
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app_files.h"
#include "chart_files.h"
#include "item_rules.h"
#include "loop_watch.h"
#include "shown_widget.h"

#include <QAccessible>
#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QWheelEvent>

#include <cmath>

using namespace homebooth;
using namespace homebooth::app;

class ChartsTest : public QObject {
    Q_OBJECT
public:
    explicit ChartsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void drawsFewPointsOfAMillionAndLosesNoExtreme();
    void losesNoExtremeAtTheEdgeOfTheView();
    void drawsAllPointsOfAShortCurve();
    void theRangeOfValuesThatRepeatIsWhole();
    void leavesOutWhatIsNoNumber();
    void runningMeanStartsAtTheFirstValueAndNeverLooksAhead();
    void exportsAllValuesAndAPicture();
    void saysInASentenceWhatItShows();
    void isReadAsAChart();
    void aLossThatIsNoNumberShiftsNothing();
    void stacksMemoryByKind();
    void aShortRunFillsItsChart();
    void otherProgramsNeverPressOursFlat_data();
    void otherProgramsNeverPressOursFlat();
    void theScaleStaysWhateverOthersTake();
    void theLimitStandsAboveWhatOthersHold();
    void theLimitIsSaidHoweverFarItIs();
    void aMillionPointsAreExportedBesideTheWindow();
    void keysZoomWhatIsInViewAndFollowTheCrosshair();
    void smallTurnsOfAWheelZoomLittle();
    void theWheelAloneScrollsThePage();
    void isDrawnAsSoonAsItIsShown();
    void isDrawnSeldomAndOnlyWhereItIsSeen();
    void outliersAreTicksAtTheEdge();
    void everyChartIsATable();
    void aMillionPointsAreATableAtOnce();

private:
    const TestPlace& m_place;
    Theme m_theme;
};

namespace {

/// A curve of 800 steps at one height, which is seen as a whole.
void showLevel(LossChart& chart) {
    for (int i = 1; i <= 800; ++i) chart.append(i, 1.0);
    chart.setLastStep(800);
    QVERIFY(isShown(chart, {600, 240}));
    QTRY_VERIFY(chart.xAxis->range().contains(800.0));
}

} // namespace

void ChartsTest::drawsFewPointsOfAMillionAndLosesNoExtreme() {
    Curve curve;
    for (int i = 0; i < 1'000'000; ++i) curve.append(i, std::sin(i * 0.01));
    curve.append(1'000'000, 5.0);
    for (int i = 1'000'001; i < 1'000'700; ++i) curve.append(i, 0.0);
    const qint64 before = LoopWatch::computedUs(); // others may have the processor meanwhile
    const std::vector<CurvePoint> view = curve.view(0.0, 2e6, 800);
    QVERIFY(LoopWatch::computedUs() - before < 50'000);
    QVERIFY2(view.size() <= 2 * 800 + 8, qPrintable(QString::number(view.size())));
    const auto most = std::max_element(view.begin(), view.end(), [](auto& a, auto& b) { return a.y < b.y; });
    QCOMPARE(most->y, 5.0);
    QCOMPARE(view.back().x, 1'000'699.0);
    QVERIFY(std::is_sorted(view.begin(), view.end(), [](auto& a, auto& b) { return a.x < b.x; }));
    // Zoomed in, every point is there, with a neighbour where the line leaves the view.
    const std::vector<CurvePoint> part = curve.view(100.0, 120.0, 800);
    QCOMPARE(part.size(), size_t{22});
    QCOMPARE(part.front().x, 99.0);
}

void ChartsTest::losesNoExtremeAtTheEdgeOfTheView() {
    constexpr int kPoints = 100'000;
    for (const int high : {50'003, 60'010, 98'990}) {
        Curve curve;
        for (int i = 0; i < kPoints; ++i) curve.append(i, i == high ? 5.0 : 0.0);
        for (const double from : {50'002.0, 50'003.0}) { // no multiple of two, as where one zooms in
            const std::vector<CurvePoint> view = curve.view(from, 99'000.0, 100);
            QVERIFY2(view.size() <= 2 * 100 + 8, qPrintable(QString::number(view.size())));
            QVERIFY(std::count(view.begin(), view.end(), CurvePoint{double(high), 5.0}) > 0);
            QCOMPARE(view.front().x, from - 1);
            QCOMPARE(view.back().x, 99'000.0);
            QVERIFY(std::is_sorted(view.begin(), view.end(), [](auto& a, auto& b) { return a.x < b.x; }));
        }
    }
}

void ChartsTest::drawsAllPointsOfAShortCurve() {
    Curve curve;
    QVERIFY(curve.view(0, 10, 100).empty());
    for (int i = 0; i < 7; ++i) curve.append(i, i * i);
    QCOMPARE(curve.view(-5, 100, 100).size(), size_t{7});
    QCOMPARE(curve.nearest(3.4), size_t{3});
    QCOMPARE(curve.nearest(3.6), size_t{4});
    QCOMPARE(curve.nearest(-4), size_t{0});
    QCOMPARE(curve.nearest(99), size_t{6});
}

void ChartsTest::theRangeOfValuesThatRepeatIsWhole() {
    Curve curve;
    for (int step = 0; step < 800'000; ++step) curve.append(step, step % 40); // looked at each 200th
    const CurvePoint range = curve.percentiles(0.0, 800'000.0, 0.01, 0.99);
    QVERIFY2(range.x < 2.0 && range.y > 37.0, qPrintable(u"%1 to %2"_s.arg(range.x).arg(range.y)));
}

void ChartsTest::leavesOutWhatIsNoNumber() {
    Curve curve;
    curve.append(1, std::nan(""));
    curve.append(2, INFINITY);
    curve.append(3, 1.0);
    QCOMPARE(curve.size(), size_t{1});
}

void ChartsTest::runningMeanStartsAtTheFirstValueAndNeverLooksAhead() {
    RunningMean one;
    QCOMPARE(one.add(3.0), 3.0);
    RunningMean other;
    double last = 0.0;
    for (const double value : {3.0, 1.0, 2.0}) last = other.add(value);
    QVERIFY(last > 1.0 && last < 3.0);
    QCOMPARE(other.add(std::nan("")), last);
}

void ChartsTest::exportsAllValuesAndAPicture() {
    LossChart chart;
    for (int i = 1; i <= 5000; ++i) chart.append(i, 0.1 + 0.01 * (i % 7));
    chart.setLastStep(5000);
    QVERIFY(isShown(chart, {500, 240}));
    const QString csv = m_place.path("loss.csv");
    QVERIFY(exported(chart, csv));
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 5001);
    QVERIFY(exported(chart, m_place.path("loss.png")));
    QCOMPARE(QImage(m_place.path("loss.png")).size(), QSize(1000, 480));
    QVERIFY(exported(chart, m_place.path("loss.svg")));
    QVERIFY(QFileInfo(m_place.path("loss.svg")).size() > 1000);
    QVERIFY(!exported(chart, u"/nonexistent/loss.csv"_s));
}

void ChartsTest::saysInASentenceWhatItShows() {
    LossChart chart;
    QVERIFY(chart.sentence().contains(u"No loss"_s));
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0 / i);
    QVERIFY(chart.sentence().contains(u"falling"_s));
    QVERIFY(chart.sentence().contains(u"100"_s));
    chart.append(101, -1.0);
    QCOMPARE(chart.skipped(), 1);
}

void ChartsTest::isReadAsAChart() {
    LossChart chart;
    showLevel(chart);
    chart.setBeside(u"12 min left"_s);
    const QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&chart);
    QVERIFY(reader != nullptr);
    QCOMPARE(reader->role(), QAccessible::Chart);
    QVERIFY(!reader->text(QAccessible::Name).isEmpty());
    chart.beginAnew(); // it tells at once
    const QString words = chart.sentence() + u"; 12 min left"_s;
    QTRY_COMPARE(reader->text(QAccessible::Description), words);
    chart.setBeside(u"11 min left"_s);
    chart.invalidate();
    QTest::qWait(600); // it is drawn twice by then
    QCOMPARE(reader->text(QAccessible::Description), words);
}

void ChartsTest::aLossThatIsNoNumberShiftsNothing() {
    LossChart chart;
    LossChart without;
    for (int i = 1; i <= 10; ++i) {
        if (i == 4) chart.append(i, std::nan(""));
        if (i == 5) chart.append(i, INFINITY);
        if (i == 4 || i == 5) continue;
        chart.append(i, 1.0 / i);
        without.append(i, 1.0 / i);
    }
    QCOMPARE(chart.csv(), without.csv()); // each trend stands beside its own step
    QCOMPARE(chart.csv().count('\n'), 9);
    QCOMPARE(chart.skipped(), 0);
}

void ChartsTest::stacksMemoryByKind() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = 2 * kGibi;
    memory.stateBytes = 3 * kGibi;
    memory.workspaceBytes = kGibi;
    memory.freeBytes = 100 * kGibi;
    memory.otherBytes = 4 * kGibi;
    chart.append(1, memory);
    QCOMPARE(chart.nowBytes(), double(6 * kGibi));
    QVERIFY(chart.csv().endsWith(u"1,2,3,0,0,1,0,4\n"_s));
    memory.parameterBytes = 9 * kGibi;
    chart.append(8, memory);
    for (const auto& [at, step] : {std::pair(5.6, 6), std::pair(0.4, 1)}) { // it lasts from the first step on
        chart.showCrosshair(at);
        const QString words = u"step %1, 6"_s.arg(step);
        for (int i = 0; i < chart.itemCount(); ++i) {
            const auto* text = qobject_cast<QCPItemText*>(chart.item(i));
            if (text != nullptr && text->text().startsWith(u"step "_s))
                QVERIFY2(text->text().startsWith(words), qPrintable(text->text()));
            if (const auto* ring = qobject_cast<QCPItemTracer*>(chart.item(i)))
                QCOMPARE(ring->position->coords(), QPointF(step, 6.0));
        }
    }
}

void ChartsTest::aShortRunFillsItsChart() {
    LossChart chart;
    for (int step = 1; step <= 6; ++step) chart.append(step, 0.5);
    chart.setAllSteps(6);
    chart.setLastStep(6);
    QVERIFY(isShown(chart, {600, 240}));
    QTRY_VERIFY(chart.xAxis->range().contains(6.0) && !chart.xAxis->range().contains(7.0));
}

void ChartsTest::otherProgramsNeverPressOursFlat_data() {
    QTest::addColumn<double>("others"); // GiB, beside 2 of ours
    QTest::newRow("none") << 0.0;
    QTest::newRow("less than ours") << 1.0;
    QTest::newRow("more") << 5.0;
    QTest::newRow("much more") << 200.0;
}

void ChartsTest::otherProgramsNeverPressOursFlat() {
    QFETCH(double, others);
    MemoryChart chart;
    QVERIFY(!chart.showsOthers());
    core::TierMemory memory;
    memory.parameterBytes = int64_t{2} << 30;
    memory.otherBytes = static_cast<int64_t>(others * double(int64_t{1} << 30));
    chart.append(1, memory);
    chart.setLastStep(10);
    QVERIFY(isShown(chart, {600, 300}));
    const auto drawn = [&chart] {
        for (int i = 0; i < chart.graphCount(); ++i)
            if (chart.graph(i)->data()->isEmpty()) return i > 0; // of others there may be nothing
        return true;
    };
    QTRY_VERIFY(drawn());
    QCOMPARE(chart.showsOthers(), others > 0.0);
    QVERIFY2(chart.yAxis->range().upper < 5.0, qPrintable(QString::number(chart.yAxis->range().upper)));
    QVERIFY(chart.yAxis->range().upper > 2.0);
}

void ChartsTest::theScaleStaysWhateverOthersTake() {
    constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
    MemoryChart chart;
    chart.setPlanned(int64_t{2} << 30);
    chart.setLimit(int64_t{3} << 30);
    chart.setLastStep(10);
    QVERIFY(isShown(chart, {600, 300}));
    int step = 0;
    const auto scaleWith = [&](double others) {
        core::TierMemory memory;
        memory.parameterBytes = int64_t{2} << 30;
        memory.otherBytes = static_cast<int64_t>(others * kGibi);
        chart.append(++step, memory);
        chart.invalidate();
        const bool drawn =
            QTest::qWaitFor([&] { return chart.graph(0)->data()->size() > step; }, kLongestMs); // until now
        return drawn ? chart.yAxis->range().upper : 0.0;
    };
    const double scale = scaleWith(5.9);
    QVERIFY(scale > 0.0);
    for (const double others : {6.1, 0.0, 1.0, 40.0, 5.9}) QCOMPARE(scaleWith(others), scale);
}

void ChartsTest::theLimitStandsAboveWhatOthersHold() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    core::TierMemory memory;
    memory.parameterBytes = 2 * kGibi;
    memory.otherBytes = 3 * kGibi;
    MemoryChart chart;
    chart.append(1, memory);
    chart.setLimit(4 * kGibi);
    chart.setLastStep(10);
    QVERIFY(isShown(chart, {600, 300}));
    const QString full = u"full at %1 GB"_s.arg(QLocale().toString(7.0, 'f', 1));
    const auto says = [&chart, &full] {
        for (int i = 0; i < chart.itemCount(); ++i)
            if (const auto* text = qobject_cast<QCPItemText*>(chart.item(i)); text && text->text() == full)
                return text->visible();
        return false;
    };
    QTRY_VERIFY(says());
}

void ChartsTest::theLimitIsSaidHoweverFarItIs() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = kGibi;
    chart.append(1, memory);
    QCOMPARE(chart.nowText(), u"1.0 GB"_s);
    QCOMPARE(chart.sentence(), u"Memory 1.0 GB"_s);
    chart.setPlanned(2 * kGibi);
    chart.setLimit(20 * kGibi); // no line is drawn for it
    QCOMPARE(chart.nowText(), u"1.0 of 20.0 GB"_s);
    QCOMPARE(chart.sentence(), u"Memory 1.0 of 20.0 GB, planned 2.0 GB"_s);
}

void ChartsTest::aMillionPointsAreExportedBesideTheWindow() {
    constexpr int kPoints = 1'000'000;
    constexpr qint64 kMostMs = 100;
    LossChart chart;
    for (int i = 1; i <= kPoints; ++i) chart.append(i, 0.1 + 0.01 * (i % 7));
    chart.setLastStep(kPoints);
    QVERIFY(isShown(chart, {900, 500}));
    QTest::qWait(500); // it was drawn
    for (const char* ending : {"csv", "svg", "png"}) {
        const QString path = m_place.path(u"million.%1"_s.arg(QLatin1String(ending)));
        LoopWatch watch;
        QTest::qWait(20);
        QVERIFY(exported(chart, path));
        QTest::qWait(20);
        qInfo("%s: %s", ending, qPrintable(watch.report()));
        QVERIFY2(watch.worstComputedMs() <= kMostMs, ending);
        QVERIFY(QFileInfo(path).size() > 1000);
    }
    const QImage drawn(m_place.path("million.png"));
    QCOMPARE(drawn.size(), QSize(1800, 1000));
    int coloured = 0; // the curve is in it
    for (int y = 0; y < drawn.height(); y += 4)
        for (int x = 0; x < drawn.width(); x += 4)
            coloured += drawn.pixelColor(x, y).hsvSaturation() > 40 ? 1 : 0;
    QVERIFY2(coloured > 500, qPrintable(QString::number(coloured)));
    QCOMPARE(homebooth::app::bytesOf(m_place.path("million.csv")).count('\n'), kPoints + 1);
}

void ChartsTest::keysZoomWhatIsInViewAndFollowTheCrosshair() {
    LossChart chart;
    showLevel(chart);
    const auto sees = [&chart](double step) { return chart.xAxis->range().contains(step); };
    QTest::keyClick(&chart, Qt::Key_Home);
    for (int times = 0; times < 10; ++times) QTest::keyClick(&chart, Qt::Key_Plus);
    QVERIFY(sees(0.0) && !sees(800.0));
    const double span = chart.xAxis->range().size();
    QTest::keyClick(&chart, Qt::Key_End);
    QVERIFY(sees(800.0) && !sees(0.0));
    QVERIFY(std::abs(chart.xAxis->range().size() - span) < 1e-6);
    QTest::keyClick(&chart, Qt::Key_Home);
    QVERIFY(sees(0.0) && !sees(800.0));
    // Where the crosshair is out of view the middle of it stays.
    chart.xAxis->setRange(300.0, 500.0);
    QTest::keyClick(&chart, Qt::Key_Plus);
    QVERIFY(std::abs(chart.xAxis->range().center() - 400.0) < 1e-6);
}

void ChartsTest::smallTurnsOfAWheelZoomLittle() {
    LossChart chart;
    showLevel(chart);
    const auto turn = [&chart](QPoint angle) {
        const QPointF place(300, 100);
        QWheelEvent wheel(place, chart.mapToGlobal(place), {}, angle, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&chart, &wheel);
    };
    chart.setLastStep(900);
    turn({}); // as where fingers leave a touchpad
    chart.invalidate();
    QTRY_VERIFY(chart.xAxis->range().contains(900.0)); // it still follows the training
    turn({0, 120});
    const double before = chart.xAxis->range().size();
    for (int part = 0; part < 8; ++part) turn({0, 15}); // as a touchpad tells of one notch
    const double once = chart.xAxis->range().size();
    QVERIFY2(std::abs(before / once - 1.25) < 0.001, qPrintable(QString::number(before / once)));
    turn({120, 0}); // to the side
    QCOMPARE(chart.xAxis->range().size(), once);
}

void ChartsTest::theWheelAloneScrollsThePage() {
    auto* chart = new LossChart;
    chart->setFixedSize(300, 900);
    QScrollArea page;
    page.setWidget(chart);
    page.resize(320, 200);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const QScrollBar* bar = page.verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    for (const auto& [keys, scrolls] : {std::pair(Qt::ControlModifier, false), {Qt::NoModifier, true}}) {
        const QPointF at(150, 100);
        QWheelEvent turned(at, chart->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, keys, Qt::NoScrollPhase,
                           false);
        QSpontaneKeyEvent::setSpontaneous(&turned); // Qt hands on what a mouse did, and nothing else
        qApp->notify(chart, &turned);
        QCOMPARE(bar->value() > 0, scrolls);
    }
}

void ChartsTest::isDrawnAsSoonAsItIsShown() {
    constexpr int kSoonMs = 120; // of the 250 that new values wait
    LossChart chart;
    for (int i = 1; i <= 10; ++i) chart.append(i, 1.0);
    chart.setLastStep(10);
    chart.resize(600, 240);
    bool looked = false;
    bool drawn = false;
    chart.show();
    QTimer::singleShot(kSoonMs, &chart, [&] {
        looked = true;
        drawn = !chart.graph(0)->data()->isEmpty();
    });
    QTRY_VERIFY(looked);
    QVERIFY(drawn);
}

void ChartsTest::isDrawnSeldomAndOnlyWhereItIsSeen() {
    constexpr int kReplotMs = 250;
    constexpr int kSettledMs = 3 * kReplotMs;
    LossChart chart;
    QVERIFY(isShown(chart, {600, 240}));
    double step = 0.0;
    const auto append = [&chart, &step] {
        chart.append(++step, 1.0);
        chart.setLastStep(step);
        chart.invalidate();
    };
    append();
    QTest::qWait(kSettledMs);
    QSignalSpy drawn(&chart, &QCustomPlot::afterReplot);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 100; ++i) {
        append();
        QTest::qWait(10);
    }
    const qint64 most = 1 + timer.elapsed() / kReplotMs;
    const QString count = u"%1 times in %2 ms"_s.arg(drawn.size()).arg(timer.elapsed());
    QVERIFY2(drawn.size() >= 2 && drawn.size() <= most, qPrintable(count));
    QTest::qWait(kSettledMs); // the last ones are drawn
    chart.hide();
    drawn.clear();
    append();
    QTest::qWait(kSettledMs);
    QCOMPARE(drawn.size(), 0);
    chart.show();
    QTRY_VERIFY(!drawn.isEmpty());
}

void ChartsTest::outliersAreTicksAtTheEdge() {
    LossChart chart;
    for (int i = 1; i <= 400; ++i) chart.append(i, i == 200 ? 50.0 : 1.0 + 0.1 * (i % 5));
    chart.setLastStep(400);
    QVERIFY(isShown(chart, {600, 240}));
    constexpr int kTicks = 2; // behind the values and their mean
    const QCPGraph* ticks = chart.graph(kTicks);
    QTRY_COMPARE(ticks->data()->size(), 1);
    QVERIFY(chart.yAxis->range().upper < 2.0); // one value presses nothing flat
    QCOMPARE(ticks->data()->at(0)->key, 200.0);
    QCOMPARE(ticks->data()->at(0)->value, chart.yAxis->range().upper);
    chart.setLogarithmic(true);
    QTRY_COMPARE(ticks->data()->at(0)->value, chart.yAxis->range().upper);
}

void ChartsTest::everyChartIsATable() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    LossChart loss;
    ChartTable table(loss);
    const ItemRules tester(table);
    const auto row = [](const QAbstractItemModel& model, int number) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(model.index(number, column).data().toString());
        return cells.join('|');
    };
    QCOMPARE(table.rowCount(), 0);
    for (int i = 1; i <= 3; ++i) loss.append(i, 0.5);
    table.refresh();
    QCOMPARE(table.rowCount(), 3);
    QCOMPARE(row(table, 2), u"3|0.5000|0.5000"_s);
    loss.appendHeldOut(2, 0.75);
    table.refresh(); // a column more
    QCOMPARE(row(table, 0), u"1|0.5000|0.5000|"_s);
    QCOMPARE(row(table, 2), u"3|0.5000|0.5000|0.7500"_s);
    loss.clear();
    QCOMPARE(row(table, 2), u"|||"_s); // not asked since
    table.refresh();
    QCOMPARE(table.rowCount(), 0);

    MemoryChart memory;
    core::TierMemory used;
    used.parameterBytes = 2 * kGibi;
    used.cacheBytes = kGibi;
    used.otherBytes = 4 * kGibi;
    memory.append(7, used);
    const ChartTable bytes(memory);
    QCOMPARE(row(bytes, 0), u"7|3.00|2.00|0.00|0.00|0.00|0.00|1.00|4.00"_s);
    QCOMPARE(bytes.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), u"Model"_s);
    LineChart rate(u"Speed"_s, u"pictures/s"_s);
    rate.append(5, 2.0);
    QCOMPARE(row(ChartTable(rate), 0), u"5|2 pictures/s"_s);
}

void ChartsTest::aMillionPointsAreATableAtOnce() {
    constexpr int kPoints = 1'000'000;
    LossChart chart;
    for (int i = 1; i <= kPoints; ++i) chart.append(i, 0.1 + 0.01 * (i % 7));
    QTableView view;
    view.resize(500, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    qint64 before = LoopWatch::computedUs(); // others may have the processor meanwhile
    ChartTable table(chart);
    view.setModel(&table);
    view.scrollToBottom();
    view.repaint();
    const qint64 taken = LoopWatch::computedUs() - before;
    QVERIFY2(taken < 100'000, qPrintable(QString::number(taken)));
    QVERIFY(table.rowCount() <= static_cast<int>(ChartTable::kMostRows));
    QCOMPARE(table.stride(), size_t{512});
    QCOMPARE(table.index(1, 0).data().toString(), QLocale().toString(513));
    before = LoopWatch::computedUs();
    for (int i = kPoints + 1; i <= kPoints + 1000; ++i) chart.append(i, 0.1);
    table.refresh();
    QVERIFY(LoopWatch::computedUs() - before < 50'000);
}

HOMEBOOTH_APP_TEST_MAIN(ChartsTest)
#include "tst_charts.moc"

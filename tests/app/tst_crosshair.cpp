// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the crosshair of a chart follows, and what it says to those who hear it.
#include "app/charts/line_chart.h"
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app_fixture.h"
#include "shown_widget.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTimer>

#include <utility>

using namespace homebooth;
using namespace homebooth::app;

class CrosshairTest : public QObject {
    Q_OBJECT
public:
    explicit CrosshairTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void returnPinsTheCrosshair();
    void itStaysUnderTheMouseWhereTheAxisGrows();
    void upAndDownChooseWhatItFollows();
    void itFollowsWhatTheStackIsMadeOf();
    void littleMemoryIsSaidInMegabytes();
    void whereTheChosenOneIsMissingTheFirstIsFollowed();
    void ofOneCurveItSaysTheValue();
    void newPointsAreToldFromTimeToTime();
    void whileKeysMoveItNothingElseIsTold();
    void whoComesToItHearsWhatItShowsNow();
    void anotherTrainingIsToldAtOnce();

private:
    Theme m_theme;
};

namespace {

constexpr int64_t kGibi = int64_t{1} << 30;

/// Shown as wide as it takes to tell its steps apart.
[[nodiscard]] bool shown(Chart& chart, double lastStep) {
    chart.setLastStep(lastStep);
    chart.resize(600, 240);
    chart.show();
    return QTest::qWaitForWindowExposed(&chart) &&
           QTest::qWaitFor([&] { return chart.xAxis->range().contains(lastStep); }, kLongestMs);
}

/// What is told of it stays as it is for the length of a test. @returns whether it can have the focus
[[nodiscard]] bool quiet(Chart& chart) {
    constexpr int kHour = 3'600'000;
    chart.findChild<QTimer*>(u"quiet"_s)->setInterval(kHour);
    chart.activateWindow();
    return QTest::qWaitForWindowActive(&chart);
}

/// The dot on what is followed.
[[nodiscard]] const QCPItemTracer* dotOf(const Chart& chart) {
    for (int i = 0; i < chart.itemCount(); ++i)
        if (const auto* dot = qobject_cast<const QCPItemTracer*>(chart.item(i))) return dot;
    return nullptr;
}

/// The words at the crosshair, which come first of all words.
[[nodiscard]] const QCPItemText* wordsOf(const Chart& chart) {
    for (int i = 0; i < chart.itemCount(); ++i)
        if (const auto* words = qobject_cast<const QCPItemText*>(chart.item(i))) return words;
    return nullptr;
}

void pointAt(Chart& chart, const QPointF& at) {
    QMouseEvent moved(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&chart, &moved);
}

/// Ahead of the sentence about the whole chart.
[[nodiscard]] QString heardOf(const Chart& chart) {
    const QString start = u"Crosshair at "_s;
    const QString all = chart.accessibleDescription();
    return all.startsWith(start) ? all.mid(start.size()).section(u". "_s, 0, 0) : QString();
}

/// The end of what is told of a chart without a crosshair.
[[nodiscard]] bool tellsStep(const Chart& chart, int step) {
    return chart.accessibleDescription().contains(u"at step %1,"_s.arg(step));
}

/// Points that come while a training works. @returns how often something else was told
[[nodiscard]] int toldDuring(LossChart& chart, int from, int to) {
    int changes = 0;
    QString before = chart.accessibleDescription();
    for (int i = from; i <= to; ++i) {
        chart.append(i, 1.0);
        chart.setLastStep(i);
        chart.invalidate();
        QTest::qWait(100);
        if (std::exchange(before, chart.accessibleDescription()) != chart.accessibleDescription()) ++changes;
    }
    return changes;
}

} // namespace

void CrosshairTest::returnPinsTheCrosshair() {
    LossChart chart;
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0);
    chart.setLastStep(100);
    QVERIFY(isShown(chart, {600, 240}));
    QTRY_VERIFY(chart.xAxis->range().contains(100.0));
    const auto point = [&chart](double step) {
        pointAt(chart, QPointF(chart.xAxis->coordToPixel(step), chart.axisRect()->center().y()));
    };
    QSignalSpy moved(&chart, &Chart::crosshairMoved);
    point(20.0);
    QCOMPARE(moved.size(), 1);
    QTest::keyClick(&chart, Qt::Key_Return);
    point(60.0); // passes by
    QCOMPARE(moved.size(), 1);
    QTest::keyClick(&chart, Qt::Key_Right); // keys still move it
    QCOMPARE(moved.size(), 2);
    QTest::keyClick(&chart, Qt::Key_Return);
    point(60.0);
    QCOMPARE(moved.size(), 3);
}

void CrosshairTest::itStaysUnderTheMouseWhereTheAxisGrows() {
    LossChart chart;
    QVERIFY(shown(chart, 5));
    const QPointF at(chart.axisRect()->center());
    pointAt(chart, at);
    QVERIFY(!wordsOf(chart)->visible()); // there are no values yet
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0);
    chart.setLastStep(100);
    chart.invalidate();
    QTRY_VERIFY(wordsOf(chart)->visible());
    constexpr double kNear = 20.0; // pixels: numbers at the axis have moved it a little
    const double step = wordsOf(chart)->position->coords().x();
    QVERIFY2(qAbs(chart.xAxis->coordToPixel(step) - at.x()) < kNear, qPrintable(QString::number(step)));
}

void CrosshairTest::upAndDownChooseWhatItFollows() {
    LossChart chart;
    for (int i = 1; i <= 100; ++i) chart.append(i, i == 50 ? 3.0 : 1.0);
    chart.appendHeldOut(40, 0.5);
    QVERIFY(shown(chart, 100));
    chart.showCrosshair(50);
    QTest::keyClick(&chart, Qt::Key_Up); // the first one stays
    QCOMPARE(heardOf(chart), u"step 50: Loss 3.0000 (1 of 3)"_s);
    QCOMPARE(dotOf(chart)->position->coords(), QPointF(50.0, 3.0));
    QTest::keyClick(&chart, Qt::Key_Down);
    QVERIFY2(heardOf(chart).startsWith(u"step 50: Trend 1."_s), qPrintable(heardOf(chart)));
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 40: Held out 0.5000 (3 of 3)"_s);
    QCOMPARE(dotOf(chart)->position->coords(), QPointF(40.0, 0.5));
    QTest::keyClick(&chart, Qt::Key_Down); // nor is there more
    QCOMPARE(heardOf(chart), u"step 40: Held out 0.5000 (3 of 3)"_s);
    QTest::keyClick(&chart, Qt::Key_Up);
    QTest::keyClick(&chart, Qt::Key_Right); // still the trend, at another step
    QVERIFY2(heardOf(chart).startsWith(u"step 51: Trend 1."_s), qPrintable(heardOf(chart)));
    QVERIFY(dotOf(chart)->visible());
    chart.showCrosshair(-1.0);
    QVERIFY(!dotOf(chart)->visible());
}

void CrosshairTest::itFollowsWhatTheStackIsMadeOf() {
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = 2 * kGibi;
    memory.stateBytes = 3 * kGibi;
    memory.otherBytes = 4 * kGibi;
    for (int i = 1; i <= 100; ++i) chart.append(i, memory);
    QVERIFY(shown(chart, 100));
    chart.showCrosshair(60);
    QTest::keyClick(&chart, Qt::Key_Up);
    QCOMPARE(heardOf(chart), u"step 60: All 5.0 GB (1 of 4)"_s);
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 60: Other programs 4.0 GB (2 of 4)"_s);
    QCOMPARE(dotOf(chart)->position->coords(), QPointF(60.0, 9.0)); // on top of ours
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 60: Optimizer 3.0 GB (3 of 4)"_s);
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 60: Model 2.0 GB (4 of 4)"_s);
    QCOMPARE(dotOf(chart)->position->coords(), QPointF(60.0, 2.0));
}

void CrosshairTest::littleMemoryIsSaidInMegabytes() {
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = 2 * kGibi;
    memory.stateBytes = int64_t{4} << 20;
    for (int i = 1; i <= 100; ++i) chart.append(i, memory);
    chart.setPlanned(int64_t{40} << 20);
    QVERIFY(shown(chart, 100));
    chart.showCrosshair(60);
    QCOMPARE(wordsOf(chart)->text(), u"step 60, 2.0 GB\nOptimizer 4 MB\nModel 2.0 GB"_s);
    QStringList texts;
    for (int i = 0; i < chart.itemCount(); ++i)
        if (const auto* text = qobject_cast<const QCPItemText*>(chart.item(i))) texts.append(text->text());
    QVERIFY2(texts.contains(u"planned 40 MB"_s), qPrintable(texts.join('|')));
}

void CrosshairTest::whereTheChosenOneIsMissingTheFirstIsFollowed() {
    MemoryChart chart;
    core::TierMemory memory;
    memory.parameterBytes = 2 * kGibi;
    for (int i = 1; i <= 100; ++i) {
        memory.cacheBytes = i > 50 ? kGibi : 0;
        chart.append(i, memory);
    }
    QVERIFY(shown(chart, 100));
    chart.showCrosshair(52);
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 52: Cache 1.0 GB (2 of 3)"_s);
    QTest::keyClick(&chart, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(heardOf(chart), u"step 42: All 2.0 GB (1 of 2)"_s);
    QTest::keyClick(&chart, Qt::Key_Right, Qt::ShiftModifier); // it was not forgotten
    QCOMPARE(heardOf(chart), u"step 52: Cache 1.0 GB (2 of 3)"_s);
}

void CrosshairTest::ofOneCurveItSaysTheValue() {
    LineChart chart(u"Speed"_s, u"pictures/s"_s);
    QTest::keyClick(&chart, Qt::Key_Down); // there is nothing yet
    QCOMPARE(heardOf(chart), QString());
    for (int i = 1; i <= 100; ++i) chart.append(i, 2.0);
    QVERIFY(shown(chart, 100));
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(heardOf(chart), u"step 100: 2 pictures/s"_s);
}

void CrosshairTest::newPointsAreToldFromTimeToTime() {
    LossChart chart;
    for (int i = 1; i <= 20; ++i) chart.append(i, 1.0);
    QVERIFY(shown(chart, 20));
    QTRY_VERIFY(tellsStep(chart, 20));
    QVERIFY(toldDuring(chart, 21, 40) <= 1);
    chart.findChild<QTimer*>(u"quiet"_s)->start(1); // the ten seconds are over
    QTRY_VERIFY(tellsStep(chart, 40));              // also where no more points come
}

void CrosshairTest::whileKeysMoveItNothingElseIsTold() {
    LossChart chart;
    for (int i = 1; i <= 100; ++i) chart.append(i, 1.0);
    QVERIFY(shown(chart, 100));
    chart.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&chart));
    chart.setFocus();
    auto* quiet = chart.findChild<QTimer*>(u"quiet"_s);
    quiet->setInterval(1);
    QTest::keyClick(&chart, Qt::Key_Left); // is told at once
    QVERIFY2(heardOf(chart).startsWith(u"step 99: Loss 1.0000"_s), qPrintable(heardOf(chart)));
    QCOMPARE(toldDuring(chart, 101, 110), 0);
    chart.clearFocus();
    QTRY_VERIFY(tellsStep(chart, 110));
}

void CrosshairTest::whoComesToItHearsWhatItShowsNow() {
    LossChart chart;
    for (int i = 1; i <= 20; ++i) chart.append(i, 1.0);
    QVERIFY(shown(chart, 20));
    QTRY_VERIFY(tellsStep(chart, 20));
    QVERIFY(quiet(chart));
    chart.clearFocus();
    QCOMPARE(toldDuring(chart, 21, 25), 0);
    QVERIFY(tellsStep(chart, 20));
    chart.setFocus();
    QVERIFY(chart.hasFocus());
    QVERIFY2(tellsStep(chart, 25), qPrintable(chart.accessibleDescription()));
}

void CrosshairTest::anotherTrainingIsToldAtOnce() {
    LossChart chart;
    for (int i = 1; i <= 20; ++i) chart.append(i, 1.0);
    QVERIFY(shown(chart, 20));
    QVERIFY(quiet(chart));
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Left); // where it is looked at, nothing else is told
    QVERIFY2(heardOf(chart).startsWith(u"step 19: Loss"_s), qPrintable(heardOf(chart)));
    chart.clear();
    chart.beginAnew();
    QTRY_COMPARE(chart.accessibleDescription(), u"No loss yet"_s);
    chart.append(7, 1.0); // its journal is read later
    chart.invalidate();
    QTRY_VERIFY2(tellsStep(chart, 7), qPrintable(chart.accessibleDescription()));
}

HOMEBOOTH_APP_TEST_MAIN(CrosshairTest)
#include "tst_crosshair.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charts of a run together: what they mark, that they show the same steps, and their numbers as tables.
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/chart_board.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/parts.h"
#include "app_files.h"
#include "model_fixture.h"

#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include <utility>

using namespace homebooth;
using namespace homebooth::app;

class ChartBoardTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void chartsMarkWhatBecameOfTheRun();
    void whatIsKeptNoMoreIsNotMarkedAsSaved();
    void aPauseStaysMarkedWhereverItsStepsCame();
    void thePlanOfAnAttemptIsNoNewPlan();
    void aPlanThatIsOnlyFasterIsNoNewPlan();
    void theHeadSaysWhatMayBeUsed();
    void thePlannedLineIsThePlansOfEachTier();
    void theKeyboardComesToAChoiceWhereTheCardIsGone();
    void chartsShowTheSameStepsByKeysAsByTheMouse();
    void anotherRunIsShownWhole();
    void aMomentIsLookedAtUntilTheRunGoesOn();
    void memoryIsDrawnAsFarAsTheRunCame();
    void ofAnotherRunTheChartsTellAtOnce();
    void theTimeThatIsLeftIsSaidWithTheLoss();
    void theAxisOfLossIsRemembered();
    void aTableStandsInTheChartsPlace();
    void everyColumnOfATableCanBeRead_data();
    void everyColumnOfATableCanBeRead();

private:
    /// A run that was paused, planned anew, and resumed after step 40. @returns its folder
    [[nodiscard]] QString makeMarked();
    /// A run whose first step was planned and measured in each tier. @returns its folder
    [[nodiscard]] QString makePlanned(const QString& name);
    /// A run of so many steps, with memory at each. @returns its folder
    [[nodiscard]] QString makeSteps(const QString& name, int64_t count);
};

namespace {

core::JournalEntry entryOf(core::Event event) {
    return {1, "2026-11-21T10:00:00.000Z", std::move(event)};
}

core::Event stepOf(int64_t number) {
    return core::StepEvent{number, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}};
}

/// What came at once.
RunUpdate updateOf(const std::vector<core::Event>& events) {
    RunUpdate update;
    for (const core::Event& event : events) update.take(entryOf(event));
    return update;
}

constexpr int64_t kMebi = int64_t{1} << 20;

/// At the first step: 300 MiB on the card, 400 in RAM, and 800 in swap.
core::MemoryEvent memoryOfEachTier() {
    core::MemoryEvent memory;
    memory.step = 1;
    memory.device.parameterBytes = 300 * kMebi;
    memory.ram.stateBytes = 400 * kMebi;
    memory.swap.stateBytes = 740 * kMebi;
    memory.swap.gradientBytes = 60 * kMebi;
    return memory;
}

core::PlanEvent planOfEachTier() {
    core::PlanEvent plan;
    plan.predicted.deviceBytes = 700 * kMebi;
    plan.predicted.ramBytes = 900 * kMebi;
    plan.predicted.swapBytes = 800 * kMebi;
    return plan;
}

core::Event pausedNow() {
    return core::StateEvent{"paused", "", 0, 0};
}

/// Follows a run, on a wide screen unless it is said.
class ShownBoard : public ChartBoard {
public:
    explicit ShownBoard(RunSession& run, int width = 1400) {
        resize(width, 800);
        show();
        follow(&run);
    }
};

QToolButton* tableButton(const ChartBoard& board, const char* chart) {
    for (auto* button : board.findChildren<QToolButton*>())
        if (button->accessibleName() == u"Show the numbers as a table: %1"_s.arg(QLatin1String(chart)))
            return button;
    return nullptr;
}

/// Whether a crosshair stands at one.
bool looksAtStep(const Chart& chart) {
    for (int i = 0; i < chart.itemCount(); ++i)
        if (qobject_cast<const QCPItemTracer*>(chart.item(i)) != nullptr) return chart.item(i)->visible();
    return false;
}

void turnWheel(Chart& chart) {
    const QPointF at = chart.rect().center();
    QWheelEvent turned(at, chart.mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::ControlModifier,
                       Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chart, &turned);
}

/// To the right, which leads to earlier steps.
void drag(Chart& chart, int pixels) {
    QPointF at = chart.rect().center();
    const auto send = [&chart, &at](QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, chart.mapToGlobal(at), button, buttons, Qt::NoModifier);
        QApplication::sendEvent(&chart, &event);
    };
    send(QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
    at.rx() += pixels;
    send(QEvent::MouseMove, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
}

} // namespace

QString ChartBoardTest::makeSteps(const QString& name, int64_t count) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, count);
    const auto journal = journalOf(folder);
    for (int64_t number = 1; number <= count; ++number) {
        core::MemoryEvent memory;
        memory.step = number;
        memory.ram.parameterBytes = int64_t{300} << 20;
        memory.ram.otherBytes = int64_t{2} << 30;
        journal->emit(stepOf(number));
        journal->emit(memory);
    }
    return folder;
}

QString ChartBoardTest::makePlanned(const QString& name) {
    QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 100);
    const auto journal = journalOf(folder);
    journal->emit(planOfEachTier());
    journal->emit(stepOf(1));
    journal->emit(memoryOfEachTier());
    return folder;
}

QString ChartBoardTest::makeMarked() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"marked"_s, 100);
    const auto journal = journalOf(folder);
    core::PlanEvent begin;
    begin.decisions = {{"budget", "budget", {{"ramBytes", 1e9}}}};
    core::PlanEvent leaner;
    leaner.decisions = {{"computed twice"}};
    journal->emit(begin);
    for (int64_t number = 1; number <= 50; ++number) {
        journal->emit(stepOf(number));
        if (number == 10) journal->emit(core::PreviewEvent{10, 0, "/a.png"});
        if (number == 20) journal->emit(core::CheckpointEvent{20, "/a"});
        if (number == 20) journal->emit(core::PreviewEvent{20, 0, "/b.png"});
        if (number == 24) journal->emit(core::StateEvent{"paused", "", 0, 0});
        if (number == 32) journal->emit(leaner);
        if (number == 45) journal->emit(core::StateEvent{"paused", "", 0, 0});
    }
    journal->emit(begin);
    journal->emit(core::ResumedEvent{40}); // what was later counts no more
    for (int64_t number = 41; number <= 80; ++number) {
        journal->emit(stepOf(number));
        if (number == 60) journal->emit(core::StateEvent{core::kWaitsForRoom, "full", 1, 2});
    }
    return folder;
}

void ChartBoardTest::chartsMarkWhatBecameOfTheRun() {
    const QString folder = makeMarked();
    RunSession run(folder, u"marked"_s);
    QTRY_COMPARE(run.data().step(), int64_t{80});
    QCOMPARE(run.data().steps.size(), size_t{80});
    using Kind = RunMark::Kind;
    const std::vector<RunMark> marks{
        {24, Kind::Paused}, {32, Kind::Replanned}, {40, Kind::Resumed}, {60, Kind::DiskFull}};
    QCOMPARE(run.data().marks, marks);
    ShownBoard board(run);
    for (Chart* chart :
         std::initializer_list<Chart*>{board.findChild<LossChart*>(), board.findChild<MemoryChart*>()}) {
        const auto names = [chart] {
            QStringList texts;
            for (int i = 0; i < chart->itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(chart->item(i))) texts.append(text->text());
            return texts;
        };
        QTRY_VERIFY2(names().contains(u"resumed"_s), qPrintable(names().join('|')));
        for (const char* word : {"preview", "paused", "replanned", "disk full"})
            QVERIFY2(names().contains(QLatin1String(word)), qPrintable(names().join('|')));
    }
}

void ChartBoardTest::whatIsKeptNoMoreIsNotMarkedAsSaved() {
    const QString folder = makeSteps("saved", 80);
    const auto journal = journalOf(folder);
    const std::string place = folder.toStdString() + "/checkpoints";
    for (const int64_t step : {20, 40, 60, 80}) journal->emit(core::CheckpointEvent{step, place});
    for (const int64_t step : {40, 60}) writeCheckpoint(folder, step); // the last one is not looked at yet
    RunSession run(folder, u"saved"_s);
    QTRY_COMPARE(run.data().moments.size(), size_t{2});
    ShownBoard board(run);
    auto* chart = board.findChild<LossChart*>();
    const auto marked = [chart](double step) {
        chart->showCrosshair(step);
        for (int i = 0; i < chart->itemCount(); ++i)
            if (const auto* text = qobject_cast<QCPItemText*>(chart->item(i)))
                if (text->text().startsWith(u"step %1\n"_s.arg(step)) && text->text().endsWith(u"saved"_s))
                    return true;
        return false;
    };
    QTRY_VERIFY(marked(40));
    QVERIFY(marked(60) && marked(80));
    QVERIFY(!marked(20));
}

void ChartBoardTest::aPauseStaysMarkedWhereverItsStepsCame() {
    using Kind = RunMark::Kind;
    const auto marks = [](const RunData& data) { return data.marks; };
    const std::vector<RunMark> both{{24, Kind::Paused}, {24, Kind::Resumed}};
    RunData data;
    data.apply(updateOf({stepOf(23), stepOf(24)}));
    data.apply(updateOf({pausedNow(), core::ResumedEvent{24}, stepOf(25)})); // its step came before
    QCOMPARE(marks(data), both);
    data.apply(updateOf({pausedNow(), core::ResumedEvent{24}, stepOf(25)})); // at 25, which counts no more
    QCOMPARE(marks(data), both);
    RunData other;
    other.apply(updateOf({stepOf(23), stepOf(24), stepOf(25)}));
    other.apply(
        updateOf({core::ResumedEvent{24}, pausedNow(), stepOf(25)})); // before the first step of this time
    const std::vector<RunMark> turned{{24, Kind::Resumed}, {24, Kind::Paused}};
    QCOMPARE(marks(other), turned);
}

void ChartBoardTest::thePlanOfAnAttemptIsNoNewPlan() {
    core::PlanEvent begins;
    begins.decisions = {{"planned for what is free", "run-begins"}};
    core::PlanEvent again;
    again.decisions = {{"planned again", "again-less-memory"},
                       {"computed twice", "activations", {{"recomputedBlocks", 2.0}}}};
    RunData data;
    data.apply(updateOf({stepOf(1), begins, core::ResumedEvent{1}, stepOf(2), again}));
    const std::vector<RunMark> marks{{1, RunMark::Kind::Resumed}, {2, RunMark::Kind::Replanned}};
    QCOMPARE(data.marks, marks);
}

void ChartBoardTest::aPlanThatIsOnlyFasterIsNoNewPlan() {
    const auto planOf = [](const char* why, double seconds, double recomputed, int64_t ramBytes) {
        core::PlanEvent plan;
        plan.predicted.ramBytes = ramBytes;
        plan.predicted.stepSeconds = seconds;
        plan.decisions = {
            {"why", why},
            {"activations", "activations", {{"recomputedBlocks", recomputed}}},
            {"step", seconds > 1.0 ? "step-estimated" : "step-measured", {{"stepSeconds", seconds}}},
            {"swap", "swap-wear", {{"lifePercent", seconds}}}};
        return core::Event(plan);
    };
    using Kind = RunMark::Kind;
    RunData data;
    data.apply(updateOf({planOf("run-begins", 3.0, 2.0, 1000), stepOf(1)}));
    data.apply(updateOf({planOf("again-measured", 0.5, 2.0, 1000), stepOf(2)})); // in another piece
    data.apply(updateOf({stepOf(3), planOf("again-step-time", 0.7, 2.0, 1000)}));
    QCOMPARE(data.marks, std::vector<RunMark>());
    data.apply(updateOf({stepOf(4), planOf("again-less-memory", 0.9, 5.0, 1000)}));
    const std::vector<RunMark> leaner{{4, Kind::Replanned}};
    QCOMPARE(data.marks, leaner);
    data.apply(updateOf({stepOf(5), planOf("again-measured", 0.8, 5.0, 1000)}));
    QCOMPARE(data.marks, leaner);
    data.apply(updateOf({stepOf(6), planOf("again-more-memory", 0.8, 5.0, 2000)})); // takes more
    const std::vector<RunMark> both{{4, Kind::Replanned}, {6, Kind::Replanned}};
    QCOMPARE(data.marks, both);
    // The next attempt begins with another plan, with which the first one after it is compared.
    data.apply(updateOf({planOf("run-begins", 3.0, 2.0, 1000), core::ResumedEvent{6}, stepOf(7),
                         planOf("again-measured", 0.5, 2.0, 1000)}));
    const std::vector<RunMark> resumed{{4, Kind::Replanned}, {6, Kind::Replanned}, {6, Kind::Resumed}};
    QCOMPARE(data.marks, resumed);
}

void ChartBoardTest::theHeadSaysWhatMayBeUsed() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"limited"_s, 100);
    const auto opened = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *opened->config();
    config.memory.swapDir = "/fast";
    config.memory.swapBytes = 40 * kGibi;
    QVERIFY(opened->setConfig(config).ok());
    core::PlanEvent plan;
    plan.decisions = {{"budget", "budget", {{"ramBytes", 20.0 * double(kGibi)}}}};
    core::MemoryEvent memory;
    memory.step = 1;
    memory.ram.parameterBytes = kGibi;
    memory.swap.stateBytes = 2 * kGibi;
    const auto journal = journalOf(folder);
    journal->emit(plan);
    journal->emit(stepOf(1));
    journal->emit(memory);
    RunSession run(folder, u"limited"_s);
    ShownBoard board(run);
    const auto says = [&board](const char* head) {
        for (const auto* label : board.findChildren<ElidedLabel*>())
            if (label->fullText() == QLatin1String(head)) return true;
        return false;
    };
    QTRY_VERIFY(says("Memory in RAM  1.0 of 20.0 GB"));
    buttonNamed(board, u"Swap"_s)->click();
    QVERIFY(says("Memory in swap  2.0 of 40.0 GB"));
}

void ChartBoardTest::thePlannedLineIsThePlansOfEachTier() {
    const core::PlanEvent plan = planOfEachTier();
    const QString folder = makePlanned("planned");
    const auto journal = journalOf(folder);
    RunSession run(folder, u"planned"_s);
    ShownBoard board(run);
    const auto* chart = board.findChild<MemoryChart*>();
    const auto shows = [chart](int64_t planned, int64_t now) {
        return qRound64(chart->plannedBytes()) == planned && qRound64(chart->nowBytes()) == now;
    };
    QTRY_VERIFY(shows(plan.predicted.deviceBytes, 300 * kMebi)); // the tier that computes comes first
    buttonNamed(board, u"RAM"_s)->click();
    QVERIFY(shows(plan.predicted.ramBytes, 400 * kMebi));
    buttonNamed(board, u"Swap"_s)->click();
    QVERIFY(shows(plan.predicted.swapBytes, 800 * kMebi));
    // A plan that is made anew draws its own line.
    core::PlanEvent leaner = plan;
    leaner.predicted.swapBytes = 600 * kMebi;
    journal->emit(leaner);
    journal->emit(stepOf(2));
    QTRY_COMPARE(qRound64(chart->plannedBytes()), leaner.predicted.swapBytes);
    RunSession unplanned(makeSteps("unplanned", 3), u"unplanned"_s);
    board.follow(&unplanned); // has none of another run's
    QTRY_COMPARE(chart->plannedBytes(), 0.0);
    board.follow(nullptr);
}

void ChartBoardTest::theKeyboardComesToAChoiceWhereTheCardIsGone() {
    const QString folder = makePlanned("gone");
    const auto journal = journalOf(folder);
    RunSession run(folder, u"gone"_s);
    ShownBoard board(run);
    const auto* chart = board.findChild<MemoryChart*>();
    QTRY_COMPARE(qRound64(chart->nowBytes()), 300 * kMebi);
    // Where it goes on without the card that was chosen, the keyboard still comes to a choice.
    buttonNamed(board, u"GPU"_s)->click();
    core::MemoryEvent withoutCard = memoryOfEachTier();
    withoutCard.device = {};
    journal->emit(withoutCard);
    const auto* ram = buttonNamed(board, u"RAM"_s);
    QTRY_VERIFY(ram->isChecked());
    QCOMPARE(ram->focusPolicy(), Qt::StrongFocus);
    board.follow(nullptr);
}

void ChartBoardTest::chartsShowTheSameStepsByKeysAsByTheMouse() {
    RunSession run(makeSteps("zoomed", 80), u"zoomed"_s);
    ShownBoard board(run);
    auto* loss = board.findChild<LossChart*>();
    auto* memory = board.findChild<MemoryChart*>();
    QTRY_VERIFY(loss->xAxis->range().contains(80.0) && memory->xAxis->range().contains(80.0));
    const auto same = [&] {
        for (const auto* chart : board.findChildren<Chart*>())
            if (chart->xAxis->range() != loss->xAxis->range()) return false;
        return true;
    };
    double span = loss->xAxis->range().size();
    const auto narrower = [&] {
        const double before = std::exchange(span, loss->xAxis->range().size());
        return span < before - 1.0;
    };
    QTest::keyClick(loss, Qt::Key_Plus);
    QVERIFY(narrower() && same());
    QTest::keyClick(memory, Qt::Key_Plus);
    QVERIFY(narrower() && same());
    turnWheel(*memory);
    QVERIFY(narrower() && same());
    QTest::keyClick(loss, Qt::Key_Home);
    QVERIFY(loss->xAxis->range().contains(0.0) && same());
    QTest::keyClick(memory, Qt::Key_End);
    QVERIFY(!loss->xAxis->range().contains(0.0) && loss->xAxis->range().contains(80.0) && same());
    const double upper = loss->xAxis->range().upper;
    drag(*memory, 60);
    QVERIFY(loss->xAxis->range().upper < upper && same());
    QTest::qWait(400); // nor does what is drawn later change it
    QVERIFY(loss->xAxis->range().upper < upper && same());
    QTest::keyClick(memory, Qt::Key_0);
    QTRY_VERIFY(loss->xAxis->range().contains(0.0) && loss->xAxis->range().contains(80.0));
}

void ChartBoardTest::anotherRunIsShownWhole() {
    RunSession first(makeSteps("first", 80), u"first"_s);
    RunSession second(makeSteps("second", 20), u"second"_s);
    ShownBoard board(first);
    auto* loss = board.findChild<LossChart*>();
    QTRY_VERIFY(loss->xAxis->range().contains(80.0));
    for (int times = 0; times < 5; ++times) QTest::keyClick(loss, Qt::Key_Plus);
    QVERIFY(!loss->xAxis->range().contains(0.0));
    board.showStep(70);
    QVERIFY(looksAtStep(*loss));
    board.follow(&second);
    QVERIFY(!looksAtStep(*loss)); // it was one of the other run
    QTRY_VERIFY(loss->xAxis->range().contains(0.0) && loss->xAxis->range().contains(20.0));
}

void ChartBoardTest::memoryIsDrawnAsFarAsTheRunCame() {
    const QString folder = makeSteps("begun", 3);
    journalOf(folder)->emit(stepOf(4)); // of which there is no memory yet
    RunSession run(folder, u"begun"_s);
    ShownBoard board(run);
    auto* memory = board.findChild<MemoryChart*>();
    const auto drawnTo = [memory] {
        const auto points = memory->graph(0)->data();
        return points->isEmpty() ? 0.0 : (points->constEnd() - 1)->key;
    };
    QTRY_COMPARE(drawnTo(), 4.0);
    // There is room for what is to come, and for no more.
    QVERIFY(memory->xAxis->range().contains(4.0) && !memory->xAxis->range().contains(10.0));
}

void ChartBoardTest::ofAnotherRunTheChartsTellAtOnce() {
    constexpr int kHour = 3'600'000;
    RunSession first(makeSteps("heard", 80), u"heard"_s);
    RunSession second(makeSteps("heard next", 20), u"heard next"_s);
    ChartBoard board;
    board.resize(1400, 800);
    board.show();
    const auto* loss = board.findChild<LossChart*>();
    loss->findChild<QTimer*>(u"quiet"_s)->setInterval(kHour);
    const auto tells = [loss](const char* step) {
        return loss->accessibleDescription().contains(QLatin1String(step));
    };
    QTRY_COMPARE(first.data().step(), int64_t{80});
    board.follow(&first);
    QTRY_VERIFY(tells("at step 80,"));
    board.follow(&second);
    QTRY_VERIFY(tells("at step 20,"));
}

void ChartBoardTest::theTimeThatIsLeftIsSaidWithTheLoss() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"left"_s, 400);
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 400});
    for (int64_t number = 1; number <= 40; ++number) journal->emit(stepOf(number));
    const auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(lock.ok());
    RunSession run(folder, u"left"_s);
    ShownBoard board(run);
    QTRY_VERIFY(run.active() && run.secondsLeft());
    auto* loss = board.findChild<LossChart*>();
    Q_EMIT run.changed();
    loss->beginAnew(); // it tells at once
    QTRY_VERIFY2(loss->accessibleDescription().contains(u" left"_s),
                 qPrintable(loss->accessibleDescription()));
    board.follow(nullptr);
}

void ChartBoardTest::theAxisOfLossIsRemembered() {
    const auto logarithmic = [](const TrainPage& page) {
        return page.findChild<LossChart*>()->logarithmic();
    };
    {
        const TrainPage page(m_services->all());
        QVERIFY(!logarithmic(page));
        buttonNamed(page, u"Logarithmic"_s)->click();
        QVERIFY(logarithmic(page));
    }
    end(); // the window is closed, and opened again
    beginAgain();
    {
        const TrainPage page(m_services->all());
        QVERIFY(logarithmic(page));
        QVERIFY(buttonNamed(page, u"Logarithmic"_s)->isChecked());
        buttonNamed(page, u"Logarithmic"_s)->click();
    }
    end();
    beginAgain();
    const TrainPage page(m_services->all());
    QVERIFY(!logarithmic(page));
}

void ChartBoardTest::aTableStandsInTheChartsPlace() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"tabled"_s, 100);
    const auto journal = journalOf(folder);
    for (int64_t step = 1; step <= 40; ++step)
        journal->emit(core::StepEvent{step, 1, 0.5 / double(step), 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    RunSession run(folder, u"tabled"_s);
    ShownBoard board(run);
    auto* loss = board.findChild<LossChart*>();
    QTRY_VERIFY(loss->now() > 0.0);
    QToolButton* table = tableButton(board, "Loss");
    QVERIFY(table != nullptr);
    table->click();
    QVERIFY(!loss->isVisible());
    auto* view = board.findChild<QTableView*>();
    QVERIFY(view->isVisible());
    QCOMPARE(view->accessibleName(), u"Loss as a table"_s);
    QCOMPARE(view->model()->rowCount(), 40);
    QVERIFY(shownTexts(board).contains(loss->sentence())); // the sentence beside it
    journal->emit(core::StepEvent{41, 1, 0.25, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    QTRY_COMPARE(view->model()->rowCount(), 41);
    QCOMPARE(view->model()->index(40, 1).data().toString(), u"0.2500"_s);
    table->click();
    QVERIFY(loss->isVisible() && !view->isVisible());
}

void ChartBoardTest::aMomentIsLookedAtUntilTheRunGoesOn() {
    const QString folder = makeSteps("goes on", 40);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    RunSession run(folder, u"goes on"_s);
    ShownBoard board(run);
    QTRY_VERIFY(run.phase() == RunPhase::Done);
    const auto isLookedAt = [&board] { return looksAtStep(*board.findChild<LossChart*>()); };
    QVERIFY(!isLookedAt());
    board.showStep(20);
    QVERIFY(isLookedAt());
    const auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(lock.ok());
    QTRY_VERIFY(run.active());
    QVERIFY(!isLookedAt());
    board.showStep(20); // while it works
    Q_EMIT run.changed();
    QVERIFY(isLookedAt());
    board.follow(nullptr);
}

void ChartBoardTest::everyColumnOfATableCanBeRead_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("scrolls") << 450;
    QTest::newRow("beside another chart") << 920;
    QTest::newRow("fills a wide screen") << 3000;
}

void ChartBoardTest::everyColumnOfATableCanBeRead() {
    QFETCH(int, width);
    const QString name = u"columns %1"_s.arg(width);
    RunSession run(makeSteps(name, 40), name);
    ShownBoard board(run, width);
    QTRY_VERIFY(board.findChild<MemoryChart*>()->nowBytes() > 0.0);
    tableButton(board, "Memory")->click();
    auto* view = board.findChild<QTableView*>();
    QTRY_COMPARE(view->model()->rowCount(), 40);
    const QHeaderView* header = view->horizontalHeader();
    QCOMPARE(view->model()->headerData(header->count() - 1, Qt::Horizontal).toString(), u"Other programs"_s);
    const auto cut = [&] {
        for (int column = 0; column < header->count(); ++column)
            if (header->sectionSize(column) < header->sectionSizeHint(column))
                return view->model()->headerData(column, Qt::Horizontal).toString();
        return QString();
    };
    QTRY_COMPARE(cut(), QString());
    QTRY_VERIFY(view->viewport()->width() - header->length() < header->count()); // nothing is left over
}

HOMEBOOTH_APP_TEST_MAIN(ChartBoardTest)
#include "tst_chart_board.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charts of a run together: what they mark, and their numbers as tables.
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/run_session.h"
#include "app/pages/train/chart_board.h"
#include "app_files.h"

#include <QTableView>
#include <QToolButton>

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
    void aTableStandsInTheChartsPlace();

private:
    /// A run that was paused, planned anew, and resumed after step 40. @returns its folder
    [[nodiscard]] QString makeMarked();
};

QString ChartBoardTest::makeMarked() {
    const auto step = [](int64_t number) {
        return core::StepEvent{number, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}};
    };
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), QStringLiteral("marked"), 100);
    const auto journal = journalOf(folder);
    core::PlanEvent begin;
    begin.decisions = {{"budget", "budget", {{"ramBytes", 1e9}}}};
    core::PlanEvent leaner;
    leaner.decisions = {{"computed twice"}};
    journal->emit(begin);
    for (int64_t number = 1; number <= 50; ++number) {
        journal->emit(step(number));
        if (number == 10) journal->emit(core::PreviewEvent{10, 0, "/a.png"});
        if (number == 20) journal->emit(core::CheckpointEvent{20, "/a"});
        if (number == 20) journal->emit(core::PreviewEvent{20, 0, "/b.png"});
        if (number == 24) journal->emit(core::StateEvent{"paused", "", 0, 0});
        if (number == 32) journal->emit(leaner);
        if (number == 45) journal->emit(core::StateEvent{"paused", "", 0, 0});
    }
    journal->emit(begin);
    journal->emit(core::ResumedEvent{40}); // what was later counts no more
    for (int64_t number = 41; number <= 80; ++number) journal->emit(step(number));
    return folder;
}

void ChartBoardTest::chartsMarkWhatBecameOfTheRun() {
    const QString folder = makeMarked();
    RunSession run(folder, QStringLiteral("marked"));
    QTRY_COMPARE(run.data().step(), int64_t{80});
    QCOMPARE(run.data().steps.size(), size_t{80});
    using Kind = RunMark::Kind;
    const std::vector<RunMark> marks{{24, Kind::Paused}, {32, Kind::Replanned}, {40, Kind::Resumed}};
    QCOMPARE(run.data().marks, marks);
    ChartBoard board;
    board.resize(1400, 800);
    board.show();
    board.follow(&run);
    for (Chart* chart :
         std::initializer_list<Chart*>{board.findChild<LossChart*>(), board.findChild<MemoryChart*>()}) {
        const auto names = [chart] {
            QStringList texts;
            for (int i = 0; i < chart->itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(chart->item(i))) texts.append(text->text());
            return texts;
        };
        QTRY_VERIFY2(names().contains(QStringLiteral("resumed")), qPrintable(names().join('|')));
        for (const char* word : {"preview", "paused", "replanned"})
            QVERIFY2(names().contains(QLatin1String(word)), qPrintable(names().join('|')));
    }
}

void ChartBoardTest::aTableStandsInTheChartsPlace() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), QStringLiteral("tabled"), 100);
    const auto journal = journalOf(folder);
    for (int64_t step = 1; step <= 40; ++step)
        journal->emit(core::StepEvent{step, 1, 0.5 / double(step), 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    RunSession run(folder, QStringLiteral("tabled"));
    ChartBoard board;
    board.resize(1400, 800);
    board.show();
    board.follow(&run);
    auto* loss = board.findChild<LossChart*>();
    QTRY_VERIFY(loss->now() > 0.0);
    QToolButton* table = nullptr;
    for (auto* button : board.findChildren<QToolButton*>())
        if (button->accessibleName() == QStringLiteral("Show the numbers as a table: Loss")) table = button;
    QVERIFY(table != nullptr);
    table->click();
    QVERIFY(!loss->isVisible());
    auto* view = board.findChild<QTableView*>();
    QVERIFY(view->isVisible());
    QCOMPARE(view->accessibleName(), QStringLiteral("Loss as a table"));
    QCOMPARE(view->model()->rowCount(), 40);
    QVERIFY(shownTexts(board).contains(loss->sentence())); // the sentence beside it
    journal->emit(core::StepEvent{41, 1, 0.25, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    QTRY_COMPARE(view->model()->rowCount(), 41);
    QCOMPARE(view->model()->index(40, 1).data().toString(), QStringLiteral("0.2500"));
    table->click();
    QVERIFY(loss->isVisible() && !view->isVisible());
}

HOMEBOOTH_APP_TEST_MAIN(ChartBoardTest)
#include "tst_chart_board.moc"

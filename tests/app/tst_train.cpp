// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Train: charts of a run in every size, their export, the log, the way on after memory ran out.
#include "app/charts/line_chart.h"
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/engine_words.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_log.h"
#include "app/engine/runs/run_session.h"
#include "app/engine/runs/training_recipe.h"
#include "app/library/work_count.h"
#include "app/pages/train/run/chart_board.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "chart_files.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "run_page.h"

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>

using namespace homebooth;
using namespace homebooth::app;

class TrainTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void boardShowsAsManyChartsAsFit_data();
    void boardShowsAsManyChartsAsFit();
    void everyChartTakesItsValues();
    void memoryAboveThePlanIsExplained();
    void everyChartIsExported();
    void aChartThatDoesNotFitOnTheDiskIsRefused();
    void logTellsWhatHappenedInWords();
    void offersLessMemoryAfterMemoryRanOut();
    void resumesWithinLessMemory();
    void lowersTheLimitThatCounts();
    void lowersTheLimitOfWhatRanOut_data();
    void lowersTheLimitOfWhatRanOut();
    void aNewSubjectIsChosenToLearn();
    void theEndOfARunCoversNothingElse();
    void speedsOfResultsAreKeptApart();
    void aRunsSamplesStayBelowTheirLimits();
    void limitsOfMemoryCountAtOnce();
    void theNextStepTakesWhatIsBeingTyped_data();
    void theNextStepTakesWhatIsBeingTyped();
    void theFocusOfTheFormGoesToNoSwitchOfAChart();
    void qualitiesSayWhatTheyTake();
    void nothingElseBeginsWhilePhotosAreCopied();
    void aDatasetThatIsLearnedCanBeQueuedAgain();
    void aFormThatIsFilledInStaysInView();
    void theFormIsSeenFromItsTop();

private:
    /// A run on the disk that ended for want of memory. @returns its folder
    QString makeRun(const QString& name);
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;
constexpr int kOutOfResources = static_cast<int>(core::ErrorCode::OutOfResources);

/// Whatever is planned fits.
constexpr const char* kPlans = R"sh(#!/bin/bash
echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5}'
)sh";

QList<Chart*> seenCharts(const ChartBoard& board) {
    QList<Chart*> seen;
    for (auto* chart : board.findChildren<Chart*>())
        if (chart->isVisible()) seen.append(chart);
    return seen;
}

} // namespace

QString TrainTest::makeRun(const QString& name) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 100);
    const auto journal = journalOf(folder);
    core::PlanEvent plan;
    plan.predicted.ramBytes = 400 * kMebi;
    plan.decisions = {{"optimizer states: 66.9 MiB"}};
    journal->emit(plan);
    journal->emit(core::StateEvent{"loading", "", 0, 0});
    journal->emit(core::StateEvent{"caching", "pictures", 0, 3});
    journal->emit(core::StateEvent{"caching", "pictures", 2, 3});
    for (int64_t step = 1; step <= 40; ++step) {
        journal->emit(core::StepEvent{step, 1, 0.5 / double(step), 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        core::MemoryEvent memory;
        memory.step = step;
        memory.ram.parameterBytes = 300 * kMebi;
        memory.ram.activationBytes = 200 * kMebi;
        if (step % 10 == 0) journal->emit(memory);
    }
    journal->emit(core::CheckpointEvent{40, folder.toStdString() + "/checkpoints/step-000040"});
    journal->emit(core::WarningEvent{"memory", "another program took 1 GB"});
    journal->emit(core::OutcomeEvent{"failed", {}, {}, kOutOfResources, "RAM ran out", "step 40"});
    return folder;
}

void TrainTest::boardShowsAsManyChartsAsFit_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("charts");
    QTest::newRow("wide and high") << QSize(1400, 800) << 4;
    QTest::newRow("high") << QSize(700, 700) << 2;
    QTest::newRow("low") << QSize(700, 380) << 1;
    QTest::newRow("wide and low") << QSize(1400, 380) << 1;
}

void TrainTest::boardShowsAsManyChartsAsFit() {
    QFETCH(QSize, size);
    ChartBoard board;
    board.resize(size);
    board.show();
    QVERIFY(QTest::qWaitForWindowExposed(&board));
    QTEST(int(seenCharts(board).size()), "charts");
    const int least = seenCharts(board).size() > 2 ? size.width() / 3 : size.width() * 8 / 10;
    for (const Chart* chart : seenCharts(board))
        QVERIFY2(chart->width() > least, "a chart leaves its room to nothing");
    // Every chart can be brought into view.
    QSet<Chart*> reached;
    QList<QPushButton*> tabs;
    for (auto* tab : board.findChildren<QPushButton*>())
        if (tab->isVisible() && tab->isCheckable()) tabs.append(tab);
    for (Chart* chart : seenCharts(board)) reached.insert(chart);
    for (QPushButton* tab : tabs) {
        if (tab->isVisible()) tab->click();
        for (Chart* chart : seenCharts(board)) reached.insert(chart);
    }
    QCOMPARE(reached.size(), 4);
}

void TrainTest::everyChartTakesItsValues() {
    RunSession run(makeRun("values"), u"values"_s);
    ChartBoard board;
    board.follow(&run);
    auto* loss = board.findChild<LossChart*>();
    QTRY_VERIFY(loss->now() > 0.0);
    QCOMPARE(loss->csv().count('\n'), 41);
    QStringList sentences;
    for (auto* line : board.findChildren<LineChart*>()) {
        QCOMPARE(line->csv().count('\n'), 41);
        sentences.append(line->sentence());
    }
    QCOMPARE(sentences.size(), 2);
    QVERIFY(sentences.filter(u"1e-4"_s).size() == 1);
    QVERIFY(sentences.filter(u"2 pictures/s"_s).size() == 1);
    QCOMPARE(board.findChild<MemoryChart*>()->nowBytes(), double(500 * kMebi));
}

void TrainTest::memoryAboveThePlanIsExplained() {
    const auto explained = [](RunSession& run) {
        ChartBoard board;
        board.follow(&run);
        [&] { QTRY_VERIFY(board.findChild<MemoryChart*>()->nowBytes() > 0.0); }();
        QStringList texts;
        for (auto* label : board.findChildren<QLabel*>())
            if (!label->isHidden()) texts.append(label->text());
        return texts.filter(u"above the plan"_s);
    };
    const QString folder = makeRun("above");
    RunSession above(folder, u"above"_s);
    const QStringList said = explained(above);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said.front().startsWith(u"25 %"_s), qPrintable(said.front()));
    core::PlanEvent higher;
    higher.predicted.ramBytes = 490 * kMebi;
    journalOf(folder)->emit(higher);
    RunSession near(folder, u"near"_s);
    QCOMPARE(explained(near), QStringList());
}

void TrainTest::everyChartIsExported() {
    RunSession run(makeRun("exported"), u"exported"_s);
    ChartBoard board;
    board.resize(1400, 800);
    board.show();
    board.follow(&run);
    QTRY_VERIFY(board.findChild<LossChart*>()->now() > 0.0);
    int number = 0;
    for (auto* chart : board.findChildren<Chart*>()) {
        const QString base = m_place.path(u"chart%1"_s.arg(++number));
        for (const char* ending : {".png", ".svg", ".csv"}) {
            const QString path = base + QLatin1String(ending);
            QVERIFY2(exported(*chart, path), qPrintable(path));
            QVERIFY(QFileInfo(path).size() > 40);
        }
        // What is there already is not proposed.
        const QString taken =
            QDir::homePath() + u"/exported "_s + chart->accessibleName().toLower() + u".png"_s;
        writeBytes(taken, "mine");
        board.exportChart(chart);
        QTRY_VERIFY(board.findChild<QFileDialog*>() != nullptr);
        auto* dialog = board.findChild<QFileDialog*>();
        QVERIFY(!QFileInfo::exists(dialog->selectedFiles().value(0)));
        dialog->reject();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    }
    QCOMPARE(number, 4);
}

void TrainTest::aChartThatDoesNotFitOnTheDiskIsRefused() {
    RunSession run(makeRun("full"), u"full"_s);
    ChartBoard board;
    board.follow(&run);
    auto* chart = board.findChild<LossChart*>();
    QTRY_VERIFY(chart->now() > 0.0);
    for (const char* ending : {".png", ".svg", ".csv"}) {
        const QString path = m_place.path(u"full"_s + QLatin1String(ending));
        const FullDisk disk;
        QVERIFY2(!exported(*chart, path), ending);
        QVERIFY2(!QFileInfo::exists(path), ending);
    }
}

void TrainTest::logTellsWhatHappenedInWords() {
    const QString folder = makeRun("logged");
    QFile output(folder + u"/supervisor.log"_s);
    QVERIFY(output.open(QIODevice::WriteOnly));
    output.write("homebooth-engine: last words\n");
    output.close();
    RunLog log(folder);
    QVERIFY(log.read());
    QCOMPARE(log.lines().size(), 6);
    const QStringList expected{u"Plan: optimizer states"_s,
                               u"Loading"_s,
                               u"Reading photos and captions: photos"_s,
                               u"Saved at step 40"_s,
                               u"Warning: The engine has a remark. [another program took 1 GB]"_s,
                               u"Ended early (code 4): Memory ran out. [RAM"_s};
    for (int i = 0; i < expected.size(); ++i)
        QVERIFY2(log.lines()[i].contains(expected[i]), qPrintable(log.lines()[i]));
    QVERIFY(log.text().endsWith(u"last words"_s));
    QVERIFY(!log.read());
    journalOf(folder)->emit(core::ResumedEvent{40});
    QVERIFY(log.read());
    QVERIFY(log.lines().back().contains(u"Resumed after step 40"_s));
}

void TrainTest::offersLessMemoryAfterMemoryRanOut() {
    const QString folder = makeRun("short of memory");
    RunPage page(*m_services, folder);
    QTRY_VERIFY(page.messages().currentText().contains(u"RAM ran out"_s));
    // In the user's language first; what the engine says, which is English, stands beneath.
    QVERIFY(page.messages().currentText().startsWith(
        u"<b>%1</b>"_s.arg(trainingTrouble(core::FailureCause::OutOfMemory))));
    QStringList buttons;
    for (auto* button : page.messages().findChildren<QPushButton*>()) buttons.append(button->text());
    QVERIFY2(buttons.contains(u"Resume with less memory (400 MB)"_s), qPrintable(buttons.join(u", "_s)));
}

void TrainTest::resumesWithinLessMemory() {
    const QString folder = makeRun("resumed");
    m_services->runs.show(folder);
    QTRY_COMPARE(m_services->runs.current()->data().memory.size(), size_t{4});
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    m_services->runs.resume(folder, {0, true});
    const auto run = core::RunFolder::open(folder.toStdString());
    QTRY_COMPARE(run->config()->memory.ramBytes, 400 * kMebi);
    QCOMPARE(run->config()->steps, int64_t{100});
}

void TrainTest::lowersTheLimitThatCounts() {
    core::TrainConfig config;
    core::ResourceUse seen;
    QCOMPARE(withLessMemory(config, seen).memory.ramBytes, int64_t{0});
    seen.ramBytes = 1000;
    QCOMPARE(withLessMemory(config, seen).memory.ramBytes, int64_t{800});
    config.memory.ramBytes = 500;
    QCOMPARE(withLessMemory(config, seen).memory.ramBytes, int64_t{400});
    seen.deviceBytes = 2000;
    const core::TrainConfig less = withLessMemory(config, seen);
    QCOMPARE(less.memory.deviceBytes, int64_t{1600});
    QCOMPARE(less.memory.ramBytes, int64_t{500});
    QVERIFY(hasLessMemory(less, seen) && !hasLessMemory(config, seen));
}

void TrainTest::lowersTheLimitOfWhatRanOut_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<qint64>("deviceBytes");
    QTest::newRow("RAM") << "training: there is not enough memory (DefaultCPUAllocator: not enough memory)"
                         << qint64{0};
    QTest::newRow("killed") << "the system killed the worker because memory ran out" << qint64{0};
    QTest::newRow("card") << "training: there is not enough memory (CUDA out of memory)" << qint64{2000};
    QTest::newRow("unknown") << "the worker ran out of memory" << qint64{2000};
}

void TrainTest::lowersTheLimitOfWhatRanOut() {
    QFETCH(QString, words);
    QFETCH(qint64, deviceBytes);
    RunData data; // of a card
    data.plan = core::PlanEvent();
    data.plan->predicted.deviceBytes = 2000;
    data.plan->predicted.ramBytes = 1000;
    QCOMPARE(mostUsedOfLacking(data).deviceBytes, int64_t{2000}); // nothing has ended it
    data.outcome = core::OutcomeEvent{"failed", {}, {}, kOutOfResources, words.toStdString(), ""};
    const core::ResourceUse seen = mostUsedOfLacking(data);
    QCOMPARE(seen.deviceBytes, int64_t{deviceBytes});
    const core::MemoryConfig less = withLessMemory(data.config, seen).memory;
    QCOMPARE(less.deviceBytes, int64_t{deviceBytes / 5 * 4});
    QCOMPARE(less.ramBytes, deviceBytes > 0 ? int64_t{0} : int64_t{800});
}

void TrainTest::aNewSubjectIsChosenToLearn() {
    TrainPage page(m_services->all());
    page.setVisible(true);
    m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("a.png"), 1)}, u"tin can"_s);
    QStringList buttons;
    for (auto* button : page.findChildren<QPushButton*>()) buttons.append(button->text());
    QVERIFY(buttons.contains(u"tin can"_s));
    // What is said of a photo that is gone goes when somebody does something about its subject.
    Q_EMIT m_services->runs.failed(u"No training"_s,
                                   u"/a.png: the photo is gone; find it again or leave it out"_s);
    QVERIFY(page.messages().currentText().contains(u"No training"_s));
    core::Subject can = m_services->subjects.subjects().front();
    can.photos[0].leftOut = true;
    m_services->subjects.change(can, u"leave out"_s);
    QVERIFY(!page.messages().currentText().contains(u"No training"_s));
    m_services->undo.undo();
    m_services->undo.undo();
}

void TrainTest::theEndOfARunCoversNothingElse() {
    const QString folder = makeRun("ended");
    RunPage page(*m_services, folder);
    QTRY_VERIFY(page.messages().currentText().contains(u"RAM ran out"_s));
    Q_EMIT m_services->runs.failed(u"the folder cannot be written"_s, QString());
    Q_EMIT m_services->runs.phaseChanged();
    QCOMPARE(page.messages().currentText(), u"<b>the folder cannot be written</b>"_s);
    QCOMPARE(page.messages().count(), 2);
    m_services->runs.show(folder); // looked at anew: the end is told again
    QTRY_VERIFY(page.messages().currentText().contains(u"RAM ran out"_s));
    m_services->runs.dismiss();
    QCOMPARE(page.messages().currentText(), u"<b>the folder cannot be written</b>"_s);
}

void TrainTest::speedsOfResultsAreKeptApart() {
    core::TrainConfig one;
    one.model = "/runs/robot/result/model";
    core::TrainConfig other = one;
    QCOMPARE(speedKey(one), speedKey(other));
    other.model = "/runs/large one/result/model";
    QVERIFY(speedKey(one) != speedKey(other));
    other = one;
    other.method = core::TrainMethod::Lora;
    QVERIFY(speedKey(one) != speedKey(other));
}

void TrainTest::aRunsSamplesStayBelowTheirLimits() {
    RunData data;
    RunUpdate update;
    constexpr int kSteps = 5000;
    for (int step = 1; step <= kSteps; ++step)
        update.steps.push_back({step, step == 1234 ? 9.0 : step == 2345 ? 0.001 : 0.5, 1e-4, 2.0F, 1.0F});
    data.apply(update);
    QCOMPARE(data.generation, int64_t{0});
    QVERIFY(!data.thin(kSteps, kSteps));
    QVERIFY(data.thin(1000, 1000));
    QVERIFY2(data.steps.size() <= kSteps / 2 + 256, qPrintable(QString::number(data.steps.size())));
    QVERIFY(std::is_sorted(data.steps.begin(), data.steps.end(),
                           [](const StepSample& a, const StepSample& b) { return a.step < b.step; }));
    const auto [least, most] =
        std::minmax_element(data.steps.begin(), data.steps.end(),
                            [](const StepSample& a, const StepSample& b) { return a.loss < b.loss; });
    QCOMPARE(least->step, int64_t{2345});
    QCOMPARE(most->step, int64_t{1234});
    QCOMPARE(data.step(), int64_t{kSteps});
    QCOMPARE(data.steps[data.steps.size() - 200].step, int64_t{kSteps - 199}); // the latest are all there
    RunUpdate back;
    back.restartFrom = 4990;
    data.apply(back);
    QCOMPARE(data.step(), int64_t{4990});
}

void TrainTest::limitsOfMemoryCountAtOnce() {
    TrainPage page(m_services->all());
    auto* setup = page.findChild<TrainSetup*>();
    QSignalSpy changed(setup, &TrainSetup::changed);
    m_services->settings.set(keys::kRam, 2.5);
    QVERIFY(!changed.isEmpty());
    QCOMPARE(setup->order().config.memory.ramBytes, int64_t{5} << 29);
    m_services->settings.reset(keys::kRam);
}

void TrainTest::theNextStepTakesWhatIsBeingTyped_data() {
    QTest::addColumn<bool>("byMouse");
    QTest::addColumn<bool>("anotherShows");
    QTest::newRow("by Ctrl+Return") << false << false; // the focus stays where it is
    QTest::newRow("by the mouse") << true << false;    // what was typed is taken as the button is pressed
    QTest::newRow("another training comes into view") << true << true;
}

void TrainTest::theNextStepTakesWhatIsBeingTyped() {
    QFETCH(bool, byMouse);
    QFETCH(bool, anotherShows);
    QVERIFY(useEngine(m_place, kPlans));
    m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("typed.png"), 1)}, u"tin can"_s);
    m_services->models.refresh();
    m_services->runs.open(m_services->settings.runsFolder());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* setup = page.findChild<TrainSetup*>();
    QTRY_VERIFY(setup->ready());
    setup->toggleExpert();
    QLineEdit* steps = fieldNamed(page, u"Steps"_s);
    steps->setFocus();
    steps->selectAll();
    QTest::keyClicks(steps, u"123"_s);
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    if (byMouse)
        QTest::mouseClick(page.mainButton(), Qt::LeftButton);
    else
        page.mainButton()->click();
    QCOMPARE(steps->hasFocus(), !byMouse);
    QCOMPARE(setup->order().config.steps, int64_t{123});
    QVERIFY(!setup->ready()); // nobody knows yet whether that fits
    QVERIFY(!page.mainButton()->isEnabled() && !m_services->runs.prepares());
    if (anotherShows) {
        const QString other = makeRunFolder(m_services->settings.runsFolder(), u"another"_s, 100);
        journalOf(other)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
        m_services->runs.show(other);
        page.showRun();
    }
    QTRY_COMPARE(begun.size(), 1);
    const auto run = core::RunFolder::open(begun.front().front().toString().toStdString());
    QVERIFY(run);
    QCOMPARE(run->config()->steps, int64_t{123});
}

void TrainTest::theFocusOfTheFormGoesToNoSwitchOfAChart() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"focus"_s, 100);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.prepareModel(builtInModel());
    QLineEdit* steps = fieldNamed(page, u"Steps"_s);
    page.findChild<TrainSetup*>()->toggleExpert();
    steps->setFocus();
    QVERIFY(page.focusWidget() == steps);
    m_services->runs.show(folder);
    page.showRun();
    QPushButton* more = buttonNamed(page, u"More"_s);
    QVERIFY(!more->isHidden());
    QCOMPARE(page.focusWidget(), more);
}

void TrainTest::qualitiesSayWhatTheyTake() {
    TrainPage page(m_services->all());
    page.setVisible(true);
    int found = 0;
    for (const auto* choice : page.findChildren<QRadioButton*>()) {
        if (choice->text() != QLatin1String("Quick") && choice->text() != QLatin1String("Best")) continue;
        ++found;
        QTRY_VERIFY2(choice->accessibleDescription().contains(u"steps"_s),
                     qPrintable(choice->accessibleDescription()));
    }
    QCOMPARE(found, 2);
}

void TrainTest::nothingElseBeginsWhilePhotosAreCopied() {
    QVERIFY(useEngine(m_place, kPlans));
    m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("copied.png"), 1)}, u"mug"_s);
    m_services->models.refresh();
    RunCentre& runs = m_services->runs;
    runs.open(m_services->settings.runsFolder());
    TrainPage page(m_services->all());
    page.setVisible(true);
    QTRY_VERIFY(page.mainButton()->isEnabled());
    std::shared_ptr<WorkCount> count;
    connect(&runs, &RunCentre::preparing, &page,
            [&count](const std::shared_ptr<WorkCount>& now) { count = now; });
    {
        const Blocked copying(requestPool());
        page.mainButton()->click();
        QVERIFY(count && !page.mainButton()->isEnabled());
        Q_EMIT runs.failed(u"Another training failed."_s, {});
        QVERIFY(!page.mainButton()->isEnabled());
        Q_EMIT runs.begun(m_place.path("another"), true);
        QVERIFY(!page.mainButton()->isEnabled());
        count->stopped = true;
    }
    QTRY_VERIFY(page.mainButton()->isEnabled());
}

void TrainTest::aDatasetThatIsLearnedCanBeQueuedAgain() {
    QVERIFY(useEngine(m_place, kPlans));
    const QString birds = m_place.path("birds");
    QVERIFY(QDir().mkpath(birds));
    writeTestPicture(birds + u"/a.png"_s, 1, {64, 64});
    writeBytes(birds + u"/a.txt"_s, "great tit, snow");
    m_services->models.refresh();
    m_services->runs.open(m_services->settings.runsFolder());
    TrainPage page(m_services->all());
    page.setVisible(true);
    const DatasetOrder order{.name = u"birds"_s, .folder = birds, .pictures = 1};
    page.prepareDataset(order);
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    page.mainButton()->click();
    QTRY_COMPARE(begun.size(), 1);
    page.prepareDataset(order);
    QTRY_COMPARE(page.mainButton()->text(), u"Runs already"_s); // it will read what is there
    const QString folder = begun.front().front().toString();
    const auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(lock.ok());
    journalOf(folder)->emit(core::StateEvent{"caching", "pictures", 0, 3});
    QTRY_COMPARE(page.mainButton()->text(), u"Add to the queue"_s); // captions may be others now
    QTRY_VERIFY(page.mainButton()->isEnabled());
}

void TrainTest::aFormThatIsFilledInStaysInView() {
    const QString first = makeRun("first");
    const QString second = makeRun("second");
    TrainPage page(m_services->all());
    const auto* setup = page.findChild<TrainSetup*>();
    page.setVisible(true);
    m_services->runs.show(first); // as one that begins does
    QVERIFY(!setup->isVisible());
    for (QAction* action : page.findChildren<QAction*>())
        if (action->text() == u"New training"_s) action->trigger();
    QVERIFY(setup->isVisible());
    m_services->runs.show(second);
    QVERIFY(setup->isVisible());
    buttonNamed(page, u"Show the last one"_s)->click();
    QVERIFY(!setup->isVisible());
    QCOMPARE(m_services->runs.current()->folder(), second);
    page.prepareModel(builtInModel());
    page.setVisible(false); // nobody is at it
    m_services->runs.show(first);
    page.setVisible(true);
    QVERIFY(!setup->isVisible());
}

void TrainTest::theFormIsSeenFromItsTop() {
    m_services->settings.set(keys::kTrainExpert, false);
    TrainPage page(m_services->all());
    page.resize(850, 560);
    page.setVisible(true);
    const auto* setup = page.findChild<TrainSetup*>();
    const QScrollBar* bar = setup->findChild<QScrollArea*>()->verticalScrollBar();
    QVERIFY(page.command(Page::Command::Expert));
    QTRY_VERIFY(bar->value() > 0); // what opens is seen
    page.setVisible(false);
    page.prepareModel(builtInModel()); // by another page
    page.setVisible(true);
    QCOMPARE(bar->value(), 0);
    m_services->settings.reset(keys::kTrainExpert);
}

HOMEBOOTH_APP_TEST_MAIN(TrainTest)
#include "tst_train.moc"

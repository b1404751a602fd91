// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run tells of pictures that are held out of training, and of waiting for pictures: in its data, in
// the chart of the loss, on the board.
#include "app/charts/loss_chart.h"
#include "app/engine/runs/held_out.h"
#include "app/engine/runs/run_data.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/train/run/chart_board.h"
#include "app/widgets/parts.h"
#include "app_files.h"
#include "core/base/run/journal/event_json.h"
#include "shown_widget.h"

#include <algorithm>
#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class HeldOutTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aResumptionDropsLaterPoints();
    void theirNumberIsBounded();
    void aChartWithoutThemIsAsBefore();
    void theyHaveAColumnOfTheirOwn();
    void theSentenceSaysWhichWayTheyGo();
    void theCrosshairNamesTheNearest();
    void theyAreDrawnAsRoundMarksWithinTheView();
    void theirColourStandsApart();
    void theBoardNamesThemWhereThereAreSome();
    void theDatasetSaysWhatTheLastTrainingLeftOut();
    void whatNeverMadeAStepHeldNothingOut();
    void anOlderAnswerIsNotTaken();
    void waitingForPicturesIsToldFromTwoPercentOn_data();
    void waitingForPicturesIsToldFromTwoPercentOn();

private:
    struct Training {
        QString dataset;
        double share = 0.0;
        qsizetype linesToStep = 1; ///< of the journal, the last of them its only step; 0: it made none
        QString heldOut = {};      ///< as the run tells it; empty: it does not
    };
    [[nodiscard]] QString makeRun(const QString& name) {
        return makeRunFolder(m_services->settings.runsFolder(), name, 100);
    }
    /// A folder with a captioned picture.
    [[nodiscard]] QString makeBirds() const {
        const QString birds = m_place.path("birds");
        writeBytes(birds + u"/a.txt"_s, "a tit");
        writeTestPicture(birds + u"/a.png"_s, 1, {60, 40});
        return birds;
    }
    QString train(const Training& training);
    [[nodiscard]] std::unique_ptr<DatasetsPage> openPage(const QString& dataset) const {
        auto page = std::make_unique<DatasetsPage>(m_services->all());
        page->addFolder(dataset);
        return page;
    }
    /// How many pictures the page says were held out.
    [[nodiscard]] static QString told(const DatasetsPage& page) {
        const QRegularExpression words(u"held ([0-9.]+(?: %)?) of these pictures out"_s);
        return words.match(shownTexts(page).filter(words).join('\n')).captured(1);
    }
    int64_t m_day = 0;
};

namespace {

core::StepEvent stepOf(int64_t step, double loss, double dataSeconds = 0.0) {
    core::StepEvent event;
    event.step = step;
    event.loss = loss;
    event.learningRate = 1e-4;
    event.seconds = 0.5;
    event.samplesPerSecond = 2.0;
    event.dataSeconds = dataSeconds;
    return event;
}

/// What the crosshair says.
QString valuesAt(LossChart& chart, double step) {
    chart.showCrosshair(step);
    for (int i = 0; i < chart.itemCount(); ++i)
        if (const auto* text = qobject_cast<QCPItemText*>(chart.item(i)); text && text->visible())
            return text->text();
    return {};
}

QString headOf(const ChartBoard& board) {
    for (const auto* label : board.findChildren<ElidedLabel*>())
        if (label->fullText().startsWith(u"Loss"_s)) return label->fullText();
    return {};
}

} // namespace

/// A training that has ended. @returns its folder
QString HeldOutTest::train(const Training& training) {
    core::TrainConfig config;
    config.mode = core::TrainMode::Dataset;
    config.data.datasetDir = training.dataset.toStdString();
    config.data.validationShare = training.share;
    core::RunRecord record;
    record.id = core::newRecordId();
    record.createdMs = ++m_day;
    record.folder = m_services->settings.runsFolder().toStdString() + "/birds " + std::to_string(m_day);
    record.state = "done";
    record.endedMs = core::nowMs();
    config.output.runDir = record.folder;
    const auto run = core::RunFolder::create(record.folder, config);
    if (!run) qFatal("%s", run.error().text().c_str());
    if (!training.heldOut.isEmpty())
        (void)run->addFacts({{core::kHeldOutFact, training.heldOut.toStdString()}});
    const std::string other = core::toJsonLine({1, {}, core::StateEvent{"caching", "pictures", 0, 0}}) + "\n";
    const qsizetype others = std::max<qsizetype>(training.linesToStep - 1, 0);
    QByteArray lines = QByteArray::fromStdString(other).repeated(others);
    if (training.linesToStep > 0) lines += core::toJsonLine({2, {}, stepOf(1, 0.5)}) + "\n";
    writeBytes(QString::fromStdString(run->journalFile()), lines);
    m_services->library.write([record](core::Library& library) { return core::saveRun(library, record); });
    m_services->runs.open(m_services->settings.runsFolder());
    const QString folder = QString::fromStdString(record.folder);
    const bool known = QTest::qWaitFor([&] { return m_services->runs.find(folder) != nullptr; }, kLongestMs);
    if (!known) qFatal("the run %s was not found", qPrintable(folder));
    return folder;
}

void HeldOutTest::aResumptionDropsLaterPoints() {
    RunData data;
    RunUpdate first;
    for (const int64_t step : {0, 50, 100}) first.take({1, "", core::ValidationEvent{step, 0.5}});
    QVERIFY(!first.empty());
    data.apply(first);
    QCOMPARE(data.heldOut.size(), size_t{3});
    RunUpdate second;
    second.take({2, "", core::ResumedEvent{50}});
    second.take({3, "", core::ValidationEvent{100, 0.25}});
    data.apply(second);
    QCOMPARE(data.heldOut.size(), size_t{3});
    QCOMPARE(data.heldOut[1].step, int64_t{50});
    QCOMPARE(data.heldOut[2].loss, 0.25);
    RunUpdate both; // the same within one piece
    for (const int64_t step : {0, 50, 100}) both.take({1, "", core::ValidationEvent{step, 0.5}});
    both.take({2, "", core::ResumedEvent{50}});
    QCOMPARE(both.heldOut.size(), size_t{2});
}

void HeldOutTest::theirNumberIsBounded() {
    RunData data;
    RunUpdate update;
    constexpr int64_t kPoints = 5000;
    for (int64_t step = 0; step < kPoints; ++step)
        update.heldOut.push_back({step, step == 1234 ? 9.0 : step == 2345 ? 0.001 : 0.5});
    data.apply(update);
    QVERIFY(!data.thin(kPoints, kPoints, kPoints));
    QVERIFY(data.thin(kPoints, kPoints, 1000));
    QVERIFY2(data.heldOut.size() <= kPoints / 2 + 256, qPrintable(QString::number(data.heldOut.size())));
    const auto [least, most] = std::minmax_element(data.heldOut.begin(), data.heldOut.end(),
                                                   [](auto& a, auto& b) { return a.loss < b.loss; });
    QCOMPARE(least->step, int64_t{2345});
    QCOMPARE(most->step, int64_t{1234});
}

void HeldOutTest::aChartWithoutThemIsAsBefore() {
    LossChart chart;
    chart.append(1, 0.5);
    chart.append(2, 0.25);
    QVERIFY2(chart.csv().startsWith(u"step,loss,mean\n1,0.5,0.5\n2,0.25,"_s), qPrintable(chart.csv()));
    QCOMPARE(chart.csv().count(','), 6);
    QCOMPARE(chart.sentence(), u"Loss 0.250 at step 2, steady"_s);
    QCOMPARE(valuesAt(chart, 1.0), u"step 1\nloss 0.5000, trend 0.5000"_s);
    chart.appendHeldOut(2, 0.4);
    chart.clear();
    QCOMPARE(chart.csv(), u"step,loss,mean\n"_s);
}

void HeldOutTest::theyHaveAColumnOfTheirOwn() {
    LossChart chart;
    chart.appendHeldOut(0, 0.75);
    chart.append(1, 0.5);
    chart.append(2, 0.5);
    chart.appendHeldOut(2, 0.625);
    chart.appendHeldOut(3, std::nan("")); // drawn nowhere
    chart.append(4, 0.5);
    chart.appendHeldOut(5, 0.25); // its step was thinned out
    QCOMPARE(chart.csv(), u"step,loss,mean,held_out\n0,,,0.75\n1,0.5,0.5,\n2,0.5,0.5,0.625\n"
                          "4,0.5,0.5,\n5,,,0.25\n"_s);
}

void HeldOutTest::theSentenceSaysWhichWayTheyGo() {
    LossChart chart;
    for (int step = 1; step <= 100; ++step) chart.append(step, 1.0 / step);
    chart.appendHeldOut(50, 0.2);
    QVERIFY2(chart.sentence().endsWith(u"; held out 0.200 at step 50, steady"_s),
             qPrintable(chart.sentence()));
    chart.appendHeldOut(100, 0.3);
    QCOMPARE(chart.sentence(), u"Loss 0.010 at step 100, falling; held out 0.300 at step 100, rising"_s);
}

void HeldOutTest::theCrosshairNamesTheNearest() {
    LossChart chart;
    chart.appendHeldOut(0, 0.5);
    QCOMPARE(valuesAt(chart, 0.0), u"held out 0.5000"_s);
    for (int step = 1; step <= 100; ++step) chart.append(step, 0.25);
    chart.appendHeldOut(50, 0.1234);
    QCOMPARE(valuesAt(chart, 50.0), u"step 50\nloss 0.2500, trend 0.2500\nheld out 0.1234"_s);
    QVERIFY2(valuesAt(chart, 70.0).endsWith(u"\nheld out 0.1234 (step 50)"_s),
             qPrintable(valuesAt(chart, 70.0)));
    QVERIFY(valuesAt(chart, 10.0).endsWith(u"\nheld out 0.5000 (step 0)"_s));
}

void HeldOutTest::theyAreDrawnAsRoundMarksWithinTheView() {
    LossChart chart;
    for (int step = 1; step <= 100; ++step) chart.append(step, 0.25 + 0.001 * (step % 3));
    for (int step = 0; step <= 100; step += 20) chart.appendHeldOut(step, 0.9 - 0.005 * step);
    chart.setLastStep(100);
    QVERIFY(isShown(chart, {500, 240}));
    QCPGraph* graph = chart.graph(chart.graphCount() - 1);
    QTRY_COMPARE(graph->data()->size(), 6);
    QCOMPARE(graph->scatterStyle().shape(), QCPScatterStyle::ssCircle);
    QCOMPARE(graph->lineStyle(), QCPGraph::lsLine);
    QCOMPARE(graph->scatterSkip(), 0);
    QVERIFY(chart.yAxis->range().upper > 0.9 && chart.yAxis->range().lower < 0.25);
    for (int step = 101; step <= 3000; ++step) chart.appendHeldOut(step, 0.4);
    chart.setLastStep(3000);
    chart.invalidate();
    QTRY_VERIFY(graph->scatterSkip() > 0); // marks do not hide the line
    chart.clear();
    chart.invalidate();
    QTRY_VERIFY(graph->data()->isEmpty());
}

void HeldOutTest::theirColourStandsApart() {
    for (const QPalette& palette : {lightPalette(), darkPalette()}) {
        const Colours c = coloursOf(palette);
        QVERIFY(contrast(c.heldOut, c.base) >= 3.0);
        for (const QColor& other : {c.lossRaw, c.lossSmooth}) {
            const int apart = std::abs(other.red() - c.heldOut.red()) +
                              std::abs(other.green() - c.heldOut.green()) +
                              std::abs(other.blue() - c.heldOut.blue());
            QVERIFY2(apart > 150, qPrintable(QString::number(apart)));
        }
    }
}

void HeldOutTest::theBoardNamesThemWhereThereAreSome() {
    const QString folder = makeRun("held out");
    const auto journal = journalOf(folder);
    for (int64_t step = 1; step <= 20; ++step) journal->emit(stepOf(step, 0.25));
    RunSession run(folder, u"held out"_s);
    ChartBoard board;
    board.follow(&run);
    auto* loss = board.findChild<LossChart*>();
    QTRY_COMPARE(loss->now(), 0.25);
    const auto legends = [&board] { return shownTexts(board).filter(u"Held-out pictures"_s); };
    QCOMPARE(headOf(board), u"Loss  now 0.250, trend 0.250"_s);
    QVERIFY(legends().isEmpty());
    journal->emit(core::ValidationEvent{10, 0.5});
    journal->emit(core::ValidationEvent{20, 0.375});
    QTRY_COMPARE(headOf(board), u"Loss  now 0.250, trend 0.250, held out 0.375"_s);
    QCOMPARE(legends().size(), 1);
    QVERIFY(legends().front().contains(colours().heldOut.name()));
    QCOMPARE(loss->csv().count('\n'), 21);
    journal->emit(core::ResumedEvent{10});
    QTRY_COMPARE(headOf(board), u"Loss  now 0.250, trend 0.250, held out 0.500"_s);
    QCOMPARE(loss->csv().count('\n'), 11);
}

void HeldOutTest::theDatasetSaysWhatTheLastTrainingLeftOut() {
    const QString birds = makeBirds();
    train({birds, 0.05});
    const auto page = openPage(birds);
    QTRY_COMPARE(told(*page), u"5 %"_s);
    train({birds + '/', 0.125}); // another spelling
    QTRY_COMPARE(told(*page), u"12.5 %"_s);
    train({birds, 0.3, /*steps=*/0}); // it failed before it learned anything
    train({m_place.path("maps"), 0.2});
    train({birds, 0.1, 1, u"7"_s});
    QTRY_COMPARE(told(*page), u"7"_s);
    train({birds, 0.1, 1, u"0"_s}); // all pictures were the same
    QTRY_COMPARE(told(*page), QString());
    train({birds, 0.05});
    QTRY_COMPARE(told(*page), u"5 %"_s);
    train({birds, 0.0});
    QTRY_COMPARE(told(*page), QString());
}

void HeldOutTest::whatNeverMadeAStepHeldNothingOut() {
    const QString birds = makeBirds();
    const QString learned = train({birds, 0.05});
    const QString failed = train({birds, 0.3, /*steps=*/0});
    QCOMPARE(heldOutOf({failed, learned}, birds).share, 0.05);
    QCOMPARE(heldOutOf({failed}, birds).share, 0.0);
}

void HeldOutTest::anOlderAnswerIsNotTaken() {
    const QString birds = makeBirds();
    train({birds, 0.05, 2'000'000}); // takes long to be read, since its steps come last
    const auto page = openPage(birds);
    QTest::qWait(500);
    QCOMPARE(told(*page), QString()); // it is being read
    train({birds, 0.125});
    QTRY_COMPARE(told(*page), u"12.5 %"_s);
    workPool().waitForDone();
    QTest::qWait(50);
    QCOMPARE(told(*page), u"12.5 %"_s);
}

void HeldOutTest::waitingForPicturesIsToldFromTwoPercentOn_data() {
    QTest::addColumn<double>("dataSeconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("not measured") << 0.0 << QString();
    QTest::newRow("little") << 0.009 << QString();
    QTest::newRow("notable") << 0.035 << u"Waiting for pictures: 7 % of the time"_s;
}

void HeldOutTest::waitingForPicturesIsToldFromTwoPercentOn() {
    QFETCH(double, dataSeconds);
    QFETCH(QString, text);
    const QString folder = makeRun(u"waits %1"_s.arg(QLatin1String(QTest::currentDataTag())));
    const auto journal = journalOf(folder);
    for (int64_t step = 1; step <= 40; ++step) journal->emit(stepOf(step, 0.25, 0.5)); // long ago
    for (int64_t step = 41; step <= 100; ++step) journal->emit(stepOf(step, 0.25, dataSeconds));
    RunSession run(folder, u"waits"_s);
    ChartBoard board;
    board.follow(&run);
    QTRY_COMPARE(run.data().step(), int64_t{100});
    QCOMPARE(shownTexts(board).filter(u"Waiting for"_s).join(u"; "_s), text);
}

HOMEBOOTH_APP_TEST_MAIN(HeldOutTest)
#include "tst_held_out.moc"

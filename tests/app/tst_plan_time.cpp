// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start: what there is of each memory, and how long all of a training will take.
#include "app/engine/figures.h"
#include "app/engine/plans/plan_time.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app_files.h"
#include "core/base/system/memory_facts.h"
#include "core/base/system/power_facts.h"

using namespace homebooth;
using namespace homebooth::app;

class PlanTimeTest : public QObject {
    Q_OBJECT
public:
    explicit PlanTimeTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void theCardSaysWhatThereIs();
    void aLimitOfTheUsersIsNamed();
    void theBarIsSeenWhereverThePlanPutsIt();
    void aBatteryIsNamedBeforeTheStart();
    void partsInRamAreSlow();
    void allThatIsDoneTakesTime();
    void whatIsThereIsNotMadeAgain();
    void whatIsOnlyEstimatedHasAWideRange();
    void aRunTellsWhatItTook();
    void aKilledRunTellsNothingOfItsLastPhase();
    void theSleepOfTheMachineIsNoPartOfAPhase();
    void theTimeBetweenTwoAttemptsIsNoLoading();
    void whatWasStoppedMadeNoMoreExamples();
    void signsOfLifeWithinAGroupMakeNoExamplesSlower();
    void examplesThatAreStillToBeMadeTakeTime();
    void examplesThatTakeLongerThanPlannedAreCountedSo();
    void whatIsStillToComeTakesTime();
    void spansAreToldInOneUnit();
    void thePanelTellsThePartsOfTheTime();

private:
    [[nodiscard]] static PlanFacts fits();
    [[nodiscard]] static core::TrainConfig config();
    [[nodiscard]] QStringList textsOf(const PlanFacts& facts, const core::TrainConfig& config,
                                      const PlanPast& past = {}) const;

    const TestPlace& m_place;
    Theme m_theme;
};

namespace {

constexpr int64_t kGibi = int64_t{1} << 30;

core::JournalEntry entryAt(int second, core::Event event) {
    return {1,
            u"2026-11-21T10:%1:%2.000Z"_s.arg(second / 60, 2, 10, QLatin1Char('0'))
                .arg(second % 60, 2, 10, QLatin1Char('0'))
                .toStdString(),
            std::move(event)};
}

/// Of a run that has begun to make its 100 examples.
RunUpdate examplesBegin(core::TrainConfig config) {
    RunUpdate update;
    config.mode = core::TrainMode::DreamBooth;
    update.config = std::move(config);
    update.take(entryAt(0, core::StateEvent{"class-images", "", 0, 100}));
    return update;
}

/// One event more.
void add(RunData& data, int second, core::Event event) {
    RunUpdate update;
    update.take(entryAt(second, std::move(event)));
    data.apply(update);
}

} // namespace

PlanFacts PlanTimeTest::fits() {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.ramBytes = kGibi;
    facts.plan.predicted.stepSeconds = 2.0;
    facts.checkpointBytes = int64_t{2'500'000'000};
    return facts;
}

core::TrainConfig PlanTimeTest::config() {
    core::TrainConfig config;
    config.steps = 800;
    config.data.classPrompt = "a photo of a toy";
    config.data.classImageCount = 100;
    config.output.previewEverySteps = 100;
    config.output.previewCount = 2;
    config.output.checkpointEverySteps = 200;
    return config;
}

QStringList PlanTimeTest::textsOf(const PlanFacts& facts, const core::TrainConfig& config,
                                  const PlanPast& past) const {
    PlanPanel panel;
    panel.setVisible(true);
    panel.show(facts, config, m_place.path({}), past);
    QStringList texts;
    for (auto* label : panel.findChildren<QLabel*>())
        if (label->isVisible()) texts.append(label->text());
    return texts;
}

void PlanTimeTest::theCardSaysWhatThereIs() {
    PlanFacts facts = fits();
    QVERIFY(!textsOf(facts, config()).contains(u"Graphics card"_s)); // there is none
    facts.plan.predicted.deviceBytes = 59 * kGibi / 10;
    facts.plan.decisions = {
        {"budget", "budget-gpu", {{"deviceBytes", 7.2 * kGibi}, {"ramBytes", 9.8 * kGibi}}}};
    const QStringList texts = textsOf(facts, config());
    QVERIFY2(texts.contains(u"Graphics card"_s), qPrintable(texts.join('|')));
    QVERIFY2(texts.contains(u"5.9 of 7.2 GB free"_s), qPrintable(texts.join('|')));
    const int64_t free = core::memoryFacts().usableBytes();
    QCOMPARE(texts.filter(QRegularExpression(u"^1\\.0 of [\\d.]+ GB free$"_s)).size(), free >= kGibi ? 1 : 0);
}

void PlanTimeTest::aLimitOfTheUsersIsNamed() {
    PlanFacts facts = fits();
    facts.plan.predicted.ramBytes = 100 << 20;
    core::TrainConfig limited = config();
    limited.memory.ramBytes = 200 << 20;
    const QStringList texts = textsOf(facts, limited);
    QVERIFY2(texts.contains(u"100 of 200 MB allowed"_s), qPrintable(texts.join('|')));
}

void PlanTimeTest::theBarIsSeenWhereverThePlanPutsIt() {
    PlanPanel panel;
    panel.setVisible(true);
    PlanFacts facts = fits();
    for (const int64_t onDevice : {kGibi, int64_t{0}, kGibi}) { // the user changes what is learned
        facts.plan.predicted.deviceBytes = onDevice;
        panel.show(facts, config(), m_place.path({}));
        QVERIFY2(panel.findChild<KindBar*>()->isVisible(), qPrintable(QString::number(onDevice)));
    }
}

void PlanTimeTest::aBatteryIsNamedBeforeTheStart() {
    const QString battery = m_place.path(u"power/BAT0"_s);
    writeBytes(battery + u"/type"_s, "Battery\n");
    writeBytes(battery + u"/capacity"_s, "70\n");
    writeBytes(battery + u"/status"_s, "Discharging\n");
    qputenv(core::kPowerFolderVariable, m_place.path(u"power"_s).toLocal8Bit());
    const auto named = [this] {
        return !textsOf(fits(), config()).filter(u"connect the charger"_s).isEmpty();
    };
    QVERIFY(named());
    writeBytes(battery + u"/status"_s, "Charging\n");
    QVERIFY(!named());
    qunsetenv(core::kPowerFolderVariable);
}

void PlanTimeTest::partsInRamAreSlow() {
    PlanFacts facts = fits();
    QVERIFY(textsOf(facts, config()).contains(u"This will fit"_s));
    facts.plan.decisions = {{"parameters", "parameters-partly-in-ram"}};
    QVERIFY(textsOf(facts, config()).contains(u"Fits, but slowly: parts live in RAM"_s));
}

void PlanTimeTest::allThatIsDoneTakesTime() {
    const Pace pace{1.0, 3.0, 5.0, 10.0, 20.0};
    const PlanTime time = planTimeOf(fits(), config(), pace, 0);
    QVERIFY(time.known);
    QCOMPARE(time.steps, 800.0);
    QCOMPARE(time.examples, 300.0);
    QCOMPARE(time.previews, 16 * 5.0);
    QCOMPARE(time.saves, 40.0);
    QCOMPARE(time.whole.likely, 800.0 + 300.0 + 80.0 + 40.0 + 20.0);
    QVERIFY(time.whole.least > 0.9 * time.whole.likely && time.whole.most < 1.1 * time.whole.likely);
    QVERIFY(!planTimeOf(PlanFacts(), config(), {}, 0).known);
    core::TrainConfig uneven = config();
    uneven.steps = 807;
    QCOMPARE(planTimeOf(fits(), uneven, pace, 0).previewCount, int64_t{18}); // the last step has one, too
}

void PlanTimeTest::whatIsThereIsNotMadeAgain() {
    const Pace pace{1.0, 3.0, 5.0, 10.0, 20.0};
    QCOMPARE(planTimeOf(fits(), config(), pace, 100).examples, 0.0);
    QCOMPARE(planTimeOf(fits(), config(), pace, 60).examples, 120.0);
    core::TrainConfig none = config();
    none.data.classPrompt.clear();
    QCOMPARE(planTimeOf(fits(), none, pace, 0).examples, 0.0);
    none = config();
    none.data.classDir = "/there";
    QCOMPARE(planTimeOf(fits(), none, pace, 100).examples, 0.0);
    QCOMPARE(planTimeOf(fits(), none, pace, 60).examples, 120.0); // the rest is made in that folder
}

void PlanTimeTest::whatIsOnlyEstimatedHasAWideRange() {
    const PlanTime time = planTimeOf(fits(), config(), {}, 0);
    QVERIFY(time.known); // by the engine's prediction
    QCOMPARE(time.steps, 1600.0);
    QVERIFY(time.examples > 0.0 && time.previews > 0.0 && time.saves > 0.0);
    QVERIFY(time.whole.most > 1.2 * time.whole.likely);
    QVERIFY(time.whole.least < 0.85 * time.whole.likely);
    QCOMPARE(slowdownBy(0.2), 1.0);
    QCOMPARE(slowdownBy(2.0, 60'000), 1.0); // it may be Homebooth's own
    QCOMPARE(slowdownBy(6.0, 60'000), 5.0); // that much is not
    QCOMPARE(slowdownBy(4.0, 120'000), 5.0);
    PlanFacts facts = fits();
    const PlanTime busy = planTimeOf(facts, config(), {}, 0, slowdownBy(4.0));
    QCOMPARE(busy.whole.least, time.whole.least); // the others may end
    QCOMPARE(busy.whole.most, 5.0 * time.whole.most);
    const QString words = u"Other programs use the processor now"_s;
    QVERIFY(textsOf(facts, config(), {{}, 0, 5.0}).join('|').contains(words));
    QVERIFY(!textsOf(facts, config()).join('|').contains(words));
    facts.plan.predicted.deviceBytes = kGibi;
    QCOMPARE(planTimeOf(facts, config(), {}, 0, 5.0).whole.most, time.whole.most);
}

void PlanTimeTest::aRunTellsWhatItTook() {
    RunUpdate update;
    update.take(entryAt(0, core::StateEvent{"loading", "", 0, 0}));
    update.take(entryAt(2, core::StateEvent{"reading", "pictures", 0, 3}));
    update.take(entryAt(6, core::StateEvent{"class-images", "", 0, 8}));
    update.take(entryAt(18, core::StateEvent{"class-images", "", 4, 8}));
    update.take(entryAt(30, core::StateEvent{"caching", "pictures", 0, 3}));
    update.take(entryAt(34, core::StateEvent{"training", "", 0, 0}));
    for (int step = 1; step <= 10; ++step)
        update.take(entryAt(34 + step, core::StepEvent{step, 1, 0.5, 1e-4, 1.0, 1.0, {}, {}, {}, {}}));
    update.take(entryAt(44, core::StateEvent{"sampling", "", 0, 0}));
    update.take(entryAt(50, core::PreviewEvent{10, 0, "/a"}));
    update.take(entryAt(51, core::PreviewEvent{10, 1, "/b"}));
    update.take(entryAt(52, core::StateEvent{"saving", "", 0, 0}));
    RunData data;
    data.apply(update);
    update = {}; // the rest comes later
    update.take(entryAt(57, core::CheckpointEvent{10, "/c"}));
    update.take(entryAt(57, core::OutcomeEvent{"done", {}, {}, 0, "", ""}));
    data.apply(update);
    const Pace pace = paceOf(data, {});
    QCOMPARE(pace.step, 1.0);
    QCOMPARE(pace.example, 3.0); // 24 s for 8
    QCOMPARE(pace.preview, 4.0); // 8 s for 2
    QCOMPARE(pace.save, 5.0);
    QCOMPARE(pace.start, 10.0);
    QCOMPARE(Pace::ofText(pace.toText()).preview, 4.0);
    // What a later run does not do stays known; nonsense in the settings is nothing.
    QCOMPARE(paceOf(RunData(), pace).example, 3.0);
    QCOMPARE(Pace::ofText(u"x;-1;nan;inf"_s).example, 0.0);
}

void PlanTimeTest::aKilledRunTellsNothingOfItsLastPhase() {
    RunUpdate update;
    update.take(entryAt(0, core::StateEvent{"saving", "", 0, 0}));
    update.take(entryAt(3000, core::StateEvent{"loading", "", 0, 0})); // resumed in the afternoon
    update.take(entryAt(3004, core::StateEvent{"training", "", 0, 0}));
    RunData data;
    data.apply(update);
    QVERIFY(!data.phaseSeconds.contains("saving"));
    QCOMPARE(data.phaseSeconds.at("loading"), 4.0);
}

void PlanTimeTest::theSleepOfTheMachineIsNoPartOfAPhase() {
    const auto sleptBefore = [](core::JournalEntry entry) {
        entry.sleptMs = 1'000'000;
        return entry;
    };
    const std::vector<core::JournalEntry> lines{
        entryAt(0, core::StateEvent{"saving", "checkpoint", 0, 0}),
        sleptBefore(entryAt(1008, core::CheckpointEvent{1, "/a"})),
        entryAt(1009, core::StateEvent{"sampling", "preview", 0, 0}),
        entryAt(1010, core::StateEvent{"training", "", 0, 0}),
        sleptBefore(entryAt(2100, core::StateEvent{"saving", "checkpoint", 0, 0})),
        entryAt(2102, core::OutcomeEvent{"done", {}, {}, 0, "", ""})};
    RunUpdate whole;
    RunData piecewise;
    for (const core::JournalEntry& line : lines) {
        whole.take(line);
        RunUpdate one;
        one.take(line);
        piecewise.apply(one);
    }
    RunData data;
    data.apply(whole);
    for (const RunData* run : {&data, &piecewise}) {
        QCOMPARE(run->sleptMs, int64_t{2'000'000});
        QCOMPARE(run->phaseSeconds.at("saving"), 11.0);
        QCOMPARE(run->phaseSeconds.at("sampling"), 1.0);
        QCOMPARE(run->phaseSeconds.at("training"), 90.0);
    }
}

void PlanTimeTest::theTimeBetweenTwoAttemptsIsNoLoading() {
    RunUpdate update;
    update.take(entryAt(0, core::StateEvent{"loading", "", 0, 0}));
    update.take(entryAt(1, core::StateEvent{"loading", "hash of the model", 0, 0}));
    // Here the power was cut.
    update.take(entryAt(3000, core::StateEvent{"loading", "", 0, 0}));
    update.take(entryAt(3001, core::StateEvent{"loading", "hash of the model", 0, 0}));
    update.take(entryAt(3004, core::StateEvent{"training", "", 0, 0}));
    RunData data;
    data.apply(update);
    QCOMPARE(data.phaseSeconds.at("loading"), 5.0);
    QCOMPARE(paceOf(data, {}).start, 5.0);
    RunData piecewise; // the window was there when it happened
    const std::vector<std::pair<int, const char*>> begun{{0, ""}, {1, "hash of the model"}, {3000, ""}};
    for (const auto& [second, detail] : begun) {
        RunUpdate one;
        one.take(entryAt(second, core::StateEvent{"loading", detail, 0, 0}));
        piecewise.apply(one);
    }
    QCOMPARE(piecewise.phaseSeconds.at("loading"), 1.0);
}

void PlanTimeTest::whatWasStoppedMadeNoMoreExamples() {
    RunUpdate update;
    update.take(entryAt(0, core::StateEvent{"class-images", "", 0, 8}));
    update.take(entryAt(12, core::StateEvent{"class-images", "", 4, 8}));
    update.take(entryAt(13, core::OutcomeEvent{"cancelled", {}, {}, 5, "", ""}));
    RunData data;
    data.apply(update);
    QCOMPARE(data.examplesMade, int64_t{4});
}

void PlanTimeTest::signsOfLifeWithinAGroupMakeNoExamplesSlower() {
    RunUpdate update;
    const std::vector<std::pair<int, int>> signs{{0, 0}, {10, 0}, {12, 4}, {22, 4}};
    for (const auto& [second, done] : signs)
        update.take(entryAt(second, core::StateEvent{"class-images", "", done, 8}));
    update.take(entryAt(23, core::OutcomeEvent{"cancelled", {}, {}, 5, "", ""}));
    RunData data;
    data.apply(update);
    QCOMPARE(data.examplesMade, int64_t{4});
    QCOMPARE(paceOf(data, {}).example, 3.0); // of the second group there is none
    update = {};
    update.take(entryAt(100, core::StateEvent{"loading", "", 0, 0}));
    update.take(entryAt(101, core::StateEvent{"class-images", "", 4, 8}));
    update.take(entryAt(113, core::StateEvent{"caching", "pictures", 0, 3}));
    data.apply(update);
    QCOMPARE(paceOf(data, {}).example, 3.0); // nor has what was lost made any of them slower
}

void PlanTimeTest::examplesThatTakeLongerThanPlannedAreCountedSo() {
    RunData data;
    data.apply(examplesBegin(config()));
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 2.0;
    add(data, 0, plan);
    const auto leftAfter = [&data](int seconds) {
        add(data, seconds, core::StateEvent{"class-images", "", 0, 100});
        return secondsLeftOf(data).value_or(0.0);
    };
    const double early = leftAfter(10);
    const double late = leftAfter(1200); // 300 s for each of the first four, of which none is there yet
    QVERIFY(late > early);
    QVERIFY(late > 96 * 300.0); // those after them take as long
    QVERIFY(leftAfter(2400) > late);
}

void PlanTimeTest::examplesThatAreStillToBeMadeTakeTime() {
    RunData data;
    data.apply(examplesBegin(config()));
    QVERIFY(!secondsLeftOf(data)); // nobody has said what anything takes
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 2.0;
    add(data, 0, plan);
    const double planned = secondsLeftOf(data).value_or(0.0);
    QVERIFY(planned > 1600.0 + 100.0 * 2.0); // the steps, and several for each picture
    core::TrainConfig inEight = config();
    inEight.optimizer.accumulationSteps = 8; // a step has that many pictures
    RunData eight;
    eight.apply(examplesBegin(inEight));
    add(eight, 0, plan);
    QVERIFY(secondsLeftOf(eight).value_or(0.0) < planned);
    add(data, 10, core::StateEvent{"class-images", "", 0, 100});
    QCOMPARE(secondsLeftOf(data).value_or(0.0), planned - 10.0); // within the first group, too
    add(data, 20, core::StateEvent{"class-images", "", 4, 100});
    const double example = (planned - 1600.0) / 116.0;          // with 16 previews, which are made alike
    const double steps = 1600.0 * 5.0 / example;                // it was all planned by one measurement
    const double previewsAndExamples = 8.0 * 2.0 * 5.0 + 480.0; // 96 of these
    QCOMPARE(secondsLeftOf(data).value_or(0.0), steps + previewsAndExamples);
    add(data, 27, core::StateEvent{"class-images", "", 4, 100});
    QCOMPARE(secondsLeftOf(data).value_or(0.0), steps + previewsAndExamples - 7.0);
    plan.predicted.deviceBytes = kGibi; // what a step fetches no picture does
    add(data, 27, plan);
    QCOMPARE(secondsLeftOf(data).value_or(0.0), 1600.0 + previewsAndExamples - 7.0);
}

void PlanTimeTest::whatIsStillToComeTakesTime() {
    core::TrainConfig config;
    config.steps = 40;
    config.output.previewEverySteps = 10;
    config.output.previewCount = 2;
    config.output.checkpointEverySteps = 20;
    RunUpdate update;
    update.config = config;
    update.take(entryAt(0, core::StateEvent{"training", "", 0, 0}));
    QVERIFY(!secondsLeftOf(RunData()));
    for (int step = 1; step <= 10; ++step)
        update.take(entryAt(step, core::StepEvent{step, 1, 0.5, 1e-4, 1.0, 1.0, {}, {}, {}, {}}));
    RunData data;
    data.apply(update);
    QCOMPARE(secondsLeftOf(data).value_or(0.0), 30.0); // nobody has seen yet what all else takes
    update = {};
    update.take(entryAt(10, core::StateEvent{"sampling", "preview", 0, 0}));
    update.take(entryAt(14, core::PreviewEvent{10, 0, "/a"}));
    update.take(entryAt(18, core::PreviewEvent{10, 1, "/b"}));
    update.take(entryAt(18, core::StateEvent{"training", "", 10, 40}));
    update.take(entryAt(18, core::StateEvent{"saving", "checkpoint", 0, 0})); // somebody asked for it
    update.take(entryAt(23, core::CheckpointEvent{10, "/c"}));
    update.take(entryAt(23, core::StateEvent{"training", "", 10, 40}));
    data.apply(update);
    QCOMPARE(secondsLeftOf(data).value_or(0.0), 30.0 + 3 * 2 * 4.0 + 2 * 5.0);
    update = {};
    config.steps = 45; // the last step is saved and previewed whatever the rhythm
    update.config = config;
    data.apply(update);
    QCOMPARE(secondsLeftOf(data).value_or(0.0), 35.0 + 4 * 2 * 4.0 + 3 * 5.0);
    update = {};
    config.steps = 10;
    update.config = config;
    data.apply(update);
    QCOMPARE(secondsLeftOf(data).value_or(-1.0), 0.0);
}

void PlanTimeTest::spansAreToldInOneUnit() {
    QCOMPARE(spanText({27 * 60.0, 31 * 60.0, 36 * 60.0}), u"31 min (27 to 36)"_s);
    QCOMPARE(spanText({40.0, 50.0, 70.0}), u"50 s (40 s to 1 min)"_s);
    QCOMPARE(spanText({120.0, 121.0, 122.0}), u"2 min"_s);
    constexpr double kHour = 3600.0;
    QCOMPARE(durationText(47 * kHour + 600.0), u"47 h 10 min"_s);
    QCOMPARE(durationText(48 * kHour), u"2 days"_s);
    QCOMPARE(durationText(282 * kHour + 300.0), u"11 days 18 h"_s);
    QCOMPARE(countText(9'999), u"9999"_s);
    QCOMPARE(countText(800'000), u"800,000"_s);
    QCOMPARE(memoryOfText(kGibi / 2, 2 * kGibi), u"512 MB of 2.0 GB"_s);
}

void PlanTimeTest::thePanelTellsThePartsOfTheTime() {
    const QStringList texts = textsOf(fits(), config(), {{1.0, 3.0, 5.0, 10.0, 20.0}, 0});
    QVERIFY2(texts.contains(u"21 min (19 to 22)"_s), qPrintable(texts.join('|')));
    QVERIFY2(texts.contains(u"800 step(s): 13 min\n100 example picture(s): 5 min\n16 preview(s): 1 min\n"
                            "saving, 4 time(s): 40 s"_s),
             qPrintable(texts.join('|')));
}

HOMEBOOTH_APP_TEST_MAIN(PlanTimeTest)
#include "tst_plan_time.moc"

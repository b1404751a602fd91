// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Before the start: how long each quality takes, what is done so that a training fits, and what several
// processes lack; long names leave all else in view. An engine of a few lines plans.
#include "app/engine/figures.h"
#include "app/engine/plans/plan_words.h"
#include "app/library/subject_book.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/shell/main_window.h"
#include "layout_checks.h"
#include "picture_fixture.h"
#include "train_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

class TrainFitTest : public TrainFormTest {
    Q_OBJECT
public:
    using TrainFormTest::TrainFormTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void aQualityTakesAllThatItsPlanTakes();
    void aPastRunTellsWhatAQualityTakes();
    void withoutATimeOfAStepThereAreSteps();
    void whatIsDoneToFitIsInView();
    void nothingIsListedWhereNothingWasDone();
    void whatIsNotAsItShouldBeIsSaidThoughItFits();
    void aSizeThatIsAdvisedAgainstIsTakenBackByAButton();
    void lighterWeightsThatAreProposedAreTakenByAButton();
    void eachOfSeveralProcessesLacksMemory();
    void newsOfModelsAskForNoOtherPlan();
    void aLongNameLeavesAllElseInView();
    void whatPicturesHoldIsGivenBackWhereMemoryIsShort();
    void whatOtherProgramsGaveBackIsNoticed();
    void whyItCannotSwapIsSaid_data();
    void whyItCannotSwapIsSaid();
};

namespace {

constexpr int64_t kGibi = int64_t{1} << 30;

/// Every plan fits; a step takes $STEP_SECONDS. What is asked is written into $ASKED. Pictures of 64 px are
/// said to be small; those of 192 px leave no room for whole weights.
constexpr const char* kPlans = R"sh(#!/bin/bash
if [ -n "$ASKED" ]; then echo "$1" >>"$ASKED"; fi
for word; do file="$word"; done
reasons='"decisions":[]'
if grep -q '"resolutionPixels": 64,' "$file" 2>/dev/null; then
    reasons='"decisions":["it was made for larger ones"],"reasons":[{"code":"small-pictures","facts":{}}]'
fi
if grep -q '"resolutionPixels": 192,' "$file" 2>/dev/null && ! grep -q '"int8"' "$file"; then
    facts='{"weightBytes":5,"wholeWeightBytes":10}'
    reasons='"decisions":["int8"],"reasons":[{"code":"weights-int8-proposed","facts":'"$facts"'}]'
fi
echo '{"predicted":{"ramBytes":1073741824,"stepSeconds":'"$STEP_SECONDS"'},'"$reasons"',"checkpointBytes":5}'
)sh";

/// Makes pictures, and holds memory for as long as it lives: so long, or while the file is there for another
/// reason, nothing else fits.
constexpr const char* kHolds = R"sh(#!/bin/bash
if [ "$1" = sample ]; then
    touch "$HOLDS"
    trap 'rm -f "$HOLDS"' EXIT
    while [ -e "$BLOCKED" ]; do sleep 0.05; done
elif [ -e "$HOLDS" ]; then
    echo "error: plan: this needs about 9 GiB of memory, and 2 GiB may be used" >&2
    exit 4
else
    echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5}'
    exit 0
fi
)sh";

/// Has too little memory without swapping; with it, $REFUSAL is in the way.
constexpr const char* kSwapsNot = R"sh(#!/bin/bash
for word; do file="$word"; done
if grep -q "fast disk" "$file"; then
    echo "error: plan: $REFUSAL" >&2
    exit "$REFUSAL_CODE"
fi
echo "error: plan: this needs about 9 GiB of memory, and 2 GiB may be used" >&2
exit 4
)sh";

/// Whether it says that it does not fit.
bool refuses(const TrainSetup& setup) {
    return shownTexts(setup).contains(u"Does not fit"_s);
}

PlanFacts fits(std::vector<core::PlanDecision> decisions) {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.ramBytes = kGibi;
    facts.plan.decisions = std::move(decisions);
    return facts;
}

/// Of the plan beside the form.
QString likelyTime(const TrainSetup& setup) {
    const RunOrder order = setup.order();
    PlanFacts facts;
    facts.plan = order.plan;
    facts.checkpointBytes = 5;
    return durationText(planTimeOf(facts, order.config, {}, 0).whole.likely);
}

} // namespace

void TrainFitTest::init() {
    QVERIFY(useEngine(m_place, kPlans));
    qputenv("STEP_SECONDS", "2.0");
    m_place.removeLibrary();
    beginAgain();
    addRobotAndModel();
}

void TrainFitTest::aQualityTakesAllThatItsPlanTakes() {
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    const QString steps = QString::number(setup.order().config.steps);
    // As the row Time says it, which counts examples, previews and saves.
    const QString quick = u"about %1, %2 steps, first look"_s.arg(likelyTime(setup), steps);
    QVERIFY2(shownTexts(setup).contains(quick), qPrintable(quick + '|' + shownTexts(setup).join('|')));
    QVERIFY(likelyTime(setup) != durationText(2.0 * double(setup.order().config.steps)));
    QCOMPARE(shownTexts(setup).filter(QRegularExpression(u"^about .* steps, closest$"_s)).size(), 1);
}

void TrainFitTest::aPastRunTellsWhatAQualityTakes() {
    core::TrainConfig config;
    {
        const TrainSetup setup(m_services->all());
        QTRY_VERIFY(setup.ready());
        config = setup.order().config;
    }
    const Pace pace{3.0, 1.0, 20.0, 10.0, 30.0};
    m_services->settings.set(paceKey(config).toLatin1().constData(), pace.toText()); // as a run leaves it
    const TrainSetup setup(m_services->all());
    const QString whole = durationText(planTimeOf({}, config, pace, 0).whole.likely);
    QTRY_VERIFY2(shownTexts(setup).contains(u"%1, first look"_s.arg(whole)),
                 qPrintable(shownTexts(setup).join('|')));
    QVERIFY(whole != durationText(pace.step * double(config.steps)));
    m_services->settings.reset(paceKey(config).toLatin1().constData());
}

void TrainFitTest::withoutATimeOfAStepThereAreSteps() {
    qputenv("STEP_SECONDS", "0");
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    const QString steps = QString::number(setup.order().config.steps);
    QVERIFY(shownTexts(setup).contains(u"%1 steps, first look"_s.arg(steps)));
    setup.findChild<ExpertForm*>()->setChange(u"steps"_s, u"40"_s);
    QCOMPARE(shownTexts(setup).count(u"40 steps, set by hand"_s), 3); // none is closer
}

void TrainFitTest::whatIsDoneToFitIsInView() {
    const PlanFacts facts = fits(
        {{"budget", "budget", {{"ramBytes", 9.0 * double(kGibi)}}},
         {"parameters", "parameters-partly-in-ram", {{"parameterBytes", 5.0}, {"streamedThroughBytes", 6.0}}},
         {"states", "states-on-disk", {{"stateBytes", 2.0 * double(kGibi)}}},
         {"activations",
          "activations",
          {{"blocks", 16.0}, {"wholeBlocks", 9.0}, {"productBlocks", 4.0}, {"recomputedBlocks", 3.0}}},
         {"values", "values-in-ram", {{"valueBytes", double(kGibi)}}},
         {"parameters", "parameters-in-ram-asked", {{"parameterBytes", 5.0}}}}); // nothing to do with room
    QCOMPARE(fitSentences(facts.plan), (QStringList{u"A part of the model waits in RAM"_s,
                                                    u"2.0 GB that the optimizer remembers lie on the disk"_s,
                                                    u"3 of 16 parts are computed twice"_s,
                                                    u"1.0 GB go to RAM and back in each step"_s}));
    PlanPanel panel;
    panel.setVisible(true);
    panel.show(facts, {}, m_place.path({}), {{1.0}, 0});
    QStringList seen;
    for (const auto* label : panel.findChildren<QLabel*>())
        if (label->isVisible()) seen.append(label->text());
    const QStringList list = seen.filter(u"To make it fit:"_s);
    QCOMPARE(list.size(), 1); // without unfolding anything
    QVERIFY2(list[0].contains(u"\u2022 3 of 16 parts are computed twice"_s), qPrintable(list[0]));
}

void TrainFitTest::whatIsNotAsItShouldBeIsSaidThoughItFits() {
    PlanPanel panel;
    panel.setVisible(true);
    const QString advice = u"The model was made for larger pictures"_s;
    panel.show(fits({{"SDXL was made for larger ones", "small-pictures"}}), {}, m_place.path({}));
    QCOMPARE(shownTexts(panel).filter(QRegularExpression(QLatin1Char('^') + advice)).size(), 1);
    panel.show(fits({}), {}, m_place.path({}));
    QVERIFY(shownTexts(panel).filter(advice).isEmpty());
}

void TrainFitTest::aSizeThatIsAdvisedAgainstIsTakenBackByAButton() {
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    const int64_t usual = setup.order().config.data.resolutionPixels;
    const QString label = u"Use %1 px"_s.arg(usual);
    auto* form = setup.findChild<ExpertForm*>();
    form->setChange(u"data.resolutionPixels"_s, u"64"_s);
    QTRY_VERIFY(buttonNamed(setup, label) != nullptr);
    QVERIFY(setup.ready()); // it is advice
    buttonNamed(setup, label)->click();
    QVERIFY(form->allChanges().isEmpty());
    QTRY_VERIFY(setup.ready() && buttonNamed(setup, label) == nullptr);
    QCOMPARE(setup.order().config.data.resolutionPixels, usual);
}

void TrainFitTest::lighterWeightsThatAreProposedAreTakenByAButton() {
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    const QString label = u"Keep the model's weights in 8 bits"_s;
    auto* form = setup.findChild<ExpertForm*>();
    for (auto* one : setup.findChildren<QAbstractButton*>())
        if (one->text().contains(u"LoRA"_s)) one->click();
    form->setChange(u"data.resolutionPixels"_s, u"192"_s);
    QTRY_VERIFY(buttonNamed(setup, label) != nullptr);
    QVERIFY(setup.ready());
    buttonNamed(setup, label)->click();
    QCOMPARE(form->allChanges().value(u"quantization"_s), u"int8"_s);
    QTRY_VERIFY(setup.ready() && buttonNamed(setup, label) == nullptr);
}

void TrainFitTest::nothingIsListedWhereNothingWasDone() {
    const PlanFacts facts =
        fits({{"parameters", "parameters-stay", {{"parameterBytes", 5.0}}},
              {"states", "states-stay", {{"stateBytes", 5.0}}},
              {"activations",
               "activations",
               {{"blocks", 16.0}, {"wholeBlocks", 9.0}, {"productBlocks", 7.0}, {"recomputedBlocks", 0.0}}}});
    QVERIFY(fitSentences(facts.plan).isEmpty());
    const core::PlanDecision asked{
        "activations",
        "activations-asked",
        {{"blocks", 16.0}, {"wholeBlocks", 0.0}, {"productBlocks", 7.0}, {"recomputedBlocks", 9.0}}};
    QVERIFY(fitSentences(fits({asked}).plan).isEmpty()); // whoever shares the model asked for it
    QVERIFY2(planSentence(asked).contains(u"9 are computed twice"_s), qPrintable(planSentence(asked)));
    core::PlanDecision swap{"swap", "swap", {{"heldBytes", 1e9}, {"stepBytes", 1e9}, {"stepReadBytes", 1e9}}};
    QVERIFY2(!planSentence(swap).contains(u"processes"_s), qPrintable(planSentence(swap)));
    swap.facts["processes"] = 2.0;
    QVERIFY2(planSentence(swap).contains(u"each of 2 processes"_s), qPrintable(planSentence(swap)));
    PlanPanel panel;
    panel.show(fits({{"values", "values-in-ram", {{"valueBytes", 1.0}}}}), {}, m_place.path({}), {{1.0}, 0});
    QCOMPARE(shownTexts(panel).filter(u"To make it fit:"_s).size(), 1);
    panel.show(facts, {}, m_place.path({}), {{1.0}, 0});
    QVERIFY(shownTexts(panel).filter(u"To make it fit:"_s).isEmpty());
}

void TrainFitTest::eachOfSeveralProcessesLacksMemory() {
    const QString problem = u"this needs about 3 GiB of memory, and 2 GiB may be used"_s;
    const PlanFacts facts = planFactsOf(static_cast<int>(core::ErrorCode::OutOfResources), {}, problem);
    core::TrainConfig config;
    PlanPanel panel;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY(shownTexts(panel).contains(
        u"It needs 3.0 GB of memory, and it may use 2.0 GB. Nothing was started."_s));
    config.parallel.processes = 4; // among which all that there is was divided
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY(shownTexts(panel).contains(
        u"Each of 4 processes needs 3.0 GB of memory, and it may use 2.0 GB. Nothing was started."_s));
}

void TrainFitTest::aLongNameLeavesAllElseInView() {
    SubjectBook& book = m_services->subjects;
    const QString photo = writeTestPicture(m_place.path("rex.png"), 2, {64, 64});
    const int64_t first = book.addFromPhotos({photo}, u"Rex "_s.repeated(40).trimmed());
    core::Subject twin = *book.find(book.addFromPhotos({photo}, u"Rex"_s.repeated(40)));
    twin.triggerWord = book.find(first)->triggerWord; // which is told with a remedy
    book.change(twin, u"say"_s);
    TrainSetup setup(m_services->all());
    setup.setSubject(first);
    setup.addSubject(twin.id);
    setup.resize(900, 700);
    setup.show();
    const auto cut = [&setup] {
        for (const auto* widget : setup.findChild<LearnChoice*>()->findChildren<QWidget*>())
            if (widget->isVisible() && (leavesItsParent(widget) || !cutOff(widget).isEmpty()))
                return nameOf(widget, cutOff(widget));
        return cutOff(setup.findChild<QScrollArea*>()); // which holds the form
    };
    QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
}

void TrainFitTest::newsOfModelsAskForNoOtherPlan() {
    constexpr int kLongMs = 700; // more than a question waits until it is asked
    const QString asked = m_place.path("asked");
    qputenv("ASKED", asked.toUtf8());
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(setup.ready());
    QTest::qWait(kLongMs);
    QTRY_VERIFY(openQuestions() == 0 && setup.ready());
    const QByteArray before = bytesOf(asked);
    QSignalSpy changed(&m_services->models, &ModelShelf::changed);
    m_services->models.refresh(); // as every phase of a training brings it about
    QTRY_VERIFY(!changed.isEmpty() && m_services->models.settled());
    QVERIFY(setup.ready());
    QTest::qWait(kLongMs);
    QTRY_COMPARE(openQuestions(), 0);
    QCOMPARE(bytesOf(asked), before);
    Q_EMIT m_services->runs.finished(QString()); // what the training held is free
    QTRY_VERIFY(bytesOf(asked).size() > before.size());
    QTRY_VERIFY(setup.ready());
    qunsetenv("ASKED");
}

void TrainFitTest::whatPicturesHoldIsGivenBackWhereMemoryIsShort() {
    QVERIFY(useEngine(m_place, QByteArray(kHolds) + kPictureEngine));
    const QString holds = m_place.path("holds");
    const QString blocked = m_place.path("blocked");
    qputenv("HOLDS", holds.toUtf8());
    qputenv("BLOCKED", blocked.toUtf8());
    qputenv("PICTURE", writeTestPicture(m_place.path("made.png"), 1, {64, 64}).toUtf8());
    Generator& generator = m_services->generator;
    generator.make(pictureOrder(m_place, 1), 1);
    QTRY_VERIFY(!generator.busy() && !generator.free()); // it waits for more
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(refuses(setup));
    QVERIFY(!generator.free()); // nobody looks at the form
    setup.show();
    QTRY_VERIFY(setup.ready());
    QVERIFY(generator.free());
    writeBytes(blocked, {}); // so that the form asks while pictures are made
    generator.make(pictureOrder(m_place, 1), 2);
    QTRY_VERIFY(QFile::exists(holds));
    Q_EMIT m_services->runs.finished(QString());
    QTRY_VERIFY(refuses(setup));
    QVERIFY(generator.busy());
    QVERIFY(QFile::remove(blocked));
    QTRY_VERIFY(setup.ready()); // once they are made
    QVERIFY(generator.free());
}

void TrainFitTest::whatOtherProgramsGaveBackIsNoticed() {
    QVERIFY(useEngine(m_place, kHolds));
    const QString held = m_place.path("held");
    qputenv("HOLDS", held.toUtf8());
    MainWindow window(m_services->all());
    window.show();
    const auto* setup = window.findChild<TrainSetup*>();
    for (const bool byPage : {true, false}) {
        writeBytes(held, {});
        window.showPage(PageId::Train);
        Q_EMIT m_services->runs.finished(QString());
        QTRY_VERIFY(refuses(*setup));
        QVERIFY(QFile::remove(held));
        if (byPage) window.showPage(PageId::Gallery);
        QVERIFY(!setup->ready());
        QEvent back(QEvent::WindowActivate);
        if (byPage)
            window.showPage(PageId::Train);
        else
            QCoreApplication::sendEvent(&window, &back);
        QTRY_VERIFY(setup->ready());
    }
}

void TrainFitTest::whyItCannotSwapIsSaid_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("refusal");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("offer");
    QTest::newRow("limit") << QByteArray("4")
                           << QByteArray("what does not lie in memory needs 24.0 GiB for swapping, and 20.0 "
                                         "GiB are allowed; allow more (--swap-size)")
                           << u"24.0 GB in the swap folder, and it may use 20.0 GB."_s
                           << u"Raise the limit of swapping"_s;
    QTest::newRow("no folder") << QByteArray("3")
                               << QByteArray("--swap: expected a folder for swapping, found none; make it")
                               << u"the swap folder is not there"_s << u"Other folder"_s;
    QTest::newRow("full disk") << QByteArray("4")
                               << QByteArray("what does not lie in memory needs 20 GiB for swapping, and 5 "
                                             "GiB are free; free some space")
                               << u"It needs 21.5 GB on the disk, and 5.4 GB are free."_s << u"Free room"_s;
    QTest::newRow("memory") << QByteArray("4")
                            << QByteArray("this needs about 7 GiB of memory, and 1 GiB may be used")
                            << u"It needs 9.0 GB of memory, and it may use 2.0 GB."_s << QString();
}

void TrainFitTest::whyItCannotSwapIsSaid() {
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, refusal);
    QFETCH(QString, said);
    QFETCH(QString, offer);
    QVERIFY(useEngine(m_place, kSwapsNot));
    qputenv("REFUSAL_CODE", code);
    qputenv("REFUSAL", refusal);
    m_services->settings.set(keys::kSwap, m_place.path("fast disk"));
    TrainSetup setup(m_services->all());
    QTRY_COMPARE(shownTexts(setup).filter(said).size(), 1);
    QVERIFY(!setup.ready());
    if (!offer.isEmpty()) QTRY_VERIFY(buttonNamed(setup, offer) != nullptr);
    m_services->settings.reset(keys::kSwap);
}

HOMEBOOTH_APP_TEST_MAIN(TrainFitTest)
#include "tst_train_fit.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Graphics cards to choose from before a training: what is known of each, and what choosing them brings
// along. The cards are names, and what the engine says of them is a file.
#include "app/engine/gpu_answer.h"
#include "app/engine/gpu_watch.h"
#include "app/engine/runs/run_cards.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/gpu_choice.h"
#include "app/pages/train/setup/train_setup.h"
#include "core/base/config/parallel_check.h"
#include "train_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>

using namespace homebooth;
using namespace homebooth::app;

class GpuChoiceTest : public TrainFormTest {
    Q_OBJECT
public:
    using TrainFormTest::TrainFormTest;
private Q_SLOTS:
    void init() {
        beginAgain();
        qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first;GPU-2=The second");
        for (const char* name : {"CALLS", "OLD", "REPORT", "PLANNED"}) {
            const QString file = m_place.path(QString::fromLatin1(name).toLower());
            QFile::remove(file);
            qputenv(name, file.toUtf8());
        }
    }
    void cleanup() { end(); }
    void theReportSaysWhatThereIs();
    void figuresComeFromTheReport();
    void aReportWithoutIdsHasTheSameOrder();
    void oneCardIsNoChoice();
    void figuresAreRenewedWhileSomebodySeesThem();
    void anOlderEngineIsAskedOnce();
    void nothingIsAskedForOneCard();
    void twoOrMoreAreOffered();
    void theChosenOnesTrainTogether();
    void oneAtLeastStaysChecked();
    void newFiguresLeaveTheChoiceAlone();
    void aCardThatIsGoneIsChosenNoMore();
    void tabComesToTheBoxesBeforeTheirDefault();
    void theQueueCountsThemFromZero();
    void aTrainingOnTwoIsOrderedInTheForm();
    void chosenCardsComeBackBehindAClosedFold();

private:
    [[nodiscard]] qsizetype calls() const {
        const QByteArray text = bytesOf(m_place.path("calls"));
        return text == "nothing" ? 0 : text.count('\n');
    }
    void report(const QByteArray& text) const { writeBytes(m_place.path("report"), text); }
};

namespace {

constexpr int64_t kGibi = int64_t{1} << 30;
const std::vector<core::JobSlot> kTwo{{"GPU-1", "The first"}, {"GPU-2", "The second"}};

/// Answers with files; every plan fits, in 1 GiB of a card.
constexpr const char* kAnswers = R"sh(#!/bin/bash
echo "$*" >>"$CALLS"
if [ "$1" = doctor ]; then
    case "$*" in *--gpus-only*) [ -e "$OLD" ] && exit 2 ;; esac
    cat "$REPORT" 2>/dev/null
    exit 0
fi
for word; do file="$word"; done
[ "$1" = plan ] && cp "$file" "$PLANNED"
echo '{"predicted":{"deviceBytes":1073741824,"ramBytes":536870912},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29}'
)sh";

/// Both cards, the second one first, as no report has them.
QByteArray reportOf(int warmth) {
    return R"({"gpu":{"state":"ready","devices":[
        {"name":"The second","uuid":"GPU-2","totalBytes":4294967296,"computeCapability":"8.6"},
        {"name":"The first","uuid":"GPU-1","totalBytes":8589934592,"computeCapability":"8.9",
         "freeBytes":6442450944,"temperatureCelsius":)" +
           QByteArray::number(warmth) + "}]}}";
}

std::vector<GpuCard> twoCards() {
    return gpuCardsOf(kTwo, reportOf(61));
}

QList<QCheckBox*> boxesOf(const QWidget& root) {
    return root.findChildren<QCheckBox*>();
}

QComboBox* sharedOf(const ExpertForm& form) {
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Shared among them")) return box;
    return nullptr;
}

const QString kCards = QString::fromLatin1(kCardsPath);
const QString kBoth = u"GPU-1,GPU-2"_s;

} // namespace

void GpuChoiceTest::theReportSaysWhatThereIs() {
    const auto facts = gpuFactsOf(reportOf(61));
    QVERIFY(facts && facts->state == core::GpuState::Ready);
    QCOMPARE(facts->devices.size(), size_t{2});
    const core::GpuDevice& second = facts->devices.front();
    QCOMPARE(second.name, "The second");
    QCOMPARE(second.uuid, "GPU-2");
    QCOMPARE(second.totalBytes, 4 * kGibi);
    QCOMPARE(10 * second.computeMajor + second.computeMinor, 86);
    const std::vector<core::JobSlot> places{{"GPU-2", "The second"}, {"GPU-1", "The first"}};
    QVERIFY(slotsOfGpus(facts->devices) == places);
    std::vector<core::GpuDevice> nameless = facts->devices;
    nameless.back().uuid.clear(); // which cannot be kept apart from the other
    QVERIFY(slotsOfGpus(nameless) == std::vector<core::JobSlot>(1));
    QVERIFY(slotsOfGpus({}) == std::vector<core::JobSlot>(1));
    const auto none = gpuFactsOf(R"({"gpu":{"state":"no driver","devices":[]}})");
    QVERIFY(none && none->state == core::GpuState::NoDriver && none->devices.empty());
    QVERIFY(!gpuFactsOf(R"({"gpu":{"state":"of another time"}})"));
    QVERIFY(!gpuFactsOf("no report"));
}

void GpuChoiceTest::figuresComeFromTheReport() {
    const std::vector<GpuCard> cards = twoCards();
    QCOMPARE(cards.size(), size_t{2});
    QCOMPARE(cards[0].id, u"GPU-1"_s);
    QCOMPARE(cards[0].name, u"The first"_s);
    QCOMPARE(cards[0].totalBytes, 8 * kGibi);
    QCOMPARE(cards[0].freeBytes, 6 * kGibi);
    QVERIFY(cards[0].temperatureCelsius == 61);
    QCOMPARE(cards[1].totalBytes, 4 * kGibi);
    QCOMPARE(cards[1].freeBytes, int64_t{-1}); // nobody says it
    QVERIFY(!cards[1].temperatureCelsius);
    const std::vector<GpuCard> unknown = gpuCardsOf(kTwo, "no report");
    QCOMPARE(unknown.size(), size_t{2});
    QCOMPARE(unknown[1].name, u"The second"_s);
    QCOMPARE(unknown[1].totalBytes, int64_t{0});
}

void GpuChoiceTest::aReportWithoutIdsHasTheSameOrder() {
    const QByteArray text = R"({"gpu":{"devices":[
        {"name":"Too old","totalBytes":1073741824,"computeCapability":"6.1"},
        {"name":"The first","totalBytes":8589934592,"computeCapability":"8.9"},
        {"name":"The second","totalBytes":4294967296,"computeCapability":"8.6"}]}})";
    const std::vector<GpuCard> cards = gpuCardsOf(kTwo, text);
    QCOMPARE(cards[0].totalBytes, 8 * kGibi);
    QCOMPARE(cards[1].totalBytes, 4 * kGibi);
}

void GpuChoiceTest::oneCardIsNoChoice() {
    QVERIFY(gpuCardsOf({kTwo.front()}, reportOf(61)).empty());
    QVERIFY(gpuCardsOf({}, reportOf(61)).empty());
}

void GpuChoiceTest::figuresAreRenewedWhileSomebodySeesThem() {
    QVERIFY(useEngine(m_place, kAnswers));
    report(reportOf(61));
    bool seen = true;
    GpuWatch watch(
        m_services->gpus, [&seen] { return seen; }, nullptr, /*pauseMs=*/50);
    watch.watch();
    const auto warmth = [&watch] {
        return watch.cards().empty() ? 0 : watch.cards().front().temperatureCelsius.value_or(0);
    };
    QTRY_COMPARE(warmth(), 61);
    report(reportOf(74));
    QTRY_COMPARE(warmth(), 74);
    QCOMPARE(bytesOf(m_place.path("calls")).left(28), QByteArray("doctor --json --gpus-only\ndo"));
    seen = false;
    QTest::qWait(500);
    QTRY_COMPARE(openQuestions(), 0); // one may have been under way
    const qsizetype before = calls();
    QTest::qWait(300);
    QCOMPARE(calls(), before);
}

void GpuChoiceTest::anOlderEngineIsAskedOnce() {
    QVERIFY(useEngine(m_place, kAnswers));
    report(reportOf(61));
    writeBytes(m_place.path("old"), "yes");
    GpuWatch watch(
        m_services->gpus, [] { return true; }, nullptr, /*pauseMs=*/50);
    watch.watch();
    QTRY_VERIFY(!watch.cards().empty() && watch.cards().front().totalBytes == 8 * kGibi);
    QTest::qWait(300); // its answer takes longer, and writes to the disk
    QTRY_COMPARE(openQuestions(), 0);
    QCOMPARE(bytesOf(m_place.path("calls")), QByteArray("doctor --json --gpus-only\ndoctor --json\n"));
}

void GpuChoiceTest::nothingIsAskedForOneCard() {
    qputenv("HOMEBOOTH_SLOTS", "GPU-1=The only one");
    QVERIFY(useEngine(m_place, kAnswers));
    GpuWatch watch(
        m_services->gpus, [] { return true; }, nullptr, /*pauseMs=*/50);
    watch.watch();
    QTest::qWait(300);
    QVERIFY(watch.cards().empty());
    QCOMPARE(calls(), qsizetype{0});
}

void GpuChoiceTest::twoOrMoreAreOffered() {
    ExpertForm form;
    form.offerProcesses(true);
    form.setDefaults({});
    const auto* choice = form.findChild<GpuChoice*>();
    QLineEdit* processes = fieldNamed(form, u"Processes"_s);
    QVERIFY(choice->isHidden() && !processes->isHidden());
    QVERIFY(form.offerCards(twoCards()));
    form.setDefaults({});
    QVERIFY(!choice->isHidden());
    QVERIFY(processes->isHidden()); // each card has one
    QVERIFY(sharedOf(form)->isHidden());
    const QStringList shown = shownTexts(form);
    QVERIFY(shown.contains(u"GPUs that train together, 1 to 2, default 1"_s));
    QVERIFY(shown.contains(u"6.0 of 8.0 GB free, 61 \u00b0C"_s));
    QVERIFY(shown.contains(u"4.0 GB"_s)); // all that is known
    const QList<QCheckBox*> boxes = boxesOf(form);
    QCOMPARE(boxes.size(), 2);
    QCOMPARE(boxes[0]->text(), u"GPU 0"_s);
    QCOMPARE(boxes[0]->accessibleName(), u"GPU 0, The first, 6.0 of 8.0 GB free, 61 \u00b0C"_s);
    QVERIFY(boxes[0]->isChecked() && !boxes[1]->isChecked());
    QVERIFY(!boxes[1]->toolTip().isEmpty());
    QVERIFY(form.changes().isEmpty());
}

void GpuChoiceTest::theChosenOnesTrainTogether() {
    ExpertForm form;
    form.offerCards(twoCards());
    form.setDefaults({});
    const QList<QCheckBox*> boxes = boxesOf(form);
    QSignalSpy changed(&form, &ExpertForm::changed);
    boxes[1]->click();
    QCOMPARE(changed.size(), 1);
    form.setDefaults({});
    QCOMPARE(form.changes(), (QMap<QString, QString>{{kCards, kBoth}}));
    QVERIFY(!sharedOf(form)->isHidden());
    boxes[0]->click(); // the second alone
    form.setDefaults({});
    QCOMPARE(form.changes(), (QMap<QString, QString>{{kCards, u"GPU-2"_s}}));
    QVERIFY(sharedOf(form)->isHidden());
    for (auto* reset : form.findChildren<QToolButton*>())
        if (reset->accessibleName() == QLatin1String("Default of Graphics cards")) reset->click();
    QVERIFY(boxes[0]->isChecked() && !boxes[1]->isChecked());
    QVERIFY(form.changes().isEmpty());
}

void GpuChoiceTest::oneAtLeastStaysChecked() {
    GpuChoice choice;
    choice.setCards(twoCards());
    QSignalSpy changed(&choice, &GpuChoice::changed);
    boxesOf(choice)[0]->click();
    QVERIFY(boxesOf(choice)[0]->isChecked());
    QVERIFY(changed.isEmpty());
    QVERIFY(choice.chosen().isEmpty()); // the default
}

void GpuChoiceTest::newFiguresLeaveTheChoiceAlone() {
    ExpertForm form;
    form.offerCards(twoCards());
    form.setDefaults({});
    const QList<QCheckBox*> boxes = boxesOf(form);
    boxes[1]->click();
    QVERIFY(!form.offerCards(gpuCardsOf(kTwo, reportOf(74)))); // nothing is to be planned anew
    QCOMPARE(boxesOf(form), boxes);
    QVERIFY(boxes[0]->isChecked() && boxes[1]->isChecked());
    QVERIFY(shownTexts(form).contains(u"6.0 of 8.0 GB free, 74 \u00b0C"_s));
}

void GpuChoiceTest::aCardThatIsGoneIsChosenNoMore() {
    ExpertForm form;
    form.offerCards(twoCards());
    form.setChange(kCards, kBoth);
    std::vector<GpuCard> others = twoCards();
    others[0].id = u"GPU-3"_s;
    QVERIFY(form.offerCards(others));
    form.setDefaults({});
    QCOMPARE(form.changes().value(kCards), u"GPU-2"_s);
    others[1].id = u"GPU-4"_s;
    form.offerCards(others);
    form.setDefaults({});
    QVERIFY(form.changes().isEmpty());
    form.setChange(kCards, u"GPU-4"_s);
    form.offerCards({});
    form.setDefaults({});
    QVERIFY(form.findChild<GpuChoice*>()->isHidden());
    QVERIFY(form.changes().isEmpty());
}

void GpuChoiceTest::tabComesToTheBoxesBeforeTheirDefault() {
    ExpertForm form;
    form.offerCards(twoCards());
    form.setDefaults({});
    const auto after = [](const QWidget* widget) {
        const QWidget* next = widget->nextInFocusChain();
        while (next != widget && next->focusPolicy() == Qt::NoFocus) next = next->nextInFocusChain();
        return next;
    };
    const QList<QCheckBox*> boxes = boxesOf(form);
    QCOMPARE(after(boxes[0]), boxes[1]);
    QCOMPARE(after(boxes[1])->accessibleName(), u"Default of Graphics cards"_s);
}

void GpuChoiceTest::theQueueCountsThemFromZero() {
    QCOMPARE(cardsText({0}), u"GPU 0"_s);
    QCOMPARE(cardsText({0, 1}), u"GPU 0 and 1"_s);
    QCOMPARE(cardsText({0, 1, 3}), u"GPU 0, 1 and 3"_s);
    QCOMPARE(cardsOfText(u" GPU-1, GPU-2,,GPU-1"_s), (QStringList{u"GPU-1"_s, u"GPU-2"_s}));
    QVERIFY(cardsOfText({}).isEmpty());
}

void GpuChoiceTest::aTrainingOnTwoIsOrderedInTheForm() {
    QVERIFY(engineTakesCards());
    QVERIFY(useEngine(m_place, kAnswers));
    report(reportOf(61));
    m_services->settings.set(keys::kGpuMemory, 6);
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    auto* form = setup.findChild<ExpertForm*>();
    if (form->isHidden()) setup.toggleExpert();
    QTRY_COMPARE(boxesOf(*form).size(), 2); // the computer was looked at
    QTRY_VERIFY(!form->findChild<GpuChoice*>()->isHidden());
    const int64_t before = setup.order().config.batchSize;
    boxesOf(*form)[1]->click();
    if (before % 2 != 0) buttonNamed(*form, u"Learn %1 pictures at a time"_s.arg(before + 1))->click();
    QTRY_VERIFY(setup.ready());
    const core::TrainConfig config = setup.order().config;
    QCOMPARE(config.parallel.processes, int64_t{2});
    QCOMPARE(cardsOf(config), (QStringList{u"GPU-1"_s, u"GPU-2"_s}));
    QVERIFY(config.memory.deviceBytes > 0); // the limit is each card's
    const auto fine = core::checkParallel(config);
    QVERIFY2(fine, fine ? "" : fine.error().text().c_str());
    const QByteArray planned = bytesOf(m_place.path("planned"));
    QVERIFY2(planned.contains("GPU-1") && planned.contains("GPU-2"), planned.constData());
    QCOMPARE(shownTexts(setup).filter(u"each of 2 cards"_s).size(), 1);
    m_services->settings.reset(keys::kGpuMemory);
    setup.toggleExpert(); // the fold is remembered
}

void GpuChoiceTest::chosenCardsComeBackBehindAClosedFold() {
    QVERIFY(engineTakesCards());
    QVERIFY(useEngine(m_place, kAnswers));
    report(reportOf(61));
    addRobotAndModel();
    {
        TrainSetup setup(m_services->all());
        auto* form = setup.findChild<ExpertForm*>();
        if (form->isHidden()) setup.toggleExpert();
        QTRY_COMPARE(boxesOf(*form).size(), 2);
        QTRY_VERIFY(!form->findChild<GpuChoice*>()->isHidden());
        boxesOf(*form)[1]->click();
        QCOMPARE(setup.order().config.parallel.processes, int64_t{2});
        setup.toggleExpert();
    }
    const TrainSetup setup(m_services->all());
    QVERIFY(setup.findChild<ExpertForm*>()->isHidden());
    QCOMPARE(setup.order().config.parallel.processes, int64_t{2});
    QCOMPARE(cardsOf(setup.order().config), (QStringList{u"GPU-1"_s, u"GPU-2"_s}));
}

HOMEBOOTH_APP_TEST_MAIN(GpuChoiceTest)
#include "tst_gpu_choice.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One training in several processes or on several graphics cards, as the window has it: settings of theirs,
// what does not go with them, and their plan.
#include "app/engine/plans/plan_savings.h"
#include "app/engine/plans/setting_clashes.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_cards.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "core/base/config/parallel_check.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/gpu_facts.h"
#include "queue_fixture.h"

#include <QComboBox>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class ProcessesTest : public QueueFixture {
    Q_OBJECT
public:
    explicit ProcessesTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void init() {
        useFakeEngine();
        beginAgain();
    }
    void cleanup() { m_services.reset(); }
    void theirSettingsAreOfferedWhereTheyAreOfUse();
    void thereAreNoMoreThanCores();
    void whatTheyCannotDoIsMended_data();
    void whatTheyCannotDoIsMended();
    void aModelThatWaitsInRamIsShared();
    void theyComputeOnProcessors();
    void memoryIsSavedAmongThemFirst();
    void aTrainingOfTwoIsOrderedInTheForm();
    void thePlanNamesAllAndEach();
    void eachCardHasAProcess();
    void whatCardsCannotShareIsMended();
    void theModelIsSharedAmongCardsFirst();
    void thePlanSaysWhatEachCardNeeds();
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;

/// Every plan fits, in 1 GiB.
constexpr const char* kPlans = R"sh(#!/bin/bash
echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29}'
)sh";

QComboBox* choiceNamed(const QWidget& root, const char* name) {
    for (auto* box : root.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return nullptr;
}

/// Whether this computer's window offers it.
bool couldTrainInSeveral() {
    const core::GpuState gpu = core::gpuFacts().state;
    const bool none = gpu == core::GpuState::NoDriver || gpu == core::GpuState::NoDevice;
    return none && core::usableThreads() > 1;
}

TrainingChoice photoChoice() {
    TrainingChoice choice;
    choice.model = u"/models/sketch"_s;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.photoFolder = u"/photos"_s;
    return choice;
}

const QString kCards = QString::fromLatin1(kCardsPath);
const QString kBoth = u"GPU-1,GPU-2"_s;

TrainingChoice cardChoice(const QMap<QString, QString>& expert) {
    TrainingChoice choice = photoChoice();
    choice.expert = expert;
    return choice;
}

} // namespace

void ProcessesTest::theirSettingsAreOfferedWhereTheyAreOfUse() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* processes = fieldNamed(form, u"Processes"_s);
    QComboBox* shared = choiceNamed(form, "Shared among them");
    QVERIFY(processes != nullptr && shared != nullptr);
    QVERIFY(processes->isHidden() && shared->isHidden()); // nothing is known of the computer
    form.offerProcesses(true);
    form.setDefaults({});
    QVERIFY(!processes->isHidden());
    QVERIFY(shared->isHidden()); // one alone shares nothing
    form.setChange(u"parallel.processes"_s, u"2"_s);
    form.setDefaults({});
    QVERIFY(!shared->isHidden());
    QStringList words;
    QStringList terms;
    for (int row = 0; row < shared->count(); ++row) {
        words.append(shared->itemText(row));
        terms.append(shared->itemData(row, Qt::ToolTipRole).toString());
    }
    QCOMPARE(words, (QStringList{u"nothing"_s, u"all but the model"_s, u"also the model"_s}));
    QCOMPARE(terms, (QStringList{u"ZeRO 0"_s, u"ZeRO 2"_s, u"ZeRO 3"_s}));
    QCOMPARE(shared->currentText(), u"nothing"_s);
    shared->setCurrentIndex(2);
    QCOMPARE(form.changes().value(u"parallel.zero"_s), u"3"_s);
    processes->setText(u"1"_s);
    Q_EMIT processes->editingFinished();
    form.setDefaults({});
    QVERIFY(shared->isHidden());
    QVERIFY(form.changes().isEmpty()); // what was shared would count for nothing
}

void ProcessesTest::thereAreNoMoreThanCores() {
    ExpertForm form;
    form.offerProcesses(true);
    form.setDefaults({});
    const int64_t most = std::clamp<int64_t>(core::usableThreads(), 2, 256);
    QLineEdit* processes = fieldNamed(form, u"Processes"_s);
    const QString range = u"1 to %1"_s.arg(most);
    QCOMPARE(shownTexts(form).filter(u"that train together, %1"_s.arg(range)).size(), 1);
    processes->setText(QString::number(most + 1));
    Q_EMIT processes->editingFinished();
    QVERIFY(form.refuses());
    QVERIFY(!shownTexts(form).filter(u"Give a whole number from %1"_s.arg(range)).isEmpty());
    buttonNamed(form, u"Use %1"_s.arg(most))->click();
    QVERIFY(!form.refuses());
    QCOMPARE(form.changes().value(u"parallel.processes"_s), QString::number(most));
}

void ProcessesTest::whatTheyCannotDoIsMended_data() {
    using Values = QMap<QString, QString>;
    QTest::addColumn<Values>("values");
    QTest::addColumn<QString>("path");
    const QString processes = u"parallel.processes"_s;
    const QString shared = u"parallel.zero"_s;
    QTest::newRow("pictures that cannot be shared equally")
        << Values{{processes, u"2"_s}} << processes; // three at a time
    QTest::newRow("adafactor") << Values{{processes, u"3"_s},
                                         {shared, u"2"_s},
                                         {u"optimizer.kind"_s, u"adafactor"_s}}
                               << shared;
}

void ProcessesTest::whatTheyCannotDoIsMended() {
    using Values = QMap<QString, QString>;
    QFETCH(Values, values);
    QFETCH(QString, path);
    TrainingChoice choice = photoChoice();
    choice.expert = values;
    const core::TrainConfig config = trainConfigOf(choice);
    QVERIFY(!core::checkParallel(config)); // as the engine has it
    const std::vector<SettingClash> clashes = settingClashes(config, 8);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, path);
    QVERIFY(!clashes[0].reason.contains('%'));
    const core::TrainConfig mended = trainConfigOf(clashes[0].remedy.applied(choice));
    const auto fine = core::checkParallel(mended);
    QVERIFY2(fine, fine ? "" : fine.error().text().c_str());
    QVERIFY(settingClashes(mended, 8).empty());
    QCOMPARE(mended.parallel.processes, config.parallel.processes); // still what was wanted
}

void ProcessesTest::aModelThatWaitsInRamIsShared() {
    TrainingChoice choice = photoChoice();
    choice.expert = {
        {u"parallel.processes"_s, u"3"_s}, {u"parallel.zero"_s, u"3"_s}, {u"memory.policy"_s, u"cpu"_s}};
    core::TrainConfig config = trainConfigOf(choice);
    QVERIFY(config.parallel.spreadsParameters());
    QVERIFY(settingClashes(config, 8).empty());
    config.memory.swapDir = "/somewhere";
    const auto fine = core::checkParallel(config);
    QVERIFY2(fine, fine ? "" : fine.error().text().c_str());
}

void ProcessesTest::theyComputeOnProcessors() {
    TrainingChoice choice = photoChoice();
    const core::TrainConfig alone = trainConfigOf(choice);
    QCOMPARE(alone.memory.device, core::ComputeDevice::Auto);
    choice.expert = {{u"parallel.zero"_s, u"3"_s}};
    QCOMPARE(trainConfigOf(choice).parallel.zero, int64_t{0}); // one has nobody to share with
    choice.expert.insert(u"parallel.processes"_s, u"3"_s);
    const core::TrainConfig shared = trainConfigOf(choice);
    QCOMPARE(shared.memory.device, core::ComputeDevice::Cpu);
    QCOMPARE(shared.parallel.zero, int64_t{3});
    QVERIFY(speedKey(shared) != speedKey(alone)); // a step takes another time
    core::ResourceUse seen;                       // by one of them
    seen.ramBytes = 1000;
    QCOMPARE(withLessMemory(alone, seen).memory.ramBytes, int64_t{800});
    QCOMPARE(withLessMemory(shared, seen).memory.ramBytes, int64_t{2400}); // the limit is that of all
}

void ProcessesTest::memoryIsSavedAmongThemFirst() {
    PlanFacts refused;
    refused.verdict = PlanFacts::Verdict::DoesNotFit;
    const auto first = [&refused](const TrainingChoice& choice) {
        return savingsOf(choice, trainConfigOf(choice), refused).front().label;
    };
    TrainingChoice choice = photoChoice();
    QVERIFY(first(choice) != u"Let one process train"_s);
    choice.expert = {{u"parallel.processes"_s, u"3"_s}};
    QCOMPARE(first(choice), u"Share the model among the processes"_s);
    choice.expert.insert(u"parallel.zero"_s, u"3"_s);
    QCOMPARE(first(choice), u"Let one process train"_s);
}

void ProcessesTest::aTrainingOfTwoIsOrderedInTheForm() {
    if (!couldTrainInSeveral()) QSKIP("several processes train where there are cores and no GPU");
    QVERIFY(useEngine(m_place, kPlans));
    m_services->settings.set(keys::kGpuMemory, 6);
    m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("robot.png"), 1)}, u"robot"_s);
    m_services->models.refresh();
    const auto known = [this] {
        const ModelEntry* model = m_services->models.find(builtInModel());
        return model != nullptr && model->looked;
    };
    QTRY_VERIFY(known());
    TrainSetup setup(m_services->all());
    auto* form = setup.findChild<ExpertForm*>();
    if (form->isHidden()) setup.toggleExpert();
    QLineEdit* processes = fieldNamed(*form, u"Processes"_s);
    QTRY_VERIFY(!processes->isHidden()); // the computer was looked at
    const int64_t before = setup.order().config.batchSize;
    processes->setText(u"2"_s);
    Q_EMIT processes->editingFinished();
    if (before % 2 != 0) { // as the built-in model has it
        QVERIFY(!setup.ready());
        buttonNamed(*form, u"Learn %1 pictures at a time"_s.arg(before + 1))->click();
    }
    QComboBox* shared = choiceNamed(*form, "Shared among them");
    QVERIFY(!shared->isHidden());
    shared->setCurrentIndex(shared->findData(u"3"_s));
    QTRY_VERIFY(setup.ready());
    const core::TrainConfig config = setup.order().config;
    QCOMPARE(config.parallel.processes, int64_t{2});
    QCOMPARE(config.parallel.zero, int64_t{3});
    QCOMPARE(config.memory.device, core::ComputeDevice::Cpu);
    QCOMPARE(config.memory.deviceBytes, int64_t{0}); // the limit is a graphics card's
    const auto fine = core::checkParallel(config);
    QVERIFY2(fine, fine ? "" : fine.error().text().c_str());
    QCOMPARE(shownTexts(setup).filter(u"2 processes, 1.0 GB each"_s).size(), 1);
    m_services->settings.reset(keys::kGpuMemory);
    setup.toggleExpert(); // the fold is remembered
}

void ProcessesTest::thePlanNamesAllAndEach() {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.ramBytes = 500 * kMebi;
    facts.peak.parameterBytes = 100 * kMebi;
    core::TrainConfig config;
    PlanPanel panel;
    const auto needed = [&panel] { return panel.findChild<KindBar*>()->accessibleName(); };
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY2(needed().startsWith(u"500 MB needed"_s), qPrintable(needed()));
    QVERIFY(shownTexts(panel).filter(u"processes"_s).isEmpty());
    config.parallel.processes = 4;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY2(needed().startsWith(u"2.0 GB needed"_s), qPrintable(needed()));
    QCOMPARE(panel.findChild<KindBar*>()->kinds().parameterBytes, 400 * kMebi);
    QCOMPARE(shownTexts(panel).filter(u"4 processes, 500 MB each"_s).size(), 1);
}

void ProcessesTest::eachCardHasAProcess() {
    const QString shared = u"parallel.zero"_s;
    const core::TrainConfig plain = trainConfigOf(cardChoice({}));
    const core::TrainConfig two = trainConfigOf(cardChoice({{kCards, kBoth}, {shared, u"3"_s}}));
    QCOMPARE(two.parallel.processes, int64_t{2});
    QCOMPARE(two.parallel.zero, int64_t{3});
    QCOMPARE(two.memory.device, core::ComputeDevice::Gpu);
    QVERIFY(trainsOnCards(two) && !trainsOnCards(plain));
    const core::TrainConfig second = trainConfigOf(cardChoice({{kCards, u"GPU-2"_s}, {shared, u"3"_s}}));
    QCOMPARE(second.parallel.processes, int64_t{1});
    QCOMPARE(second.parallel.zero, int64_t{0}); // it shares with nobody
    QCOMPARE(second.memory.device, core::ComputeDevice::Gpu);
    core::TrainConfig processors = two;
    processors.memory.device = core::ComputeDevice::Cpu;
    QVERIFY(speedKey(two) != speedKey(processors) && speedKey(two) != speedKey(plain));
    if (engineTakesCards()) QCOMPARE(cardsOf(two), (QStringList{u"GPU-1"_s, u"GPU-2"_s}));
    QVERIFY(cardsOf(plain).isEmpty());
}

void ProcessesTest::whatCardsCannotShareIsMended() {
    const TrainingChoice choice = cardChoice({{kCards, kBoth}}); // three pictures at a time
    const std::vector<SettingClash> clashes = settingClashes(trainConfigOf(choice), 8);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, kCards);
    QCOMPARE(clashes[0].reason, u"2 graphics cards cannot share the pictures at a time, 3, equally."_s);
    const core::TrainConfig mended = trainConfigOf(clashes[0].remedy.applied(choice));
    QVERIFY(settingClashes(mended, 8).empty());
    QCOMPARE(mended.batchSize, int64_t{4});
    QCOMPARE(mended.parallel.processes, int64_t{2});
}

void ProcessesTest::theModelIsSharedAmongCardsFirst() {
    PlanFacts refused;
    refused.verdict = PlanFacts::Verdict::DoesNotFit;
    const auto labels = [&refused](const TrainingChoice& choice) {
        QStringList all;
        for (const PlanChange& change : savingsOf(choice, trainConfigOf(choice), refused))
            all.append(change.label);
        return all;
    };
    QCOMPARE(labels(cardChoice({{kCards, kBoth}})).front(), u"Share the model among the graphics cards"_s);
    const QStringList shared = labels(cardChoice({{kCards, kBoth}, {u"parallel.zero"_s, u"3"_s}}));
    QVERIFY(!shared.contains(u"Share the model among the graphics cards"_s));
    QVERIFY(!shared.contains(u"Let one process train"_s)); // a card would need no less
}

void ProcessesTest::thePlanSaysWhatEachCardNeeds() {
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.deviceBytes = 500 * kMebi;
    facts.plan.predicted.ramBytes = 300 * kMebi;
    facts.peak.parameterBytes = 100 * kMebi;
    core::TrainConfig config;
    PlanPanel panel;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY(shownTexts(panel).filter(u"each of"_s).isEmpty());
    config.parallel.processes = 2;
    config.memory.device = core::ComputeDevice::Gpu;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QCOMPARE(shownTexts(panel).filter(u"500 MB\neach of 2 cards"_s).size(), 1);
    QCOMPARE(shownTexts(panel).filter(u"2 processes, 300 MB each"_s).size(), 1);
    QCOMPARE(shownTexts(panel).filter(u"600 MB"_s).size(), 1); // of RAM there is one
    const QString bar = panel.findChild<KindBar*>()->accessibleName();
    QVERIFY2(bar.startsWith(u"500 MB needed"_s), qPrintable(bar));
    QCOMPARE(panel.findChild<KindBar*>()->kinds().parameterBytes, 100 * kMebi);
}

HOMEBOOTH_APP_TEST_MAIN(ProcessesTest)
#include "tst_processes.moc"

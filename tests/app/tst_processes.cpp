// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One training in several processes or on several graphics cards, as the window has it: settings of theirs,
// what does not go with them, and their plan.
#include "app/engine/plan_savings.h"
#include "app/engine/resume_options.h"
#include "app/engine/run_cards.h"
#include "app/engine/setting_clashes.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/plan_panel.h"
#include "app/pages/train/train_setup.h"
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
    choice.model = QStringLiteral("/models/sketch");
    choice.sentences = QStringList{QStringLiteral("a photo of ohwx toy")};
    choice.photoFolder = QStringLiteral("/photos");
    return choice;
}

const QString kCards = QString::fromLatin1(kCardsPath);
const QString kBoth = QStringLiteral("GPU-1,GPU-2");

TrainingChoice cardChoice(const QMap<QString, QString>& expert) {
    TrainingChoice choice = photoChoice();
    choice.expert = expert;
    return choice;
}

} // namespace

void ProcessesTest::theirSettingsAreOfferedWhereTheyAreOfUse() {
    ExpertForm form;
    form.setDefaults({});
    QLineEdit* processes = fieldNamed(form, QStringLiteral("Processes"));
    QComboBox* shared = choiceNamed(form, "Shared among them");
    QVERIFY(processes != nullptr && shared != nullptr);
    QVERIFY(processes->isHidden() && shared->isHidden()); // nothing is known of the computer
    form.offerProcesses(true);
    form.setDefaults({});
    QVERIFY(!processes->isHidden());
    QVERIFY(shared->isHidden()); // one alone shares nothing
    form.setChange(QStringLiteral("parallel.processes"), QStringLiteral("2"));
    form.setDefaults({});
    QVERIFY(!shared->isHidden());
    QStringList words;
    QStringList terms;
    for (int row = 0; row < shared->count(); ++row) {
        words.append(shared->itemText(row));
        terms.append(shared->itemData(row, Qt::ToolTipRole).toString());
    }
    QCOMPARE(words, (QStringList{QStringLiteral("nothing"), QStringLiteral("all but the model"),
                                 QStringLiteral("also the model")}));
    QCOMPARE(terms,
             (QStringList{QStringLiteral("ZeRO 0"), QStringLiteral("ZeRO 2"), QStringLiteral("ZeRO 3")}));
    QCOMPARE(shared->currentText(), QStringLiteral("nothing"));
    shared->setCurrentIndex(2);
    QCOMPARE(form.changes().value(QStringLiteral("parallel.zero")), QStringLiteral("3"));
    processes->setText(QStringLiteral("1"));
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
    QLineEdit* processes = fieldNamed(form, QStringLiteral("Processes"));
    const QString range = QStringLiteral("1 to %1").arg(most);
    QCOMPARE(shownTexts(form).filter(QStringLiteral("that train together, %1").arg(range)).size(), 1);
    processes->setText(QString::number(most + 1));
    Q_EMIT processes->editingFinished();
    QVERIFY(form.refuses());
    QVERIFY(!shownTexts(form).filter(QStringLiteral("Give a whole number from %1").arg(range)).isEmpty());
    buttonNamed(form, QStringLiteral("Use %1").arg(most))->click();
    QVERIFY(!form.refuses());
    QCOMPARE(form.changes().value(QStringLiteral("parallel.processes")), QString::number(most));
}

void ProcessesTest::whatTheyCannotDoIsMended_data() {
    using Values = QMap<QString, QString>;
    QTest::addColumn<Values>("values");
    QTest::addColumn<QString>("path");
    const QString processes = QStringLiteral("parallel.processes");
    const QString shared = QStringLiteral("parallel.zero");
    QTest::newRow("pictures that cannot be shared equally")
        << Values{{processes, QStringLiteral("2")}} << processes; // three at a time
    QTest::newRow("adafactor") << Values{{processes, QStringLiteral("3")},
                                         {shared, QStringLiteral("2")},
                                         {QStringLiteral("optimizer.kind"), QStringLiteral("adafactor")}}
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
    choice.expert = {{QStringLiteral("parallel.processes"), QStringLiteral("3")},
                     {QStringLiteral("parallel.zero"), QStringLiteral("3")},
                     {QStringLiteral("memory.policy"), QStringLiteral("cpu")}};
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
    choice.expert = {{QStringLiteral("parallel.zero"), QStringLiteral("3")}};
    QCOMPARE(trainConfigOf(choice).parallel.zero, int64_t{0}); // one has nobody to share with
    choice.expert.insert(QStringLiteral("parallel.processes"), QStringLiteral("3"));
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
    QVERIFY(first(choice) != QStringLiteral("Let one process train"));
    choice.expert = {{QStringLiteral("parallel.processes"), QStringLiteral("3")}};
    QCOMPARE(first(choice), QStringLiteral("Share the model among the processes"));
    choice.expert.insert(QStringLiteral("parallel.zero"), QStringLiteral("3"));
    QCOMPARE(first(choice), QStringLiteral("Let one process train"));
}

void ProcessesTest::aTrainingOfTwoIsOrderedInTheForm() {
    if (!couldTrainInSeveral()) QSKIP("several processes train where there are cores and no GPU");
    QVERIFY(useEngine(m_place, kPlans));
    m_services->settings.set(keys::kGpuMemory, 6);
    m_services->subjects.addFromPhotos({writeTestPicture(m_place.path("robot.png"), 1)},
                                       QStringLiteral("robot"));
    m_services->models.refresh();
    const auto known = [this] {
        const ModelEntry* model = m_services->models.find(builtInModel());
        return model != nullptr && model->looked;
    };
    QTRY_VERIFY(known());
    TrainSetup setup(m_services->all());
    auto* form = setup.findChild<ExpertForm*>();
    if (form->isHidden()) setup.toggleExpert();
    QLineEdit* processes = fieldNamed(*form, QStringLiteral("Processes"));
    QTRY_VERIFY(!processes->isHidden()); // the computer was looked at
    const int64_t before = setup.order().config.batchSize;
    processes->setText(QStringLiteral("2"));
    Q_EMIT processes->editingFinished();
    if (before % 2 != 0) { // as the built-in model has it
        QVERIFY(!setup.ready());
        buttonNamed(*form, QStringLiteral("Learn %1 pictures at a time").arg(before + 1))->click();
    }
    QComboBox* shared = choiceNamed(*form, "Shared among them");
    QVERIFY(!shared->isHidden());
    shared->setCurrentIndex(shared->findData(QStringLiteral("3")));
    QTRY_VERIFY(setup.ready());
    const core::TrainConfig config = setup.order().config;
    QCOMPARE(config.parallel.processes, int64_t{2});
    QCOMPARE(config.parallel.zero, int64_t{3});
    QCOMPARE(config.memory.device, core::ComputeDevice::Cpu);
    QCOMPARE(config.memory.deviceBytes, int64_t{0}); // the limit is a graphics card's
    const auto fine = core::checkParallel(config);
    QVERIFY2(fine, fine ? "" : fine.error().text().c_str());
    QCOMPARE(shownTexts(setup).filter(QStringLiteral("2 processes, 1.0 GB each")).size(), 1);
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
    QVERIFY2(needed().startsWith(QStringLiteral("500 MB needed")), qPrintable(needed()));
    QVERIFY(shownTexts(panel).filter(QStringLiteral("processes")).isEmpty());
    config.parallel.processes = 4;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QVERIFY2(needed().startsWith(QStringLiteral("2.0 GB needed")), qPrintable(needed()));
    QCOMPARE(panel.findChild<KindBar*>()->kinds().parameterBytes, 400 * kMebi);
    QCOMPARE(shownTexts(panel).filter(QStringLiteral("4 processes, 500 MB each")).size(), 1);
}

void ProcessesTest::eachCardHasAProcess() {
    const QString shared = QStringLiteral("parallel.zero");
    const core::TrainConfig plain = trainConfigOf(cardChoice({}));
    const core::TrainConfig two = trainConfigOf(cardChoice({{kCards, kBoth}, {shared, QStringLiteral("3")}}));
    QCOMPARE(two.parallel.processes, int64_t{2});
    QCOMPARE(two.parallel.zero, int64_t{3});
    QCOMPARE(two.memory.device, core::ComputeDevice::Gpu);
    QVERIFY(trainsOnCards(two) && !trainsOnCards(plain));
    const core::TrainConfig second =
        trainConfigOf(cardChoice({{kCards, QStringLiteral("GPU-2")}, {shared, QStringLiteral("3")}}));
    QCOMPARE(second.parallel.processes, int64_t{1});
    QCOMPARE(second.parallel.zero, int64_t{0}); // it shares with nobody
    QCOMPARE(second.memory.device, core::ComputeDevice::Gpu);
    core::TrainConfig processors = two;
    processors.memory.device = core::ComputeDevice::Cpu;
    QVERIFY(speedKey(two) != speedKey(processors) && speedKey(two) != speedKey(plain));
    if (engineTakesCards())
        QCOMPARE(cardsOf(two), (QStringList{QStringLiteral("GPU-1"), QStringLiteral("GPU-2")}));
    QVERIFY(cardsOf(plain).isEmpty());
}

void ProcessesTest::whatCardsCannotShareIsMended() {
    const TrainingChoice choice = cardChoice({{kCards, kBoth}}); // three pictures at a time
    const std::vector<SettingClash> clashes = settingClashes(trainConfigOf(choice), 8);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, kCards);
    QCOMPARE(clashes[0].reason,
             QStringLiteral("2 graphics cards cannot share the pictures at a time, 3, equally."));
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
    QCOMPARE(labels(cardChoice({{kCards, kBoth}})).front(),
             QStringLiteral("Share the model among the graphics cards"));
    const QStringList shared =
        labels(cardChoice({{kCards, kBoth}, {QStringLiteral("parallel.zero"), QStringLiteral("3")}}));
    QVERIFY(!shared.contains(QStringLiteral("Share the model among the graphics cards")));
    QVERIFY(!shared.contains(QStringLiteral("Let one process train"))); // a card would need no less
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
    QVERIFY(shownTexts(panel).filter(QStringLiteral("each of")).isEmpty());
    config.parallel.processes = 2;
    config.memory.device = core::ComputeDevice::Gpu;
    panel.show(facts, config, m_place.path({}), {{1.0}, 0});
    QCOMPARE(shownTexts(panel).filter(QStringLiteral("500 MB\neach of 2 cards")).size(), 1);
    QCOMPARE(shownTexts(panel).filter(QStringLiteral("2 processes, 300 MB each")).size(), 1);
    QCOMPARE(shownTexts(panel).filter(QStringLiteral("600 MB")).size(), 1); // of RAM there is one
    const QString bar = panel.findChild<KindBar*>()->accessibleName();
    QVERIFY2(bar.startsWith(QStringLiteral("500 MB needed")), qPrintable(bar));
    QCOMPARE(panel.findChild<KindBar*>()->kinds().parameterBytes, 100 * kMebi);
}

HOMEBOOTH_APP_TEST_MAIN(ProcessesTest)
#include "tst_processes.moc"

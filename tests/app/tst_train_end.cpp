// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Train after a run that failed: each cause has the way on that helps, and none that does not.
#include "app/engine/engine_words.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_log.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/further_line.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "app_files.h"
#include "model_fixture.h"

#include <QComboBox>
#include <QFileDialog>
#include <QSpinBox>

#include <functional>

using namespace homebooth;
using namespace homebooth::app;

class TrainEndTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup();
    void goesOnWithTheProcessorWhereThatIsOffered();
    void onTheProcessorTheCardsUseCountsNoMore();
    void aDriverThatDoesNotAnswerIsNamedAsSuch();
    void trainsInBf16WhatFp16DoesNotHold();
    void aRefusedPlanIsGivenItsMemoryBack();
    void whereNoLimitIsThereIsNoneToLift();
    void swapsAsTheSettingsSay_data();
    void swapsAsTheSettingsSay();
    void swapsWhereMemoryIsTooSmall();
    void goesOnWithWhatCardsThereAre_data();
    void goesOnWithWhatCardsThereAre();
    void aModelThatWasMovedIsFound();
    void aJournalThatIsCutOffHidesNoSavedMoment();
    void afterARateThatFellItGoesOnAtHalfOfIt_data();
    void afterARateThatFellItGoesOnAtHalfOfIt();
    void itIsTrainedFurtherAsIsChosen();
    void examplesThatWereMadeAreKept();
    void whatTrainingFurtherMadeIsChosen();

private:
    using Change = std::function<void(core::TrainConfig&)>;
    /// Shows a run that failed. @param change  of its settings. @returns its folder
    QString showFailed(const QString& name, int code, const std::string& words, const Change& change = {},
                       bool saved = false);
    /// Whether the page says this.
    [[nodiscard]] bool says(const QString& words) const {
        return m_page->messages().currentText().contains(words);
    }
    [[nodiscard]] QPushButton* button(const QString& text) const {
        return buttonNamed(m_page->messages(), text);
    }

    std::unique_ptr<TrainPage> m_page;
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;
constexpr int kInternal = static_cast<int>(core::ErrorCode::Internal);
constexpr int kUsage = static_cast<int>(core::ErrorCode::Usage);
constexpr int kBadInput = static_cast<int>(core::ErrorCode::BadInput);
constexpr int kOutOfResources = static_cast<int>(core::ErrorCode::OutOfResources);
constexpr int kDeviceLost = static_cast<int>(core::ErrorCode::DeviceLost);
constexpr const char* kTooLittle = "this training needs at least 500 MiB of memory where it computes, and "
                                   "400 MiB may be used; close other programs";

core::TrainConfig configOf(const QString& folder) {
    const auto run = core::RunFolder::open(folder.toStdString());
    const auto config = run ? run->config() : core::Result<core::TrainConfig>(run.error());
    return config ? *config : core::TrainConfig();
}

} // namespace

void TrainEndTest::init() {
    beginAgain();
    qputenv("HOMEBOOTH_ENGINE", "/bin/true"); // what is gone on with ends at once
    m_page = std::make_unique<TrainPage>(m_services->all());
    m_page->setVisible(true);
}

void TrainEndTest::cleanup() {
    m_page.reset();
    end();
}

QString TrainEndTest::showFailed(const QString& name, int code, const std::string& words,
                                 const Change& change, bool saved) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 100);
    if (change) {
        core::TrainConfig config = configOf(folder);
        change(config);
        (void)core::RunFolder::open(folder.toStdString())->setConfig(config);
    }
    const auto journal = journalOf(folder);
    core::PlanEvent plan;
    plan.predicted.ramBytes = 400 * kMebi;
    journal->emit(plan);
    if (saved) journal->emit(core::CheckpointEvent{10, "/a/checkpoint"});
    journal->emit(core::OutcomeEvent{"failed", {}, {}, code, words, ""});
    m_services->runs.show(folder);
    return folder;
}

void TrainEndTest::goesOnWithTheProcessorWhereThatIsOffered() {
    const QString name = u"Go on with the processor"_s;
    showFailed(u"answers no more"_s, kDeviceLost, "training: the GPU stopped answering; try again");
    QTRY_VERIFY(says(u"stopped answering"_s));
    QVERIFY(button(name) == nullptr);
    const QString folder =
        showFailed(u"without it"_s, kDeviceLost, "found none; or choose --device cpu to go on",
                   [](core::TrainConfig& config) { config.memory.deviceBytes = 900 * kMebi; });
    QTRY_VERIFY(button(name) != nullptr);
    QVERIFY(says(u"The graphics card does not answer."_s));
    QVERIFY(configOf(folder).memory.device != core::ComputeDevice::Cpu);
    button(name)->click();
    QTRY_VERIFY(configOf(folder).memory.device == core::ComputeDevice::Cpu);
    QCOMPARE(configOf(folder).memory.deviceBytes, int64_t{0}); // the limit was the card's
}

void TrainEndTest::onTheProcessorTheCardsUseCountsNoMore() {
    RunData data;
    data.plan = core::PlanEvent();
    data.plan->predicted.deviceBytes = 2000;
    data.plan->predicted.ramBytes = 1000;
    QCOMPARE(mostUsed(data).deviceBytes, int64_t{2000});
    data.config.memory.device = core::ComputeDevice::Cpu;
    const core::MemoryConfig less = withLessMemory(data.config, mostUsed(data)).memory;
    QCOMPARE(less.deviceBytes, int64_t{0});
    QCOMPARE(less.ramBytes, int64_t{800});
    data.config.memory.deviceBytes = 1500; // a part of RAM stands for a card
    QCOMPARE(mostUsed(data).deviceBytes, int64_t{2000});
}

void TrainEndTest::aDriverThatDoesNotAnswerIsNamedAsSuch() {
    const QString headline = u"The graphics card cannot be used."_s;
    const QString folder =
        showFailed(u"driver"_s, kBadInput,
                   "the NVIDIA driver does not answer (cuInit gave 803); reboot, or install the driver "
                   "again; or choose --device cpu");
    QTRY_VERIFY(says(headline));
    QVERIFY(button(u"Go on with the processor"_s) != nullptr);
    QCOMPARE(readRunEnd(folder).headline, headline); // the queue says the same
    RunLog log(folder);
    QVERIFY(log.read());
    QVERIFY2(log.lines().back().contains(headline), qPrintable(log.lines().back()));
    const core::OutcomeEvent library{
        "failed", {}, {}, kInternal, "run installer/run again, or choose --device cpu", ""};
    QCOMPARE(runEndOf(library, 0).headline, headline);
}

void TrainEndTest::trainsInBf16WhatFp16DoesNotHold() {
    const QString name = u"Train in bf16"_s;
    const std::string words = ": the numbers do not fit fp16";
    showFailed(u"saved in fp16"_s, kBadInput, "saved in fp16" + words, {}, /*saved=*/true);
    QTRY_VERIFY(says(u"saved in fp16: "_s));
    QVERIFY(says(u"fp16 does not hold"_s));
    QVERIFY(button(name) == nullptr); // its weights fit no other format
    QVERIFY(says(u"begin a new training"_s));
    QVERIFY(!says(name));
    const QString folder = showFailed(u"nothing saved"_s, kBadInput, "nothing saved" + words);
    QTRY_VERIFY(button(name) != nullptr);
    QVERIFY(says(name));
    QVERIFY(configOf(folder).precision != core::Precision::Bf16);
    button(name)->click();
    QTRY_VERIFY(configOf(folder).precision == core::Precision::Bf16);
}

void TrainEndTest::aRefusedPlanIsGivenItsMemoryBack() {
    const QString name = u"Resume without a limit of memory"_s;
    const QString folder =
        showFailed(u"limited"_s, kOutOfResources, kTooLittle, [](core::TrainConfig& config) {
            config.memory.ramBytes = 400 * kMebi;
            config.memory.deviceBytes = 900 * kMebi;
        });
    QTRY_VERIFY(button(name) != nullptr);
    QVERIFY(m_page->messages().currentText().startsWith(
        u"<b>%1</b>"_s.arg(trainingTrouble(core::FailureCause::TooLittleMemory))));
    for (const auto* one : m_page->messages().findChildren<QPushButton*>()) // with less it never fits
        QVERIFY2(!one->text().contains(u"less memory"_s), qPrintable(one->text()));
    button(name)->click();
    QTRY_COMPARE(configOf(folder).memory.ramBytes, int64_t{0});
    QCOMPARE(configOf(folder).memory.deviceBytes, int64_t{0});
    QCOMPARE(configOf(folder).steps, int64_t{100});
}

void TrainEndTest::whereNoLimitIsThereIsNoneToLift() {
    showFailed(u"unlimited"_s, kOutOfResources, kTooLittle);
    QTRY_VERIFY(says(u"400 MiB may be used"_s));
    QVERIFY(button(u"Resume without a limit of memory"_s) == nullptr);
    QVERIFY(button(u"Whole log"_s) != nullptr);
}

void TrainEndTest::swapsAsTheSettingsSay_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    QTest::newRow("limit of a plan") << kOutOfResources
                                     << "what does not lie in memory needs 24.0 GiB for swapping, and 20.0 "
                                        "GiB are allowed; allow more (--swap-size), or take a leaner one";
    QTest::newRow("limit of a worker") << kOutOfResources
                                       << "swapping optimizer states: expected at least 24.0 GiB, found that "
                                          "--swap-size allows 20.0 GiB; allow more";
    QTest::newRow("small drive") << kOutOfResources
                                 << "swapping parameters, 5.00 GiB: cannot reserve space for swapping: the "
                                    "file would be larger than this drive takes (with FAT32 less than 4 "
                                    "GiB); choose a folder on another drive [/gone]";
    QTest::newRow("small drive of a plan") << kOutOfResources
                                           << "what does not lie in memory needs a file of about 5.00 GiB, "
                                              "and no file there may be larger than 4.00 GiB; name a folder "
                                              "on another drive (--swap) [/gone]";
    QTest::newRow("no folder") << kBadInput
                               << "--swap: expected a folder for swapping, found none; make it, or name "
                                  "another [/gone]";
}

void TrainEndTest::swapsAsTheSettingsSay() {
    QFETCH(int, code);
    QFETCH(QString, words);
    const QString folder = showFailed(QString::fromLatin1(QTest::currentDataTag()), code, words.toStdString(),
                                      [](core::TrainConfig& config) {
                                          config.memory.swapDir = "/gone";
                                          config.memory.swapBytes = int64_t{20} << 30;
                                      });
    const QString name = u"Swap as the settings say"_s;
    QTRY_VERIFY(button(name) != nullptr);
    QVERIFY(!says(u"disk is full"_s));
    QVERIFY(!says(u"move the training"_s)); // which may stay where it is
    QVERIFY2(says(u"swap as they say"_s), qPrintable(m_page->messages().currentText()));
    QVERIFY(button(u"Free room"_s) == nullptr); // which changes nothing
    QSignalSpy wanted(m_page.get(), &Page::wanted);
    button(u"Open Settings"_s)->click();
    QCOMPARE(wanted.size(), 1);
    const QString other = m_place.path(u"another disk"_s);
    m_services->settings.set(keys::kSwap, other); // what they say when it is pressed
    m_services->settings.set(keys::kSwapSize, 40);
    button(name)->click();
    QTRY_COMPARE(QString::fromStdString(configOf(folder).memory.swapDir), other);
    QCOMPARE(configOf(folder).memory.swapBytes, int64_t{40} << 30);
    m_services->settings.reset(keys::kSwap);
    m_services->settings.reset(keys::kSwapSize);
}

void TrainEndTest::swapsWhereMemoryIsTooSmall() {
    const QString name = u"Swap as the settings say"_s;
    const QString disk = m_place.path(u"fast disk"_s);
    m_services->settings.set(keys::kSwap, disk);
    showFailed(u"swaps already"_s, kOutOfResources, std::string("beside a swap ") + kTooLittle,
               [](core::TrainConfig& config) { config.memory.swapDir = "/swap"; });
    QTRY_VERIFY(says(u"beside a swap"_s));
    QVERIFY(button(name) == nullptr);
    const QString folder = showFailed(u"swaps nowhere"_s, kOutOfResources, kTooLittle);
    QTRY_VERIFY(button(name) != nullptr);
    button(name)->click();
    QTRY_COMPARE(QString::fromStdString(configOf(folder).memory.swapDir), disk);
    m_services->settings.reset(keys::kSwap);
}

void TrainEndTest::goesOnWithWhatCardsThereAre_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("processes");
    QTest::addColumn<QString>("offer");
    QTest::addColumn<QString>("advice");
    const QString alone = u"Resume with one process"_s;
    const QString let = u"let one process train."_s;
    const char* none = "--gpus: expected GPUs that can be used here, none, found \"3\"; see nvidia-smi -L";
    QTest::newRow("lost") << kInternal << "rank 0 of 2: summing: lost rank 1: its connection was closed" << 2
                          << alone << let;
    QTest::newRow("named") << kUsage << none << 2 << alone << let;
    QTest::newRow("too few") << kUsage
                             << "training with several processes: expected a GPU for each of 2, found 1 GPU "
                                "in --gpus; take --processes 1, name more, or choose --device cpu"
                             << 2 << alone << let;
    QTest::newRow("one") << kUsage << none << 1 << u"Resume on another card"_s
                         << u"or resume on another card."_s;
}

void TrainEndTest::goesOnWithWhatCardsThereAre() {
    QFETCH(int, code);
    QFETCH(QString, words);
    QFETCH(int, processes);
    QFETCH(QString, offer);
    QFETCH(QString, advice);
    const QString folder = showFailed(QString::fromLatin1(QTest::currentDataTag()), code, words.toStdString(),
                                      [processes](core::TrainConfig& config) {
                                          config.batchSize = 2;
                                          config.parallel = {processes, 1, {"0", "3"}};
                                      });
    QTRY_VERIFY(button(offer) != nullptr);
    QVERIFY2(says(advice), qPrintable(m_page->messages().currentText()));
    QCOMPARE(says(u"A graphics card that the training wants is not there."_s), code == kUsage);
    const auto cause = core::FailureCause::CardMissing;
    QCOMPARE(trainingTrouble(cause, "expected a GPU for each of 12, found 10 GPUs; take --processes 10"),
             trainingTrouble(cause)); // several of them
    QCOMPARE(configOf(folder).parallel.gpus.size(), size_t{2});
    button(offer)->click();
    QTRY_VERIFY(configOf(folder).parallel.gpus.empty());
    QCOMPARE(configOf(folder).parallel.processes, int64_t{1});
    QCOMPARE(configOf(folder).parallel.zero, int64_t{0});
    QCOMPARE(configOf(folder).batchSize, int64_t{2}); // shared by as many as there are
}

void TrainEndTest::aModelThatWasMovedIsFound() {
    const QString gone = m_place.path(u"moved/stick"_s);
    const std::string words =
        gone.toStdString() + ": cannot open the model: it does not exist; check the path";
    const auto learnsFrom = [&gone](core::TrainConfig& config) { config.model = gone.toStdString(); };
    const auto find = [&](const QString& name) {
        const QString folder = showFailed(name, kBadInput, words, learnsFrom, true);
        m_services->runs.open(m_services->settings.runsFolder());
        [&] { QTRY_VERIFY(m_services->runs.find(folder) != nullptr); }();
        (void)core::RunFolder::open(folder.toStdString())->addFacts({{"modelSha256", "abc"}});
        const QString label = u"Find the model..."_s;
        [&] { QTRY_VERIFY(m_services->runs.current()->folder() == folder && button(label) != nullptr); }();
        if (QPushButton* there = button(label)) there->click();
        return folder;
    };
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    const QString asked = find(u"moved"_s);
    QTRY_VERIFY(m_page->findChild<QFileDialog*>() != nullptr);
    auto* dialog = m_page->findChild<QFileDialog*>();
    QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
    Q_EMIT dialog->filesSelected({builtInModel()});
    dialog->close();
    QTRY_COMPARE(QString::fromStdString(configOf(asked).model), builtInModel());
    QTRY_COMPARE(begun.size(), 1); // what begins is shown, and nothing else for as long
    core::ModelRecord record;      // with that content, as is known
    record.id = core::newRecordId();
    record.name = record.path = m_place.path(u"found"_s).toStdString();
    record.kind = "model";
    record.sha256 = "abc";
    QVERIFY(QFile::link(builtInModel(), QString::fromStdString(record.path)));
    m_services->models.put(record);
    QTRY_VERIFY(m_services->models.find(QString::fromStdString(record.path))->looked);
    const QString known = find(u"moved again"_s);
    QTRY_COMPARE(configOf(known).model, record.path);
    QTRY_COMPARE(m_services->runs.find(known)->model, record.path); // which must not be deleted under it
    m_services->models.forget(record.id);
}

void TrainEndTest::aJournalThatIsCutOffHidesNoSavedMoment() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"cut off"_s, 100);
    for (const char* name : {"/manifest.json", "/unet.safetensors"})
        writeBytes(folder + u"/checkpoints/step-000040"_s + QLatin1String(name), "{}");
    journalOf(folder)->emit(core::StepEvent{12, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    m_services->runs.show(folder);
    QTRY_VERIFY2(says(u"Step 40 is saved."_s), qPrintable(m_page->messages().currentText()));
}

void TrainEndTest::afterARateThatFellItGoesOnAtHalfOfIt_data() {
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("done");
    QTest::addColumn<int>("typed");
    QTest::addColumn<QString>("tip");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("scheduleThen");
    QTest::addColumn<double>("rateThen");
    const auto constant = int(core::LearningRateSchedule::Constant);
    const auto linear = int(core::LearningRateSchedule::Linear);
    const auto cosine = int(core::LearningRateSchedule::Cosine);
    const QString half = u"50 more steps, each at half the learning speed"_s;
    const QString same = u"%1 more steps with the same settings"_s;
    QTest::newRow("cosine") << cosine << 100 << 0 << half << 150 << constant << 2e-6;
    QTest::newRow("linear") << linear << 100 << 0 << half << 150 << constant << 2e-6;
    QTest::newRow("constant") << constant << 100 << 0 << same.arg(50) << 150 << constant << 4e-6;
    QTest::newRow("ended early") << cosine << 60 << 0 << same.arg(40) << 100 << cosine << 4e-6;
    QTest::newRow("ended early, other steps")
        << cosine << 60 << 10 << u"10 more steps, each at half the learning speed"_s << 70 << constant
        << 2e-6;
}

void TrainEndTest::afterARateThatFellItGoesOnAtHalfOfIt() {
    QFETCH(int, schedule);
    QFETCH(int, done);
    QFETCH(int, typed);
    QFETCH(QString, tip);
    QFETCH(int, steps);
    QFETCH(int, scheduleThen);
    QFETCH(double, rateThen);
    const QString name = u"rate, %1"_s.arg(QLatin1String(QTest::currentDataTag()));
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 100);
    core::TrainConfig config = configOf(folder);
    config.optimizer.schedule = core::LearningRateSchedule(schedule);
    config.optimizer.learningRate = 4e-6;
    config.optimizer.textEncoderLearningRate = 0.0; // as the other one
    QVERIFY(core::RunFolder::open(folder.toStdString())->setConfig(config));
    const auto journal = journalOf(folder);
    journal->emit(core::StepEvent{done, 1, 0.5, 1e-6, 0.5, 2.0, {}, {}, {}, {}});
    journal->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    m_services->runs.show(folder);
    const auto further = [this] { return buttonNamed(*m_page, u"Train further"_s); };
    QTRY_VERIFY(further() != nullptr);
    if (typed > 0) {
        auto* line = m_page->findChild<FurtherLine*>();
        QTRY_VERIFY(line->isVisibleTo(m_page.get()));
        line->findChild<QSpinBox*>()->setValue(typed);
        QCOMPARE(line->findChild<QComboBox*>()->itemText(1), u"a quarter, 1e-6"_s);
    }
    QTRY_COMPARE(further()->toolTip(), tip);
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    further()->click();
    QTRY_COMPARE(begun.size(), 1); // what is written for it is written
    const core::TrainConfig then = configOf(folder);
    QCOMPARE(then.steps, int64_t{steps});
    QCOMPARE(int(then.optimizer.schedule), scheduleThen);
    QCOMPARE(then.optimizer.learningRate, rateThen);
    QCOMPARE(then.optimizer.textEncoderLearningRate, 0.0);
}

void TrainEndTest::itIsTrainedFurtherAsIsChosen() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"chosen"_s, 100);
    core::TrainConfig config = configOf(folder);
    const double rate = config.optimizer.learningRate;
    config.method = core::TrainMethod::Lora;
    config.output.checkpointEverySteps = 10;
    config.output.keepCheckpoints = 10; // all
    QVERIFY(core::RunFolder::open(folder.toStdString())->setConfig(config));
    const auto journal = journalOf(folder);
    journal->emit(core::StepEvent{100, 1, 0.5, 1e-6, 0.5, 2.0, {}, {}, {}, {}});
    journal->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    m_services->runs.show(folder);
    auto* line = m_page->findChild<FurtherLine*>();
    QTRY_VERIFY(line->isVisibleTo(m_page.get()));
    auto* steps = line->findChild<QSpinBox*>();
    QTRY_COMPARE(steps->value(), 50); // as is proposed
    steps->setValue(7);
    line->findChild<QComboBox*>()->setCurrentIndex(1);
    QPushButton* further = buttonNamed(*m_page, u"Train further"_s);
    QCOMPARE(further->toolTip(), u"7 more steps, each at half the learning speed"_s);
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    further->click();
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(configOf(folder).steps, int64_t{107});
    QCOMPARE(configOf(folder).optimizer.learningRate, rate / 2);
    QCOMPARE(configOf(folder).output.keepCheckpoints, int64_t{12}); // none goes for those that come
}

void TrainEndTest::examplesThatWereMadeAreKept() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"examples"_s, 100);
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"class-images", "", 0, 24});
    journal->emit(core::StateEvent{"class-images", "", 12, 24});
    journal->emit(core::OutcomeEvent{"cancelled", {}, {}, 5, "", ""});
    m_services->runs.show(folder);
    QTRY_COMPARE(shownTexts(*m_page).filter(u"12 example picture(s) are kept"_s).size(), 1);
}

void TrainEndTest::whatTrainingFurtherMadeIsChosen() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), "further", 100);
    QVERIFY(QDir(folder).mkpath(u"result"_s) && QFile::link(builtInModel(), folder + u"/result/model"_s));
    const auto journal = journalOf(folder);
    const auto train = [&](int64_t step, int64_t bytes) {
        core::MemoryEvent memory;
        memory.step = step;
        memory.ram.parameterBytes = bytes;
        journal->emit(memory);
        journal->emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        writeCheckpoint(folder, step);
        core::OutcomeEvent outcome;
        outcome.result = "done";
        outcome.measured.residentBytes = bytes;
        journal->emit(outcome);
    };
    train(40, kMebi);
    train(80, 300 * kMebi);
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    m_services->runs.show(folder);
    const auto* row = m_page->findChild<MomentRow*>();
    QTRY_VERIFY(row->isVisible() && row->chosen());
    auto* grid = row->findChild<ThumbnailGrid*>();
    for (const int moment : {0, 1}) grid->setCurrentIndex(grid->model()->index(moment, 0)); // by hand
    QCOMPARE(row->chosen()->step, int64_t{80});
    {
        const auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
        QVERIFY(lock);
        QTRY_VERIFY(!row->isVisible());
        train(100, 200 * kMebi);
    }
    QTRY_VERIFY(row->isVisible());
    QTRY_COMPARE(row->chosen()->step, int64_t{100});
    QVERIFY(!shownTexts(*row).filter(u"Peak 300 MB"_s).isEmpty()); // of all that there was
}

HOMEBOOTH_APP_TEST_MAIN(TrainEndTest)
#include "tst_train_end.moc"

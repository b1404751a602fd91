// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved moments of a training that has ended: which one is chosen, and what is gone on with.
#include "app/charts/loss_chart.h"
#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/generate/compare_view.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/theme/style.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/lora/lora_file.h"
#include "item_rules.h"
#include "model_fixture.h"
#include "picture_fixture.h"

#include <QComboBox>
#include <QLabel>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr const char* kModule = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";

/// What a run that learns an add-on saves, small.
void writeAdapters(const QString& checkpoint) {
    const std::string name = kModule;
    std::vector<core::TensorInfo> tensors{
        core::makeTensorInfo(name + ".lora_down.weight", core::DataType::F32, {2, 4}),
        core::makeTensorInfo(name + ".lora_up.weight", core::DataType::F32, {4, 2})};
    const std::vector<std::byte> zeros(32);
    auto file = core::SafetensorsWriter::create((checkpoint + u"/unet.safetensors"_s).toStdString(), tensors);
    QVERIFY(file);
    for (const core::TensorInfo& tensor : tensors) QVERIFY(file->write(tensor.name, zeros));
    QVERIFY(file->commit());
    sealCheckpoint(checkpoint, checkpoint.right(6).toLongLong());
}

} // namespace

class MomentsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() {
        qputenv("HOMEBOOTH_ENGINE", HOMEBOOTH_BIN_DIR "/homebooth-engine"); // one puts another into its place
        beginAgain();
    }
    void cleanup() { end(); }
    void theEndIsChosenUntilSomebodyChoosesAnother();
    void whatIsNotLikeItYetIsGoneOnWith();
    void ofSketchesItIsSaidThatPhotosWantAnotherModel();
    void aMomentThatIsGoneMakesNoPictures();
    void previewsStandBesideTheChartsWhileItWorks();
    void previewsAreWalkedThroughInLarge();
    void previewsElsewhereArePointedTo();
    void aTrainingThatIsNotDoneIsGoneOnWithFirst();
    void trainingFurtherBeginsWithTheChosenMoment();
    void trainingFurtherLeavesOutWhatWasLeftOut();
    void trainingFurtherCountsThePicturesAnew();
    void inPlaceOfASubjectThatIsGoneNoneIsLearned();
    void aMomentStaysWithTheTrainingThatBeganFromIt();
    void nothingIsNeededOfTheRunItBeganFrom();
    void theFolderOfItsModelMayHaveAnyName();
    void momentsOfAnAddOnAreAddOns();
    void momentsOfAnAddOnAreCompared();
    void inALowWindowMomentsAndChartKeepTheirHeight();

private:
    /// Ended at step 80, with previews at every 20th and saved moments at 40 and 80. Known to the window.
    QString endedRun(const QString& name, core::TrainMethod method = core::TrainMethod::Full);
    /// Shows it and waits until it is read. @returns its row of moments
    MomentRow* shown(TrainPage& page, const QString& folder);
    static void chooseStep(const MomentRow& row, int64_t step);
    /// Goes on from step 40 of an ended run that has learned this dataset without its broken pictures.
    [[nodiscard]] const TrainSetup* furtherFromDataset(TrainPage& page, const QString& name,
                                                       const QString& dataset);
    /// Has the built-in model and two add-ons known that the run has saved, at steps 40 and 80.
    void knowAddOns(const QString& folder);
    /// Says in the form that the first one works with the model, and is compared with the second one.
    static void askForBoth(GeneratePage& page, const QString& first, const QString& second);
};

QString MomentsTest::endedRun(const QString& name, core::TrainMethod method) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 80);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.method = method;
    config.lora.rank = 2;
    config.lora.alpha = 4.0;
    [&] { QVERIFY(run->setConfig(config)); }();
    const auto journal = journalOf(folder);
    core::PlanEvent plan;
    plan.predicted.ramBytes = int64_t{3} << 29;
    journal->emit(plan);
    for (int64_t step = 20; step <= 80; step += 20) {
        journal->emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        const QString picture = folder + u"/samples/%1.png"_s.arg(step);
        QDir().mkpath(folder + u"/samples"_s);
        journal->emit(
            core::PreviewEvent{step, 0, writeTestPicture(picture, int(step), {64, 64}).toStdString()});
        if (step % 40 != 0) continue;
        writeCheckpoint(folder, step);
        journal->emit(core::CheckpointEvent{step, folder.toStdString() + "/checkpoints"});
    }
    core::OutcomeEvent outcome;
    outcome.result = "done";
    outcome.measured.residentBytes = int64_t{1} << 30;
    writeBytes(folder + u"/result/lora.safetensors"_s, "adapters");
    if (method == core::TrainMethod::Lora)
        outcome.resultPaths = {folder.toStdString() + "/result/lora.safetensors"};
    else
        QFile::link(builtInModel(), folder + u"/result/model"_s);
    journal->emit(outcome);
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->runs.find(folder) != nullptr); }();
    return folder;
}

MomentRow* MomentsTest::shown(TrainPage& page, const QString& folder) {
    page.resize(900, 600);
    page.setVisible(true);
    m_services->runs.show(folder);
    auto* row = page.findChild<MomentRow*>();
    [&] { QTRY_VERIFY(row->isVisible() && row->chosen()); }();
    return row;
}

void MomentsTest::chooseStep(const MomentRow& row, int64_t step) {
    auto* grid = row.findChild<ThumbnailGrid*>();
    const auto* model = static_cast<MomentModel*>(grid->model());
    QVERIFY(model->rowOf(step) >= 0);
    grid->setCurrentIndex(model->index(model->rowOf(step)));
    QCOMPARE(row.chosen()->step, step);
}

void MomentsTest::theEndIsChosenUntilSomebodyChoosesAnother() {
    const QString folder = endedRun("chosen");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    const ItemRules tester(*row->findChild<ThumbnailGrid*>()->model());
    QTRY_COMPARE(row->chosen()->step, int64_t{80});
    QVERIFY(row->chosen()->result);
    const QStringList texts = shownTexts(*row);
    QVERIFY2(texts.contains(u"Which moment is best?"_s), qPrintable(texts.join('|')));
    QVERIFY(texts.contains(u"Peak 1.0 GB, planned 1.5 GB"_s));
    QVERIFY(texts.contains(u"Copies the photos too closely? Choose an earlier one. Not like "
                           "it yet? Train further, or with other settings."_s));
    QSignalSpy wanted(&page, &TrainPage::picturesWanted);
    page.mainButton()->click();
    QCOMPARE(wanted.back()[0].toString(), folder + u"/result/model"_s);
    chooseStep(*row, 40);
    page.mainButton()->click();
    QCOMPARE(wanted.back()[0].toString(), folder + u"/checkpoints/step-000040"_s);
    QCOMPARE(wanted.back()[1].toString(), QString());
    QCOMPARE(wanted.back()[2].toString(), u"a photo of ohwx toy"_s);
    // What the disk says meanwhile changes no choice.
    QVERIFY(QDir(folder + u"/checkpoints/step-000080"_s).removeRecursively());
    QTest::qWait(600);
    QCOMPARE(row->chosen()->step, int64_t{40});
}

void MomentsTest::whatIsNotLikeItYetIsGoneOnWith() {
    const QString folder = endedRun("unlike");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    QTRY_COMPARE(row->chosen()->step, int64_t{80});
    const QPushButton* further = buttonNamed(page, u"Train further"_s);
    QVERIFY(further != nullptr);
    QTRY_COMPARE(further->toolTip(), u"40 more steps with the same settings"_s);
    const QString advice = u"Not like it yet?"_s;
    QVERIFY(!shownTexts(*row).filter(advice).isEmpty());
    chooseStep(*row, 40);
    QVERIFY(shownTexts(*row).filter(advice).isEmpty()); // it is the end that is gone on with
    QVERIFY(further->toolTip().contains(u"step 40"_s));
    QPushButton* other = buttonNamed(*row, u"Other settings"_s);
    QVERIFY(other != nullptr && other->isVisible());
    const auto* setup = page.findChild<TrainSetup*>();
    QVERIFY(!setup->isVisible());
    other->click();
    QVERIFY(setup->isVisible());
    QCOMPARE(page.mainButton()->text(), u"Start training"_s);
}

void MomentsTest::ofSketchesItIsSaidThatPhotosWantAnotherModel() {
    const QString folder = endedRun("sketches");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    QPushButton* other = buttonNamed(page, u"Train with another model"_s);
    QVERIFY(other != nullptr);
    QTRY_VERIFY(other->isVisible());
    QVERIFY(!shownTexts(page).filter(u"For photos train with another model"_s).isEmpty());
    other->click();
    QVERIFY(page.findChild<TrainSetup*>()->isVisible());
    QCOMPARE(page.mainButton()->text(), u"Start training"_s);
    // Whoever trained another one has it.
    const QString further = endedRun("no sketches");
    const auto run = core::RunFolder::open(further.toStdString());
    core::TrainConfig config = *run->config();
    config.model = (folder + u"/result/model"_s).toStdString();
    QVERIFY(run->setConfig(config));
    m_services->runs.show(further);
    page.showRun();
    QTRY_COMPARE(m_services->runs.current()->config().model, config.model);
    QTRY_VERIFY(row->isVisible() && row->chosen()->result);
    QVERIFY(!other->isVisible());
}

void MomentsTest::aMomentThatIsGoneMakesNoPictures() {
    const QString folder = endedRun("gone");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    chooseStep(*row, 20);
    QVERIFY(!page.mainButton()->isEnabled());
    QVERIFY(!shownTexts(*row).filter(u"Of step 20 only the picture is left"_s).isEmpty());
    const QModelIndex index = row->findChild<ThumbnailGrid*>()->currentIndex();
    QCOMPARE(index.data(Qt::AccessibleTextRole).toString(), u"step 20, not saved"_s);
    QVERIFY(QFileInfo::exists(index.data(PathRole).toString()));
    chooseStep(*row, 40);
    QVERIFY(page.mainButton()->isEnabled());
    QVERIFY(QDir(folder + u"/checkpoints/step-000040"_s).removeRecursively()); // to make room
    QTRY_VERIFY(!page.mainButton()->isEnabled());
}

void MomentsTest::previewsStandBesideTheChartsWhileItWorks() {
    const QString folder = endedRun("works");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    QPointer<ThumbnailGrid> strip;
    for (auto* grid : page.findChildren<ThumbnailGrid*>())
        if (grid->accessibleName() == u"Previews"_s) strip = grid;
    QVERIFY(strip && !strip->isVisible());
    auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(lock);
    QTRY_VERIFY(!row->isVisible());
    QVERIFY(strip->isVisible());
    QVERIFY(!row->chosen());
}

void MomentsTest::previewsAreWalkedThroughInLarge() {
    const QString folder = endedRun("larger");
    writeCheckpoint(folder, 50); // a step without a preview
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Train);
    auto* page = static_cast<TrainPage*>(window.page(PageId::Train));
    const MomentRow* row = shown(*page, folder);
    const auto preview = [&folder](int step) { return folder + u"/samples/%1.png"_s.arg(step); };
    auto* moments = row->findChild<ThumbnailGrid*>();
    QTRY_COMPARE(moments->model()->rowCount(), 5);
    chooseStep(*row, 50);
    Q_EMIT moments->opened(moments->currentIndex());
    auto* large = window.findChild<LargeView*>();
    QVERIFY(!large->isVisible());
    chooseStep(*row, 40);
    Q_EMIT moments->opened(moments->currentIndex());
    QCOMPARE(large->path(), preview(40));
    QTest::keyClick(large, Qt::Key_Right);
    QCOMPARE(large->path(), preview(60));
    QTest::keyClick(large, Qt::Key_Home);
    QCOMPARE(large->path(), preview(20));
    QTRY_VERIFY2(large->accessibleDescription().startsWith(u"Preview at step 20"_s),
                 qPrintable(large->accessibleDescription()));
    large->leave();
    buttonNamed(*page, u"Larger"_s)->click(); // beside the charts, while it works
    QCOMPARE(large->path(), preview(80));
}

void MomentsTest::previewsElsewhereArePointedTo() {
    const QString words = u"the picture after it is on a beach"_s;
    const QString others = u"its pictures of the other prompts come after it"_s;
    for (const char* one : {"home", "beach", "no beach", "home and away"}) { // "no beach": not made
        const QString name = QLatin1String(one);
        const bool elsewhere = name.endsWith(u"beach"_s);
        const bool made = name == u"beach"_s || name == u"home and away"_s;
        const QString folder = endedRun(name);
        const std::string picture = folder.toStdString() + "/samples/80.png";
        if (made) journalOf(folder)->emit(core::PreviewEvent{80, 1, picture});
        const auto run = core::RunFolder::open(folder.toStdString());
        core::TrainConfig config = *run->config();
        config.output.previewPrompt = elsewhere ? "a dog | a dog on a beach" : "a dog | a duck";
        config.output.previewCount = 2;
        QVERIFY(run->setConfig(config));
        TrainPage page(m_services->all());
        const MomentRow* row = shown(page, folder);
        QTRY_COMPARE(row->chosen()->step, int64_t{80});
        QCOMPARE(shownTexts(*row).filter(words).size(), made && elsewhere ? 1 : 0);
        QCOMPARE(shownTexts(*row).filter(others).size(), made && !elsewhere ? 1 : 0);
    }
}

void MomentsTest::aTrainingThatIsNotDoneIsGoneOnWithFirst() {
    const QString folder = endedRun("stopped");
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 0}); // once more
    journal->emit(core::OutcomeEvent{"cancelled", {}, {}, 5, "", ""});
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    QTRY_COMPARE(page.mainButton()->text(), u"Resume"_s);
    QTRY_COMPARE(row->chosen()->step, int64_t{80});
    QPushButton* pictures = buttonNamed(page, u"Make pictures"_s);
    QVERIFY(pictures != nullptr && pictures->isVisible() && pictures->isEnabled());
    QCOMPARE(page.mainButton()->property(kLookProperty).toString(), u"primary"_s);
    QVERIFY(pictures->property(kLookProperty).toString() != u"primary"_s);
    QSignalSpy wanted(&page, &TrainPage::picturesWanted);
    pictures->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.back()[0].toString(), folder + u"/checkpoints/step-000080"_s);
    chooseStep(*row, 40);
    QCOMPARE(page.mainButton()->text(), u"Train further"_s); // from there
    pictures->click();
    QCOMPARE(wanted.back()[0].toString(), folder + u"/checkpoints/step-000040"_s);
    chooseStep(*row, 20);
    QVERIFY(pictures->isVisible() && !pictures->isEnabled()); // only its picture is left
    m_services->runs.dismiss();
}

void MomentsTest::trainingFurtherBeginsWithTheChosenMoment() {
    const QString folder = endedRun("further");
    m_services->models.refresh();
    const QString checkpoint = folder + u"/checkpoints/step-000040"_s;
    QTRY_VERIFY(m_services->models.moment(checkpoint) != nullptr);
    TrainPage page(m_services->all());
    chooseStep(*shown(page, folder), 40);
    auto* further = buttonNamed(page, u"Train further"_s);
    QVERIFY(further != nullptr && further->isEnabled());
    further->click();
    const auto chosenList = [&page]() -> QComboBox* {
        for (auto* box : page.findChildren<QComboBox*>())
            if (box->currentText() == u"further, step 40"_s) return box;
        return nullptr;
    };
    QTRY_VERIFY(chosenList() != nullptr);
    const QComboBox* models = chosenList();
    QCOMPARE(models->currentData().toString(), momentFolder(checkpoint));
    QVERIFY(models->isVisible()); // the form is there, whose settings may be other ones
    const ModelEntry* shape = m_services->models.shapeOf(momentFolder(checkpoint));
    QVERIFY(shape != nullptr);
    QCOMPARE(shape->path, folder + u"/result/model"_s);
}

const TrainSetup* MomentsTest::furtherFromDataset(TrainPage& page, const QString& name,
                                                  const QString& dataset) {
    const QString folder = endedRun(name);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.mode = core::TrainMode::Dataset;
    config.data.instanceDir.clear();
    config.data.instancePrompt.clear();
    config.data.datasetDir = dataset.toStdString();
    config.data.skipBrokenImages = true;
    const auto* setup = page.findChild<TrainSetup*>();
    const auto goOn = [&] {
        QVERIFY(run->setConfig(config));
        m_services->models.refresh();
        QTRY_VERIFY(m_services->models.moment(folder + u"/checkpoints/step-000040"_s) != nullptr);
        chooseStep(*shown(page, folder), 40);
        QTRY_COMPARE(m_services->runs.current()->config().data.datasetDir, config.data.datasetDir);
        buttonNamed(page, u"Train further"_s)->click();
        QTRY_COMPARE(setup->order().config.data.datasetDir, config.data.datasetDir);
    };
    goOn();
    return setup;
}

void MomentsTest::trainingFurtherLeavesOutWhatWasLeftOut() {
    TrainPage page(m_services->all());
    const QString away = m_place.path("birds"); // where nothing can be counted
    const TrainSetup* setup = furtherFromDataset(page, u"skips"_s, away);
    lookPool().waitForDone();
    QCoreApplication::processEvents();
    QVERIFY(setup->order().config.data.skipBrokenImages);
}

void MomentsTest::trainingFurtherCountsThePicturesAnew() {
    const QString folder = m_place.path("counted");
    QDir().mkpath(folder);
    for (const char* name : {"/1.png", "/2.png", "/3.png"})
        writeTestPicture(folder + QLatin1String(name), 1, {64, 64});
    TrainPage page(m_services->all());
    const TrainSetup* setup = furtherFromDataset(page, u"counts"_s, folder);
    QTRY_COMPARE(shownTexts(*setup).filter(u"each picture about"_s).size(), qsizetype{3});
    QVERIFY(!setup->order().config.data.skipBrokenImages); // none is broken any more
}

void MomentsTest::inPlaceOfASubjectThatIsGoneNoneIsLearned() {
    const auto add = [this](const QString& name) {
        const QString photo = writeTestPicture(m_place.path(name + u".png"_s), 1);
        return m_services->subjects.addFromPhotos({photo}, name);
    };
    const int64_t lamp = add(u"lamp"_s);
    const int64_t robot = add(u"robot"_s);
    const QString folder = endedRun("without it");
    core::RunRecord record = *m_services->runs.find(folder);
    record.subjects = {robot};
    m_services->library.write([record](core::Library& library) { return core::saveRun(library, record); });
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_COMPARE(m_services->runs.find(folder)->subjects, record.subjects);
    m_services->subjects.remove(robot);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.moment(folder + u"/checkpoints/step-000040"_s) != nullptr);
    TrainPage page(m_services->all());
    const auto* setup = page.findChild<TrainSetup*>();
    QCOMPARE(setup->order().title, u"lamp"_s);
    chooseStep(*shown(page, folder), 40);
    buttonNamed(page, u"Train further"_s)->click();
    QTRY_VERIFY(page.messages().currentText().contains(u"is no longer here"_s));
    QVERIFY(setup->order().subjects.empty());
    QVERIFY(shownTexts(*setup).contains(u"Choose what to learn."_s));
    page.prepareSubject(lamp); // chosen by hand
    QCOMPARE(setup->order().title, u"lamp"_s);
    m_services->subjects.remove(lamp);
}

void MomentsTest::aMomentStaysWithTheTrainingThatBeganFromIt() {
    const QString folder = endedRun("kept");
    const QString checkpoint = folder + u"/checkpoints/step-000040"_s;
    const auto model = momentModel(checkpoint, builtInModel());
    QVERIFY(model);
    RunOrder order;
    order.title = u"from a moment"_s;
    order.config.model = model->toStdString();
    order.config.data.instanceDir = "/photos";
    order.config.data.instancePrompt = "a photo of ohwx toy";
    const auto made = makeRun(order, m_services->settings.runsFolder());
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    const QByteArray weights = bytesOf(checkpoint + u"/unet.safetensors"_s);
    QVERIFY(QDir(momentFolder(checkpoint)).removeRecursively());
    QVERIFY(QDir(checkpoint).removeRecursively());
    const auto config = core::RunFolder::open(made->toStdString())->config();
    QCOMPARE(QString::fromStdString(config->model), *made + u"/base"_s);
    QCOMPARE(bytesOf(*made + u"/base/unet/diffusion_pytorch_model.safetensors"_s), weights);
    QVERIFY(QFileInfo::exists(*made + u"/base/unet/config.json"_s));
    QVERIFY(QFileInfo::exists(*made + u"/base/vae/config.json"_s));
    QVERIFY(QFileInfo::exists(*made + u"/base/model_index.json"_s));
}

void MomentsTest::nothingIsNeededOfTheRunItBeganFrom() {
    const QString folder = endedRun("left");
    const QString model = folder + u"/result/model"_s;
    QVERIFY(QFile::remove(model)); // a link to the built-in one
    for (const char* file :
         {"/model_index.json", "/unet/config.json", "/vae/config.json", "/vae/deeper/x.json"})
        writeBytes(model + QLatin1String(file), "{}");
    const auto moment = momentModel(folder + u"/checkpoints/step-000040"_s, model);
    QVERIFY(moment);
    const QString run = m_place.path("stays");
    QVERIFY(keptModel(moment->toStdString(), run, [] { return true; }));
    QVERIFY(QDir(folder).removeRecursively());
    for (const char* file : {"/model_index.json", "/unet/config.json", "/vae/config.json",
                             "/vae/deeper/x.json", "/unet/diffusion_pytorch_model.safetensors"})
        QVERIFY2(QFileInfo::exists(run + u"/base"_s + QLatin1String(file)), file);
}

void MomentsTest::theFolderOfItsModelMayHaveAnyName() {
    const QString folder = endedRun("named");
    const QString base = m_place.path("models/checkpoints/mine");
    for (const char* file : {"/model_index.json", "/unet/config.json", "/vae/config.json"})
        writeBytes(base + QLatin1String(file), "{}");
    const auto model = momentModel(folder + u"/checkpoints/step-000040"_s, base);
    QVERIFY(model);
    const QString run = m_place.path("from there");
    const auto kept = keptModel(model->toStdString(), run, [] { return true; });
    QVERIFY2(kept, kept ? "" : kept.error().text().c_str());
    QVERIFY(QFileInfo::exists(run + u"/base/vae/config.json"_s));
}

void MomentsTest::momentsOfAnAddOnAreAddOns() {
    const QString folder = endedRun("add-on", core::TrainMethod::Lora);
    const QString checkpoint = folder + u"/checkpoints/step-000040"_s;
    QVERIFY(QFile::remove(checkpoint + u"/unet.safetensors"_s));
    writeAdapters(checkpoint);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.moment(checkpoint) != nullptr);
    QVERIFY(m_services->models.moment(checkpoint)->lora);
    // The file is what every program reads.
    core::Result<QStringList> usable = QStringList();
    bool answered = false;
    m_services->models.findUsable({checkpoint}, this, [&](const core::Result<QStringList>& files) {
        usable = files;
        answered = true;
    });
    QTRY_VERIFY(answered);
    QVERIFY2(usable, usable ? "" : usable.error().text().c_str());
    const auto lora = core::openLora(usable->front().toStdString());
    QVERIFY2(lora, lora ? "" : lora.error().text().c_str());
    QCOMPARE(lora->modules.size(), size_t{1});
    QCOMPARE(lora->modules[0].name.path, std::string(kModule));
    QCOMPARE(lora->modules[0].alpha, 4.0);
    // It is offered and asked for as an add-on, and trained further from its end alone.
    LoraRows rows(m_services->models);
    rows.setLoras({{checkpoint.toStdString(), 1.0}});
    QCOMPARE(rows.loras().size(), size_t{1});
    QCOMPARE(QString::fromStdString(rows.loras()[0].file), checkpoint);
    TrainPage page(m_services->all());
    chooseStep(*shown(page, folder), 40);
    QVERIFY(!buttonNamed(page, u"Train further"_s)->isEnabled());
    QSignalSpy wanted(&page, &TrainPage::picturesWanted);
    page.mainButton()->click();
    QCOMPARE(wanted.back()[0].toString(), builtInModel());
    QCOMPARE(wanted.back()[1].toString(), checkpoint);
}

void MomentsTest::knowAddOns(const QString& folder) {
    const QStringList checkpoints{folder + u"/checkpoints/step-000040"_s,
                                  folder + u"/checkpoints/step-000080"_s};
    for (const QString& checkpoint : checkpoints) {
        QVERIFY(QFile::remove(checkpoint + u"/unet.safetensors"_s));
        writeAdapters(checkpoint);
    }
    ModelShelf& models = m_services->models;
    models.refresh();
    for (const QString& checkpoint : checkpoints) QTRY_VERIFY(models.moment(checkpoint) != nullptr);
    QTRY_VERIFY(models.find(builtInModel()) != nullptr && models.find(builtInModel())->looked);
}

void MomentsTest::askForBoth(GeneratePage& page, const QString& first, const QString& second) {
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel(), first);
    core::SampleConfig config = form->config();
    config.loras.front().weight = 0.7;
    config.prompt = "a photo of ohwx hat";
    form->setConfig(config);
    form->setCount(1);
    auto* choice = page.findChild<ModelChoice*>();
    choice->setComparing(true);
    for (auto* box : choice->findChildren<QComboBox*>())
        if (const int at = box->findData(second); at >= 0) box->setCurrentIndex(at);
}

void MomentsTest::momentsOfAnAddOnAreCompared() {
    QVERIFY(useEngine(m_place, kPictureEngine));
    qputenv("PICTURE", writeTestPicture(m_place.path("made.png"), 1, {64, 64}).toUtf8());
    const QString folder = endedRun("hat", core::TrainMethod::Lora);
    const QString early = folder + u"/checkpoints/step-000040"_s;
    const QString late = folder + u"/checkpoints/step-000080"_s;
    knowAddOns(folder);
    const ModelShelf& models = m_services->models;
    GeneratePage page(m_services->all());
    page.resize(1024, 600);
    page.show();
    askForBoth(page, early, early);
    auto* choice = page.findChild<ModelChoice*>();
    for (const bool on : {false, true}) choice->setComparing(on);
    QCOMPARE(choice->otherPath() + choice->otherAddOn(), builtInModel()); // not with itself
    askForBoth(page, early, late);
    QSignalSpy begun(&m_services->generator, &Generator::begun);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.mainButton()->click();
    QTRY_COMPARE(ended.size(), 2);
    const auto first = begun[0][0].value<core::SampleConfig>();
    const auto second = begun[1][0].value<core::SampleConfig>();
    QCOMPARE(second.model, first.model);
    QCOMPARE(second.seed, first.seed);
    QCOMPARE(first.loras.size(), size_t{1});
    QCOMPARE(second.loras.size(), size_t{1}); // in place of the other one, with its weight
    QCOMPARE(QString::fromStdString(first.loras[0].file), momentLoraFile(early));
    QCOMPARE(QString::fromStdString(second.loras[0].file), momentLoraFile(late));
    QCOMPARE(second.loras[0].weight, 0.7);
    QStringList heads;
    for (const auto* head : page.findChild<CompareView*>()->findChildren<ElidedLabel*>())
        heads.append(head->fullText());
    for (const QString& moment : {early, late})
        QVERIFY2(heads.contains(u"%1 + %2"_s.arg(models.nameOf(builtInModel()), models.nameOf(moment))),
                 qPrintable(heads.join('|')));
}

void MomentsTest::inALowWindowMomentsAndChartKeepTheirHeight() {
    const QString folder = endedRun("low");
    TrainPage page(m_services->all());
    const MomentRow* row = shown(page, folder);
    page.resize(900, 430); // of 960 x 540, without menu and job bar
    const auto* grid = row->findChild<ThumbnailGrid*>();
    const QLabel* note = nullptr;
    for (const auto* label : row->findChildren<QLabel*>())
        if (label->text().startsWith(u"Copies the photos"_s)) note = label;
    QVERIFY(note != nullptr);
    QTRY_VERIFY(note->geometry().top() > grid->geometry().bottom());
    QTRY_VERIFY(page.findChild<LossChart*>()->height() >= 110);
}

HOMEBOOTH_APP_TEST_MAIN(MomentsTest)
#include "tst_moments.moc"

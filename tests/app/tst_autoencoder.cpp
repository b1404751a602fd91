// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A new model's autoencoder, made from the window: what is asked for, what does not apply to it, and what
// comes after it. An engine of a few lines plans.
#include "app/engine/plans/plan_savings.h"
#include "app/engine/plans/setting_clashes.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/settings/settings.h"
#include "app/widgets/parts.h"
#include "core/base/config/parallel_check.h"
#include "core/base/config/train_config_json.h"
#include "model_fixture.h"

#include <QComboBox>
#include <QRadioButton>

using namespace homebooth;
using namespace homebooth::app;

class AutoencoderTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void everyQualityIsAValidConfiguration_data();
    void everyQualityIsAValidConfiguration();
    void whatItDoesNotHaveIsHidden();
    void processesShareAllButTheModel();
    void theFormAsksForIt();
    void theFormIsAsItWasAfterARestart();
    void withoutOneAPicturesModelIsRefused();
    void whatHasLearnedNoPicturesMakesNone();
    void thePicturesModelComesNext();

private:
    /// The built-in model without the weights of a part. @returns its folder
    QString shapeWithout(const QString& part);
    QString picturesFolder();
    /// Of an autoencoder: ended at step 40, with previews at 20 and 40. @returns its folder
    QString endedRun();
    void knows(const QString& path);
};

namespace {

constexpr const char* kEngine = R"sh(#!/bin/bash
echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5,"resultBytes":7,"diskBytes":29}'
)sh";

TrainingChoice autoencoderChoice() {
    TrainingChoice choice;
    choice.model = u"/models/sketch"_s;
    choice.datasetFolder = u"/birds"_s;
    choice.scratch = choice.autoencoder = true;
    return choice;
}

core::TrainConfig planned(const TrainingChoice& choice) {
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    return config;
}

QRadioButton& radio(const QWidget& root, const QString& text) {
    for (auto* one : root.findChildren<QRadioButton*>())
        if (one->text() == text) return *one;
    qFatal("no such choice");
}

bool saysInOneLine(const QWidget& root, const QString& part) {
    for (const auto* label : root.findChildren<ElidedLabel*>())
        if (label->fullText().contains(part)) return true;
    return false;
}

bool shows(const QWidget& form, const char* name) {
    for (auto* one : form.findChildren<QWidget*>())
        if (one->accessibleName() == QLatin1String(name)) return !one->isHidden();
    return false;
}

} // namespace

void AutoencoderTest::init() {
    m_place.removeLibrary();
    beginAgain();
    m_services->settings.set(keys::kTrain, QString());
    QVERIFY(useEngine(m_place, kEngine));
    m_services->models.refresh();
    knows(builtInModel());
}

void AutoencoderTest::knows(const QString& path) {
    QTRY_VERIFY(m_services->models.find(path) != nullptr && m_services->models.find(path)->looked);
}

QString AutoencoderTest::shapeWithout(const QString& part) {
    const QString folder = m_place.path(u"no "_s + part);
    if (QFileInfo::exists(folder)) return folder;
    QString shape = changedModel(folder, part + u"/config.json"_s, {});
    QFile::remove(shape + '/' + part + u"/diffusion_pytorch_model.safetensors"_s); // a link
    return shape;
}

QString AutoencoderTest::picturesFolder() {
    const QString folder = m_place.path("birds");
    QDir().mkpath(folder);
    writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
    writeBytes(folder + u"/a.txt"_s, "a tit");
    return folder;
}

void AutoencoderTest::everyQualityIsAValidConfiguration_data() {
    QTest::addColumn<int>("quality");
    QTest::addColumn<bool>("large");
    for (const int quality : {0, 1, 2})
        for (const bool large : {false, true})
            QTest::addRow("%d %s", quality, large ? "large" : "small") << quality << large;
}

void AutoencoderTest::everyQualityIsAValidConfiguration() {
    QFETCH(int, quality);
    QFETCH(bool, large);
    TrainingChoice choice = autoencoderChoice();
    choice.quality = static_cast<Quality>(quality);
    if (large) {
        choice.family = core::ModelFamily::StableDiffusion1;
        choice.modelPixels = 512;
    }
    // Whatever was chosen for a pictures model: the engine would refuse a first size of crops.
    choice.expert.insert(u"data.startResolutionPixels"_s, u"32"_s);
    const core::TrainConfig config = planned(choice);
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
    QCOMPARE(config.mode, core::TrainMode::FromScratch);
    QCOMPARE(config.scratch.component, "vae");
    QCOMPARE(config.scratch.configDir, "/models/sketch");
    QVERIFY(learnsAutoencoder(config));
    TrainingChoice pictures = choice;
    pictures.autoencoder = false;
    QVERIFY(!learnsAutoencoder(planned(pictures)));
    QCOMPARE(planned(pictures).scratch.component, "unet");
    QVERIFY(speedKey(config) != speedKey(planned(pictures))); // their steps take other times
    pictures.scratch = false;
    pictures.autoencoder = true; // of a choice that is hidden
    QVERIFY(!learnsAutoencoder(planned(pictures)));
}

void AutoencoderTest::whatItDoesNotHaveIsHidden() {
    ExpertForm form;
    core::TrainConfig config = trainConfigOf(autoencoderChoice());
    const QList<const char*> others{
        "Pictures without words",  "Picture size at first", "Tags in any order", "When pictures are prepared",
        "Learning speed of words", "Even out noise levels", "Darker darks",      "Where the model waits"};
    config.scratch.component = "unet";
    form.setDefaults(config);
    for (const char* name : others) QVERIFY2(shows(form, name), name);
    form.setChange(u"loss.noiseOffset"_s, u"0.05"_s);
    config.scratch.component = "vae";
    form.setDefaults(config);
    for (const char* name : others) QVERIFY2(!shows(form, name), name);
    for (const char* name : {"Steps", "Learning speed", "Picture size", "Also mirrored", "Pictures held out",
                             "Number format", "Average of the past", "Seed"})
        QVERIFY2(shows(form, name), name);
    QVERIFY(form.changes().isEmpty()); // it counts again for a pictures model
}

void AutoencoderTest::processesShareAllButTheModel() {
    TrainingChoice choice = autoencoderChoice();
    for (const auto& [path, value] : {std::pair("parallel.processes", "3"), std::pair("parallel.zero", "3")})
        choice.expert.insert(QLatin1String(path), QLatin1String(value));
    QVERIFY(!core::checkParallel(planned(choice)));
    const std::vector<SettingClash> clashes = settingClashes(planned(choice), 8);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, u"parallel.zero"_s);
    choice = clashes[0].remedy.applied(choice);
    QVERIFY(core::checkParallel(planned(choice)).ok());
    QCOMPARE(planned(choice).parallel.zero, int64_t{2});
    PlanFacts full;
    full.verdict = PlanFacts::Verdict::DoesNotFit;
    for (const PlanChange& change : savingsOf(choice, planned(choice), full))
        QVERIFY2(change.expert.value(u"parallel.zero"_s) != QLatin1String("3"), qPrintable(change.label));
}

void AutoencoderTest::theFormAsksForIt() {
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, picturesFolder());
    QRadioButton& autoencoder = radio(setup, u"Autoencoder"_s);
    QVERIFY(autoencoder.parentWidget()->isHidden());
    radio(setup, u"A new model from scratch"_s).setChecked(true);
    QVERIFY(!autoencoder.parentWidget()->isHidden() && !autoencoder.isChecked());
    QTRY_VERIFY(setup.ready());
    QCOMPARE(setup.order().config.scratch.component, "unet");
    autoencoder.setChecked(true);
    QTRY_VERIFY(setup.ready());
    QVERIFY(learnsAutoencoder(setup.order().config));
    QVERIFY(core::validate(setup.order().config).ok());
    QVERIFY(!shows(*setup.findChild<ExpertForm*>(), "Darker darks"));
    QCOMPARE(shownTexts(setup).filter(u"shape of its autoencoder"_s).size(), 1);
    radio(setup, u"Whole model"_s).setChecked(true); // that model learns further
    QVERIFY(autoencoder.parentWidget()->isHidden());
    QCOMPARE(setup.order().config.mode, core::TrainMode::Dataset);
}

void AutoencoderTest::theFormIsAsItWasAfterARestart() {
    const QString folder = picturesFolder();
    {
        TrainSetup setup(m_services->all());
        setup.setDataset(u"birds"_s, folder, /*scratch=*/true);
        setup.setAutoencoder(true);
    }
    const TrainSetup setup(m_services->all());
    QVERIFY(radio(setup, u"Autoencoder"_s).isChecked());
}

void AutoencoderTest::withoutOneAPicturesModelIsRefused() {
    const QString shape = shapeWithout(u"vae"_s);
    QVERIFY(!modelFacts(shape).packsPictures && modelFacts(shape).drawsPictures);
    m_services->models.import(shape, /*shapeSuffices=*/true);
    QTRY_VERIFY(m_services->models.find(shape) != nullptr);
    knows(shape);
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, picturesFolder(), /*scratch=*/true);
    setup.setModel(shape);
    const QString reason = u"Its autoencoder has not learned yet"_s;
    QCOMPARE(shownTexts(*setup.findChild<PlanPanel*>()).filter(reason).size(), 1);
    QVERIFY(!setup.ready());
    QPushButton* remedy = buttonNamed(setup, u"Train the autoencoder"_s);
    QVERIFY(remedy != nullptr);
    remedy->click();
    QTRY_VERIFY(setup.ready());
    QVERIFY(learnsAutoencoder(setup.order().config));
    QCOMPARE(QString::fromStdString(setup.order().config.scratch.configDir), shape);
}

void AutoencoderTest::whatHasLearnedNoPicturesMakesNone() {
    const QString shape = shapeWithout(u"unet"_s);
    QSignalSpy refused(&m_services->models, &ModelShelf::refused);
    m_services->models.import(shape); // as a model it is not whole
    QTRY_COMPARE(refused.size(), 1);
    QVERIFY(m_services->models.find(shape) == nullptr);
    m_services->models.import(shape, /*shapeSuffices=*/true);
    QTRY_VERIFY(m_services->models.find(shape) != nullptr);
    knows(shape);
    const ModelChoice choice(m_services->models);
    for (const auto* box : choice.findChildren<QComboBox*>()) QCOMPARE(box->findData(shape), -1);
    PageOfModel page(*m_services, m_services->models.find(shape)->name);
    QVERIFY(buttonNamed(page, u"Make pictures"_s)->isHidden());
    QVERIFY(!page.offers(Page::Command::Export)); // its button is hidden, too
    choose(page, u"Sketch (built in)"_s);
    QVERIFY(!buttonNamed(page, u"Make pictures"_s)->isHidden());
    QVERIFY(page.offers(Page::Command::Export));
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, picturesFolder());
    setup.setModel(shape);
    QVERIFY(!setup.ready());
    QPushButton* remedy = buttonNamed(setup, u"Train a new model from scratch"_s);
    QVERIFY(remedy != nullptr);
    remedy->click();
    QTRY_VERIFY(setup.ready());
    QCOMPARE(setup.order().config.mode, core::TrainMode::FromScratch);
}

QString AutoencoderTest::endedRun() {
    core::TrainConfig config = trainConfigOf(autoencoderChoice());
    config.model = config.scratch.configDir = builtInModel().toStdString();
    config.data.datasetDir = picturesFolder().toStdString(); // which is not in the list
    config.data.background = core::colourText(0x203040);
    config.data.skipBrokenImages = true; // and one is broken
    writeBytes(picturesFolder() + u"/broken.png"_s, "no picture");
    const QString folder = m_services->settings.runsFolder() + u"/birds"_s;
    config.output.runDir = folder.toStdString();
    QDir().mkpath(m_services->settings.runsFolder());
    [&] { QVERIFY(core::RunFolder::create(config.output.runDir, config)); }();
    for (const char* part : {"/result", "/samples"}) QDir().mkpath(folder + QLatin1String(part));
    QFile::link(shapeWithout(u"unet"_s), folder + u"/result/model"_s);
    const auto journal = journalOf(folder);
    core::StepEvent step;
    step.step = 40;
    step.loss = 0.1;
    step.lossParts = {{"divergence", 0.0012}, {"edges", 0.0388}, {"pixels", 0.06}};
    journal->emit(step);
    for (const int64_t at : {20, 40}) {
        const QString picture = folder + u"/samples/%1.png"_s.arg(at);
        journal->emit(core::PreviewEvent{at, 0, writeTestPicture(picture, int(at), {64, 64}).toStdString()});
    }
    journal->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    return folder;
}

void AutoencoderTest::thePicturesModelComesNext() {
    const QString folder = endedRun();
    const QString result = folder + u"/result/model"_s;
    TrainPage page(m_services->all());
    page.setVisible(true);
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    m_services->runs.show(folder);
    const auto next = [&page] { return buttonNamed(page, u"Train a pictures model"_s); };
    QTRY_VERIFY(next() != nullptr && next()->isEnabled());
    QVERIFY(saysInOneLine(page, u"An autoencoder, in Models"_s));
    QTRY_COMPARE(page.pictures().size(), 2);
    QVERIFY(page.findChild<MomentRow*>()->isHidden()); // there is nothing to choose from
    QTRY_COMPARE(shownTexts(page).filter(u"Left a picture"_s).size(), 1);
    const QString parts = u"Now pixels 0.06 + edges 0.0388 + spread 0.0012"_s;
    QTRY_COMPARE(shownTexts(page).filter(parts).size(), 1);
    knows(result);
    next()->click();
    const auto* setup = page.findChild<TrainSetup*>();
    QTRY_VERIFY(setup->ready());
    const core::TrainConfig top = setup->order().config;
    QCOMPARE(top.scratch.component, "unet");
    QCOMPARE(QString::fromStdString(top.scratch.configDir), result);
    QCOMPARE(QString::fromStdString(top.data.datasetDir), picturesFolder());
    QCOMPARE(top.data.background, core::colourText(0x203040));
    QVERIFY(top.data.skipBrokenImages);
}

HOMEBOOTH_APP_TEST_MAIN(AutoencoderTest)
#include "tst_autoencoder.moc"

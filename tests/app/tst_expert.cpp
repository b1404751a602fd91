// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expert settings that make sense for some trainings alone: of datasets, of models that predict v, and those
// that the engine takes only together.
#include "app/engine/plans/setting_clashes.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app_files.h"
#include "core/base/config/train_config_json.h"
#include "model_records.h"

#include <QComboBox>
#include <QRadioButton>

using namespace homebooth;
using namespace homebooth::app;

class ExpertTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void datasetsHaveSettingsOfTheirOwn();
    void brokenPicturesMayBeSkipped();
    void weightsBesideAnAddOnMayTakeLess();
    void whatHangsOnAnotherSettingComesWithIt();
    void aFirstSizeBringsItsSteps();
    void aFirstSizeAndItsStepsGoTogether_data();
    void aFirstSizeAndItsStepsGoTogether();
    void whatTheEngineRefusesIsMendedByTheRemedy_data();
    void whatTheEngineRefusesIsMendedByTheRemedy();
    void aSizeThatTheModelCannotTakeIsMended_data();
    void aSizeThatTheModelCannotTakeIsMended();
    void aClashIsToldUnderItsFieldAndBesideStart();
    void tabComesToTheRemedyBehindItsField();
    void columnsAreTakenAsTyped();
    void addOnsPredictWhatTheirModelDoes();
    void theModelSaysWhatItPredicts();
    void whatIsPredictedCanBeChosen();
    void noiseAloneNeedsVelocity_data();
    void noiseAloneNeedsVelocity();
    void noiseAloneIsMendedInTheForm();

private:
    /// Makes a model known to the window and waits until it was looked at.
    void know(const QString& path);
    /// The built-in model as if it predicted noise. @returns its folder
    QString noiseModel();
};

namespace {

constexpr const char* kNoiseAlone = "Begin with noise alone";
constexpr const char* kPredicted = "What is predicted";

/// The field with this name, be it typed or chosen.
QWidget* fieldOf(const QWidget& form, const char* name) {
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return fieldNamed(form, QLatin1String(name));
}

/// Whatever size the model turns out to have by then, a typed one holds.
QLineEdit* typeInto(const QWidget& form, const QString& name, const QString& text) {
    QLineEdit* field = fieldNamed(form, name);
    field->setText(text);
    Q_EMIT field->editingFinished();
    return field;
}

bool shows(const QWidget& form, const char* name) {
    const QWidget* field = fieldOf(form, name);
    return field != nullptr && !field->isHidden();
}

core::TrainConfig datasetConfig() {
    core::TrainConfig config;
    config.mode = core::TrainMode::Dataset;
    return config;
}

TrainingChoice photoChoice() {
    TrainingChoice choice;
    choice.model = u"/models/sketch"_s;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.classes = QStringList{u"a photo of a toy"_s};
    choice.photoFolder = u"/photos"_s;
    return choice;
}

} // namespace

void ExpertTest::know(const QString& path) {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    core::ModelRecord record = modelRecord(QFileInfo(path).fileName(), path);
    m_services->models.put(record);
    m_services->models.refresh();
    const auto looked = [this](const QString& one) {
        const ModelEntry* model = m_services->models.find(one);
        return model != nullptr && model->looked;
    };
    QTRY_VERIFY(looked(path) && looked(builtInModel()));
}

QString ExpertTest::noiseModel() {
    const QString folder = m_place.path("noise");
    return changedModel(folder, u"scheduler/scheduler_config.json"_s, {{"\"v_prediction\"", "\"epsilon\""}});
}

void ExpertTest::datasetsHaveSettingsOfTheirOwn() {
    ExpertForm form;
    const QList<const char*> names{"Where captions stand", "Tags in any order", "Pictures held out",
                                   "When pictures are prepared"};
    form.setDefaults({});
    for (const char* name : names) QVERIFY2(!shows(form, name), name);
    form.setChange(u"data.validationShare"_s, u"0.1"_s);
    QVERIFY(form.changes().isEmpty()); // the engine would refuse it for photos
    for (const core::TrainMode mode : {core::TrainMode::Dataset, core::TrainMode::FromScratch}) {
        core::TrainConfig config;
        config.mode = mode;
        form.setDefaults(config);
        for (const char* name : names) QVERIFY2(shows(form, name), name);
        QCOMPARE(form.changes().value(u"data.validationShare"_s), u"0.1"_s);
    }
}

void ExpertTest::brokenPicturesMayBeSkipped() {
    ExpertForm form;
    for (const core::TrainConfig& config : {core::TrainConfig(), datasetConfig()}) {
        form.setDefaults(config);
        QVERIFY(shows(form, "Skip broken pictures"));
    }
    auto* box = qobject_cast<QComboBox*>(fieldOf(form, "Skip broken pictures"));
    QVERIFY(box != nullptr);
    QCOMPARE(box->currentText(), u"no"_s);
    TrainingChoice choice = photoChoice();
    QVERIFY(!trainConfigOf(choice).data.skipBrokenImages);
    box->setCurrentIndex(box->findText(u"yes"_s));
    choice.expert = form.changes();
    QVERIFY(trainConfigOf(choice).data.skipBrokenImages);
}

void ExpertTest::weightsBesideAnAddOnMayTakeLess() {
    constexpr const char* kBeside = "Weights beside the add-on";
    const QString path = u"quantization"_s;
    ExpertForm form;
    core::TrainConfig config;
    config.method = core::TrainMethod::Full;
    form.setDefaults(config);
    QVERIFY(!shows(form, kBeside)); // all learn
    config.method = core::TrainMethod::Lora;
    form.setDefaults(config);
    QVERIFY(shows(form, kBeside));
    auto* box = qobject_cast<QComboBox*>(fieldOf(form, kBeside));
    QVERIFY(box != nullptr && box->isEnabled());
    QCOMPARE(box->currentText(), u"as they are"_s);
    box->setCurrentIndex(box->findText(u"in 8 bits"_s));
    QCOMPARE(form.changes().value(path), u"int8"_s);
    config.method = core::TrainMethod::Full;
    form.setDefaults(config);
    QVERIFY(!form.changes().contains(path)); // the engine would refuse it
    QCOMPARE(form.allChanges().value(path), u"int8"_s);
}

void ExpertTest::whatHangsOnAnotherSettingComesWithIt() {
    ExpertForm form;
    form.setDefaults(datasetConfig());
    QVERIFY(!shows(form, "Tags that stay in front") && !shows(form, "Look at them every"));
    form.setChange(u"data.shuffleTags"_s, u"true"_s);
    form.setChange(u"data.validationShare"_s, u"0.05"_s);
    form.setDefaults(datasetConfig());
    QVERIFY(shows(form, "Tags that stay in front") && shows(form, "Look at them every"));
}

void ExpertTest::aFirstSizeBringsItsSteps() {
    ExpertForm form;
    core::TrainConfig config;
    config.steps = 400;
    form.setDefaults(config);
    QVERIFY(shows(form, "Picture size at first") && !shows(form, "Steps at that size"));
    form.setChange(u"data.startResolutionPixels"_s, u"256"_s);
    form.setDefaults(config);
    QVERIFY(shows(form, "Steps at that size"));
    QCOMPARE(fieldNamed(form, u"Steps at that size"_s)->text(), u"200"_s);
    QCOMPARE(form.changes().size(), 1); // as the recipe has it, too
    form.setChange(u"data.startSteps"_s, u"50"_s);
    form.setChange(u"data.startResolutionPixels"_s, u"0"_s);
    form.setDefaults(config);
    QVERIFY(!shows(form, "Steps at that size"));
    QVERIFY(!form.changes().contains(u"data.startSteps"_s));
}

void ExpertTest::aFirstSizeAndItsStepsGoTogether_data() {
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<QString>("steps");
    QTest::addColumn<int>("chosenPixels");
    QTest::addColumn<int>("chosenSteps");
    QTest::newRow("neither") << QString() << QString() << 0 << 0;
    QTest::newRow("a size alone") << u"32"_s << QString() << 32 << 40;
    QTest::newRow("both") << u"32"_s << u"10"_s << 32 << 10;
    QTest::newRow("no steps of a size") << u"32"_s << u"0"_s << 0 << 0;
    QTest::newRow("steps alone") << QString() << u"10"_s << 0 << 0;
}

void ExpertTest::aFirstSizeAndItsStepsGoTogether() {
    QFETCH(QString, pixels);
    QFETCH(QString, steps);
    TrainingChoice choice = photoChoice();
    if (!pixels.isEmpty()) choice.expert.insert(u"data.startResolutionPixels"_s, pixels);
    if (!steps.isEmpty()) choice.expert.insert(u"data.startSteps"_s, steps);
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    QCOMPARE(config.steps, int64_t{80});
    QTEST(int(config.data.startResolutionPixels), "chosenPixels");
    QTEST(int(config.data.startSteps), "chosenSteps");
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
}

void ExpertTest::whatTheEngineRefusesIsMendedByTheRemedy_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::newRow("a larger start") << u"data.startResolutionPixels"_s << u"128"_s;
    QTest::newRow("more warm-up than steps") << u"optimizer.warmupSteps"_s << u"500"_s;
}

void ExpertTest::whatTheEngineRefusesIsMendedByTheRemedy() {
    QFETCH(QString, path);
    QFETCH(QString, value);
    const auto planned = [](const TrainingChoice& choice) {
        core::TrainConfig config = trainConfigOf(choice);
        config.output.runDir = "/runs/x";
        return config;
    };
    TrainingChoice choice = photoChoice();
    QVERIFY(settingClashes(planned(choice), 8).empty());
    choice.expert.insert(path, value);
    QVERIFY(!core::validate(planned(choice)));
    const std::vector<SettingClash> clashes = settingClashes(planned(choice), 8);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, path);
    const core::TrainConfig mended = planned(clashes[0].remedy.applied(choice));
    QVERIFY(core::validate(mended).ok());
    QVERIFY(settingClashes(mended, 8).empty());
    QVERIFY(mended.data.startResolutionPixels + mended.optimizer.warmupSteps > 0); // still what was wanted
}

void ExpertTest::aSizeThatTheModelCannotTakeIsMended_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<QString>("near");
    QTest::addColumn<int>("mended");
    const QString size = u"data.resolutionPixels"_s;
    QTest::newRow("in the middle") << size << "136"
                                   << "128 px, 144 px" << 144;
    QTest::newRow("nearer to the smaller one") << size << "72"
                                               << "64 px, 128 px" << 64;
    QTest::newRow("too small") << size << "8"
                               << ": 16 px" << 16;
    QTest::newRow("of the first steps") << u"data.startResolutionPixels"_s << "24"
                                        << "16 px, 32 px" << 32;
}

void ExpertTest::aSizeThatTheModelCannotTakeIsMended() {
    QFETCH(QString, path);
    QFETCH(QString, pixels);
    QFETCH(QString, near);
    QFETCH(int, mended);
    const int64_t step = near.contains(QLatin1String("64 px")) ? 64 : 16;
    TrainingChoice choice = photoChoice();
    choice.expert.insert(path, pixels);
    QVERIFY(settingClashes(trainConfigOf(choice), 8).empty());
    const std::vector<SettingClash> clashes = settingClashes(trainConfigOf(choice), step);
    QCOMPARE(clashes.size(), size_t{1});
    QCOMPARE(clashes[0].path, path);
    QVERIFY2(clashes[0].reason.contains(near), qPrintable(clashes[0].reason));
    QCOMPARE(clashes[0].remedy.expert.value(path), QString::number(mended));
    QVERIFY(settingClashes(trainConfigOf(clashes[0].remedy.applied(choice)), step).empty());
}

void ExpertTest::aClashIsToldUnderItsFieldAndBesideStart() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    TrainSetup setup(m_services->all());
    const auto* form = setup.findChild<ExpertForm*>();
    const auto* panel = setup.findChild<PlanPanel*>();
    const QRegularExpression reason(u"^The picture size at first is larger"_s);
    const QString remedy = u"Begin with 32 px"_s;
    typeInto(setup, u"Picture size"_s, u"64"_s);
    const auto type = [&setup](const QString& text) { typeInto(setup, u"Picture size at first"_s, text); };
    type(u"128"_s);
    for (const QWidget* part : {static_cast<const QWidget*>(form), static_cast<const QWidget*>(panel)}) {
        QCOMPARE(shownTexts(*part).filter(reason).size(), 1);
        QVERIFY(buttonNamed(*part, remedy) != nullptr);
    }
    type(u"128"_s); // once more: nothing is new
    QCOMPARE(shownTexts(*form).filter(reason).size(), 1);
    QVERIFY(!setup.ready());
    buttonNamed(*form, remedy)->click();
    QVERIFY(shownTexts(setup).filter(reason).isEmpty());
    QVERIFY(buttonNamed(*form, remedy)->isHidden());
    QCOMPARE(form->changes().value(u"data.startResolutionPixels"_s), u"32"_s);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the panel's button is gone now
    type(u"128"_s);
    buttonNamed(*panel, remedy)->click(); // the fold may be closed
    QVERIFY(shownTexts(setup).filter(reason).isEmpty());
}

void ExpertTest::tabComesToTheRemedyBehindItsField() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    TrainSetup setup(m_services->all());
    typeInto(setup, u"Picture size"_s, u"64"_s);
    const QLineEdit* size = typeInto(setup, u"Picture size at first"_s, u"128"_s);
    const QPushButton* remedy = buttonNamed(*setup.findChild<ExpertForm*>(), u"Begin with 32 px"_s);
    QVERIFY(remedy != nullptr);
    const QWidget* next = size->nextInFocusChain();
    while (!(next->focusPolicy() & Qt::TabFocus) || next->isHidden() || !next->isEnabled() ||
           next->accessibleName().startsWith(u"Default of"_s))
        next = next->nextInFocusChain();
    QCOMPARE(next, remedy);
}

void ExpertTest::columnsAreTakenAsTyped() {
    ExpertForm form;
    form.setDefaults(datasetConfig());
    QLineEdit* columns = fieldNamed(form, u"Where captions stand"_s);
    QCOMPARE(columns->text(), QString());
    QCOMPARE(shownTexts(form).filter(QRegularExpression(u"caption columns$"_s)).size(), 1);
    columns->setText(u"caption, 007"_s);
    Q_EMIT columns->editingFinished();
    QCOMPARE(form.changes().value(u"data.captionColumns"_s), u"caption, 007"_s);
    columns->setText(u"007"_s);
    Q_EMIT columns->editingFinished();
    QCOMPARE(columns->text(), u"007"_s); // a name, not the number 7
}

void ExpertTest::addOnsPredictWhatTheirModelDoes() {
    ExpertForm form;
    core::TrainConfig config;
    config.method = core::TrainMethod::Lora;
    form.setDefaults(config);
    QVERIFY(!shows(form, kNoiseAlone) && !shows(form, kPredicted));
    form.setDefaults(config, core::PredictionType::VPrediction);
    QVERIFY(shows(form, kNoiseAlone) && !shows(form, kPredicted));
    form.setChange(u"loss.zeroTerminalSnr"_s, u"true"_s);
    QCOMPARE(form.changes().size(), 1);
    form.setDefaults(config, core::PredictionType::Epsilon); // another model was chosen
    QVERIFY(form.changes().isEmpty());
    form.setDefaults({}, core::PredictionType::Epsilon); // a whole model
    QVERIFY(shows(form, kNoiseAlone) && shows(form, kPredicted));
}

void ExpertTest::whatIsPredictedCanBeChosen() {
    ExpertForm form;
    form.setDefaults(datasetConfig());
    auto* box = qobject_cast<QComboBox*>(fieldOf(form, kPredicted));
    QVERIFY(box != nullptr);
    QCOMPARE(box->count(), 3);
    QCOMPARE(box->currentText(), u"as the model"_s);
    QVERIFY(box->toolTip().contains(u"Velocity keeps colours"_s));
    box->setCurrentIndex(box->findText(u"velocity"_s));
    QCOMPARE(form.changes().value(u"loss.predictionType"_s), u"v_prediction"_s);
    TrainingChoice choice = photoChoice();
    choice.expert = form.changes();
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    QCOMPARE(config.loss.predictionType, "v_prediction");
    QVERIFY(core::validate(config).ok());
    box->setCurrentIndex(0);
    QVERIFY(form.changes().isEmpty());
}

void ExpertTest::noiseAloneNeedsVelocity_data() {
    QTest::addColumn<bool>("velocityModel");
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<bool>("scratch");
    QTest::addColumn<bool>("fits");
    for (const bool scratch : {false, true}) {
        const char* kind = scratch ? "new" : "further";
        const auto row = [&](const char* name, bool velocityModel, const char* chosen, bool fits) {
            QTest::addRow("%s %s", kind, name)
                << velocityModel << QString::fromLatin1(chosen) << scratch << fits;
        };
        row("as a model of noise", false, "", false);
        row("as a model of velocity", true, "", true);
        row("noise of a model of velocity", true, "epsilon", false);
        row("velocity of a model of noise", false, "v_prediction", true);
    }
}

void ExpertTest::noiseAloneNeedsVelocity() {
    QFETCH(bool, velocityModel);
    QFETCH(QString, chosen);
    QFETCH(bool, scratch);
    QFETCH(bool, fits);
    const auto prediction = velocityModel ? core::PredictionType::VPrediction : core::PredictionType::Epsilon;
    TrainingChoice choice = photoChoice();
    choice.datasetFolder = u"/birds"_s;
    choice.scratch = scratch;
    choice.expert.insert(u"loss.predictionType"_s, chosen);
    QVERIFY(settingClashes(trainConfigOf(choice), 8, prediction).empty());
    choice.expert.insert(u"loss.zeroTerminalSnr"_s, u"true"_s);
    const auto clashes = settingClashes(trainConfigOf(choice), 8, prediction);
    QCOMPARE(clashes.empty(), fits);
    if (fits) return;
    QCOMPARE(clashes[0].path, u"loss.zeroTerminalSnr"_s);
    const core::TrainConfig mended = trainConfigOf(clashes[0].remedy.applied(choice));
    QVERIFY(settingClashes(mended, 8, prediction).empty());
    QCOMPARE(mended.loss.zeroTerminalSnr, scratch); // an old model keeps what it knows
}

void ExpertTest::noiseAloneIsMendedInTheForm() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    const QString noise = noiseModel();
    know(noise);
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, m_place.path("birds"), /*scratch=*/true);
    setup.setModel(noise);
    auto* box = qobject_cast<QComboBox*>(fieldOf(setup, kNoiseAlone));
    QVERIFY(box != nullptr);
    box->setCurrentIndex(1);
    const QRegularExpression reason(u"^Only a model that predicts velocity"_s);
    QCOMPARE(shownTexts(*setup.findChild<ExpertForm*>()).filter(reason).size(), 1);
    QCOMPARE(shownTexts(*setup.findChild<PlanPanel*>()).filter(reason).size(), 1);
    QPushButton* remedy = buttonNamed(*setup.findChild<PlanPanel*>(), u"Predict velocity"_s);
    QVERIFY(remedy != nullptr);
    remedy->click();
    QVERIFY(shownTexts(setup).filter(reason).isEmpty());
    QCOMPARE(setup.order().config.loss.predictionType, "v_prediction");
    QVERIFY(setup.order().config.loss.zeroTerminalSnr);
}

void ExpertTest::theModelSaysWhatItPredicts() {
    const QString noise = noiseModel();
    QCOMPARE(modelFacts(builtInModel()).prediction, core::PredictionType::VPrediction);
    const ModelFacts facts = modelFacts(noise);
    QVERIFY2(facts.usable, qPrintable(facts.problem));
    QCOMPARE(facts.prediction, core::PredictionType::Epsilon);
    know(noise);
    TrainSetup setup(m_services->all());
    for (auto* one : setup.findChildren<QRadioButton*>())
        if (one->text().contains(u"LoRA"_s)) one->setChecked(true);
    setup.setModel(builtInModel());
    QVERIFY(shows(setup, kNoiseAlone));
    setup.setModel(noise);
    QVERIFY(!shows(setup, kNoiseAlone));
}

HOMEBOOTH_APP_TEST_MAIN(ExpertTest)
#include "tst_expert.moc"

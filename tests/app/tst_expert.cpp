// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expert settings that make sense for some trainings alone: of datasets, of models that predict v, and those
// that the engine takes only together.
#include "app/engine/setting_clashes.h"
#include "app/engine/training_recipe.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/plan_panel.h"
#include "app/pages/train/train_setup.h"
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
    choice.model = QStringLiteral("/models/sketch");
    choice.sentences = QStringList{QStringLiteral("a photo of ohwx toy")};
    choice.classes = QStringList{QStringLiteral("a photo of a toy")};
    choice.photoFolder = QStringLiteral("/photos");
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
    return changedModel(folder, QStringLiteral("scheduler/scheduler_config.json"),
                        {{"\"v_prediction\"", "\"epsilon\""}});
}

void ExpertTest::datasetsHaveSettingsOfTheirOwn() {
    ExpertForm form;
    const QList<const char*> names{"Where captions stand", "Tags in any order", "Pictures held out",
                                   "When pictures are prepared"};
    form.setDefaults({});
    for (const char* name : names) QVERIFY2(!shows(form, name), name);
    form.setChange(QStringLiteral("data.validationShare"), QStringLiteral("0.1"));
    QVERIFY(form.changes().isEmpty()); // the engine would refuse it for photos
    for (const core::TrainMode mode : {core::TrainMode::Dataset, core::TrainMode::FromScratch}) {
        core::TrainConfig config;
        config.mode = mode;
        form.setDefaults(config);
        for (const char* name : names) QVERIFY2(shows(form, name), name);
        QCOMPARE(form.changes().value(QStringLiteral("data.validationShare")), QStringLiteral("0.1"));
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
    QCOMPARE(box->currentText(), QStringLiteral("no"));
    TrainingChoice choice = photoChoice();
    QVERIFY(!trainConfigOf(choice).data.skipBrokenImages);
    box->setCurrentIndex(box->findText(QStringLiteral("yes")));
    choice.expert = form.changes();
    QVERIFY(trainConfigOf(choice).data.skipBrokenImages);
}

void ExpertTest::weightsBesideAnAddOnMayTakeLess() {
    constexpr const char* kBeside = "Weights beside the add-on";
    const QString path = QStringLiteral("quantization");
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
    QCOMPARE(box->currentText(), QStringLiteral("as they are"));
    box->setCurrentIndex(box->findText(QStringLiteral("in 8 bits")));
    QCOMPARE(form.changes().value(path), QStringLiteral("int8"));
    config.method = core::TrainMethod::Full;
    form.setDefaults(config);
    QVERIFY(!form.changes().contains(path)); // the engine would refuse it
    QCOMPARE(form.allChanges().value(path), QStringLiteral("int8"));
}

void ExpertTest::whatHangsOnAnotherSettingComesWithIt() {
    ExpertForm form;
    form.setDefaults(datasetConfig());
    QVERIFY(!shows(form, "Tags that stay in front") && !shows(form, "Look at them every"));
    form.setChange(QStringLiteral("data.shuffleTags"), QStringLiteral("true"));
    form.setChange(QStringLiteral("data.validationShare"), QStringLiteral("0.05"));
    form.setDefaults(datasetConfig());
    QVERIFY(shows(form, "Tags that stay in front") && shows(form, "Look at them every"));
}

void ExpertTest::aFirstSizeBringsItsSteps() {
    ExpertForm form;
    core::TrainConfig config;
    config.steps = 400;
    form.setDefaults(config);
    QVERIFY(shows(form, "Picture size at first") && !shows(form, "Steps at that size"));
    form.setChange(QStringLiteral("data.startResolutionPixels"), QStringLiteral("256"));
    form.setDefaults(config);
    QVERIFY(shows(form, "Steps at that size"));
    QCOMPARE(fieldNamed(form, QStringLiteral("Steps at that size"))->text(), QStringLiteral("200"));
    QCOMPARE(form.changes().size(), 1); // as the recipe has it, too
    form.setChange(QStringLiteral("data.startSteps"), QStringLiteral("50"));
    form.setChange(QStringLiteral("data.startResolutionPixels"), QStringLiteral("0"));
    form.setDefaults(config);
    QVERIFY(!shows(form, "Steps at that size"));
    QVERIFY(!form.changes().contains(QStringLiteral("data.startSteps")));
}

void ExpertTest::aFirstSizeAndItsStepsGoTogether_data() {
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<QString>("steps");
    QTest::addColumn<int>("chosenPixels");
    QTest::addColumn<int>("chosenSteps");
    QTest::newRow("neither") << QString() << QString() << 0 << 0;
    QTest::newRow("a size alone") << QStringLiteral("32") << QString() << 32 << 40;
    QTest::newRow("both") << QStringLiteral("32") << QStringLiteral("10") << 32 << 10;
    QTest::newRow("no steps of a size") << QStringLiteral("32") << QStringLiteral("0") << 0 << 0;
    QTest::newRow("steps alone") << QString() << QStringLiteral("10") << 0 << 0;
}

void ExpertTest::aFirstSizeAndItsStepsGoTogether() {
    QFETCH(QString, pixels);
    QFETCH(QString, steps);
    TrainingChoice choice = photoChoice();
    if (!pixels.isEmpty()) choice.expert.insert(QStringLiteral("data.startResolutionPixels"), pixels);
    if (!steps.isEmpty()) choice.expert.insert(QStringLiteral("data.startSteps"), steps);
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
    QTest::newRow("a larger start") << QStringLiteral("data.startResolutionPixels") << QStringLiteral("128");
    QTest::newRow("more warm-up than steps")
        << QStringLiteral("optimizer.warmupSteps") << QStringLiteral("500");
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
    const QString size = QStringLiteral("data.resolutionPixels");
    QTest::newRow("in the middle") << size << "136"
                                   << "128 px, 144 px" << 144;
    QTest::newRow("nearer to the smaller one") << size << "72"
                                               << "64 px, 128 px" << 64;
    QTest::newRow("too small") << size << "8"
                               << ": 16 px" << 16;
    QTest::newRow("of the first steps") << QStringLiteral("data.startResolutionPixels") << "24"
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
    const QRegularExpression reason(QStringLiteral("^The picture size at first is larger"));
    const QString remedy = QStringLiteral("Begin with 32 px");
    typeInto(setup, QStringLiteral("Picture size"), QStringLiteral("64"));
    const auto type = [&setup](const QString& text) {
        typeInto(setup, QStringLiteral("Picture size at first"), text);
    };
    type(QStringLiteral("128"));
    for (const QWidget* part : {static_cast<const QWidget*>(form), static_cast<const QWidget*>(panel)}) {
        QCOMPARE(shownTexts(*part).filter(reason).size(), 1);
        QVERIFY(buttonNamed(*part, remedy) != nullptr);
    }
    type(QStringLiteral("128")); // once more: nothing is new
    QCOMPARE(shownTexts(*form).filter(reason).size(), 1);
    QVERIFY(!setup.ready());
    buttonNamed(*form, remedy)->click();
    QVERIFY(shownTexts(setup).filter(reason).isEmpty());
    QVERIFY(buttonNamed(*form, remedy)->isHidden());
    QCOMPARE(form->changes().value(QStringLiteral("data.startResolutionPixels")), QStringLiteral("32"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the panel's button is gone now
    type(QStringLiteral("128"));
    buttonNamed(*panel, remedy)->click(); // the fold may be closed
    QVERIFY(shownTexts(setup).filter(reason).isEmpty());
}

void ExpertTest::tabComesToTheRemedyBehindItsField() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    TrainSetup setup(m_services->all());
    typeInto(setup, QStringLiteral("Picture size"), QStringLiteral("64"));
    const QLineEdit* size = typeInto(setup, QStringLiteral("Picture size at first"), QStringLiteral("128"));
    const QPushButton* remedy =
        buttonNamed(*setup.findChild<ExpertForm*>(), QStringLiteral("Begin with 32 px"));
    QVERIFY(remedy != nullptr);
    const QWidget* next = size->nextInFocusChain();
    while (!(next->focusPolicy() & Qt::TabFocus) || next->isHidden() || !next->isEnabled() ||
           next->accessibleName().startsWith(QStringLiteral("Default of")))
        next = next->nextInFocusChain();
    QCOMPARE(next, remedy);
}

void ExpertTest::columnsAreTakenAsTyped() {
    ExpertForm form;
    form.setDefaults(datasetConfig());
    QLineEdit* columns = fieldNamed(form, QStringLiteral("Where captions stand"));
    QCOMPARE(columns->text(), QString());
    QCOMPARE(shownTexts(form).filter(QRegularExpression(QStringLiteral("caption columns$"))).size(), 1);
    columns->setText(QStringLiteral("caption, 007"));
    Q_EMIT columns->editingFinished();
    QCOMPARE(form.changes().value(QStringLiteral("data.captionColumns")), QStringLiteral("caption, 007"));
    columns->setText(QStringLiteral("007"));
    Q_EMIT columns->editingFinished();
    QCOMPARE(columns->text(), QStringLiteral("007")); // a name, not the number 7
}

void ExpertTest::addOnsPredictWhatTheirModelDoes() {
    ExpertForm form;
    core::TrainConfig config;
    config.method = core::TrainMethod::Lora;
    form.setDefaults(config);
    QVERIFY(!shows(form, kNoiseAlone) && !shows(form, kPredicted));
    form.setDefaults(config, core::PredictionType::VPrediction);
    QVERIFY(shows(form, kNoiseAlone) && !shows(form, kPredicted));
    form.setChange(QStringLiteral("loss.zeroTerminalSnr"), QStringLiteral("true"));
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
    QCOMPARE(box->currentText(), QStringLiteral("as the model"));
    QVERIFY(box->toolTip().contains(QStringLiteral("Velocity keeps colours")));
    box->setCurrentIndex(box->findText(QStringLiteral("velocity")));
    QCOMPARE(form.changes().value(QStringLiteral("loss.predictionType")), QStringLiteral("v_prediction"));
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
    choice.datasetFolder = QStringLiteral("/birds");
    choice.scratch = scratch;
    choice.expert.insert(QStringLiteral("loss.predictionType"), chosen);
    QVERIFY(settingClashes(trainConfigOf(choice), 8, prediction).empty());
    choice.expert.insert(QStringLiteral("loss.zeroTerminalSnr"), QStringLiteral("true"));
    const auto clashes = settingClashes(trainConfigOf(choice), 8, prediction);
    QCOMPARE(clashes.empty(), fits);
    if (fits) return;
    QCOMPARE(clashes[0].path, QStringLiteral("loss.zeroTerminalSnr"));
    const core::TrainConfig mended = trainConfigOf(clashes[0].remedy.applied(choice));
    QVERIFY(settingClashes(mended, 8, prediction).empty());
    QCOMPARE(mended.loss.zeroTerminalSnr, scratch); // an old model keeps what it knows
}

void ExpertTest::noiseAloneIsMendedInTheForm() {
    qputenv("HOMEBOOTH_ENGINE", "/bin/true");
    const QString noise = noiseModel();
    know(noise);
    TrainSetup setup(m_services->all());
    setup.setDataset(QStringLiteral("birds"), m_place.path("birds"), /*scratch=*/true);
    setup.setModel(noise);
    auto* box = qobject_cast<QComboBox*>(fieldOf(setup, kNoiseAlone));
    QVERIFY(box != nullptr);
    box->setCurrentIndex(1);
    const QRegularExpression reason(QStringLiteral("^Only a model that predicts velocity"));
    QCOMPARE(shownTexts(*setup.findChild<ExpertForm*>()).filter(reason).size(), 1);
    QCOMPARE(shownTexts(*setup.findChild<PlanPanel*>()).filter(reason).size(), 1);
    QPushButton* remedy = buttonNamed(*setup.findChild<PlanPanel*>(), QStringLiteral("Predict velocity"));
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
        if (one->text().contains(QStringLiteral("LoRA"))) one->setChecked(true);
    setup.setModel(builtInModel());
    QVERIFY(shows(setup, kNoiseAlone));
    setup.setModel(noise);
    QVERIFY(!shows(setup, kNoiseAlone));
}

HOMEBOOTH_APP_TEST_MAIN(ExpertTest)
#include "tst_expert.moc"

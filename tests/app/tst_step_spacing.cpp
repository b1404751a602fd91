// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form of pictures: how the steps of a sampler are spaced, and what it says of few of them.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/model_choice.h"
#include "picture_fixture.h"

#include <QPushButton>
#include <QSpinBox>

using namespace homebooth;
using namespace homebooth::app;

class StepSpacingTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginForm(); }
    void cleanup() { end(); }
    void karrasSpacingIsForSamplersThatHaveIt();
    void trailingStepsComeBack();
    void ofFewStepsItSaysWhatTheirModelsNeed();
    void whatAModelSaysOfItsStepsNeedsNoWord();

private:
    [[nodiscard]] QString model() const { return m_place.path(u"my model"_s); }
};

void StepSpacingTest::karrasSpacingIsForSamplersThatHaveIt() {
    GenerateForm form(m_services->all());
    core::SampleConfig config = form.config();
    QVERIFY(!config.karrasSigmas);
    config.sampler = core::SamplerKind::Euler;
    config.karrasSigmas = true;
    form.setConfig(config);
    QVERIFY(form.config().karrasSigmas);
    config.sampler = core::SamplerKind::Ddim;
    form.setConfig(config);
    QVERIFY(!form.config().karrasSigmas); // the engine would refuse it
}

void StepSpacingTest::trailingStepsComeBack() {
    addModel(u"my model"_s, "model");
    QTRY_VERIFY(m_services->models.find(model())->looked);
    {
        GenerateForm form(m_services->all());
        form.setModel(model());
        core::SampleConfig config = form.config();
        QCOMPARE(config.stepSpacing, core::StepSpacing::Model);
        config.sampler = core::SamplerKind::Lcm; // which has timesteps of its own
        config.stepSpacing = core::StepSpacing::Trailing;
        form.setConfig(config);
        QCOMPARE(form.config().stepSpacing, core::StepSpacing::Model);
        config.sampler = core::SamplerKind::DpmPlusPlus2M;
        config.karrasSigmas = true; // it begins at the noisiest one in any case
        form.setConfig(config);
        QCOMPARE(form.config().stepSpacing, core::StepSpacing::Model);
        config.sampler = core::SamplerKind::Euler;
        form.setConfig(config);
        QCOMPARE(form.config().stepSpacing, core::StepSpacing::Trailing);
        form.setCount(3); // by hand: from here on it is kept
    }
    restart();
    GenerateForm form(m_services->all());
    m_services->models.refresh();
    QTRY_COMPARE(form.config().stepSpacing, core::StepSpacing::Trailing);
}

void StepSpacingTest::ofFewStepsItSaysWhatTheirModelsNeed() {
    GenerateForm form(m_services->all());
    form.setModel(builtInModel());
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
    const auto told = [&form] { return shownTexts(form).filter(u"So few steps"_s).size(); };
    core::SampleConfig config = form.config();
    config.sampler = core::SamplerKind::Euler;
    config.guidanceScale = 1.0;
    config.steps = 20;
    form.setConfig(config);
    QCOMPARE(told(), 0);
    stepsBox(form).setValue(4);
    QCOMPARE(told(), 1);
    buttonNamed(form, u"Take trailing spacing"_s)->click();
    QCOMPARE(told(), 0);
    QCOMPARE(form.config().stepSpacing, core::StepSpacing::Trailing);
    config.steps = 4;
    config.guidanceScale = 5.0;
    form.setConfig(config);
    QCOMPARE(form.config().stepSpacing, core::StepSpacing::Model);
    QCOMPARE(told(), 0);
    config.guidanceScale = 1.5;
    config.sampler = core::SamplerKind::Lcm;
    form.setConfig(config);
    QCOMPARE(told(), 0);
}

void StepSpacingTest::whatAModelSaysOfItsStepsNeedsNoWord() {
    const QString trailing = changedModel(m_place.path(u"few"_s), u"scheduler/scheduler_config.json"_s,
                                          {{"\"leading\"", "\"trailing\""}});
    addModel(u"few"_s, "model");
    QTRY_VERIFY(m_services->models.find(trailing) != nullptr && m_services->models.find(trailing)->looked);
    QVERIFY(m_services->models.find(trailing)->facts.stepsTrail);
    GenerateForm form(m_services->all());
    const auto told = [&form] { return shownTexts(form).filter(u"So few steps"_s).size(); };
    core::SampleConfig config = form.config();
    config.sampler = core::SamplerKind::Euler;
    config.guidanceScale = 1.0;
    config.steps = 4;
    for (const QString& path : {builtInModel(), trailing}) {
        config.model = path.toStdString();
        form.setConfig(config);
        config = form.config();
        QCOMPARE(QString::fromStdString(config.model), path);
        QCOMPARE(told(), path == trailing ? 0 : 1);
    }
    auto* choice = form.findChild<ModelChoice*>();
    choice->setComparing(true); // with one that needs it
    QCOMPARE(choice->otherPath(), builtInModel());
    QCOMPARE(told(), 1);
    choice->setComparing(false);
    QCOMPARE(told(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(StepSpacingTest)
#include "tst_step_spacing.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a training of a large model is set to where nobody said otherwise: whether it learns its subject,
// and does not copy the photos instead.
#include "app/engine/places.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/run/preview_strip.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/train_setup.h"
#include "core/base/config/train_config_json.h"
#include "picture_fixture.h"

#include <cmath>

using namespace homebooth;
using namespace homebooth::app;

class RecipeDefaultsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void wordsThatLearnHaveTheirRate();
    void theFormShowsTheRateOfWhatLearns();
    void bestGoesAsFarAsBalancedInFinerSteps_data();
    void bestGoesAsFarAsBalancedInFinerSteps();
    void whatAModelBringsOfBestStays();
    void ofADatasetEachPictureIsSeenOftenEnough();
    void heldOutPicturesAreNotCountedAsLearned();
    void photosOfSubjectsAreNoDataset();
    void bestIsLearnedBesideMoreExamples();
    void onACardTheSubjectIsPreviewedElsewhereToo();
    void picturesOfOneStepAreToldApart();
};

namespace {

constexpr const char* kText = "trainTextEncoder";
constexpr const char* kSchedule = "optimizer.schedule";

TrainingChoice largeChoice() {
    TrainingChoice choice;
    choice.model = u"/models/large"_s;
    choice.family = core::ModelFamily::StableDiffusion1;
    choice.modelPixels = 512;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.classes = QStringList{u"a photo of a toy"_s};
    choice.photoFolder = u"/photos"_s;
    choice.quality = Quality::Balanced;
    return choice;
}

TrainingChoice datasetChoice(int64_t pictures) {
    TrainingChoice choice = largeChoice();
    choice.sentences.clear();
    choice.classes.clear();
    choice.datasetFolder = u"/birds"_s;
    choice.pictures = pictures;
    return choice;
}

/// How far weights move in all, about.
double wayOf(const core::TrainConfig& config) {
    const bool falls = config.optimizer.schedule == core::LearningRateSchedule::Cosine;
    return config.optimizer.learningRate * double(config.steps) * (falls ? 0.5 : 1.0);
}

} // namespace

void RecipeDefaultsTest::wordsThatLearnHaveTheirRate() {
    TrainingChoice choice = largeChoice();
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 5e-6);
    choice.expert.insert(QLatin1String(kText), u"true"_s);
    const core::TrainConfig config = trainConfigOf(choice);
    QVERIFY(config.trainTextEncoder);
    QCOMPARE(config.optimizer.learningRate, 2e-6);
    const auto family = core::TrainingDefaults::ofFamily(choice.family, choice.modelPixels);
    QCOMPARE(config.optimizer.learningRate, family.fill(config, {}).config.optimizer.learningRate);
    QCOMPARE(defaultsOf(choice).optimizer.learningRate, 2e-6);
    QVERIFY(!defaultsOf(choice).trainTextEncoder); // that they learn is the user's choice
    choice.expert.insert(u"optimizer.learningRate"_s, u"1e-6"_s);
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 1e-6);
    QCOMPARE(defaultsOf(choice).optimizer.learningRate, 2e-6);
    choice.family = core::ModelFamily::Other; // of no published size
    choice.expert.remove(u"optimizer.learningRate"_s);
    QCOMPARE(trainConfigOf(choice).optimizer.learningRate, 5e-5);
}

void RecipeDefaultsTest::theFormShowsTheRateOfWhatLearns() {
    const QString folder = m_place.path(u"plain"_s); // built in, without defaults
    QDir().mkpath(folder);
    for (const QString& part :
         QDir(builtInModel()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot))
        if (part != QLatin1String(core::kTrainingDefaultsName))
            QFile::link(builtInModel() + '/' + part, folder + '/' + part);
    m_services->models.import(folder);
    const auto known = [this, &folder] {
        const ModelEntry* entry = m_services->models.find(folder);
        return entry != nullptr && entry->looked;
    };
    QTRY_VERIFY(known());
    TrainSetup setup(m_services->all());
    setup.setModel(folder);
    auto* form = setup.findChild<ExpertForm*>();
    const QLineEdit* speed = fieldNamed(*form, u"Learning speed"_s);
    QCOMPARE(speed->text(), u"5e-5"_s);
    form->setChange(QLatin1String(kText), u"false"_s);
    QCOMPARE(speed->text(), u"1e-4"_s);
    QCOMPARE(setup.order().config.optimizer.learningRate, 1e-4);
    QCOMPARE(form->changes().size(), 1);
    form->drop(QLatin1String(kText));
    QCOMPARE(speed->text(), u"5e-5"_s);
}

void RecipeDefaultsTest::bestGoesAsFarAsBalancedInFinerSteps_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<bool>("lora");
    QTest::addColumn<bool>("others");
    for (const core::ModelFamily family :
         {core::ModelFamily::StableDiffusion1, core::ModelFamily::StableDiffusion2,
          core::ModelFamily::StableDiffusionXl, core::ModelFamily::Other})
        for (const bool lora : {false, true})
            for (const bool others : {false, true})
                QTest::addRow("%d %s %s", int(family), lora ? "lora" : "full", others ? "beside" : "alone")
                    << int(family) << lora << others;
}

void RecipeDefaultsTest::bestGoesAsFarAsBalancedInFinerSteps() {
    QFETCH(int, family);
    QFETCH(bool, lora);
    QFETCH(bool, others);
    TrainingChoice choice = largeChoice();
    choice.family = core::ModelFamily(family);
    choice.lora = lora;
    choice.keepOthersNormal = others;
    const core::TrainConfig balanced = trainConfigOf(choice);
    QCOMPARE(balanced.optimizer.schedule, core::LearningRateSchedule::Constant);
    choice.quality = Quality::Best;
    const core::TrainConfig best = trainConfigOf(choice);
    QCOMPARE(best.steps, 2 * balanced.steps);
    QVERIFY(std::abs(wayOf(best) / wayOf(balanced) - 1.0) < 1e-9);
    QCOMPARE(defaultsOf(choice).optimizer.schedule, core::LearningRateSchedule::Cosine);
    choice.expert.insert(QLatin1String(kSchedule), u"constant"_s);
    QCOMPARE(trainConfigOf(choice).optimizer.schedule, core::LearningRateSchedule::Constant);
}

void RecipeDefaultsTest::whatAModelBringsOfBestStays() {
    TrainingChoice choice = largeChoice();
    choice.quality = Quality::Best;
    QVERIFY(choice.defaults.read(R"({"best":{"steps":700}})", "file").ok());
    const core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(config.steps, int64_t{700});
    QCOMPARE(config.optimizer.schedule, core::LearningRateSchedule::Constant);
    choice.defaults = {}; // small models learn at one rate
    choice.family = core::ModelFamily::Other;
    choice.modelPixels = 128;
    QCOMPARE(trainConfigOf(choice).optimizer.schedule, core::LearningRateSchedule::Constant);
}

void RecipeDefaultsTest::ofADatasetEachPictureIsSeenOftenEnough() {
    const auto steps = [](int64_t pictures, Quality quality) {
        return stepsOf(datasetChoice(pictures), quality);
    };
    QCOMPARE(steps(5, Quality::Balanced), int64_t{400});
    QCOMPARE(steps(0, Quality::Balanced), int64_t{400}); // nobody knows how many
    QCOMPARE(steps(500, Quality::Quick), int64_t{2000});
    QCOMPARE(steps(500, Quality::Balanced), int64_t{5000});
    QCOMPARE(steps(500, Quality::Best), int64_t{15'000});
    QCOMPARE(steps(2000, Quality::Balanced), int64_t{20'000});
    QCOMPARE(steps(50'000, Quality::Balanced), int64_t{20'000}); // for more nobody waits
    TrainingChoice choice = datasetChoice(50'000);
    QCOMPARE(timesSeen(choice, trainConfigOf(choice)), 0.4);
    choice.pictures = 500;
    QCOMPARE(timesSeen(choice, trainConfigOf(choice)), 10.0);
    choice.expert.insert(u"batchSize"_s, u"2"_s);
    QCOMPARE(timesSeen(choice, trainConfigOf(choice)), 20.0);
    choice.scratch = true; // which counts on none
    QCOMPARE(stepsOf(choice, Quality::Balanced), int64_t{20'000});
    core::TrainConfig config = trainConfigOf(datasetChoice(500));
    config.output.runDir = "/runs/x";
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
}

void RecipeDefaultsTest::heldOutPicturesAreNotCountedAsLearned() {
    TrainingChoice choice = datasetChoice(30'000);
    choice.expert.insert(u"data.validationShare"_s, u"0.1"_s);
    core::TrainConfig config = trainConfigOf(choice);
    QCOMPARE(picturesLearned(config), int64_t{20'000});
    QVERIFY(std::abs(timesSeen(choice, config) - 20.0 / 27.0) < 1e-9);
    config.batchSize = 2;
    config.optimizer.accumulationSteps = 3;
    QCOMPARE(picturesLearned(config), int64_t{120'000});
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.settled());
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, m_place.path(u"birds"_s), /*scratch=*/true);
    setup.setPictures(40'000);
    setup.findChild<ExpertForm*>()->setChange(u"data.validationShare"_s, u"0.1"_s);
    QCOMPARE(setup.order().config.data.validationShare, 0.1);
    QTRY_COMPARE(shownTexts(setup).filter(u"only 6,000 of 40,000 pictures"_s).size(), 1);
}

void RecipeDefaultsTest::photosOfSubjectsAreNoDataset() {
    TrainingChoice choice = largeChoice();
    choice.pictures = 500; // of a dataset that was chosen before
    QCOMPARE(stepsOf(choice, Quality::Balanced), int64_t{800});
    QCOMPARE(timesSeen(choice, trainConfigOf(choice)), 0.0);
    choice.sentences.append(u"a photo of zwx dog"_s);
    QCOMPARE(stepsOf(choice, Quality::Balanced), int64_t{800});
}

void RecipeDefaultsTest::bestIsLearnedBesideMoreExamples() {
    TrainingChoice choice = largeChoice();
    const auto examples = [&choice](Quality quality) {
        choice.quality = quality;
        return trainConfigOf(choice).data.classImageCount;
    };
    QCOMPARE(examples(Quality::Quick), int64_t{50});
    QCOMPARE(examples(Quality::Balanced), int64_t{100});
    QCOMPARE(examples(Quality::Best), int64_t{200});
    choice.expert.insert(u"data.classImageCount"_s, u"30"_s);
    QCOMPARE(examples(Quality::Best), int64_t{30});
}

void RecipeDefaultsTest::onACardTheSubjectIsPreviewedElsewhereToo() {
    TrainingChoice choice = largeChoice();
    const auto output = [&choice] { return trainConfigOf(choice).output; };
    QCOMPARE(output().previewCount, int64_t{1}); // which takes long on a processor
    choice.onGpu = true;
    QCOMPARE(output().previewCount, int64_t{2});
    QCOMPARE(output().previewPrompt, std::string("a photo of ohwx toy | a photo of ohwx toy on a beach"));
    QVERIFY(previewsElsewhere(trainConfigOf(choice)));
    choice.sentences = QStringList{u"a photo of ohwx toy | studio"_s}; // would be two
    QCOMPARE(output().previewCount, int64_t{1});
    QVERIFY(output().previewPrompt.empty());
    choice = datasetChoice(5);
    choice.onGpu = true;
    QCOMPARE(output().previewCount, int64_t{1});
    choice = largeChoice();
    choice.onGpu = true;
    choice.family = core::ModelFamily::Other;
    choice.modelPixels = 64;
    QVERIFY(!previewsElsewhere(trainConfigOf(choice)));
}

void RecipeDefaultsTest::picturesOfOneStepAreToldApart() {
    PreviewModel model;
    model.set({{20, 0, "/1.png"}, {20, 1, "/2.png"}});
    const auto said = [&model](int row) { return model.index(row).data(Qt::AccessibleTextRole).toString(); };
    QCOMPARE(said(0), u"step 20"_s);
    QCOMPARE(said(1), u"step 20, picture 2"_s);
}

HOMEBOOTH_APP_TEST_MAIN(RecipeDefaultsTest)
#include "tst_recipe_defaults.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SDXL in the window: a family as the others are, with sizes of its own, and text encoders that do not learn.
#include "app/engine/models/learned_words.h"
#include "app/engine/plans/plan_savings.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/used_settings.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/widgets/message_bar.h"
#include "core/base/config/train_config_json.h"
#include "model_fixture.h"
#include "picture_fixture.h"

#include <QComboBox>
#include <QSpinBox>

using namespace homebooth;
using namespace homebooth::app;

class SdxlTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init();
    void cleanup() { end(); }
    void standsAmongModelsWithItsFacts();
    void itsPicturesHaveManyShapesOfOneArea();
    void addOnsAreForTheModelsOfTheirFamilyAlone();
    void learnedWordsAreForTheModelsOfTheirFamilyAlone();
    void withoutAModelForAnAddOnOneIsToBeImported();
    void layersThatOthersLeaveOutAreCountedFromItsOwn();
    void asManyLayersCanBeLeftOutAsThereAre();
    void whatOtherProgramsDidBesidesIsTold();
    void addOnsInPromptsOfOthersAreTaken();
    void aTrainingLeavesItsTextEncodersAsTheyAre_data();
    void aTrainingLeavesItsTextEncodersAsTheyAre();
    void noRemedyMakesItsPicturesWorse();
    void theFormSaysWhyItsTextEncodersDoNotLearn();
    void ofANewModelItsAutoencoderAloneLearns();

private:
    /// Takes up a file or folder, and waits until it was looked at.
    void know(const QString& path);
    QString knownModel();
    /// An add-on of SDXL and one of SD 1.x.
    QString knownLora();
    QString knownFirstLora();
    /// A learned word of SDXL, which has vectors for both text encoders.
    QString knownWord();
    [[nodiscard]] QStringList wordsFor(const QString& model) const;
};

namespace {

constexpr const char* kText = "trainTextEncoder";
constexpr const char* kNoPrompt = "a hat";

QComboBox* boxNamed(const QWidget& root, const char* name) {
    for (auto* box : root.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String(name)) return box;
    return nullptr;
}

QSpinBox* spinNamed(const QWidget& root, const char* name) {
    for (auto* spin : root.findChildren<QSpinBox*>())
        if (spin->accessibleName() == QLatin1String(name)) return spin;
    return nullptr;
}

QStringList entriesOf(const QComboBox& box) {
    QStringList entries;
    for (int i = 0; i < box.count(); ++i) entries.append(box.itemText(i));
    return entries;
}

} // namespace

void SdxlTest::init() {
    m_place.removeLibrary();
    beginAgain();
    m_services->settings.reset(keys::kGenerateModel);
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
}

void SdxlTest::know(const QString& path) {
    m_services->models.import(path);
    const auto there = [this, &path] {
        const ModelEntry* entry = m_services->models.find(path);
        return entry != nullptr && entry->looked;
    };
    QTRY_VERIFY(there());
}

QString SdxlTest::knownModel() {
    const QString path = sdxlModel(m_place.path("large model"));
    know(path);
    return path;
}

QString SdxlTest::knownLora() {
    const QString path = m_place.path("large hat.safetensors");
    if (!QFile::exists(path)) writeLoraFile(path, kSdxlLayer, 2048, 640);
    know(path);
    return path;
}

QString SdxlTest::knownFirstLora() {
    const QString path = m_place.path("hat.safetensors");
    if (!QFile::exists(path)) writeLoraFile(path, kFirstLayer, 768, 320);
    know(path);
    return path;
}

QString SdxlTest::knownWord() {
    const QString path = m_place.path("moon-dog.safetensors");
    if (!QFile::exists(path)) writeTensors(path, {{"clip_l", {2, 768}}, {"clip_g", {2, 1280}}});
    know(path);
    return path;
}

QStringList SdxlTest::wordsFor(const QString& model) const {
    QStringList words;
    for (const LearnedWord& one : learnedWords(m_services->models, {model})) words += one.words;
    return words;
}

void SdxlTest::standsAmongModelsWithItsFacts() {
    const QString path = knownModel();
    const ModelFacts& facts = m_services->models.find(path)->facts;
    QVERIFY2(facts.usable, qPrintable(facts.problem));
    QVERIFY(facts.family == core::ModelFamily::StableDiffusionXl);
    QVERIFY(facts.drawsPictures && facts.packsPictures);
    QCOMPARE(facts.pixels, int64_t{1024});
    PageOfModel page(*m_services, u"large model"_s);
    QTRY_VERIFY(shownTexts(page).contains(u"SDXL"_s));
    QVERIFY(shownTexts(page).contains(u"1024 x 1024 px"_s));
    QCOMPARE(shownTexts(page).filter(u"Second text encoder: "_s).size(), 1);
    for (const char* button : {"Make pictures", "Train with it", "Export as"})
        QVERIFY2(buttonNamed(page, QLatin1String(button))->isVisible(), button);
}

void SdxlTest::itsPicturesHaveManyShapesOfOneArea() {
    const QString path = knownModel();
    GenerateForm form(m_services->all());
    const QComboBox* sizes = boxNamed(form, "Size");
    const QStringList usual = entriesOf(*sizes);
    QCOMPARE(usual.size(), 3);
    form.setModel(path);
    QCOMPARE(QSize(int(form.config().widthPixels), int(form.config().heightPixels)), QSize(1024, 1024));
    const QStringList shapes{u"1024 x 1024"_s, u"832 x 1216"_s, u"1216 x 832"_s, u"896 x 1152"_s,
                             u"1152 x 896"_s,  u"1344 x 768"_s, u"768 x 1344"_s};
    QCOMPARE(entriesOf(*sizes), shapes);
    QCOMPARE(form.config().guidanceScale, 5.0);
    form.setModel(builtInModel());
    QCOMPARE(entriesOf(*sizes), usual);
}

void SdxlTest::addOnsAreForTheModelsOfTheirFamilyAlone() {
    const QString model = knownModel();
    const QString lora = knownLora();
    const QString other = knownFirstLora();
    const ModelShelf& shelf = m_services->models;
    QVERIFY(shelf.familyOf(lora) == core::ModelFamily::StableDiffusionXl);
    QVERIFY(!shelf.madeForAnother(lora, model));
    QVERIFY(shelf.madeForAnother(lora, builtInModel()));
    QVERIFY(shelf.madeForAnother(other, model));
    LoraRows rows(m_services->models);
    rows.setLoras({{lora.toStdString(), 1.0}});
    rows.setModels({model});
    const auto* choice = rows.findChild<QComboBox*>();
    const auto reason = [choice](const QString& file) {
        return choice->itemData(choice->findData(file), Qt::ToolTipRole).toString();
    };
    QVERIFY(reason(lora).isEmpty());
    QVERIFY(reason(other).contains(u"Made for another"_s));
    rows.setModels({builtInModel()});
    QVERIFY(reason(lora).contains(u"Made for another"_s));
    GeneratePage page(m_services->all());
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel());
    page.prepare(lora); // it brings a model that it works with
    QCOMPARE(QString::fromStdString(form->config().model), model);
    QCOMPARE(form->config().loras.size(), size_t{1});
}

void SdxlTest::learnedWordsAreForTheModelsOfTheirFamilyAlone() {
    const QString model = knownModel();
    const QString word = knownWord();
    const QString other = m_place.path("EasyNegative.safetensors");
    if (!QFile::exists(other)) writeTensors(other, {{"emb_params", {2, 768}}});
    know(other);
    QVERIFY(m_services->models.familyOf(word) == core::ModelFamily::StableDiffusionXl);
    QVERIFY(m_services->models.familyOf(other) == core::ModelFamily::StableDiffusion1);
    QCOMPARE(m_services->models.find(word)->facts.vectors, qint64{2});
    QCOMPARE(wordsFor(model), QStringList{u"moon-dog"_s});
    QCOMPARE(wordsFor(builtInModel()), QStringList());
    core::SampleConfig job;
    job.model = model.toStdString();
    job.prompt = "a moon-dog, easynegative";
    QCOMPARE(namedEmbeddings(m_services->models, job), std::vector<std::string>{word.toStdString()});
    GeneratePage page(m_services->all());
    auto* form = page.findChild<GenerateForm*>();
    form->setModel(builtInModel());
    form->setPrompt(QLatin1String(kNoPrompt));
    page.prepare(word);
    QCOMPARE(form->prompt(), u"a hat, moon-dog"_s);
    QCOMPARE(QString::fromStdString(form->config().model), model);
}

void SdxlTest::withoutAModelForAnAddOnOneIsToBeImported() {
    for (const QString& addOn : {knownWord(), knownLora()}) {
        GeneratePage page(m_services->all());
        page.show();
        auto* form = page.findChild<GenerateForm*>();
        form->setModel(builtInModel());
        form->setPrompt(QLatin1String(kNoPrompt));
        page.prepare(addOn);
        QCOMPARE(form->prompt(), QLatin1String(kNoPrompt));
        QVERIFY(form->config().loras.empty());
        QVERIFY(page.messages().currentText().contains(u"was made for SDXL"_s));
        QVERIFY(page.messages().currentText().contains(u"import one"_s));
    }
}

void SdxlTest::layersThatOthersLeaveOutAreCountedFromItsOwn() {
    const QString model = knownModel();
    const QString text = u"a cat\nSteps: 12, Sampler: Euler a, Clip skip: 2"_s;
    const auto skipped = [this, &text](const QString& path) {
        return usedSettings(text, core::SampleConfig(), path, m_services->models).config.clipSkip;
    };
    QCOMPARE(skipped(builtInModel()), int64_t{1});
    QCOMPARE(skipped(model), int64_t{0}); // of SDXL nobody ever takes the last one
}

void SdxlTest::asManyLayersCanBeLeftOutAsThereAre() {
    const QString model = knownModel();
    GenerateForm form(m_services->all());
    QSpinBox* skipped = spinNamed(form, "Clip skip");
    form.setModel(builtInModel());
    QCOMPARE(skipped->maximum(), int(m_services->models.find(builtInModel())->facts.mostClipSkip));
    skipped->setValue(1);
    form.setModel(model);
    QCOMPARE(skipped->maximum(), 1);              // of three, of which the last one is never used
    QCOMPARE(form.config().clipSkip, int64_t{0}); // it was counted from another layer
    QVERIFY(skipped->toolTip().contains(u"SDXL"_s));
    skipped->setValue(1);
    core::SampleConfig config = form.config();
    form.setModel(builtInModel());
    QCOMPARE(form.config().clipSkip, int64_t{0});
    QVERIFY(!skipped->toolTip().contains(u"SDXL"_s));
    form.setConfig(config); // as "Same seed" does
    QCOMPARE(form.config().clipSkip, int64_t{1});
}

void SdxlTest::whatOtherProgramsDidBesidesIsTold() {
    const QString model = knownModel();
    const QString text =
        u"a cat\nSteps: 12, Sampler: Euler a, Size: 832x1216, Denoising strength: 0.35, Clip skip: 2, "
        "Hires upscale: 1.5, Refiner: sd_xl_refiner_1.0 [7440042bbd], Refiner switch at: 0.8"_s;
    const UsedSettings used = usedSettings(text, core::SampleConfig(), model, m_services->models);
    QCOMPARE(used.missing, QStringList{u"sd_xl_refiner_1.0"_s});
    QCOMPARE(used.config.heightPixels, int64_t{1216});
    QCOMPARE(used.config.clipSkip, int64_t{0});
    QCOMPARE(used.config.strength, core::SampleConfig().strength); // it was that of enlarging
    QCOMPARE(used.untaken.size(), 1);
    QVERIFY(used.untaken[0].contains(u"enlarged"_s));
}

void SdxlTest::addOnsInPromptsOfOthersAreTaken() {
    const QString model = knownModel();
    const QString lora = knownLora();
    const auto used = [this, &model](const char* text) {
        return usedSettings(QString::fromLatin1(text), core::SampleConfig(), model, m_services->models);
    };
    const UsedSettings one = used("<lora:large hat:0.8>, a cat, <lora:gone:1:0.5>, on a hill\nSteps: 12, "
                                  "Sampler: Euler a, Size: 832x1216, Lora hashes: \"large hat: 0123456789\"");
    QCOMPARE(QString::fromStdString(one.config.prompt), u"a cat, on a hill"_s);
    QCOMPARE(one.config.loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(one.config.loras[0].file), lora);
    QCOMPARE(one.config.loras[0].weight, 0.8);
    QCOMPARE(one.missing, QStringList{u"gone"_s});
    const UsedSettings endless =
        used("a <lora:large hat:inf> cat\nSteps: 12, Sampler: Euler a, Size: 832x1216");
    QCOMPARE(endless.config.loras.size(), size_t{1});
    QCOMPARE(endless.config.loras[0].weight, 1.0); // which no file could say
    const UsedSettings alias =
        used("a <lyco:large hat:0.5> cat\nSteps: 12, Sampler: Euler a, Size: 832x1216");
    QCOMPARE(QString::fromStdString(alias.config.prompt), u"a cat"_s);
    QCOMPARE(alias.config.loras.size(), size_t{1});
    QCOMPARE(alias.config.loras[0].weight, 0.5);
    const UsedSettings own = used("a <lora:x:1> cat\nSteps: 12, Sampler: Euler a, Size: 832x1216, "
                                  "Version: Homebooth 1.0.0");
    QCOMPARE(QString::fromStdString(own.config.prompt), u"a <lora:x:1> cat"_s);
    QVERIFY(own.config.loras.empty() && own.missing.isEmpty());
}

void SdxlTest::aTrainingLeavesItsTextEncodersAsTheyAre_data() {
    QTest::addColumn<bool>("lora");
    QTest::newRow("whole model") << false;
    QTest::newRow("add-on") << true;
}

void SdxlTest::aTrainingLeavesItsTextEncodersAsTheyAre() {
    QFETCH(bool, lora);
    TrainingChoice choice;
    choice.model = u"/models/large"_s;
    choice.family = core::ModelFamily::StableDiffusionXl;
    choice.modelPixels = 1024;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.photoFolder = u"/photos"_s;
    choice.lora = lora;
    choice.expert.insert(QLatin1String(kText), u"true"_s); // chosen for another model
    core::TrainConfig config = trainConfigOf(choice);
    config.output.runDir = "/runs/x";
    QVERIFY(!config.trainTextEncoder);
    QCOMPARE(config.data.resolutionPixels, int64_t{1024});
    QCOMPARE(config.optimizer.learningRate, lora ? 1e-4 : 3e-6);
    QCOMPARE(config.data.classGuidanceScale, 5.0); // as its own pictures are drawn
    QCOMPARE(config.output.guidanceScale, 5.0);
    const auto valid = core::validate(config);
    QVERIFY2(valid, valid ? "" : valid.error().text().c_str());
    choice.family = core::ModelFamily::StableDiffusion1;
    config = trainConfigOf(choice);
    QVERIFY(config.trainTextEncoder);
    QCOMPARE(config.optimizer.learningRate, lora ? 1e-4 : 2e-6);
    QCOMPARE(config.data.classGuidanceScale, 7.5);
}

void SdxlTest::noRemedyMakesItsPicturesWorse() {
    TrainingChoice choice;
    choice.model = u"/models/large"_s;
    choice.modelPixels = 1024;
    choice.sentences = QStringList{u"a photo of ohwx toy"_s};
    choice.photoFolder = u"/photos"_s;
    PlanFacts refused;
    refused.verdict = PlanFacts::Verdict::DoesNotFit;
    const auto sizes = [&choice, &refused] {
        QStringList labels;
        for (const PlanChange& change : savingsOf(choice, trainConfigOf(choice), refused))
            labels.append(change.label);
        return labels.filter(u" px"_s);
    };
    choice.family = core::ModelFamily::StableDiffusionXl;
    QCOMPARE(sizes(), QStringList{u"Use 768 px"_s});
    choice.family = core::ModelFamily::StableDiffusion2;
    QCOMPARE(sizes(), QStringList({u"Use 768 px"_s, u"Use 512 px"_s}));
}

void SdxlTest::theFormSaysWhyItsTextEncodersDoNotLearn() {
    const QString model = knownModel();
    TrainSetup setup(m_services->all());
    auto* form = setup.findChild<ExpertForm*>();
    const QComboBox* text = boxNamed(*form, "Learn words, too");
    const auto reasons = [form] {
        return shownTexts(*form).filter(u"The text encoders of SDXL cannot be trained"_s).size();
    };
    setup.setModel(builtInModel());
    form->setChange(QLatin1String(kText), u"false"_s);
    QVERIFY(text->isEnabled() && !text->isHidden());
    form->setChange(QLatin1String(kText), u"true"_s);
    QCOMPARE(reasons(), 0);
    QSignalSpy learned(&setup, &TrainSetup::pixelsChanged);
    setup.setModel(model);
    QCOMPARE(learned.last().front().toLongLong(), 1024);
    QVERIFY(!text->isEnabled() && !text->isHidden());
    QCOMPARE(text->currentData().toString(), u"false"_s);
    QVERIFY(reasons() >= 1);
    QVERIFY(!form->changes().contains(QLatin1String(kText)));
    QVERIFY(!setup.order().config.trainTextEncoder);
    QCOMPARE(setup.order().config.data.resolutionPixels, int64_t{1024});
    setup.setModel(builtInModel());
    QVERIFY(text->isEnabled());
    QCOMPARE(reasons(), 0);
    QCOMPARE(form->changes().value(QLatin1String(kText)), u"true"_s); // it was not lost
}

void SdxlTest::ofANewModelItsAutoencoderAloneLearns() {
    const QString model = knownModel();
    const QString pictures = m_place.path("birds");
    QDir().mkpath(pictures);
    TrainSetup setup(m_services->all());
    setup.setDataset(u"birds"_s, pictures, /*scratch=*/true);
    setup.setModel(model);
    const QString reason = u"its text encoders cannot learn"_s;
    const auto* panel = setup.findChild<PlanPanel*>();
    QCOMPARE(shownTexts(*panel).filter(reason).size(), 1);
    QVERIFY(!setup.ready());
    QPushButton* remedy = buttonNamed(*panel, u"Train the autoencoder"_s);
    QVERIFY(remedy != nullptr);
    remedy->click();
    QVERIFY(learnsAutoencoder(setup.order().config));
    QVERIFY(shownTexts(*panel).filter(reason).isEmpty());
}

HOMEBOOTH_APP_TEST_MAIN(SdxlTest)
#include "tst_sdxl.moc"

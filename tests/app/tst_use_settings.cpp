// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which model and which add-ons a picture's own text means: names are shared and change, hashes do not.
#include "app/library/background.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/prompt/others_prompt.h"
#include "app/pages/generate/used_settings.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_weights.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QDir>

using namespace homebooth;
using namespace homebooth::app;

class UseSettingsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init();
    void cleanup() { end(); }
    void anAddOnOfATrainingIsTheOneOfItsHash();
    void anAddOnThatIsNotHereIsToldInPlaceOfAnother();
    void anAddOnIsFoundUnderAnotherName();
    void aModelOfATrainingIsTheOneOfItsHash();
    void aModelIsFoundUnderAnotherName();
    void aModelWithTheNameAloneIsTold();
    void aNameWithoutAHashIsNotGuessed();
    void ofOneTitleTheFolderTells();
    void theFormIsFilledBeforeModelsAreRead();
    void comparingStopsAndReplacesNoChoice();
    void aHashThatTheHeaderSaysCounts();
    void aCommaInANameIsNoSecondAddOn();
    void twoAddOnsOfOneNameKeepTheirWeights();
    void whatOthersWeighStaysAsItIs();
    void whatIsNotTakenIsTold();
    void whatWasDoneBesidesIsTold();
    void ofAStrangeSamplerTheSpacingIsTaken();
    void trailingStepsAreTaken();
    void aPromptsAddOnsJoinThoseThatAreChosen();
    void aPromptsChoicesStay();
    void aPreviewsBracketsStayWords();
    void whatIsReadLateReplacesNothing();
    void enlargingFillsTheForm();

private:
    /// A finished training, newer than those before it. @param result  "model" or "lora.safetensors"
    /// @param title  empty: the name and "toy"
    QString makeRun(const QString& name, const QString& result, const QString& title = {});
    [[nodiscard]] QString textWith(const std::string& lora, const std::string& hash) const;
    [[nodiscard]] QString textOfModel(const std::string& model, const std::string& hash) const;
    /// As the page does: files are read until the text is understood.
    [[nodiscard]] UsedSettings used(const QString& text) const;
    [[nodiscard]] static std::string hashOf(const QString& lora);
    [[nodiscard]] static std::string hashOfModel(const QString& model);

    qint64 m_runs = 0;
};

void UseSettingsTest::init() {
    m_place.removeLibrary();
    beginAgain();
    m_runs = 0;
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
}

QString UseSettingsTest::makeRun(const QString& name, const QString& result, const QString& title) {
    core::RunRecord run;
    run.id = core::newRecordId();
    run.title = (title.isEmpty() ? name + u" toy"_s : title).toStdString();
    run.folder = m_place.path(u"runs/"_s + name).toStdString();
    run.model = builtInModel().toStdString();
    run.state = "done";
    run.createdMs = run.endedMs = core::nowMs() + 1000 * ++m_runs;
    const QString entry = QString::fromStdString(run.folder) + u"/result/"_s + result;
    QDir(QString::fromStdString(run.folder)).removeRecursively(); // another test's
    const bool whole = result == u"model"_s;
    writeBytes(whole ? entry + u"/unet/weights"_s : entry, "what " + name.toUtf8() + " looks like");
    m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->models.find(entry) != nullptr); }();
    return entry;
}

std::string UseSettingsTest::hashOf(const QString& lora) {
    const auto hash = core::loraHash(lora.toStdString());
    return hash ? *hash : std::string();
}

std::string UseSettingsTest::hashOfModel(const QString& model) {
    const auto hash = core::modelHash(model.toStdString());
    return hash && *hash ? core::shortHash(**hash) : std::string();
}

QString UseSettingsTest::textWith(const std::string& lora, const std::string& hash) const {
    core::GenerationParameters facts;
    facts.prompt = "a photo of ohwx toy (small)";
    facts.steps = 12;
    facts.sampler = "Euler a";
    facts.seed = 4021;
    facts.widthPixels = facts.heightPixels = 64;
    facts.loraHashes = {{lora, hash}};
    facts.loraWeights = {{lora, 0.5}};
    facts.version = "Homebooth 1.0.0";
    return QString::fromStdString(core::writeGenerationParameters(facts));
}

QString UseSettingsTest::textOfModel(const std::string& model, const std::string& hash) const {
    return u"a toy\nSteps: 12, Sampler: Euler a, Seed: 1, Model hash: %1, Model: %2, "
           "Version: Homebooth 1.0.0"_s.arg(QString::fromStdString(hash), QString::fromStdString(model));
}

UsedSettings UseSettingsTest::used(const QString& text) const {
    FileHashes hashes;
    while (const auto file = fileToHash(text, {}, m_services->models, hashes))
        hashes.emplace(*file, readHash(*file, {}));
    return usedSettings(text, core::SampleConfig(), {}, m_services->models, hashes);
}

void UseSettingsTest::anAddOnOfATrainingIsTheOneOfItsHash() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    QVERIFY(hashOf(robot) != hashOf(cat));
    PromptPage page(*m_services);
    auto* form = page.form;
    const auto chosen = [form] {
        const auto loras = form->config().loras;
        return loras.size() == 1 ? QString::fromStdString(loras[0].file) : QString();
    };
    for (const QString& lora : {robot, cat, robot}) {
        QVERIFY(page.useParameters(textWith("lora", hashOf(lora)), builtInModel())); // its old name
        QTRY_COMPARE(chosen(), lora);
        QCOMPARE(form->config().loras[0].weight, 0.5);
        QVERIFY(page.messages().currentText().isEmpty());
        QCOMPARE(QString::fromStdString(form->config().prompt), u"a photo of ohwx toy (small)"_s);
    }
    QCOMPARE(core::modelName(robot.toStdString()), "robot");
    QVERIFY(page.useParameters(textWith("cat", hashOf(cat)), builtInModel())); // by its folder
    QTRY_COMPARE(chosen(), cat);
}

void UseSettingsTest::anAddOnThatIsNotHereIsToldInPlaceOfAnother() {
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    PromptPage page(*m_services);
    for (const char* name : {"lora", "cat"}) {
        page.messages().clear();
        QVERIFY(page.useParameters(textWith(name, "0123456789ab"), builtInModel()));
        const auto told = [&page](const QString& words) {
            return page.messages().currentText().contains(words.toHtmlEscaped());
        };
        QTRY_VERIFY(told(u"\"%1\", which is not here"_s.arg(QLatin1String(name))));
        QVERIFY(told(u"another file"_s));
        QVERIFY(page.form->config().loras.empty());
    }
    QVERIFY(used(textWith("cat", "0123456789")).config.loras.empty()); // of the whole file
    const auto whole = core::modelHash(cat.toStdString());
    QVERIFY(whole && *whole);
    QCOMPARE(used(textWith("cat", core::shortHash(**whole))).config.loras.size(), size_t{1});
}

void UseSettingsTest::anAddOnIsFoundUnderAnotherName() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const UsedSettings found = used(textWith("my robot", hashOf(robot)));
    QVERIFY(found.missing.isEmpty());
    QCOMPARE(found.config.loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(found.config.loras[0].file), robot);
    QCOMPARE(found.config.loras[0].weight, 0.5);
}

void UseSettingsTest::aModelOfATrainingIsTheOneOfItsHash() {
    const QString robot = makeRun("robot", u"model"_s);
    const QString cat = makeRun("cat", u"model"_s);
    const auto hash = core::modelHash(robot.toStdString());
    QVERIFY(hash && *hash);
    for (const char* name : {"model", "robot"}) { // as older pictures have it, and as present ones do
        const UsedSettings found = used(textOfModel(name, core::shortHash(**hash)));
        QCOMPARE(QString::fromStdString(found.config.model), robot);
        QVERIFY(found.missing.isEmpty() && !found.nameIsTaken);
    }
    const UsedSettings gone = used(textOfModel("model", "0123456789"));
    QVERIFY(gone.config.model.empty());
    QCOMPARE(gone.missing, QStringList{u"model"_s});
    QVERIFY(gone.nameIsTaken);
}

void UseSettingsTest::aModelIsFoundUnderAnotherName() {
    const QString robot = makeRun("robot", u"model"_s);
    const auto hash = core::modelHash(robot.toStdString());
    QVERIFY(hash && *hash);
    const QString text = textOfModel("stick", core::shortHash(**hash));
    QCOMPARE(used(text).missing, QStringList{u"stick"_s}); // what it is was never worked out
    QVERIFY(!m_services->models.noteHash(robot, QString::fromStdString(**hash)));
    QCOMPARE(QString::fromStdString(used(text).config.model), robot);
    PromptPage page(*m_services);
    QVERIFY(page.useParameters(textOfModel("stick", "0123456789"), {}));
    QTRY_VERIFY(page.messages().currentText().contains(u"which is not here"_s));
    auto* form = page.form;
    const QString before = QString::fromStdString(form->config().model);
    for (const QString& model : {robot, before}) { // chosen instead, and back
        form->setModel(model);
        QVERIFY(page.messages().currentText().isEmpty());
        page.messages().show({MessageKind::Caution, u"of it"_s, {}, u"model"_s});
    }
}

void UseSettingsTest::aModelWithTheNameAloneIsTold() {
    const std::string name = core::modelName(builtInModel().toStdString());
    const auto hash = core::modelHash(builtInModel().toStdString());
    QVERIFY(hash && *hash);
    PromptPage page(*m_services);
    const auto use = [&](const std::string& digits) {
        return page.useParameters(textOfModel(name, digits), {});
    };
    QVERIFY(use("0123456789"));
    QCOMPARE(QString::fromStdString(page.form->config().model), builtInModel());
    QTRY_VERIFY(page.messages().currentText().contains(QString::fromStdString(name)));
    QVERIFY(page.messages().currentText().contains(u"another file, stays chosen"_s));
    QVERIFY(!page.messages().currentText().contains(u"Something else"_s));
    QCOMPARE(QString::fromStdString(page.form->config().model), builtInModel());
    const QString own = textOfModel(name, core::shortHash(**hash));
    QVERIFY(page.useParameters(own, u"/gone/model"_s)); // where it was once
    QCOMPARE(QString::fromStdString(page.form->config().model), builtInModel());
    QVERIFY(!page.messages().currentText().contains(u"another file"_s)); // of what was used before
    page.messages().clear();
    const UsedSettings proved =
        usedSettings(own, core::SampleConfig(), {}, m_services->models, {{{builtInModel()}, **hash}});
    QVERIFY(proved.missing.isEmpty() && !proved.modelIsOpen && !proved.modelStandsIn);
    QCOMPARE(QString::fromStdString(proved.config.model), builtInModel());
}

void UseSettingsTest::aNameWithoutAHashIsNotGuessed() {
    makeRun("robot", u"lora.safetensors"_s);
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    const UsedSettings either = used(textWith("lora", {}));
    QVERIFY(either.config.loras.empty());
    QVERIFY(either.missing.isEmpty()); // it is one of them
    QVERIFY(either.untaken.value(0).contains(u"\"lora\""_s));
    const UsedSettings one = used(textWith("cat", {}));
    QCOMPARE(one.config.loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(one.config.loras[0].file), cat);
}

void UseSettingsTest::ofOneTitleTheFolderTells() {
    const QString title = u"rex"_s;
    makeRun("dog", u"lora.safetensors"_s, title);
    const QString second = makeRun("dog 2", u"lora.safetensors"_s, title);
    const UsedSettings either = used(textWith("rex", {}));
    QVERIFY(either.config.loras.empty());
    QCOMPARE(either.untaken.size(), 1);
    QVERIFY(either.untaken[0].contains(u"Several here are called \"rex\""_s));
    GeneratePage page(m_services->all());
    QVERIFY(page.useParameters(textWith("rex", {}), builtInModel()));
    QVERIFY(page.messages().currentText().contains(u"Several here"_s));
    QVERIFY(!page.messages().currentText().contains(u"not here"_s));
    const UsedSettings told = used(textWith("dog 2", {}));
    QVERIFY(told.untaken.isEmpty() && told.missing.isEmpty());
    QCOMPARE(told.config.loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(told.config.loras[0].file), second);
}

void UseSettingsTest::theFormIsFilledBeforeModelsAreRead() {
    const QString title = u"robot"_s;
    const QString robot = makeRun("robot", u"model"_s, title);
    const QString second = makeRun("robot 2", u"model"_s, title);
    const QString text = textOfModel("robot", hashOfModel(second)); // it had that name once
    const UsedSettings first = usedSettings(text, core::SampleConfig(), {}, m_services->models);
    QCOMPARE(QString::fromStdString(first.config.model), robot);
    QVERIFY(first.modelIsOpen && first.missing.isEmpty());
    QCOMPARE(fileToHash(text, {}, m_services->models, {})->path, robot); // folders are unlike each other
    PromptPage page(*m_services);
    auto* form = page.form;
    {
        const Blocked disk(workPool());
        QVERIFY(page.useParameters(text, {}));
        QCOMPARE(form->prompt(), u"a toy"_s);
        QCOMPARE(QString::fromStdString(form->config().model), robot);
        form->setPrompt(u"typed meanwhile"_s);
    }
    QTRY_COMPARE(QString::fromStdString(form->config().model), second);
    QCOMPARE(form->prompt(), u"typed meanwhile"_s);
    QVERIFY(page.messages().currentText().isEmpty());
}

void UseSettingsTest::comparingStopsAndReplacesNoChoice() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    const QString text = textWith("lora", hashOf(robot));
    PromptPage page(*m_services);
    auto* form = page.form;
    {
        const Blocked disk(workPool());
        QVERIFY(page.useParameters(text, builtInModel()));
        form->setModel(builtInModel(), cat); // somebody's own choice
    }
    const auto readAll = [] {
        for (int file = 0; file < 8; ++file) {
            workPool().waitForDone();
            QCoreApplication::processEvents();
        }
    };
    readAll();
    QCOMPARE(form->config().loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(form->config().loras[0].file), cat);
    {
        const Blocked disk(workPool());
        QVERIFY(page.useParameters(text, builtInModel()));
        QTRY_VERIFY(buttonNamed(page.messages(), u"Stop"_s) != nullptr);
        buttonNamed(page.messages(), u"Stop"_s)->click();
        QVERIFY(page.messages().currentText().contains(u"Nothing was chosen for \"lora\""_s));
    }
    readAll();
    QVERIFY(form->config().loras.empty());
}

void UseSettingsTest::aHashThatTheHeaderSaysCounts() {
    const QString style = makeRun("style", u"lora.safetensors"_s);
    const std::string said = core::sha256Text("as it was before its values were rounded");
    const auto head =
        core::safetensorsHead(style.toStdString(), {core::makeTensorInfo("a", core::DataType::F32, {1})},
                              {{"sshs_model_hash", said}});
    QVERIFY(head);
    writeBytes(style, QByteArray::fromStdString(*head) + QByteArray(4, '\0'));
    QVERIFY(!said.starts_with(hashOf(style)));
    const auto taken = [&](const std::string& name) {
        const UsedSettings found = used(textWith(name, said.substr(0, 12)));
        return found.missing.isEmpty() && found.config.loras.size() == 1 &&
               QString::fromStdString(found.config.loras[0].file) == style;
    };
    QVERIFY(taken("style"));
    QVERIFY(taken("renamed"));
    QCOMPARE(used(textWith("style", hashOf(style))).config.loras.size(), size_t{1}); // its own counts, too
    QVERIFY(used(textWith("style", "0123456789ab")).config.loras.empty());
}

void UseSettingsTest::aCommaInANameIsNoSecondAddOn() {
    const QString both = makeRun("rex, max", u"lora.safetensors"_s);
    const QString text = u"a toy <lora:rex, max:0.5>\nSteps: 12, Sampler: Euler a, Seed: 1, "
                         "Size: 64x64, Lora hashes: \"rex max: %1\", Version: v1.10.1"_s;
    const auto onlyOne = [&](const UsedSettings& found) {
        return found.missing.isEmpty() && found.config.loras.size() == 1 &&
               QString::fromStdString(found.config.loras[0].file) == both &&
               found.config.loras[0].weight == 0.5;
    };
    QVERIFY(onlyOne(used(text.arg(QString::fromStdString(hashOf(both))))));
    QVERIFY(onlyOne(used(textWith("rex, max", hashOf(both))))); // our own, which lists it so, too
    const UsedSettings other = used(text.arg(u"0123456789ab"_s));
    QVERIFY(other.config.loras.empty());
    QCOMPARE(other.missing, QStringList{u"rex, max"_s});
}

void UseSettingsTest::twoAddOnsOfOneNameKeepTheirWeights() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    const UsedSettings both = used(u"a toy\nSteps: 12, Sampler: Euler a, Lora hashes: \"lora: %1, "
                                   "lora: %2\", Lora weights: \"lora: 0.25, lora: 0.75\", "
                                   "Version: Homebooth 1.0.0"_s.arg(QString::fromStdString(hashOf(robot)),
                                                                    QString::fromStdString(hashOf(cat))));
    QCOMPARE(both.config.loras.size(), size_t{2});
    QCOMPARE(QString::fromStdString(both.config.loras[0].file), robot);
    QCOMPARE(both.config.loras[0].weight, 0.25);
    QCOMPARE(QString::fromStdString(both.config.loras[1].file), cat);
    QCOMPARE(both.config.loras[1].weight, 0.75);
}

void UseSettingsTest::whatOthersWeighStaysAsItIs() {
    const QString text = u"(masterpiece:1.2), ((big)) rex \\(dog\\) :)\nNegative prompt: [ugly]\n"
                         "Steps: 12, Sampler: Euler, Size: 64x64"_s;
    const UsedSettings found = used(text);
    QCOMPARE(QString::fromStdString(found.config.prompt), u"(masterpiece:1.2), ((big)) rex \\(dog\\) :)"_s);
    QCOMPARE(QString::fromStdString(found.config.negativePrompt), u"[ugly]"_s);
    QVERIFY(found.untaken.isEmpty());
}

void UseSettingsTest::whatIsNotTakenIsTold() {
    const QString text = u"(masterpiece:1.2), a hat <hypernet:gloom:0.4>\nNegative prompt: [ugly]\n"
                         "Steps: 12, Sampler: Heun, Size: 64x64"_s;
    core::SampleConfig before;
    before.sampler = core::SamplerKind::Euler;
    const UsedSettings found = usedSettings(text, before, builtInModel(), m_services->models);
    QCOMPARE(QString::fromStdString(found.config.prompt), u"(masterpiece:1.2), a hat"_s);
    QCOMPARE(QString::fromStdString(found.config.negativePrompt), u"[ugly]"_s);
    QVERIFY(found.config.sampler == core::SamplerKind::Euler);
    QCOMPARE(found.missing, QStringList{u"gloom"_s});
    QCOMPARE(found.untaken.size(), 1);
    PromptPage page(*m_services);
    QVERIFY(page.useParameters(text, builtInModel()));
    for (const char* word : {"gloom", "Heun"})
        QVERIFY2(page.messages().currentText().contains(QLatin1String(word)), word);
    page.startFrom({}); // another picture is what counts now
    QVERIFY(!page.messages().currentText().contains(u"Heun"_s));
    const QString comfy =
        u"a AND b <lora:x:1>\nSteps: 12, Sampler: Euler, Uneven LoRA: hat, Hires upscaler: True, Denoising "
        "strength: 0.25, Version: ComfyUI"_s;
    const UsedSettings plain = usedSettings(comfy, before, builtInModel(), m_services->models);
    QCOMPARE(QString::fromStdString(plain.config.prompt), u"a AND b <lora:x:1>"_s);
    QVERIFY(plain.missing.isEmpty() && plain.config.strength == 0.25);
    QVERIFY2(plain.untaken.size() == 2 && plain.untaken.filter(u"\"hat\""_s).size() == 1,
             qPrintable(plain.untaken.join('\n')));
    const QString own = u"a (small) hat <hypernet:x:1>\nSteps: 12, Sampler: Euler, Size: 64x64, "
                        "Version: Homebooth 1.0.0"_s;
    const UsedSettings ours = usedSettings(own, before, builtInModel(), m_services->models);
    QCOMPARE(QString::fromStdString(ours.config.prompt), u"a (small) hat <hypernet:x:1>"_s);
    QVERIFY(ours.untaken.isEmpty() && ours.missing.isEmpty());
}

void UseSettingsTest::whatWasDoneBesidesIsTold() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const QString text = u"a [hat|cap] <lora:robot:0:0.8> <lora:gone:1:0.5>\nSteps: 12, Sampler: Euler a, "
                         "Schedule type: Karras, "
                         "Size: 64x96, Denoising strength: 0.4, Hires upscale: 2, VAE: mse.safetensors"_s;
    const UsedSettings found = used(text);
    QCOMPARE(QString::fromStdString(found.config.prompt), u"a hat, cap"_s);
    QCOMPARE(found.config.loras.size(), size_t{1});
    QCOMPARE(QString::fromStdString(found.config.loras[0].file), robot);
    QCOMPARE(found.config.loras[0].weight, 0.8);
    QCOMPARE(found.missing, QStringList{u"gone"_s});
    QCOMPARE(found.untaken.size(), 5);
    const QString told = found.untaken.join('\n');
    for (const char* words : {"changed", "\"robot\" had", "\"Karras\"", "enlarged", "mse.safetensors"})
        QVERIFY2(told.contains(QLatin1String(words)), words);
    QVERIFY(used(text + u", Version: Homebooth 1.0.0"_s).untaken.isEmpty());
}

void UseSettingsTest::ofAStrangeSamplerTheSpacingIsTaken() {
    core::SampleConfig before;
    before.karrasSigmas = true;
    const auto keeps = [&](const char* sampler) {
        const QString text = u"a hat\nSteps: 4, Sampler: %1, Size: 64x96"_s;
        const UsedSettings found =
            usedSettings(text.arg(QLatin1String(sampler)), before, builtInModel(), m_services->models);
        return found.config.karrasSigmas && found.untaken.size() == 1;
    };
    before.sampler = core::SamplerKind::DpmPlusPlus2M;
    for (const char* sampler : {"DPM++ SDE Karras", "Heun, Schedule type: Karras", "Heun"})
        QVERIFY2(keeps(sampler), sampler);
    QVERIFY(!keeps("Heun, Schedule type: Uniform"));
}

void UseSettingsTest::trailingStepsAreTaken() {
    const QString text = u"a hat\nSteps: 4, Sampler: Euler, Schedule type: %1, Size: 64x96%2"_s;
    const QString ours = u", Version: Homebooth 1.0.0"_s;
    const auto spacing = [&](const QString& type, const QString& version) {
        return used(text.arg(type, version)).config.stepSpacing;
    };
    for (const QString& version : {QString(), ours}) {
        QCOMPARE(spacing(u"SGM Uniform"_s, version), core::StepSpacing::Trailing);
        QCOMPARE(spacing(u"Uniform"_s, version), core::StepSpacing::Model);
    }
    QVERIFY(used(text.arg(u"SGM Uniform"_s, QString())).untaken.isEmpty());
}

void UseSettingsTest::aPromptsAddOnsJoinThoseThatAreChosen() {
    const QString robot = makeRun("robot", u"lora.safetensors"_s);
    const QString cat = makeRun("cat", u"lora.safetensors"_s);
    core::SampleConfig before;
    before.loras = {{cat.toStdString(), 0.25}};
    before.steps = 33;
    before.karrasSigmas = true;
    before.prompt = "a (small) toy <lora:robot:0.2:0.8> <lora:gone:1>";
    before.negativePrompt = "[[ugly]] <lora:cat:1>";
    const UsedSettings one = usedPrompt(before, m_services->models);
    QCOMPARE(QString::fromStdString(one.config.prompt), u"a (small) toy"_s);
    QCOMPARE(QString::fromStdString(one.config.negativePrompt), u"[[ugly]]"_s);
    QCOMPARE(one.config.loras.size(), size_t{2});
    QCOMPARE(QString::fromStdString(one.config.loras[0].file), robot);
    QCOMPARE(one.config.loras[0].weight, 0.8);
    QCOMPARE(QString::fromStdString(one.config.loras[1].file), cat);
    QCOMPARE(one.config.loras[1].weight, 0.25);
    QVERIFY(one.config.steps == 33 && one.config.karrasSigmas); // of a prompt nothing else follows
    QCOMPARE(one.missing, QStringList{u"gone"_s});
    QCOMPARE(one.untaken.size(), 1);
    before.prompt = "((small)) (hat:1.2) BREAK toy <lora:cat:0.5>";
    before.negativePrompt.clear();
    const UsedSettings other = usedPrompt(before, m_services->models);
    QCOMPARE(QString::fromStdString(other.config.prompt), u"((small)) (hat:1.2), toy"_s);
    QCOMPARE(other.config.loras.size(), size_t{1});
    QCOMPARE(other.config.loras[0].weight, 0.5);
    QVERIFY(other.untaken.isEmpty() && other.missing.isEmpty());
}

void UseSettingsTest::aPromptsChoicesStay() {
    const auto taken = [this](const char* prompt) {
        core::SampleConfig before;
        before.prompt = prompt;
        return QString::fromStdString(usedPrompt(before, m_services->models).config.prompt);
    };
    QCOMPARE(taken("a [{red|blue} hat]"), u"a [{red|blue} hat]"_s);
    QCOMPARE(taken("a [[{red|blue}] hat]"), u"a [[{red|blue}] hat]"_s);
    QCOMPARE(taken("a [{red|blue}|green] hat"), u"a {red|blue}, green hat"_s);
    QCOMPARE(taken("a [cat:{dog|a:b}:0.5]"), u"a cat, {dog|a:b}"_s);
    QCOMPARE(taken("a [cat|dog]"), u"a cat, dog"_s);
}

void UseSettingsTest::aPreviewsBracketsStayWords() {
    core::GenerationParameters facts; // as the engine writes them
    facts.prompt = "hatsune_miku_\\(vocaloid\\), smile";
    facts.steps = 25;
    facts.sampler = "Euler a";
    facts.seed = 7;
    facts.widthPixels = facts.heightPixels = 64;
    facts.version = "Homebooth 1.0.0";
    PromptPage page(*m_services);
    QVERIFY(page.useParameters(QString::fromStdString(core::writeGenerationParameters(facts)), {}));
    const std::string asked = page.form->filled().text.toStdString();
    const std::vector<core::PromptPiece> whole{{"hatsune_miku_(vocaloid), smile", 1.0}};
    QVERIFY2(core::promptPieces(asked) == whole, asked.c_str());
}

void UseSettingsTest::whatIsReadLateReplacesNothing() {
    GeneratePage page(m_services->all());
    page.resize(900, 600);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(u"a red apple"_s);
    form->setCount(1);
    page.mainButton()->click();
    QTRY_COMPARE(page.paths().size(), 1);
    const QString made = page.paths().front();
    QImage picture(made); // of a worker that only pretends, and says nothing of it
    picture.setText(u"parameters"_s, textOfModel("sketch", {}));
    QVERIFY(picture.save(made));
    page.choose(made);
    QTRY_VERIFY(page.offers(Page::Command::UseSettings));
    QTRY_VERIFY(!m_services->generator.busy());
    {
        const Blocked drive(lookPool());
        QVERIFY(page.command(Page::Command::UseSettings));
        form->setPrompt(u"written on"_s);
    }
    QTRY_VERIFY(page.messages().currentText().contains(u"they were not taken"_s));
    QCOMPARE(form->prompt(), u"written on"_s);
    buttonNamed(page.messages(), u"Use settings"_s)->click();
    QCOMPARE(form->prompt(), u"a toy"_s);
    QVERIFY(!page.messages().currentText().contains(u"they were not taken"_s));
    {
        const Blocked drive(lookPool());
        QVERIFY(page.command(Page::Command::UseSettings));
        QVERIFY(page.useParameters(textWith("none", {}), builtInModel())); // of another one
    }
    QCoreApplication::processEvents();
    QCOMPARE(form->prompt(), u"a photo of ohwx toy (small)"_s);
    QVERIFY(!page.messages().currentText().contains(u"they were not taken"_s));
    QVERIFY(page.command(Page::Command::UseSettings));
    QTRY_COMPARE(form->prompt(), u"a toy"_s);
}

void UseSettingsTest::enlargingFillsTheForm() {
    MainWindow window(m_services->all());
    window.show();
    auto* gallery = static_cast<GalleryPage*>(window.page(PageId::Gallery));
    const auto* form = window.page(PageId::Generate)->findChild<GenerateForm*>();
    const QString picture = m_place.path(u"small.png"_s);
    const QString text = u"a toy\nSteps: 20, Sampler: DDIM, CFG scale: 3, Seed: 5, Size: 64x96"_s;
    Q_EMIT gallery->enlargeWanted(picture, {64, 96}, text, builtInModel());
    QCOMPARE(window.currentPage(), PageId::Generate);
    const core::SampleConfig made = form->config();
    QCOMPARE(QString::fromStdString(made.prompt), u"a toy"_s);
    QCOMPARE(made.initImage, picture.toStdString());
    QCOMPARE(QSize(int(made.widthPixels), int(made.heightPixels)), QSize(128, 192));
    QCOMPARE(made.seed, uint64_t{5});
    QCOMPARE(made.count, int64_t{1});
    QVERIFY(made.strength < 0.5);
    auto* page = static_cast<GeneratePage*>(window.page(PageId::Generate));
    QVERIFY(page->messages().currentText().contains(u"128 x 192"_s));
    Q_EMIT gallery->enlargeWanted(picture, {2048, 2048}, text, builtInModel());
    QVERIFY(page->messages().currentText().contains(u"2048 x 2048"_s));
    QVERIFY(form->config().initImage.empty());
}

HOMEBOOTH_APP_TEST_MAIN(UseSettingsTest)
#include "tst_use_settings.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Generate: prompts with a subject, saved moments, and what is done with the pictures that were
// made.
#include "app/engine/engine_words.h"
#include "app/engine/pictures/enlarging.h"
#include "app/engine/places.h"
#include "app/engine/runs/moments.h"
#include "app/library/drive_pools.h"
#include "app/pages/generate/model_choice.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/generation_parameters.h"
#include "item_rules.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QMimeData>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// What was made, below the form; nullptr where the page shows none.
ThumbnailGrid* resultGrid(const GeneratePage& page) {
    for (auto* grid : page.findChildren<ThumbnailGrid*>())
        if (grid->accessibleName() == u"Pictures"_s) return grid;
    return nullptr;
}

} // namespace

class GenerateTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void resultsAreDeletedAndMarkedWhereTheyAre();
    void resultsAreCopiedAndTheirSettingsUsed();
    void aDeletedResultComesBackToItsPlace();
    void variantsLeaveTheCountAlone();
    void aPictureIsEnlarged();
    void enlargedSizesHaveLimits();
    void promptTakesTheChosenSubject();
    void savedMomentsAreModelsOfLinks();
    void theModelIsChosenAgainAfterARestart();
    void aModelThatComesBackIsNotChosenOverAnother();
    void aPicturesSettingsComeBackWhole();
    void picturesThatWaitForATrainingSayWhy();
    void onlyWhatIsHeldBackIsSaidToWaitFromEarlier();
    void linksOfAMomentAreMadeOffTheWindowsThread();
    void failuresAreToldInTheUsersLanguage();
    void causesOfFailuresAreToldApart();
    void warningsHaveHeadlinesOfTheirOwn();
    void sizesAreThoseThatTheModelsTake();

private:
    /// Of a picture that began from start.png, with an add-on.
    [[nodiscard]] static core::GenerationParameters startedParameters();
};

void GenerateTest::resultsAreDeletedAndMarkedWhereTheyAre() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr);
    MainWindow window(m_services->all());
    window.resize(1100, 700);
    window.show();
    window.showPage(PageId::Generate);
    auto* page = static_cast<GeneratePage*>(window.page(PageId::Generate));
    auto* form = page->findChild<GenerateForm*>();
    form->setPrompt(u"a red apple"_s);
    form->setCount(3);
    page->mainButton()->click();
    QTRY_COMPARE(page->paths().size(), 3);
    const QStringList made = page->paths();
    auto* grid = resultGrid(*page);
    QVERIFY(grid != nullptr);
    QTRY_VERIFY(grid->model()->index(2, 0).data(RecordIdRole).toLongLong() != 0);
    QVERIFY(!buttonNamed(*page, u"Delete"_s)->isEnabled()); // nothing is chosen
    page->choose(made[1]);
    buttonNamed(*page, u"Favourite"_s)->click();
    QTRY_VERIFY(grid->model()->index(1, 0).data(FavouriteRole).toBool());
    QSignalSpy told(page, &Page::toast);
    QVERIFY(page->command(Page::Command::Delete));
    QCOMPARE(told.size(), 1);
    QTRY_COMPARE(page->paths(), (QStringList{made[0], made[2]}));
    QCOMPARE(grid->currentIndex().data(PathRole).toString(), made[2]);
    // In the large view the keys mean the picture that is seen, and the arrows walk through all.
    Q_EMIT page->largeWanted(made[2]);
    auto* view = window.findChild<LargeView*>();
    QTest::keyClick(view, Qt::Key_F);
    QTRY_VERIFY(view->state().favourite);
    QTRY_VERIFY(grid->model()->index(1, 0).data(FavouriteRole).toBool());
    QTest::keyClick(view, Qt::Key_Delete);
    QTRY_COMPARE(page->paths(), QStringList{made[0]});
    QTRY_COMPARE(view->path(), made[0]);
    QTest::keyClick(view, Qt::Key_Escape);
    for (int i = 0; i < 4; ++i) m_services->undo.undo();
    QTRY_COMPARE(page->paths(), made);
    QTRY_VERIFY(!grid->model()->index(1, 0).data(FavouriteRole).toBool());
}

void GenerateTest::resultsAreCopiedAndTheirSettingsUsed() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr);
    GeneratePage page(m_services->all());
    page.resize(900, 600);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    QVERIFY(!page.command(Page::Command::Copy)); // there is nothing to copy
    QVERIFY(!page.command(Page::Command::UseSettings));
    form->setPrompt(u"a red apple"_s);
    form->setCount(1);
    page.mainButton()->click();
    QTRY_COMPARE(page.paths().size(), 1);
    const QString made = page.paths().front();
    QImage picture(made); // of a worker that only pretends, and says nothing of it
    picture.setText(u"parameters"_s,
                    u"a red apple\nSteps: 17, Sampler: DDIM, CFG scale: 3, Seed: 5, Size: 64x64, "
                    "Model: called otherwise"_s);
    QVERIFY(picture.save(made));
    QVERIFY(!page.offers(Page::Command::Copy) && !page.offers(Page::Command::UseSettings));
    QSignalSpy said(&page, &Page::commandsChanged);
    page.choose(made);
    QVERIFY(!said.isEmpty() && page.offers(Page::Command::Copy));
    QApplication::clipboard()->clear();
    QVERIFY(page.command(Page::Command::Copy));
    const auto copied = [] {
        const QMimeData* data = QApplication::clipboard()->mimeData();
        return data != nullptr && data->hasImage();
    };
    QTRY_VERIFY(copied());
    form->setPrompt(u"something else"_s);
    QVERIFY(page.command(Page::Command::UseSettings));
    QTRY_COMPARE(form->prompt(), u"a red apple"_s);
    QCOMPARE(QString::fromStdString(form->config().model), builtInModel()); // which made it
    QVERIFY(!page.messages().currentText().contains(u"called otherwise"_s));
}

void GenerateTest::aDeletedResultComesBackToItsPlace() {
    ResultModel model(m_services->thumbnails);
    const ItemRules tester(model);
    model.begin(pictures("older", 2));
    for (const int place : {0, 1}) model.finish(place, u"/older%1.png"_s.arg(place));
    model.begin(pictures("newer", 3));
    model.finish(0, u"/newer0.png"_s);
    const std::vector<std::string> hidden{"/newer0.png", "/older0.png"};
    QVERIFY(model.setStates(hidden, {{1, false, true}, {2, false, true}}));
    QVERIFY(!model.setStates(hidden, {{1, false, true}, {2, false, true}}));
    // What comes meanwhile finds its own place although the rows moved.
    model.finish(1, u"/newer1.png"_s);
    model.finish(2, u"/newer2.png"_s);
    QCOMPARE(model.paths(), (QStringList{u"/newer1.png"_s, u"/newer2.png"_s, u"/older1.png"_s}));
    QCOMPARE(model.files().size(), size_t{5});
    QVERIFY(model.setStates(hidden, {{1, true, false}, {2, false, false}}));
    QCOMPARE(model.paths(), (QStringList{u"/newer0.png"_s, u"/newer1.png"_s, u"/newer2.png"_s,
                                         u"/older0.png"_s, u"/older1.png"_s}));
    QVERIFY(model.index(0).data(FavouriteRole).toBool());
}

void GenerateTest::variantsLeaveTheCountAlone() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr);
    GeneratePage page(m_services->all());
    page.resize(900, 600);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(u"a red apple"_s);
    form->setCount(2);
    page.mainButton()->click();
    QTRY_COMPARE(page.paths().size(), 2);
    const QString made = page.paths().front();
    page.choose(made);
    QTRY_VERIFY(buttonNamed(page, u"Vary"_s)->isEnabled());
    buttonNamed(page, u"Vary"_s)->click();
    QCOMPARE(form->config().count, int64_t{2});
    QTRY_COMPARE(page.paths().size(), 2 + 4);
    page.choose(made);
    buttonNamed(page, u"Same seed"_s)->click();
    QCOMPARE(form->config().count, int64_t{1});
    QPushButton* lock = buttonNamed(*form, u"Keep"_s);
    QVERIFY(lock->isChecked());
    lock->click(); // another seed, and as many as before
    QCOMPARE(form->config().count, int64_t{2});
}

void GenerateTest::aPictureIsEnlarged() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr);
    GeneratePage page(m_services->all());
    page.resize(900, 600);
    page.show();
    auto* form = page.findChild<GenerateForm*>();
    form->setPrompt(u"a red apple"_s);
    form->setCount(2);
    page.mainButton()->click();
    QTRY_COMPARE(page.paths().size(), 2);
    const QString made = page.paths()[1];
    const auto* results = static_cast<const ResultModel*>(resultGrid(page)->model());
    const core::SampleConfig before = results->configOf(1);
    QVERIFY(before.widthPixels > 0);
    QPushButton* enlarge = buttonNamed(page, u"Enlarge"_s);
    QVERIFY(!enlarge->isEnabled()); // nothing is chosen
    page.choose(made);
    QTRY_VERIFY(enlarge->isEnabled());
    form->setPrompt(u"something else"_s);
    enlarge->click();
    QTRY_COMPARE(page.paths().size(), 3);
    const core::SampleConfig larger = results->configOf(0);
    QCOMPARE(larger.initImage, made.toStdString());
    QCOMPARE(larger.widthPixels, 2 * before.widthPixels);
    QCOMPARE(larger.heightPixels, 2 * before.heightPixels);
    QCOMPARE(larger.prompt, before.prompt);
    QCOMPARE(larger.seed, before.seed);
    QVERIFY(larger.strength < 0.5); // the subject stays
    QCOMPARE(form->prompt(), u"something else"_s);
    QVERIFY(form->config().initImage.empty());
    QCOMPARE(form->config().count, int64_t{2});
}

void GenerateTest::enlargedSizesHaveLimits() {
    QCOMPARE(enlargedSize({512, 768}, 8), QSize(1024, 1536));
    QCOMPARE(enlargedSize({1024, 1536}, 64), QSize(1344, 2048)); // 1365 is none of the model's sizes
    QVERIFY(!enlargedSize({1024, 1900}, 8));
    QVERIFY(!enlargedSize({}, 8));
    core::SampleConfig fewSteps;
    fewSteps.steps = 4;
    for (const qint64 pixels : {128, 512, 1024}) {
        const core::SampleConfig job = enlarging(fewSteps, "a.png", {64, 64}, pixels);
        QVERIFY(job.strength < (pixels < 512 ? 0.2 : 0.5));
        QVERIFY(static_cast<double>(job.steps) * job.strength >= 4);
    }
}

void GenerateTest::promptTakesTheChosenSubject() {
    SubjectBook& book = m_services->subjects;
    const int64_t dog = book.addFromPhotos({}, u"blue dog"_s);
    const int64_t toy = book.addFromPhotos({}, u"robot toy"_s);
    core::Subject after = *book.find(dog);
    after.classNoun = "dog";
    after.triggerWord = "zwx";
    book.change(after, u"words"_s);
    GenerateForm form(m_services->all());
    form.show();
    QComboBox* subjects = nullptr;
    for (auto* box : form.findChildren<QComboBox*>())
        if (box->accessibleName() == u"{subject} is"_s) subjects = box;
    QVERIFY(subjects != nullptr);
    form.setPrompt(u"a red apple"_s);
    QVERIFY(!subjects->isVisible());
    form.setPrompt(u"a {subject} on a box"_s);
    QVERIFY(subjects->isVisible());
    form.setSubject(dog);
    QCOMPARE(form.subjectWords(), u"zwx dog"_s);
    form.setSubject(toy);
    QVERIFY(form.subjectWords().startsWith(QString::fromStdString(book.find(toy)->triggerWord)));
    book.remove(toy);
    QCOMPARE(form.subjectWords(), u"zwx dog"_s);
    book.remove(dog);
    QCOMPARE(form.subjectWords(), QString());
}

void GenerateTest::theModelIsChosenAgainAfterARestart() {
    const QString model = m_place.path("chosen model");
    addModel("chosen model", "model");
    addModel("another model", "model");
    {
        GenerateForm form(m_services->all());
        form.setModel(model);
        QCOMPARE(QString::fromStdString(form.config().model), model);
    }
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    GenerateForm form(m_services->all());
    QCOMPARE(QString::fromStdString(form.config().model), builtInModel()); // no other is known so far
    m_services->models.refresh();
    QTRY_COMPARE(QString::fromStdString(form.config().model), model);
    // Away for a while it is chosen again when it comes back.
    const ModelEntry* entry = m_services->models.find(model);
    const auto record = m_services->models.record(entry->recordId);
    m_services->models.forget(record->id);
    QVERIFY(QString::fromStdString(form.config().model) != model);
    m_services->models.put(*record);
    QCOMPARE(QString::fromStdString(form.config().model), model);
    m_services->models.forget(record->id); // the library is that of all functions
    const ModelEntry* other = m_services->models.find(m_place.path("another model"));
    m_services->models.forget(other->recordId);
    m_services->settings.reset(keys::kGenerateModel);
}

void GenerateTest::aModelThatComesBackIsNotChosenOverAnother() {
    const QString model = m_place.path("comes back");
    addModel("comes back", "model");
    ModelShelf& shelf = m_services->models;
    const core::ModelRecord record = *shelf.record(shelf.find(model)->recordId);
    GenerateForm form(m_services->all());
    const auto shown = [&form] { return QString::fromStdString(form.config().model); };
    for (const bool byHand : {true, false}) {
        form.setModel(model);
        shelf.forget(record.id);
        QCOMPARE(shown(), builtInModel()); // nobody chose it yet
        auto* box = form.findChild<ModelChoice*>()->findChild<QComboBox*>();
        if (byHand)
            Q_EMIT box->activated(box->currentIndex()); // the one that is shown
        else
            form.setModel(builtInModel());
        shelf.put(record);
        QCOMPARE(shown(), builtInModel());
        QCOMPARE(m_services->settings.text(keys::kGenerateModel), builtInModel());
    }
    shelf.forget(record.id);
    m_services->settings.reset(keys::kGenerateModel);
}

void GenerateTest::savedMomentsAreModelsOfLinks() {
    const QString run = m_place.path("runs/robot");
    const QString checkpoint = run + u"/checkpoints/step-000040"_s;
    QDir().mkpath(checkpoint);
    for (const char* name : {"/manifest.json", "/unet.safetensors"}) {
        QFile file(checkpoint + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("weights");
    }
    const std::vector<Moment> moments = momentsOf(run);
    QCOMPARE(moments.size(), size_t{1});
    QCOMPARE(moments[0].step, int64_t{40});
    for (int twice = 0; twice < 2; ++twice) {
        const auto model = momentModel(checkpoint, builtInModel());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE(*model, momentFolder(checkpoint));
        QFile weights(*model + u"/unet/diffusion_pytorch_model.safetensors"_s);
        QVERIFY(weights.open(QIODevice::ReadOnly));
        QCOMPARE(weights.readAll(), QByteArray("weights"));
        QVERIFY(QFile::exists(*model + u"/unet/config.json"_s));
        QVERIFY(QFile::exists(*model + u"/vae/diffusion_pytorch_model.safetensors"_s));
    }
    QVERIFY(!momentModel(checkpoint, m_place.path("made.png")));
    QFile::remove(checkpoint + u"/unet.safetensors"_s);
    QVERIFY(!momentModel(checkpoint, builtInModel()));
    QVERIFY(QFile::exists(builtInModel() + u"/unet/config.json"_s));
}

core::GenerationParameters GenerateTest::startedParameters() {
    core::GenerationParameters facts;
    facts.prompt = "a photo of ohwx toy";
    facts.steps = 12;
    facts.sampler = "Euler a";
    facts.guidanceScale = 4.0;
    facts.seed = 4021;
    facts.widthPixels = facts.heightPixels = 64;
    facts.model = "sketch";
    facts.strength = 0.4;
    facts.initImage = "start.png";
    facts.loraWeights = {{"hat", -0.5}};
    return facts;
}

void GenerateTest::aPicturesSettingsComeBackWhole() {
    addModel("hat.safetensors", "lora");
    const QString start = writeTestPicture(m_place.path("start.png"), 3, {64, 64});
    core::GenerationParameters facts = startedParameters();
    facts.loraHashes = {{"hat", core::loraHash(m_place.path("hat.safetensors").toStdString()).value()}};
    const QString text = QString::fromStdString(core::writeGenerationParameters(facts));
    for (const QString& path : {start, u"/gone/start.png"_s}) // the latest is gone
        m_services->library.write(
            [path = path.toStdString()](core::Library& library) { return core::noteStart(library, path); });
    PromptPage page(*m_services);
    QVERIFY(page.useParameters(text, {}));
    auto* form = page.form;
    QTRY_COMPARE(QString::fromStdString(form->config().initImage), start);
    const core::SampleConfig config = form->config();
    QCOMPARE(config.model, builtInModel().toStdString());
    QCOMPARE(config.seed, uint64_t(4021));
    QCOMPARE(config.strength, 0.4);
    QCOMPARE(config.loras.size(), size_t{1});
    QCOMPARE(config.loras[0].weight, -0.5);
    QTRY_VERIFY(page.messages().currentText().isEmpty()); // all files were compared
    form->nextSeed();                                     // the seed counted for one click; it is not locked
    QVERIFY(form->config().seed != 4021);

    facts.loraHashes = {{"scarf", "0123456789ab"}};
    facts.initImage = "lost.png";
    QVERIFY(page.useParameters(QString::fromStdString(core::writeGenerationParameters(facts)), {}));
    const auto told = [&page](const char* name) {
        return page.messages().currentText().contains(QLatin1String(name));
    };
    QTRY_VERIFY(told("scarf")); // which no file is
    QVERIFY(form->config().loras.empty());
    QVERIFY(form->config().initImage.empty());
    QTRY_VERIFY(told("lost.png")); // which was looked for, too
    QVERIFY(told("scarf"));
}

void GenerateTest::picturesThatWaitForATrainingSayWhy() {
    PromptPage page(*m_services);
    Generator& generator = m_services->generator;
    generator.setTraining(true);
    page.form->setPrompt(u"a red apple"_s);
    page.form->setCount(1);
    page.mainButton()->click();
    QVERIFY(!generator.busy());
    QVERIFY(page.messages().currentText().contains(u"A training is running."_s));
    QPushButton* now = buttonNamed(page.messages(), u"Make them now"_s);
    QVERIFY(now != nullptr);
    QSignalSpy ended(&generator, &Generator::ended);
    now->click();
    QVERIFY(generator.busy());
    QVERIFY(page.messages().currentText().isEmpty());
    QTRY_COMPARE(ended.size(), 1);
}

void GenerateTest::onlyWhatIsHeldBackIsSaidToWaitFromEarlier() {
    PromptPage page(*m_services);
    Generator& generator = m_services->generator;
    page.form->setPrompt(u"a red apple"_s);
    page.form->setCount(1);
    const auto says = [&page] { return page.messages().currentText().contains(u"asked for earlier wait"_s); };
    generator.setTraining(true); // what is asked for waits
    generator.setHeld(true);
    for (const size_t jobs : {size_t{1}, size_t{2}}) {
        page.mainButton()->click();
        QCOMPARE(generator.jobs().size(), jobs);
        QVERIFY(generator.waitsForTraining() && !says());
    }
    generator.restore({{1, pictures("a boat", 1)}});
    QVERIFY(says());
    page.mainButton()->click();
    QVERIFY(says());
    generator.setHeld(false);
    QVERIFY(!says());
    generator.dropAll();
    page.mainButton()->click();
    generator.beginBeside();
    generator.setHeld(true); // after this one
    page.mainButton()->click();
    QVERIFY(generator.busy() && generator.heldBack() == 1 && !says());
    generator.dropAll();
}

void GenerateTest::linksOfAMomentAreMadeOffTheWindowsThread() {
    const QString run = makeRunFolder(m_services->settings.runsFolder(), u"robot"_s, 100);
    const QString checkpoint = run + u"/checkpoints/step-000040"_s;
    for (const char* name : {"/manifest.json", "/unet.safetensors"})
        writeBytes(checkpoint + QLatin1String(name), "weights");
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_COMPARE(m_services->models.moments().size(), size_t{1});
    GeneratePage page(m_services->all());
    page.setModel(checkpoint);
    page.findChild<GenerateForm*>()->setPrompt(u"a red apple"_s);
    page.findChild<GenerateForm*>()->setCount(1);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    {
        const Blocked pool(modelDrives().of(checkpoint));
        page.mainButton()->click();
        QVERIFY(m_services->generator.jobs().empty());
        QVERIFY(!QFile::exists(momentFolder(checkpoint)));
        QTRY_COMPARE(page.messages().currentText(), u"The saved moment is being prepared."_s);
        m_services->generator.setTraining(true); // then what is asked for waits
    }
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{1});
    QCOMPARE(QString::fromStdString(m_services->generator.jobs().front().config.model),
             momentFolder(checkpoint));
    QVERIFY(!page.messages().currentText().contains(u"being prepared"_s));
    m_services->generator.setTraining(false);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(QDir(run).removeRecursively());
    page.mainButton()->click();
    QTRY_VERIFY(page.messages().currentText().contains(u"cannot make pictures"_s));
}

void GenerateTest::failuresAreToldInTheUsersLanguage() {
    GeneratePage page(m_services->all());
    Generator& generator = m_services->generator;
    Q_EMIT generator.failed(picturesTrouble(4), u"the GPU has <1 GiB> free"_s);
    QVERIFY(page.messages().currentText().startsWith(u"<b>Memory or disk space ran out"_s));
    const QString quoted = QLocale().quoteString(u"the GPU has <1 GiB> free"_s).toHtmlEscaped();
    QVERIFY(page.messages().currentText().endsWith(u"<br>"_s + quoted));
    core::SampleConfig config;
    config.model = "/gone/stick";
    config.count = 1;
    generator.restore({{1, config}});
    Q_EMIT generator.failed(picturesTrouble(3), u"/gone/stick: cannot open the model: it does "
                                                "not exist; check the path"_s);
    QVERIFY(page.messages().currentText().contains(u"\"stick\" cannot be found"_s));
    QVERIFY(buttonNamed(page.messages(), u"Choose a model"_s) != nullptr);
    generator.dropAll();
    const QString told = page.messages().currentText();
    Q_EMIT generator.warned(warningHeadline("prompt-syntax"), u"\"(a hat:1.2)\" in a prompt"_s);
    QCOMPARE(page.messages().currentText(), told); // the form says it
    Q_EMIT generator.warned(warningHeadline("few-steps"), u"so few steps (4)"_s);
    QCOMPARE(page.messages().currentText(), told); // likewise
}

void GenerateTest::causesOfFailuresAreToldApart() {
    for (const int code : {1, 3, 4, 6}) QVERIFY(!picturesTrouble(code).isEmpty());
    QVERIFY(
        picturesTrouble(4, "/a/00000-1.png: cannot write: the disk is full").startsWith("The disk is full"));
    QCOMPARE(picturesTrouble(4, "out of memory"), picturesTrouble(4));
    QCOMPARE(picturesTrouble(2), picturesTrouble(3));
    QCOMPARE(picturesTrouble(0), picturesTrouble(1)); // whatever else: it crashed
}

void GenerateTest::warningsHaveHeadlinesOfTheirOwn() {
    for (const char* kind : {"prompt-syntax",
                             "prompt-truncated",
                             "embedding-unnamed",
                             "encode-first",
                             "seldom-seen",
                             "small-pictures",
                             "vae-tiling",
                             "model-streams",
                             "card-without-driver",
                             "previews-in-tiles",
                             "previews-lack-memory",
                             "bf16-instead",
                             "bf16-for-additions",
                             "dropout-not-applied",
                             "class-pictures-as-told",
                             "v-chosen-elsewhere",
                             "zero-snr-chosen-elsewhere",
                             "noise-chosen-elsewhere",
                             "not-saved",
                             "few-steps"})
        QVERIFY2(warningHeadline(kind) != warningHeadline("of a later engine"), kind);
    QVERIFY(warningHeadline("bf16-for-additions").contains(u"what is added to it"_s));
}

void GenerateTest::sizesAreThoseThatTheModelsTake() {
    const QString coarse = coarseModel(m_place.path("coarse"));
    addModel("coarse", "model");
    QTRY_VERIFY(m_services->models.find(coarse)->looked);
    GenerateForm form(m_services->all());
    form.setModel(builtInModel());
    core::SampleConfig config = form.config();
    config.widthPixels = 72;
    config.heightPixels = 96;
    form.setConfig(config);
    QCOMPARE(form.config().widthPixels, int64_t{72});
    const auto told = [&form] { return shownTexts(form).filter(u"72 x 96 px"_s).size(); };
    QCOMPARE(told(), 0);
    auto* choice = form.findChild<ModelChoice*>();
    choice->setComparing(true); // with one that takes less
    QCOMPARE(choice->otherPath(), coarse);
    QCOMPARE(form.config().widthPixels, int64_t{80});
    QCOMPARE(form.config().heightPixels, int64_t{96});
    QCOMPARE(told(), 1);
    choice->setComparing(false);
    config.model = coarse.toStdString();
    form.setConfig(config);
    QCOMPARE(form.config().widthPixels, int64_t{80});
    QCOMPARE(told(), 1);
    for (auto* box : form.findChildren<QComboBox*>())
        if (const int at = box->findData(QSize(80, 96)); at >= 0) box->setCurrentIndex(at == 0 ? 1 : 0);
    QCOMPARE(told(), 0);
    QCOMPARE(form.config().widthPixels % 16, int64_t{0});
}

HOMEBOOTH_APP_TEST_MAIN(GenerateTest)
#include "tst_generate.moc"

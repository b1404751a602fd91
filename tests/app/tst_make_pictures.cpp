// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Making pictures after a training: what they are asked for where it learned from captions, and that nothing
// that was typed is lost by it.
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/welcome/welcome_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "core/base/text/generation_parameters.h"
#include "core/media/picture_io.h"
#include "model_records.h"
#include "picture_fixture.h"
#include "prompt_page.h"
#include "run_page.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QSemaphore>

#include <memory>

using namespace homebooth;
using namespace homebooth::app;

class MakePicturesTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aDatasetsPicturesBeginWithItsCaption_data();
    void aDatasetsPicturesBeginWithItsCaption();
    void withoutAPreviewNobodyKnowsASentence();
    void whatIsTypedStaysWhereThereIsNoSentence();
    void onlyThePromptIsFilledIn();
    void anEmptyFormAsksForAPrompt();
    void inPlaceOfAModelThatIsGoneNoOtherIsTaken();
    void aModelThatIsFoundLateIsWaitedFor();
    void whatIsChosenMeanwhileCounts_data();
    void whatIsChosenMeanwhileCounts();
    void whatFailsIsToldOnThePageInView();
    void whatAFirstPictureTakesIsTold();

private:
    /// A training on a dataset that is done; it named no prompt. @returns its folder
    [[nodiscard]] QString learnedFromCaptions(const QString& name);
    /// Asks the page Train for pictures. @returns the prompt that it hands over
    [[nodiscard]] QString promptAfter(const QString& folder);
    void findModels();
    /// Has the library answer nothing while what is returned is there: models are looked for then.
    [[nodiscard]] auto holdLibrary() {
        const auto free = std::make_shared<QSemaphore>();
        m_services->library.work(
            this,
            [free](core::Library&) {
                free->acquire();
                return true;
            },
            [](bool) {});
        return qScopeGuard([free] { free->release(); });
    }
    /// A model that nobody knows yet.
    [[nodiscard]] core::ModelRecord lateModel() const {
        core::ModelRecord record = modelRecord(u"late model"_s, m_place.path("late model"));
        QFile::link(builtInModel(), QString::fromStdString(record.path));
        return record;
    }
};

namespace {

/// As the engine writes it, with what it shows. @returns its path
std::string writePreview(const QString& folder, const char* prompt) {
    core::GenerationParameters parameters;
    parameters.prompt = prompt;
    parameters.steps = 25;
    parameters.seed = 1;
    parameters.widthPixels = parameters.heightPixels = 8;
    QDir().mkpath(folder + u"/samples"_s);
    const std::string path = folder.toStdString() + "/samples/20.png";
    core::Picture picture;
    picture.widthPixels = picture.heightPixels = 8;
    picture.rgb.assign(size_t{8 * 8 * 3}, 100);
    const auto written =
        core::writePng(path, picture, {{"parameters", core::writeGenerationParameters(parameters)}});
    return written ? path : std::string();
}

} // namespace

QString MakePicturesTest::learnedFromCaptions(const QString& name) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 20);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.mode = core::TrainMode::Dataset;
    config.data.instanceDir.clear();
    config.data.instancePrompt.clear();
    config.data.datasetDir = "/birds";
    [&] { QVERIFY(run->setConfig(config)); }();
    QDir().mkpath(folder + u"/result"_s);
    [&] { QVERIFY(QFile::link(builtInModel(), folder + u"/result/model"_s)); }();
    journalOf(folder)->emit(core::StepEvent{20, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    return folder;
}

QString MakePicturesTest::promptAfter(const QString& folder) {
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    RunPage page(*m_services, folder);
    QString prompt = u"nothing was asked for"_s;
    [&] { QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Done); }();
    [&] { QTRY_VERIFY(page.mainButton()->isEnabled()); }();
    QSignalSpy wanted(&page, &TrainPage::picturesWanted);
    page.mainButton()->click();
    [&] { QTRY_COMPARE(wanted.size(), 1); }();
    if (wanted.size() == 1) prompt = wanted[0][2].toString();
    return prompt;
}

void MakePicturesTest::findModels() {
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr);
}

void MakePicturesTest::aDatasetsPicturesBeginWithItsCaption_data() {
    QTest::addColumn<QString>("told");
    QTest::addColumn<QString>("caption");
    const auto row = [](const char* name, const char* told, const char* caption) {
        QTest::newRow(name) << QString::fromLatin1(told) << QString::fromLatin1(caption);
    };
    row("birds", "a great tit on a branch", "a great tit on a branch");
    row("escaped", "tit_\\(great\\), smile", "tit_(great), smile"); // Generate puts the backslashes
    row("early", "tit_(great), smile", "tit_(great), smile");
}

void MakePicturesTest::aDatasetsPicturesBeginWithItsCaption() {
    QFETCH(QString, told);
    QFETCH(QString, caption);
    const QString folder = learnedFromCaptions(QString::fromLatin1(QTest::currentDataTag()));
    const std::string picture = writePreview(folder, told.toUtf8().constData());
    QVERIFY(!picture.empty());
    journalOf(folder)->emit(core::PreviewEvent{20, 0, picture});
    QCOMPARE(promptAfter(folder), caption);
}

void MakePicturesTest::withoutAPreviewNobodyKnowsASentence() {
    QCOMPARE(promptAfter(learnedFromCaptions(u"unseen"_s)), QString());
}

void MakePicturesTest::whatIsTypedStaysWhereThereIsNoSentence() {
    findModels();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setPrompt(u"a boat at sea"_s, u"blurred"_s);
    form->setCount(1);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.makeWith(builtInModel(), {}, {});
    QCOMPARE(form->prompt(), u"a boat at sea"_s);
    QCOMPARE(form->negative(), u"blurred"_s);
    QTRY_COMPARE(ended.size(), 1); // and is what was made
}

void MakePicturesTest::onlyThePromptIsFilledIn() {
    findModels();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setPrompt(u"a boat at sea"_s, u"blurred"_s);
    form->setCount(1);
    form->setStart(writeTestPicture(m_place.path("beach.png"), 1, {64, 64}));
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    page.makeWith(builtInModel(), {}, u"a {great|blue} (coal) tit"_s);
    QCOMPARE(form->config().initImage, std::string()); // from words alone
    QCOMPARE(form->negative(), u"blurred"_s);
    // Captions have no places to fill in, and no brackets that weigh.
    QCOMPARE(form->filled().text, u"a {great|blue} \\(coal\\) tit"_s);
    QTRY_COMPARE(ended.size(), 1);
}

void MakePicturesTest::anEmptyFormAsksForAPrompt() {
    findModels();
    PromptPage page(*m_services);
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* form = page.form;
    form->setPrompt({});
    page.makeWith(builtInModel(), {}, {});
    QTRY_COMPARE(page.messages().currentText(), u"Describe a picture and press Make pictures."_s);
    QVERIFY(form->findChild<QPlainTextEdit*>()->hasFocus());
    QVERIFY(m_services->generator.jobs().empty());
}

void MakePicturesTest::inPlaceOfAModelThatIsGoneNoOtherIsTaken() {
    findModels();
    addModel("hat.safetensors", "lora");
    PromptPage page(*m_services);
    const QString hat = m_place.path("hat.safetensors");
    page.makeWith(m_place.path("dream.safetensors"), hat, u"a hat"_s);
    QTRY_VERIFY(page.messages().currentText().contains(u"need \"dream\", which is not here"_s));
    QVERIFY(m_services->generator.jobs().empty());
    QVERIFY(buttonNamed(page.messages(), u"Choose a model"_s) != nullptr);
    const QString gone = m_place.path("scarf.safetensors"); // nor are they made without it
    page.makeWith(builtInModel(), gone, u"a scarf"_s);
    QTRY_VERIFY(page.messages().currentText().contains(u"need \"scarf\""_s));
    QVERIFY(m_services->generator.jobs().empty());
}

void MakePicturesTest::aModelThatIsFoundLateIsWaitedFor() {
    findModels();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setStart(writeTestPicture(m_place.path("beach.png"), 1, {64, 64}));
    form->setModel(builtInModel());
    const Generator& generator = m_services->generator;
    m_services->generator.setTraining(true); // so that pictures wait
    const core::ModelRecord late = lateModel();
    const QString path = QString::fromStdString(late.path);
    ModelShelf& shelf = m_services->models;
    const auto held = holdLibrary();
    const QString waits = u"The model is being looked for."_s;
    for (const char* what : {"found", "written on", "stopped"}) {
        const bool stopped = QByteArray(what) == "stopped";
        form->setModel(builtInModel());
        page.makeWith(path, {}, u"a robot toy"_s);
        QTRY_COMPARE(page.messages().currentText(), waits);
        QCOMPARE(form->config().initImage, std::string());
        if (QByteArray(what) == "written on") form->setPrompt(u"a robot to"_s);
        if (stopped) buttonNamed(page.messages(), u"Stop"_s)->click();
        shelf.put(late);
        QVERIFY2(page.messages().currentText() != waits, what);
        QCOMPARE(QString::fromStdString(form->config().model), stopped ? builtInModel() : path);
        QVERIFY2(generator.jobs().size() == (QByteArray(what) == "found" ? 1U : 0U), what);
        m_services->generator.dropAll();
        shelf.forget(late.id);
    }
    m_services->settings.reset(keys::kGenerateModel);
}

void MakePicturesTest::whatIsChosenMeanwhileCounts_data() {
    QTest::addColumn<QString>("choice");
    for (const char* choice :
         {"another model of the shelf", "a model of the list", "its own pictures", "a start", "settings"})
        QTest::newRow(choice) << QString::fromLatin1(choice);
}

void MakePicturesTest::whatIsChosenMeanwhileCounts() {
    QFETCH(QString, choice);
    findModels();
    addModel("other model", "model");
    const QString other = m_place.path("other model");
    ModelShelf& shelf = m_services->models;
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(builtInModel());
    const Generator& generator = m_services->generator;
    m_services->generator.setTraining(true); // so that pictures wait
    const core::ModelRecord late = lateModel();
    const auto held = holdLibrary();
    page.makeWith(QString::fromStdString(late.path), {}, u"a robot toy"_s);
    QTRY_COMPARE(page.messages().currentText(), u"The model is being looked for."_s);
    if (choice == u"another model of the shelf"_s) page.prepare(builtInModel()); // is shown
    auto* list = form->findChild<ModelChoice*>()->findChild<QComboBox*>();
    if (choice == u"a model of the list"_s) list->setCurrentIndex(list->findData(other));
    if (choice == u"its own pictures"_s) page.mainButton()->click();
    if (choice == u"a start"_s) form->setStart(writeTestPicture(m_place.path("beach.png"), 1, {64, 64}));
    if (choice == u"settings"_s)
        QVERIFY(
            page.useParameters(u"a tree\nSteps: 17, Sampler: DDIM, Seed: 5, Size: 64x64"_s, builtInModel()));
    QVERIFY(!page.messages().currentText().contains(u"looked for"_s));
    const core::SampleConfig before = form->config();
    const size_t jobs = generator.jobs().size();
    QCOMPARE(jobs, size_t{choice == u"its own pictures"_s ? 1U : 0U});
    shelf.put(late);
    const core::SampleConfig after = form->config();
    QCOMPARE(after.model, before.model);
    QCOMPARE(after.initImage, before.initImage);
    QCOMPARE(generator.jobs().size(), jobs);
    m_services->generator.dropAll();
    shelf.forget(late.id);
    shelf.forget(shelf.find(other)->recordId);
    m_services->settings.reset(keys::kGenerateModel);
}

void MakePicturesTest::whatFailsIsToldOnThePageInView() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Gallery);
    const auto fail = [this] { Q_EMIT m_services->generator.failed(u"No pictures came"_s, u"why"_s); };
    fail();
    MessageBar& messages = window.page(PageId::Gallery)->messages();
    QVERIFY(messages.currentText().contains(u"No pictures came"_s));
    buttonNamed(messages, u"Open"_s)->click();
    QCOMPARE(window.currentPage(), PageId::Generate);
    QCOMPARE(messages.count(), 0);
    const MessageBar& own = window.page(PageId::Generate)->messages();
    QVERIFY(own.currentText().contains(u"No pictures came"_s));
    fail();
    QCOMPARE(own.count(), 1); // once
    window.showPage(PageId::Queue);
    Q_EMIT m_services->runs.failed(u"The queue could not be changed."_s, {});
    QVERIFY(window.page(PageId::Queue)->messages().currentText().contains(u"could not be changed"_s));
    window.showPage(PageId::Subjects); // while the photos of a training are copied
    Q_EMIT m_services->runs.noRoom(RunOrder(), m_place.path("runs"), {1'000'000, 0});
    QVERIFY(window.page(PageId::Subjects)->messages().currentText().contains(u"has no room"_s));
    const MessageBar& train = window.page(PageId::Train)->messages();
    QVERIFY(train.currentText().contains(u"are needed"_s));
}

void MakePicturesTest::whatAFirstPictureTakesIsTold() {
    m_services->settings.reset(keys::kFirstPictureMs);
    const auto told = [](const WelcomePage& page) {
        return shownTexts(page).filter(QRegularExpression(u"^\\(\\d+ s\\)$"_s)).size();
    };
    const WelcomePage page(m_services->all());
    QCOMPARE(told(page), 0); // nobody knows
    core::SampleConfig other = pictures("a boat", 1);
    other.model = "/another/model";
    m_services->generator.make(other, 1);
    QTRY_VERIFY(!m_services->generator.busy());
    QCOMPARE(told(page), 0);
    bool freed = false;
    m_services->generator.giveBack([&freed] { freed = true; });
    QTRY_VERIFY(freed);
    m_services->generator.make(pictures("an apple", 1), 2);
    QTRY_COMPARE(told(page), 1);
    QCOMPARE(told(WelcomePage(m_services->all())), 1); // also at the next start
    m_services->settings.set(keys::kProcessorOnly, true);
    QCOMPARE(told(page), 0); // what it takes there nobody knows
    m_services->settings.reset(keys::kProcessorOnly);
}

HOMEBOOTH_APP_TEST_MAIN(MakePicturesTest)
#include "tst_make_pictures.moc"

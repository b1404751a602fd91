// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Learned words (embeddings): imported, offered below the prompt, and given to the engine where a prompt
// names them.
#include "app/engine/models/learned_words.h"
#include "app/engine/places.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/generate/prompt/embedding_words.h"
#include "app/pages/generate/used_settings.h"
#include "app/pages/models/in_use_message.h"
#include "app/pages/models/model_list.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/train/train_page.h"
#include "app/shell/drops/drop_content.h"
#include "app/widgets/message_bar.h"
#include "core/base/text/generation_parameters.h"
#include "loop_watch.h"
#include "model_fixture.h"
#include "picture_fixture.h"
#include "prompt_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTextCursor>

#include <algorithm>
#include <limits>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr int64_t kFirstWidth = 768; // of the text of SD 1.x
constexpr int64_t kSecondWidth = 1024;

/// Two vectors, as A1111 and sd-scripts write them, or diffusers under a token.
void writeEmbedding(const QString& path, int64_t width, const std::string& tensor) {
    writeTensors(path, {{tensor, {2, width}}});
}

/// Configurations of SD 1.x's widths without weights: it tells its family, and draws nothing.
void writeFirstFamily(const QString& folder) {
    const QString from = builtInModel();
    QDir().mkpath(folder);
    for (const char* name : {"/model_index.json", "/vae", "/scheduler", "/tokenizer"})
        QFile::link(from + QLatin1String(name), folder + QLatin1String(name));
    const QString unet = u"/unet/config.json"_s;
    QByteArray text = bytesOf(from + unet);
    text.replace("\"cross_attention_dim\": 192", "\"cross_attention_dim\": 768");
    const auto first = text.indexOf("64", text.indexOf("\"block_out_channels\""));
    writeBytes(folder + unet, text.replace(first, 2, "320"));
    const QString encoder = u"/text_encoder/config.json"_s;
    writeBytes(folder + encoder,
               bytesOf(from + encoder).replace("\"hidden_size\": 192", "\"hidden_size\": 768"));
}

} // namespace

class LearnedWordsTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init();
    void cleanup() { end(); }
    void standsAmongAddOnsAndSaysItsWords();
    void isNoModelToTrainOrDrawWith();
    void filesOfAllItsFormatsAreTaken();
    void aClickPutsTheWordWhereTheFocusWas();
    void aWordThatIsCutIsReadWithoutMarkup();
    void aButtonStaysWhenOthersComeAndGo();
    void aWordIsPartedFromWhatStandsAround();
    void itsModelsFamilyDecides();
    void aJobHasThoseThatItsOwnPromptNames();
    void eachSideOfAComparisonHasItsOwn();
    void ofTwoOfOneWordTheFirstIsTaken();
    void whatIsNotLeftOutNeedsNoWord();
    void hundredsOfThemHoldNothingUp();
    void ofHundredsTheFirstHaveButtons();
    void wordsThatAreNotHereAreNamed();
    void staysWhilePicturesNeedIt();
    void goesToTheEndOfThePrompt();
    void oneWithBracesIsNamedOnce();
    void withoutAModelForItThatIsSaid();
    void aNameThatAnotherHasIsSaid();

private:
    /// An embedding that the shelf has looked at. @returns its path
    QString addEmbedding(const QString& name, int64_t width = kFirstWidth,
                         const std::string& tensor = "emb_params");
    /// A model of the list. @returns its path
    QString addKnown(const QString& name);
    /// One of which nobody knows what it is.
    QString addUnknown();
    /// So many words, looked at, whose files are gone.
    void addMany(int count);
    [[nodiscard]] QStringList wordsFor(const QStringList& models) const;
    [[nodiscard]] QStringList namedIn(const char* prompt) const;
    /// What jobs that wait were given, in order. @param model  of which job
    [[nodiscard]] QStringList embeddingsOf(const QString& model) const;
};

void LearnedWordsTest::init() {
    m_place.removeLibrary();
    beginAgain();
    m_services->settings.reset(keys::kGenerateModel);
    QTRY_VERIFY(m_services->models.find(builtInModel())->looked);
}

QString LearnedWordsTest::addEmbedding(const QString& name, int64_t width, const std::string& tensor) {
    const QString path = m_place.path(name);
    QDir().mkpath(QFileInfo(path).path());
    if (!QFile::exists(path)) writeEmbedding(path, width, tensor);
    m_services->models.import(path);
    const auto there = [this, &path] {
        const ModelEntry* entry = m_services->models.find(path);
        return entry != nullptr && entry->looked;
    };
    [&] { QTRY_VERIFY(there()); }();
    return path;
}

QString LearnedWordsTest::addKnown(const QString& name) {
    core::ModelRecord record = modelRecord(name, m_place.path(name));
    m_services->models.put(record);
    return QString::fromStdString(record.path);
}

QString LearnedWordsTest::addUnknown() {
    const QString name = u"mystery.safetensors"_s;
    QFile::copy(m_place.path("made.png"), m_place.path(name)); // whatever is no model
    const QString path = addKnown(name);
    [&] { QTRY_VERIFY(m_services->models.find(path)->looked); }();
    return path;
}

QStringList LearnedWordsTest::wordsFor(const QStringList& models) const {
    QStringList words;
    for (const LearnedWord& one : learnedWords(m_services->models, models)) words += one.words;
    words.sort();
    return words;
}

QStringList LearnedWordsTest::namedIn(const char* prompt) const {
    core::SampleConfig job;
    job.model = "/unknown";
    job.prompt = prompt;
    QStringList files;
    for (const std::string& file : namedEmbeddings(m_services->models, job))
        files.append(QString::fromStdString(file));
    files.sort();
    return files;
}

QStringList LearnedWordsTest::embeddingsOf(const QString& model) const {
    QStringList files;
    for (const GenerationJob& job : m_services->generator.jobs())
        if (job.config.model == model.toStdString())
            for (const std::string& file : job.config.embeddings) files.append(QString::fromStdString(file));
    files.sort();
    return files;
}

void LearnedWordsTest::standsAmongAddOnsAndSaysItsWords() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    const ModelShelf& shelf = m_services->models;
    const ModelEntry* entry = shelf.find(path);
    QVERIFY(entry->kind == ModelEntry::Kind::Embedding && entry->isAddOn() && !entry->isModel());
    QCOMPARE(entry->facts.words, QStringList{u"EasyNegative"_s});
    QCOMPARE(entry->facts.vectors, qint64{2});
    QVERIFY(shelf.familyOf(path) == core::ModelFamily::StableDiffusion1);
    const ModelList list(m_services->models);
    QCOMPARE(list.index(list.rowOf(path)).data(ModelList::HeadingRole).toString(), u"Add-ons"_s);
    PageOfModel page(*m_services, u"EasyNegative"_s);
    const auto says = [&page](const char* text) { return shownTexts(page).contains(QLatin1String(text)); };
    QTRY_VERIFY(says("learned word of 2 vector(s) for SD 1.x"));
    QVERIFY(says("In prompts") && says("6 kB") && !says("Parts"));
    QVERIFY(buttonNamed(page, u"Train with it"_s)->isHidden());
    QVERIFY(buttonNamed(page, u"Export as"_s)->isHidden());
    QVERIFY(!page.offers(Page::Command::Export));
    QVERIFY(buttonNamed(page, u"Make pictures"_s)->isVisible());
    const QDate day = QDate::currentDate(); // midnight may pass between the check and its words
    QTRY_VERIFY(says("Whole, checked today") || QDate::currentDate() != day);
}

void LearnedWordsTest::isNoModelToTrainOrDrawWith() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    const TrainPage train(m_services->all());
    const GeneratePage generate(m_services->all());
    QList<QComboBox*> boxes = train.findChildren<QComboBox*>();
    boxes += generate.findChildren<QComboBox*>();
    int models = 0;
    for (const QComboBox* box : boxes) {
        QCOMPARE(box->findData(path), -1);
        models += box->findData(builtInModel()) >= 0 ? 1 : 0;
    }
    QVERIFY(models >= 3); // one of Train, two of Generate
}

void LearnedWordsTest::filesOfAllItsFormatsAreTaken() {
    for (const char* name : {"one.pt", "two.bin", "three.safetensors"}) {
        const QString path = m_place.path(QLatin1String(name));
        QCOMPARE(dropContentOf({path}).models, QStringList{path});
    }
    ModelsPage page(m_services->all());
    page.show();
    QVERIFY(page.command(Page::Command::Import));
    auto* dialog = page.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    const QString filter = dialog->nameFilters().join(' ');
    for (const char* ending : {"*.pt", "*.bin", "*.safetensors"})
        QVERIFY2(filter.contains(QLatin1String(ending)), ending);
    dialog->close();
}

void LearnedWordsTest::aClickPutsTheWordWhereTheFocusWas() {
    GenerateForm form(m_services->all());
    form.setModel(addUnknown());
    QVERIFY(form.findChild<EmbeddingWords*>()->isHidden()); // there are none
    addEmbedding("EasyNegative.safetensors");
    form.setPrompt(u"a cat"_s);
    form.show();
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    auto* prompt = form.findChild<QPlainTextEdit*>();
    auto* negative = fieldNamed(form, u"Leave out"_s);
    QPushButton* word = buttonNamed(form, u"EasyNegative"_s);
    QVERIFY(word != nullptr && word->isVisible());
    QCOMPARE(word->accessibleDescription(),
             u"Stands for 2 learned vector(s). Click to put it into the prompt."_s);
    QVERIFY(word->accessibleName().contains(u"EasyNegative"_s));
    QVERIFY(word->focusPolicy() & Qt::TabFocus);
    word->click(); // before any field had the focus
    QCOMPARE(form.prompt(), u"a cat, EasyNegative"_s);
    negative->setFocus();
    QTRY_VERIFY(negative->hasFocus());
    word->setFocus(Qt::TabFocusReason);
    QTest::keyClick(word, Qt::Key_Space);
    QCOMPARE(form.negative(), u"EasyNegative"_s);
    QVERIFY(negative->hasFocus());
    prompt->setFocus();
    QTRY_VERIFY(prompt->hasFocus());
    word->click();
    QCOMPARE(form.prompt(), u"a cat, EasyNegative, EasyNegative"_s);
    form.setModel(builtInModel());
    QVERIFY(!word->isVisible()); // it was made for others
}

void LearnedWordsTest::aWordThatIsCutIsReadWithoutMarkup() {
    GenerateForm form(m_services->all());
    form.setModel(addUnknown());
    const QString word = QString(60, QLatin1Char('w')) + u"<b>"_s;
    addEmbedding(word + u".safetensors"_s);
    const auto* button = form.findChild<EmbeddingWords*>()->findChild<QPushButton*>();
    QVERIFY(button != nullptr);
    QVERIFY2(button->accessibleDescription().startsWith(word + '\n'),
             qPrintable(button->accessibleDescription()));
}

void LearnedWordsTest::aButtonStaysWhenOthersComeAndGo() {
    GenerateForm form(m_services->all());
    form.setModel(addUnknown());
    addEmbedding("moon-dog.safetensors");
    form.show();
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    const QPointer<QPushButton> word = buttonNamed(form, u"moon-dog"_s);
    QVERIFY(word != nullptr);
    word->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(word->hasFocus());
    const QString other = addEmbedding("EasyNegative.safetensors");
    const auto shown = [&form] { return buttonNamed(form, u"EasyNegative"_s); };
    QVERIFY(shown() != nullptr);
    QVERIFY(word != nullptr && word->isVisible() && word->hasFocus());
    QTRY_VERIFY(shown()->isVisible() && !word->geometry().intersects(shown()->geometry()));
    m_services->models.forget(m_services->models.find(other)->recordId);
    QTRY_VERIFY(shown() == nullptr);
    QVERIFY(word != nullptr && word->isVisible() && word->hasFocus());
    form.setPrompt(u"a cat"_s);
    word->click(); // once
    QCOMPARE(form.prompt(), u"a cat, moon-dog"_s);
}

void LearnedWordsTest::aWordIsPartedFromWhatStandsAround() {
    GenerateForm form(m_services->all());
    auto* prompt = form.findChild<QPlainTextEdit*>();
    const auto put = [&form, prompt](const QString& text, int at, const QString& word) {
        form.setPrompt(text);
        QTextCursor cursor = prompt->textCursor();
        cursor.setPosition(at);
        prompt->setTextCursor(cursor);
        form.insertWord(word);
        return prompt->toPlainText();
    };
    const QString word = u"moon-dog"_s;
    QCOMPARE(put({}, 0, word), u"moon-dog"_s);
    QCOMPARE(put(u"a cat"_s, 0, word), u"moon-dog, a cat"_s);
    QCOMPARE(put(u"a cat,"_s, 6, word), u"a cat, moon-dog"_s);
    QCOMPARE(put(u"in the style of "_s, 16, word), u"in the style of moon-dog"_s);
    QCOMPARE(put(u"a cat, a box"_s, 5, word), u"a cat, moon-dog, a box"_s);
    (void)put({}, 0, u"odd{name}"_s); // no place to fill in
    QCOMPARE(form.filled().text, u"odd{name}"_s);
    (void)put({}, 0, u"hat (2)"_s); // which weighs nothing
    QCOMPARE(form.filled().text, u"hat \\(2\\)"_s);
    form.addWord(u"hat (2)"_s);
    QCOMPARE(form.filled().text, u"hat \\(2\\)"_s); // it is there
}

void LearnedWordsTest::itsModelsFamilyDecides() {
    addEmbedding("EasyNegative.safetensors");
    addEmbedding("second.safetensors", kSecondWidth);
    writeFirstFamily(m_place.path("first family"));
    const QString first = addKnown("first family");
    QTRY_VERIFY(m_services->models.familyOf(first) == core::ModelFamily::StableDiffusion1);
    const QStringList both{u"EasyNegative"_s, u"second"_s};
    QCOMPARE(wordsFor({first}), QStringList{u"EasyNegative"_s});
    QCOMPARE(wordsFor({builtInModel()}), QStringList());
    QCOMPARE(wordsFor({builtInModel(), first}), QStringList{u"EasyNegative"_s});
    QCOMPARE(wordsFor({u"/unknown"_s}), both); // nobody knows
    core::SampleConfig job;
    job.model = first.toStdString();
    job.prompt = "a cat, easynegative, second";
    QCOMPARE(namedEmbeddings(m_services->models, job).size(), size_t{1});
    job.model = builtInModel().toStdString();
    QVERIFY(namedEmbeddings(m_services->models, job).empty());
}

void LearnedWordsTest::aJobHasThoseThatItsOwnPromptNames() {
    const QString negative = addEmbedding("EasyNegative.safetensors");
    const QString dog = addEmbedding("moon-dog.safetensors");
    const QString model = addUnknown();
    PromptPage page(*m_services);
    Generator& generator = m_services->generator;
    generator.setTraining(true); // what is asked for waits
    auto* form = page.form;
    form->setModel(model);
    form->setCount(1);
    const auto order = [&](const QString& prompt, const QString& without) {
        generator.dropAll();
        form->setPrompt(prompt, without);
        page.mainButton()->click();
        return QTest::qWaitFor([&generator] { return generator.jobs().size() == 1; }, kLongestMs);
    };
    QVERIFY(order(u"a {Moon-Dog|moon-dog} on a box"_s, u"ugly, easynegative"_s));
    QCOMPARE(embeddingsOf(model), (QStringList{negative, dog}));
    QVERIFY(order(u"a moon-doggy on a {box|box}"_s, {}));
    QCOMPARE(embeddingsOf(model), QStringList());
    QVERIFY(order(u"a {moon-dog|cat}"_s, {}));
    const std::string filled = generator.jobs().front().config.prompt;
    QCOMPARE(embeddingsOf(model), filled == "a cat" ? QStringList() : QStringList{dog});
    QVERIFY(form->config().embeddings.empty()); // the form has places to fill in
    generator.dropAll();
}

void LearnedWordsTest::eachSideOfAComparisonHasItsOwn() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    const QString model = addUnknown();
    PromptPage page(*m_services);
    m_services->generator.setTraining(true);
    auto* form = page.form;
    form->setModel(model);
    form->setCount(1);
    form->setPrompt(u"a cat, easynegative"_s);
    auto* choice = page.findChild<ModelChoice*>();
    choice->setComparing(true);
    QCOMPARE(choice->otherPath(), builtInModel());
    QVERIFY(buttonNamed(*form, u"EasyNegative"_s) != nullptr); // for one of them
    page.mainButton()->click();
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{2});
    QCOMPARE(embeddingsOf(model), QStringList{path});
    QCOMPARE(embeddingsOf(builtInModel()), QStringList());
    m_services->generator.dropAll();
}

void LearnedWordsTest::ofTwoOfOneWordTheFirstIsTaken() {
    addEmbedding("EasyNegative.safetensors");
    addEmbedding("twin/easynegative.safetensors");
    QCOMPARE(wordsFor({u"/unknown"_s}).size(), 1);
    QCOMPARE(namedIn("a cat, easynegative").size(), 1);
    const QString name = u"learned_embeds.safetensors"_s; // as diffusers calls them all
    const QString cat = addEmbedding(u"cat/"_s + name, kFirstWidth, "<cat-toy>");
    const QString dog = addEmbedding(u"dog/"_s + name, kFirstWidth, "<moon-dog>");
    QCOMPARE(namedIn("a <cat-toy>"), QStringList{cat});
    QCOMPARE(namedIn("a <moon-dog>"), QStringList{dog});
    QCOMPARE(namedIn("a <cat-toy> and a <moon-dog>").size(), 2); // the engine says why it takes no two
    addEmbedding("a hat.safetensors", kFirstWidth, "sks");
    const QString sks = addEmbedding("sks.safetensors");
    QCOMPARE(namedIn("a photo of sks"), QStringList{sks}); // whose own name it is
    QCOMPARE(namedIn("a ((sks:1.3)) dog"), QStringList{sks});
    QCOMPARE(namedIn("a -sks-, s(ks:1.3)"), QStringList{sks});
    QCOMPARE(namedIn("a sk(s:1.3)"), QStringList()); // each piece is read on its own
}

void LearnedWordsTest::whatIsNotLeftOutNeedsNoWord() {
    addEmbedding("EasyNegative.safetensors");
    core::SampleConfig job;
    job.model = "/unknown";
    job.prompt = "a cat";
    job.negativePrompt = "easynegative";
    QCOMPARE(namedEmbeddings(m_services->models, job).size(), size_t{1});
    job.guidanceScale = 1.0; // the engine would warn of a word that does nothing
    QVERIFY(namedEmbeddings(m_services->models, job).empty());
    job.prompt = "easynegative";
    QCOMPARE(namedEmbeddings(m_services->models, job).size(), size_t{1});
}

void LearnedWordsTest::addMany(int count) {
    const std::string folder = m_place.path("many").toStdString();
    m_services->library.write([folder, count](core::Library& library) -> core::Result<void> {
        for (int i = 0; i < count; ++i) {
            core::ModelRecord record;
            record.id = core::newRecordId();
            record.name = "word " + std::to_string(i);
            record.path = folder + "/one of many learned words with a long name, which is number " +
                          std::to_string(i) + ".pt";
            record.kind = "embedding";
            HOMEBOOTH_CHECK(core::saveModel(library, record));
        }
        return {};
    });
    m_services->models.refresh();
    const auto allLooked = [this, count] {
        const auto& all = m_services->models.entries();
        return std::ssize(all) > count &&
               std::all_of(all.begin(), all.end(), [](const ModelEntry& entry) { return entry.looked; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(allLooked(), 30'000);
}

void LearnedWordsTest::hundredsOfThemHoldNothingUp() {
    constexpr int kMany = 400;
    constexpr qint64 kMostUs = 60'000; // comparing each with each takes far more
    addMany(kMany);
    const ModelShelf& shelf = m_services->models;
    qint64 least = std::numeric_limits<qint64>::max();
    for (int run = 0; run < 5; ++run) {
        const qint64 begun = LoopWatch::computedUs();
        const std::vector<LearnedWord> words = learnedWords(shelf, {u"/unknown"_s});
        least = std::min(least, LoopWatch::computedUs() - begun);
        QCOMPARE(words.size(), size_t{kMany});
    }
    QVERIFY2(least < kMostUs, qPrintable(QString::number(least)));
}

void LearnedWordsTest::ofHundredsTheFirstHaveButtons() {
    constexpr int kMany = 100;
    addMany(kMany);
    GenerateForm form(m_services->all());
    form.setModel(addUnknown());
    form.show();
    const auto* words = form.findChild<EmbeddingWords*>();
    const auto buttons = [words] {
        int seen = 0;
        for (const auto* button : words->findChildren<QPushButton*>()) seen += button->isHidden() ? 0 : 1;
        return seen;
    };
    const int most = static_cast<int>(EmbeddingWords::kMost);
    QCOMPARE(buttons(), most);
    QCOMPARE(shownTexts(*words).filter(QString::number(kMany - most)).size(), 1); // others, which are said
    QLineEdit* search = fieldNamed(*words, u"Search learned words"_s);
    QVERIFY(search->isVisible());
    search->setText(u"number 97"_s);
    QTRY_COMPARE(buttons(), 1); // a new one is shown by its layout, later
    QVERIFY(shownTexts(*words).filter(u"more"_s).isEmpty());
    search->setText(u"no such word"_s);
    QCOMPARE(buttons(), 0);
    QCOMPARE(shownTexts(*words).filter(u"No learned word has this name"_s).size(), 1);
    QVERIFY(words->isVisible()); // or nobody could search again
    search->clear();
    QTRY_COMPARE(buttons(), most);
}

void LearnedWordsTest::wordsThatAreNotHereAreNamed() {
    addEmbedding("EasyNegative.safetensors");
    core::GenerationParameters facts;
    facts.prompt = "a cat";
    facts.negativePrompt = "easynegative, badhands";
    facts.steps = 12;
    facts.sampler = "Euler a";
    facts.seed = 4021;
    facts.widthPixels = facts.heightPixels = 64;
    facts.embeddingHashes = {{"easynegative", "0123456789ab"}, {"badhands", "ba9876543210"}};
    const QString text = QString::fromStdString(core::writeGenerationParameters(facts));
    const UsedSettings used = usedSettings(text, core::SampleConfig(), builtInModel(), m_services->models);
    QCOMPARE(used.missing, QStringList{u"badhands"_s});
    QCOMPARE(used.config.negativePrompt, facts.negativePrompt);
    PromptPage page(*m_services);
    QVERIFY(page.useParameters(text, builtInModel()));
    QTRY_VERIFY(page.messages().currentText().contains(u"badhands"_s));
}

void LearnedWordsTest::staysWhilePicturesNeedIt() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    core::SampleConfig config = pictures("a cat, easynegative", 1);
    config.embeddings = {path.toStdString()};
    m_services->generator.restore({{1, config}});
    const ModelEntry* entry = m_services->models.find(path);
    QCOMPARE(removalOf(m_services->all(), *entry).usedBy.size(), 1);
    MessageBar messages;
    InUseMessage inUse(m_services->all(), messages);
    inUse.show(*entry);
    QVERIFY(messages.currentText().contains(u"is in use"_s));
    m_services->generator.restore({{2, config}});
    QVERIFY(messages.currentText().contains(u"2 jobs: pictures of"_s));
    m_services->generator.dropAll();
    QCOMPARE(messages.count(), 0);
    QVERIFY(removalOf(m_services->all(), *entry).usedBy.isEmpty());
}

void LearnedWordsTest::goesToTheEndOfThePrompt() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    const QString model = addUnknown();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(model);
    form->setPrompt(u"a cat"_s);
    for (int twice = 0; twice < 2; ++twice) {
        page.prepare(path);
        QCOMPARE(form->prompt(), u"a cat, EasyNegative"_s);
    }
    QCOMPARE(QString::fromStdString(form->config().model), model);
    page.prepare(builtInModel()); // a model is chosen as ever
    QCOMPARE(QString::fromStdString(form->config().model), builtInModel());
}

void LearnedWordsTest::oneWithBracesIsNamedOnce() {
    const QString path = addEmbedding("odd{name}.safetensors");
    const QString model = addUnknown();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(model);
    form->setPrompt(u"a cat"_s);
    for (int twice = 0; twice < 2; ++twice) page.prepare(path);
    QCOMPARE(form->filled().text, u"a cat, odd{name}"_s);
}

void LearnedWordsTest::aNameThatAnotherHasIsSaid() {
    addEmbedding("EasyNegative.safetensors");
    const QString twin = addEmbedding("twin/easynegative.safetensors");
    const QString model = addUnknown();
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(model);
    form->setPrompt(u"a cat"_s);
    const bool first = wordsFor({model}) == QStringList{u"EasyNegative"_s};
    page.prepare(first ? twin : m_place.path("EasyNegative.safetensors"));
    QCOMPARE(form->prompt(), u"a cat"_s);
    QVERIFY(page.messages().currentText().contains(u"Another learned word is called"_s));
}

void LearnedWordsTest::withoutAModelForItThatIsSaid() {
    const QString path = addEmbedding("EasyNegative.safetensors");
    PromptPage page(*m_services);
    auto* form = page.form;
    form->setModel(builtInModel());
    form->setPrompt(u"a cat"_s);
    page.prepare(path);
    QCOMPARE(form->prompt(), u"a cat"_s);
    QVERIFY(page.messages().currentText().contains(u"was made for SD 1.x"_s));
    QVERIFY(page.messages().currentText().contains(u"import one"_s));
}

HOMEBOOTH_APP_TEST_MAIN(LearnedWordsTest)
#include "tst_learned_words.moc"

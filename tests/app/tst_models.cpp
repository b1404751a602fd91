// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Models: what a model is, its licence, what was brought along.
#include "app/engine/models/model_hash_cache.h"
#include "app/engine/models/model_words.h"
#include "app/engine/places.h"
#include "app/library/drive_pools.h"
#include "app/pages/models/model_facts_text.h"
#include "app/pages/models/model_list.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "core/base/model/deviation.h"
#include "core/base/model/model_hash.h"
#include "model_fixture.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>

using namespace homebooth;
using namespace homebooth::app;

class ModelsTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void saysWhatTheBuiltInModelIs();
    void readsTheLicenceOfTheFiles();
    void keepsTheLicenceNote();
    void whatIsImportedAgainKeepsNameAndNote();
    void editsOfAnImportedModelHaveAWayBack();
    void undoBringsNoDeletedModelBack();
    void escapeLeavesTheNameAsItWas();
    void whereNothingMatchesNothingIsSaidOfAModel();
    void whatIsShownStaysWhenModelsCome();
    void whatIsImportedIsChosen();
    void theListGrowsWithItsLetters();
    void severalFilesAreImportedTogether();
    void aWholeModelSaysSoAndGivesItsHash();
    void aModelThatWasTrainedFurtherIsCheckedAgain();
    void aModelThatIsCutShortIsNotCalledWhole();
    void anAddOnWithoutNumbersIsNotCalledWhole();
    void zerosOfAnAddOnAreNoted();
    void whatIsNotImportedSaysWhyInTheUsersLanguage();
    void aLanguageModelIsSaidToBeOneAndNotTaken();
    void whatTheCoreFindsIsSaidInTheUsersLanguage();
    void aModelThatIsFoundAgainTakesItsPlace();
    void aHashIsWorkedOutOnce();
    void aHashFollowsTheLinksOfAModel();
    void whatWasAwayIsUsableOnceAPageIsOpened();
};

namespace {

/// Whether the page says how to come by a better model.
bool hints(const ModelsPage& page) {
    for (const auto* label : page.findChildren<QLabel*>())
        if (label->text().startsWith(u"The built-in model is small"_s)) return label->isVisible();
    return false;
}

} // namespace

void ModelsTest::saysWhatTheBuiltInModelIs() {
    ModelsPage page(m_services->all());
    page.show();
    auto* facts = page.findChild<QFormLayout*>();
    QTRY_VERIFY(facts->rowCount() > 4);
    QStringList texts;
    for (auto* label : page.findChildren<QLabel*>()) texts.append(label->text());
    QVERIFY(texts.contains(u"128 x 128 px"_s));
    QVERIFY(texts.contains(u"velocity (v)"_s));
    QVERIFY(texts.contains(u"Stable Diffusion of its own size"_s));
    QVERIFY(!texts.filter(u"These fit: Stable Diffusion 1.x"_s).isEmpty());
    QVERIFY(hints(page)); // the first of these tests: nothing was brought along so far
    QVERIFY(buttonNamed(page, u"Delete..."_s)->isHidden());
}

void ModelsTest::readsTheLicenceOfTheFiles() {
    core::Inspection facts;
    facts.path = m_place.path("licensed").toStdString();
    QDir().mkpath(m_place.path("licensed"));
    QCOMPARE(licenceOf(facts), QString());
    writeBytes(m_place.path("licensed/LICENSE.md"), "text");
    QCOMPARE(licenceOf(facts), u"LICENSE.md"_s);
    writeBytes(m_place.path("licensed/README.md"),
               "---\ntags: x\nlicense: \"openrail++\"\n---\nlicense: no\n");
    QCOMPARE(licenceOf(facts), u"openrail++"_s);
    writeBytes(m_place.path("licensed/README.md"), "---\nlicense: other\nlicense_name: mine\n---\n");
    QCOMPARE(licenceOf(facts), u"mine"_s); // in whatever order they stand
    facts.metadata["modelspec.license"] = "CreativeML OpenRAIL-M";
    QCOMPARE(licenceOf(facts), u"CreativeML OpenRAIL-M"_s);
}

void ModelsTest::keepsTheLicenceNote() {
    core::ModelRecord record = modelRecord(u"mine"_s, m_place.path("mine"));
    QFile::link(builtInModel(), m_place.path("mine"));
    m_services->library.write([record](core::Library& library) { return core::saveModel(library, record); });
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(m_place.path("mine")) != nullptr);
    record.note = "only for me";
    m_services->models.put(record);
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(m_place.path("mine")) != nullptr);
    QCOMPARE(m_services->models.find(m_place.path("mine"))->note, u"only for me"_s);
}

void ModelsTest::undoBringsNoDeletedModelBack() {
    const core::ModelRecord before = addModel("brought");
    const QString path = QString::fromStdString(before.path);
    PageOfModel page(*m_services, u"brought"_s);
    renameTo(page, u"mine now"_s);
    m_services->models.forget(before.id); // as deleting does
    QVERIFY(m_services->models.find(path) == nullptr);
    m_services->undo.undo();
    QVERIFY(m_services->models.find(path) == nullptr);
}

void ModelsTest::escapeLeavesTheNameAsItWas() {
    addModel("named well");
    PageOfModel page(*m_services, u"named well"_s);
    QVERIFY(page.command(Page::Command::Rename));
    auto* field = fieldNamed(page, u"Name of the model"_s);
    field->setText(u"a slip"_s);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(field->isHidden());
    QVERIFY(shownTexts(page).contains(u"named well"_s));
    QCOMPARE(m_services->models.find(m_place.path("named well"))->name, u"named well"_s);
    renameTo(page, u"named better"_s); // as before
    QCOMPARE(m_services->models.find(m_place.path("named well"))->name, u"named better"_s);
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QVERIFY(page.command(Page::Command::Rename));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(page.findChild<QListView*>()->hasFocus());
}

void ModelsTest::whereNothingMatchesNothingIsSaidOfAModel() {
    addModel("looked at");
    PageOfModel page(*m_services, u"looked at"_s);
    const auto* form = page.findChild<QFormLayout*>();
    // What is found replaces the rows that say that it is looked for.
    modelDrives().of(m_place.path("looked at/")).waitForDone();
    QTRY_VERIFY(form->rowCount() > 4 && form->itemAt(0)->widget()->isVisible());
    const QWidget* facts = form->itemAt(0)->widget();
    auto* search = fieldNamed(page, u"Search models"_s);
    search->setText(u"no model has this name"_s);
    QVERIFY(shownTexts(page).contains(u"Nothing matches."_s));
    QVERIFY(!facts->isVisible());
    QVERIFY(!buttonNamed(page, u"Copy"_s)->isVisible());
    search->clear();
    QVERIFY(facts->isVisible());
    QVERIFY(shownTexts(page).contains(u"looked at"_s));
}

void ModelsTest::whatIsImportedAgainKeepsNameAndNote() {
    ModelShelf& shelf = m_services->models;
    const QString folder =
        changedModel(m_place.path("brought twice"), u"scheduler/scheduler_config.json"_s, {});
    QSignalSpy imported(&shelf, &ModelShelf::imported);
    shelf.import(folder);
    QTRY_COMPARE(imported.size(), 1);
    QTRY_VERIFY(shelf.find(folder) != nullptr && shelf.find(folder)->looked);
    core::ModelRecord record = *shelf.record(shelf.find(folder)->recordId);
    record.name = "my own name";
    record.note = "only for me";
    shelf.put(record);
    const qint64 pixels = shelf.find(folder)->facts.pixels;
    QVERIFY(!shelf.noteHash(folder, u"a"_s) && !shelf.noteHash(folder, u"a"_s));
    const QString unet = folder + u"/unet"_s;
    QVERIFY(QFile::remove(unet)); // a link; the folder holds another model by now
    (void)changedModel(folder, u"unet/config.json"_s,
                       {{QByteArray("\"sample_size\": "), QByteArray("\"sample_size\": 1")}});
    shelf.import(folder);
    QTRY_COMPARE(imported.size(), 2);
    QTRY_VERIFY(shelf.settled());
    QCOMPARE(shelf.find(folder)->name, u"my own name"_s);
    QCOMPARE(shelf.find(folder)->note, u"only for me"_s);
    QCOMPARE(shelf.find(folder)->recordId, int64_t{record.id});
    QTRY_VERIFY(shelf.find(folder)->looked && shelf.find(folder)->facts.pixels != pixels);
    ModelsPage page(m_services->all());
    page.show();
    page.showModel(folder); // which works out what it is now
    QTRY_VERIFY(page.messages().currentText().contains(u"another one than before"_s));
    QCOMPARE(shelf.find(folder)->sha256.size(), 64);
}

void ModelsTest::editsOfAnImportedModelHaveAWayBack() {
    const core::ModelRecord before = addModel("brought");
    const QString path = QString::fromStdString(before.path);
    PageOfModel page(*m_services, u"brought"_s);
    renameTo(page, u"mine now"_s);
    QCOMPARE(m_services->models.find(path)->name, u"mine now"_s);
    auto* licence = page.findChildren<QLineEdit*>().value(0);
    for (auto* field : page.findChildren<QLineEdit*>())
        if (field->placeholderText().startsWith(u"Not said"_s)) licence = field;
    page.findChild<QListView*>()->setFocus();
    QCoreApplication::processEvents();
    const QPoint place = buttonNamed(page, u"Rename"_s)->pos();
    licence->setText(u"MIT"_s);
    Q_EMIT licence->editingFinished();
    QCOMPARE(m_services->models.find(path)->note, u"MIT"_s);
    QCOMPARE(buttonNamed(page, u"Rename"_s)->pos(), place); // not from under a click
    m_services->undo.undo();
    QCOMPARE(m_services->models.find(path)->note, QString());
    QCOMPARE(licence->text(), QString());
    m_services->undo.redo();
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, u"Take off the list"_s)->click();
    QVERIFY(m_services->models.find(path) == nullptr);
    QCOMPARE(toast.size(), 1);
    m_services->undo.undo(); // with all that was known of it
    QCOMPARE(m_services->models.find(path)->name, u"mine now"_s);
    QCOMPARE(m_services->models.find(path)->note, u"MIT"_s);
    QCOMPARE(m_services->models.find(path)->recordId, before.id);
    m_services->undo.undo();
    m_services->undo.undo();
    QCOMPARE(m_services->models.find(path)->name, u"brought"_s);
}

void ModelsTest::whatIsShownStaysWhenModelsCome() {
    addModel("shown");
    PageOfModel page(*m_services, u"shown"_s);
    addModel("come later");
    addModel("come 50th");
    addModel("come 6th");
    const ModelList list(m_services->models);
    QVERIFY(list.rowOf(m_place.path("come 6th")) < list.rowOf(m_place.path("come 50th")));
    QCOMPARE(page.findChild<QListView*>()->currentIndex().data().toString(), u"shown"_s);
}

void ModelsTest::theListGrowsWithItsLetters() {
    ModelsPage page(m_services->all());
    page.resize(1600, 900);
    page.show();
    const auto* view = page.findChild<QListView*>();
    QTRY_VERIFY(view->width() >= 208);
    const int before = view->width();
    m_services->theme.setTextSize(200);
    QTRY_VERIFY2(view->width() > before + 24, qPrintable(QString::number(view->width())));
    page.resize(800, 600);
    QPushButton* free = buttonNamed(page, u"Free room"_s);
    free->setText(u"Free 84 MB of saved moments..."_s);
    free->show();
    QTRY_VERIFY2(free->width() >= free->sizeHint().width(), qPrintable(QString::number(free->width())));
    m_services->theme.setTextSize(100);
    page.resize(1600, 900);
    free->hide();
    QTRY_COMPARE(view->width(), before);
}

void ModelsTest::whatIsImportedIsChosen() {
    ModelsPage page(m_services->all());
    page.show();
    const auto* view = page.findChild<QListView*>();
    const auto chosen = [view] { return view->currentIndex().data(ModelList::ModelPathRole).toString(); };
    const QString folder = m_place.path("zebra");
    QVERIFY(QFile::link(builtInModel(), folder));
    auto* search = fieldNamed(page, u"Search models"_s);
    search->setText(u"sketch"_s); // hides it
    m_services->models.import(folder);
    QTRY_COMPARE(chosen(), folder);
    QCOMPARE(search->text(), QString());
    QVERIFY(shownTexts(page).contains(u"zebra"_s));
    choose(page, m_services->models.find(builtInModel())->name);
    m_services->models.import(folder); // known by now
    QTRY_COMPARE(chosen(), folder);
    addModel("come after it"); // chooses nothing
    QCOMPARE(chosen(), folder);
    choose(page, m_services->models.find(builtInModel())->name);
    QVERIFY(!hints(page)); // there are better ones
}

void ModelsTest::severalFilesAreImportedTogether() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    Page* page = window.page(PageId::Models);
    QVERIFY(page->command(Page::Command::Import));
    auto* dialog = page->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->fileMode(), QFileDialog::ExistingFiles);
    const QStringList both{m_place.path("one of both"), m_place.path("other of both")};
    for (const QString& path : both) QVERIFY(QFile::link(builtInModel(), path));
    QSignalSpy imported(&m_services->models, &ModelShelf::imported);
    Q_EMIT dialog->filesSelected(both);
    dialog->close();
    for (const QString& path : both) QTRY_VERIFY(m_services->models.find(path) != nullptr);
    QTRY_COMPARE(imported.size(), 2);
    // What is wrong with each is said once, however often they are tried, together or alone.
    QSignalSpy refused(&m_services->models, &ModelShelf::refused);
    const QStringList wrong{m_place.path("a.txt"), m_place.path("b.txt")};
    for (const QString& path : wrong) writeBytes(path, "These are words, and no weights at all.");
    const auto import = [&](const QStringList& paths, int refusals) {
        Q_EMIT static_cast<ModelsPage*>(page)->importWanted(paths);
        QTRY_COMPARE(refused.size(), refusals);
        QCOMPARE(page->messages().count(), 2);
    };
    import(wrong, 2);
    import({wrong[0]}, 3);
    import(wrong, 5);
}

void ModelsTest::aWholeModelSaysSoAndGivesItsHash() {
    PageOfModel page(*m_services, m_services->models.find(builtInModel())->name);
    const QDate day = QDate::currentDate(); // midnight may pass between the check and its words
    QTRY_VERIFY(shownTexts(page).contains(u"Whole, checked today"_s) || QDate::currentDate() != day);
    QPushButton* copy = buttonNamed(page, u"Copy"_s);
    QVERIFY(copy != nullptr && copy->isVisible());
    QVERIFY(copy->focusPolicy() & Qt::TabFocus);
    QCOMPARE(copy->accessibleName(), u"Copy the SHA-256"_s);
    QTest::keyClick(copy, Qt::Key_Space);
    const auto hash = knownModelHash(builtInModel(), {}, {});
    QVERIFY(hash && *hash);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString((*hash)->sha256));
}

void ModelsTest::aModelThatWasTrainedFurtherIsCheckedAgain() {
    const QString path = m_place.path("further.safetensors");
    const auto write = [&path](char last) {
        writeBytes(path, QByteArray("\x10\0\0\0\0\0\0\0{\"__metadata__\":", 24) + last);
    };
    write('1');
    m_services->models.put(modelRecord(u"further"_s, path));
    PageOfModel page(*m_services, u"further"_s);
    const auto said = [&page] { return shownTexts(page).filter(u"SHA-256 "_s); };
    QTRY_COMPARE(said().size(), qsizetype{1});
    const QStringList before = said();
    write('2');
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    page.activated();
    QTRY_VERIFY(said().size() == 1 && said() != before);
}

void ModelsTest::aModelThatIsCutShortIsNotCalledWhole() {
    core::ModelRecord record = modelRecord(u"cut short"_s, m_place.path("cut.safetensors"));
    writeBytes(m_place.path("cut.safetensors"), QByteArray("\x10\0\0\0\0\0\0\0{}", 10));
    m_services->models.put(record);
    PageOfModel page(*m_services, u"cut short"_s);
    QTRY_VERIFY(shownTexts(page).contains(u"Problem"_s));
    QVERIFY(shownTexts(page).contains(modelTrouble(core::ModelFault::Incomplete)));
    QTRY_VERIFY(buttonNamed(page, u"Copy"_s)->isVisible()); // all of it was read
    QCOMPARE(shownTexts(page).filter(u"Whole"_s).size(), 0);
    m_services->models.forget(record.id);
}

void ModelsTest::anAddOnWithoutNumbersIsNotCalledWhole() {
    core::ModelRecord record = modelRecord(u"no numbers"_s, m_place.path("nan.safetensors"), "lora");
    QFile file(QString::fromStdString(record.path));
    writeLoraFile(file.fileName(), kFirstLayer, 768, 320);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 1200)); // whole numbers from the end
    QCOMPARE(file.write(QByteArray(4, '\xff')), qint64{4});
    file.close();
    m_services->models.put(record);
    PageOfModel page(*m_services, u"no numbers"_s);
    QTRY_VERIFY(shownTexts(page).contains(modelTrouble(core::ModelFault::NotNumbers)));
    QCOMPARE(shownTexts(page).filter(u"Whole"_s).size(), 0);
    m_services->models.forget(record.id);
}

void ModelsTest::zerosOfAnAddOnAreNoted() {
    core::ModelRecord record =
        modelRecord(u"blocks switched off"_s, m_place.path("zeros.safetensors"), "lora");
    QFile file(QString::fromStdString(record.path));
    const std::string layer(kFirstLayer);
    writeTensors(file.fileName(),
                 {{layer + ".lora_down.weight", {256, 768}}, {layer + ".lora_up.weight", {320, 256}}});
    const qint64 bytes = file.size();
    QVERIFY(file.resize(4096) && file.resize(bytes));
    m_services->models.put(record);
    PageOfModel page(*m_services, u"blocks switched off"_s);
    QTRY_VERIFY(buttonNamed(page, u"Copy"_s)->isVisible()); // all of it was read
    QTRY_COMPARE(shownTexts(page).filter(u"there are only zeros"_s).size(), 1);
    QCOMPARE(shownTexts(page).filter(u"Whole"_s).size(), 0); // perhaps unfinished
    m_services->models.forget(record.id);
}

void ModelsTest::whatIsNotImportedSaysWhyInTheUsersLanguage() {
    const QString page = m_place.path("dream.safetensors");
    writeBytes(page, "<!DOCTYPE html><html><body>Log in first</body></html>");
    QSignalSpy refused(&m_services->models, &ModelShelf::refused);
    m_services->models.import(page);
    QTRY_COMPARE(refused.size(), 1);
    const QString headline = refused[0][0].toString();
    QVERIFY2(headline.startsWith(u"\"dream.safetensors\" is a page"_s), qPrintable(headline));
    QVERIFY(!refused[0][1].toString().isEmpty()); // and what the engine says
    writeBytes(page, {});
    m_services->models.import(page);
    QTRY_COMPARE(refused.size(), 2);
    QVERIFY(refused[1][0].toString().contains(u"is incomplete"_s));
    const QByteArray header("{\"a\":{\"dtype\":\"U8\",\"shape\":[3000000],\"data_offsets\":[0,3000000]}}");
    const QByteArray length(QByteArray(1, char(header.size())) + QByteArray(7, '\0'));
    writeBytes(page, length + header + QByteArray(1'000'000, 'x'));
    m_services->models.import(page);
    QTRY_COMPARE(refused.size(), 3);
    QVERIFY(refused[2][0].toString().contains(u"is incomplete: 1 MB of 3 MB. Nothing"_s));
    writeBytes(page, "These are words, and no weights at all.");
    m_services->models.import(page);
    QTRY_COMPARE(refused.size(), 4);
    QVERIFY(refused[3][0].toString().contains(u"neither a model"_s));
    for (const int said : {1, 2, 3}) QCOMPARE(refused[said][1].toString(), QString()); // all in one sentence
    const QString name = u"face.ckpt"_s;
    QVERIFY(importTrouble(name, core::ModelFault::Commands).contains(u"None ran"_s));
    QVERIFY(modelTrouble(core::ModelFault::Commands).startsWith(u"The file holds commands"_s));
    QVERIFY(importTrouble(name, core::ModelFault::Damaged).contains(u"\"face.ckpt\" is damaged"_s));
    QVERIFY(importTrouble(name, core::ModelFault::AddOn).contains(u"neither a model"_s));
}

void ModelsTest::aLanguageModelIsSaidToBeOneAndNotTaken() {
    const QString path = QStringLiteral(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/language/opt");
    QSignalSpy refused(&m_services->models, &ModelShelf::refused);
    m_services->models.import(path);
    m_services->models.import(path, /*shapeSuffices=*/true);
    QTRY_COMPARE(refused.size(), 2);
    for (const auto& one : refused) {
        const QString headline = one[0].toString();
        QVERIFY2(headline.startsWith(u"\"opt\" is a language model"_s), qPrintable(headline));
        QVERIFY(headline.contains(u"from the command line"_s));
    }
    QVERIFY(m_services->models.find(path) == nullptr);
    const ModelFacts facts = modelFacts(path); // of one that took the place of another
    QVERIFY(!facts.usable && !facts.drawsPictures && !facts.packsPictures);
    QStringList texts;
    for (const ModelFact& fact : modelFactsText(*core::inspectPath(path.toStdString())))
        texts.append(fact.value);
    QVERIFY2(texts.contains(u"language model (OPT)"_s), qPrintable(texts.join('\n')));
    QVERIFY(texts.filter(u"makes no pictures"_s).size() == 1);
}

void ModelsTest::whatTheCoreFindsIsSaidInTheUsersLanguage() {
    for (int fault = 0; fault <= static_cast<int>(core::ModelFault::NotAModel); ++fault)
        QCOMPARE(modelTrouble(static_cast<core::ModelFault>(fault)).isEmpty(), fault == 0);
    using enum core::DeviationKind;
    QCOMPARE(modelNote(core::deviationText(Variant, "text encoder", "fp16")),
             u"Text encoder: the variant fp16 is taken."_s);
    QCOMPARE(modelNote(core::deviationText(UnknownIgnored, "12 tensors", "control.x")),
             u"Unknown parts are left aside: 12, such as control.x."_s);
    for (const core::DeviationKind kind :
         {IndexMissing, FolderMissing, SchedulerMissing, TokenizerMissing, VocabularyMissing, WeightsMissing,
          PredictionUnknown, PredictionReplaced, AdapterConfigMissing, EmaIgnored, UnusedIgnored,
          ZerosFound}) {
        const std::string text = core::deviationText(kind, "3 tensors");
        QVERIFY2(modelNote(text) != QString::fromStdString(text), text.c_str());
    }
    QCOMPARE(modelNote("of a later core"), u"of a later core"_s);
    core::Inspection facts;
    facts.kind = core::InspectedKind::Model;
    facts.components = {{"text_encoder", 2'000'000, 0, "F16"}};
    core::Inspection lora;
    lora.kind = core::InspectedKind::Lora;
    lora.family = core::ModelFamily::StableDiffusionXl;
    const QString name(core::familyName(core::ModelFamily::StableDiffusionXl).data());
    const std::vector<ModelFact> rows = modelFactsText(lora);
    QVERIFY(std::any_of(rows.begin(), rows.end(),
                        [&name](const ModelFact& one) { return one.value.endsWith("for " + name); }));
    QStringList texts;
    for (const ModelFact& fact : modelFactsText(facts)) texts.append(fact.value);
    QVERIFY2(texts.contains(u"Text encoder: 2.0 million weights, F16"_s), qPrintable(texts.join('\n')));
}

void ModelsTest::aModelThatIsFoundAgainTakesItsPlace() {
    const QString before = QString::fromStdString(addModel("my stick").path);
    {
        PageOfModel page(*m_services, u"my stick"_s);
        QTRY_VERIFY(!m_services->models.find(before)->sha256.isEmpty());
        core::ModelRecord record = *m_services->models.record(m_services->models.find(before)->recordId);
        record.note = "MIT";
        m_services->models.put(record);
    }
    QVERIFY(QFile::remove(before)); // a link
    end();
    beginAgain();
    ModelShelf& shelf = m_services->models;
    shelf.refresh();
    QTRY_VERIFY(shelf.find(before) != nullptr && shelf.find(before)->facts.gone);
    PageOfModel page(*m_services, u"my stick"_s);
    QCOMPARE(page.findChild<QListView*>()->currentIndex().data(ModelList::NoteRole).toString(), u"gone"_s);
    QVERIFY(!buttonNamed(page, u"Make pictures"_s)->isEnabled());
    QVERIFY(buttonNamed(page, u"Find the file..."_s)->isVisible());
    const QString now = m_place.path("where it is now");
    QVERIFY(QFile::link(builtInModel(), now));
    shelf.import(now);
    QTRY_VERIFY(shelf.find(now) != nullptr);
    QTRY_VERIFY(shelf.find(before) == nullptr); // once it was read
    QCOMPARE(shelf.find(now)->name, u"my stick"_s);
    QCOMPARE(shelf.find(now)->note, u"MIT"_s);
}

void ModelsTest::aHashIsWorkedOutOnce() {
    const QString path = m_place.path("hashed.bin");
    writeBytes(path, QByteArray(5000, 'h'));
    const core::CancelToken stopped;
    stopped.request();
    QVERIFY(!*knownModelHash(path, {}, stopped)); // was not worked out yet
    const auto hash = knownModelHash(path, {}, {});
    QVERIFY(hash && *hash);
    const auto again = knownModelHash(path, {}, stopped);
    QVERIFY(again && *again);
    QCOMPARE((*again)->sha256, (*hash)->sha256);
    QCOMPARE((*again)->readMs, (*hash)->readMs);
    writeBytes(path, QByteArray(5001, 'h'));
    QVERIFY(!*knownModelHash(path, {}, stopped)); // it is another file now
}

void ModelsTest::aHashFollowsTheLinksOfAModel() {
    const QString weights = m_place.path("first/unet/weights.bin");
    const QString others = m_place.path("second/unet/weights.bin");
    writeBytes(weights, QByteArray(5000, 'u'));
    writeBytes(others, QByteArray(5000, 'o'));
    const QString model = m_place.path("linked model");
    const QString part = model + u"/unet"_s;
    QVERIFY(QDir().mkpath(model) && QFile::link(QFileInfo(weights).path(), part));
    const auto hash = [&model] {
        const auto found = knownModelHash(model, {}, {});
        return found && *found ? QString::fromStdString((*found)->sha256) : QString();
    };
    const QString first = hash();
    QVERIFY(!first.isEmpty());
    QCOMPARE(hash(), first);
    writeBytes(weights, QByteArray(5001, 'u'));
    const QString changed = hash();
    QVERIFY(changed != first);
    QVERIFY(QFile::remove(part) && QFile::link(QFileInfo(others).path(), part));
    QVERIFY(hash() != changed && hash() != first);
}

void ModelsTest::whatWasAwayIsUsableOnceAPageIsOpened() {
    MainWindow window(m_services->all());
    window.show();
    const ModelShelf& shelf = m_services->models;
    for (const PageId page : {PageId::Models, PageId::Train, PageId::Generate}) {
        window.showPage(PageId::Settings);
        QTRY_VERIFY(shelf.settled()); // an answer that is on its way lacks what is added now
        core::ModelRecord record = modelRecord(u"on a drive"_s, m_place.path(u"drive %1"_s.arg(int(page))));
        m_services->models.put(record);
        const QString path = QString::fromStdString(record.path);
        QTRY_VERIFY(shelf.find(path)->looked);
        QVERIFY(!shelf.find(path)->facts.usable);
        QVERIFY(QFile::link(builtInModel(), path)); // it is back
        window.showPage(page);
        QTRY_VERIFY2(shelf.find(path)->facts.usable, qPrintable(path));
    }
}

HOMEBOOTH_APP_TEST_MAIN(ModelsTest)
#include "tst_models.moc"

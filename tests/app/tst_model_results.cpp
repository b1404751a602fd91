// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results of trainings among the models: found, named, deleted with what depends on them.
#include "app/engine/places.h"
#include "app/engine/runs/moments.h"
#include "app/library/drive_pools.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "model_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QMessageBox>
#include <QUndoStack>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class ModelResultsTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aTrainingsResultIsRenamedInItsFolder();
    void resultsOfOneNameAreToldApart();
    void aResultStaysWhileItsTrainingGoesOn();
    void namesWhatDependsOnAModel();
    void saysThatAddOnsNeedTheirModel();
    void anAddOnSaysWhatItWasTrainedOn();
    void allSubjectsThatItLearnedAreNamed();
    void refusesToDeleteWhatIsInUse();
    void refusesToDeleteAMomentThatIsInUse();
    void asksBeforeATrainingIsDeleted();
    void whatOtherProgramsReadOfAModelGoesWithIt();
    void anImportedModelComesBackOutOfTheTrash();
    void anImportedModelWhoseFilesAreGoneIsForgotten();
    void looksAtManyModelsAreToldTogether();
    void trainsWithWhatIsChosen();
    void whatEndedWhileTheWindowWasClosedIsThere();
    void resultsAreLookedForOffTheWindowsThread();

private:
    void anotherOfTheSameContentStandsForIt(const QString& run);
};

void ModelResultsTest::aTrainingsResultIsRenamedInItsFolder() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, u"toy"_s, 40);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    QVERIFY(QDir().mkpath(folder + u"/result"_s));
    QVERIFY(QFile::link(builtInModel(), folder + u"/result/model"_s));
    const QString result = folder + u"/result/model"_s;
    m_services->runs.open(runs);
    QTRY_VERIFY(m_services->models.find(result) != nullptr);
    PageOfModel page(*m_services, u"toy"_s);
    renameTo(page, u"the robot"_s);
    QTRY_COMPARE(m_services->models.find(result)->name, u"the robot"_s);
    const auto title = [&folder] {
        const auto run = core::RunFolder::open(folder.toStdString());
        const auto facts = run->facts();
        const auto found = facts ? facts->find("title") : facts->end();
        return found == facts->end() ? std::string() : found->second;
    };
    QTRY_COMPARE(title(), "the robot");
    m_services->undo.undo();
    QTRY_COMPARE(m_services->models.find(result)->name, u"toy"_s);
    QTRY_COMPARE(title(), "toy");
}

void ModelResultsTest::resultsOfOneNameAreToldApart() {
    const QString first = makeRun("twin", builtInModel()) + u"/result/model"_s;
    core::RunRecord second = *m_services->runs.find(m_place.path("runs/twin"));
    second.id = core::newRecordId();
    second.folder = m_place.path("runs/twin 2").toStdString();
    second.endedMs += 1000;
    const QString other = QString::fromStdString(second.folder) + u"/result/model"_s;
    QDir().mkpath(QFileInfo(other).path());
    QFile::link(builtInModel(), other);
    m_services->library.write([second](core::Library& library) { return core::saveRun(library, second); });
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->models.find(other) != nullptr);
    QCOMPARE(m_services->models.find(first)->name, u"twin"_s);
    QCOMPARE(m_services->models.find(other)->name, u"twin (2)"_s);
}

void ModelResultsTest::aResultStaysWhileItsTrainingGoesOn() {
    const QString folder = makeRun("further", builtInModel());
    const QString result = folder + u"/result/model"_s;
    const auto goes = [&](const char* state) {
        core::RunRecord run = *m_services->runs.find(folder);
        run.state = state;
        run.endedMs = run.state == "running" ? 0 : core::nowMs();
        m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
        m_services->runs.open(m_services->settings.runsFolder());
        QTRY_COMPARE(m_services->runs.find(folder)->state, run.state);
        QTRY_VERIFY(m_services->models.settled());
    };
    m_services->models.noteHash(result, u"ab"_s);
    QCOMPARE(m_services->models.find(result)->sha256, u"ab"_s);
    for (const char* state : {"running", "failed"}) {
        goes(state);
        QCOMPARE(m_services->models.find(result)->sha256, QString()); // it may be another one by now
        QVERIFY2(m_services->models.find(result) != nullptr, state);
        QVERIFY(m_services->models.find(result)->addedMs > 0);
    }
    QVERIFY(QFile::remove(result)); // a first training that has failed has none
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(result) == nullptr);
}

void ModelResultsTest::looksAtManyModelsAreToldTogether() {
    constexpr int kModels = 20;
    std::vector<core::ModelRecord> records;
    ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.find(builtInModel())->looked);
    QSignalSpy changed(&shelf, &ModelShelf::changed);
    {
        const Blocked busy(modelDrives().of(m_place.path("one of many")));
        for (int i = 0; i < kModels; ++i) records.push_back(addModel(u"one of many %1"_s.arg(i)));
        changed.clear();
    }
    QTRY_VERIFY(std::all_of(records.begin(), records.end(), [&shelf](const core::ModelRecord& record) {
        return shelf.find(QString::fromStdString(record.path))->looked;
    }));
    QVERIFY2(changed.size() <= 2, qPrintable(QString::number(changed.size())));
    for (const core::ModelRecord& record : records) shelf.forget(record.id);
}

void ModelResultsTest::namesWhatDependsOnAModel() {
    const QString first = makeRun("robot", builtInModel());
    makeRun("robot in snow", first + u"/result/model"_s);
    const ModelEntry* entry = m_services->models.find(first + u"/result/model"_s);
    QVERIFY(entry != nullptr);
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QCOMPARE(removal.madeFrom, QStringList{u"robot in snow"_s});
    QVERIFY(removal.usedBy.isEmpty());
    QVERIFY(removal.run);
    QCOMPARE(removal.path, first);
    QVERIFY(removalText(removal, entry->name).contains(u"robot in snow"_s));
    QVERIFY(removalText(removal, entry->name).contains(u"copies of photos"_s));
    QVERIFY(removalText(removal, entry->name).contains(u"the model that came out of it"_s));
}

void ModelResultsTest::saysThatAddOnsNeedTheirModel() {
    const QString first = makeRun("lamp", builtInModel());
    const QString addOn = makeRun("lamp shade", first + u"/result/model"_s);
    QVERIFY(QFile::remove(addOn + u"/result/model"_s)); // a link
    const QString lora = addOn + u"/result/lora.safetensors"_s;
    QFile file(lora);
    QVERIFY(file.open(QIODevice::WriteOnly));
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(lora) != nullptr);
    const ModelEntry* entry = m_services->models.find(first + u"/result/model"_s);
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QVERIFY(removal.madeFrom.isEmpty());
    QCOMPARE(removal.neededBy, QStringList{u"lamp shade"_s});
    QVERIFY(removalText(removal, entry->name).contains(u"no pictures without it"_s));
    const ModelRemoval other = removalOf(m_services->all(), *m_services->models.find(lora));
    QVERIFY(removalText(other, addOn).contains(u"the add-on that came out of it"_s));
}

void ModelResultsTest::allSubjectsThatItLearnedAreNamed() {
    core::RunRecord run;
    run.id = core::newRecordId();
    run.title = "toy, mug";
    run.folder = m_place.path("runs/toy and mug").toStdString();
    run.model = builtInModel().toStdString();
    run.prompt = "a photo of ohwx toy";
    run.state = "done";
    run.createdMs = run.endedMs = core::nowMs();
    QStringList sentences{QString::fromStdString(run.prompt)};
    for (const char* name : {"toy", "mug"}) {
        const QString photo = writeTestPicture(m_place.path(QLatin1String(name) + u".png"_s), 1);
        const int64_t id = m_services->subjects.addFromPhotos({photo}, QLatin1String(name));
        run.subjects.push_back(id);
        if (run.subjects.size() > 1) sentences.append(subjectSentence(*m_services->subjects.find(id)));
    }
    const QString result = QString::fromStdString(run.folder) + u"/result/model"_s;
    QDir().mkpath(QString::fromStdString(run.folder) + u"/result"_s);
    QFile::link(builtInModel(), result);
    m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->models.find(result) != nullptr);
    const PageOfModel page(*m_services, u"toy, mug"_s);
    const QString shown = shownTexts(page).join('\n');
    for (const QString& sentence : sentences)
        QVERIFY2(shown.contains(u"Learned: \"%1\""_s.arg(sentence)), qPrintable(shown));
    // And pictures are asked for in these words.
    GenerateForm form(m_services->all());
    form.show();
    form.setPrompt(u"a cat beside"_s);
    form.setModel(result);
    QPushButton* learned = buttonNamed(form, u"Learned: a photo of ohwx toy"_s);
    QVERIFY(learned != nullptr && learned->isVisible());
    learned->click();
    QCOMPARE(form.prompt(), u"a cat beside a photo of ohwx toy"_s);
    QVERIFY(!learned->isVisible());
    form.setPrompt(u"a {subject} on a box"_s);
    QVERIFY(!learned->isVisible());
    while (m_services->undo.canUndo()) m_services->undo.undo();
}

void ModelResultsTest::anAddOnSaysWhatItWasTrainedOn() {
    const core::ModelRecord base = addModel("stick");
    const QString run = makeRun("wooden", QString::fromStdString(base.path));
    QVERIFY(QFile::remove(run + u"/result/model"_s)); // a link
    const QString lora = run + u"/result/lora.safetensors"_s;
    writeBytes(lora, "any");
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(lora) != nullptr);
    PageOfModel page(*m_services, u"wooden"_s);
    QVERIFY(shownTexts(page).contains(u"Trained on: stick"_s));
    choose(page, u"stick"_s);
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, u"Take off the list"_s)->click();
    QVERIFY(toast.value(0).value(0).toString().contains(u"trained on it: wooden"_s));
    choose(page, u"wooden"_s);
    QVERIFY(shownTexts(page).contains(u"Trained on: stick, which is not on the list"_s));
    GeneratePage generate(m_services->all());
    generate.prepare(lora);
    QVERIFY(generate.messages().currentText().contains(u"trained on \"stick\""_s));
    anotherOfTheSameContentStandsForIt(run);
    QVERIFY(shownTexts(page).contains(u"Trained on: moved stick"_s));
    // Each training makes another file of its result, which is no news.
    for (const char* sha256 : {"cd", "ef"})
        QVERIFY(!m_services->models.noteHash(lora, QLatin1String(sha256)));
    ModelEntry beside = *m_services->models.find(lora);
    beside.base = run + u" 2/result/model"_s;
    QVERIFY(!beside.hasOwnBase());
}

void ModelResultsTest::anotherOfTheSameContentStandsForIt(const QString& run) {
    const QString lora = run + u"/result/lora.safetensors"_s;
    // One of the same content is what it was trained on, wherever that lies.
    const QString moved = QString::fromStdString(addModel("moved stick").path);
    const QString facts = run + u"/run.json"_s;
    writeBytes(facts, "{\"config\":{},\"facts\":{\"modelSha256\":\"ab\"}}");
    writeCheckpoint(run, 40);
    const auto baseOfMoment = [&] {
        const MomentEntry* moment = m_services->models.moment(run + u"/checkpoints/step-000040"_s);
        return moment == nullptr ? QString() : m_services->models.baseOf(*moment);
    };
    m_services->models.noteHash(moved, u"ab"_s);
    m_services->models.refresh();
    QTRY_COMPARE(m_services->models.find(lora)->base, moved);
    QTRY_COMPARE(baseOfMoment(), moved);
    const QString other = QString::fromStdString(addModel("other stick").path);
    QTRY_VERIFY(m_services->models.find(other)->looked);
    m_services->models.noteHash(other, u"ab"_s);
    QVERIFY(QFile::remove(other)); // a link
    m_services->models.lookAgain(other);
    QTRY_VERIFY(m_services->models.find(other)->facts.gone);
    QCOMPARE(m_services->models.find(lora)->base, moved); // the one that is there
    m_services->models.forget(m_services->models.find(other)->recordId);
    // Also where the line of the one that is gone is still on the list.
    const QString before = QString::fromStdString(m_services->runs.find(run)->model);
    const core::ModelRecord record = modelRecord(u"stick"_s, before);
    m_services->models.put(record);
    QCOMPARE(m_services->models.find(lora)->base, before);
    QVERIFY(QFile::remove(before)); // a link
    m_services->models.lookAgain(before);
    QTRY_COMPARE(m_services->models.find(lora)->base, moved);
    QCOMPARE(baseOfMoment(), moved);
    m_services->models.forget(record.id);
    QVERIFY(QFile::remove(facts));
}

void ModelResultsTest::refusesToDeleteWhatIsInUse() {
    const QString run = makeRun("busy", builtInModel());
    core::SampleConfig config;
    config.model = (run + u"/result/model"_s).toStdString();
    config.prompt = "a red apple";
    config.count = 1;
    m_services->generator.restore({{1, config}});
    const ModelEntry* entry = m_services->models.find(run + u"/result/model"_s);
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QCOMPARE(removal.usedBy.size(), 1);
    QVERIFY(removalText(removal, entry->name).contains(u"in use"_s));
    m_services->generator.dropAll();
    QVERIFY(removalOf(m_services->all(), *entry).usedBy.isEmpty());
}

void ModelResultsTest::refusesToDeleteAMomentThatIsInUse() {
    const QString run = makeRun("busy moment", builtInModel());
    writeCheckpoint(run, 200);
    m_services->models.refresh();
    const QString moment = run + u"/checkpoints/step-000200"_s;
    QTRY_VERIFY(m_services->models.moment(moment) != nullptr);
    core::SampleConfig config;
    config.model = momentFolder(moment).toStdString(); // of links, elsewhere
    config.prompt = "a red apple";
    config.count = 1;
    m_services->generator.restore({{1, config}});
    const ModelEntry* entry = m_services->models.find(run + u"/result/model"_s);
    QVERIFY(entry != nullptr);
    QCOMPARE(removalOf(m_services->all(), *entry).usedBy.size(), 1);
    m_services->generator.dropAll();
    QVERIFY(removalOf(m_services->all(), *entry).usedBy.isEmpty());
}

void ModelResultsTest::asksBeforeATrainingIsDeleted() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString run = makeRun("deleted", builtInModel());
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    auto& page = *static_cast<ModelsPage*>(window.page(PageId::Models));
    auto* list = page.findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == u"deleted"_s)
            list->setCurrentIndex(list->model()->index(row, 0));
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY(box != nullptr);
    QVERIFY(QFile::exists(run)); // nothing happened yet
    QVERIFY(box->defaultButton() == box->button(QMessageBox::Cancel));
    agree(*box);
    QTRY_VERIFY(!QFile::exists(run) && m_services->runs.find(run) == nullptr);
    QVERIFY(QFile::exists(builtInModel())); // links go, not what they lead to
    QUndoStack& undo = m_services->undo;
    QCOMPARE(undo.undoText(), u"delete deleted"_s);
    for (int times = 0; times < 2; ++times) {
        undo.undo();
        QTRY_VERIFY(m_services->runs.find(run) != nullptr);
        QTRY_VERIFY(m_services->models.find(run + u"/result/model"_s) != nullptr);
        QCOMPARE(m_services->runs.find(run)->state, "done");
        undo.redo();
        QTRY_VERIFY(m_services->runs.find(run) == nullptr && !QFile::exists(run));
        QVERIFY(undo.canUndo() && !undo.canRedo());
    }
    QCOMPARE(makeRun("deleted", builtInModel()), run); // another one has its folder now
    undo.undo();
    const QString beside = run + u" 2"_s;
    QTRY_VERIFY(m_services->runs.find(beside) != nullptr);
    undo.redo();
    QTRY_VERIFY(m_services->runs.find(beside) == nullptr && !QFile::exists(beside));
    QVERIFY(QFile::exists(run) && m_services->runs.find(run) != nullptr);
    m_services->runs.remove({run});
    QTRY_VERIFY(m_services->runs.find(run) == nullptr && !QFile::exists(run));
}

void ModelResultsTest::whatOtherProgramsReadOfAModelGoesWithIt() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString models = m_place.path("deleted models");
    const QByteArray ours = "# By this A1111 and Forge know that the model beside it predicts v.\nmodel:\n";
    for (const char* name : {"robot.v1", "theirs", "folder"})
        writeBytes(u"%1/%2.yaml"_s.arg(models, QLatin1String(name)),
                   QByteArray(name) == "theirs" ? QByteArray("model:\n") : ours);
    for (const char* file : {"robot.v1.safetensors", "theirs.safetensors", "folder/unet/config.json"})
        writeBytes(u"%1/%2"_s.arg(models, QLatin1String(file)), "numbers");
    for (const char* name : {"robot.v1.safetensors", "theirs.safetensors", "folder"}) {
        const QString path = u"%1/%2"_s.arg(models, QLatin1String(name));
        QVERIFY(moveModelToTrash(path));
        QVERIFY(!QFile::exists(path));
    }
    QVERIFY(!QFile::exists(models + u"/robot.v1.yaml"_s));
    QVERIFY(QFile::exists(models + u"/theirs.yaml"_s));
    QVERIFY(QFile::exists(models + u"/folder.yaml"_s)); // of another model
    QVERIFY(moveModelToTrash(models + u"/gone.safetensors"_s));
}

void ModelResultsTest::anImportedModelComesBackOutOfTheTrash() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString path = m_place.path(u"brought along.safetensors"_s);
    const QString beside = m_place.path(u"brought along.yaml"_s);
    writeBytes(path, "numbers");
    writeBytes(beside, "# By this A1111 and Forge know that the model beside it predicts v.\nmodel:\n");
    core::ModelRecord record = modelRecord(u"my own name"_s, path, "model");
    record.note = "my own licence";
    ModelShelf& models = m_services->models;
    models.put(record);
    PageOfModel page(*m_services, u"my own name"_s);
    QSignalSpy told(&page, &Page::toast);
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().contains(u"It goes into the trash"_s), qPrintable(box->text()));
    agree(*box);
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(models.find(path) == nullptr && !QFile::exists(path) && !QFile::exists(beside));
    QUndoStack& undo = m_services->undo;
    undo.undo();
    QTRY_VERIFY(models.find(path) != nullptr);
    QVERIFY(QFile::exists(path) && QFile::exists(beside));
    QCOMPARE(models.record(record.id)->name, record.name);
    QCOMPARE(models.record(record.id)->note, record.note);
    undo.redo();
    QTRY_VERIFY(models.find(path) == nullptr && !QFile::exists(path));
    writeBytes(path, "of another one");
    undo.undo();
    QTRY_VERIFY2(page.messages().currentText().contains(u"something else has its place"_s),
                 qPrintable(page.messages().currentText()));
    QVERIFY(models.find(path) == nullptr);
    QVERIFY(QFile::remove(path));
}

void ModelResultsTest::anImportedModelWhoseFilesAreGoneIsForgotten() {
    const QString path = m_place.path(u"gone for good.safetensors"_s);
    ModelShelf& models = m_services->models;
    models.put(modelRecord(u"gone for good"_s, path, "model"));
    PageOfModel page(*m_services, u"gone for good"_s);
    QTRY_VERIFY(models.find(path) != nullptr && models.find(path)->facts.gone);
    QSignalSpy told(&page, &Page::toast);
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().contains(u"Its files are gone"_s), qPrintable(box->text()));
    agree(*box);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told[0][0].toString(), u"gone for good is forgotten."_s);
    QVERIFY(models.find(path) == nullptr);
    m_services->undo.undo();
    QVERIFY(models.find(path) != nullptr);
    models.forget(models.find(path)->recordId);
}

void ModelResultsTest::trainsWithWhatIsChosen() {
    const QString run = makeRun("trained with", builtInModel());
    PageOfModel page(*m_services, u"trained with"_s);
    QSignalSpy wanted(&page, &ModelsPage::trainWanted);
    buttonNamed(page, u"Train with it"_s)->click();
    QCOMPARE(wanted.size(), 1);
    const QString model = wanted[0][0].toString();
    QCOMPARE(model, run + u"/result/model"_s);
    TrainPage train(m_services->all());
    train.prepareModel(model);
    QCOMPARE(train.findChild<TrainSetup*>()->findChild<QComboBox*>()->currentData().toString(), model);
}

void ModelResultsTest::whatEndedWhileTheWindowWasClosedIsThere() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, u"overnight"_s, 80);
    QVERIFY(!folder.isEmpty());
    core::RunRecord begun;
    begun.id = core::newRecordId();
    begun.folder = folder.toStdString();
    begun.title = "robot toy";
    begun.state = "running";
    begun.steps = 80;
    begun.stepsDone = 12;
    begun.createdMs = core::nowMs();
    m_services->library.write([begun](core::Library& library) { return core::saveRun(library, begun); });
    m_services.reset(); // the window closes, the engine goes on
    {
        const auto journal = journalOf(folder);
        journal->emit(core::StepEvent{80, 1, 0.1, 1e-4, 0.1, 1.0, {}, {}, {}, {}});
        journal->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
        QVERIFY(QDir().mkpath(folder + u"/result"_s));
        QVERIFY(QFile::link(builtInModel(), folder + u"/result/model"_s));
    }
    m_services = std::make_unique<TestServices>(m_place);
    m_services->runs.open(runs);
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    QCOMPARE(m_services->runs.find(folder)->state, "done");
    QCOMPARE(m_services->runs.find(folder)->stepsDone, int64_t{80});
    const QString result = folder + u"/result/model"_s;
    QTRY_VERIFY(m_services->models.find(result) != nullptr);
    const ModelEntry* model = m_services->models.find(result);
    QCOMPARE(model->name, u"robot toy"_s);
    QTRY_VERIFY(m_services->models.find(result)->looked && m_services->models.find(result)->facts.usable);
}

void ModelResultsTest::resultsAreLookedForOffTheWindowsThread() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, u"looked for"_s, 40);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    QVERIFY(QDir().mkpath(folder + u"/result"_s));
    QVERIFY(QFile::link(builtInModel(), folder + u"/result/model"_s));
    writeCheckpoint(folder, 40);
    m_services->runs.open(runs);
    ModelShelf& shelf = m_services->models;
    const QString result = folder + u"/result/model"_s;
    {
        const Blocked drive(resultDrives().of(folder + '/'));
        QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
        QTest::qWait(50);
        QVERIFY(shelf.find(result) == nullptr);
        QVERIFY(shelf.find(builtInModel()) != nullptr); // which needs no look
        QVERIFY(!shelf.settled());
    }
    QTRY_VERIFY(shelf.find(result) != nullptr);
    QTRY_VERIFY(shelf.settled());
    QVERIFY(std::any_of(shelf.moments().begin(), shelf.moments().end(), [&folder](const MomentEntry& one) {
        return one.path.startsWith(folder) && one.step == 40;
    }));
}

HOMEBOOTH_APP_TEST_MAIN(ModelResultsTest)
#include "tst_model_results.moc"

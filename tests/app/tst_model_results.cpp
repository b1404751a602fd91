// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results of trainings among the models: found, named, deleted with what depends on them, and what their
// trainings keep on the disk.
#include "app/engine/disk_use.h"
#include "app/engine/moments.h"
#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "model_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QMessageBox>
#include <QRegularExpression>
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
    void saysWhatATrainingTakesOfTheDisk();
    void namesWhatDependsOnAModel();
    void saysThatAddOnsNeedTheirModel();
    void anAddOnSaysWhatItWasTrainedOn();
    void refusesToDeleteWhatIsInUse();
    void refusesToDeleteAMomentThatIsInUse();
    void asksBeforeATrainingIsDeleted();
    void whatOtherProgramsReadOfAModelGoesWithIt();
    void prunesAllButTheNewestTwo();
    void runsAreMeasuredBesideOtherWork();
    void aRunThatDidNotChangeIsNotMeasuredAgain();
    void looksAtManyModelsAreToldTogether();
    void roomIsFreedFromThePage();
    void questionsAboutManyFitOnAScreen();
    void ofWhatATerminalWorksOnNothingIsFreed();
    void trainsWithWhatIsChosen();
    void whatEndedWhileTheWindowWasClosedIsThere();
    void resultsAreLookedForOffTheWindowsThread();

private:
    void anotherOfTheSameContentStandsForIt(const QString& run);
};

namespace {

/// Clicks on what a question asks about.
void agree(QMessageBox& box) {
    for (auto* button : box.buttons())
        if (box.buttonRole(button) == QMessageBox::DestructiveRole) button->click();
}

/// What the training of the model takes that is shown; empty while nobody knows.
QString keptBy(const ModelsPage& page) {
    for (const auto* label : page.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(QStringLiteral("Its training takes")))
            return label->text();
    return {};
}

/// The button that frees room; null while it is not offered.
QPushButton* freeButton(const ModelsPage& page) {
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text().startsWith(QStringLiteral("Free ")) && button->isVisible()) return button;
    return nullptr;
}

/// Shows the page and presses that button. @returns what it asks; null: nothing can be freed
QMessageBox* askToFree(ModelsPage& page) {
    page.show();
    page.activated();
    if (!QTest::qWaitFor([&page] { return freeButton(page) != nullptr; }, kLongestMs)) return nullptr;
    freeButton(page)->click();
    return page.findChild<QMessageBox*>();
}

} // namespace

void ModelResultsTest::aTrainingsResultIsRenamedInItsFolder() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, QStringLiteral("toy"), 40);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    QVERIFY(QDir().mkpath(folder + QStringLiteral("/result")));
    QVERIFY(QFile::link(builtInModel(), folder + QStringLiteral("/result/model")));
    const QString result = folder + QStringLiteral("/result/model");
    m_services->runs.open(runs);
    QTRY_VERIFY(m_services->models.find(result) != nullptr);
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("toy"));
    renameTo(page, QStringLiteral("the robot"));
    QTRY_COMPARE(m_services->models.find(result)->name, QStringLiteral("the robot"));
    const auto title = [&folder] {
        const auto run = core::RunFolder::open(folder.toStdString());
        const auto facts = run->facts();
        const auto found = facts ? facts->find("title") : facts->end();
        return found == facts->end() ? std::string() : found->second;
    };
    QTRY_COMPARE(title(), std::string("the robot"));
    m_services->undo.undo();
    QTRY_COMPARE(m_services->models.find(result)->name, QStringLiteral("toy"));
    QTRY_COMPARE(title(), std::string("toy"));
}

void ModelResultsTest::resultsOfOneNameAreToldApart() {
    const QString first = makeRun(QStringLiteral("twin"), builtInModel()) + QStringLiteral("/result/model");
    core::RunRecord second = *m_services->runs.find(m_place.path(QStringLiteral("runs/twin")));
    second.id = core::newRecordId();
    second.folder = m_place.path(QStringLiteral("runs/twin 2")).toStdString();
    second.endedMs += 1000;
    const QString other = QString::fromStdString(second.folder) + QStringLiteral("/result/model");
    QDir().mkpath(QFileInfo(other).path());
    QFile::link(builtInModel(), other);
    m_services->library.write([second](core::Library& library) { return core::saveRun(library, second); });
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->models.find(other) != nullptr);
    QCOMPARE(m_services->models.find(first)->name, QStringLiteral("twin"));
    QCOMPARE(m_services->models.find(other)->name, QStringLiteral("twin (2)"));
}

void ModelResultsTest::aResultStaysWhileItsTrainingGoesOn() {
    const QString folder = makeRun(QStringLiteral("further"), builtInModel());
    const QString result = folder + QStringLiteral("/result/model");
    const auto goes = [&](const char* state) {
        core::RunRecord run = *m_services->runs.find(folder);
        run.state = state;
        run.endedMs = run.state == "running" ? 0 : core::nowMs();
        m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
        m_services->runs.open(m_services->settings.runsFolder());
        QTRY_COMPARE(m_services->runs.find(folder)->state, run.state);
        QTRY_VERIFY(m_services->models.settled());
    };
    for (const char* state : {"running", "failed"}) {
        goes(state);
        QVERIFY2(m_services->models.find(result) != nullptr, state);
        QVERIFY(m_services->models.find(result)->addedMs > 0);
    }
    QVERIFY(QFile::remove(result)); // a first training that has failed has none
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(result) == nullptr);
}

void ModelResultsTest::saysWhatATrainingTakesOfTheDisk() {
    const QString run = makeRun(QStringLiteral("large"), builtInModel());
    for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    page.show();
    page.activated();
    choose(page, QStringLiteral("large"));
    QTRY_VERIFY(keptBy(page).contains(QStringLiteral("2 saved moment")));
    choose(page, QStringLiteral("Sketch (built in)"));
    QCOMPARE(keptBy(page), QString());
}

void ModelResultsTest::runsAreMeasuredBesideOtherWork() {
    const QString run = makeRun(QStringLiteral("beside"), builtInModel());
    for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("beside"));
    const Blocked busy(workPool()); // nor does what is there wait for the runs
    page.activated();
    page.activated();
    QTRY_VERIFY(keptBy(page).contains(QStringLiteral("2 saved moment")));
    writeCheckpoint(run, 300);
    page.activated();
    QTRY_VERIFY(keptBy(page).contains(QStringLiteral("3 saved moment")));
}

void ModelResultsTest::aRunThatDidNotChangeIsNotMeasuredAgain() {
    const QString run = m_place.path(QStringLiteral("runs/measured"));
    const QString picture = run + QStringLiteral("/samples/1.png");
    writeCheckpoint(run, 100);
    writeBytes(picture, "small");
    const RunDisk first = diskOf(run);
    writeBytes(picture, QByteArray(5000, 'p')); // no folder tells of it, but every file does
    QCOMPARE(diskOf(run, first).bytes, first.bytes);
    QVERIFY(diskOf(run).bytes > first.bytes);
    writeCheckpoint(run, 200);
    const RunDisk second = diskOf(run, first);
    QCOMPARE(second.moments, 2);
    QTest::qWait(50); // times of files come in such steps
    QVERIFY(QFile::remove(run + QStringLiteral("/checkpoints/step-000100/optimizer-unet.safetensors")));
    QCOMPARE(diskOf(run, second).bytes, second.bytes - 2000);
}

void ModelResultsTest::looksAtManyModelsAreToldTogether() {
    constexpr int kModels = 20;
    std::vector<core::ModelRecord> records;
    ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.find(builtInModel())->looked);
    QSignalSpy changed(&shelf, &ModelShelf::changed);
    {
        const Blocked busy(modelDrives().of(m_place.path(QStringLiteral("one of many"))));
        for (int i = 0; i < kModels; ++i)
            records.push_back(addModel(QStringLiteral("one of many %1").arg(i)));
        changed.clear();
    }
    QTRY_VERIFY(std::all_of(records.begin(), records.end(), [&shelf](const core::ModelRecord& record) {
        return shelf.find(QString::fromStdString(record.path))->looked;
    }));
    QVERIFY2(changed.size() <= 2, qPrintable(QString::number(changed.size())));
    for (const core::ModelRecord& record : records) shelf.forget(record.id);
}

void ModelResultsTest::namesWhatDependsOnAModel() {
    const QString first = makeRun(QStringLiteral("robot"), builtInModel());
    makeRun(QStringLiteral("robot in snow"), first + QStringLiteral("/result/model"));
    const ModelEntry* entry = m_services->models.find(first + QStringLiteral("/result/model"));
    QVERIFY(entry != nullptr);
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QCOMPARE(removal.madeFrom, QStringList{QStringLiteral("robot in snow")});
    QVERIFY(removal.usedBy.isEmpty());
    QVERIFY(removal.run);
    QCOMPARE(removal.path, first);
    QVERIFY(removalText(removal, entry->name).contains(QStringLiteral("robot in snow")));
    QVERIFY(removalText(removal, entry->name).contains(QStringLiteral("copies of photos")));
    QVERIFY(removalText(removal, entry->name).contains(QStringLiteral("the model that came out of it")));
}

void ModelResultsTest::saysThatAddOnsNeedTheirModel() {
    const QString first = makeRun(QStringLiteral("lamp"), builtInModel());
    const QString addOn = makeRun(QStringLiteral("lamp shade"), first + QStringLiteral("/result/model"));
    QVERIFY(QFile::remove(addOn + QStringLiteral("/result/model"))); // a link
    const QString lora = addOn + QStringLiteral("/result/lora.safetensors");
    QFile file(lora);
    QVERIFY(file.open(QIODevice::WriteOnly));
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(lora) != nullptr);
    const ModelEntry* entry = m_services->models.find(first + QStringLiteral("/result/model"));
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QVERIFY(removal.madeFrom.isEmpty());
    QCOMPARE(removal.neededBy, QStringList{QStringLiteral("lamp shade")});
    QVERIFY(removalText(removal, entry->name).contains(QStringLiteral("no pictures without it")));
    const ModelRemoval other = removalOf(m_services->all(), *m_services->models.find(lora));
    QVERIFY(removalText(other, addOn).contains(QStringLiteral("the add-on that came out of it")));
}

void ModelResultsTest::anAddOnSaysWhatItWasTrainedOn() {
    const core::ModelRecord base = addModel(QStringLiteral("stick"));
    const QString run = makeRun(QStringLiteral("wooden"), QString::fromStdString(base.path));
    QVERIFY(QFile::remove(run + QStringLiteral("/result/model"))); // a link
    const QString lora = run + QStringLiteral("/result/lora.safetensors");
    writeBytes(lora, "any");
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(lora) != nullptr);
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("wooden"));
    QVERIFY(shownTexts(page).contains(QStringLiteral("Trained on: stick")));
    choose(page, QStringLiteral("stick"));
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, QStringLiteral("Take off the list"))->click();
    QVERIFY(toast.value(0).value(0).toString().contains(QStringLiteral("trained on it: wooden")));
    choose(page, QStringLiteral("wooden"));
    QVERIFY(shownTexts(page).contains(QStringLiteral("Trained on: stick, which is not on the list")));
    GeneratePage generate(m_services->all());
    generate.prepare(lora);
    QVERIFY(generate.messages().currentText().contains(QStringLiteral("trained on \"stick\"")));
    anotherOfTheSameContentStandsForIt(run);
    QVERIFY(shownTexts(page).contains(QStringLiteral("Trained on: moved stick")));
    // Each training makes another file of its result, which is no news.
    for (const char* sha256 : {"cd", "ef"})
        QVERIFY(!m_services->models.noteHash(lora, QLatin1String(sha256)));
    ModelEntry beside = *m_services->models.find(lora);
    beside.base = run + QStringLiteral(" 2/result/model");
    QVERIFY(!beside.hasOwnBase());
}

void ModelResultsTest::anotherOfTheSameContentStandsForIt(const QString& run) {
    const QString lora = run + QStringLiteral("/result/lora.safetensors");
    // One of the same content is what it was trained on, wherever that lies.
    const QString moved = QString::fromStdString(addModel(QStringLiteral("moved stick")).path);
    const QString facts = run + QStringLiteral("/run.json");
    writeBytes(facts, "{\"config\":{},\"facts\":{\"modelSha256\":\"ab\"}}");
    m_services->models.noteHash(moved, QStringLiteral("ab"));
    m_services->models.refresh();
    QTRY_COMPARE(m_services->models.find(lora)->base, moved);
    const QString other = QString::fromStdString(addModel(QStringLiteral("other stick")).path);
    QTRY_VERIFY(m_services->models.find(other)->looked);
    m_services->models.noteHash(other, QStringLiteral("ab"));
    QVERIFY(QFile::remove(other)); // a link
    m_services->models.lookAgain(other);
    QTRY_VERIFY(m_services->models.find(other)->facts.gone);
    QCOMPARE(m_services->models.find(lora)->base, moved); // the one that is there
    m_services->models.forget(m_services->models.find(other)->recordId);
    QVERIFY(QFile::remove(facts));
}

void ModelResultsTest::refusesToDeleteWhatIsInUse() {
    const QString run = makeRun(QStringLiteral("busy"), builtInModel());
    core::SampleConfig config;
    config.model = (run + QStringLiteral("/result/model")).toStdString();
    config.prompt = "a red apple";
    config.count = 1;
    m_services->generator.restore({{1, config}});
    const ModelEntry* entry = m_services->models.find(run + QStringLiteral("/result/model"));
    const ModelRemoval removal = removalOf(m_services->all(), *entry);
    QCOMPARE(removal.usedBy.size(), 1);
    QVERIFY(removalText(removal, entry->name).contains(QStringLiteral("in use")));
    m_services->generator.dropAll();
    QVERIFY(removalOf(m_services->all(), *entry).usedBy.isEmpty());
}

void ModelResultsTest::refusesToDeleteAMomentThatIsInUse() {
    const QString run = makeRun(QStringLiteral("busy moment"), builtInModel());
    writeCheckpoint(run, 200);
    m_services->models.refresh();
    const QString moment = run + QStringLiteral("/checkpoints/step-000200");
    QTRY_VERIFY(m_services->models.moment(moment) != nullptr);
    core::SampleConfig config;
    config.model = momentFolder(moment).toStdString(); // of links, elsewhere
    config.prompt = "a red apple";
    config.count = 1;
    m_services->generator.restore({{1, config}});
    const ModelEntry* entry = m_services->models.find(run + QStringLiteral("/result/model"));
    QVERIFY(entry != nullptr);
    QCOMPARE(removalOf(m_services->all(), *entry).usedBy.size(), 1);
    m_services->generator.dropAll();
    QVERIFY(removalOf(m_services->all(), *entry).usedBy.isEmpty());
}

void ModelResultsTest::asksBeforeATrainingIsDeleted() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString run = makeRun(QStringLiteral("deleted"), builtInModel());
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    auto& page = *static_cast<ModelsPage*>(window.page(PageId::Models));
    auto* list = page.findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == QStringLiteral("deleted"))
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
    QCOMPARE(undo.undoText(), QStringLiteral("delete deleted"));
    for (int times = 0; times < 2; ++times) {
        undo.undo();
        QTRY_VERIFY(m_services->runs.find(run) != nullptr);
        QTRY_VERIFY(m_services->models.find(run + QStringLiteral("/result/model")) != nullptr);
        QCOMPARE(m_services->runs.find(run)->state, std::string("done"));
        undo.redo();
        QTRY_VERIFY(m_services->runs.find(run) == nullptr && !QFile::exists(run));
        QVERIFY(undo.canUndo() && !undo.canRedo());
    }
    QCOMPARE(makeRun(QStringLiteral("deleted"), builtInModel()), run); // another one has its folder now
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    undo.undo();
    QTRY_COMPARE(failed.size(), 1);
    undo.redo();
    QTest::qWait(300);
    QVERIFY(QFile::exists(run) && m_services->runs.find(run) != nullptr);
    m_services->runs.remove({run});
    QTRY_VERIFY(m_services->runs.find(run) == nullptr && !QFile::exists(run));
}

void ModelResultsTest::whatOtherProgramsReadOfAModelGoesWithIt() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString models = m_place.path(QStringLiteral("deleted models"));
    const QByteArray ours = "# By this A1111 and Forge know that the model beside it predicts v.\nmodel:\n";
    for (const char* name : {"robot.v1", "theirs", "folder"})
        writeBytes(QStringLiteral("%1/%2.yaml").arg(models, QLatin1String(name)),
                   QByteArray(name) == "theirs" ? QByteArray("model:\n") : ours);
    for (const char* file : {"robot.v1.safetensors", "theirs.safetensors", "folder/unet/config.json"})
        writeBytes(QStringLiteral("%1/%2").arg(models, QLatin1String(file)), "numbers");
    for (const char* name : {"robot.v1.safetensors", "theirs.safetensors", "folder"}) {
        const QString path = QStringLiteral("%1/%2").arg(models, QLatin1String(name));
        QVERIFY(moveModelToTrash(path));
        QVERIFY(!QFile::exists(path));
    }
    QVERIFY(!QFile::exists(models + QStringLiteral("/robot.v1.yaml")));
    QVERIFY(QFile::exists(models + QStringLiteral("/theirs.yaml")));
    QVERIFY(QFile::exists(models + QStringLiteral("/folder.yaml"))); // of another model
    QVERIFY(moveModelToTrash(models + QStringLiteral("/gone.safetensors")));
}

void ModelResultsTest::prunesAllButTheNewestTwo() {
    const QString run = m_place.path(QStringLiteral("runs/pruned"));
    for (const int64_t step : {100, 200, 300, 400}) writeCheckpoint(run, step);
    const RunDisk before = diskOf(run);
    QCOMPARE(before.moments, 4);
    QVERIFY(before.prunableBytes >= 2 * 3000 + 2000);
    QCOMPARE(before.prunableMoments, 2);
    const auto pruned = pruneRun(run);
    QVERIFY2(pruned, pruned ? "" : pruned.error().text().c_str());
    const RunDisk after = diskOf(run);
    QCOMPARE(after.moments, 2);
    QCOMPARE(after.prunableBytes, qint64{0});
    QVERIFY(QFile::exists(run + QStringLiteral("/checkpoints/step-000400/optimizer-unet.safetensors")));
    QVERIFY(QFile::exists(run + QStringLiteral("/checkpoints/step-000300/unet.safetensors")));
    QVERIFY(!QFile::exists(run + QStringLiteral("/checkpoints/step-000300/optimizer-unet.safetensors")));
    QVERIFY(!QFile::exists(run + QStringLiteral("/checkpoints/step-000200")));
    // What the clock saved is no moment, and goes once another one is newer.
    for (const int64_t step : {410, 420}) writeCheckpoint(run, step, /*rolling=*/true);
    QCOMPARE(diskOf(run).moments, 2);
    QCOMPARE(momentsOf(run).back().step, int64_t{400});
    QVERIFY(diskOf(run).prunableBytes >= 3000 + 2000);
    QVERIFY(pruneRun(run));
    QVERIFY(!QFile::exists(run + QStringLiteral("/checkpoints/step-000410")));
    QVERIFY(QFile::exists(run + QStringLiteral("/checkpoints/step-000420/optimizer-unet.safetensors")));
    QCOMPARE(diskOf(run).moments, 2);
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
    // A newest one that is torn keeps the others: they are all there is to go on from.
    for (const int64_t step : {500, 600}) writeCheckpoint(run, step);
    writeBytes(run + QStringLiteral("/checkpoints/step-000700/unet.safetensors"), "torn");
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
    QVERIFY(!pruneRun(run));
    QCOMPARE(diskOf(run).moments, 4);
}

void ModelResultsTest::roomIsFreedFromThePage() {
    const QString run = makeRun(QStringLiteral("full of moments"), builtInModel());
    for (const int64_t step : {100, 200, 300, 400}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    QVERIFY(box->text().contains(QStringLiteral("full of moments"))); // it says whose go
    for (const char* words : {" older moment", "go on from its newest moment alone"})
        QVERIFY(box->text().contains(QLatin1String(words)));
    QCOMPARE(diskOf(run).moments, 4); // nothing goes before it was asked
    agree(*box);
    QTRY_COMPARE(diskOf(run).moments, 2);
    QTRY_VERIFY(freeButton(page) == nullptr);
}

void ModelResultsTest::questionsAboutManyFitOnAScreen() {
    constexpr int kRuns = 12;
    for (int i = 1; i <= kRuns; ++i) {
        const QString run = makeRun(QStringLiteral("robot %1").arg(i), builtInModel());
        for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    }
    ModelsPage page(m_services->all());
    page.showModel(builtInModel());
    const QStringList made =
        shownTexts(page).filter(QRegularExpression(QStringLiteral("Made from it: ([^,]+, ){4}[^,]+ more")));
    QVERIFY2(made.size() == 1, qPrintable(shownTexts(page).join('|')));
    const QStringList all = namesMadeFrom(m_services->models, builtInModel());
    QVERIFY(all.indexOf(QStringLiteral("robot 12")) < all.indexOf(QStringLiteral("robot 1"))); // the newer
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    const QStringList named = box->text().section(QStringLiteral("<br>"), 1).split(QStringLiteral(", "));
    QCOMPARE(named.size(), 10); // and those of other functions of the test are among the rest
    QVERIFY2(QRegularExpression(QStringLiteral(" and [0-9]+ more$")).match(named.back()).hasMatch(),
             qPrintable(named.back()));
    box->close();
    ModelRemoval removal;
    for (int i = 0; i < 300; ++i) removal.neededBy.append(QStringLiteral("lamp %1").arg(i));
    removal.madeFrom = {QString(5000, 'x'), QStringLiteral("<b>")};
    const QString text = removalText(removal, QStringLiteral("model"));
    QVERIFY2(text.contains(QStringLiteral(" and 290 more")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("&lt;b&gt;")));
    QVERIFY(text.size() < 1000);
}

void ModelResultsTest::ofWhatATerminalWorksOnNothingIsFreed() {
    const QString busy = makeRun(QStringLiteral("resumed in a terminal"), builtInModel());
    const QString idle = makeRun(QStringLiteral("at rest"), builtInModel());
    for (const QString& run : {busy, idle})
        for (const int64_t step : {100, 200, 300, 400}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    const auto lock = core::RunLock::acquire((busy + QStringLiteral("/lock")).toStdString());
    QVERIFY(lock);
    agree(*box);
    QTRY_COMPARE(diskOf(idle).moments, 2);
    workPool().waitForDone();
    QCOMPARE(diskOf(busy).moments, 4);
}

void ModelResultsTest::trainsWithWhatIsChosen() {
    const QString run = makeRun(QStringLiteral("trained with"), builtInModel());
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("trained with"));
    QSignalSpy wanted(&page, &ModelsPage::trainWanted);
    buttonNamed(page, QStringLiteral("Train with it"))->click();
    QCOMPARE(wanted.size(), 1);
    const QString model = wanted[0][0].toString();
    QCOMPARE(model, run + QStringLiteral("/result/model"));
    TrainPage train(m_services->all());
    train.prepareModel(model);
    QCOMPARE(train.findChild<QComboBox*>()->currentData().toString(), model);
}

void ModelResultsTest::whatEndedWhileTheWindowWasClosedIsThere() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, QStringLiteral("overnight"), 80);
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
        QVERIFY(QDir().mkpath(folder + QStringLiteral("/result")));
        QVERIFY(QFile::link(builtInModel(), folder + QStringLiteral("/result/model")));
    }
    m_services = std::make_unique<TestServices>(m_place);
    m_services->runs.open(runs);
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    QCOMPARE(m_services->runs.find(folder)->state, std::string("done"));
    QCOMPARE(m_services->runs.find(folder)->stepsDone, int64_t{80});
    const QString result = folder + QStringLiteral("/result/model");
    QTRY_VERIFY(m_services->models.find(result) != nullptr);
    const ModelEntry* model = m_services->models.find(result);
    QCOMPARE(model->name, QStringLiteral("robot toy"));
    QTRY_VERIFY(m_services->models.find(result)->looked && m_services->models.find(result)->facts.usable);
}

void ModelResultsTest::resultsAreLookedForOffTheWindowsThread() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, QStringLiteral("looked for"), 40);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    QVERIFY(QDir().mkpath(folder + QStringLiteral("/result")));
    QVERIFY(QFile::link(builtInModel(), folder + QStringLiteral("/result/model")));
    writeCheckpoint(folder, 40);
    m_services->runs.open(runs);
    ModelShelf& shelf = m_services->models;
    const QString result = folder + QStringLiteral("/result/model");
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

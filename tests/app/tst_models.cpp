// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Models: what a model is, its licence, the question for what it predicts, deleting with what
// depends on it, and what trainings keep on the disk.
#include "app/engine/disk_use.h"
#include "app/engine/model_hash_cache.h"
#include "app/engine/places.h"
#include "app/engine/request_pool.h"
#include "app/pages/models/model_facts_text.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/models/models_page.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "core/base/run/checkpoint.h"

#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class ModelsTest : public QObject {
    Q_OBJECT
public:
    explicit ModelsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void cleanup() { m_services.reset(); }
    void saysWhatTheBuiltInModelIs();
    void readsTheLicenceOfTheFiles();
    void keepsTheLicenceNote();
    void editsOfAnImportedModelHaveAWayBack();
    void aTrainingsResultIsRenamedInItsFolder();
    void resultsOfOneNameAreToldApart();
    void whatIsShownStaysWhenModelsCome();
    void saysWhatATrainingTakesOfTheDisk();
    void exportsWithTheEngine();
    void anExportSaysHowFarItIsAndStops();
    void aHashIsWorkedOutOnce();
    void namesWhatDependsOnAModel();
    void refusesToDeleteWhatIsInUse();
    void asksBeforeATrainingIsDeleted();
    void prunesAllButTheNewestTwo();
    void whatEndedWhileTheWindowWasClosedIsThere();
    void resultsAreLookedForOffTheWindowsThread();

private:
    /// A finished run with a result, known to the window. @returns its folder
    QString makeRun(const QString& title, const QString& model);
    /// An imported model in the library. @returns its record
    core::ModelRecord addModel(const QString& name);
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

namespace {

void writeCheckpoint(const QString& run, int64_t step) {
    const QString folder = run + QStringLiteral("/checkpoints/step-%1").arg(step, 6, 10, QLatin1Char('0'));
    writeBytes(folder + QStringLiteral("/unet.safetensors"), QByteArray(1000, 'u'));
    writeBytes(folder + QStringLiteral("/optimizer-unet.safetensors"), QByteArray(2000, 'o'));
    core::ManifestOptions options;
    options.step = step;
    QVERIFY(core::writeManifest(folder.toStdString(), options));
}

} // namespace

QString ModelsTest::makeRun(const QString& title, const QString& model) {
    core::RunRecord run;
    run.id = core::newRecordId();
    run.title = title.toStdString();
    run.folder = m_place.path(QStringLiteral("runs/") + title).toStdString();
    run.model = model.toStdString();
    run.state = "done";
    run.createdMs = run.endedMs = core::nowMs();
    const QString folder = QString::fromStdString(run.folder);
    QDir().mkpath(folder + QStringLiteral("/result"));
    QFile::link(builtInModel(), folder + QStringLiteral("/result/model"));
    m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
    m_services->runs.open(m_services->settings.runsFolder());
    const QString result = folder + QStringLiteral("/result/model");
    [&] { QTRY_VERIFY(m_services->models.find(result) != nullptr); }();
    return folder;
}

core::ModelRecord ModelsTest::addModel(const QString& name) {
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = name.toStdString();
    record.path = m_place.path(name).toStdString();
    record.kind = "model";
    record.addedMs = core::nowMs();
    QFile::link(builtInModel(), m_place.path(name));
    m_services->models.put(record);
    return record;
}

void ModelsTest::saysWhatTheBuiltInModelIs() {
    ModelsPage page(m_services->all());
    page.show();
    auto* facts = page.findChild<QFormLayout*>();
    QTRY_VERIFY(facts->rowCount() > 4);
    QStringList texts;
    for (auto* label : page.findChildren<QLabel*>()) texts.append(label->text());
    QVERIFY(texts.contains(QStringLiteral("64 x 64 px")));
    QVERIFY(texts.contains(QStringLiteral("noise (epsilon)")));
    QVERIFY(buttonNamed(page, QStringLiteral("Delete..."))->isHidden());
}

void ModelsTest::readsTheLicenceOfTheFiles() {
    core::Inspection facts;
    facts.path = m_place.path(QStringLiteral("licensed")).toStdString();
    QDir().mkpath(m_place.path(QStringLiteral("licensed")));
    QCOMPARE(licenceOf(facts), QString());
    writeBytes(m_place.path(QStringLiteral("licensed/LICENSE.md")), "text");
    QCOMPARE(licenceOf(facts), QStringLiteral("LICENSE.md"));
    writeBytes(m_place.path(QStringLiteral("licensed/README.md")),
               "---\ntags: x\nlicense: \"openrail++\"\n---\nlicense: no\n");
    QCOMPARE(licenceOf(facts), QStringLiteral("openrail++"));
    facts.metadata["modelspec.license"] = "CreativeML OpenRAIL-M";
    QCOMPARE(licenceOf(facts), QStringLiteral("CreativeML OpenRAIL-M"));
}

void ModelsTest::keepsTheLicenceNote() {
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = "mine";
    record.path = m_place.path(QStringLiteral("mine")).toStdString();
    record.kind = "model";
    QFile::link(builtInModel(), m_place.path(QStringLiteral("mine")));
    m_services->library.write([record](core::Library& library) { return core::saveModel(library, record); });
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(m_place.path(QStringLiteral("mine"))) != nullptr);
    record.note = "only for me";
    m_services->models.put(record);
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(m_place.path(QStringLiteral("mine"))) != nullptr);
    QCOMPARE(m_services->models.find(m_place.path(QStringLiteral("mine")))->note,
             QStringLiteral("only for me"));
}

namespace {

/// Chooses a model of the page by its name.
void choose(const ModelsPage& page, const QString& name) {
    auto* list = page.findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == name)
            list->setCurrentIndex(list->model()->index(row, 0));
    QCOMPARE(list->currentIndex().data().toString(), name);
}

/// Gives what is chosen another name, as by F2.
void renameTo(ModelsPage& page, const QString& name) {
    QVERIFY(page.command(Page::Command::Rename));
    auto* field = fieldNamed(page, QStringLiteral("Name of the model"));
    QVERIFY(!field->isHidden());
    field->setText(name);
    QTest::keyClick(field, Qt::Key_Return);
}

} // namespace

void ModelsTest::editsOfAnImportedModelHaveAWayBack() {
    const core::ModelRecord before = addModel(QStringLiteral("brought"));
    const QString path = QString::fromStdString(before.path);
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("brought"));
    renameTo(page, QStringLiteral("mine now"));
    QCOMPARE(m_services->models.find(path)->name, QStringLiteral("mine now"));
    auto* licence = page.findChildren<QLineEdit*>().value(0);
    for (auto* field : page.findChildren<QLineEdit*>())
        if (field->placeholderText().startsWith(QStringLiteral("Not said"))) licence = field;
    licence->setText(QStringLiteral("MIT"));
    Q_EMIT licence->editingFinished();
    QCOMPARE(m_services->models.find(path)->note, QStringLiteral("MIT"));
    m_services->undo.undo();
    QCOMPARE(m_services->models.find(path)->note, QString());
    QCOMPARE(licence->text(), QString());
    m_services->undo.redo();
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, QStringLiteral("Take off the list"))->click();
    QVERIFY(m_services->models.find(path) == nullptr);
    QCOMPARE(toast.size(), 1);
    m_services->undo.undo(); // with all that was known of it
    QCOMPARE(m_services->models.find(path)->name, QStringLiteral("mine now"));
    QCOMPARE(m_services->models.find(path)->note, QStringLiteral("MIT"));
    QCOMPARE(m_services->models.find(path)->recordId, before.id);
    m_services->undo.undo();
    m_services->undo.undo();
    QCOMPARE(m_services->models.find(path)->name, QStringLiteral("brought"));
}

void ModelsTest::aTrainingsResultIsRenamedInItsFolder() {
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

void ModelsTest::resultsOfOneNameAreToldApart() {
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

void ModelsTest::whatIsShownStaysWhenModelsCome() {
    addModel(QStringLiteral("shown"));
    ModelsPage page(m_services->all());
    page.show();
    choose(page, QStringLiteral("shown"));
    addModel(QStringLiteral("come later"));
    QCOMPARE(page.findChild<QListView*>()->currentIndex().data().toString(), QStringLiteral("shown"));
}

void ModelsTest::saysWhatATrainingTakesOfTheDisk() {
    const QString run = makeRun(QStringLiteral("large"), builtInModel());
    for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    page.show();
    page.activated();
    choose(page, QStringLiteral("large"));
    const auto said = [&page] {
        for (const auto* label : page.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(QStringLiteral("Its training takes")))
                return label->text();
        return QString();
    };
    QTRY_VERIFY(said().contains(QStringLiteral("2 saved moment")));
    choose(page, QStringLiteral("Sketch (built in)"));
    QCOMPARE(said(), QString());
}

void ModelsTest::exportsWithTheEngine() {
    ModelsPage page(m_services->all());
    page.show();
    const QString to = m_place.path(QStringLiteral("exported.safetensors"));
    page.exportTo(builtInModel(), to, QStringLiteral("checkpoint"));
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(QStringLiteral("Exported")), 60'000);
    const auto found = core::inspectPath(to.toStdString());
    QVERIFY(found && found->problem.empty());
    QVERIFY(found->kind == core::InspectedKind::Model);
    page.exportTo(builtInModel(), to, QStringLiteral("checkpoint")); // nothing is written over
    QTRY_VERIFY_WITH_TIMEOUT(page.messages().currentText().contains(QStringLiteral("could not be exported")),
                             60'000);
}

void ModelsTest::anExportSaysHowFarItIsAndStops() {
    const QByteArray engine = qgetenv("HOMEBOOTH_ENGINE");
    QVERIFY(useEngine(m_place, R"sh(#!/bin/bash
trap 'exit 5' TERM
printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.123Z","type":"state","state":"writing","detail":"","done":1000000000,"total":4000000000}\n'
while true; do sleep 0.05; done
)sh"));
    ModelsPage page(m_services->all());
    page.show();
    page.exportTo(builtInModel(), m_place.path(QStringLiteral("never")), QStringLiteral("diffusers"));
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("1.0 GB of 4.0 GB")));
    buttonNamed(page, QStringLiteral("Stop"))->click();
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("Nothing was written")));
    qputenv("HOMEBOOTH_ENGINE", engine);
}

void ModelsTest::aHashIsWorkedOutOnce() {
    const QString path = m_place.path(QStringLiteral("hashed.bin"));
    writeBytes(path, QByteArray(5000, 'h'));
    const core::CancelToken stopped;
    stopped.request();
    QVERIFY(!*knownModelHash(path, {}, stopped)); // was not worked out yet
    const auto hash = knownModelHash(path, {}, {});
    QVERIFY(hash && *hash);
    QCOMPARE(**knownModelHash(path, {}, stopped), **hash);
    writeBytes(path, QByteArray(5001, 'h'));
    QVERIFY(!*knownModelHash(path, {}, stopped)); // it is another file now
}

void ModelsTest::namesWhatDependsOnAModel() {
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
}

void ModelsTest::refusesToDeleteWhatIsInUse() {
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

void ModelsTest::asksBeforeATrainingIsDeleted() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString run = makeRun(QStringLiteral("deleted"), builtInModel());
    ModelsPage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == QStringLiteral("deleted"))
            list->setCurrentIndex(list->model()->index(row, 0));
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY(box != nullptr);
    QVERIFY(QFile::exists(run)); // nothing happened yet
    QVERIFY(box->defaultButton() == box->button(QMessageBox::Cancel));
    for (auto* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    QTRY_VERIFY(!QFile::exists(run));
    QTRY_VERIFY(m_services->runs.find(run) == nullptr);
    QVERIFY(QFile::exists(builtInModel())); // links go, not what they lead to
}

void ModelsTest::prunesAllButTheNewestTwo() {
    const QString run = m_place.path(QStringLiteral("runs/pruned"));
    for (const int64_t step : {100, 200, 300, 400}) writeCheckpoint(run, step);
    const RunDisk before = diskOf(run);
    QCOMPARE(before.moments, 4);
    QVERIFY(before.prunableBytes >= 2 * 3000 + 2000);
    const auto pruned = pruneRun(run);
    QVERIFY2(pruned, pruned ? "" : pruned.error().text().c_str());
    const RunDisk after = diskOf(run);
    QCOMPARE(after.moments, 2);
    QCOMPARE(after.prunableBytes, qint64{0});
    QVERIFY(QFile::exists(run + QStringLiteral("/checkpoints/step-000400/optimizer-unet.safetensors")));
    QVERIFY(QFile::exists(run + QStringLiteral("/checkpoints/step-000300/unet.safetensors")));
    QVERIFY(!QFile::exists(run + QStringLiteral("/checkpoints/step-000300/optimizer-unet.safetensors")));
    QVERIFY(!QFile::exists(run + QStringLiteral("/checkpoints/step-000200")));
    // A newest one that is torn keeps the others: they are all there is to go on from.
    for (const int64_t step : {500, 600}) writeCheckpoint(run, step);
    writeBytes(run + QStringLiteral("/checkpoints/step-000700/unet.safetensors"), "torn");
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
    QVERIFY(!pruneRun(run));
    QCOMPARE(diskOf(run).moments, 4);
}

void ModelsTest::whatEndedWhileTheWindowWasClosedIsThere() {
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
        journal->emit(core::StepEvent{80, 1, 0.1, 1e-4, 0.1, 1.0, {}, {}});
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

void ModelsTest::resultsAreLookedForOffTheWindowsThread() {
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
        const Blocked pool(requestPool());
        QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
        QTest::qWait(50);
        QVERIFY(shelf.find(result) == nullptr);
        QVERIFY(shelf.find(builtInModel()) != nullptr); // which needs no look
        QVERIFY(!shelf.settled());
    }
    QTRY_VERIFY(shelf.find(result) != nullptr);
    QVERIFY(std::any_of(shelf.moments().begin(), shelf.moments().end(), [&folder](const MomentEntry& one) {
        return one.path.startsWith(folder) && one.step == 40;
    }));
    QTRY_VERIFY(shelf.settled());
}

HOMEBOOTH_APP_TEST_MAIN(ModelsTest)
#include "tst_models.moc"

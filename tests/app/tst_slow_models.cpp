// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models and trainings on a drive that does not answer hold nothing but themselves, and what is found
// late takes away nothing that was done meanwhile.
#include "app/engine/models/model_vocabularies.h"
#include "app/engine/runs/run_results.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/pages/models/model_commands.h"
#include "model_fixture.h"

#include <QLineEdit>
#include <QSemaphore>

#include <memory>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// A folder on a drive that is there on every machine, and none of the test's.
const QString kAway = u"/proc/away/"_s;

QString chosenIn(const ModelsPage& page) {
    return page.findChild<QListView*>()->currentIndex().data().toString();
}

} // namespace

class SlowModelsTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void modelsOfADriveThatHangsHoldNothingElse();
    void trainingsOfADriveThatHangsHoldNothingElse();
    void trainingsThatAreAsTheyWereAreNoNews();
    void trainingsHoldNoModel();
    void anOlderListOfModelsTakesNoChangeBack();
    void anImportIsNotReadWhole();
    void whoLooksAtAModelIsToldOfNoTrouble();
    void noPlaceIsTakenThatCannotBeKept();
    void aModelThatComesBeforeTheListKeepsItsHash();
    void aModelThatComesTakesNoTypingAway();
    void theRestOfALicenceIsOfNoOtherModel();

private:
    /// A model in the library whose drive does not answer.
    /// @param folder  that it lies in
    core::ModelRecord addAway(const QString& name, const QString& folder = kAway) {
        core::ModelRecord record = modelRecord(name, folder + name);
        record.addedMs = core::nowMs();
        m_services->models.put(record);
        return record;
    }
    /// A training in the library whose drive does not answer.
    core::RunRecord addAwayRun() {
        core::RunRecord away;
        away.id = core::newRecordId();
        away.title = "away";
        away.folder = (kAway + u"training"_s).toStdString();
        away.state = "done";
        away.createdMs = away.endedMs = core::nowMs();
        m_services->library.write([away](core::Library& library) { return core::saveRun(library, away); });
        return away;
    }
    void removeRun(const QString& folder) {
        m_services->library.write([folder = folder.toStdString()](core::Library& library) {
            return core::removeRun(library, folder);
        });
    }
    [[nodiscard]] QString noteOf(const core::ModelRecord& record) const {
        const ModelEntry* entry = m_services->models.find(QString::fromStdString(record.path));
        return entry != nullptr ? entry->note : u"no such model"_s;
    }
};

void SlowModelsTest::modelsOfADriveThatHangsHoldNothingElse() {
    ModelShelf& shelf = m_services->models;
    ModelsPage page(m_services->all());
    page.show();
    std::vector<core::ModelRecord> records;
    const QString link = m_place.path("models of another drive");
    QVERIFY(QFile::link(kAway.chopped(1), link));
    {
        const Blocked drive(modelDrives().of(kAway));
        for (int i = 0; i < 2 * workPool().maxThreadCount(); ++i)
            records.push_back(addAway(u"away %1"_s.arg(i)));
        records.push_back(addAway(u"by a link"_s, link + '/'));
        const QString linked = QString::fromStdString(records.back().path);
        const QString away = QString::fromStdString(records.front().path);
        choose(page, u"away 0"_s);
        const auto answered = std::make_shared<bool>(false);
        inBackground(
            this, [] { return true; }, [answered](bool answer) { *answered = answer; });
        QTRY_VERIFY(*answered);
        records.push_back(addModel("on this drive"));
        const QString here = QString::fromStdString(records.back().path);
        QTRY_VERIFY(shelf.find(here)->looked && shelf.find(here)->facts.usable);
        QVERIFY(!shelf.find(away)->looked);
        QVERIFY(!shelf.find(linked)->looked);
        QVERIFY(shownTexts(page).contains(u"Looking at the model..."_s));
        QVERIFY(shownTexts(page).contains(u"SHA-256: working it out..."_s));
        choose(page, u"on this drive"_s);
        QTRY_VERIFY(shownTexts(page).contains(u"Whole, checked today"_s));
    }
    const QString away = QString::fromStdString(records.front().path);
    QTRY_VERIFY(shelf.find(away)->looked);
    QVERIFY(!shelf.find(away)->facts.usable);
    for (const core::ModelRecord& record : records) shelf.forget(record.id);
}

void SlowModelsTest::trainingsOfADriveThatHangsHoldNothingElse() {
    const core::RunRecord away = addAwayRun();
    const QString beside = m_place.path("runs/beside it");
    QVERIFY(QDir().mkpath(beside)); // its moments lie on the other drive
    QVERIFY(QFile::link(kAway + u"moments"_s, beside + u"/checkpoints"_s));
    const ModelShelf& shelf = m_services->models;
    {
        const Blocked drive(resultDrives().of(kAway));
        for (const char* name : {"beside it", "ended later"}) {
            const QString folder = makeRun(QString::fromLatin1(name), builtInModel());
            QVERIFY(shelf.find(folder + u"/result/model"_s) != nullptr);
        }
        QVERIFY(!shelf.settled());
        const QString last = m_place.path("runs/ended later");
        writeCheckpoint(last, 200);
        m_services->models.refresh();
        QTRY_COMPARE(shelf.moments().size(), size_t{1});
        QVERIFY(shelf.moment(last + u"/checkpoints/step-000200"_s) != nullptr);
        // Photos that are dropped wait for the words of models, of which trainings have none of their own.
        int known = 0;
        ModelVocabularies vocabularies(m_services->models, m_services->subjects);
        vocabularies.whenKnown([&known] { ++known; });
        QTRY_COMPARE(known, 1);
        vocabularies.whenKnown([&known] { ++known; });
        QCOMPARE(known, 2);
        removeRun(last);
        m_services->runs.open(m_services->settings.runsFolder());
        QTRY_VERIFY(shelf.find(last + u"/result/model"_s) == nullptr);
        QVERIFY(shelf.find(beside + u"/result/model"_s) != nullptr);
    }
    QTRY_VERIFY(shelf.settled());
    QCOMPARE(shelf.moments().size(), size_t{0});
    for (const QString& folder : {QString::fromStdString(away.folder), beside}) removeRun(folder);
}

void SlowModelsTest::trainingsThatAreAsTheyWereAreNoNews() {
    const QString away = QString::fromStdString(addAwayRun().folder);
    const QString folder = makeRun("as it was", builtInModel());
    QTRY_VERIFY(m_services->runs.find(away) != nullptr);
    RunResults results(m_services->runs);
    QSignalSpy changed(&results, &RunResults::changed);
    results.look();
    QTRY_VERIFY(!changed.isEmpty() && !results.looking());
    changed.clear();
    {
        constexpr int kWaitMs = 500; // longer than news take
        const Blocked drive(resultDrives().of(kAway));
        results.look();
        QTest::qWait(kWaitMs);
        QVERIFY(results.looking());
        QCOMPARE(changed.size(), 0); // lists would be filled anew under the pointer
        writeCheckpoint(folder, 200);
        results.look();
        QTRY_VERIFY(results.moment(folder + u"/checkpoints/step-000200"_s) != nullptr);
        QCOMPARE(changed.size(), 1);
        changed.clear();
    }
    QTRY_VERIFY(!results.looking());
    QVERIFY(!changed.isEmpty()); // who waits for all is told
    for (const QString& one : {away, folder}) removeRun(one);
}

void SlowModelsTest::trainingsHoldNoModel() {
    const core::ModelRecord record = addModel("beside trainings");
    const QString path = QString::fromStdString(record.path);
    ModelShelf& shelf = m_services->models;
    const Blocked drive(resultDrives().of(path));
    QTRY_VERIFY(shelf.find(path)->looked);
    QSignalSpy imported(&shelf, &ModelShelf::imported);
    shelf.import(path);
    QTRY_COMPARE(imported.size(), 1);
    QTRY_VERIFY(shelf.find(path)->looked);
    shelf.forget(record.id);
}

void SlowModelsTest::anOlderListOfModelsTakesNoChangeBack() {
    const core::ModelRecord gone = addModel("taken off");
    core::ModelRecord named = addModel("named");
    ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.settled());
    const auto free = std::make_shared<QSemaphore>();
    m_services->library.work(
        this,
        [free](core::Library&) {
            free->acquire();
            return true;
        },
        [](bool) {});
    shelf.refresh(); // its answer is older than what follows
    shelf.forget(gone.id);
    named.name = "named anew";
    shelf.put(named);
    free->release();
    QTRY_VERIFY(shelf.settled());
    QVERIFY(shelf.find(QString::fromStdString(gone.path)) == nullptr);
    QVERIFY(!shelf.record(gone.id));
    QCOMPARE(shelf.find(QString::fromStdString(named.path))->name, u"named anew"_s);
}

void SlowModelsTest::anImportIsNotReadWhole() {
    core::ModelRecord gone = addModel("on a stick");
    const QString before = QString::fromStdString(gone.path);
    ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.find(before)->looked);
    const auto edit = [&](const core::ModelRecord& from, const core::ModelRecord& to) {
        m_services->undo.push(new ModelCommand(shelf, from, to, QString()));
    };
    core::ModelRecord named = gone;
    named.name = "my stick";
    named.note = "MIT";
    edit(gone, named);
    shelf.noteHash(before, u"ab"_s);
    QVERIFY(QFile::remove(before)); // a link
    shelf.lookAgain(before);
    QTRY_VERIFY(shelf.find(before)->facts.gone);
    const QString now = m_place.path("on this disk");
    QVERIFY(QFile::link(builtInModel(), now));
    shelf.import(now);
    QTRY_VERIFY(shelf.find(now) != nullptr);
    QVERIFY(shelf.find(now)->sha256.isEmpty());
    QVERIFY(shelf.record(gone.id));
    // Whoever reads it for another reason sees what it is.
    QVERIFY(!shelf.noteHash(now, u"ab"_s));
    QVERIFY(!shelf.record(gone.id));
    QCOMPARE(shelf.find(now)->name, u"my stick"_s);
    QCOMPARE(shelf.find(now)->note, u"MIT"_s);
    m_services->undo.undo(); // what was done to the gone one does not bring it back
    QVERIFY(!shelf.record(gone.id));
    const core::ModelRecord found = *shelf.record(shelf.find(now)->recordId);
    named = found;
    named.note = "CC0";
    edit(found, named);
    QVERIFY(shelf.noteHash(now, u"cd"_s));
    m_services->undo.undo();
    QCOMPARE(shelf.find(now)->note, u"MIT"_s);
    QCOMPARE(shelf.find(now)->sha256, u"cd"_s); // which nobody edits
}

void SlowModelsTest::whoLooksAtAModelIsToldOfNoTrouble() {
    core::ModelRecord record = addModel("looked at alone");
    QSignalSpy failed(&m_services->library, &LibraryService::failed);
    ModelShelf& shelf = m_services->models;
    record.path += " 2";
    shelf.put(record); // no key has two places
    QTRY_COMPARE(failed.size(), 1);
    shelf.noteHash(QString::fromStdString(record.path), u"ab"_s);
    QVERIFY(!shelf.find(QString::fromStdString(record.path))->sha256.isEmpty());
    shelf.refresh();
    QTRY_VERIFY(shelf.listed());
    QCOMPARE(failed.size(), 1);
}

void SlowModelsTest::noPlaceIsTakenThatCannotBeKept() {
    core::ModelRecord record = addModel("found again");
    ModelShelf& shelf = m_services->models;
    QSignalSpy failed(&m_services->library, &LibraryService::failed);
    core::ModelRecord gone = record;
    gone.id = core::newRecordId();
    gone.path = m_place.path("nowhere").toStdString();
    gone.sha256 = "ef";
    gone.note = "MIT";
    shelf.put(gone);
    QTRY_VERIFY(shelf.find(QString::fromStdString(gone.path))->facts.gone);
    QTRY_VERIFY(shelf.settled());
    record.path += " 2";
    shelf.put(record); // no key has two places
    QTRY_COMPARE(failed.size(), 1);
    shelf.noteHash(QString::fromStdString(record.path), u"ef"_s);
    QVERIFY(!shelf.record(gone.id) && shelf.record(record.id)->note == gone.note);
    QTRY_COMPARE(failed.size(), 2); // for more than a hash is lost
    shelf.refresh();
    QTRY_VERIFY(shelf.listed());
    QVERIFY(shelf.record(gone.id) && shelf.record(gone.id)->note == gone.note);
}

void SlowModelsTest::aModelThatComesBeforeTheListKeepsItsHash() {
    const QString path = QString::fromStdString(addModel("opened at the start").path);
    m_services->models.noteHash(path, u"ab"_s);
    ModelShelf shelf(m_services->library, m_services->runs); // which has asked for nothing yet
    QSignalSpy imported(&shelf, &ModelShelf::imported);
    shelf.import(path);
    QTRY_COMPARE(imported.size(), 1);
    QCOMPARE(shelf.find(path)->sha256, u"ab"_s);
}

void SlowModelsTest::aModelThatComesTakesNoTypingAway() {
    const core::ModelRecord first = addModel("typed of");
    const QString path = QString::fromStdString(first.path);
    const QString second = m_place.path("come meanwhile");
    QVERIFY(QFile::link(builtInModel(), second));
    ModelShelf& shelf = m_services->models;
    PageOfModel page(*m_services, u"typed of"_s);
    auto* licence = fieldNamed(page, u"Licence"_s);
    QVERIFY(licence != nullptr && licence->isVisible());
    licence->setFocus();
    QTest::keyClicks(licence, u"CreativeML O"_s);
    QSignalSpy imported(&shelf, &ModelShelf::imported);
    shelf.import(second);
    QTRY_COMPARE(imported.size(), 1);
    shelf.import(path); // itself, anew
    QTRY_COMPARE(imported.size(), 2);
    QCOMPARE(chosenIn(page), u"typed of"_s);
    QCOMPARE(licence->text(), u"CreativeML O"_s);
    QTest::keyClicks(licence, u"penRAIL"_s);
    QTest::keyClick(licence, Qt::Key_Return);
    QCOMPARE(noteOf(first), u"CreativeML OpenRAIL"_s);
    QCOMPARE(shelf.find(second)->note, QString());
    // Nor does one that comes take the place of a name that is being typed.
    QVERIFY(page.command(Page::Command::Rename));
    shelf.import(second);
    QTRY_COMPARE(imported.size(), 3);
    QCOMPARE(chosenIn(page), u"typed of"_s);
    auto* name = fieldNamed(page, u"Name of the model"_s);
    QTest::keyClick(name, Qt::Key_Escape); // nothing is typed any more
    shelf.import(second);
    QTRY_COMPARE(imported.size(), 4);
    QCOMPARE(chosenIn(page), u"come meanwhile"_s);
}

void SlowModelsTest::theRestOfALicenceIsOfNoOtherModel() {
    const core::ModelRecord first = addModel("left early");
    const core::ModelRecord second = addModel("shown instead");
    PageOfModel page(*m_services, u"left early"_s);
    auto* licence = fieldNamed(page, u"Licence"_s);
    QVERIFY(licence != nullptr);
    licence->setFocus();
    QTest::keyClicks(licence, u"MIT"_s);
    page.showModel(QString::fromStdString(second.path)); // as an answer to a message does
    QCOMPARE(noteOf(first), u"MIT"_s);
    QCOMPARE(noteOf(second), QString());
    QCOMPARE(licence->text(), QString());
    QVERIFY(page.focusWidget() != licence); // whose keys are not for the next one
    QCOMPARE(chosenIn(page), u"shown instead"_s);
    m_services->undo.undo();
    QCOMPARE(noteOf(first), QString());
    QCOMPARE(chosenIn(page), u"shown instead"_s);
}

HOMEBOOTH_APP_TEST_MAIN(SlowModelsTest)
#include "tst_slow_models.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models that go: several at once, with one question and one way back, also while files are on their way; and
// what the choice of a model says of one that went.
#include "app/engine/places.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/models/model_commands.h"
#include "app/pages/models/model_removal.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "model_fixture.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QUndoStack>

using namespace homebooth;
using namespace homebooth::app;

class ModelsGoingTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() {
        beginAgain();
        QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    }
    void cleanup() { end(); }
    void severalAreDeletedTogether();
    void severalLeaveTheListTogether();
    void aTrainingGoesWithThemInOneStep();
    void undoWhileFilesAreOnTheirWayIsDone();
    void aModelIsBackAlsoWithoutItsConfiguration();
    void theQuestionSaysHowManyGoWhere();
    void whatStaysChosenIsNoOther();
    void whatGoesWhileNothingMatchesLeavesOneShown();
    void theChoiceSaysThatAnotherModelStandsThere();

private:
    core::ModelRecord addFile(const QString& name) {
        const QString path = m_place.path(name + u".safetensors"_s);
        writeBytes(path, "numbers");
        core::ModelRecord record = modelRecord(name, path, "model");
        m_services->models.put(record);
        return record;
    }
    static void chooseAll(const ModelsPage& page, const QStringList& names) {
        auto* list = page.findChild<QListView*>();
        list->clearSelection();
        for (int row = 0; row < list->model()->rowCount(); ++row)
            if (const QModelIndex one = list->model()->index(row, 0); names.contains(one.data().toString()))
                list->selectionModel()->setCurrentIndex(one, QItemSelectionModel::Select);
        QCOMPARE(list->selectionModel()->selectedRows().size(), names.size());
    }
    [[nodiscard]] bool lists(const core::ModelRecord& record) const {
        return m_services->models.record(record.id).has_value();
    }
};

void ModelsGoingTest::severalAreDeletedTogether() {
    const core::ModelRecord first = addFile(u"first"_s);
    const core::ModelRecord second = addFile(u"second"_s);
    ModelsPage page(m_services->all());
    page.show();
    chooseAll(page, {u"first"_s, u"second"_s});
    QVERIFY(buttonNamed(page, u"Make pictures"_s)->isHidden());
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().contains(u"They go into the trash"_s), qPrintable(box->text()));
    agree(*box);
    QTRY_VERIFY(!lists(first) && !lists(second));
    for (const auto& one : {first, second}) QVERIFY(!QFile::exists(QString::fromStdString(one.path)));
    QCOMPARE(m_services->undo.count(), 1);
    m_services->undo.undo();
    QTRY_VERIFY(lists(first) && lists(second));
    for (const auto& one : {first, second}) QVERIFY(QFile::exists(QString::fromStdString(one.path)));
    m_services->models.forget(first.id);
    m_services->models.forget(second.id);
}

void ModelsGoingTest::severalLeaveTheListTogether() {
    const core::ModelRecord first = addFile(u"off first"_s);
    const core::ModelRecord second = addFile(u"off second"_s);
    ModelsPage page(m_services->all());
    page.show();
    chooseAll(page, {u"off first"_s, u"off second"_s});
    buttonNamed(page, u"Take off the list"_s)->click();
    QVERIFY(!lists(first) && !lists(second));
    QVERIFY(QFile::exists(QString::fromStdString(first.path)));
    m_services->undo.undo();
    QVERIFY(lists(first) && lists(second));
    m_services->models.forget(first.id);
    m_services->models.forget(second.id);
}

void ModelsGoingTest::aTrainingGoesWithThemInOneStep() {
    const QString run = makeRun(u"went along"_s, builtInModel());
    const core::ModelRecord file = addFile(u"brought"_s);
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    auto& page = *static_cast<ModelsPage*>(window.page(PageId::Models));
    chooseAll(page, {u"went along"_s, u"brought"_s});
    const QSignalSpy trashed(&m_services->runs, &RunCentre::trashed);
    QVERIFY(page.command(Page::Command::Delete));
    agree(*page.findChild<QMessageBox*>());
    QTRY_VERIFY(m_services->runs.find(run) == nullptr && !lists(file));
    QTRY_COMPARE(trashed.size(), 1);
    QCOMPARE(m_services->undo.count(), 1);
    QCOMPARE(m_services->undo.undoText(), u"delete 2 model(s)"_s);
    m_services->undo.undo();
    QTRY_VERIFY(m_services->runs.find(run) != nullptr && lists(file));
    m_services->models.forget(file.id);
    m_services->runs.remove({run});
    QTRY_VERIFY(m_services->runs.find(run) == nullptr && !QFile::exists(run));
}

void ModelsGoingTest::undoWhileFilesAreOnTheirWayIsDone() {
    const core::ModelRecord record = addFile(u"on its way"_s);
    const QString path = QString::fromStdString(record.path);
    const auto moved = moveModelToTrash(path);
    QVERIFY(moved);
    m_services->models.forget(record.id);
    QStringList failed;
    QUndoStack& undo = m_services->undo;
    undo.push(new ModelTrashCommand(
        m_services->all(), {{record, *moved}}, [&failed](const QString& text) { failed.append(text); },
        u"delete"_s));
    bool came = false;
    const QObject watch;
    connect(&m_services->models, &ModelShelf::changed, &watch, [&] { came = came || lists(record); });
    {
        const Blocked busy(workPool());
        undo.undo();
        undo.redo(); // while the files come back
    }
    QTRY_VERIFY(came && !lists(record) && !QFile::exists(path));
    {
        const Blocked busy(workPool());
        undo.undo();
        undo.redo();
        undo.undo();
    }
    QTRY_VERIFY(lists(record) && QFile::exists(path));
    QCOMPARE(failed, QStringList());
    m_services->models.forget(record.id);
}

void ModelsGoingTest::aModelIsBackAlsoWithoutItsConfiguration() {
    const core::ModelRecord record = addFile(u"with yaml"_s);
    const QString path = QString::fromStdString(record.path);
    const QString beside = m_place.path(u"with yaml.yaml"_s);
    writeBytes(beside, "# By this A1111 and Forge know that the model beside it predicts v.\nmodel:\n");
    const auto moved = moveModelToTrash(path);
    QVERIFY(moved && moved->size() == 2);
    m_services->models.forget(record.id);
    writeBytes(beside, "of another one");
    QStringList failed;
    m_services->undo.push(new ModelTrashCommand(
        m_services->all(), {{record, *moved}}, [&failed](const QString& text) { failed.append(text); },
        u"delete"_s));
    m_services->undo.undo();
    QTRY_VERIFY(lists(record) && QFile::exists(path));
    QCOMPARE(failed.size(), 1);
    QVERIFY2(failed[0].contains(u"with yaml.yaml"_s), qPrintable(failed[0]));
    QCOMPARE(bytesOf(beside), QByteArray("of another one"));
    m_services->models.forget(record.id);
}

void ModelsGoingTest::theQuestionSaysHowManyGoWhere() {
    ModelRemoval run;
    run.run = true;
    ModelRemoval file;
    ModelRemoval gone;
    gone.gone = true;
    ModelRemoval goneRun = run;
    goneRun.gone = true;
    const auto holds = [](const std::vector<ModelRemoval>& several, const QString& words) {
        return removalText(several, {u"a"_s}).contains(words);
    };
    QVERIFY(holds({run, run, goneRun}, u"2 training(s) go into the trash"_s));
    QVERIFY(holds({run, run, goneRun}, u"1 of them leave the list alone"_s));
    QVERIFY(holds({file, file, gone}, u"2 model(s) go into the trash"_s));
    QVERIFY(holds({file, file, gone}, u"1 of them leave the list alone"_s));
    QVERIFY(holds({goneRun, goneRun}, u"Forget 2 training(s)?"_s));
    QVERIFY(!holds({run, run}, u"alone"_s));
}

void ModelsGoingTest::whatStaysChosenIsNoOther() {
    const core::ModelRecord first = addFile(u"one"_s);
    const core::ModelRecord second = addFile(u"two"_s);
    const core::ModelRecord third = addFile(u"unchosen"_s);
    ModelsPage page(m_services->all());
    page.show();
    chooseAll(page, {u"one"_s, u"two"_s});
    m_services->models.forget(second.id); // which stood as the current one
    const auto rows = page.findChild<QListView*>()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.front().data().toString(), u"one"_s);
    m_services->models.forget(first.id);
    m_services->models.forget(third.id);
}

void ModelsGoingTest::whatGoesWhileNothingMatchesLeavesOneShown() {
    const core::ModelRecord record = addFile(u"unseen"_s);
    ModelsPage page(m_services->all());
    page.show();
    chooseAll(page, {u"unseen"_s});
    auto* list = page.findChild<QListView*>();
    QLineEdit* search = fieldNamed(page, u"Search models"_s);
    QVERIFY(search != nullptr);
    search->setText(u"no model is called that"_s);
    QCOMPARE(list->model()->rowCount(), 0);
    m_services->models.forget(record.id);
    search->clear();
    QVERIFY(list->model()->rowCount() > 0);
    QCOMPARE(list->selectionModel()->selectedRows().size(), 1);
}

void ModelsGoingTest::theChoiceSaysThatAnotherModelStandsThere() {
    const core::ModelRecord record = addModel(u"my favourite"_s);
    const QString path = QString::fromStdString(record.path);
    QTRY_VERIFY(m_services->models.find(path) != nullptr && m_services->models.find(path)->looked);
    ModelChoice choice(m_services->models);
    choice.show();
    choice.setPath(path);
    QCOMPARE(choice.path(), path);
    const auto said = [&choice] {
        for (const auto* label : choice.findChildren<MutedLabel*>())
            if (!label->isHidden() && label->text().contains(u"my favourite"_s)) return true;
        return false;
    };
    QVERIFY(!said());
    QTRY_VERIFY(m_services->models.settled());
    m_services->models.forget(record.id);
    QVERIFY(choice.path() != path);
    QVERIFY(said());
    m_services->models.put(record); // it comes back
    QTRY_COMPARE(choice.path(), path);
    QVERIFY(!said());
    m_services->models.forget(record.id);
    QVERIFY(said());
    auto* box = choice.findChild<QComboBox*>();
    Q_EMIT box->activated(box->currentIndex()); // the user takes it
    QVERIFY(!said());
}

HOMEBOOTH_APP_TEST_MAIN(ModelsGoingTest)
#include "tst_models_going.moc"

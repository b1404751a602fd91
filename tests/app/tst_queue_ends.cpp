// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How jobs of the queue end: a stop ends one thing alone, a failure says why, a deletion asks.
#include "app/engine/runs/run_session.h"
#include "app/pages/queue/queue_page.h"
#include "app/widgets/parts.h"
#include "core/base/run/moved_run.h"
#include "item_rules.h"
#include "queue_fixture.h"

#include <QDeadlineTimer>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class QueueEndsTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QueueEndsTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void aStopOfPicturesStopsThoseAlone();
    void aStopOfAComparisonStopsBothSides();
    void aStopOfATrainingLeavesItsEndInView();
    void whatFailedSaysWhy();
    void whatWasCutOffInTheQueueGoesOnWithIt();
    void aTrainingIsDeletedAfterAQuestion();
    void aTrainingWhoseFolderIsGoneIsForgotten();
    void aDeletionSaysWhatOfTheChosenStays();
    void theSearchShowsWhatMatches();
    void severalAreDeletedWithOneQuestion();
    void whatIsDeletedComesBackBesideWhatHasItsName_data();
    void whatIsDeletedComesBackBesideWhatHasItsName();
    void whatATerminalWorksOnIsNotDeleted();
    void whatGoesIntoTheTrashBeginsNoMore();
    void aTitleGivenAsItGoesIsKept();
    void whatGoesIntoTheTrashAtTheEndIsForgotten();
    void aStartOutlivesTheWindow();

private:
    /// A run that goes on from another one's result. @returns its folder
    [[nodiscard]] QString makeRunFrom(const std::string& model);
};

void QueueEndsTest::aStopOfPicturesStopsThoseAlone() {
    openRuns();
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    generator.make(pictures(1), 2);
    generator.stop();
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(generator.busy());
    QCOMPARE(generator.currentJob(), int64_t{2}); // whose turn it was
    generator.setHeld(true);
    generator.make(pictures(1), 3);
    generator.stop();
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(!generator.busy()); // the queue is held
    QCOMPARE(generator.jobs().size(), size_t{1});
    generator.dropAll();
}

void QueueEndsTest::aStopOfAComparisonStopsBothSides() {
    openRuns();
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1, 1);
    generator.make(pictures(1), 2, 1);
    generator.make(pictures(1), 3, 3);
    generator.stop();
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(generator.currentJob(), int64_t{3});
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(generator.jobs().empty());
}

void QueueEndsTest::aStopOfATrainingLeavesItsEndInView() {
    const QString a = makeRun("a", "running");
    const QString b = makeRun("b", "waiting", false);
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(a));
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    QCOMPARE(m_services->runs.current()->folder(), a);
    writeEvents(a, {outcome("cancelled")});
    lock.reset();
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Cancelled);
    const auto next = work(b); // the supervisor went on
    writeEvents(b, {core::StateEvent{"training", "", 0, 0}, step(1)});
    QTRY_VERIFY(m_services->runs.busy());
    QCOMPARE(m_services->runs.working()->folder(), b);
    QCOMPARE(m_services->runs.current()->folder(), a);
}

void QueueEndsTest::whatFailedSaysWhy() {
    const QString folder = makeRun("robot", "failed");
    core::OutcomeEvent full;
    full.result = "failed";
    full.code = 4;
    full.message = "/runs/robot: the disk is full; free some space and try again";
    writeEvents(folder, {full});
    openRuns();
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    const auto detail = [&] { return model.index(rowOf(model, folder), 0).data(QueueModel::DetailRole); };
    QTRY_VERIFY2(detail().toString().endsWith(u"The disk is full."_s), qPrintable(detail().toString()));
    QueuePage page(m_services->all());
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), folder), 0));
    QPushButton* resume = buttonNamed(page, u"Resume"_s);
    QVERIFY(resume->isEnabled());
    resume->click();
    QTRY_COMPARE(calls(), QStringList{u"supervise robot"_s});
}

void QueueEndsTest::whatWasCutOffInTheQueueGoesOnWithIt() {
    const QString cut = makeRun("cut", "running");
    QVERIFY(m_queue.add(cut.toStdString()).ok() && m_queue.take()->has_value());
    QueueModel model(m_services->all());
    QueuePage page(m_services->all());
    m_services->generator.restore({{1, pictures(1)}}); // which holds pictures alone
    const auto state = [&] {
        return model.index(rowOf(model, cut), 0).data(QueueModel::StateRole).toString();
    };
    const auto says = [&page](const QString& words) {
        const auto labels = page.findChildren<ElidedLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&words](const ElidedLabel* one) { return one->fullText() == words; });
    };
    openRuns();
    QTRY_COMPARE(state(), u"needs you"_s); // nothing else begins the queue
    queued("next");
    openRuns();
    QTRY_COMPARE(state(), u"goes on with the queue"_s);
    QTRY_VERIFY(says(u"Pictures are paused."_s));
    m_services->runs.setHeld(true);
    QTRY_VERIFY(says(u"Paused: nothing begins."_s));
    m_services->generator.dropAll();
}

void QueueEndsTest::aTrainingIsDeletedAfterAQuestion() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    const QString folder = makeRun("robot", "failed");
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), folder), 0));
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY(box != nullptr && box->testAttribute(Qt::WA_KeyboardFocusChange)); // the ring is seen
    QTRY_VERIFY2(box->text().contains(u"free once"_s), qPrintable(box->text()));
    QVERIFY(QFile::exists(folder));
    for (auto* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    QTRY_VERIFY(!QFile::exists(folder));
    QTRY_COMPARE(list->model()->rowCount(), 0);
}

void QueueEndsTest::aTrainingWhoseFolderIsGoneIsForgotten() {
    const QString folder = makeRun("robot", "done");
    QVERIFY(QDir(folder).removeRecursively());
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    const QAbstractItemModel& rows = *list->model();
    QTRY_COMPARE(rows.index(rowOf(rows, folder), 0).data(QueueModel::StateRole).toString(), u"folder gone"_s);
    list->setCurrentIndex(rows.index(rowOf(rows, folder), 0));
    QSignalSpy trashed(&m_services->runs, &RunCentre::trashed);
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().contains(u"nothing goes into the trash"_s), qPrintable(box->text()));
    for (auto* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole) {
            QCOMPARE(button->text(), u"Forget"_s);
            button->click();
        }
    QTRY_COMPARE(trashed.size(), 1);
    const auto ids = trashed[0][0].value<std::vector<int64_t>>();
    QVERIFY(ids.size() == 1 && m_services->runs.wasGone(ids.front()));
    QCOMPARE(rows.rowCount(), 0);
    QCOMPARE(makeRun("robot", "done"), folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    const int64_t other = m_services->runs.find(folder)->id;
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    m_services->runs.bringBack(ids);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][0].toString().contains(u"stays forgotten"_s), qPrintable(failed[0][0].toString()));
    QCOMPARE(m_services->runs.find(folder)->id, other);
}

void QueueEndsTest::aDeletionSaysWhatOfTheChosenStays() {
    (void)makeRun("robot", "done");
    const QString next = queued("next");
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 2);
    list->selectAll();
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().contains(u"1 other chosen job(s) stay"_s), qPrintable(box->text()));
    box->close();
    m_services->runs.unqueue(next);
}

void QueueEndsTest::theSearchShowsWhatMatches() {
    makeRun("robot", "done");
    makeRun("lamp", "done");
    openRuns();
    QueuePage page(m_services->all());
    const QAbstractItemModel& rows = *page.findChild<QListView*>()->model();
    auto* search = static_cast<QLineEdit*>(page.searchField());
    QTRY_COMPARE(rows.rowCount(), 2);
    search->setText(u"LAMP"_s);
    QCOMPARE(rows.rowCount(), 1);
    search->setText(u"what nobody trained"_s);
    QVERIFY(rows.rowCount() == 0 && shownTexts(page).contains(u"Nothing matches."_s));
    search->clear();
    QCOMPARE(rows.rowCount(), 2);
}

void QueueEndsTest::severalAreDeletedWithOneQuestion() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString folder = makeRun("robot", "done");
    const QString gone = makeRun("lamp", "done");
    QVERIFY(QDir(gone).removeRecursively());
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    const QAbstractItemModel& rows = *list->model();
    const auto said = [&](const QString& run, int role) {
        return rows.index(rowOf(rows, run), 0).data(role);
    };
    QTRY_COMPARE(said(gone, QueueModel::StateRole).toString(), u"folder gone"_s);
    QCOMPARE(said(gone, QueueModel::SignRole).toString(), u"caution"_s);
    QCOMPARE(said(folder, QueueModel::StateRole).toString(), u"done"_s);
    list->selectAll();
    QVERIFY(!buttonNamed(page, u"Open"_s)->isEnabled());
    QVERIFY(page.command(Page::Command::Delete));
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY2(box->text().startsWith(u"<b>Delete 2 training(s)?</b>"_s), qPrintable(box->text()));
    QSignalSpy trashed(&m_services->runs, &RunCentre::trashed);
    for (auto* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    QTRY_COMPARE(rows.rowCount(), 0);
    QCOMPARE(trashed.size(), 1); // one step of undo takes back both
    QCOMPARE(trashed[0][1].toStringList().size(), 2);
    QVERIFY(!QFile::exists(folder));
    QVERIFY(QDir().mkpath(gone)); // its drive is there again
    QSignalSpy changed(&m_services->runs, &RunCentre::runsChanged);
    m_services->runs.bringBack(trashed[0][0].value<std::vector<int64_t>>());
    QTRY_COMPARE(rows.rowCount(), 2);
    QCOMPARE(changed.size(), 1); // told once of both
    QTRY_COMPARE(said(gone, QueueModel::StateRole).toString(), u"done"_s);
    QVERIFY(QFile::exists(folder));
}

QString QueueEndsTest::makeRunFrom(const std::string& model) {
    const QString folder = makeRun(u"further"_s, "done", false);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.model = model;
    if (!run->setConfig(config)) qFatal("the run's model could not be written");
    m_services->library.write([folder, model](core::Library& library) {
        return core::setRunModel(library, folder.toStdString(), model);
    });
    return folder;
}

void QueueEndsTest::whatIsDeletedComesBackBesideWhatHasItsName_data() {
    QTest::addColumn<int>("before"); // how many steps earlier the one that began from it is deleted
    QTest::newRow("what began from it stays") << -1;
    QTest::newRow("it goes with it") << 0;
    QTest::newRow("it goes before") << 1;
}

void QueueEndsTest::whatIsDeletedComesBackBesideWhatHasItsName() {
    QFETCH(int, before);
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString folder = makeRun(u"robot"_s, "done");
    const std::string model = folder.toStdString() + "/result/model";
    const QString further = makeRunFrom(model);
    openRuns();
    RunCentre& runs = m_services->runs;
    QTRY_VERIFY(runs.find(folder) != nullptr && runs.find(further) != nullptr);
    const int64_t key = runs.find(folder)->id;
    QSignalSpy trashed(&runs, &RunCentre::trashed);
    if (before > 0) {
        runs.remove({further});
        QTRY_COMPARE(trashed.size(), 1);
    }
    runs.remove(before == 0 ? QStringList{folder, further} : QStringList{folder});
    QTRY_COMPARE(trashed.size(), before > 0 ? 2 : 1);
    QTest::qWait(2); // what is new was made later
    QCOMPARE(makeRun(u"robot"_s, "done"), folder);
    openRuns();
    QTRY_VERIFY(runs.find(folder) != nullptr);
    const int64_t other = runs.find(folder)->id;
    QSignalSpy told(&runs, &RunCentre::returnedElsewhere);
    while (!trashed.isEmpty()) runs.bringBack(trashed.takeLast()[0].value<std::vector<int64_t>>());
    QTRY_COMPARE(told.size(), 1);
    QTRY_VERIFY(runs.find(further) != nullptr);
    const QString now = told[0][1].toString();
    QCOMPARE(told[0][0].toString(), u"robot"_s);
    QVERIFY(now != folder && QFile::exists(now + u"/run.json"_s));
    QVERIFY(runs.find(now) != nullptr && runs.find(now)->id == key);
    QVERIFY(runs.find(folder) != nullptr && runs.find(folder)->id == other);
    QVERIFY(!core::movedFrom(now.toStdString())); // it says that it is there
    const std::string follows = now.toStdString() + "/result/model";
    QCOMPARE(runs.find(further)->model, follows);
    QTRY_COMPARE(core::RunFolder::open(further.toStdString())->config()->model, follows);
    runs.removeAgain({key}); // redone
    QTRY_VERIFY(!QFile::exists(now));
    QVERIFY(QFile::exists(folder));
}

void QueueEndsTest::whatATerminalWorksOnIsNotDeleted() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString folder = makeRun("robot", "done");
    openRuns();
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    {
        const auto lock = work(folder); // as `homebooth-engine resume` has it
        QVERIFY(lock && !m_services->runs.works(folder));
        m_services->runs.remove({folder});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains(u"robot. Stop it first"_s),
                 qPrintable(failed[0][0].toString()));
        QVERIFY(QFile::exists(folder + u"/run.json"_s));
        QVERIFY(m_services->runs.find(folder) != nullptr);
    }
    m_services->runs.remove({folder});
    QTRY_VERIFY(m_services->runs.find(folder) == nullptr);
    QVERIFY(!QFile::exists(folder));
}

void QueueEndsTest::whatGoesIntoTheTrashBeginsNoMore() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString held = makeRun("held", "done");
    const QString going = makeRun("going", "done");
    openRuns();
    RunCentre& runs = m_services->runs;
    QTRY_VERIFY(runs.find(held) != nullptr && runs.find(going) != nullptr);
    runs.show(held);
    std::unique_ptr<core::Result<core::RunLock>> lock;
    QStringList said;
    bool waitsForTheFirst = false;
    const QObject watch;
    connect(&runs, &RunCentre::currentChanged, &watch, [&] {
        if (runs.current() != nullptr || lock) return;
        lock = std::make_unique<core::Result<core::RunLock>>(work(held)); // a terminal, just now
        runs.resume(going);
        runs.enqueue(going);
        runs.remove({going}); // it is on its way already
    });
    connect(&runs, &RunCentre::failed, &watch, [&](const QString& headline) {
        said.append(headline);
        if (headline.contains(u"Stop it first"_s)) waitsForTheFirst = QFile::exists(going);
    });
    QSignalSpy trashed(&runs, &RunCentre::trashed);
    runs.remove({held, going});
    QTRY_COMPARE(trashed.size(), 1);
    QVERIFY(waitsForTheFirst && QFile::exists(held) && runs.find(held) != nullptr);
    QCOMPARE(said.filter(u"being moved into the trash"_s).size(), 2);
    QCOMPARE(said.size(), 3);
    QVERIFY(!QFile::exists(going) && runs.find(going) == nullptr && !runs.startWanted());
    queueThread().waitForDone();
    QVERIFY(m_queue.jobs().ok() && m_queue.jobs()->empty());
    runs.bringBack(trashed[0][0].value<std::vector<int64_t>>());
    QTRY_VERIFY(runs.find(going) != nullptr);
    QCOMPARE(said.size(), 3);
}

void QueueEndsTest::aTitleGivenAsItGoesIsKept() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString folder = makeRun(u"robot"_s, "done");
    openRuns();
    RunCentre& runs = m_services->runs;
    QTRY_VERIFY(runs.find(folder) != nullptr);
    runs.show(folder);
    const QObject watch;
    connect(&runs, &RunCentre::currentChanged, &watch, [&] {
        if (runs.current() == nullptr) runs.rename(folder, u"late"_s);
    });
    QSignalSpy trashed(&runs, &RunCentre::trashed);
    runs.remove({folder});
    QTRY_COMPARE(trashed.size(), 1);
    runs.bringBack(trashed[0][0].value<std::vector<int64_t>>());
    QTRY_VERIFY(runs.find(folder) != nullptr);
    QCOMPARE(runs.find(folder)->title, std::string("late"));
}

void QueueEndsTest::whatGoesIntoTheTrashAtTheEndIsForgotten() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME"));
    const QString folder = makeRun(u"robot"_s, "done");
    openRuns();
    RunCentre& runs = m_services->runs;
    QTRY_VERIFY(runs.find(folder) != nullptr);
    runs.show(folder);
    const QObject watch;
    bool going = false;
    connect(&runs, &RunCentre::currentChanged, &watch, [&] { going = going || runs.current() == nullptr; });
    runs.remove({folder});
    const QDeadlineTimer last(kLongestMs);
    while (!going && !last.hasExpired()) QCoreApplication::processEvents();
    QVERIFY(going);
    m_services.reset(); // before anybody could hear that it is in the trash
    QVERIFY(!QFile::exists(folder));
    m_services = std::make_unique<TestServices>(m_place);
    openRuns();
    QVERIFY(m_services->runs.find(folder) == nullptr);
}

void QueueEndsTest::aStartOutlivesTheWindow() {
    openRuns();
    RunOrder order;
    order.title = u"robot"_s;
    order.config.model = "/models/sketch";
    order.config.data.instanceDir = "/photos";
    order.config.data.instancePrompt = "a photo of ohwx toy";
    QVERIFY(!m_services->runs.prepares());
    m_services->runs.begin(order);
    QVERIFY(m_services->runs.prepares());
    const QString folder = m_services->settings.runsFolder() + u"/robot"_s;
    m_services.reset(); // before anybody could hear that the folder is made
    QVERIFY(QFile::exists(folder + u"/run.json"_s));
    const auto jobs = m_queue.jobs();
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->size(), size_t{1});
    QCOMPARE(QString::fromStdString(jobs->front().runDir), folder);
    QTRY_COMPARE(calls(), QStringList{u"supervise"_s});
}

HOMEBOOTH_APP_TEST_MAIN(QueueEndsTest)
#include "tst_queue_ends.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue in the window: what waits, runs, was stopped; requests that reach the worker whatever else goes
// on.
#include "app/engine/places.h"
#include "app/engine/queue/job_turns.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/queue/queue_model.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "item_rules.h"
#include "loop_watch.h"
#include "queue_fixture.h"

#include <QApplication>
#include <QFocusEvent>
#include <QItemSelectionModel>
#include <QListView>
#include <QMenu>
#include <QProcess>
#include <QSemaphore>
#include <QThreadPool>
#include <QToolButton>
#include <QTranslator>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class QueueTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QueueTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void aStoppedQueueIsStartedByItsButton();
    void aStoppedTrainingWaitsAgainWhenItIsPutBack();
    void theKeyboardFindsAJobChosen();
    void theModelKeepsTheRulesWhileJobsComeAndGo();
    void thePageFollowsTheRunThatWorks();
    void theFocusStaysWithTheRowThatIsMovedOrTakenOut();
    void aFinishedRunIsOpenedWhileAnotherWorks();
    void aRowsMenuNamesTheKeyInOtherLanguagesToo();
    void aRunThatIsShownTakesItsNewTitle();
    void newsComeOnceHoweverOftenARunIsShown();
    void aStopWaitsForAWorkerThatStarts_data();
    void aStopWaitsForAWorkerThatStarts();
    void aWorkerWithoutASocketIsStopped();
    void requestsPassLongWork();
    void pressingStartTwiceStartsOneTraining();
    void aNewFolderCountsAtOnce();
    void whatTheQueueIsAskedForIsSeenBeforeItIsWritten();
    void settingsOfARunAreWrittenOffTheWindowsThread();
    void aRunThatWorksIsFoundBesideRequests();
    void aLookAtRunsThatHangsHoldsNoStart();
    void aRunThatBeganAndEndedUnseenIsNews();
    void largeFoldersStopNoFrameWhileATrainingWorks();
};

void QueueTest::aStoppedQueueIsStartedByItsButton() {
    const QString folder = queued("robot");
    openRuns();
    QueuePage page(m_services->all());
    QPushButton* start = buttonNamed(page, u"Start the queue"_s);
    QVERIFY(start != nullptr && start->isEnabled());
    start->click();
    QTRY_COMPARE(calls(), QStringList{u"supervise"_s});
    QVERIFY(m_services->runs.busy());
    QCOMPARE(m_services->runs.working()->folder(), folder);
    QTRY_COMPARE(start->text(), u"Pause after this one"_s);
    QCOMPARE(m_queue.jobs()->size(), size_t{1}); // the supervisor takes it, not the window
}

void QueueTest::aStoppedTrainingWaitsAgainWhenItIsPutBack() {
    const QString folder = makeRun("robot", "cancelled");
    const std::string id = *m_queue.add(folder.toStdString());
    QVERIFY(*m_queue.move(id, core::JobState::Waiting, core::JobState::Stopped));
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    QCOMPARE(kindOf(*list->model(), folder), QueueModel::Kind::Done);
    QVERIFY(m_services->runs.queue().isEmpty());
    QPushButton* again = buttonNamed(page, u"Queue again"_s);
    QVERIFY(!again->isEnabled()); // nothing is chosen
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), folder), 0));
    QVERIFY(again->isEnabled());
    again->click();
    QCOMPARE(m_services->runs.queue(), QStringList{folder});
    QCOMPARE(kindOf(*list->model(), folder), QueueModel::Kind::Waiting);
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    QCOMPARE(m_queue.jobs()->front().id, id); // the same job
    QVERIFY(calls().isEmpty());
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), folder), 0));
    QVERIFY(!again->isEnabled());
    buttonNamed(page, u"Take out"_s)->click();
    QTRY_VERIFY(m_queue.jobs()->empty());
}

void QueueTest::theKeyboardFindsAJobChosen() {
    makeRun("robot", "done");
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 1);
    QVERIFY(!buttonNamed(page, u"Open"_s)->isEnabled());
    QFocusEvent in(QEvent::FocusIn, Qt::TabFocusReason);
    QCoreApplication::sendEvent(list, &in);
    QVERIFY(list->selectionModel()->isSelected(list->model()->index(0, 0)));
    QVERIFY(buttonNamed(page, u"Open"_s)->isEnabled());
}

void QueueTest::theModelKeepsTheRulesWhileJobsComeAndGo() {
    const QString done = makeRun("done", "done");
    const QString a = queued("a");
    const QString b = queued("b");
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    openRuns();
    QTRY_COMPARE(model.rowCount(), 3);
    QCOMPARE(kindOf(model, done), QueueModel::Kind::Done);
    QCOMPARE(model.waitingPlace(rowOf(model, a)), 0);
    QCOMPARE(model.waitingPlace(rowOf(model, b)), 1);
    QCOMPARE(model.waitingCount(), 2);
    QVERIFY(!model.canWaitAgain(rowOf(model, done)));
    m_services->runs.setOrder({b, a});
    QCOMPARE(model.waitingPlace(rowOf(model, b)), 0);
    m_services->generator.restore({{1, pictures(2)}, {2, pictures(3)}});
    QCOMPARE(model.rowCount(), 5);
    m_services->generator.dropAll();
    QCOMPARE(model.rowCount(), 3);
    m_services->runs.unqueue(a);
    QTRY_COMPARE(kindOf(model, a), QueueModel::Kind::Done);
    QVERIFY(model.canWaitAgain(rowOf(model, a))); // it never began
    queueThread().waitForDone();
    QVERIFY(m_queue.remove(m_queue.jobs()->front().id, core::JobState::Waiting).ok()); // by somebody else
    QTRY_COMPARE(kindOf(model, b), QueueModel::Kind::Done);
}

void QueueTest::thePageFollowsTheRunThatWorks() {
    const QString folder = makeRun("robot", "running", false);
    writeEvents(folder, {core::StateEvent{"class-images", "", 6, 24}});
    const auto lock = work(folder);
    openRuns();
    QueueModel model(m_services->all());
    QTRY_VERIFY(rowOf(model, folder) >= 0 && kindOf(model, folder) == QueueModel::Kind::Now);
    const auto data = [&model, &folder](int role) { return model.index(rowOf(model, folder)).data(role); };
    const auto progress = [&data] { return data(QueueModel::ProgressRole).toDouble(); };
    QTRY_COMPARE(progress(), 0.25); // as the bar below the window
    QCOMPARE(data(Qt::AccessibleTextRole).toString().count(u"6 of 24"_s), 1);
    writeEvents(folder, {core::StateEvent{"training", "", 0, 0}, step(1)});
    QTRY_COMPARE(progress(), 0.01);
    QCOMPARE(data(QueueModel::SignRole).toString(), u"play"_s);
    writeEvents(folder, {step(2), step(50), core::StateEvent{"paused", "", 0, 0}});
    QTRY_COMPARE(progress(), 0.5);
    QTRY_COMPARE(data(QueueModel::SignRole).toString(), u"pause"_s);
}

void QueueTest::theFocusStaysWithTheRowThatIsMovedOrTakenOut() {
    const QString a = queued("a");
    const QString b = queued("b");
    openRuns();
    QTRY_COMPARE(m_services->runs.queue(), (QStringList{a, b}));
    QueuePage page(m_services->all());
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), b), 0));
    const auto tools = page.findChildren<QToolButton*>();
    const auto up = std::find_if(tools.begin(), tools.end(), [](const QToolButton* one) {
        return one->accessibleName() == u"Earlier"_s;
    });
    QVERIFY(up != tools.end());
    (*up)->setFocus(Qt::TabFocusReason);
    for (int press = 0; press < 3; ++press) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(m_services->runs.queue(), (QStringList{b, a}));
    QCOMPARE(QApplication::focusWidget(), list);
    QPushButton* remove = buttonNamed(page, u"Take out"_s);
    remove->setFocus(Qt::TabFocusReason);
    for (int press = 0; press < 2; ++press) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(m_services->runs.queue(), QStringList{a});
    QCOMPARE(QApplication::focusWidget(), list);
}

void QueueTest::aFinishedRunIsOpenedWhileAnotherWorks() {
    const QString done = makeRun("old", "done");
    const QString folder = makeRun("new", "running");
    const auto lock = work(folder);
    MainWindow window(m_services->all());
    window.show();
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    window.showPage(PageId::Queue);
    auto* list = window.page(PageId::Queue)->findChild<QListView*>();
    QTRY_VERIFY(rowOf(*list->model(), done) >= 0);
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), done), 0));
    buttonNamed(*window.page(PageId::Queue), u"Open"_s)->click();
    QCOMPARE(window.currentPage(), PageId::Train);
    QCOMPARE(m_services->runs.current()->folder(), done);
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Done);
    QCOMPARE(m_services->runs.working()->folder(), folder); // and it goes on
}

void QueueTest::aRowsMenuNamesTheKeyInOtherLanguagesToo() {
    class Spaced : public QTranslator { // German has a blank ahead of the dots
    public:
        [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override {
            const bool dots = QByteArray(source) == "Delete...";
            return dots ? u"Delete ..."_s : QString();
        }
    } words;
    QCoreApplication::installTranslator(&words);
    const QString done = makeRun("old", "done");
    MainWindow window(m_services->all());
    window.show();
    openRuns();
    window.showPage(PageId::Queue);
    auto* list = window.page(PageId::Queue)->findChild<QListView*>();
    QTRY_VERIFY(rowOf(*list->model(), done) >= 0);
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), done), 0));
    Q_EMIT list->customContextMenuRequested(list->visualRect(list->currentIndex()).center());
    auto* menu = list->findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    QVERIFY(menu->actions().last()->shortcut() == QKeySequence(Qt::Key_Delete));
    menu->close();
}

void QueueTest::aRunThatIsShownTakesItsNewTitle() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    QSignalSpy changed(m_services->runs.working(), &RunSession::changed);
    m_services->runs.rename(folder, u"robot toy"_s);
    QCOMPARE(m_services->runs.working()->title(), u"robot toy"_s);
    QVERIFY(!changed.isEmpty());
}

void QueueTest::newsComeOnceHoweverOftenARunIsShown() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    for (int times = 0; times < 5; ++times) m_services->runs.show(folder);
    QSignalSpy changed(m_services->runs.current(), &RunSession::changed);
    QSignalSpy progressed(&m_services->runs, &RunCentre::progressed);
    writeEvents(folder, {step(2)});
    QTRY_VERIFY(!changed.isEmpty());
    QCOMPARE(progressed.size(), changed.size());
}

void QueueTest::aStopWaitsForAWorkerThatStarts_data() {
    QTest::addColumn<int>("verb");
    QTest::newRow("stop") << static_cast<int>(core::ControlVerb::Stop);
    QTest::newRow("stop and keep") << static_cast<int>(core::ControlVerb::Finish);
}

void QueueTest::aStopWaitsForAWorkerThatStarts() {
    QFETCH(const int, verb);
    const QString folder = makeRun("robot", "cancelled");
    QTest::qWait(100); // its end is not of this moment
    RunSession run(folder, u"robot"_s);
    QSignalSpy failed(&run, &RunSession::commandFailed);
    run.launch();
    run.send(static_cast<core::ControlVerb>(verb));
    QVERIFY(run.stopping());
    QCOMPARE(run.phaseText(), u"Stopping"_s);
    QTest::qWait(700); // nobody listens so far
    QVERIFY(run.stopping());
    std::atomic<int> stops = 0;
    const auto socket = core::controlSocketPath(folder.toStdString());
    const auto worker = core::ControlServer::start(*socket, (folder + u"/control"_s).toStdString(),
                                                   [&stops, verb](const core::ControlCommand& asked) {
                                                       if (static_cast<int>(asked.verb) == verb) ++stops;
                                                       return core::ControlReply{};
                                                   });
    QVERIFY(worker.ok());
    QTRY_COMPARE(stops.load(), 1);
    QTest::qWait(500);
    QCOMPARE(stops.load(), 1);
    QVERIFY(failed.isEmpty());
}

void QueueTest::aWorkerWithoutASocketIsStopped() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder); // this process stands for the supervisor
    writeEvents(folder, {core::WarningEvent{"control", "the run cannot be controlled"}});
    const QString program = m_place.path(u"homebooth-worker"_s);
    writeBytes(program, "#!/bin/bash\ntrap 'exit 7' TERM\necho ready\nwhile :; do sleep 0.05; done\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QProcess worker;
    worker.start(program);
    QVERIFY(worker.waitForReadyRead(kLongestMs));
    RunSession run(folder, u"robot"_s);
    QTRY_VERIFY(run.active() && !run.data().warnings.empty());
    QSignalSpy failed(&run, &RunSession::commandFailed);
    run.send(core::ControlVerb::Finish); // which nobody hears
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!run.stopping());
    QCOMPARE(worker.state(), QProcess::Running);
    run.send(core::ControlVerb::Stop);
    QTRY_COMPARE(worker.state(), QProcess::NotRunning);
    QCOMPARE(worker.exitCode(), 7);
    QVERIFY(run.stopping());
    QCOMPARE(failed.size(), 1);
}

void QueueTest::requestsPassLongWork() {
    const QString folder = makeRun("robot", "running");
    std::atomic<bool> heard = false;
    const auto socket = core::controlSocketPath(folder.toStdString());
    const auto worker = core::ControlServer::start(*socket, (folder + u"/control"_s).toStdString(),
                                                   [&heard](const core::ControlCommand& asked) {
                                                       heard = asked.verb == core::ControlVerb::Pause;
                                                       return core::ControlReply{};
                                                   });
    QVERIFY(worker.ok());
    QSemaphore done;
    constexpr int kMany = 64;
    for (int number = 0; number < kMany; ++number) workPool().start([&done] { done.acquire(); });
    RunSession run(folder, u"robot"_s);
    run.send(core::ControlVerb::Pause);
    const bool passed = QTest::qWaitFor([&heard] { return heard.load(); }, kLongestMs);
    done.release(kMany);
    QVERIFY(passed);
}

void QueueTest::pressingStartTwiceStartsOneTraining() {
    const QString a = makeRun("a", "cancelled");
    const QString b = makeRun("b", "cancelled");
    openRuns();
    const JobTurns turns(m_services->runs, m_services->generator);
    m_services->runs.resume(a);
    m_services->runs.resume(b);
    m_services->runs.resume(a);
    QTRY_COMPARE(calls(), QStringList{u"supervise a"_s});
    QTRY_COMPARE(m_services->runs.queue(), QStringList{b});
}

void QueueTest::aNewFolderCountsAtOnce() {
    MainWindow window(m_services->all());
    openRuns();
    const QString home = m_place.path("elsewhere");
    m_services->settings.set(keys::kHome, home);
    RunOrder order;
    order.title = u"birds"_s;
    order.config.model = "/models/sketch";
    order.config.mode = core::TrainMode::Dataset;
    order.config.data.datasetDir = "/birds";
    order.config.output.previewPrompt = "a plain landscape | a bird";
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    m_services->runs.begin(order);
    QVERIFY(begun.wait(kLongestMs));
    QCOMPARE(begun[0][0].toString(), home + u"/runs/birds"_s);
    const core::RunRecord* record = m_services->runs.find(begun[0][0].toString());
    QVERIFY(record != nullptr && record->prompt.empty()); // nobody said what is learned
    const QString picture = home + u"/pictures/one.png"_s;
    QDir().mkpath(QFileInfo(picture).path());
    writeTestPicture(picture, 1, {64, 64});
    m_services->settings.set(keys::kHome, m_place.path("third"));
    std::vector<core::PictureRecord> known;
    QObject asker; // once either folder was looked through
    connect(&m_services->album, &PictureAlbum::changed, &asker, [this, &known, &asker] {
        m_services->library.ask<std::vector<core::PictureRecord>>(
            &asker, [](core::Library& library) { return core::findPictures(library, {}, 0, 10); },
            [&known](const std::vector<core::PictureRecord>& all) { known = all; });
    });
    m_services->settings.set(keys::kHome, home);
    QTRY_COMPARE(known.size(), size_t{1});
    QCOMPARE(QString::fromStdString(known[0].path), picture);
    m_services->settings.reset(keys::kHome);
}

void QueueTest::whatTheQueueIsAskedForIsSeenBeforeItIsWritten() {
    const QString a = queued("a");
    const QString b = queued("b");
    const QString c = makeRun("c", "waiting", false);
    openRuns();
    RunCentre& runs = m_services->runs;
    {
        const Blocked thread(queueThread());
        runs.setHeld(true);
        runs.enqueue(c);
        runs.setOrder({c, a, b});
        runs.unqueue(a);
        QVERIFY(runs.held());
        QCOMPARE(runs.queue(), (QStringList{c, b}));
        QVERIFY(!m_queue.held()); // the disk is still to come
        QCOMPARE(m_queue.jobs()->size(), size_t{2});
    }
    QVERIFY(m_queue.held());
    QCOMPARE(m_queue.jobs()->size(), size_t{2});
    QCOMPARE(m_queue.jobs()->front().runDir, c.toStdString());
    QCoreApplication::processEvents();
    QCOMPARE(runs.queue(), (QStringList{c, b}));
}

void QueueTest::settingsOfARunAreWrittenOffTheWindowsThread() {
    const QString folder = makeRun("robot", "done");
    openRuns();
    const auto run = core::RunFolder::open(folder.toStdString());
    {
        const Blocked pool(requestPool());
        m_services->runs.resume(folder, {150, false});
        QCOMPARE(run->config()->steps, int64_t{100});
        QVERIFY(m_services->runs.startWanted()); // pictures that are asked for now come behind it
    }
    QTRY_COMPARE(calls(), QStringList{u"supervise robot"_s});
    QCOMPARE(run->config()->steps, int64_t{150});
    QCOMPARE(m_services->runs.find(folder)->steps, int64_t{150}); // which its row in the queue says
}

void QueueTest::aRunThatWorksIsFoundBesideRequests() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder);
    QVERIFY(lock.ok());
    const Blocked pool(requestPool());
    openRuns();
    QTRY_VERIFY(m_services->runs.works(folder));
}

void QueueTest::aLookAtRunsThatHangsHoldsNoStart() {
    const QString folder = makeRun("robot", "cancelled");
    const Blocked drive(lifeThread());
    openRuns();
    m_services->runs.resume(folder);
    QTRY_COMPARE(calls(), QStringList{u"supervise robot"_s});
}

void QueueTest::aRunThatBeganAndEndedUnseenIsNews() {
    const QString folder = queued("robot");
    openRuns();
    QCOMPARE(m_services->runs.queue(), QStringList{folder});
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    { // a supervisor, between two looks of the window
        const auto supervisor = m_queue.supervise();
        const auto job = *m_queue.take();
        writeEvents(folder, {core::StateEvent{"training", "", 0, 0}, step(1), step(100), outcome("done")});
        QVERIFY(*m_queue.remove(job->id, core::JobState::Running));
    }
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished[0][0].toString(), folder);
    QCOMPARE(m_services->runs.find(folder)->state, "done");
    QCOMPARE(m_services->runs.find(folder)->stepsDone, int64_t{100});
}

void QueueTest::largeFoldersStopNoFrameWhileATrainingWorks() {
    constexpr int kJobs = 3000;
    constexpr int kMoments = 1500;
    constexpr qint64 kMostMs = 50; // to read either takes longer
    const QString folder = makeRun("robot", "running");
    const QString many = makeRun("many moments", "done");
    for (int moment = 1; moment <= kMoments; ++moment) {
        const QString checkpoint = many + u"/checkpoints/step-%1"_s.arg(moment, 6, 10, QLatin1Char('0'));
        for (const char* name : {"/manifest.json", "/unet.safetensors"})
            writeBytes(checkpoint + QLatin1String(name), "{}");
    }
    for (int job = 0; job < kJobs; ++job)
        writeBytes(u"%1/%2.json"_s.arg(QString::fromStdString(m_queue.folder())).arg(job),
                   "{\"run\": \"/runs/waits\"}");
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    LoopWatch watch;
    QTRY_COMPARE(m_services->models.moments().size(), size_t{kMoments});
    QSignalSpy changed(&m_services->models, &ModelShelf::changed);
    for (int number = 2; number < 40; ++number) {
        writeEvents(folder, {step(number)});
        if (number % 10 == 0) m_services->models.refresh();
        QTest::qWait(50); // within it, and within ten of them at the latest, both folders are read again
    }
    QCOMPARE(m_services->runs.queue().size(), qsizetype{kJobs});
    QVERIFY(changed.size() >= 3);
    qInfo("%s", qPrintable(watch.report()));
    QVERIFY(watch.worstComputedMs() <= kMostMs);
}

HOMEBOOTH_APP_TEST_MAIN(QueueTest)
#include "tst_queue.moc"

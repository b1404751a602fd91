// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Trainings and pictures in one order, which the user changes, and in which they take turns. The test stands
// for the supervisor, too.
#include "app/engine/queue/job_order.h"
#include "app/engine/queue/job_turns.h"
#include "app/engine/queue/queue_desk.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "item_rules.h"
#include "queue_fixture.h"

#include <QApplication>
#include <QListView>
#include <QMouseEvent>
#include <QPushButton>
#include <QThread>

#include <chrono>
#include <functional>

using namespace homebooth;
using namespace homebooth::app;

class QueueOrderTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QueueOrderTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() {
        letPicturesGo();
        m_services.reset();
    }
    void aTrainingBeginsAfterThePicturesAheadOfIt_data();
    void aTrainingBeginsAfterThePicturesAheadOfIt();
    void picturesWaitForTheEndOfTheTraining_data();
    void picturesWaitForTheEndOfTheTraining();
    void picturesComeBetweenTwoTrainings();
    void aTrainingThatNobodyBeginsKeepsNothingBack();
    void heldPicturesKeepNothingBack();
    void newPicturesAreMadeBeforeHeldOnes();
    void anIdleWindowKeepsNoTurn();
    void aHeldQueueKeepsNoTurnFromAnotherWindow();
    void aTurnThatIsBeingGivenBackIsNotHere();
    void looksThatWaitHideNothing();
    void aWindowThatHangsLosesTheTurn();
    void goingOnBeginsWithTheFirst();
    void whatBeganMeanwhileIsNotMoved();
    void theWaitIsSaidUntilItIsOver();
    void behindAPauseNothingIsSaidToBeginByItself();
    void theOrderIsReadBeforeItIsWritten();
    void theOrderSurvivesARestart();
    void rowsThatWaitMoveAndNoOthers();
    void keysMoveWhatIsChosen();
    void inPlaceOfWhatIsTakenOutItsNeighbourIsChosen();
    void aDoubleClickTakesOneOut();
    void anotherOrderIsTakenBack();

private:
    [[nodiscard]] QStringList waiting() const { return waitingJobs(m_services->runs, m_services->generator); }
};

void QueueOrderTest::aTrainingBeginsAfterThePicturesAheadOfIt_data() {
    QTest::addColumn<bool>("moved");
    QTest::newRow("asked for earlier") << false;
    QTest::newRow("moved ahead") << true;
}

void QueueOrderTest::aTrainingBeginsAfterThePicturesAheadOfIt() {
    QFETCH(bool, moved);
    const QString folder = makeRun("robot", "cancelled");
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    QSignalSpy ended(&generator, &Generator::ended);
    holdPictures();
    generator.make(pictures(1), 1);
    m_services->runs.resume(folder);
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(begun[0][1].toBool(), true); // it waits
    generator.make(pictures(1), 2);
    QCOMPARE(waiting(), (QStringList{folder, nameOfPictures(2)}));
    if (moved) m_services->runs.setOrder({nameOfPictures(2), folder});
    letPicturesGo();
    QTRY_VERIFY(m_services->runs.busy());
    QCOMPARE(ended.size(), moved ? 2 : 1);
    QCOMPARE(generator.jobs().size(), size_t{moved ? 0U : 1U});
    QCOMPARE(generator.waitsForTraining(), !moved);
    QTRY_COMPARE(calls(), (QStringList{u"sample ended"_s, u"supervise"_s}));
}

void QueueOrderTest::picturesWaitForTheEndOfTheTraining_data() {
    QTest::addColumn<bool>("held");
    QTest::newRow("alone") << false;
    QTest::newRow("beside held ones of an earlier session") << true;
}

void QueueOrderTest::picturesWaitForTheEndOfTheTraining() {
    QFETCH(bool, held);
    const QString folder = makeRun("robot", "running");
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    QTRY_VERIFY(m_services->runs.busy());
    if (held) generator.restore({{3, pictures(1)}});
    QVERIFY(!generator.waitsForTraining());
    generator.make(pictures(1), 1);
    generator.make(pictures(1), 2);
    QVERIFY(!generator.busy());
    QVERIFY(generator.waitsForTraining());
    generator.setOrder({3, 1, 2});
    generator.beginBeside();
    QVERIFY(generator.busy() && generator.currentJob() != 3);
    QSignalSpy ended(&generator, &Generator::ended);
    QVERIFY(ended.wait(kLongestMs));
    QVERIFY(!generator.busy()); // the other one was not meant
    writeEvents(folder, {outcome("done")});
    lock.reset();
    QTRY_VERIFY(generator.busy() || ended.size() == 2);
    QTRY_COMPARE(ended.size(), 2);
    QCOMPARE(generator.nextJob(), int64_t{0});
    QCOMPARE(generator.jobs().size(), size_t{held ? 1U : 0U});
    generator.dropAll();
}

void QueueOrderTest::picturesComeBetweenTwoTrainings() {
    const QString a = queued("a");
    const QString b = queued("b");
    const auto supervisor = m_queue.supervise();
    const auto job = *m_queue.take();
    QCOMPARE(job->runDir, a.toStdString());
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(a));
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QTRY_VERIFY(m_services->runs.busy());
    generator.make(pictures(1), 1);
    QVERIFY(m_queue.takeTurn()->has_value()); // b comes first, whenever its turn is
    m_services->runs.setOrder({nameOfPictures(1), b});
    QTRY_VERIFY(m_services->runs.hasTurn());
    QVERIFY(!m_queue.takeTurn()->has_value()); // as the supervisor finds it after a
    QVERIFY(!generator.busy());
    writeEvents(a, {core::StateEvent{"training", "", 0, 0}, step(1), outcome("done")});
    lock.reset();
    QVERIFY(*m_queue.remove(job->id, core::JobState::Running));
    QSignalSpy ended(&generator, &Generator::ended);
    QTRY_VERIFY(generator.busy());
    QVERIFY(!m_queue.takeTurn()->has_value());
    QTRY_COMPARE(ended.size(), 1);
    QTRY_VERIFY(m_queue.takeTurn()->has_value());
    QCOMPARE(calls(), QStringList{u"sample ended"_s}); // its memory is free by then
    QCOMPARE((*m_queue.take())->runDir, b.toStdString());
}

void QueueOrderTest::aTrainingThatNobodyBeginsKeepsNothingBack() {
    const QString folder = queued("robot");
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    generator.make(pictures(1), 1);
    QVERIFY(generator.busy()); // who asks for pictures while nothing works wants them now
    QCOMPARE(m_services->runs.order(), (QStringList{nameOfPictures(1), folder}));
    QSignalSpy ended(&generator, &Generator::ended);
    QVERIFY(ended.wait(kLongestMs));
    QCOMPARE(waiting(), QStringList{folder});
}

void QueueOrderTest::heldPicturesKeepNothingBack() {
    const QString folder = queued("robot");
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    generator.restore({{1, pictures(1)}}); // of an earlier session
    m_services->runs.setOrder({nameOfPictures(1), folder});
    m_services->runs.startQueue();
    QTRY_COMPARE(calls(), QStringList{u"supervise"_s});
    QVERIFY(!generator.busy());
    QVERIFY(m_queue.takeTurn()->has_value());
}

void QueueOrderTest::newPicturesAreMadeBeforeHeldOnes() {
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    generator.restore({{1, pictures(1)}, {2, pictures(1)}}); // of an earlier session
    const QStringList held{nameOfPictures(1), nameOfPictures(2)};
    QCOMPARE(waiting(), held);
    QList<int64_t> begun;
    const QObject whileHere;
    connect(&generator, &Generator::begun, &whileHere, [&] { begun.append(generator.currentJob()); });
    QSignalSpy ended(&generator, &Generator::ended);
    for (const int64_t id : {3, 4}) generator.make(pictures(1), id);
    QTRY_COMPARE(ended.size(), 2);
    QCOMPARE(begun, (QList<int64_t>{3, 4}));
    QVERIFY(generator.held() && !generator.busy());
    QCOMPARE(waiting(), held);
    generator.setHeld(false);
    QTRY_COMPARE(ended.size(), 4);
    QCOMPARE(begun, (QList<int64_t>{3, 4, 1, 2}));
}

void QueueOrderTest::anIdleWindowKeepsNoTurn() {
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    QTRY_COMPARE(ended.size(), 1);
    QTRY_VERIFY(!m_queue.takeTurn()->has_value()); // the model stays for the next click
    generator.giveBack([] {});                     // as after a while
    QTRY_VERIFY(m_queue.takeTurn()->has_value());
}

void QueueOrderTest::aHeldQueueKeepsNoTurnFromAnotherWindow() {
    const QString folder = makeRun("robot", "waiting", false);
    QVERIFY(m_queue.setHeld(true).ok());
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    QTRY_COMPARE(ended.size(), 1);
    QTRY_VERIFY(!m_queue.takeTurn()->has_value());
    const auto supervisor = m_queue.supervise(); // begins with a run that it was told by name
    QVERIFY(m_queue.add(folder.toStdString()).ok());
    QTRY_VERIFY(m_queue.takeTurn()->has_value());
    QCOMPARE(calls(), QStringList{u"sample ended"_s}); // its memory is free by then
}

void QueueOrderTest::aTurnThatIsBeingGivenBackIsNotHere() {
    QueueDesk desk;
    desk.open();
    QTRY_VERIFY(desk.known());
    desk.wantTurn(true);
    QTRY_VERIFY(desk.hasTurn());
    desk.look(); // its answer knows nothing of what follows
    desk.wantTurn(false);
    desk.wantTurn(true);
    QVERIFY(!desk.hasTurn());
    bool answered = false;
    desk.look([&answered] { answered = true; });
    QTRY_VERIFY(answered);
    QVERIFY(desk.hasTurn());
    desk.wantTurn(false);
    desk.finish();
}

void QueueOrderTest::looksThatWaitHideNothing() {
    const QString folder = queued("robot");
    QueueDesk desk;
    bool over = false;
    const std::function<void()> again = [&] {
        if (!over) desk.look(again);
    };
    desk.open();
    for (int one = 0; one < 2; ++one) desk.look(again); // there is always one more to come
    QTRY_VERIFY(desk.known());
    QCOMPARE(desk.now().order, QStringList{folder});
    over = true;
}

void QueueOrderTest::aWindowThatHangsLosesTheTurn() {
    using namespace std::chrono_literals;
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator, nullptr, {50ms, 30});
    QSignalSpy ended(&generator, &Generator::ended);
    for (const int64_t id : {1, 2, 3, 4, 5, 6}) generator.make(pictures(1), id);
    QTRY_VERIFY(m_services->runs.hasTurn());
    QTRY_COMPARE(ended.size(), 2); // longer than a hang may last, and nobody can have the turn
    QVERIFY(m_services->runs.hasTurn() && !m_queue.takeTurn()->has_value());
    std::optional<core::RunLock> other;
    for (int look = 0; look < 200 && !other; ++look) { // no event reaches the window
        QThread::msleep(50);
        if (auto turn = m_queue.takeTurn(); turn && *turn) other.emplace(std::move(**turn));
    }
    QVERIFY(other.has_value());
    QTRY_VERIFY(generator.free()); // and so is the memory
    QTRY_VERIFY(!m_services->runs.hasTurn());
    QVERIFY(!generator.jobs().empty()); // they wait
    other.reset();
    generator.setHeld(false);
    QTRY_VERIFY(generator.jobs().empty());
    QVERIFY(m_services->runs.hasTurn());
}

void QueueOrderTest::goingOnBeginsWithTheFirst() {
    const QString folder = queued("robot");
    QVERIFY(m_queue.setHeld(true).ok());
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    generator.restore({{1, pictures(1)}});
    QueuePage page(m_services->all());
    QCOMPARE(waiting(), (QStringList{folder, nameOfPictures(1)}));
    buttonNamed(page, u"Go on"_s)->click();
    QVERIFY(!generator.busy());
    QTRY_COMPARE(calls(), QStringList{u"supervise"_s});
    QVERIFY(generator.waitsForTraining());
}

void QueueOrderTest::whatBeganMeanwhileIsNotMoved() {
    const QString a = queued("a");
    const QString b = queued("b");
    const QString c = queued("c");
    openRuns();
    QCOMPARE(m_services->runs.queue(), (QStringList{a, b, c}));
    const auto lock = m_queue.supervise();
    QCOMPARE((*m_queue.take())->runDir, a.toStdString()); // the window has not seen it yet
    m_services->runs.setOrder({c, a, b});
    QTRY_COMPARE(m_services->runs.queue(), (QStringList{c, b}));
    QCOMPARE(m_queue.jobs(core::JobState::Running)->front().runDir, a.toStdString());
    m_services->runs.unqueue(a); // too late
    queueThread().waitForDone();
    QCOMPARE(m_queue.jobs(core::JobState::Running)->size(), size_t{1});
    QCOMPARE((*m_queue.take())->runDir, c.toStdString());
}

void QueueOrderTest::theWaitIsSaidUntilItIsOver() {
    const QString folder = makeRun("robot", "cancelled");
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    TrainPage page(m_services->all());
    holdPictures();
    generator.make(pictures(1), 1);
    m_services->runs.resume(folder);
    QTRY_VERIFY(page.messages().currentText().startsWith(u"It waits"_s));
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    const auto supervisor = m_queue.supervise();
    QVERIFY(m_queue.take()->has_value());
    QTRY_COMPARE(page.messages().count(), 0);
    letPicturesGo();
    generator.dropAll();
}

void QueueOrderTest::behindAPauseNothingIsSaidToBeginByItself() {
    const QString folder = makeRun("robot", "cancelled");
    QVERIFY(m_queue.setHeld(true).ok());
    openRuns();
    const JobTurns turns(m_services->runs, m_services->generator);
    TrainPage page(m_services->all());
    holdPictures();
    m_services->generator.make(pictures(1), 1);
    m_services->runs.resume(folder);
    QTRY_VERIFY(page.messages().currentText().startsWith(u"It waits"_s));
    QVERIFY2(page.messages().currentText().contains(u"the queue is paused"_s),
             qPrintable(page.messages().currentText()));
    letPicturesGo();
    m_services->generator.dropAll();
}

void QueueOrderTest::theOrderIsReadBeforeItIsWritten() {
    const QString folder = makeRun("robot", "waiting", false);
    const std::string id = *m_queue.add(folder.toStdString());
    const QStringList order{nameOfPictures(2), folder, nameOfPictures(1)};
    QVERIFY(m_queue.setOrder({order[0].toStdString(), id, order[2].toStdString()}).ok());
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    generator.restore({{1, pictures(1)}, {2, pictures(1)}}); // as the library has them, and first of all
    openRuns();
    QCOMPARE(waiting(), order);
    QCOMPARE(generator.jobs().front().id, int64_t{2});
    queueThread().waitForDone();
    QCOMPARE(m_queue.order()->at(1), id);
}

void QueueOrderTest::theOrderSurvivesARestart() {
    const QString now = makeRun("now", "running");
    const QString later = makeRun("later", "cancelled");
    const auto lock = work(now);
    const QStringList order{nameOfPictures(2), later, nameOfPictures(1)};
    {
        const MainWindow window(m_services->all());
        openRuns();
        QTRY_VERIFY(m_services->runs.busy() && m_services->generator.restored());
        m_services->generator.make(pictures(1), 1);
        m_services->generator.make(pictures(1), 2);
        m_services->runs.enqueue(later);
        QCOMPARE(waiting(), (QStringList{nameOfPictures(1), nameOfPictures(2), later}));
        m_services->runs.setOrder(order);
        QCOMPARE(waiting(), order);
        QCOMPARE(m_services->generator.jobs().front().id, int64_t{2});
    }
    m_services.reset(); // there is one theme at a time
    m_services = std::make_unique<TestServices>(m_place);
    const MainWindow window(m_services->all());
    openRuns();
    QTRY_COMPARE(waiting(), order);
    QTRY_COMPARE(m_services->generator.jobs().size(), size_t{2});
    QCOMPARE(m_services->generator.jobs().front().id, int64_t{2});
}

void QueueOrderTest::rowsThatWaitMoveAndNoOthers() {
    const QString done = makeRun("done", "done");
    const QString folder = queued("robot");
    openRuns();
    m_services->generator.restore({{1, pictures(1)}, {2, pictures(2)}});
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    const int last = model.rowCount() - 1;
    QCOMPARE(rowOf(model, done), last);
    QVERIFY(!(model.flags(model.index(last)) & Qt::ItemIsDragEnabled));
    QVERIFY(model.flags(model.index(0)) & Qt::ItemIsDragEnabled);
    const std::unique_ptr<QMimeData> dragged(model.mimeData({model.index(0)}));
    QVERIFY(model.canDropMimeData(dragged.get(), Qt::MoveAction, last, 0, {}));
    QVERIFY(!model.canDropMimeData(dragged.get(), Qt::MoveAction, last + 1, 0, {})); // below what is done
    QVERIFY(!model.moveRow({}, last, {}, 0));
    QVERIFY(!model.moveRow({}, 0, {}, last + 1));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QVERIFY(model.moveRow({}, 0, {}, last)); // the training behind both
    const QStringList order{nameOfPictures(1), nameOfPictures(2), folder};
    QCOMPARE(waiting(), order);
    QVERIFY(model.moveRow({}, 1, {}, 0));
    QCOMPARE(waiting(), (QStringList{nameOfPictures(2), nameOfPictures(1), folder}));
    QCOMPARE(rowOf(model, folder), 2);
    QVERIFY(reset.isEmpty()); // so that what is chosen stays chosen
}

void QueueOrderTest::keysMoveWhatIsChosen() {
    const QString a = queued("a");
    const QString b = queued("b");
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    m_services->generator.restore({{1, pictures(1)}});
    auto* list = page.findChild<QListView*>();
    list->setFocus();
    list->setCurrentIndex(list->model()->index(2, 0));
    for (int times = 0; times < 3; ++times) QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(waiting(), (QStringList{nameOfPictures(1), a, b}));
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(waiting(), (QStringList{a, nameOfPictures(1), b}));
    const QSignalSpy gone(&page, &Page::chosenGone);
    m_services->runs.unqueue(a); // the row goes, and the choice stays
    QVERIFY(gone.isEmpty());
    QCOMPARE(list->currentIndex().data(QueueModel::JobRole).toLongLong(), qlonglong{1});
}

void QueueOrderTest::inPlaceOfWhatIsTakenOutItsNeighbourIsChosen() {
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    m_services->generator.restore({{1, pictures(1)}, {2, pictures(1)}, {3, pictures(1)}});
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 3);
    const auto chosen = [list] { return list->currentIndex().data(QueueModel::JobRole).toLongLong(); };
    list->setCurrentIndex(list->model()->index(1, 0));
    const QSignalSpy gone(&page, &Page::chosenGone);
    QVERIFY(page.command(Page::Command::Delete));
    QTRY_COMPARE(list->model()->rowCount(), 2);
    QCOMPARE(chosen(), qlonglong{3});
    QCOMPARE(gone.size(), 1);
    QVERIFY(page.command(Page::Command::Delete));
    QTRY_COMPARE(list->model()->rowCount(), 1);
    QCOMPARE(chosen(), qlonglong{1}); // there is none below
}

void QueueOrderTest::aDoubleClickTakesOneOut() {
    openRuns();
    QueuePage page(m_services->all());
    page.show();
    m_services->generator.restore({{1, pictures(1)}, {2, pictures(1)}, {3, pictures(1)}});
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 3);
    list->setCurrentIndex(list->model()->index(0, 0));
    auto* takeOut = buttonNamed(page, u"Take out"_s);
    QVERIFY(takeOut != nullptr && takeOut->isEnabled());
    const QPointF at = takeOut->rect().center();
    for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease,
                                    QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease}) {
        const Qt::MouseButton held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, takeOut->mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
        QApplication::sendEvent(takeOut, &event);
        if (type == QEvent::MouseButtonRelease) QTRY_COMPARE(list->model()->rowCount(), 2);
    }
    QCOMPARE(m_services->undo.count(), 1);
    QTRY_VERIFY(takeOut->isEnabled()); // for the neighbour
    QTest::keyClick(takeOut, Qt::Key_Space);
    QTRY_COMPARE(list->model()->rowCount(), 1);
    QCOMPARE(m_services->undo.count(), 2);
}

void QueueOrderTest::anotherOrderIsTakenBack() {
    const QString a = queued("a");
    const QString b = queued("b");
    const QString c = makeRun("c", "cancelled");
    openRuns();
    m_services->generator.restore({{1, pictures(1)}});
    QueueModel model(m_services->all());
    const QStringList before = waiting();
    QCOMPARE(before, (QStringList{a, b, nameOfPictures(1)}));
    QVERIFY(model.moveRow({}, 2, {}, 0));
    QCOMPARE(waiting(), (QStringList{nameOfPictures(1), a, b}));
    QCOMPARE(m_services->undo.count(), 1);
    m_services->undo.undo();
    QCOMPARE(waiting(), before);
    QCOMPARE(model.waitingPlace(rowOf(model, a)), 0);
    m_services->undo.redo();
    QCOMPARE(waiting(), (QStringList{nameOfPictures(1), a, b}));
    m_services->runs.enqueue(c); // comes meanwhile
    m_services->runs.unqueue(a); // and goes
    m_services->undo.undo();
    QCOMPARE(waiting(), (QStringList{b, nameOfPictures(1), c}));
    queueThread().waitForDone();
    QCOMPARE(m_queue.jobs()->size(), size_t{2});
}

HOMEBOOTH_APP_TEST_MAIN(QueueOrderTest)
#include "tst_queue_order.moc"

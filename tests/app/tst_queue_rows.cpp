// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rows of the queue say: how long jobs took or will take, what one that found no room needs; and the way
// back for pictures that were taken out.
#include "app/engine/queue/job_order.h"
#include "app/engine/queue/job_turns.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/library/when_text.h"
#include "app/pages/queue/queue_commands.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/parts.h"
#include "item_rules.h"
#include "queue_fixture.h"

#include <QDateTime>
#include <QFile>
#include <QListView>
#include <QLocale>
#include <QScopeGuard>
#include <QUndoStack>

#include <algorithm>
#include <initializer_list>
#include <sys/stat.h>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

/// A line of a journal. @param time  of 2026-11-21
QByteArray lineAt(const char* time, const QByteArray& rest) {
    return QByteArray(R"({"v":1,"seq":1,"time":"2026-11-21T)") + time + R"(.000Z",)" + rest + "}\n";
}

/// That a run came to a state.
QByteArray cameTo(const QByteArray& state) {
    return R"("type":"state","state":")" + state + R"(","detail":"","done":0,"total":0)";
}

const QByteArray kState = cameTo("training");
const QByteArray kResumed(R"("type":"resumed","fromStep":10)");
const QByteArray
    kEnd(R"("type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":"")");

int64_t ramLimit(const QString& run) {
    return core::RunFolder::open(run.toStdString())->config()->memory.ramBytes;
}

bool staysHidden(const QWidget& widget) {
    for (int look = 0; look < 50; ++look) {
        if (!widget.isHidden()) return false;
        QTest::qWait(10);
    }
    return true;
}

void chooseRows(const QListView& list, std::initializer_list<int> rows) {
    for (const int row : rows)
        list.selectionModel()->select(list.model()->index(row, 0), QItemSelectionModel::Select);
}

} // namespace

class QueueRowsTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QueueRowsTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() {
        m_supervisor.reset();
        m_services.reset();
        qunsetenv("HOMEBOOTH_SLOTS");
    }
    void whatIsDoneSaysHowLongItTook();
    void journalsAreReadOfRowsThatAreSeen();
    void theMachinesSleepIsNoWork();
    void aPipeInPlaceOfAJournalHoldsNobody();
    void picturesSayHowLongTheyWillTake();
    void picturesThatWereTakenOutComeBackToTheirPlace();
    void theMadeHalfOfAComparisonComesBackWithTheOther();
    void aHalfThatWasBeingMadeComesBackWithTheOther();
    void aTrainingThatIsTakenOutHasAWayBack();
    void severalAreTakenOutAtOnce();
    void whatWasTrainedSinceIsNotQueuedAgain();
    void whatFindsNoRoomSaysSoAndCanBeFitted();
    void gpusThatAreGoneAreNotCountedOn();
    void allThatEndedIsThereAndWhatEndedLastIsFirst();
    void whatEndedYesterdaySaysOnWhichDay();
    void whatCouldNotBeGoneOnWithEndedWhenItDid();
    void eachPartBeginsWithItsHeading();

private:
    /// A training that works in a slot. @returns its job
    core::QueuedJob takeJob(const QString& folder, int slot) {
        const std::string path = folder.toStdString();
        if (!m_queue.add(path)) qFatal("no queue");
        core::QueuedJob job =
            **m_queue.take([&path](const core::QueuedJob& one) { return one.runDir == path; });
        job.slot = slot;
        job.device = slot == 0 ? "The first" : "The second";
        if (!m_queue.tellSlot(job)) qFatal("no queue");
        return job;
    }

    std::unique_ptr<core::Result<core::RunLock>> m_supervisor;
    void takeRam(const QString& one, const QString& other);
};

void QueueRowsTest::whatIsDoneSaysHowLongItTook() {
    const QString folder = makeRun("done", "done");
    // Ten minutes, some of them paused, until the power failed; a night's rest, fifteen more.
    const QByteArray warning(R"("type":"warning","code":"checkpoint","message":"one is torn")");
    writeBytes(folder + u"/events.jsonl"_s, lineAt("08:00:00", cameTo("loading")) +
                                                lineAt("08:02:00", cameTo("paused")) +
                                                lineAt("08:10:00", kState) + lineAt("11:59:00", warning) +
                                                lineAt("12:00:00", cameTo("loading")) +
                                                lineAt("12:05:00", kResumed) + lineAt("12:15:00", kEnd));
    QCOMPARE(workedSeconds(folder), 25 * 60.0);
    QCOMPARE(workedSeconds(m_place.path("nothing")), 0.0);
    openRuns();
    QueueModel model(m_services->all());
    const auto detail = [&] {
        return model.index(rowOf(model, folder), 0).data(QueueModel::DetailRole).toString();
    };
    QTRY_VERIFY2(detail().endsWith(u", 25 min"_s), qPrintable(detail()));
    const TrainPage page(m_services->all());
    m_services->runs.show(folder);
    const auto says = [&page](const QString& words) {
        const auto labels = page.findChildren<ElidedLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&words](const ElidedLabel* label) { return label->fullText().contains(words); });
    };
    QTRY_VERIFY(says(u" steps in 25 min."_s)); // the same where it is looked at
}

void QueueRowsTest::journalsAreReadOfRowsThatAreSeen() {
    const QString folder = makeRun("unseen", "done");
    const QString journal = folder + u"/events.jsonl"_s;
    writeBytes(journal, lineAt("08:00:00", kState) + lineAt("08:10:00", kEnd));
    openRuns();
    QueuePage page(m_services->all()); // as in a window that shows another page
    const QAbstractItemModel& rows = *page.findChild<QListView*>()->model();
    QTRY_VERIFY(rowOf(rows, folder) >= 0);
    for (QThreadPool* pool : {&workPool(), &lookPool(), &requestPool(), &journalDrives().of(folder + '/')})
        pool->waitForDone();
    QCoreApplication::processEvents();
    writeBytes(journal, lineAt("08:00:00", kState) + lineAt("08:25:00", kEnd)); // who read it knows the other
    const Blocked busy(workPool()); // what people wait for goes its own way, too
    const auto detail = [&] {
        return rows.index(rowOf(rows, folder), 0).data(QueueModel::DetailRole).toString();
    };
    QTRY_VERIFY2(detail().endsWith(u", 25 min"_s), qPrintable(detail()));
}

void QueueRowsTest::theMachinesSleepIsNoWork() {
    const QString folder = makeRun("slept", "done");
    const QByteArray sleptTwoHours(R"(,"sleptMs":7200000)");
    writeBytes(folder + u"/events.jsonl"_s,
               lineAt("08:00:00", kState) + lineAt("10:10:00", kState + sleptTwoHours) +
                   lineAt("12:00:00", cameTo("loading") + sleptTwoHours) + lineAt("12:15:00", kEnd));
    QCOMPARE(workedSeconds(folder), 25 * 60.0);
}

void QueueRowsTest::aPipeInPlaceOfAJournalHoldsNobody() {
    const QString folder = makeRun("pipe", "failed");
    const QString journal = folder + u"/events.jsonl"_s;
    QFile::remove(journal);
    QCOMPARE(::mkfifo(qPrintable(journal), 0600), 0);
    QCOMPARE(workedSeconds(folder), 0.0);
    QVERIFY(!readRunEnd(folder).silent); // nobody can say
}

void QueueRowsTest::picturesSayHowLongTheyWillTake() {
    QVERIFY(useEngine(m_place, R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
read -r line
say '"type":"state","state":"sampling","detail":"","done":0,"total":1'
sleep 2
say '"type":"preview","step":20,"index":0,"path":"/nowhere/a.png"'
say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""'
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do sleep 60; done
)sh"));
    openRuns();
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    QVERIFY(!generator.secondsFor(pictures(1)));
    generator.make(pictures(1), 1);
    QTRY_COMPARE(ended.size(), 1);
    const auto seconds = generator.secondsFor(pictures(200));
    // The window may learn late that the picture began, or that it is there.
    QVERIFY2(seconds && *seconds > 200 * 0.2 && *seconds < 200 * 60.0,
             seconds ? qPrintable(QString::number(*seconds)) : "");
    core::SampleConfig twice = pictures(200);
    twice.steps *= 2;
    QCOMPARE(*generator.secondsFor(twice), 2 * *seconds);
    core::SampleConfig other = pictures(1);
    other.model = "/another";
    QVERIFY(!generator.secondsFor(other));
    generator.make(pictures(1), 2);
    generator.make(pictures(200), 3);
    {
        const QueueModel model(m_services->all());
        QVERIFY(model.rowCount() == 2 && model.waitingPlace(1) == 0);
        QVERIFY(model.index(1).data(QueueModel::WhenRole).toString().startsWith(u"about "_s));
    }
    m_services.reset(); // before its engine's file becomes another one
    useFakeEngine();
}

void QueueRowsTest::picturesThatWereTakenOutComeBackToTheirPlace() {
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    generator.restore({{11, pictures(3)}, {12, pictures(1)}, {13, pictures(1)}});
    const auto ids = [&generator] {
        QList<qlonglong> all;
        for (const GenerationJob& job : generator.jobs()) all.append(job.id);
        return all;
    };
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 3);
    QSignalSpy toast(&page, &Page::toast);
    list->setCurrentIndex(list->model()->index(0, 0));
    buttonNamed(page, u"Take out"_s)->click();
    QCOMPARE(ids(), (QList<qlonglong>{12, 13}));
    QCOMPARE(toast.size(), 1);
    QCOMPARE(m_services->undo.count(), 1);
    m_services->undo.undo();
    QTRY_COMPARE(ids(), (QList<qlonglong>{11, 12, 13}));
    QCOMPARE(generator.jobs().front().config.count, int64_t{3});
    m_services->undo.redo();
    QCOMPARE(ids(), (QList<qlonglong>{12, 13}));
    generator.dropAll();
}

void QueueRowsTest::theMadeHalfOfAComparisonComesBackWithTheOther() {
    openRuns();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    GenerationJob made{11, pictures(1), 11, {u"/pictures/one.png"_s}};
    made.config.count = 0;
    generator.restore({{12, pictures(1), 11}}, {made});
    QCOMPARE(generator.together(11).size(), size_t{2});
    m_services->undo.push(new PicturesRemoval(m_services->runs, generator, 12, u"take out"_s));
    QVERIFY(generator.jobs().empty() && generator.companions().empty());
    m_services->undo.undo();
    QTRY_COMPARE(generator.jobs().size(), size_t{1});
    QCOMPARE(generator.together(11).size(), size_t{2}); // side by side, as they were asked for
    QCOMPARE(generator.companions().front().made, made.made);
    m_services->undo.redo();
    m_services->undo.undo();
    QCOMPARE(generator.companions().size(), size_t{1});
    generator.dropAll();
}

void QueueRowsTest::aHalfThatWasBeingMadeComesBackWithTheOther() {
    QVERIFY(useEngine(m_place, R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    sleep 0.3
    say '"type":"preview","step":20,"index":0,"path":"/nowhere/a.png"'
    say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""'
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh"));
    openRuns();
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 11, 11);
    generator.make(pictures(1), 12, 11);
    QVERIFY(generator.busy());
    m_services->undo.push(new PicturesRemoval(m_services->runs, generator, 12, u"take out"_s));
    QCOMPARE(generator.jobs().size(), size_t{1});
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(generator.jobs().empty() && generator.companions().empty());
    generator.setHeld(true); // what comes back waits
    m_services->undo.undo();
    QCOMPARE(generator.together(11).size(), size_t{2}); // side by side, as they were asked for
    QCOMPARE(generator.companions().front().made, QStringList{u"/nowhere/a.png"_s});
    generator.setHeld(false);
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(generator.companions().empty()); // and that is the end of it
    m_services.reset();                      // before its engine's file becomes another one
    useFakeEngine();
}

void QueueRowsTest::aTrainingThatIsTakenOutHasAWayBack() {
    const QString first = queued("first");
    const QString second = queued("second");
    QueuePage page(m_services->all());
    page.show();
    openRuns();
    const RunCentre& runs = m_services->runs;
    QTRY_COMPARE(runs.queue(), (QStringList{first, second}));
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), first), 0));
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, u"Take out"_s)->click();
    QCOMPARE(toast.size(), 1);
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    QTRY_COMPARE(runs.queue(), QStringList{second});
    m_services->undo.undo();
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{2});
    QTRY_COMPARE(QString::fromStdString(m_queue.jobs()->front().runDir), first); // in its place
    QTRY_COMPARE(runs.queue(), (QStringList{first, second}));
    m_services->undo.redo();
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
}

void QueueRowsTest::severalAreTakenOutAtOnce() {
    const QString first = queued("first");
    const QString second = queued("second");
    const QString third = queued("third");
    const QString ended = makeRun("ended", "done");
    openRuns();
    Generator& generator = m_services->generator;
    RunCentre& runs = m_services->runs;
    const JobTurns turns(runs, generator);
    generator.restore({{11, pictures(3)}});
    const QStringList all{first, second, third, nameOfPictures(11)};
    QTRY_COMPARE(waitingJobs(runs, generator), all);
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    QTRY_COMPARE(list->model()->rowCount(), 5);
    chooseRows(*list, {3, 2, 0, 4}); // in whichever order
    QSignalSpy toast(&page, &Page::toast);
    buttonNamed(page, u"Take out"_s)->click();
    QCOMPARE(toast.size(), 1);
    QCOMPARE(toast[0][0].toString(), u"3 job(s) are out of the queue."_s);
    QCOMPARE(m_services->undo.count(), 1);
    QCOMPARE(waitingJobs(runs, generator), QStringList{second});
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    QVERIFY(rowOf(*list->model(), ended) >= 0);
    m_services->undo.undo();
    QTRY_COMPARE(waitingJobs(runs, generator), all); // each in its place
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{3});
    QTRY_COMPARE(QString::fromStdString(m_queue.jobs()->front().runDir), first);
    m_services->undo.redo();
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    m_services->undo.undo();
    QTRY_COMPARE(list->model()->rowCount(), 5);
    list->selectionModel()->clear();
    chooseRows(*list, {0, 1});
    QVERIFY(page.command(Page::Command::Delete)); // which takes out what waits
    QTRY_COMPARE(waitingJobs(runs, generator), (QStringList{third, nameOfPictures(11)}));
    generator.dropAll();
}

void QueueRowsTest::whatWasTrainedSinceIsNotQueuedAgain() {
    const QString folder = makeRun("trained since", "waiting", false);
    const QString other = makeRun("other", "waiting", false);
    QVERIFY(m_queue.add(folder.toStdString()).ok());
    QueuePage page(m_services->all());
    page.show();
    openRuns();
    RunCentre& runs = m_services->runs;
    QTRY_COMPARE(runs.queue(), QStringList{folder});
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), folder), 0));
    buttonNamed(page, u"Take out"_s)->click();
    QTRY_VERIFY(runs.queue().isEmpty() && m_queue.jobs()->empty());
    writeEvents(folder, {step(1), outcome("done")});
    core::RunRecord record = *runs.find(folder);
    record.state = "done";
    record.endedMs = core::nowMs();
    m_services->library.write([record](core::Library& library) { return core::saveRun(library, record); });
    openRuns();
    QTRY_VERIFY(runs.find(folder) != nullptr && runs.find(folder)->endedMs > 0);
    m_services->undo.undo();
    runs.enqueue(other); // comes after it
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{1});
    QTRY_COMPARE(runs.queue(), QStringList{other});
}

/// One run has six GiB and leaves one; the other is planned with three, and with two of a card that it has.
void QueueRowsTest::takeRam(const QString& one, const QString& other) {
    core::MemoryEvent memory;
    memory.step = 1;
    memory.ram.parameterBytes = 6 * kGiB;
    memory.ram.freeBytes = kGiB;
    writeEvents(one, {memory});
    core::PlanEvent plan;
    plan.predicted.ramBytes = 3 * kGiB;
    plan.predicted.deviceBytes = 2 * kGiB;
    writeEvents(other, {plan});
}

void QueueRowsTest::whatFindsNoRoomSaysSoAndCanBeFitted() {
    m_supervisor = std::make_unique<core::Result<core::RunLock>>(m_queue.supervise());
    QVERIFY(m_supervisor->ok());
    QVERIFY(m_queue.setKnownSlots({{"GPU-1", "The first"}, {"GPU-2", "The second"}}).ok());
    const QString a = makeRun("a", "running");
    const QString b = makeRun("b", "running");
    takeRam(a, b);
    (void)takeJob(a, 0);
    const core::QueuedJob job = takeJob(b, 1);
    const auto works = work(a);
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(b));
    openRuns();
    QTRY_COMPARE(m_services->runs.allWorking().size(), size_t{2});
    QueuePage page(m_services->all());
    page.show();
    auto* list = page.findChild<QListView*>();
    auto* fit = buttonNamed(page, u"Fit it"_s);
    QVERIFY(fit->isHidden());
    lock.reset();
    QVERIFY(*m_queue.move(job.id, core::JobState::Running, core::JobState::Waiting));
    const auto state = [&] {
        return list->model()->index(rowOf(*list->model(), b), 0).data(QueueModel::StateRole).toString();
    };
    QTRY_VERIFY2(state().startsWith(u"needs 2"_s), qPrintable(state()));
    const QString behind = makeRun("behind", "waiting", false);
    m_services->runs.enqueue(behind);
    QTRY_COMPARE(m_queue.jobs()->size(), size_t{2});
    list->setCurrentIndex(list->model()->index(rowOf(*list->model(), b), 0));
    QTRY_VERIFY(!fit->isHidden());
    fit->click();
    m_services->runs.resume(b, {0, true}); // as a second press would: it is on its way already
    QVERIFY(staysHidden(*fit));            // also until its new limit is read from its folder
    QTRY_COMPARE(ramLimit(b), 3 * kGiB / 5 * 4);
    QTRY_VERIFY(m_services->runs.queue().contains(b)); // it still waits, and is planned anew
    QTRY_VERIFY2(state().contains(u"will use less memory"_s), qPrintable(state()));
    QVERIFY(fit->isHidden());
    QCOMPARE(ramLimit(b), 3 * kGiB / 5 * 4);                      // lowered once
    QCOMPARE(m_services->runs.queue(), (QStringList{b, behind})); // in its place
    QCOMPARE(QString::fromStdString(m_queue.jobs()->front().runDir), b);
}

void QueueRowsTest::gpusThatAreGoneAreNotCountedOn() {
    const std::vector<core::JobSlot> two{{"GPU-1", "The first"}, {"GPU-2", "The second"}};
    QVERIFY(QDir().mkpath(QString::fromStdString(m_queue.folder())));
    QVERIFY(m_queue.setKnownSlots(two).ok()); // by a supervisor that is long gone
    qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first;GPU-2=The second");
    openRuns();
    QTRY_VERIFY(m_services->runs.severalSlots()); // both are still there
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first");
    openRuns();
    QVERIFY(!m_services->runs.severalSlots());
    QTRY_COMPARE(m_queue.knownSlots().size(), size_t{1});
    QVERIFY(!m_services->runs.severalSlots());
}

void QueueRowsTest::allThatEndedIsThereAndWhatEndedLastIsFirst() {
    constexpr int kRuns = 150;
    constexpr int64_t kDayMs = 86'400'000;
    const int64_t now = core::nowMs();
    m_services->library.write([now](core::Library& library) -> core::Result<void> {
        for (int i = 1; i <= kRuns; ++i) {
            core::RunRecord record;
            record.id = i;
            record.folder = "/runs/" + std::to_string(i);
            record.state = "cancelled";
            record.steps = 100;
            record.createdMs = record.endedMs = now - (kRuns - i) * kDayMs;
            if (i == 2) record.endedMs = now + 1; // it was gone on with today
            HOMEBOOTH_CHECK(core::saveRun(library, record));
        }
        return {};
    });
    openRuns();
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    QTRY_COMPARE(model.rowCount(), kRuns);
    QCOMPARE(rowOf(model, u"/runs/2"_s), 0);
    QCOMPARE(rowOf(model, u"/runs/150"_s), 1);
    const int oldest = rowOf(model, u"/runs/1"_s);
    QCOMPARE(oldest, kRuns - 1);
    QVERIFY(model.canWaitAgain(oldest) && model.canDelete(oldest));
}

void QueueRowsTest::whatEndedYesterdaySaysOnWhichDay() {
    const QString folder = makeRun("before midnight", "done");
    openRuns();
    QueueModel model(m_services->all());
    const auto when = [&] {
        return model.index(rowOf(model, folder), 0).data(QueueModel::WhenRole).toString();
    };
    const QDateTime ended = QDateTime::fromMSecsSinceEpoch(m_services->runs.find(folder)->endedMs);
    auto* days = model.findChild<DayWatch*>();
    QVERIFY(days != nullptr);
    days->setCalendar([ended] { return ended.date(); });
    QCOMPARE(when(), timeOfDayText(ended.time()));
    days->setCalendar([ended] { return ended.date().addDays(1); }); // the window stays open over midnight
    QCOMPARE(when(), dateAndTimeText(ended));
}

void QueueRowsTest::whatCouldNotBeGoneOnWithEndedWhenItDid() {
    const QString folder = makeRun("last week", "cancelled");
    const QDateTime end = QDateTime::currentDateTime().addDays(-7);
    QFile journal(folder + u"/events.jsonl"_s);
    QVERIFY(journal.open(QIODevice::ReadWrite));
    QVERIFY(journal.setFileTime(end, QFileDevice::FileModificationTime));
    journal.close();
    openRuns();
    RunCentre& runs = m_services->runs;
    runs.show(folder);
    QTRY_COMPARE(runs.current()->phase(), RunPhase::Cancelled);
    const auto putBack =
        qScopeGuard([engine = qgetenv("HOMEBOOTH_ENGINE")] { qputenv("HOMEBOOTH_ENGINE", engine); });
    qputenv("HOMEBOOTH_ENGINE", "/nowhere/homebooth-engine");
    QSignalSpy failed(&runs, &RunCentre::failed);
    runs.resume(folder);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(runs.find(folder)->state, "cancelled");
    QCOMPARE(runs.find(folder)->endedMs, end.toMSecsSinceEpoch());
}

void QueueRowsTest::eachPartBeginsWithItsHeading() {
    QVERIFY(m_queue.setHeld(true)); // nothing else begins
    makeRun(u"first"_s, "done");
    makeRun(u"second"_s, "cancelled");
    const auto lock = work(makeRun(u"robot"_s, "running"));
    QVERIFY(lock.ok());
    queued(u"third"_s);
    queued(u"fourth"_s);
    openRuns();
    QueuePage page(m_services->all());
    const QAbstractItemModel& rows = *page.findChild<QListView*>()->model();
    const auto said = [&rows](int role) {
        QStringList all;
        for (int row = 0; row < rows.rowCount(); ++row) all.append(rows.index(row, 0).data(role).toString());
        return all;
    };
    QTRY_COMPARE(said(QueueModel::HeadingRole), QStringList({u"Now"_s, u"Waiting"_s, {}, u"Ended"_s, {}}));
    QCOMPARE(said(Qt::AccessibleDescriptionRole),
             QStringList({u"Now"_s, u"Waiting"_s, u"Waiting"_s, u"Ended"_s, u"Ended"_s}));
}

HOMEBOOTH_APP_TEST_MAIN(QueueRowsTest)
#include "tst_queue_rows.moc"

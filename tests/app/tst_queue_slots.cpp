// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue in the window of a machine with two GPUs: trainings that work at once, and pictures beside them.
// The test stands for the supervisor and for the workers; the GPUs are names.
#include "app/engine/queue/job_turns.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/queue/queue_page.h"
#include "app/shell/job_bar.h"
#include "app/widgets/parts.h"
#include "core/base/run/control/control.h"
#include "item_rules.h"
#include "slot_fixture.h"

#include <array>
#include <atomic>

using namespace homebooth;
using namespace homebooth::app;

class QueueSlotsTest : public SlotFixture {
    Q_OBJECT
public:
    explicit QueueSlotsTest(const TestPlace& place)
        : SlotFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void thePageShowsEveryTrainingWithItsGpu();
    void theBarShowsTheOneThatIsLookedAt();
    void aStopReachesTheOneThatTheBarNames();
    void theEndOfOneLeavesTheOtherAtWork();
    void aSecondTrainingTakesNobodysView();
    void allAreFoundAgainByTheNextWindow();
    void picturesAreMadeOnTheFreeGpu();
    void picturesMoveToTheGpuThatIsFreeFirst();
    void anIdleEngineGivesItsGpuToATraining();
    void aTrainingBeginsBesidePictures();
    void anotherGpuGetsAnotherEngine();
    void aTrainingThatFindsNoRoomHasNotEnded();
    void aStopOfATrainingThatFindsNoRoomIsKept();
    void aTrainingThatIsBeingStartedStaysBesideAnother();

private:
    /// Trainings "a" and "b", of which each works on a GPU.
    std::array<Worked, 2> twoAtWork() {
        supervise();
        std::array<Worked, 2> both{worked(u"a"_s, 0), worked(u"b"_s, 1)};
        openRuns();
        [this] { QTRY_COMPARE(atWork(), size_t{2}); }();
        return both;
    }
    /// "a" works alone, and pictures may be asked for.
    Worked oneAtWork() {
        supervise();
        Worked a = worked(u"a"_s, 0);
        openRuns();
        [this] { QTRY_VERIFY(m_services->runs.busy()); }();
        m_services->generator.restore({});
        return a;
    }
    /// As a job whose plan found no room: its journal says nothing of it.
    void putBack(Worked& one) const {
        one.lock.reset();
        QVERIFY(*m_queue.move(one.job.id, core::JobState::Running, core::JobState::Waiting));
    }

    static QString wordsOf(const JobBar& bar) {
        QStringList words;
        for (const auto* label : bar.findChildren<ElidedLabel*>()) words.append(label->fullText());
        return words.join(u" | "_s);
    }
};

void QueueSlotsTest::thePageShowsEveryTrainingWithItsGpu() {
    supervise();
    const Worked a = worked(u"a"_s, 0);
    const Worked b = worked(u"b"_s, 1);
    const QString c = queued("c");
    openRuns();
    QueuePage page(m_services->all());
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    QTRY_COMPARE(atWork(), size_t{2});
    for (const Worked* one : {&a, &b}) {
        QCOMPARE(kindOf(model, one->folder), QueueModel::Kind::Now);
        const QString device = QString::fromStdString(one->job.device);
        QTRY_VERIFY2(textOf(model, one->folder, QueueModel::DetailRole).endsWith(device),
                     qPrintable(textOf(model, one->folder, QueueModel::DetailRole)));
    }
    QCOMPARE(kindOf(model, c), QueueModel::Kind::Waiting);
    QVERIFY(buttonNamed(page, u"Pause after these"_s) != nullptr);
    writeEvents(b.folder, {step(2), step(50)});
    const auto progress = [&model](const Worked& one) {
        return model.index(rowOf(model, one.folder), 0).data(QueueModel::ProgressRole).toDouble();
    };
    QTRY_COMPARE(progress(b), 0.5);
    QCOMPARE(progress(a), 0.01);
}

void QueueSlotsTest::theBarShowsTheOneThatIsLookedAt() {
    supervise();
    const Worked a = worked(u"anna"_s, 0);
    const Worked b = worked(u"bella"_s, 1);
    openRuns();
    QTRY_COMPARE(atWork(), size_t{2});
    const JobBar bar(m_services->all());
    for (const Worked* one : {&b, &a}) {
        m_services->runs.show(one->folder);
        QCOMPARE(m_services->runs.working()->folder(), one->folder);
        const QString title = one == &b ? u"bella"_s : u"anna"_s;
        QTRY_VERIFY2(wordsOf(bar).contains(title), qPrintable(wordsOf(bar)));
        QVERIFY2(wordsOf(bar).contains(u"2 trainings running"_s), qPrintable(wordsOf(bar)));
    }
    m_services->runs.show(makeRun("old", "done"));
    QVERIFY(m_services->runs.working() != nullptr); // the first one of those that work
    QVERIFY(m_services->runs.works(m_services->runs.working()->folder()));
}

void QueueSlotsTest::aStopReachesTheOneThatTheBarNames() {
    supervise();
    const Worked a = worked(u"a"_s, 0);
    const Worked b = worked(u"b"_s, 1);
    std::array<std::atomic<int>, 2> stops{};
    std::vector<std::unique_ptr<core::ControlServer>> workers;
    for (const Worked* one : {&a, &b}) {
        const auto socket = core::controlSocketPath(one->folder.toStdString());
        auto worker =
            core::ControlServer::start(*socket, (one->folder + u"/control"_s).toStdString(),
                                       [&count = stops[workers.size()]](const core::ControlCommand& asked) {
                                           if (asked.verb == core::ControlVerb::Stop) ++count;
                                           return core::ControlReply{};
                                       });
        QVERIFY(worker.ok());
        workers.push_back(std::move(worker).value());
    }
    openRuns();
    QTRY_COMPARE(atWork(), size_t{2});
    JobBar bar(m_services->all());
    m_services->runs.show(b.folder);
    bar.stop();
    QTRY_COMPARE(stops[1].load(), 1);
    QCOMPARE(stops[0].load(), 0);
    QVERIFY(!m_services->runs.session(a.folder)->stopping());
}

void QueueSlotsTest::theEndOfOneLeavesTheOtherAtWork() {
    auto [a, b] = twoAtWork();
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    endOf(b);
    QTRY_COMPARE(atWork(), size_t{1});
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished[0][0].toString(), b.folder);
    QVERIFY(!m_services->runs.works(b.folder) && m_services->runs.works(a.folder));
    QTRY_COMPARE(kindOf(model, b.folder), QueueModel::Kind::Done);
    QCOMPARE(kindOf(model, a.folder), QueueModel::Kind::Now);
    const Worked c = worked(u"c"_s, 1); // and the supervisor goes on
    QTRY_COMPARE(atWork(), size_t{2});
    QVERIFY(m_services->runs.works(a.folder) && m_services->runs.works(c.folder));
}

void QueueSlotsTest::aSecondTrainingTakesNobodysView() {
    supervise();
    const Worked a = worked(u"a"_s, 0);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Learning);
    const Worked b = worked(u"b"_s, 1);
    QTRY_COMPARE(atWork(), size_t{2});
    QCOMPARE(m_services->runs.current()->folder(), a.folder);
    QCOMPARE(m_services->runs.working()->folder(), a.folder);
}

void QueueSlotsTest::allAreFoundAgainByTheNextWindow() {
    const auto [a, b] = twoAtWork();
    m_services.reset(); // there is one theme at a time
    for (const Worked* one : {&a, &b})
        QVERIFY(core::RunLock::owner((one->folder + "/lock").toStdString())->alive);
    m_services = std::make_unique<TestServices>(m_place);
    openRuns();
    QTRY_COMPARE(atWork(), size_t{2});
    for (const Worked* one : {&a, &b}) QVERIFY(m_services->runs.works(one->folder));
}

void QueueSlotsTest::picturesAreMadeOnTheFreeGpu() {
    const Worked a = oneAtWork();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    QTRY_VERIFY(generator.busy()); // nobody waits for the training
    QVERIFY(!isFree(1));
    QVERIFY(isFree(0)); // the next training comes there
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(pictureGpu(), u"GPU-2"_s);
    QVERIFY(m_services->runs.works(a.folder));
    generator.giveBack([] {}); // as after a while
    QTRY_VERIFY(isFree(1));
}

void QueueSlotsTest::picturesMoveToTheGpuThatIsFreeFirst() {
    auto [a, b] = twoAtWork();
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QVERIFY(m_services->runs.slotsAreTaken());
    generator.make(pictures(1), 1);
    QTRY_VERIFY(m_services->runs.hasTurn());
    QVERIFY(!generator.busy() && generator.waitsForTraining());
    QVERIFY(!isFree(0) && !isFree(1)); // or the supervisor would begin anew on the one that is free first
    QSignalSpy ended(&generator, &Generator::ended);
    endOf(b);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(pictureGpu(), u"GPU-2"_s);
    QVERIFY(isFree(0));
    QVERIFY(m_services->runs.works(a.folder) && !m_services->runs.slotsAreTaken());
}

void QueueSlotsTest::anIdleEngineGivesItsGpuToATraining() {
    const Worked a = oneAtWork();
    Generator& generator = m_services->generator;
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(!isFree(1)); // the model stays for the next click
    const QString b = queued("b");
    QTRY_VERIFY(isFree(1));
    QCOMPARE(calls(), QStringList{u"sample ended"_s}); // its memory is free by then
}

void QueueSlotsTest::aTrainingBeginsBesidePictures() {
    const QString folder = makeRun("robot", "cancelled");
    QVERIFY(QDir().mkpath(QString::fromStdString(m_queue.folder())));
    QVERIFY(m_queue.setKnownSlots(kTwo).ok());                      // as the last supervisor left it
    qputenv("HOMEBOOTH_SLOTS", "GPU-1=The first;GPU-2=The second"); // and both are still there
    openRuns();
    QTRY_VERIFY(m_services->runs.severalSlots());
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    for (const int64_t id : {1, 2, 3, 4, 5, 6}) generator.make(pictures(1), id);
    QTRY_VERIFY(m_services->runs.hasTurn() && generator.busy());
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    m_services->runs.resume(folder);
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(begun[0][1].toBool(), false);                    // it does not wait
    QTRY_COMPARE(calls(), QStringList{u"supervise robot"_s}); // the engine was not ended for it
    QVERIFY(!isFree(0));
    QCOMPARE(pictureGpu(), qEnvironmentVariable("CUDA_VISIBLE_DEVICES", u"none"_s));
    generator.dropAll();
}

void QueueSlotsTest::anotherGpuGetsAnotherEngine() {
    openRuns();
    Generator& generator = m_services->generator;
    generator.restore({});
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    generator.setDevice(u"GPU-1"_s);
    generator.make(pictures(1), 1);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(pictureGpu(), u"GPU-1"_s);
    generator.make(pictures(1), 2);
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(calls().isEmpty()); // the same one made both
    generator.setDevice(u"GPU-2"_s);
    generator.make(pictures(1), 3);
    QTRY_COMPARE(ended.size(), 3);
    QCOMPARE(pictureGpu(), u"GPU-2"_s);
    QCOMPARE(calls(), QStringList{u"sample ended"_s});
    QVERIFY(failed.isEmpty());
    for (const auto& one : ended) QVERIFY(one[0].toBool());
}

void QueueSlotsTest::aTrainingThatFindsNoRoomHasNotEnded() {
    auto [a, b] = twoAtWork();
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    putBack(b);
    QTRY_COMPARE(atWork(), size_t{1});
    QTRY_VERIFY(m_services->runs.queue().contains(b.folder));
    QCOMPARE(m_services->runs.session(b.folder)->phase(), RunPhase::Waiting);
    QVERIFY(finished.isEmpty());
    QCOMPARE(m_services->runs.find(b.folder)->state, "waiting");
    QVERIFY(*m_queue.remove(b.job.id, core::JobState::Waiting)); // it will not go on
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(m_services->runs.session(b.folder)->phase(), RunPhase::Failed);
}

void QueueSlotsTest::aStopOfATrainingThatFindsNoRoomIsKept() {
    auto [a, b] = twoAtWork();
    m_services->runs.show(b.folder);
    m_services->runs.working()->send(core::ControlVerb::Stop); // nobody listens while it is planned
    QVERIFY(m_services->runs.session(b.folder)->stopping());
    putBack(b);
    QTRY_VERIFY(m_queue.jobs()->empty());
    QVERIFY(m_services->runs.works(a.folder));
}

void QueueSlotsTest::aTrainingThatIsBeingStartedStaysBesideAnother() {
    const QString a = makeRun("a", "cancelled");
    openRuns();
    QTest::qWait(100); // what its journal says is older than its start
    m_services->runs.resume(a);
    QTRY_COMPARE(calls(), QStringList{u"supervise a"_s});
    QTRY_VERIFY(m_services->runs.works(a) && m_services->runs.session(a)->config().steps > 0);
    supervise();
    const Worked b = worked(u"b"_s, 1);
    QTRY_VERIFY(m_services->runs.works(b.folder));
    QVERIFY(m_services->runs.works(a));
}

HOMEBOOTH_APP_TEST_MAIN(QueueSlotsTest)
#include "tst_queue_slots.moc"

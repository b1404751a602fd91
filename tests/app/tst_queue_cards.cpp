// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue in the window of a machine with two GPUs, and trainings that name those they need: what they
// have, what they wait for, and what is kept for them.
#include "app/engine/queue/job_turns.h"
#include "app/engine/runs/run_cards.h"
#include "core/base/config/config_fields.h"
#include "item_rules.h"
#include "slot_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

class QueueCardsTest : public SlotFixture {
    Q_OBJECT
public:
    explicit QueueCardsTest(const TestPlace& place)
        : SlotFixture(place) {}
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(engineTakesCards());
        useFakeEngine();
    }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aTrainingOnTwoHasBoth();
    void picturesWaitForATrainingOnTwo();
    void aTrainingSaysWhatItWaitsFor();
    void aCardThatIsGoneIsWaitedForByNobody();
    void whatTheCommandLineNamesIsUnderstood();

private:
    /// A run that names its cards. @returns its folder
    QString makeRunOn(const QString& name, const char* state, const char* cards, bool begun) {
        const QString folder = makeRun(name, state, begun);
        const auto run = core::RunFolder::open(folder.toStdString());
        core::TrainConfig config = *run->config();
        config.parallel.processes = std::max<qsizetype>(1, cardsOfText(QString::fromLatin1(cards)).size());
        config.memory.device = core::ComputeDevice::Gpu;
        std::vector<core::ConfigField> fields = core::configFields(config);
        for (core::ConfigField& field : fields)
            if (field.path == kCardsPath && !core::setFieldFromText(field, cards).ok())
                qFatal("%s is not taken", cards);
        if (!run->setConfig(config).ok()) qFatal("%s cannot be changed", qPrintable(folder));
        return folder;
    }

    /// Such a run, as the last one of the queue.
    QString waiting(const QString& name, const char* cards) {
        const QString folder =
            cards[0] != '\0' ? makeRunOn(name, "waiting", cards, false) : makeRun(name, "waiting", false);
        if (!m_queue.add(folder.toStdString()).ok()) qFatal("no queue");
        return folder;
    }
};

void QueueCardsTest::aTrainingOnTwoHasBoth() {
    supervise();
    const Worked a = workedOn(makeRunOn(u"a"_s, "running", "GPU-2,GPU-1", true), 0);
    const QString b = waiting(u"b"_s, "");
    openRuns();
    QTRY_COMPARE(atWork(), size_t{1});
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    QVERIFY(m_services->runs.slotsAreTaken());
    QVERIFY(!m_services->runs.turnAwaited()); // nothing could begin in it
    QTRY_VERIFY2(textOf(model, a.folder, QueueModel::DetailRole).endsWith(u", GPU 0 and 1"_s),
                 qPrintable(textOf(model, a.folder, QueueModel::DetailRole)));
    QVERIFY(!textOf(model, a.folder, QueueModel::DetailRole).contains(u"processes"_s));
    QCOMPARE(textOf(model, b, QueueModel::StateRole), u"waiting"_s); // any card will do
}

void QueueCardsTest::picturesWaitForATrainingOnTwo() {
    supervise();
    Worked a = workedOn(makeRunOn(u"a"_s, "running", "GPU-1,GPU-2", true), 0);
    openRuns();
    QTRY_COMPARE(atWork(), size_t{1});
    Generator& generator = m_services->generator;
    generator.restore({});
    const JobTurns turns(m_services->runs, generator);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures(1), 1);
    QTRY_VERIFY(m_services->runs.hasTurn());
    QVERIFY(!generator.busy() && generator.waitsForTraining());
    QVERIFY(!isFree(0) && !isFree(1));
    endOf(a);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(pictureGpu().startsWith(u"GPU-"_s));
}

void QueueCardsTest::aTrainingSaysWhatItWaitsFor() {
    supervise();
    Worked a = worked(u"a"_s, 0);
    const QString both = waiting(u"both"_s, "GPU-1,GPU-2");
    const QString second = waiting(u"second"_s, "GPU-2");
    const QString any = waiting(u"any"_s, "");
    openRuns();
    QTRY_COMPARE(atWork(), size_t{1});
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    const auto state = [&model](const QString& run) { return textOf(model, run, QueueModel::StateRole); };
    QTRY_COMPARE(state(both), u"waits for GPU 0 and 1"_s);
    QCOMPARE(state(second), u"waits for GPU 1"_s); // which is free, and kept for the first
    QCOMPARE(state(any), u"waiting"_s);
    m_services->runs.setOrder({second, both, any});
    QTRY_COMPARE(state(second), u"waiting"_s); // it is the next one there
    QCOMPARE(state(both), u"waits for GPU 0 and 1"_s);
    m_services->runs.setOrder({both, second, any});
    QTRY_COMPARE(state(second), u"waits for GPU 1"_s);
    endOf(a);
    QTRY_COMPARE(state(both), u"waiting"_s);
    QCOMPARE(state(second), u"waits for GPU 1"_s);
}

void QueueCardsTest::aCardThatIsGoneIsWaitedForByNobody() {
    supervise();
    const Worked a = worked(u"a"_s, 0);
    const QString b = waiting(u"b"_s, "GPU-1,GPU-7");
    openRuns();
    QTRY_COMPARE(atWork(), size_t{1});
    QVERIFY(slotsWanted(b.toStdString(), kTwo).isEmpty()); // it begins, and the engine names the card
    QVERIFY(m_services->runs.cardsAwaited(b).isEmpty());
    QCOMPARE(slotsUsed(a.job, kTwo), QList<int>{0});
}

// By numbers or beginnings of ids; who names none has the first ones, as the supervisor has it.
void QueueCardsTest::whatTheCommandLineNamesIsUnderstood() {
    const auto wanted = [this](const char* name, const char* cards, int processes) {
        const QString folder = makeRunOn(QString::fromLatin1(name), "waiting", cards, false);
        const auto run = core::RunFolder::open(folder.toStdString());
        core::TrainConfig config = *run->config();
        config.parallel.processes = processes;
        config.memory.device = core::ComputeDevice::Auto;
        if (!run->setConfig(config).ok()) qFatal("%s cannot be changed", name);
        return slotsWanted(folder.toStdString(), kTwo);
    };
    QCOMPARE(wanted("numbers", "1,0", 2), (QList<int>{0, 1}));
    QCOMPARE(wanted("number", "1", 1), QList<int>{1});
    QCOMPARE(wanted("beginning", "GPU-2", 1), QList<int>{1});
    QCOMPARE(wanted("several", "GPU-", 1), QList<int>{}); // the engine refuses it
    QCOMPARE(wanted("wide", "", 2), (QList<int>{0, 1}));
    QCOMPARE(wanted("any", "", 1), QList<int>{});
}

HOMEBOOTH_APP_TEST_MAIN(QueueCardsTest)
#include "tst_queue_cards.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training that would wait for its turn is planned for the memory that there is by then, and is put
// into the queue. An engine of a few lines plans; a run of the test's own holds all memory.
#include "app/engine/figures.h"
#include "app/engine/request_pool.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "core/base/system/held_elsewhere.h"
#include "core/base/system/memory_facts.h"
#include "queue_fixture.h"

using namespace homebooth;
using namespace homebooth::app;

class QueuedPlanTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QueuedPlanTest(const TestPlace& place)
        : QueueFixture(place) {}

private Q_SLOTS:
    void init();
    void cleanup() { m_services.reset(); }
    void whatAWorkingTrainingHoldsIsNoObstacleToTheQueue();
    void thePlanFollowsWhetherItWouldWait();
    void ramThatIsFreeByThenIsCounted();
};

namespace {

/// Nothing fits but what is planned for its turn.
constexpr const char* kFitsInTurn = R"sh(#!/bin/bash
[ "$1" = plan ] || exit 0
for word; do
    if [ "$word" = --in-turn ]; then
        echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5}'
        exit 0
    fi
done
echo "error: plan: this needs about 9 GiB of memory, and 2 GiB may be used" >&2
exit 4
)sh";

const QString kForItsTurn = u"Planned for its turn: what works now has given its memory back by then."_s;

} // namespace

void QueuedPlanTest::init() {
    QVERIFY(useEngine(m_place, kFitsInTurn));
    beginAgain();
    const QString photo = writeTestPicture(m_place.path("robot.png"), 1, {64, 64});
    m_services->subjects.addFromPhotos({photo}, u"robot"_s);
    m_services->models.refresh();
    QTRY_VERIFY(m_services->models.find(builtInModel()) != nullptr &&
                m_services->models.find(builtInModel())->looked);
}

void QueuedPlanTest::whatAWorkingTrainingHoldsIsNoObstacleToTheQueue() {
    const QString folder = makeRun("old", "running");
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    QVERIFY(m_services->runs.waitsForTurn());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.prepareSubject(m_services->subjects.subjects().front().id);
    auto* add = buttonNamed(page, u"Add to the queue"_s);
    QVERIFY(add != nullptr);
    QTRY_VERIFY(add->isEnabled());
    const QStringList texts = shownTexts(page);
    QVERIFY2(texts.contains(u"This will fit"_s), qPrintable(texts.join('|')));
    QVERIFY2(texts.contains(kForItsTurn), qPrintable(texts.join('|')));
    {
        const Blocked copying(requestPool());
        add->click();
        Q_EMIT m_services->runs.begun(folder, true); // another one, which is not taken for this
    }
    QSignalSpy begun(&m_services->runs, &RunCentre::begun);
    QTRY_COMPARE(begun.size(), 1);
    QVERIFY(begun.front().at(1).toBool());
    QTRY_COMPARE(m_services->runs.queue().size(), 1);
    QTRY_COMPARE(add->text(), u"Waits already"_s); // the same once more is for nothing
    QVERIFY(!add->isEnabled());
    m_services->settings.set(keys::kRam, 2.5); // another one is not the same
    QTRY_COMPARE(add->text(), u"Add to the queue"_s);
    QTRY_VERIFY(add->isEnabled());
    m_services->settings.reset(keys::kRam);
    QTRY_COMPARE(add->text(), u"Waits already"_s);
    m_services->runs.unqueue(m_services->runs.queue().front());
    QTRY_COMPARE(add->text(), u"Add to the queue"_s);
    QTRY_VERIFY(add->isEnabled());
}

void QueuedPlanTest::thePlanFollowsWhetherItWouldWait() {
    const QString folder = makeRun("old", "running");
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    TrainSetup setup(m_services->all());
    setup.show();
    QTRY_VERIFY(setup.ready());
    writeEvents(folder, {outcome("done")});
    lock.reset();
    QTRY_VERIFY(!m_services->runs.busy());
    QTRY_VERIFY2(shownTexts(setup).contains(u"Does not fit"_s), qPrintable(shownTexts(setup).join('|')));
    QVERIFY(!shownTexts(setup).contains(kForItsTurn));
    QVERIFY(!setup.ready()); // it would begin at once
    m_services->runs.setGate({[] { return false; }, {}});
    Q_EMIT m_services->runs.queueChanged();
    QTRY_VERIFY(setup.ready()); // it would wait for pictures
    m_services->runs.setGate({});
}

/// A figure of the plan's own: the form does not count processes.
void QueuedPlanTest::ramThatIsFreeByThenIsCounted() {
    constexpr int64_t kPlenty = int64_t{1} << 50;
    PlanFacts facts;
    facts.verdict = PlanFacts::Verdict::Fits;
    facts.plan.predicted.ramBytes = 1;
    const core::MemoryFacts ram = core::memoryFacts();
    PlanPanel panel;
    panel.show(facts, {}, m_place.path("runs"));
    QVERIFY(!shownTexts(panel).contains(kForItsTurn));
    facts.inTurn = true;
    facts.plan.decisions = {{"held", core::kHeldUntilTurn, {{"heldBytes", double(kPlenty)}}}};
    panel.show(facts, {}, m_place.path("runs"));
    const QString all = u"%1 free"_s.arg(memoryOfText(facts.plan.predicted.ramBytes, ram.totalBytes));
    const QStringList texts = shownTexts(panel);
    QVERIFY2(texts.contains(kForItsTurn), qPrintable(texts.join('|')));
    QVERIFY2(texts.contains(all), qPrintable(texts.join('|')));
}

HOMEBOOTH_APP_TEST_MAIN(QueuedPlanTest)
#include "tst_queued_plan.moc"

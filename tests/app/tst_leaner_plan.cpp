// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training that goes on with less memory because other programs took some: what is known of it, and how it
// is told.
#include "app/engine/plans/leaner_plan.h"
#include "app/engine/runs/run_session.h"
#include "app/widgets/message_bar.h"
#include "queue_fixture.h"
#include "run_page.h"

#include <QDialog>
#include <QPlainTextEdit>

using namespace homebooth;
using namespace homebooth::app;

class LeanerPlanTest : public QueueFixture {
    Q_OBJECT
public:
    explicit LeanerPlanTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void itIsToldWithTheNewPlan();
    void aClosedMessageStaysClosed();
    void moreMemoryTakesTheMessageBack();
    void ramIsTold();
    void otherPlansAreNone_data();
    void otherPlansAreNone();

private:
    /// A run that goes on with less of the card's memory. @returns its folder
    QString makeSqueezed();
};

namespace {

constexpr int64_t kGibi = int64_t{1} << 30;

core::PlanEvent planOf(const char* code, double stepSeconds, int64_t deviceBytes) {
    core::PlanEvent plan;
    plan.predicted.stepSeconds = stepSeconds;
    plan.predicted.deviceBytes = deviceBytes;
    plan.decisions = {{"why", code}};
    return plan;
}

/// Steps of 1.9 s, before which other programs take 1.8 GB more of the memory that computes. @param gpu which
/// is a graphics card's
std::vector<core::Event> squeezed(const core::PlanEvent& plan, bool gpu) {
    std::vector<core::Event> events{planOf("run-begins", 1.9, 5 * kGibi)};
    for (int64_t number = 2; number <= 20; ++number) {
        core::MemoryEvent memory;
        memory.step = number;
        core::TierMemory& tier = gpu ? memory.device : memory.ram;
        tier.parameterBytes = 2 * kGibi;
        tier.otherBytes = kGibi + (number > 16 ? static_cast<int64_t>(1.8 * double(kGibi)) : 0);
        events.emplace_back(core::StepEvent{number, 1, 0.5, 1e-4, 1.9, 0.5, {}, {}, {}, {}});
        events.emplace_back(memory);
    }
    events.emplace_back(plan);
    events.emplace_back(core::StepEvent{21, 1, 0.5, 1e-4, 2.3, 0.5, {}, {}, {}, {}});
    return events;
}

RunData dataOf(const std::vector<core::Event>& events) {
    RunUpdate update;
    for (const core::Event& event : events)
        update.take(core::JournalEntry{1, "2026-11-21T10:00:00.000Z", event});
    RunData data;
    data.apply(update);
    return data;
}

} // namespace

QString LeanerPlanTest::makeSqueezed() {
    QString folder = makeRun("squeezed", "running");
    writeEvents(folder, squeezed(planOf("again-less-memory", 2.3, 3 * kGibi), true));
    return folder;
}

void LeanerPlanTest::itIsToldWithTheNewPlan() {
    const QString folder = makeSqueezed();
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_COMPARE(page.messages().currentText(),
                 u"<b>Now using less graphics memory.</b> Another program took 1.8 GB. Nothing "
                 "was lost; steps take 2.3 s, not 1.9."_s);
    buttonNamed(page.messages(), u"Show plan"_s)->click();
    const auto* dialog = page.findChild<QDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QPlainTextEdit*>()->toPlainText().contains(
        u"Planned again: less memory is free than before."_s));
}

void LeanerPlanTest::aClosedMessageStaysClosed() {
    const QString folder = makeSqueezed();
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_COMPARE(page.messages().count(), 1);
    page.messages().clear();
    writeEvents(folder, {core::StepEvent{22, 1, 0.5, 1e-4, 2.3, 0.5, {}, {}, {}, {}}});
    QTRY_COMPARE(m_services->runs.current()->data().step(), int64_t{22});
    QTest::qWait(1200); // longer than a tick
    QCOMPARE(page.messages().count(), 0);
}

void LeanerPlanTest::moreMemoryTakesTheMessageBack() {
    const QString folder = makeSqueezed();
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_COMPARE(page.messages().count(), 1);
    writeEvents(folder, {planOf("again-more-memory", 1.9, 5 * kGibi)});
    QTRY_COMPARE(page.messages().count(), 0);
}

void LeanerPlanTest::ramIsTold() {
    const auto leaner = leanerPlanOf(dataOf(squeezed(planOf("again-less-ram", 1.9, 3 * kGibi), false)));
    QVERIFY(leaner);
    QVERIFY(!leaner->ofGpu);
    QCOMPARE(leaner->step, int64_t{20});
    QCOMPARE(leaner->takenBytes, static_cast<int64_t>(1.8 * double(kGibi)));
    QVERIFY(!leaner->slower());
    // On a processor the memory that computes is RAM, too.
    const auto other = leanerPlanOf(dataOf(squeezed(planOf("again-less-memory", 2.3, 3 * kGibi), false)));
    QVERIFY(other && !other->ofGpu && other->slower());
}

void LeanerPlanTest::otherPlansAreNone_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("gibi");
    QTest::newRow("measured") << QByteArray("again-measured") << 3;
    QTest::newRow("more memory") << QByteArray("again-more-memory") << 6;
    QTest::newRow("ran out") << QByteArray("again-memory-ran-out") << 3; // a warning says that
    QTest::newRow("takes the same") << QByteArray("again-less-memory") << 5;
}

void LeanerPlanTest::otherPlansAreNone() {
    QFETCH(QByteArray, code);
    QFETCH(int, gibi);
    QVERIFY(!leanerPlanOf(dataOf(squeezed(planOf(code.constData(), 2.3, gibi * kGibi), true))));
    QVERIFY(!leanerPlanOf(RunData()));
}

HOMEBOOTH_APP_TEST_MAIN(LeanerPlanTest)
#include "tst_leaner_plan.moc"

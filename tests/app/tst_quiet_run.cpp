// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training from which no step comes: told after a while, with the choice to wait or to stop. One that the
// engine has started again behind the machine's sleep says so and is at no end.
#include "app/engine/engine_words.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/warning_line.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "core/base/run/journal/event_json.h"
#include "queue_fixture.h"
#include "run_page.h"

#include <QDateTime>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <chrono>
#include <filesystem>

using namespace homebooth;
using namespace homebooth::app;

class QuietRunTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QuietRunTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void longSilenceIsToldUntilSomebodyWaits();
    void aStepTakesTheMessageBack();
    void aShortSilenceIsNone();
    void theDrivesClockMayBeAnotherOne();
    void aWorkerThatSaysNothingAtAllIsTold();
    void whatGoesOnBehindASleepSaysSo();
    void howLongTheComputerSleptIsTold();
    void aLongStepIsNoSilence_data();
    void aLongStepIsNoSilence();
    void examplesTellTheTimeThatIsLeft();
    void whatGoesOnShowsNothingOfTheAttemptBefore();

private:
    void standsStillWithoutALock(const RunSession& run, const QString& folder);
    /// A run that works and was heard of so many seconds ago.
    QString quietRun(qint64 seconds, const std::vector<core::Event>& events = {}) {
        const QString folder = makeRun("quiet", "running");
        writeEvents(folder, events);
        sayEarlier(folder, seconds);
        return folder;
    }
    /// What the journal says was said so long ago.
    static void sayEarlier(const QString& folder, qint64 seconds) {
        const auto then = std::chrono::system_clock::now() - std::chrono::seconds(seconds);
        QFile journal(folder + u"/events.jsonl"_s);
        if (!journal.open(QIODevice::ReadWrite)) qFatal("%s has no journal", qPrintable(folder));
        QString text = QString::fromUtf8(journal.readAll());
        static const QRegularExpression time(u"\"time\":\"[^\"]*\""_s);
        const QString earlier = QString::fromStdString(core::isoTime(then));
        text.replace(time, u"\"time\":\"%1\""_s.arg(earlier));
        journal.resize(0);
        journal.seek(0);
        journal.write(text.toUtf8());
        journal.close();
        makeOlder(folder, seconds);
    }
    /// The drive says so of the journal.
    static void makeOlder(const QString& folder, qint64 seconds) {
        QFile journal(folder + u"/events.jsonl"_s);
        const QDateTime then = QDateTime::currentDateTime().addSecs(-seconds);
        if (!journal.open(QIODevice::ReadWrite) ||
            !journal.setFileTime(then, QFileDevice::FileModificationTime))
            qFatal("%s cannot be made older", qPrintable(folder));
    }
};

namespace {

bool says(const TrainPage& page, const QString& words) {
    const auto labels = page.findChildren<ElidedLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&words](const ElidedLabel* one) { return one->fullText().contains(words); });
}

} // namespace

void QuietRunTest::longSilenceIsToldUntilSomebodyWaits() {
    const QString folder = quietRun(240);
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    MessageBar& messages = page.messages();
    QTRY_VERIFY2(messages.currentText().contains(u"No step for 4 min"_s), qPrintable(messages.currentText()));
    QVERIFY(messages.currentText().contains(u"Nothing is saved yet"_s));
    QVERIFY(messages.currentText().contains(u"the processor or the memory busy"_s));
    QVERIFY(buttonNamed(messages, u"Stop and keep"_s) != nullptr);
    buttonNamed(messages, u"Wait"_s)->click();
    QCOMPARE(messages.count(), 0);
    QTest::qWait(1500); // longer than a tick
    QCOMPARE(messages.count(), 0);
}

void QuietRunTest::aStepTakesTheMessageBack() {
    core::PlanEvent onCard;
    onCard.predicted.deviceBytes = int64_t{1} << 30;
    onCard.decisions.push_back({"", "run-begins"});
    const QString folder = quietRun(240, {onCard});
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_COMPARE(page.messages().count(), 1);
    QVERIFY(page.messages().currentText().contains(u"holds the card"_s));
    writeEvents(folder, {step(2)});
    QTRY_COMPARE(page.messages().count(), 0);
}

void QuietRunTest::aShortSilenceIsNone() {
    const QString folder = quietRun(30);
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTest::qWait(1500);
    QCOMPARE(page.messages().count(), 0);
}

void QuietRunTest::theDrivesClockMayBeAnotherOne() {
    const QString folder = makeRun("elsewhere", "running");
    makeOlder(folder, 7200); // as its own clock has it
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_VERIFY(m_services->runs.busy());
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::Learning);
    QVERIFY(m_services->runs.working()->quietMs() < 60'000);
    QCOMPARE(page.messages().count(), 0);
    writeEvents(folder, {step(2)});
    makeOlder(folder, 7100);
    QTRY_COMPARE(m_services->runs.working()->data().step(), int64_t{2});
    QTest::qWait(600); // longer than the time between two looks
    QVERIFY(m_services->runs.working()->quietMs() < 60'000);
    QTRY_COMPARE(page.messages().count(), 0);
}

void QuietRunTest::aWorkerThatSaysNothingAtAllIsTold() {
    const QString folder = makeRun("mute", "running", /*begun=*/false);
    writeEvents(folder, {core::PlanEvent{}});
    sayEarlier(folder, 30);
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_VERIFY(says(page, u"Starting, last sign of life 3"_s));
}

void QuietRunTest::whatGoesOnBehindASleepSaysSo() {
    const QString folder = makeRun("slept", "running");
    const auto lock = work(folder);
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    TrainPage page(m_services->all());
    page.setVisible(true);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    page.showRun();
    core::OutcomeEvent lost;
    lost.result = "failed";
    lost.code = 6;
    lost.message = "the GPU stopped answering";
    writeEvents(folder, {lost});
    QTest::qWait(600); // longer than the time between two looks
    writeEvents(folder, {core::WarningEvent{"after-sleep", "it goes on from the last checkpoint"},
                         core::StateEvent{"loading", "", 0, 0}, core::ResumedEvent{1},
                         core::StateEvent{"training", "", 1, 100}});
    auto* line = page.findChild<WarningLine*>();
    QTRY_VERIFY(line->isVisible());
    QCOMPARE(line->findChild<ElidedLabel*>()->fullText(), warningHeadline("after-sleep"));
    QVERIFY(warningHeadline("after-sleep") != warningHeadline("of a later engine"));
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::Learning);
    QCOMPARE(finished.size(), 0);
    QCOMPARE(page.messages().count(), 0);
}

void QuietRunTest::howLongTheComputerSleptIsTold() {
    const QString folder = makeRun("lid", "running");
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_VERIFY(says(page, u"step 1 of 100"_s));
    QVERIFY(!says(page, u"slept"_s));
    const core::JournalEntry woken{100, core::isoTime(std::chrono::system_clock::now()), step(2), 3'300'000};
    QFile journal(folder + u"/events.jsonl"_s);
    QVERIFY(journal.open(QIODevice::Append));
    journal.write(QByteArray::fromStdString(core::toJsonLine(woken)) + '\n');
    journal.close();
    QTRY_VERIFY(says(page, u"step 2 of 100"_s));
    QVERIFY(says(page, u"the computer slept 55 min"_s));
}

void QuietRunTest::aLongStepIsNoSilence_data() {
    QTest::addColumn<int>("quietSeconds");
    QTest::addColumn<bool>("planned");
    QTest::addColumn<bool>("told");
    QTest::newRow("in a step") << 80 << false << false;
    QTest::newRow("in the first step") << 80 << true << false;
    QTest::newRow("for several steps") << 300 << false << true;
}

void QuietRunTest::aLongStepIsNoSilence() {
    QFETCH(int, quietSeconds);
    QFETCH(bool, planned);
    QFETCH(bool, told);
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 90.0;
    std::vector<core::Event> steps;
    for (const int64_t number : {2, 3, 4})
        steps.emplace_back(core::StepEvent{number, 1, 0.5, 1e-4, 90.0, 0.01, {}, {}, {}, {}});
    const std::vector<core::Event> begins{core::ResumedEvent{0}, plan,
                                          core::StateEvent{"training", "", 0, 100}};
    const QString folder = quietRun(quietSeconds, planned ? begins : steps);
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_VERIFY(says(page, planned ? u"Learning"_s : u"step 4 of 100"_s));
    QTRY_COMPARE(says(page, u"last sign of life"_s), told);
}

void QuietRunTest::examplesTellTheTimeThatIsLeft() {
    const QString folder = makeRun("examples", "running", /*begun=*/false);
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 90.0;
    writeEvents(folder, {plan, core::StateEvent{"class-images", "a toy", 4, 50}});
    const auto lock = work(folder);
    openRuns();
    RunPage page(*m_services);
    QTRY_VERIFY(says(page, u"Making example pictures 4 of 50, "_s));
    QVERIFY(says(page, u" left"_s));
    const QueueModel queue(m_services->all());
    QTRY_VERIFY(rowOf(queue, folder) >= 0);
    const QModelIndex row = queue.index(rowOf(queue, folder), 0);
    QCOMPARE(row.data(QueueModel::StateRole).toString(), u"Making example pictures 4 of 50"_s);
    const QString detail = row.data(QueueModel::DetailRole).toString();
    QVERIFY2(detail.contains(u" left"_s), qPrintable(detail));
    QVERIFY2(!detail.contains(u"Making example"_s), qPrintable(detail)); // said once
}

void QuietRunTest::whatGoesOnShowsNothingOfTheAttemptBefore() {
    const QString folder =
        quietRun(240, {core::CheckpointEvent{1, "/a"}, step(2), core::StateEvent{"saving", "", 0, 0}});
    openRuns();
    RunPage page(*m_services, folder);
    const RunSession& run = *m_services->runs.current();
    QTRY_COMPARE(run.phase(), RunPhase::Failed);
    m_services->runs.resume(folder);
    const QString starts = u"Starting: goes on from step 1 of 100"_s;
    QTRY_VERIFY(says(page, starts));
    // As the supervisor has it before the engine says a word.
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    QTRY_VERIFY(run.data().workerAlive);
    QCOMPARE(run.phaseText(), u"Starting"_s);
    QTest::qWait(1200); // longer than a tick
    QVERIFY(says(page, starts) && !says(page, u"last sign of life"_s));
    QVERIFY(run.quietMs() < 240'000);
    writeEvents(folder, {core::StateEvent{"loading", "", 0, 0}, core::ResumedEvent{1},
                         core::StateEvent{"training", "", 1, 100}, step(2)});
    QTRY_COMPARE(run.phase(), RunPhase::Learning);
    lock.reset(); // as where it cannot be read for a moment
    QTRY_VERIFY(!run.data().workerAlive);
    lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    QTRY_VERIFY(run.data().workerAlive);
    writeEvents(folder, {step(3)});
    QTRY_COMPARE(run.phase(), RunPhase::Learning);
    writeEvents(folder, {core::StateEvent{"paused", "", 3, 100}});
    QTRY_COMPARE(run.phase(), RunPhase::Paused);
    standsStillWithoutALock(run, folder);
}

/// One who stands still says nothing more when the lock cannot be opened for a while: links are not.
void QuietRunTest::standsStillWithoutALock(const RunSession& run, const QString& folder) {
    const std::string file = (folder + u"/lock"_s).toStdString();
    std::filesystem::create_hard_link(file, file + ".aside");
    std::filesystem::create_symlink(file + ".aside", file + ".link");
    std::filesystem::rename(file + ".link", file);
    QTest::qWait(600); // longer than the time between two looks
    QVERIFY(run.data().workerAlive);
    std::filesystem::rename(file + ".aside", file);
    QTest::qWait(600);
    QCOMPARE(run.phase(), RunPhase::Paused);
}

HOMEBOOTH_APP_TEST_MAIN(QuietRunTest)
#include "tst_quiet_run.moc"

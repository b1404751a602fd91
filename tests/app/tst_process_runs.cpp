// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One training in several processes, as the window has it while it works and when it has ended: what each
// takes, which of them ended, how many there were.
#include "app/engine/runs/run_data.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/chart_board.h"
#include "app/pages/train/run/rank_line.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "queue_fixture.h"
#include "run_page.h"

using namespace homebooth;
using namespace homebooth::app;

class ProcessRunsTest : public QueueFixture {
    Q_OBJECT
public:
    explicit ProcessRunsTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void init() {
        useFakeEngine();
        beginAgain();
    }
    void cleanup() { m_services.reset(); }
    void whatEachTakesStandsBelowTheChart();
    void ofManyTheRangeIsTold();
    void theOneThatEndedIsNamed_data();
    void theOneThatEndedIsNamed();
    void queueAndEndSayHowManyThereWere();

private:
    /// A run that so many processes train. @returns its folder
    QString makeShared(const QString& name, const char* state, int64_t processes);
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;

/// @param ram  of each process
core::MemoryEvent memoryAt(int64_t step, const std::vector<int64_t>& ram) {
    core::MemoryEvent memory;
    memory.step = step;
    memory.ram.parameterBytes = 300 * kMebi;
    for (const int64_t bytes : ram) memory.ranks.push_back({0, bytes});
    return memory;
}

bool says(const QWidget& root, const QString& part) {
    for (const auto* label : root.findChildren<ElidedLabel*>())
        if (label->fullText().contains(part)) return true;
    return false;
}

} // namespace

QString ProcessRunsTest::makeShared(const QString& name, const char* state, int64_t processes) {
    const QString folder = makeRun(name, state);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.parallel.processes = processes;
    if (!run->setConfig(config).ok()) qFatal("%s cannot be changed", qPrintable(folder));
    return folder;
}

void ProcessRunsTest::whatEachTakesStandsBelowTheChart() {
    const QString folder = makeShared(u"shared"_s, "running", 2);
    writeEvents(folder, {memoryAt(1, {300 * kMebi, 500 * kMebi})});
    RunSession run(folder, u"shared"_s);
    ChartBoard board;
    board.resize(1400, 800);
    board.show();
    board.follow(&run);
    const auto* line = board.findChild<RankLine*>();
    QTRY_VERIFY(!line->isHidden());
    QCOMPARE(line->text(), u"Process 1: 300 MB, Process 2: 500 MB. Process 2 takes the most. "
                           "The chart shows process 1."_s);
    QCOMPARE(ramOfAllProcesses(run.data()), 800 * kMebi);
    writeEvents(folder, {core::ResumedEvent{0}, memoryAt(1, {})}); // gone on with in one process
    QTRY_VERIFY(line->isHidden());
    QTRY_COMPARE(ramOfAllProcesses(run.data()), 300 * kMebi);
}

void ProcessRunsTest::ofManyTheRangeIsTold() {
    RankLine line;
    line.show({300 * kMebi, 300 * kMebi});
    QCOMPARE(line.text(), u"Process 1: 300 MB, Process 2: 300 MB. The chart shows process 1."_s);
    std::vector<int64_t> many(16, 300 * kMebi);
    many[11] = 700 * kMebi;
    line.show(many);
    QCOMPARE(line.text(), u"16 processes: 300 MB to 700 MB each. Process 12 takes the most. "
                          "The chart shows process 1."_s);
    line.show({300 * kMebi});
    QVERIFY(line.isHidden());
}

void ProcessRunsTest::theOneThatEndedIsNamed_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("headline");
    QTest::addColumn<QString>("who");
    const QString second = u"It was process 2 of 2 (rank 1); the others ended with it."_s;
    QTest::newRow("killed") << 1
                            << "rank 1 of 2 ended, and with it the others: the worker was killed from "
                               "outside (SIGKILL): by you, another program, or a guard"
                            << "Another program or the system ended the training." << second;
    QTest::newRow("memory") << 4
                            << "rank 0 of 2 ended, and with it the others: the system killed the worker "
                               "because memory ran out; use less"
                            << "The system ended training: RAM ran out."
                            << "It was process 1 of 2 (rank 0); the others ended with it.";
    QTest::newRow("all agree on it") << 4
                                     << "rank 0 of 2 ended, and with it the others: rank 1: /runs: the "
                                        "disk is full; free some space"
                                     << "The disk is full." << second;
    QTest::newRow("none says why") << 1
                                   << "rank 0 of 3 ended, and with it the others: rank 0 of 3 lost rank 2: "
                                      "its sum expected data from it, but its connection ended (reset); see "
                                      "how rank 2 ended, then resume from the last checkpoint"
                                   << "The processes of the training lost each other."
                                   << "It was process 3 of 3 (rank 2); the others ended with it.";
    QTest::newRow("one alone") << 1 << "the worker was killed from outside (SIGKILL)"
                               << "Another program or the system ended the training." << QString();
}

void ProcessRunsTest::theOneThatEndedIsNamed() {
    QFETCH(int, code);
    QFETCH(QString, message);
    QFETCH(QString, headline);
    QFETCH(QString, who);
    const QString folder = makeRun("ended", "failed", /*begun=*/false);
    writeEvents(folder, {core::StateEvent{"training", "", 0, 0}, step(1),
                         core::OutcomeEvent{"failed", {}, {}, code, message.toStdString(), ""}});
    QCOMPARE(readRunEnd(folder).who, who);
    openRuns();
    RunPage page(*m_services, folder);
    const auto told = [&page] { return page.messages().currentText(); };
    QTRY_VERIFY2(told().startsWith(u"<b>%1</b>"_s.arg(headline)), qPrintable(told()));
    QCOMPARE(told().contains(u"It was process"_s), !who.isEmpty());
    QVERIFY2(told().contains(who), qPrintable(told()));
    QCOMPARE(page.mainButton()->text(), u"Resume"_s);
    m_services->runs.dismiss();
}

void ProcessRunsTest::queueAndEndSayHowManyThereWere() {
    const QString running = makeShared(u"running"_s, "running", 2);
    const QString done = makeShared(u"done"_s, "done", 2);
    const auto lock = work(running);
    QVERIFY(lock.ok());
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    QueueModel model(m_services->all());
    const auto detail = [&] {
        return model.index(rowOf(model, running), 0).data(QueueModel::DetailRole).toString();
    };
    QTRY_VERIFY2(detail().contains(u"2 processes"_s), qPrintable(detail()));
    RunPage page(*m_services, done);
    QTRY_VERIFY(says(page, u"2 processes trained it together."_s));
    m_services->runs.dismiss();
}

HOMEBOOTH_APP_TEST_MAIN(ProcessRunsTest)
#include "tst_process_runs.moc"

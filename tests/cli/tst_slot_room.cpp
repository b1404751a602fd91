// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Room for several jobs at once: they share the RAM by their plans, and who finds none waits for some.
#include "core/base/system/held_elsewhere.h"
#include "core/base/system/memory_facts.h"
#include "core/cli/queue/free_slots.h"
#include "core/cli/queue/job_refusals.h"
#include "tests/cli/slotted.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <signal.h>

using namespace homebooth::core;
using namespace homebooth::test;

class tst_slot_room : public Slotted {
    Q_OBJECT

    /// RAM that a plan may use, as it says; -1: nothing.
    static qint64 budgetOf(const Finished& plan) {
        const QJsonObject told = QJsonDocument::fromJson(QByteArray::fromStdString(plan.out)).object();
        for (const QJsonValue& reason : told["reasons"].toArray())
            if (reason["code"].toString() == "budget")
                return static_cast<qint64>(reason["facts"]["ramBytes"].toDouble());
        return -1;
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginWithTwo(); }

    void jobsArePlannedOneAfterAnother() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        fs::remove(m_folder.filePath("pid").toStdString());
        QProcess process;
        beginInSlots(process, "endless plan");
        QTRY_VERIFY_WITH_TIMEOUT(workerPid() > 0, kLongestMs);
        QTest::qWait(1500);
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"a"});
        QCOMPARE(runsOf(queue, JobState::Waiting), QStringList{"b"});
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(runsOf(queue, JobState::Waiting), (QStringList{"a", "b"}));
        QCOMPARE(historyOf(a).outcome->result,
                 "done"); // that of its making; nothing failed since
    }

    void whatTheOthersWillTakeIsNotPlannedForAgain() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        constexpr int64_t kLimit = int64_t{2} << 30; // of all of them together
        const QByteArray limit = QByteArray::number(qlonglong{kLimit});
        qputenv(kRamLimitVariable, limit);
        QProcess process;
        beginInSlots(process);
        qunsetenv(kRamLimitVariable);
        QTRY_VERIFY_WITH_TIMEOUT(started(a) && started(b), kLongestMs);
        QCOMPARE(startOf(a)[2], QString::fromLatin1(limit)); // nobody was there
        const int64_t granted = startOf(b)[2].toLongLong();
        const int64_t planned = historyOf(a).plan->predicted.ramBytes;
        QVERIFY(planned > 0);
        QVERIFY2(granted > 0 && granted <= kLimit - planned, QByteArray::number(qlonglong{granted}));
        for (const std::string& one : {a, b}) tell(one, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void whatRunsIsNotInTheWayOfWhatWaitsForItsTurn() {
        const std::string a = makeRun("a", "until told, holds memory");
        QVERIFY(JobQueue(queueFolder()).add(a).ok());
        QProcess process;
        beginInSlots(process);
        QTRY_VERIFY_WITH_TIMEOUT(started(a), kLongestMs);
        QStringList arguments = trainArguments();
        arguments.front() = "plan";
        arguments << "--json";
        qputenv(kRamLimitVariable, "1073741824"); // whatever other programs take and give back meanwhile
        const auto unlimited = qScopeGuard([] { qunsetenv(kRamLimitVariable); });
        const Finished now = run(arguments, "done");
        QVERIFY2(now.code == 0, now.err.c_str());
        QVERIFY2(!contains(now.out, kHeldUntilTurn), now.out.c_str());
        const Finished then = run(arguments << "--in-turn", "done");
        QVERIFY2(then.code == 0, then.err.c_str());
        QVERIFY2(contains(then.out, kHeldUntilTurn), then.out.c_str());
        constexpr qint64 kMebi = 1 << 20;
        const qint64 budget = budgetOf(now);
        QVERIFY2(budget > 0 && budget < 1024 * kMebi, now.out.c_str());
        QVERIFY2(budgetOf(then) - budget > 150 * kMebi, then.out.c_str());
        const Finished limited = run(arguments << "--ram" << QString::number(budget), "done");
        QVERIFY2(limited.code == 0 && budgetOf(limited) <= budget, limited.out.c_str()); // the user's own
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void whatFindsNoRoomBesideAnotherWaitsForItsEnd() {
        const JobQueue queue(queueFolder());
        const auto [a, b] = queued<2>(queue);
        const size_t before = historyOf(b).steps.size();
        QProcess process;
        process.setProcessChannelMode(QProcess::SeparateChannels);
        start(process, {"supervise"}, "alone");
        QByteArray told;
        QTRY_VERIFY_WITH_TIMEOUT((told += process.readAllStandardError()).contains("waits for it"),
                                 kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Waiting), QStringList{"b"}, kLongestMs);
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"a"});
        QTest::qWait(1500);
        QVERIFY(!started(b));
        QVERIFY(queue.jobs(JobState::Failed)->empty());
        QCOMPARE(historyOf(b).outcome->result, "done"); // that of its making: nothing was begun
        QCOMPARE(historyOf(b).steps.size(), before);
        tell(a, "done");
        QTRY_VERIFY_WITH_TIMEOUT(started(b), kLongestMs);
        QCOMPARE(startOf(b)[2], QString("none"));
        tell(b, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(queue.jobs()->empty() && queue.jobs(JobState::Failed)->empty());
    }

    void whatItsOwnLimitRefusesDoesNotWait_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("how");
        QTest::newRow("RAM") << "--ram"
                             << "alone";
        QTest::newRow("graphics memory") << "--gpu-memory"
                                         << "alone, limited";
    }
    void whatItsOwnLimitRefusesDoesNotWait() {
        QFETCH(QString, option);
        QFETCH(QString, how);
        const std::string a = makeRun("a");
        m_run = m_folder.filePath("b");
        fs::remove_all(m_run.toStdString());
        QCOMPARE(run(trainArguments() + QStringList{option, "1GiB"}, "done").code, 0);
        const std::string b = m_run.toStdString();
        std::ofstream(b + "/how") << "until told\n";
        const JobQueue queue(queueFolder());
        for (const std::string& one : {a, b}) QVERIFY(queue.add(one).ok());
        QProcess process;
        beginInSlots(process, how);
        QTRY_COMPARE_WITH_TIMEOUT(runsOf(queue, JobState::Failed), QStringList{"b"}, kLongestMs);
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"a"}); // more than that it would never get
        QCOMPARE(historyOf(b).outcome->code, 4);
        tell(a, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void whatFindsRoomNowhereHasFailedOnce() {
        const JobQueue queue(queueFolder());
        const auto [a] = queued<1>(queue);
        QCOMPARE(run({"supervise"}, "never").code, 0);
        QVERIFY(!started(a));
        QCOMPARE(runsOf(queue, JobState::Failed), QStringList{"a"});
        QCOMPARE(historyOf(a).outcome->code, 4);
        const std::string journal = readAll(a + "/events.jsonl");
        const auto first = journal.find("\"failed\"");
        QVERIFY(first != std::string::npos && journal.find("\"failed\"", first + 1) == std::string::npos);
    }

    void aSlotWithoutRoomIsTriedAgainAfterAnEnd() {
        JobRefusals book(2);
        QVERIFY(book.mayTry("a", 0) && !book.knows("a") && !book.isLast("a", 0));
        book.add("a", 0, book.moment());
        QVERIFY(!book.mayTry("a", 0) && book.mayTry("a", 1) && book.isLast("a", 1));
        QVERIFY(!book.everywhere("a")); // another job may begin in the slot that it did not find room in
        book.add("a", 1, book.moment());
        QVERIFY(book.everywhere("a"));
        book.jobEnded();
        QVERIFY(book.mayTry("a", 0) && book.mayTry("a", 1) && book.everywhere("a"));
        book.add("a", 0, 0); // it began before that end
        QVERIFY(book.mayTry("a", 0) && !book.isLast("a", 1));
        book.forget("a");
        QVERIFY(!book.knows("a") && book.mayTry("a", 0));
    }

    void whoNeedsTwoGpusHasBothOrKeepsThemFree() {
        using Slots = std::vector<int>;
        const JobRefusals book(3);
        FreeSlots oneUsed({true, false, true});
        QCOMPARE(oneUsed.roomFor("two", {0, 1}, book), Slots{});
        QCOMPARE(oneUsed.roomFor("the first", {0}, book), Slots{}); // it is kept for "two"
        QCOMPARE(oneUsed.roomFor("any", {}, book), Slots{2});
        FreeSlots free({true, true, true});
        QCOMPARE(free.roomFor("two", {0, 1}, book), (Slots{0, 1}));
        FreeSlots used({false, false, false});
        QCOMPARE(used.roomFor("any", {}, book), Slots{});
    }

    void whoNeedsTwoGpusComesInTheEnd() {
        const JobRefusals book(2);
        std::vector<int> left{3, 5}; // looks until what runs in a slot has ended
        for (int look = 1; look < 5; ++look) {
            for (int& one : left) --one;
            FreeSlots free({left[0] <= 0, left[1] <= 0});
            QVERIFY(free.roomFor("two", {0, 1}, book).empty());
            QVERIFY(
                free.roomFor("any " + std::to_string(look), {}, book).empty()); // there always is one more
        }
        FreeSlots free({true, true});
        QCOMPARE(free.roomFor("two", {0, 1}, book), (std::vector<int>{0, 1}));
    }

    void whoFindsNoRoomOnItsGpusKeepsTheOthersBack() {
        JobRefusals book(2);
        book.add("two", 0, book.moment());
        FreeSlots free({true, true});
        QVERIFY(free.roomFor("two", {0, 1}, book).empty());
        QVERIFY(free.roomFor("any", {}, book).empty());
        book.add("pinned", 1, book.moment());
        FreeSlots busy({true, false}); // it waits for its GPU in any case
        QVERIFY(busy.roomFor("pinned", {1}, book).empty());
        QCOMPARE(busy.roomFor("any", {}, book), std::vector<int>{0});
        book.jobEnded();
        FreeSlots again({true, true});
        QCOMPARE(again.roomFor("two", {0, 1}, book), (std::vector<int>{0, 1}));
    }
};

QTEST_GUILESS_MAIN(tst_slot_room)
#include "tst_slot_room.moc"

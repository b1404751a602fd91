// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/ranks/ram_share.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/system/memory_facts.h"

#include <QtTest>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

/// What is looked at before and after each rename, which stands in for the system's.
struct Renames {
    std::function<void()> look;
    bool noExchange = false; ///< as on file systems that know none

    int rename(const char* from, const char* to, unsigned flags) {
        const auto seen = std::exchange(look, nullptr);
        if (seen) seen();
        const bool refused = noExchange && (flags & RENAME_EXCHANGE) != 0;
        const long done = refused ? -1 : ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
        const int why = refused ? EINVAL : errno;
        if (seen) seen();
        look = seen;
        errno = why;
        return static_cast<int>(done);
    }
};
Renames renames;

} // namespace

extern "C" {
int rename(const char* from, const char* to) noexcept {
    return renames.rename(from, to, 0);
}

int renameat2(int, const char* from, int, const char* to, unsigned flags) noexcept {
    return renames.rename(from, to, flags);
}
}

class tst_job_queue : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_place;
    std::string folder() const { return m_place->filePath("queue").toStdString(); }

    static QStringList runsOf(const JobQueue& queue, JobState state = JobState::Waiting) {
        QStringList runs;
        const auto jobs = queue.jobs(state);
        for (const QueuedJob& job : *jobs) runs.append(QString::fromStdString(job.runDir));
        return runs;
    }

    /// Of the queue's folder.
    QStringList hiddenFiles() const {
        return QDir(QString::fromStdString(folder())).entryList({".*"}, QDir::Files | QDir::Hidden);
    }

private slots:
    void init() {
        m_place = std::make_unique<QTemporaryDir>();
        renames = {};
    }

    void aMissingFolderHasNoJobs() {
        const JobQueue queue(folder());
        QVERIFY(queue.jobs()->empty());
        QVERIFY(!queue.held());
        QVERIFY(!queue.supervised());
        QVERIFY(!fs::exists(folder()));
    }

    void jobsKeepTheirIdsWhileTheirOrderChanges() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        const std::string b = *queue.add("/runs/b");
        const std::string c = *queue.add("/runs/c", /*first=*/true);
        QCOMPARE(runsOf(queue), (QStringList{"/runs/c", "/runs/a", "/runs/b"}));
        QVERIFY(queue.setOrder({b, "gone long ago", a}).ok()); // c is not named: last
        QCOMPARE(runsOf(queue), (QStringList{"/runs/b", "/runs/a", "/runs/c"}));
        std::set<std::string> ids;
        const auto jobs = queue.jobs();
        for (const QueuedJob& job : *jobs) ids.insert(job.id);
        QCOMPARE(ids, (std::set<std::string>{a, b, c}));
    }

    void aRunThatWasRenamedKeepsItsPlace() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        QVERIFY(queue.add("/runs/b").ok());
        QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/Hund", "/runs/b"}));
        QCOMPARE(queue.jobs()->front().id, a);
        QVERIFY(queue.jobs(JobState::Stopped)->empty());
        const auto lock = queue.supervise();
        QVERIFY(queue.move(a, JobState::Waiting, JobState::Running).ok());
        QVERIFY(queue.follow("/runs/Hund", "/runs/a").ok()); // it has begun
        QCOMPARE(queue.jobs(JobState::Running)->front().runDir, std::string("/runs/Hund"));
        QCOMPARE(runsOf(queue), QStringList{"/runs/b"});
        QVERIFY(queue.move(a, JobState::Running, JobState::Failed).ok());
        QVERIFY(queue.follow("/runs/Hund", "/runs/a").ok());
        QVERIFY(queue.jobs(JobState::Failed)->empty());
    }

    void aRunThatWasRenamedWaitsOnWhereTheDiskIsFull() {
        const JobQueue queue(folder());
        QVERIFY(queue.add("/runs/a").ok());
        struct rlimit limit {};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        const struct rlimit none = {0, limit.rlim_max};
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &none);
        const bool followed = queue.follow("/runs/a", "/runs/Hund").ok();
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, before);
        QVERIFY(!followed);
        QCOMPARE(runsOf(queue), QStringList{"/runs/a"});
        QVERIFY(queue.jobs(JobState::Stopped)->empty());
    }

    void aLostRunWaitsAgainAsTheFirstOnceItIsFound() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        QVERIFY(*queue.move(a, JobState::Waiting, JobState::Lost));
        QVERIFY(queue.add("/runs/b").ok());
        QVERIFY(queue.follow("/runs/other", "/runs/c").ok());
        QCOMPARE(runsOf(queue, JobState::Lost), QStringList{"/runs/a"});
        QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/Hund", "/runs/b"}));
        QCOMPARE(queue.jobs()->front().id, a);
        QVERIFY(*queue.move(a, JobState::Waiting, JobState::Lost));
        QVERIFY(queue.follow("/runs/Hund", "/runs/Hund").ok()); // put back where it was
        QCOMPARE(runsOf(queue), (QStringList{"/runs/Hund", "/runs/b"}));
        QVERIFY(*queue.move(a, JobState::Waiting, JobState::Lost));
        const std::string again = *queue.add("/runs/a"); // by somebody who found it
        QVERIFY(queue.follow("/runs/Hund", "/runs/a").ok());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/b", "/runs/a"}));
        QCOMPARE(queue.jobs()->back().id, again);
        QVERIFY(queue.jobs(JobState::Lost)->empty());
    }

    void aRunThatWasCutShortAndMovedIsFollowed() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        QVERIFY(queue.add("/runs/b").ok());
        {
            const auto lock = queue.supervise();
            QVERIFY(queue.take()->has_value());
            QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok()); // it is worked on
            QCOMPARE(runsOf(queue, JobState::Running), QStringList{"/runs/a"});
        }
        QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/Hund", "/runs/b"}));
        QCOMPARE(queue.jobs()->front().id, a);
        QVERIFY(queue.jobs(JobState::Running)->empty());
        QVERIFY(queue.supervise().ok()); // the lock is free again
    }

    void aJobWaitsAtEachMomentOfItsRenaming_data() {
        QTest::addColumn<bool>("noExchange");
        QTest::newRow("exchanged") << false;
        QTest::newRow("claimed") << true;
    }

    void aJobWaitsAtEachMomentOfItsRenaming() {
        QFETCH(bool, noExchange);
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        const auto lock = queue.supervise();
        std::set<std::string> said;
        int looks = 0;
        renames.noExchange = noExchange;
        renames.look = [&] { // as a supervisor does that works the queue off
            const auto jobs = queue.jobs();
            QCOMPARE(jobs->size(), size_t{1});
            QCOMPARE(jobs->front().id, a);
            said.insert(jobs->front().runDir);
            QVERIFY(!queue.take([](const QueuedJob&) { return false; })->has_value());
            for (const JobState state : {JobState::Running, JobState::Stopped, JobState::Failed})
                QVERIFY(queue.jobs(state)->empty());
            ++looks;
        };
        QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok());
        renames = {};
        QCOMPARE(looks, noExchange ? 10 : 4); // its new text, the exchange, and three steps instead
        QCOMPARE(said, (std::set<std::string>{"/runs/a", "/runs/Hund"}));
        QCOMPARE(runsOf(queue), QStringList{"/runs/Hund"});
        QVERIFY(hiddenFiles().isEmpty());
    }

    void aJobThatBeginsWhileItIsRenamedIsNotMadeAnew_data() { aJobWaitsAtEachMomentOfItsRenaming_data(); }

    void aJobThatBeginsWhileItIsRenamedIsNotMadeAnew() {
        QFETCH(bool, noExchange);
        for (int moment = 1; moment <= (noExchange ? 10 : 4); ++moment) {
            const JobQueue queue(folder() + std::to_string(moment));
            QVERIFY(queue.add("/runs/a").ok());
            const auto lock = queue.supervise();
            int looks = 0;
            renames.noExchange = noExchange;
            renames.look = [&] {
                if (++looks == moment) QVERIFY(queue.take().ok());
            };
            QVERIFY(queue.follow("/runs/a", "/runs/Hund").ok());
            renames = {};
            const size_t waiting = queue.jobs()->size();
            const size_t running = queue.jobs(JobState::Running)->size();
            QCOMPARE(waiting + running, size_t{1});
            for (const JobState state : {JobState::Stopped, JobState::Failed, JobState::Lost})
                QVERIFY(queue.jobs(state)->empty());
        }
    }

    // The files as they lie where the program died or the power went between two steps.
    void whatARenamingLeftIsPutRight_data() {
        QTest::addColumn<QString>("job"); // what each says; empty: there is none
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("claim");
        QTest::addColumn<QString>("known");
        QTest::newRow("written") << "/runs/a"
                                 << "/runs/Hund"
                                 << ""
                                 << "/runs/a";
        QTest::newRow("exchanged") << "/runs/Hund"
                                   << "/runs/a"
                                   << ""
                                   << "/runs/Hund";
        QTest::newRow("claimed") << ""
                                 << "/runs/Hund"
                                 << "/runs/a"
                                 << "/runs/a";
        QTest::newRow("told") << ""
                              << ""
                              << "/runs/Hund"
                              << "/runs/Hund";
    }

    void whatARenamingLeftIsPutRight() {
        QFETCH(QString, job);
        QFETCH(QString, next);
        QFETCH(QString, claim);
        QFETCH(QString, known);
        const JobQueue queue(folder());
        QVERIFY(queue.setHeld(true).ok() && queue.setHeld(false).ok()); // makes the folder
        for (const auto& [name, run] :
             {std::pair("/1.json", job), std::pair("/.1.next", next), std::pair("/.1.claim", claim)})
            if (!run.isEmpty())
                std::ofstream(folder() + name) << "{\"run\": \"" << run.toStdString() << "\"}\n";
        QCOMPARE(runsOf(queue), QStringList{known}); // seen before that, too
        {
            const auto names = RunLock::tryAcquire(folder() + "/names");
            QVERIFY(queue.putRight().ok()); // somebody is at it
            QVERIFY(!hiddenFiles().isEmpty());
        }
        const auto lock = queue.supervise();
        QCOMPARE(runsOf(queue), QStringList{known});
        QVERIFY2(hiddenFiles().isEmpty(), qPrintable(hiddenFiles().join(' ')));
        const auto taken = queue.take();
        QVERIFY(taken->has_value());
        QCOMPARE(QString::fromStdString((*taken)->runDir), known);
        QVERIFY(queue.jobs()->empty());
    }

    void aLostJobThatIsCutShortOnItsWayBackWaits() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        QVERIFY(*queue.move(a, JobState::Waiting, JobState::Lost));
        QVERIFY(queue.setOrder({a}).ok());
        fs::rename(folder() + "/lost/" + a + ".json", folder() + "/." + a + ".claim");
        QCOMPARE(runsOf(queue), QStringList{"/runs/a"});
        QVERIFY(queue.putRight().ok());
        QCOMPARE(runsOf(queue), QStringList{"/runs/a"});
        QVERIFY(hiddenFiles().isEmpty());
    }

    void aLinkToAFolderNamesNoOtherRun() {
        const JobQueue queue(folder());
        const std::string place = m_place->path().toStdString();
        fs::create_directories(place + "/home/runs/a");
        fs::create_directories(place + "/home/others/a");
        fs::create_directory_symlink(place + "/home", place + "/link");
        const std::string a = *queue.add(place + "/link/runs/a");
        QCOMPARE(*queue.add(place + "/home/runs/a", /*first=*/true), a);
        QCOMPARE(queue.jobs()->front().runDir, place + "/link/runs/a"); // by which the window knows it
        QVERIFY(*queue.add(place + "/home/others/a") != a);
        QCOMPARE(queue.jobs()->size(), size_t{2});
    }

    void picturesKeepTheirPlaceAmongTrainings() {
        const JobQueue queue(folder());
        const std::string pictures = std::string(JobQueue::kPictures) + "17";
        const std::string a = *queue.add("/runs/a");
        QVERIFY(queue.setOrder({a, pictures, "gone long ago"}).ok());
        const std::string b = *queue.add("/runs/b");
        QCOMPARE(*queue.order(), (std::vector<std::string>{a, pictures, b}));
        const std::string c = *queue.add("/runs/c", /*first=*/true);
        QCOMPARE(*queue.order(), (std::vector<std::string>{c, a, pictures, b}));
        QCOMPARE(runsOf(queue), (QStringList{"/runs/c", "/runs/a", "/runs/b"}));
        {
            const auto lock = queue.supervise();
            QCOMPARE((*queue.take())->id, c);
        }
        const auto lock = queue.supervise(); // after one that was cut short
        QCOMPARE(*queue.order(), (std::vector<std::string>{c, a, pictures, b}));
    }

    void onlyOneHasTheTurnUntilItsEnd() {
        const JobQueue queue(folder());
        auto turn = queue.takeTurn();
        QVERIFY(turn.ok() && turn->has_value());
        const auto other = queue.takeTurn();
        QVERIFY(other.ok() && !other->has_value());
        QCOMPARE(queue.turnOwner(), std::optional<int64_t>(::getpid()));
        turn->reset();
        QVERIFY(!queue.turnOwner());
        QVERIFY(queue.takeTurn()->has_value());
        QVERIFY(fs::remove(folder() + "/turn"));
        QVERIFY(fs::create_directory(folder() + "/turn"));
        QVERIFY(!queue.takeTurn().ok()); // it never comes
    }

    void eachSlotHasATurnOfItsOwn() {
        const JobQueue queue(folder());
        const auto first = queue.takeTurn();
        QVERIFY(first.ok() && first->has_value());
        auto second = queue.takeTurn(1);
        QVERIFY(second.ok() && second->has_value());
        QVERIFY(!queue.takeTurn(0)->has_value() && !queue.takeTurn(1)->has_value());
        QCOMPARE(queue.turnOwner(1), std::optional<int64_t>(::getpid()));
        second->reset();
        QVERIFY(!queue.turnOwner(1) && queue.turnOwner(0));
    }

    void aRunningJobTellsItsSlot() {
        const JobQueue queue(folder());
        const std::string id = *queue.add("/runs/a");
        const auto lock = queue.supervise();
        QueuedJob job = **queue.take();
        QCOMPARE(queue.jobs(JobState::Running)->front().slot, 0);
        job.slot = 1;
        job.device = "The second";
        QVERIFY(queue.tellSlot(job).ok());
        const QueuedJob told = queue.jobs(JobState::Running)->front();
        QCOMPARE(told.id, id);
        QCOMPARE(told.runDir, std::string("/runs/a"));
        QCOMPARE(told.slot, 1);
        QCOMPARE(told.device, std::string("The second"));
        QVERIFY(*queue.remove(id, JobState::Running)); // and is the same job
    }

    void whatIsNotWantedKeepsItsPlace() {
        const JobQueue queue(folder());
        for (const char* run : {"/runs/a", "/runs/b", "/runs/c"}) QVERIFY(queue.add(run).ok());
        const auto lock = queue.supervise();
        const auto job = queue.take([](const QueuedJob& one) { return one.runDir == "/runs/b"; });
        QCOMPARE((*job)->runDir, std::string("/runs/b"));
        QCOMPARE(runsOf(queue), (QStringList{"/runs/a", "/runs/c"}));
        QVERIFY(!queue.take([](const QueuedJob&) { return false; })->has_value());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/a", "/runs/c"}));
    }

    void slotsAreReadAndWritten() {
        const std::vector<JobSlot> one(1);
        const std::vector<JobSlot> two{{"GPU-1", "The first"}, {"GPU-2", "The second"}};
        QCOMPARE(slotsOf("GPU-1=The first;GPU-2=The second"), two);
        QCOMPARE(slotsOf("GPU-1=The first;GPU-2=The second;;=nothing"), two);
        QCOMPARE(slotsOf("GPU-1;GPU-2"), (std::vector<JobSlot>{{"GPU-1", ""}, {"GPU-2", ""}}));
        for (const char* text : {"", ";", "GPU-1=The only one", "=a;=b"}) QCOMPARE(slotsOf(text), one);
        const JobQueue queue(folder());
        QCOMPARE(queue.knownSlots(), one);
        QVERIFY(queue.add("/runs/a").ok());
        QVERIFY(queue.setKnownSlots(two).ok());
        QCOMPARE(queue.knownSlots(), two);
        QVERIFY(queue.setKnownSlots(one).ok());
        QCOMPARE(queue.knownSlots(), one);
        QVERIFY(!fs::exists(folder() + "/slots"));
        std::ofstream(folder() + "/slots") << R"([{"device": 3}, "words"])";
        QCOMPARE(queue.knownSlots(), one);
    }

    void ramThatOthersWillTakeIsNotFree() {
        QCOMPARE(ramBeside(100, {}), int64_t{100});
        QCOMPARE(ramBeside(100, {{30, 0}}), int64_t{70});
        QCOMPARE(ramBeside(100, {{30, 10}, {5, 20}}), int64_t{80}); // what is taken is not free already
        QCOMPARE(ramBeside(100, {{200, 0}}), int64_t{1});           // 0 would be no limit
    }

    void aLimitHoldsForAllJobsTogether() {
        QCOMPARE(ramWithin(100, {}), int64_t{100});
        QCOMPARE(ramWithin(100, {{30, 0}}), int64_t{70});
        QCOMPARE(ramWithin(100, {{30, 10}, {5, 20}}), int64_t{50}); // what is taken counts, too
        QCOMPARE(ramWithin(100, {{60, 0}, {60, 0}}), int64_t{1});   // 0 would be no limit
    }

    void aProcessKeepsToTheRamThatItWasGranted() {
        const MemoryFacts before = memoryFacts();
        constexpr int64_t kGranted = int64_t{1} << 30;
        qputenv(kRamLimitVariable, QByteArray::number(qlonglong{kGranted}));
        const MemoryFacts granted = memoryFacts();
        qunsetenv(kRamLimitVariable);
        QVERIFY(granted.usableBytes() < kGranted); // what it has by now is a part of it
        QVERIFY(granted.usableBytes() <= before.usableBytes() || before.usableBytes() < kGranted);
        QVERIFY(residentBytesBelow(::getpid()) >= residentBytes() / 2);
        QCOMPARE(residentBytesBelow(int64_t{1} << 30), int64_t{0}); // nobody
    }

    void aRunWaitsOnceOnly() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        QVERIFY(queue.add("/runs/b").ok());
        QCOMPARE(*queue.add("/runs/a"), a);
        QCOMPARE(runsOf(queue), (QStringList{"/runs/b", "/runs/a"}));
        QVERIFY(*queue.move(a, JobState::Waiting, JobState::Stopped));
        QCOMPARE(*queue.add("/runs/a", /*first=*/true), a);
        QCOMPARE(runsOf(queue), (QStringList{"/runs/a", "/runs/b"}));
        QVERIFY(queue.jobs(JobState::Stopped)->empty());
    }

    void aFolderThatNoJobCanNameIsRefused() {
        const JobQueue queue(folder());
        const auto added = queue.add("/runs/\xff");
        QVERIFY(!added.ok());
        const std::string& said = added.error().message;
        QVERIFY2(said.find("UTF-8") != std::string::npos && said.find("/runs/\\xff") != std::string::npos,
                 said.c_str());
        QVERIFY(queue.jobs()->empty());
    }

    // What a window wants that has seen an older queue, in every state that the job may have reached.
    void aJobThatBeganIsNeitherDroppedNorMovedByOneWhoSawItWait() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        const std::string b = *queue.add("/runs/b");
        const auto lock = queue.supervise();
        QCOMPARE((*queue.take())->id, a);
        QVERIFY(!*queue.remove(a, JobState::Waiting));
        QVERIFY(!*queue.move(a, JobState::Waiting, JobState::Stopped));
        QVERIFY(queue.setOrder({b, a}).ok());
        QCOMPARE(runsOf(queue, JobState::Running), QStringList{"/runs/a"});
        QCOMPARE(runsOf(queue), QStringList{"/runs/b"});
        QVERIFY(*queue.remove(a, JobState::Running));
        QVERIFY(queue.setOrder({a, b}).ok());
        QCOMPARE((*queue.take())->id, b);
        QVERIFY(!queue.take()->has_value());
    }

    void nothingIsTakenWhileHeld() {
        const JobQueue queue(folder());
        QVERIFY(queue.add("/runs/a").ok());
        QVERIFY(queue.setHeld(true).ok());
        QVERIFY(queue.held());
        QVERIFY(!queue.take()->has_value());
        QVERIFY(queue.setHeld(false).ok());
        QVERIFY(queue.setHeld(false).ok()); // not held already
        QVERIFY(queue.take()->has_value());
    }

    void whatWasCutShortWaitsAgainAsTheFirst() {
        const JobQueue queue(folder());
        const std::string a = *queue.add("/runs/a");
        const std::string b = *queue.add("/runs/b");
        {
            const auto lock = queue.supervise();
            QVERIFY(queue.supervised());
            const auto second = queue.supervise();
            QVERIFY(!second.ok() && second.error().message.find("the queue: process") != std::string::npos);
            QVERIFY(queue.take()->has_value());
            QVERIFY(queue.setOrder({b}).ok());
        }
        QVERIFY(!queue.supervised());
        const auto lock = queue.supervise();
        QVERIFY(lock.ok());
        QCOMPARE(runsOf(queue), (QStringList{"/runs/a", "/runs/b"}));
    }

    void filesOfScriptsCountAndWhatIsNoJobIsPutAside() {
        const JobQueue queue(folder());
        QVERIFY(queue.add("/runs/known").ok());
        std::ofstream(folder() + "/a.json") << R"({"run": "/runs/script"})";
        std::ofstream(folder() + "/b.json") << "words";
        std::ofstream(folder() + "/note.txt") << "words";
        QCOMPARE(runsOf(queue), (QStringList{"/runs/known", "/runs/script"}));
        const auto lock = queue.supervise();
        QCOMPARE((*queue.take())->runDir, std::string("/runs/known"));
        QCOMPARE((*queue.take())->runDir, std::string("/runs/script"));
        QVERIFY(!queue.take()->has_value());
        QVERIFY(fs::exists(folder() + "/failed/b.json"));
        QVERIFY(fs::exists(folder() + "/note.txt"));
    }

    void aSlashBehindAFolderNamesNoOtherRun() {
        const JobQueue queue(folder());
        QVERIFY(queue.setHeld(true).ok()); // makes the folder
        std::ofstream(folder() + "/a.json") << R"({"run": "/runs/script//"})";
        QCOMPARE(runsOf(queue), QStringList{"/runs/script"});
        QCOMPARE(*queue.add("/runs/script"), std::string("a"));
        QCOMPARE(queue.jobs()->size(), size_t{1});
    }

    // A window that moves, drops and adds as fast as it can beside a supervisor: each run is worked on once
    // or was dropped, never both, never neither.
    void nothingIsLostOrDoneTwiceWhileTheOrderChanges() {
        constexpr int kRuns = 60;
        const JobQueue queue(folder());
        std::vector<std::string> ids;
        for (int number = 0; number < kRuns; ++number)
            ids.push_back(*queue.add("/runs/" + std::to_string(number)));
        std::multiset<std::string> done;
        std::atomic<bool> ended = false;
        std::thread supervisor([&] {
            const auto lock = queue.supervise();
            while (const auto job = queue.take().value()) {
                done.insert(job->id);
                if (!queue.remove(job->id, JobState::Running).value()) done.insert("lost");
            }
            ended = true;
        });
        std::multiset<std::string> dropped;
        for (int turn = 0; !ended; ++turn) {
            std::vector<std::string> turned(ids.rbegin(), ids.rend());
            if (turn % 2 == 0) turned = ids;
            QVERIFY(queue.setOrder(turned).ok());
            const std::string& one = ids[static_cast<size_t>(turn * 7) % ids.size()];
            if (queue.remove(one, JobState::Waiting).value()) dropped.insert(one);
        }
        supervisor.join();
        std::multiset<std::string> all = done;
        all.insert(dropped.begin(), dropped.end());
        QCOMPARE(all, std::multiset<std::string>(ids.begin(), ids.end()));
    }
};

QTEST_GUILESS_MAIN(tst_job_queue)
#include "tst_job_queue.moc"

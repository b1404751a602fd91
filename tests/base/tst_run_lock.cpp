// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Locks of runs: one owner at a time, and none that has died.
#include "core/base/run/lock_wait.h"
#include "core/base/run/run_folder.h"
#include "core/base/run/worker_signal.h"
#include "core/base/system/process_id.h"
#include "tests/patience.h"

#include <QtTest>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace homebooth::core;
using homebooth::testing::kLongestMs;
namespace fs = std::filesystem;

namespace {

/// What a process leaves that took the lock and died: its child, which holds the lock until it may end.
class DyingHolder {
public:
    explicit DyingHolder(const std::string& file) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) qFatal("no pipe");
        const pid_t owner = ::fork();
        if (owner == 0) {
            ::close(ends[1]);
            const auto lock = RunLock::acquire(file);
            char ignored = 0;
            if (lock.ok() && ::fork() == 0) (void)!::read(ends[0], &ignored, 1); // until that is closed
            ::_exit(0);
        }
        ::waitpid(owner, nullptr, 0);
        ::close(ends[0]);
        m_open = ends[1];
    }
    ~DyingHolder() { mayEnd(); }
    DyingHolder(const DyingHolder&) = delete;
    DyingHolder& operator=(const DyingHolder&) = delete;
    void mayEnd() {
        if (m_open >= 0) ::close(m_open);
        m_open = -1;
    }

private:
    int m_open = -1;
};

} // namespace

class tst_run_lock : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void oneOwnerAtATime() {
        const std::string file = m_folder.filePath("lock").toStdString();
        QVERIFY(!RunLock::owner(file).has_value());
        {
            auto lock = RunLock::acquire(file);
            QVERIFY(lock.ok());
            const auto second = RunLock::acquire(file);
            QVERIFY(!second.ok());
            QVERIFY(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
            const auto named = RunLock::acquire(file, "the library");
            QVERIFY(!named.ok() && named.error().message.find("work on the library:") != std::string::npos);
            QVERIFY(RunLock::owner(file)->alive);
            QCOMPARE(RunLock::owner(file)->startTicks, processStartTicks(::getpid()));
            fs::resize_file(file, 0); // as whoever has it and has not said so yet
            const auto unnamed = RunLock::acquire(file);
            QVERIFY(!unnamed.ok() && unnamed.error().message.find("another process") != std::string::npos);
        }
        QVERIFY(!RunLock::owner(file)->alive);
        QVERIFY(RunLock::acquire(file).ok());
    }

    void nobodyElseMayReadALock() {
        const std::string file = m_folder.filePath("hidden").toStdString();
        const mode_t before = ::umask(0022);
        QVERIFY(RunLock::acquire(file).ok());
        QVERIFY(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        fs::permissions(file, fs::perms(0644)); // of an earlier version
        QVERIFY(RunLock::acquire(file).ok());
        QVERIFY(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        ::umask(before);
    }

    void anotherProgramThatHasTheLockIsNamed() {
        using std::chrono::milliseconds;
        const std::string file = m_folder.filePath("strange").toStdString();
        QVERIFY(RunLock::acquire(file).ok());
        std::array<int, 2> locked{};
        QVERIFY(::pipe(locked.data()) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const int descriptor = ::open(file.c_str(), O_RDONLY);
            struct flock whole {};
            whole.l_type = F_RDLCK;
            const char one = ::fcntl(descriptor, F_SETLK, &whole) == 0 ? '1' : '0';
            (void)!::write(locked[1], &one, 1);
            ::pause();
            ::_exit(0);
        }
        char one = 0;
        const bool ready = ::read(locked[0], &one, 1) == 1 && one == '1';
        const auto owner = RunLock::owner(file);
        const auto refused = acquireFromDying(file, milliseconds(100), {});
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        for (const int end : locked) ::close(end);
        QVERIFY(ready && owner && owner->alive);
        QCOMPARE(owner->stranger, int64_t{child});
        QVERIFY(!refused.ok());
        const std::string& words = refused.error().message;
        QVERIFY2(words.find("process " + std::to_string(child)) != std::string::npos, words.c_str());
        QVERIFY2(words.find("worker") == std::string::npos, words.c_str());
        QVERIFY(RunLock::acquire(file).ok());
    }

    void workersAreStoppedBySignalOnceTheyListen() {
        const std::string file = m_folder.filePath("stopped").toStdString();
        QVERIFY(!stopBySignal(file));
        const auto lock = RunLock::acquire(file); // this process stands for the supervisor
        std::array<int, 2> ready{};
        std::array<int, 2> goes{};
        QVERIFY(lock.ok() && ::pipe(ready.data()) == 0 && ::pipe(goes.data()) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            char one = 0;
            sigset_t none;
            ::sigemptyset(&none);
            // The tests' own program catches signals, and may have been started with some blocked.
            for (const int number : {SIGTERM, SIGALRM}) ::signal(number, SIG_DFL);
            ::sigprocmask(SIG_SETMASK, &none, nullptr);
            ::alarm(60); // whatever goes wrong, nobody waits for it for ever
            ::prctl(PR_SET_NAME, "homebooth-worker");
            (void)!::write(ready[1], "n", 1);
            (void)!::read(goes[0], &one, 1);
            ::signal(SIGTERM, [](int) { ::_exit(7); });
            (void)!::write(ready[1], "r", 1);
            for (;;) ::pause();
        }
        char one = 0;
        ::close(std::exchange(ready[1], -1)); // so that a child that is gone is no wait
        const bool named = ::read(ready[0], &one, 1) == 1;
        const bool tooEarly = stopBySignal(file);
        (void)!::write(goes[1], "g", 1);
        const bool listens = ::read(ready[0], &one, 1) == 1;
        const bool asked = stopBySignal(file);
        int status = 0;
        if (!asked) ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        for (const int end : {ready[0], goes[0], goes[1]}) ::close(end);
        QVERIFY(named && !tooEarly && listens && asked);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }

    void theLockOfADeadOwnerIsFree() {
        const std::string file = m_folder.filePath("dead").toStdString();
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lock = RunLock::acquire(file);
            if (lock.ok()) ::raise(SIGKILL);
            ::_exit(1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(RunLock::owner(file)->pid, int64_t{child});
        QVERIFY(!RunLock::owner(file)->alive);
        QVERIFY(RunLock::acquire(file).ok());
    }

    void aProcessThatEndedIsNoneEvenBeforeItsParentTakesNote() {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        siginfo_t info{};
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
        QCOMPARE(processStartTicks(child), int64_t{0});
        ::waitpid(child, nullptr, 0);
    }

    void aLockIsTakenFromADyingHolderAndFromNoOther() {
        using std::chrono::milliseconds;
        const std::string file = m_folder.filePath("dying").toStdString();
        int waits = 0;
        const auto count = [&waits] { ++waits; };
        {
            DyingHolder holder(file);
            QVERIFY(!RunLock::acquire(file).ok());
            const auto waited = [&] {
                count();
                holder.mayEnd();
            };
            QVERIFY(acquireFromDying(file, milliseconds(kLongestMs), waited).ok());
            QCOMPARE(waits, 1);
        }
        DyingHolder holder(file);
        const auto impatient = acquireFromDying(file, milliseconds(100), count);
        QVERIFY(!impatient.ok());
        QVERIFY(impatient.error().message.find("its worker has not ended") != std::string::npos);
        int questions = 0;
        const auto told = acquireFromDying(file, std::nullopt, {}, [&questions] { return ++questions == 3; });
        QVERIFY(!told.ok());
        QCOMPARE(questions, 3);
        QVERIFY(acquireFromDying(file, std::nullopt, [&holder] { holder.mayEnd(); }).ok());
        waits = 0;
        const auto living = RunLock::acquire(file);
        QVERIFY(living.ok());
        QVERIFY(!acquireFromDying(file, milliseconds(kLongestMs), count).ok());
        QCOMPARE(waits, 0);
    }
};

QTEST_APPLESS_MAIN(tst_run_lock)
#include "tst_run_lock.moc"

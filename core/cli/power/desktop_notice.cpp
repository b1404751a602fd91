// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/power/desktop_notice.h"

#include "core/base/run/end_words.h"

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

[[noreturn]] void notify(const char* title) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr); // the supervisor keeps some back
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) ::dup2(nothing, stream);
    ::execlp("busctl", "busctl", "--user", "--timeout=5", "--", "call", "org.freedesktop.Notifications",
             "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify", "susssasa{sv}i",
             "Homebooth", "0", "homebooth", title, "", "0", "0", "-1", nullptr);
    ::execlp("notify-send", "notify-send", "--app-name=Homebooth", "--icon=homebooth", "--", title, nullptr);
    ::_exit(1);
}

void tell(const std::string& title) {
    if (title.empty()) return;
    // A child of a child: it is nobody's to wait for, and the supervisor waits for its jobs' processes alone.
    const pid_t process = ::fork();
    if (process == 0) {
        if (::fork() == 0) notify(title.c_str());
        ::_exit(0);
    }
    if (process > 0) ::waitpid(process, nullptr, 0);
}

} // namespace

void tellDesktop(const JobQueue& queue, const QueuedJob& job, const JobEnd& end) {
    if (end.interrupted || end.code == kExitCancelled || windowLives(queue)) return;
    const EndWords words = endWords(queue);
    tell(wordsOf(end.code == kExitDone ? words.done : words.failed, job.runDir));
}

void tellItNeedsSomebody(const JobQueue& queue, const std::string& runDir) {
    if (!windowLives(queue)) tell(wordsOf(endWords(queue).failed, runDir));
}

} // namespace homebooth::core

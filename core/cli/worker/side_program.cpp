// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/side_program.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// Between fork and exec.
[[noreturn]] void become(const std::vector<SideProgram::Words>& commands, int output, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // never works for nobody
    if (::getppid() != parent) ::_exit(1);
    ::setsid();                 // Ctrl-C reaches the whole terminal, and its owner may have to save yet
    ::signal(SIGTERM, SIG_DFL); // one of a supervisor's jobs does not listen to it
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) ::dup2(nothing, stream);
    if (output >= 0) ::dup2(output, STDOUT_FILENO);
    // Its words have no memory of their own; exec does not change them.
    for (const SideProgram::Words words : commands) ::execvp(words[0], const_cast<char* const*>(words));
    ::_exit(1);
}

} // namespace

SideProgram::SideProgram(const std::vector<Words>& commands, bool heard) {
    std::array<int, 2> pipe{-1, -1};
    if (heard && ::pipe2(pipe.data(), O_CLOEXEC) != 0) return;
    m_words.reset(pipe[0]);
    if (heard) ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    const Descriptor output(pipe[1]);
    // Whoever started this program may have left it ignored: the number of one that ended would be another's.
    ::signal(SIGCHLD, SIG_DFL);
    // Where SIGTERM is ignored here, one that comes before the child listens would be lost, unless it is
    // held.
    sigset_t termination;
    sigset_t before;
    ::sigemptyset(&termination);
    ::sigaddset(&termination, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &termination, &before);
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process == 0) become(commands, output.get(), parent);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

SideProgram::~SideProgram() {
    if (m_process <= 0) return;
    ::kill(m_process, SIGTERM);
    ::waitpid(m_process, nullptr, 0);
}

std::string SideProgram::news() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 1; count > 0;) {
        count = ::read(m_words.get(), buffer.data(), buffer.size());
        if (count > 0) text.append(buffer.data(), static_cast<size_t>(count));
    }
    return text;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/sleep_inhibitor.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace homebooth::core {

SleepInhibitor::SleepInhibitor() {
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // never keeps a machine awake for nobody
    if (::getppid() != parent) ::_exit(1);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) ::dup2(nothing, stream);
    ::execlp("systemd-inhibit", "systemd-inhibit", "--what=sleep:idle", "--who=Homebooth", "--why=training",
             "--mode=block", "sleep", "infinity", nullptr);
    ::_exit(1);
}

SleepInhibitor::~SleepInhibitor() {
    if (m_process <= 0) return;
    ::kill(m_process, SIGTERM);
    ::waitpid(m_process, nullptr, 0);
}

} // namespace homebooth::core

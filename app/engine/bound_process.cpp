// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/bound_process.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace homebooth::app {

void endWithThisProgram(QProcess& process) {
    process.setChildProcessModifier([parent = ::getpid()] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
    });
}

} // namespace homebooth::app

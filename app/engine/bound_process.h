// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs that work for the window alone. GUI thread.
#pragma once

#include <QProcess>

namespace homebooth::app {

/// Lets a process that is started later be killed by the kernel when this program ends, however it ends;
/// without it what a killed window had asked for would be made unseen, and a second time by the next window.
/// Linux: the kernel watches the thread that starts the process.
void endWithThisProgram(QProcess& process);

} // namespace homebooth::app

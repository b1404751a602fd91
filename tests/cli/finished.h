// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program left behind, for tests that start the real ones.
#pragma once

#include "tests/patience.h"

#include <QProcess>

#include <csignal>
#include <string>
#include <sys/prctl.h>

namespace homebooth::test {

using testing::kLongestMs;

struct Finished {
    int code = -1; ///< -1: it crashed, did not end, or could not be started
    std::string out;
    std::string err;
};

/// What is there of it, however long it was waited for: one that has not ended is killed, and has no
/// code, whatever QProcess says.
inline Finished collect(QProcess& process) {
    const bool started = process.error() != QProcess::FailedToStart;
    const bool ended = process.state() == QProcess::NotRunning;
    if (!ended) {
        process.kill();
        process.waitForFinished(kLongestMs);
    }
    Finished finished;
    if (started && ended && process.exitStatus() == QProcess::NormalExit) finished.code = process.exitCode();
    finished.out = process.readAllStandardOutput().toStdString();
    finished.err = process.readAllStandardError().toStdString();
    if (!started) finished.err += process.errorString().toStdString();
    if (!ended) finished.err += "(the program did not end in time, and was killed)\n";
    return finished;
}

/// Waits for its end.
inline Finished finish(QProcess& process, int longestMs = kLongestMs) {
    process.waitForFinished(longestMs);
    return collect(process);
}

/// Lets a program that works without end go with the test, e.g. when that is killed for its time.
inline void endWithTest(QProcess& process) {
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace homebooth::test

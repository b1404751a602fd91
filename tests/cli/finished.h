// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program left behind, for tests that start the real ones.
#pragma once

#include <QProcess>

#include <string>

namespace homebooth::test {

struct Finished {
    int code = -1; ///< -1: it crashed or did not end
    std::string out;
    std::string err;
};

inline Finished collect(QProcess& process) {
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace homebooth::test

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The workers that an engine's process has begun, without what else runs beside it. Free functions.
#pragma once

#include <csignal>
#include <fstream>
#include <string>
#include <sys/types.h>
#include <vector>

namespace homebooth::test {

/// In the order in which they were begun.
inline std::vector<pid_t> workersOf(long long process) {
    const std::string number = std::to_string(process);
    std::ifstream file("/proc/" + number + "/task/" + number + "/children");
    std::vector<pid_t> workers;
    for (pid_t child = 0; file >> child;) {
        std::string name;
        std::getline(std::ifstream("/proc/" + std::to_string(child) + "/comm"), name);
        if (name == "homebooth-worke") workers.push_back(child); // the kernel keeps 15 letters
    }
    return workers;
}

inline bool lives(pid_t process) {
    return ::kill(process, 0) == 0;
}

} // namespace homebooth::test

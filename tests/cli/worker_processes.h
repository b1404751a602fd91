// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The workers that an engine's process has begun, without what else runs beside it, and what the kernel says
// of processes. Free functions.
#pragma once

#include "core/base/system/process_id.h"
#include "tests/patience.h"

#include <fstream>
#include <string>
#include <sys/types.h>
#include <vector>

namespace homebooth::test {

/// Of several processes one of which was lost or stopped: eight seconds are the supervisor's own patience,
/// and a rank that does not notice it is given up after five minutes.
constexpr int kEndsWithinMs = testing::kLongestMs / 2;

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

/// What a worker was begun for, e.g. "plan" or "train"; empty once it is gone.
inline std::string verbOf(pid_t worker) {
    std::ifstream words("/proc/" + std::to_string(worker) + "/cmdline");
    std::string program;
    std::string verb;
    std::getline(words, program, '\0');
    std::getline(words, verb, '\0');
    return verb;
}

/// One that has ended does not, though nobody may ever take note of it, as in a container whose first
/// process does not.
inline bool lives(pid_t process) {
    return core::processStartTicks(process) != 0;
}

/// @param list  of a process' signals, e.g. "SigCgt": those that it has a function for
inline bool isSignalIn(long long process, const char* list, int number) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(list))
            return (std::stoull(line.substr(line.find(':') + 1), nullptr, 16) >> (number - 1) & 1) != 0;
    return false;
}

} // namespace homebooth::test

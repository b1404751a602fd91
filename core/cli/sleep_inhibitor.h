// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the machine awake while it lives, through systemd-inhibit where that exists; nothing happens
// elsewhere. Owner: the supervisor; main thread.
#pragma once

#include <sys/types.h>

namespace homebooth::core {

class SleepInhibitor {
public:
    SleepInhibitor();
    ~SleepInhibitor();
    SleepInhibitor(const SleepInhibitor&) = delete;
    SleepInhibitor& operator=(const SleepInhibitor&) = delete;

private:
    pid_t m_process = -1;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training and the battery of its machine: where that gets low, what was learned is saved, the training
// pauses, and the machine may go to sleep by itself; once a charger has filled it some more it goes on. What
// somebody paused themselves stays paused, and what they go on with all the same is not paused again.
// Owned by whoever runs the worker; main thread.
//
//   awake --"low"--> saves and pauses, lock given --"is fed"--> lock taken --"is safe"--> goes on, awake
//                                          '<--------"is not"---------'
#pragma once

#include "core/cli/power/sleep_inhibitor.h"

#include <chrono>
#include <functional>

namespace homebooth::core {

class BatteryWatch {
public:
    /// @param tell   has the worker pause, or go on. @returns whether it has heard of that
    /// @param awake  let go while the battery is low; null: somebody else keeps the machine awake
    BatteryWatch(std::function<bool(bool low)> tell, SleepInhibitor* awake);

    /// Does what the battery asks for. To be called several times a second; it looks more rarely.
    void look();
    /// Another worker has heard of nothing yet.
    void beginAttempt() { m_told = false; }

private:
    using Clock = std::chrono::steady_clock;

    std::function<bool(bool low)> m_tell;
    SleepInhibitor* m_awake;
    Clock::time_point m_next;
    bool m_low = false;
    bool m_told = false;
};

} // namespace homebooth::core

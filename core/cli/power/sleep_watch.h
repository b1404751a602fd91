// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training and the sleep of its machine: what is learned is saved before it, and somebody can ask whether
// an end came of it. Hears of sleep from logind, through gdbus or dbus-monitor; without them nothing happens.
// A lock against the lid itself is not taken: the machine would compute in a bag.
// Owned by whoever runs the worker; main thread.
//
//   awake, holds a delay lock --"sleeps"--> saves --"saved", or too late--> lock given --"woke"--> awake
#pragma once

#include "core/cli/power/sleep_inhibitor.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What logind says of sleep in the words of one of those programs: true: the machine goes to sleep, false:
/// it has woken up. @param text  as far as it was understood it is taken off
[[nodiscard]] std::vector<bool> takeSleepSignals(std::string& text);

class SleepWatch {
public:
    /// @param save  asks for a checkpoint. @returns whether one will come
    explicit SleepWatch(std::function<bool()> save);

    /// Does what the news ask for. To be called several times a second.
    void look();
    /// A checkpoint is on the disk.
    void saved();
    /// Whether the machine has slept up to now, or has woken up lately. Whatever the answer, the next one is
    /// about a later sleep.
    [[nodiscard]] bool takeSleep();

private:
    using Clock = std::chrono::steady_clock;
    void take(const std::vector<bool>& signals);

    std::function<bool()> m_save;
    SideProgram m_signals;
    std::string m_text;                        // of the signals, not understood yet
    std::optional<SleepInhibitor> m_lock;      // lets sleep wait
    std::optional<Clock::time_point> m_saveBy; // then it waits no longer
    bool m_sleeps = false;
    bool m_slept = false; // and nobody has taken that
    Clock::time_point m_woke;
};

} // namespace homebooth::core

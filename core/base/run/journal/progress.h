// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows a job's events: a bar with rate and remaining time on a terminal, plain lines elsewhere.
// One thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace homebooth::core {

class Progress {
public:
    using Clock = std::chrono::steady_clock;

    /// @param terminal   whether standard error is one
    /// @param totalSteps of a training; 0 where phases alone are shown
    Progress(bool terminal, int64_t totalSteps);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(const Event& event);
    /// A line of its own, above the bar.
    void note(const std::string& text);
    /// Ends the bar's line.
    void finish();

private:
    void showPhase(const StateEvent& state);
    [[nodiscard]] std::string paceText(const StateEvent& state) const;
    void showWaiting(const StateEvent& state);
    void showStep(const StepEvent& step);
    void showPlan(const PlanEvent& plan);
    void keepPace(const std::string& state);
    void draw(const std::string& text);
    [[nodiscard]] bool dueNow(bool always);

    /// Since when how much was done: pauses for checkpoints and previews count, as they do for the user;
    /// those that somebody asked for, and waits for room, do not.
    struct Pace {
        int64_t firstDone = 0;
        Clock::time_point start = Clock::now();
        [[nodiscard]] double secondsPerUnit(int64_t done, Clock::time_point at = Clock::now()) const;
    };

    bool m_terminal;
    int64_t m_totalSteps;
    std::string m_phase;
    Pace m_phasePace;
    std::string m_phaseDetail;
    int64_t m_phaseDone = 0;
    Clock::time_point m_phaseDoneAt; // since when so much of it is done
    bool m_phaseEnded = false;       // its end was shown
    bool m_saidWaiting = false;      // for room, since the last step
    bool m_saidTexts = false;        // how much of them is learned
    std::optional<Pace> m_stepPace;
    std::optional<Clock::time_point> m_restsSince; // paused, or waiting for room
    double m_stepSeconds = 0.0;                    // of all steps that were shown or not
    double m_dataSeconds = 0.0;                    // of these, waited for data
    int64_t m_steps = 0;
    Clock::time_point m_lastShown;
    size_t m_drawn = 0; // characters of the bar's line
};

/// "1 h 05 min", "2 min 10 s", "8 s".
[[nodiscard]] std::string durationText(double seconds);

/// "[#####.....]" of done in total.
[[nodiscard]] std::string barText(int64_t done, int64_t total, size_t width);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long somebody has waited, without the time for which this process was stopped (Ctrl-Z, docker pause):
// clocks go on meanwhile, and the ones that are waited for were stopped, too. Plain value; one thread.
#pragma once

#include <algorithm>
#include <chrono>

namespace homebooth::core {

class AwakeTime {
public:
    using Clock = std::chrono::steady_clock;

    /// Since it was made. Whoever waits asks again and again, at least once a second: a longer time between
    /// two calls is a stop, of which no more than kMostBetween counts.
    [[nodiscard]] Clock::duration passed() {
        const Clock::time_point now = Clock::now();
        m_passed += std::min<Clock::duration>(now - m_asked, kMostBetween);
        m_asked = now;
        return m_passed;
    }

private:
    static constexpr std::chrono::seconds kMostBetween{2};

    Clock::time_point m_asked = Clock::now();
    Clock::duration m_passed{0};
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How often long work says how far it has come: at once, then at most every second or as often as is asked
// for, between pieces.
#pragma once

#include <chrono>

namespace homebooth::core {

class ProgressInterval {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kInterval{1};

    explicit ProgressInterval(Clock::duration interval = kInterval)
        : m_interval(interval) {}

    [[nodiscard]] bool due(Clock::time_point now = Clock::now()) {
        if (now < m_next) return false;
        m_next = now + m_interval;
        return true;
    }

private:
    Clock::duration m_interval;
    Clock::time_point m_next = Clock::time_point::min();
};

} // namespace homebooth::core

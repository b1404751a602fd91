// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How often long work says how far it has come: at once, then at most every second, between pieces.
#pragma once

#include <chrono>
#include <optional>

namespace homebooth::core {

class ProgressInterval {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kInterval{1};

    [[nodiscard]] bool due(Clock::time_point now = Clock::now()) {
        if (m_last && now - *m_last < kInterval) return false;
        m_last = now;
        return true;
    }

private:
    std::optional<Clock::time_point> m_last;
};

} // namespace homebooth::core

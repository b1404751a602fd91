// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// When what was given up of RAM beside the steps is taken back, a part at a time: after there was room
// for it for some minutes of steps without a break. Each time that it is given up again this takes twice
// as long: a training shall not read its pictures without end where RAM comes and goes. One thread.
#pragma once

#include <algorithm>

namespace homebooth::core {

class TakeBackRule {
public:
    static constexpr double kRestSeconds = 180.0;
    static constexpr double kLongestRestSeconds = 5760.0;

    /// @param restSeconds  with room, of steps
    explicit TakeBackRule(double restSeconds = kRestSeconds)
        : m_restSeconds(restSeconds) {}

    void gaveUp() {
        if (m_gaveUp) m_restSeconds = std::min(2.0 * m_restSeconds, kLongestRestSeconds);
        m_gaveUp = true;
        m_roomySeconds = 0.0;
    }

    /// A step has ended. @param hasRoom  for the next part, now
    /// @returns  whether it is due; then the next one has to wait as long
    [[nodiscard]] bool stepEnded(double seconds, bool hasRoom) {
        m_roomySeconds = hasRoom ? m_roomySeconds + seconds : 0.0;
        const bool due = hasRoom && m_roomySeconds >= m_restSeconds;
        if (due) m_roomySeconds = 0.0;
        return due;
    }

private:
    double m_restSeconds;
    double m_roomySeconds = 0.0;
    bool m_gaveUp = false;
};

} // namespace homebooth::core

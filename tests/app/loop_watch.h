// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the greatest pause between two turns of the event loop while it lives, and the most that its
// thread computed in one: the latter is the window's own doing, however busy the machine is. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <ctime>

namespace homebooth::app {

class LoopWatch {
public:
    LoopWatch() {
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { take(); });
        m_since.start();
        m_computed = computedUs();
        m_timer.start();
    }
    /// Milliseconds, the timer's own interval among them.
    [[nodiscard]] qint64 worstMs() const { return m_worst; }
    /// Milliseconds of the thread's own computing, reading of files that are in memory among them.
    [[nodiscard]] qint64 worstComputedMs() const { return m_worstComputed / 1000; }

private:
    static qint64 computedUs() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return qint64(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
    }
    void take() {
        m_worst = qMax(m_worst, m_since.restart());
        const qint64 computed = computedUs();
        m_worstComputed = qMax(m_worstComputed, computed - m_computed);
        m_computed = computed;
    }

    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_worst = 0;
    qint64 m_computed = 0; // so far, in microseconds
    qint64 m_worstComputed = 0;
};

} // namespace homebooth::app

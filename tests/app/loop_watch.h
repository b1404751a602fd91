// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the greatest pause between two turns of the event loop while it lives. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

namespace homebooth::app {

class LoopWatch {
public:
    LoopWatch() {
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer,
                         [this] { m_worst = qMax(m_worst, m_since.restart()); });
        m_since.start();
        m_timer.start();
    }
    /// Milliseconds, the timer's own interval among them.
    [[nodiscard]] qint64 worstMs() const { return m_worst; }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_worst = 0;
};

} // namespace homebooth::app

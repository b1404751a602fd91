// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Trainings whose folders are made in the background, of which none is lost where the window closes
// meanwhile. Shared between the GUI thread and the work: it outlives whoever asked.
#pragma once

#include <QStringList>

#include <condition_variable>
#include <mutex>

namespace homebooth::app {

class RunStarts {
public:
    /// GUI thread: one more is asked for.
    void begin() {
        const std::lock_guard lock(m_mutex);
        ++m_underWay;
    }
    /// Any thread. @param folder  that was made; empty: none was
    void end(const QString& folder) {
        const std::lock_guard lock(m_mutex);
        --m_underWay;
        if (!folder.isEmpty()) m_made.append(folder);
        m_ended.notify_all();
    }
    /// GUI thread: whoever asked knows of it now.
    void take(const QString& folder) {
        const std::lock_guard lock(m_mutex);
        m_made.removeOne(folder);
    }
    /// Whether one is under way, or made and not taken yet.
    [[nodiscard]] bool any() const {
        const std::lock_guard lock(m_mutex);
        return m_underWay > 0 || !m_made.isEmpty();
    }
    /// Waits until none is under way. @return those that nobody took
    [[nodiscard]] QStringList waitForAll() {
        std::unique_lock lock(m_mutex);
        m_ended.wait(lock, [this] { return m_underWay == 0; });
        return m_made;
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_ended;
    int m_underWay = 0;
    QStringList m_made;
};

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says when another day has begun, for what calls things "today". Looked at around midnight and whenever
// the window comes to the front: a machine that slept did not count the time. Owned by what shows days; GUI
// thread.
#pragma once

#include <QDate>
#include <QObject>
#include <QTimer>

#include <functional>

namespace homebooth::app {

class DayWatch : public QObject {
    Q_OBJECT
public:
    explicit DayWatch(QObject* parent = nullptr);
    [[nodiscard]] QDate today() const { return m_calendar(); }
    /// Another calendar than the system's, e.g. in tests.
    void setCalendar(std::function<QDate()> calendar);

Q_SIGNALS:
    void changed();

private:
    void look();

    std::function<QDate()> m_calendar;
    QDate m_told; ///< the day that was looked at last
    QTimer m_next;
};

} // namespace homebooth::app

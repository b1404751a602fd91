// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices from a thread of its own when the window shows no sign of life: what it keeps from others while it
// hangs must be let go without it. Owned by who keeps it; GUI thread. Invariants:
//   1. A sign of life is a turn of the event loop, whatever is being worked on and however long.
//   2. Silence is counted in looks, not measured: a process or a computer that slept was not hanging.
//   3. Where no thread can be had there is no guard, and the log says so: the window goes on without one.
// Guards without a thread were considered. A timer's signal would interrupt the very thread that hangs, where
// no lock may be let go; a child that expects signs of life cannot let go what this process holds.
#pragma once

#include <QThread>
#include <QTimer>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace homebooth::app {

class HangGuard : public QObject {
    Q_OBJECT
public:
    struct Patience {
        std::chrono::milliseconds look{1000};
        int looks = 120; ///< in a row without a sign of life
    };
    /// @param hangs  called once a hang, on the guard's thread
    HangGuard(Patience patience, std::function<void()> hangs, QObject* parent = nullptr);
    ~HangGuard() override;

Q_SIGNALS:
    void recovered(); ///< the hang, for which `hangs` is or was called, is over

private:
    void watch();

    const Patience m_patience;
    const std::function<void()> m_hangs;
    QTimer m_beat;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    int m_silent = 0;
    bool m_ending = false;
    std::unique_ptr<QThread> m_thread;
};

} // namespace homebooth::app

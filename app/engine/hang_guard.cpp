// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/hang_guard.h"

#include <utility>

namespace homebooth::app {

HangGuard::HangGuard(Patience patience, std::function<void()> hangs, QObject* parent)
    : QObject(parent)
    , m_patience(patience)
    , m_hangs(std::move(hangs)) {
    connect(&m_beat, &QTimer::timeout, this, [this] {
        int silent = 0;
        {
            const std::lock_guard lock(m_mutex);
            silent = std::exchange(m_silent, 0);
        }
        if (silent >= m_patience.looks) Q_EMIT recovered();
    });
    m_beat.start(m_patience.look / 2);
    m_thread.reset(QThread::create([this] { watch(); })); // unlike std::thread it starts or does not
    m_thread->start();
    if (!m_thread->isRunning())
        qWarning("no thread to notice a hanging window by: should it hang now, trainings wait until it ends");
}

HangGuard::~HangGuard() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_one();
    m_thread->wait(); // returns at once where it never began
}

void HangGuard::watch() {
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, m_patience.look, [this] { return m_ending; }))
        if (++m_silent == m_patience.looks) {
            lock.unlock();
            m_hangs();
            lock.lock();
        }
}

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that deals with the queue: what waits, in which order, and when it begins.
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"

#include <utility>

namespace homebooth::app {

void RunCentre::takeQueue() {
    const QueueView& now = m_queue.now();
    if (now.waiting.isEmpty() || now.held) m_startWanted = false;
    const QStringList jobs = now.waiting + now.running;
    // Whoever works the queue off may have begun and ended a run since the last look.
    bool gone = false;
    for (const QString& folder : std::exchange(m_jobsSeen, jobs))
        if (!jobs.contains(folder) && session(folder) == nullptr) gone = true;
    if (gone) findRuns();
    if (!now.running.isEmpty()) lookForLife();
    Q_EMIT queueChanged();
}

void RunCentre::startQueue() {
    // Seen at once: pictures that come behind the first training do not slip in before it.
    if (!held() && !queue().isEmpty() && !std::exchange(m_startWanted, true)) Q_EMIT workChanged();
    m_queue.look([this] {
        m_startWanted = !held() && !queue().isEmpty();
        if (m_startWanted && canBegin()) {
            m_startWanted = false;
            return launch(queue().front(), /*wholeQueue=*/true);
        }
        Q_EMIT workChanged();
    });
}

void RunCentre::enqueue(const QString& folder) {
    if (busy() && working()->folder() == folder) return;
    m_queue.add(folder);
}

void RunCentre::unqueue(const QString& folder) {
    m_queue.drop(folder);
}

void RunCentre::setHeld(bool held) {
    if (held == this->held()) return;
    m_queue.setHeld(held);
    if (!held) startQueue();
}

void RunCentre::setOrder(QStringList order) {
    // A run that is just being begun may still wait in the folder, as the first.
    const QString first = busy() ? working()->folder() : QString();
    if (queue().contains(first) && !order.contains(first)) order.prepend(first);
    m_queue.setOrder(order);
}

bool RunCentre::computes() const {
    const bool runs = supervised() && !m_queue.now().running.isEmpty(); // else it was cut short
    return busy() || runs || m_launching || !m_toStart.isEmpty();
}

bool RunCentre::queueGoes() const {
    return !held() && !queue().isEmpty() && (supervised() || m_startWanted);
}

bool RunCentre::turnAwaited() const {
    return supervised() && !queue().isEmpty() && m_queue.now().running.isEmpty();
}

bool RunCentre::turnCanBeHad() const {
    // A supervisor that was started takes its first job in a turn of its own.
    return !computes() || (supervised() && !m_queue.now().running.isEmpty());
}

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that deals with the queue: what waits, in which order, and when it begins.
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"

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

void RunCentre::moveInQueue(int from, int to) {
    // By what is seen on the screen; what began meanwhile is in no order any more.
    QStringList folders = queue();
    if (from < 0 || to < 0 || from >= folders.size() || to >= folders.size()) return;
    folders.move(from, to);
    m_queue.setOrder(folders);
}

} // namespace homebooth::app

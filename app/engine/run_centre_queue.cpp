// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that deals with the queue: what waits, in which order, and when it begins.
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"

#include <algorithm>

namespace homebooth::app {
namespace {

bool sameJobs(const std::vector<core::QueuedJob>& a, const std::vector<core::QueuedJob>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const core::QueuedJob& one, const core::QueuedJob& other) {
                          return one.id == other.id && one.runDir == other.runDir;
                      });
}

} // namespace

template <class T>
bool RunCentre::complain(const core::Result<T>& result) {
    if (!result) Q_EMIT failed(QString::fromStdString(result.error().text()));
    return !result;
}

QStringList RunCentre::queue() const {
    QStringList folders;
    for (const core::QueuedJob& job : m_queue) folders.append(QString::fromStdString(job.runDir));
    return folders;
}

void RunCentre::readQueue() {
    auto jobs = m_jobs.jobs();
    const bool held = m_jobs.held();
    const bool supervised = m_jobs.supervised();
    if (!jobs) return; // gone for a moment, or not ours to read: what is known stays
    const bool same = held == m_held && supervised == m_supervised && sameJobs(*jobs, m_queue);
    m_queue = std::move(*jobs);
    m_held = held;
    m_supervised = supervised;
    if (m_queue.empty() || m_held) m_startWanted = false;
    if (!same) Q_EMIT queueChanged();
}

void RunCentre::startQueue() {
    readQueue();
    if (m_held || m_queue.empty()) return;
    m_startWanted = true;
    if (!busy() && !m_supervised && !m_launching && gateOpen()) {
        m_startWanted = false;
        launch(QString::fromStdString(m_queue.front().runDir), /*wholeQueue=*/true);
    }
    Q_EMIT workChanged();
}

void RunCentre::enqueue(const QString& folder) {
    if (busy() && working()->folder() == folder) return;
    (void)complain(m_jobs.add(folder.toStdString()));
    readQueue();
}

void RunCentre::unqueue(const QString& folder) {
    for (const core::JobState state :
         {core::JobState::Waiting, core::JobState::Stopped, core::JobState::Failed}) {
        const auto jobs = m_jobs.jobs(state);
        if (!jobs) continue;
        for (const core::QueuedJob& job : *jobs)
            if (job.runDir == folder.toStdString()) (void)complain(m_jobs.remove(job.id, state));
    }
    readQueue();
}

void RunCentre::setHeld(bool held) {
    if (held == m_held) return;
    if (complain(m_jobs.setHeld(held))) return;
    readQueue();
    if (!held) startQueue();
}

void RunCentre::moveInQueue(int from, int to) {
    // By what is seen on the screen; what began meanwhile is in no order any more.
    std::vector<std::string> ids;
    for (const core::QueuedJob& job : m_queue) ids.push_back(job.id);
    const int count = static_cast<int>(ids.size());
    if (from < 0 || to < 0 || from >= count || to >= count) return;
    const std::string moved = ids[static_cast<size_t>(from)];
    ids.erase(ids.begin() + from);
    ids.insert(ids.begin() + to, moved);
    (void)complain(m_jobs.setOrder(ids));
    readQueue();
}

} // namespace homebooth::app

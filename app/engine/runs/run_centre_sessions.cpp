// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that follows runs: those that work, found also where others began them, and the
// one that is looked at.
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::app {

/// Somebody works on a run, which more than holds its lock.
static bool othersWorkOn(const QString& folder) {
    // A move is known before it locks, and until it has let go.
    return !isMoving(folder) && worksOn(folder) && !isMoving(folder);
}

std::vector<RunSession*> RunCentre::allWorking() const {
    std::vector<RunSession*> all;
    for (const Session& one : m_workers)
        if (one->active()) all.push_back(one.get());
    return all;
}

RunSession* RunCentre::working() const {
    const std::vector<RunSession*> all = allWorking();
    if (std::find(all.begin(), all.end(), m_shown.get()) != all.end()) return m_shown.get();
    return all.empty() ? nullptr : all.front();
}

bool RunCentre::works(const QString& folder) const {
    const std::vector<RunSession*> all = allWorking();
    return std::any_of(all.begin(), all.end(),
                       [&folder](const RunSession* one) { return one->folder() == folder; });
}

bool RunCentre::attached(const QString& folder) const {
    return std::any_of(m_workers.begin(), m_workers.end(), [&folder](const Session& one) {
        return one->data().workerAlive && one->folder() == folder;
    });
}

void RunCentre::lookForLife() {
    const auto isAlive = [](const Session& one) { return one->data().workerAlive; };
    const bool alone = std::none_of(m_workers.begin(), m_workers.end(), isAlive);
    QStringList jobs;
    for (const QString& folder : m_queue.now().running)
        if (!attached(folder)) jobs.append(folder);
    QStringList others; // that somebody may work on without the queue; one of them at most is followed
    for (const core::RunRecord& run : m_runs)
        if (alone && (run.endedMs == 0 || run.state != "done"))
            others.append(QString::fromStdString(run.folder));
    // At a drive that does not answer no more looks pile up; and one of an old run hides none of the queue's.
    if (!jobs.isEmpty() && !std::exchange(m_looksAtJobs, true)) {
        const auto findAlive = [jobs] {
            QStringList found;
            std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(found), othersWorkOn);
            return found;
        };
        const auto take = [this](const QStringList& folders) {
            m_looksAtJobs = false;
            takeAlive(folders, true);
        };
        inBackground(this, findAlive, take, &requestPool());
    }
    if (!others.isEmpty() && !std::exchange(m_looksAtOthers, true)) {
        const auto findAlive = [others] {
            const auto first = std::find_if(others.begin(), others.end(), othersWorkOn);
            return first == others.end() ? QStringList() : QStringList{*first};
        };
        const auto take = [this](const QStringList& folders) {
            m_looksAtOthers = false;
            takeAlive(folders, false);
        };
        inBackground(this, findAlive, take, &lifeThread());
    }
}

/// @param queued  these are jobs of the queue; of others one is followed at most, and none beside a job
void RunCentre::takeAlive(const QStringList& folders, bool queued) {
    std::vector<Session> found;
    for (const QString& folder : folders) {
        const bool late = !queued && busy() && working()->data().workerAlive;
        if (!attached(folder) && !late) found.push_back(sessionOf(folder));
    }
    if (found.empty()) return;
    m_queue.look();
    attach(found);
}

RunCentre::Session RunCentre::followed(const QString& folder) const {
    for (const Session& one : m_workers)
        if (one->folder() == folder) return one;
    return m_shown && m_shown->folder() == folder ? m_shown : nullptr;
}

const RunSession* RunCentre::session(const QString& folder) const {
    return followed(folder).get();
}

RunCentre::Session RunCentre::sessionOf(const QString& folder) {
    if (Session one = followed(folder)) return one;
    const core::RunRecord* record = find(folder);
    const QString title =
        record != nullptr ? QString::fromStdString(record->title) : QFileInfo(folder).fileName();
    // A session may be the sender of the very signal that makes it superfluous.
    const Session session(new RunSession(folder, title, this), [](RunSession* old) {
        old->disconnect();
        old->deleteLater();
    });
    RunSession* run = session.get();
    connect(run, &RunSession::changed, this, &RunCentre::progressed);
    connect(run, &RunSession::phaseChanged, this, [this, run] { note(*run); });
    connect(run, &RunSession::commandFailed, this, &RunCentre::failed);
    return session;
}

void RunCentre::nameSessions() {
    std::vector<Session> all = m_workers;
    if (m_shown) all.push_back(m_shown);
    for (const Session& one : all)
        if (const core::RunRecord* record = find(one->folder()))
            one->rename(QString::fromStdString(record->title));
}

void RunCentre::look(const Session& session) {
    m_shown = session;
    Q_EMIT currentChanged();
}

void RunCentre::attach(const std::vector<Session>& found) {
    // Whoever reads of another run meanwhile, of one that works on, or of the end of one that needs them, is
    // left alone.
    const bool worked = std::find(m_workers.begin(), m_workers.end(), m_shown) != m_workers.end();
    const bool over = worked && !m_shown->data().workerAlive && m_shown->phase() != RunPhase::Cancelled &&
                      m_shown->phase() != RunPhase::Failed;
    const bool shown = std::find(found.begin(), found.end(), m_shown) != found.end();
    employ(found);
    if (!m_shown || (over && !shown)) look(found.front());
    Q_EMIT workChanged();
}

void RunCentre::employ(const std::vector<Session>& added) {
    // Where only one works at a time, the one that was found is what was to begin.
    const auto stays = [this](const Session& one) {
        return one->data().workerAlive || (severalSlots() && (one->active() || one->waitsForRoom()));
    };
    std::erase_if(m_workers, [&added, &stays](const Session& one) {
        const bool again = std::find(added.begin(), added.end(), one) != added.end();
        const bool read = one->config().steps > 0 || one->gone(); // nothing is known yet of one just found
        return again || (read && !stays(one));
    });
    m_workers.insert(m_workers.end(), added.begin(), added.end());
}

} // namespace homebooth::app

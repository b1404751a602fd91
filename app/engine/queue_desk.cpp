// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/queue_desk.h"

#include "app/engine/request_pool.h"
#include "app/library/background.h"

#include <QDir>

namespace homebooth::app {
namespace {

QStringList foldersOf(const std::vector<core::QueuedJob>& jobs) {
    QStringList folders;
    for (const core::QueuedJob& job : jobs) folders.append(QString::fromStdString(job.runDir));
    return folders;
}

/// Nothing if the folder cannot be read: gone for a moment, or not ours to read.
std::optional<QueueView> viewOf(const core::JobQueue& queue) {
    const auto waiting = queue.jobs();
    const auto running = queue.jobs(core::JobState::Running);
    if (!waiting || !running) return std::nullopt;
    return QueueView{foldersOf(*waiting), foldersOf(*running), queue.held(), queue.supervised()};
}

core::Result<void> dropFrom(const core::JobQueue& queue, const std::string& folder) {
    for (const core::JobState state :
         {core::JobState::Waiting, core::JobState::Stopped, core::JobState::Failed}) {
        const auto jobs = queue.jobs(state);
        if (!jobs) continue;
        for (const core::QueuedJob& job : *jobs)
            if (job.runDir == folder) HOMEBOOTH_CHECK(queue.remove(job.id, state));
    }
    return {};
}

core::Result<void> orderBy(const core::JobQueue& queue, const QStringList& folders) {
    HOMEBOOTH_ASSIGN(const auto jobs, queue.jobs());
    std::vector<std::string> ids;
    for (const QString& folder : folders)
        for (const core::QueuedJob& job : jobs)
            if (job.runDir == folder.toStdString()) ids.push_back(job.id);
    return queue.setOrder(ids);
}

} // namespace

struct QueueDesk::Answer {
    core::Result<void> done;
    std::optional<QueueView> seen;
};

QueueDesk::QueueDesk(QObject* parent)
    : QObject(parent) {
    connect(&m_watch, &QFileSystemWatcher::directoryChanged, this, [this] { look(); });
}

QueueDesk::~QueueDesk() {
    finish();
}

void QueueDesk::finish() {
    queueThread().waitForDone();
}

void QueueDesk::open() {
    const QString folder = QString::fromStdString(m_jobs.folder());
    const auto make = [folder](const core::JobQueue&) {
        QDir().mkpath(folder);
        return core::Result<void>();
    };
    ask(m_now, make, [this, folder] {
        if (m_watch.directories().isEmpty()) m_watch.addPath(folder);
    });
}

void QueueDesk::look(Then then) {
    ask(m_now, {}, std::move(then));
}

void QueueDesk::add(const QString& folder) {
    QueueView expected = m_now;
    expected.waiting.removeAll(folder);
    expected.waiting.append(folder);
    ask(expected, [run = folder.toStdString()](const core::JobQueue& queue) -> core::Result<void> {
        HOMEBOOTH_CHECK(queue.add(run));
        return {};
    });
}

void QueueDesk::drop(const QString& folder, Then then) {
    QueueView expected = m_now;
    expected.waiting.removeAll(folder);
    ask(
        expected, [run = folder.toStdString()](const core::JobQueue& queue) { return dropFrom(queue, run); },
        std::move(then));
}

void QueueDesk::setHeld(bool held) {
    QueueView expected = m_now;
    expected.held = held;
    ask(expected, [held](const core::JobQueue& queue) { return queue.setHeld(held); });
}

void QueueDesk::setOrder(const QStringList& folders) {
    QueueView expected = m_now;
    expected.waiting = folders;
    ask(expected, [folders](const core::JobQueue& queue) { return orderBy(queue, folders); });
}

void QueueDesk::ask(QueueView expected, Work work, Then then) {
    ++m_asked;
    show(std::move(expected));
    const auto answer = [queue = m_jobs, work = std::move(work)] {
        core::Result<void> done = work ? work(queue) : core::Result<void>();
        return Answer{std::move(done), viewOf(queue)};
    };
    inBackground(
        this, answer,
        [this, then = std::move(then)](const Answer& found) {
            take(found);
            if (then) then();
        },
        &queueThread());
}

void QueueDesk::take(const Answer& answer) {
    --m_asked;
    if (!answer.done) Q_EMIT failed(QString::fromStdString(answer.done.error().text()));
    if (!answer.seen) return;
    QueueView view = *answer.seen;
    if (m_asked > 0) { // what was asked for since is not in it yet
        view.waiting = m_now.waiting;
        view.held = m_now.held;
    }
    show(std::move(view));
}

void QueueDesk::show(QueueView view) {
    if (view == m_now) return;
    m_now = std::move(view);
    Q_EMIT changed();
}

} // namespace homebooth::app

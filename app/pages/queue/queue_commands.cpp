// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/queue/queue_commands.h"

#include "app/engine/queue/job_order.h"
#include "app/engine/runs/run_centre.h"

#include <algorithm>
#include <utility>

namespace homebooth::app {

PicturesRemoval::PicturesRemoval(RunCentre& runs, Generator& generator, int64_t job, const QString& text,
                                 QUndoCommand* parent)
    : QUndoCommand(text, parent)
    , m_runs(runs)
    , m_generator(generator)
    , m_id(job) {}

void PicturesRemoval::redo() {
    const std::vector<GenerationJob>& jobs = m_generator.jobs();
    const auto found = std::find_if(jobs.begin() + (m_generator.busy() ? 1 : 0), jobs.end(),
                                    [this](const GenerationJob& job) { return job.id == m_id; });
    if (found == jobs.end()) return;
    m_job = *found;
    m_order = waitingJobs(m_runs, m_generator);
    m_generator.drop(m_id);
}

void PicturesRemoval::undo() {
    if (!m_job) return;
    m_generator.putBack(*std::exchange(m_job, std::nullopt));
    m_runs.setOrder(m_order); // after it is there: names that nobody has are left out of the order
}

TrainingRemoval::TrainingRemoval(RunCentre& runs, const Generator& generator, QString folder,
                                 const QString& text, QUndoCommand* parent)
    : QUndoCommand(text, parent)
    , m_runs(runs)
    , m_generator(generator)
    , m_folder(std::move(folder)) {}

void TrainingRemoval::redo() {
    if (!m_runs.queue().contains(m_folder)) return;
    const core::RunRecord* run = m_runs.find(m_folder);
    m_endedMs = run != nullptr ? run->endedMs : 0;
    m_order = waitingJobs(m_runs, m_generator);
    m_runs.unqueue(m_folder);
}

void TrainingRemoval::undo() {
    const QStringList order = std::exchange(m_order, {});
    // It may have been deleted or trained since, or be back already.
    const core::RunRecord* run = m_runs.find(m_folder);
    if (order.isEmpty() || run == nullptr || run->endedMs != m_endedMs) return;
    if (m_runs.works(m_folder) || m_runs.queue().contains(m_folder)) return;
    m_runs.enqueue(m_folder);
    m_runs.setOrder(order);
}

OrderChange::OrderChange(RunCentre& runs, const Generator& generator, QStringList order, const QString& text)
    : QUndoCommand(text)
    , m_runs(runs)
    , m_generator(generator)
    , m_before(waitingJobs(runs, generator))
    , m_after(std::move(order)) {}

void OrderChange::arrange(const QStringList& order) {
    QStringList rest = waitingJobs(m_runs, m_generator);
    QStringList arranged;
    for (const QString& name : order)
        if (rest.removeOne(name)) arranged.append(name);
    m_runs.setOrder(arranged + rest);
}

} // namespace homebooth::app

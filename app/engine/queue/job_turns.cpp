// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/queue/job_turns.h"

#include "app/engine/pictures/generator.h"
#include "app/engine/queue/job_order.h"
#include "app/engine/runs/run_centre.h"

#include <QPointer>

#include <utility>

namespace homebooth::app {

JobTurns::JobTurns(RunCentre& runs, Generator& generator, QObject* parent, HangGuard::Patience patience)
    : QObject(parent)
    , m_runs(runs)
    , m_generator(generator)
    , m_patience(patience) {
    const auto clear = [this](std::function<void()> go) {
        if (m_runs.severalSlots() && m_generator.busy()) return go(); // there is another GPU
        m_generator.giveBack([&runs = m_runs, go = std::move(go)] { runs.wantTurn(false, go); });
    };
    const auto open = [this] { return m_runs.severalSlots() || (!m_generator.busy() && !picturesNext()); };
    runs.setGate({open, clear});
    connect(&runs, &RunCentre::workChanged, this, &JobTurns::follow);
    connect(&runs, &RunCentre::queueChanged, this, &JobTurns::follow);
    connect(&generator, &Generator::jobsChanged, this, &JobTurns::follow);
    connect(&generator, &Generator::freed, this, &JobTurns::follow);
    connect(&generator, &Generator::begun, this, &JobTurns::follow);
    connect(
        &generator, &Generator::ended, this,
        [this] {
            if (m_runs.startWanted()) m_runs.startQueue();
        },
        Qt::QueuedConnection);
    follow();
}

JobTurns::~JobTurns() {
    m_runs.setGate({});
}

bool JobTurns::picturesFirst() const {
    const int64_t next = m_generator.nextJob();
    for (const QString& name : waitingJobs(m_runs, m_generator)) // pictures that are held let others pass
        if (const int64_t job = picturesOfName(name); job == 0 || job == next) return job != 0;
    return false;
}

bool JobTurns::picturesNext() const {
    return m_generator.nextJob() != 0 && (picturesFirst() || !m_runs.queueGoes());
}

void JobTurns::follow() {
    keepOrder();
    m_runs.keepSlot(m_generator.busy() || !m_generator.free());
    if (m_generator.busy() || picturesNext()) {
        if (m_runs.turnCanBeHad()) m_runs.wantTurn(true);
    } else if (m_generator.free() || m_runs.queueGoes() || m_runs.turnAwaited()) {
        giveTurnBack();
    }
    guardTurn();
    const bool ours = m_runs.hasTurn() || !m_runs.supervised();
    m_generator.setDevice(m_runs.turnDevice());
    m_generator.setTraining(m_runs.trainsInTurn() || !ours || (m_runs.queueGoes() && !picturesFirst()));
}

void JobTurns::guardTurn() {
    const int turn = m_runs.turn();
    if (std::exchange(m_guarded, turn) == turn) return;
    m_guard.reset();
    if (turn == 0) return;
    const auto letGo = [this, turn] { m_runs.abandonTurn(turn, m_generator.engineKiller()); };
    m_guard = std::make_unique<HangGuard>(m_patience, letGo);
    const auto askAgain = [this, letGo] {
        letGo(); // the guard's own may come later: the turn must not go without the engine
        m_runs.wantTurn(false);
        follow();
    };
    connect(m_guard.get(), &HangGuard::recovered, this, askAgain, Qt::QueuedConnection);
}

void JobTurns::keepOrder() {
    // An order that was not read yet must not be written, nor one whose names are not known yet.
    if (!m_runs.queueKnown() || !m_generator.restored()) return;
    QStringList fresh;
    for (const GenerationJob& job : m_generator.jobs()) fresh.append(nameOfPictures(job.id));
    const QString working = m_generator.busy() ? fresh.front() : QString();
    QStringList order;
    for (const QString& name : m_runs.order())
        if (picturesOfName(name) == 0 || fresh.removeOne(name)) order.append(name);
    order += fresh;
    if (order.removeOne(working)) order.prepend(working); // the first again after a restart
    std::vector<int64_t> pictures;
    for (const QString& name : order)
        if (const int64_t job = picturesOfName(name); job != 0) pictures.push_back(job);
    const bool alone = m_runs.order().isEmpty() && order == QStringList{working};
    // An order that could not be written is not tried again at once: the failure would come back for ever.
    if (order == m_runs.order())
        m_tried.clear();
    else if (!alone && std::exchange(m_tried, order) != order)
        m_runs.setOrder(order);
    m_generator.setOrder(pictures);
}

void JobTurns::giveTurnBack() {
    if (!m_runs.hasTurn()) return m_runs.wantTurn(false); // one that is still waited for
    if (std::exchange(m_giving, true)) return;
    m_generator.giveBack([self = QPointer<JobTurns>(this)] {
        if (!self) return;
        self->m_giving = false;
        const bool wanted = self->m_generator.busy() || self->picturesNext();
        if (!wanted) self->m_runs.wantTurn(false);
    });
}

} // namespace homebooth::app

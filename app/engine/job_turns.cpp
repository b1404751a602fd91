// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/job_turns.h"

#include "app/engine/generator.h"
#include "app/engine/run_centre.h"

namespace homebooth::app {

JobTurns::JobTurns(RunCentre& runs, Generator& generator, QObject* parent)
    : QObject(parent)
    , m_runs(runs)
    , m_generator(generator) {
    runs.setGate({[&generator] { return !generator.busy(); },
                  [&generator](std::function<void()> go) { generator.giveBack(std::move(go)); }});
    connect(&runs, &RunCentre::workChanged, this, &JobTurns::follow);
    connect(&runs, &RunCentre::queueChanged, this, &JobTurns::follow);
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

void JobTurns::follow() {
    m_generator.setTraining(m_runs.busy() || m_runs.supervised() || m_runs.startWanted());
}

} // namespace homebooth::app

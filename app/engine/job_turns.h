// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One machine, one job: a training and the making of pictures take turns, because both at once rarely fit
// into its memory and both would be slow. Owned by the main window; GUI thread. Rules:
//   1. A training that is started waits for the pictures that are being made, and goes ahead of those that
//   wait.
//   2. Before it begins, the engine that makes pictures gives its memory back.
//   3. Pictures that are asked for while a training works wait for its end, unless the user wants them beside
//   it.
#pragma once

#include <QObject>

namespace homebooth::app {

class Generator;
class RunCentre;

class JobTurns : public QObject {
    Q_OBJECT
public:
    JobTurns(RunCentre& runs, Generator& generator, QObject* parent = nullptr);
    ~JobTurns() override;

private:
    void follow();

    RunCentre& m_runs;
    Generator& m_generator;
};

} // namespace homebooth::app

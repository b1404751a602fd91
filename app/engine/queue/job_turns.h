// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One machine, one job: a training and the making of pictures take turns, because both at once rarely fit
// into its memory and both would be slow. With several GPUs that is so for each of them.
// Owned by the main window; GUI thread. Rules:
//   1. What waits has one order (job_order.h), which the user changes; what is asked for is the last in it.
//   2. Before a training begins, the engine that makes pictures gives its memory back.
//   3. While pictures come next or are made, the window holds the queue's turn: the supervisor takes no
//   training. It does not hold it between a supervisor's start and its first job, which would wait for ever.
//   4. Pictures that wait for a training can be made beside it if the user wants that.
//   5. Trainings that wait without anybody who begins them, and pictures that are held, keep nothing back.
//   6. A window that makes no pictures has the turn no longer than its engine has memory, and gives it to
//   whoever waits for it: another window may begin with a training by name, also while the queue is held.
//   7. A window that hangs loses the turn after a while, and with it the engine, which would keep its memory.
//   Only its event loop counts as life, not what the engine brings about. A process that is stopped keeps its
//   turn: nobody could tell what it does when it goes on.
//   8. With several GPUs the window holds the turn of one of them: of one that is free, if there is one, also
//   later. While none is, it holds those of all, and keeps the first that comes free. Pictures are made on
//   that GPU, and trainings go on on the others.
#pragma once

#include "app/engine/hang_guard.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace homebooth::app {

class Generator;
class RunCentre;

class JobTurns : public QObject {
    Q_OBJECT
public:
    JobTurns(RunCentre& runs, Generator& generator, QObject* parent = nullptr,
             HangGuard::Patience patience = {});
    ~JobTurns() override;

private:
    void follow();
    /// Puts new pictures into the order, takes old ones out, and brings the generator into it.
    void keepOrder();
    [[nodiscard]] bool picturesFirst() const;
    [[nodiscard]] bool picturesNext() const;
    void giveTurnBack();
    /// While the window has the turn, somebody looks whether it hangs.
    void guardTurn();

    RunCentre& m_runs;
    Generator& m_generator;
    const HangGuard::Patience m_patience;
    std::unique_ptr<HangGuard> m_guard;
    int m_guarded = 0; ///< the turn that it is for
    bool m_giving = false;
    QStringList m_tried; ///< the order last asked for, until it is there
};

} // namespace homebooth::app

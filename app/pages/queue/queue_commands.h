// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits of the queue with a way back. GUI thread.
#pragma once

#include "app/engine/pictures/generator.h"

#include <QStringList>
#include <QUndoCommand>

#include <optional>

namespace homebooth::app {

class RunCentre;

/// Takes pictures that wait out of the queue. What is being made by then stays.
class PicturesRemoval : public QUndoCommand {
public:
    PicturesRemoval(RunCentre& runs, Generator& generator, int64_t job, const QString& text,
                    QUndoCommand* parent = nullptr);
    void redo() override;
    void undo() override;

private:
    RunCentre& m_runs;
    Generator& m_generator;
    int64_t m_id = 0;
    std::optional<GenerationJob> m_job; ///< nothing while it is in the queue
    QStringList m_order;                ///< of all that waited beside it
};

/// Takes a training that waits out of the queue. One that begins by then stays, and one that was begun by
/// hand since and has ended does not come back.
class TrainingRemoval : public QUndoCommand {
public:
    TrainingRemoval(RunCentre& runs, const Generator& generator, QString folder, const QString& text,
                    QUndoCommand* parent = nullptr);
    void redo() override;
    void undo() override;

private:
    RunCentre& m_runs;
    const Generator& m_generator;
    QString m_folder;
    QStringList m_order;   ///< of all that waited, with this one; empty while it is in the queue
    int64_t m_endedMs = 0; ///< when it had ended last by then
};

/// Another order of what waits. What has come since stays behind the rest, and what has gone stays away.
class OrderChange : public QUndoCommand {
public:
    /// @param order  of all that waits, first to last, as job_order.h names it
    OrderChange(RunCentre& runs, const Generator& generator, QStringList order, const QString& text);
    void redo() override { arrange(m_after); }
    void undo() override { arrange(m_before); }

private:
    void arrange(const QStringList& order);

    RunCentre& m_runs;
    const Generator& m_generator;
    QStringList m_before;
    QStringList m_after;
};

} // namespace homebooth::app

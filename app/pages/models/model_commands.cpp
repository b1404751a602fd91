// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_commands.h"

#include "app/engine/runs/run_centre.h"

#include <utility>

namespace homebooth::app {

ModelCommand::ModelCommand(ModelShelf& models, std::optional<core::ModelRecord> before,
                           std::optional<core::ModelRecord> after, const QString& text)
    : QUndoCommand(text)
    , m_models(models)
    , m_before(std::move(before))
    , m_after(std::move(after)) {}

void ModelCommand::take(const std::optional<core::ModelRecord>& from,
                        const std::optional<core::ModelRecord>& to) {
    // Its files are in the trash: an older step must not bring it back to the list.
    if (from && to && !m_models.record(from->id)) return setObsolete(true);
    if (!to) return m_models.forget(from->id);
    core::ModelRecord record = *to;
    // Nobody edits what its files are.
    if (const auto now = m_models.record(record.id)) record.sha256 = now->sha256;
    m_models.put(record);
}

RunTitleCommand::RunTitleCommand(RunCentre& runs, QString folder, QString before, QString after,
                                 const QString& text)
    : QUndoCommand(text)
    , m_runs(runs)
    , m_folder(std::move(folder))
    , m_before(std::move(before))
    , m_after(std::move(after)) {}

void RunTitleCommand::redo() {
    m_runs.rename(m_folder, m_after);
}

void RunTitleCommand::undo() {
    m_runs.rename(m_folder, m_before);
}

RunTrashCommand::RunTrashCommand(RunCentre& runs, std::vector<int64_t> ids, const QString& text)
    : QUndoCommand(text)
    , m_runs(runs)
    , m_ids(std::move(ids)) {}

void RunTrashCommand::redo() {
    if (!std::exchange(m_first, false)) m_runs.removeAgain(m_ids);
}

void RunTrashCommand::undo() {
    m_runs.bringBack(m_ids);
}

} // namespace homebooth::app

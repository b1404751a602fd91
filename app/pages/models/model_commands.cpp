// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_commands.h"

#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/pages/models/models_page.h"

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

ModelTrashCommand::ModelTrashCommand(const Services& services, core::ModelRecord record, TrashedModel trashed,
                                     std::function<void(const QString&)> failed, const QString& text)
    : QUndoCommand(text)
    , m_models(services.models)
    , m_inUse([services](const QString& path) {
        const ModelEntry* entry = services.models.find(path);
        return entry != nullptr && !removalOf(services, *entry).usedBy.isEmpty();
    })
    , m_state(std::make_shared<State>(State{std::move(record), std::move(trashed), std::move(failed)})) {}

void ModelTrashCommand::redo() {
    if (m_state->inTrash || m_state->going) return; // as at first
    const QString path = QString::fromStdString(m_state->record.path);
    if (m_inUse(path)) return m_state->failed(ModelsPage::tr("%1 is in use.").arg(path.toHtmlEscaped()));
    m_state->going = true;
    const auto take = [state = m_state, models = &m_models, path](const std::optional<TrashedModel>& moved) {
        state->going = false;
        if (!moved)
            return state->failed(
                ModelsPage::tr("%1 could not be moved into the trash.").arg(path.toHtmlEscaped()));
        state->inTrash = true;
        state->trashed = *moved;
        if (const auto now = models->record(state->record.id)) state->record = *now;
        models->forget(state->record.id);
    };
    inBackground(
        &m_models, [path] { return moveModelToTrash(path); }, take);
}

void ModelTrashCommand::undo() {
    if (!m_state->inTrash || m_state->going) return;
    m_state->going = true;
    const auto take = [state = m_state, models = &m_models](bool back) {
        state->going = false;
        const QString path = QString::fromStdString(state->record.path);
        if (!back)
            return state->failed(ModelsPage::tr("%1 could not be taken out of the trash: it is not there any "
                                                "more, or something else has its place.")
                                     .arg(path.toHtmlEscaped()));
        state->inTrash = false;
        models->put(state->record);
        models->lookAgain(path);
    };
    inBackground(
        &m_models, [trashed = m_state->trashed] { return bringBackModel(trashed); }, take);
}

RunTitleCommand::RunTitleCommand(RunCentre& runs, const QString& folder, QString before, QString after,
                                 const QString& text)
    : QUndoCommand(text)
    , m_runs(runs)
    , m_before(std::move(before))
    , m_after(std::move(after)) {
    if (const core::RunRecord* run = runs.find(folder)) m_id = run->id;
}

void RunTitleCommand::redo() {
    rename(m_after);
}

void RunTitleCommand::undo() {
    rename(m_before);
}

void RunTitleCommand::rename(const QString& title) {
    for (const core::RunRecord& run : m_runs.runs())
        if (run.id == m_id) return m_runs.rename(QString::fromStdString(run.folder), title);
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

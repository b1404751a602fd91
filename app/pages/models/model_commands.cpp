// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_commands.h"

#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/pages/models/models_page.h"

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kTrashStep = 4; // of QUndoCommand::id

/// With a place for the path.
QString cannotMove(bool intoTrash) {
    return intoTrash ? ModelsPage::tr("%1 could not be moved into the trash.")
                     : ModelsPage::tr("%1 could not be taken out of the trash: it is not there any more, or "
                                      "something else has its place.");
}

} // namespace

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

struct ModelTrashCommand::State {
    ModelShelf& shelf;
    std::vector<One> models;
    std::function<void(const QString&)> failed;
    std::function<bool(const QString& path)> inUse;
    bool wanted = true; ///< in the trash
    bool going = false; ///< in or out
};

ModelTrashCommand::ModelTrashCommand(const Services& services, std::vector<One> models,
                                     std::function<void(const QString&)> failed, const QString& text,
                                     std::vector<int64_t> runs)
    : QUndoCommand(text)
    , m_runs(services.runs)
    , m_awaited(std::move(runs))
    , m_state(
          std::make_shared<State>(State{services.models, std::move(models), std::move(failed), {}, true})) {
    m_state->inUse = [services](const QString& path) {
        const ModelEntry* entry = services.models.find(path);
        return entry != nullptr && !removalOf(services, *entry).usedBy.isEmpty();
    };
}

int ModelTrashCommand::id() const {
    return kTrashStep;
}

bool ModelTrashCommand::mergeWith(const QUndoCommand* other) {
    const auto* step = dynamic_cast<const RunTrashCommand*>(other);
    if (step == nullptr) return false;
    const auto awaited = [this](int64_t id) {
        return std::find(m_awaited.begin(), m_awaited.end(), id) != m_awaited.end();
    };
    if (!std::all_of(step->ids().begin(), step->ids().end(), awaited)) return false;
    m_runIds = step->ids();
    m_awaited.clear();
    return true;
}

void ModelTrashCommand::redo() {
    m_state->wanted = true;
    settle(m_state); // at first they are there
    if (!m_runIds.empty()) m_runs.removeAgain(m_runIds);
}

void ModelTrashCommand::undo() {
    m_state->wanted = false;
    settle(m_state);
    if (!m_runIds.empty()) m_runs.bringBack(m_runIds);
}

void ModelTrashCommand::settle(const std::shared_ptr<State>& state) {
    if (state->going) return;
    const bool in = state->wanted;
    std::vector<size_t> which;
    std::vector<std::pair<QString, TrashedModel>> files;
    for (size_t i = 0; i < state->models.size(); ++i) {
        const One& one = state->models[i];
        if (one.inTrash == in) continue;
        const QString path = QString::fromStdString(one.record.path);
        if (in && state->inUse(path)) {
            state->failed(ModelsPage::tr("%1 is in use.").arg(path.toHtmlEscaped()));
            continue;
        }
        which.push_back(i);
        files.emplace_back(path, one.trashed);
    }
    if (which.empty()) return;
    state->going = true;
    const auto move = [files, in] {
        std::vector<std::optional<TrashedModel>> moved;
        for (const auto& [path, trashed] : files)
            moved.push_back(in ? moveModelToTrash(path) : bringBackModel(path, trashed));
        return moved;
    };
    const auto note = [state, which, in](const std::vector<std::optional<TrashedModel>>& moved) {
        state->going = false;
        take(*state, which, moved, in);
        if (state->wanted != in) settle(state); // asked for meanwhile
    };
    inBackground(&state->shelf, move, note);
}

void ModelTrashCommand::take(State& state, const std::vector<size_t>& which,
                             const std::vector<std::optional<TrashedModel>>& moved, bool intoTrash) {
    QStringList problems;
    for (size_t i = 0; i < which.size(); ++i) {
        One& one = state.models[which[i]];
        const QString path = QString::fromStdString(one.record.path);
        if (!moved[i]) {
            problems.append(cannotMove(intoTrash).arg(path.toHtmlEscaped()));
            continue;
        }
        one.inTrash = intoTrash;
        if (intoTrash) {
            one.trashed = *moved[i];
            if (const auto now = state.shelf.record(one.record.id)) one.record = *now;
            state.shelf.forget(one.record.id);
            continue;
        }
        state.shelf.put(one.record);
        state.shelf.lookAgain(path);
        for (const auto& stays : *moved[i])
            problems.append(cannotMove(intoTrash).arg(stays.first.toHtmlEscaped()));
    }
    if (!problems.isEmpty()) state.failed(problems.join(QStringLiteral("<br>")));
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

int RunTrashCommand::id() const {
    return kTrashStep;
}

void RunTrashCommand::redo() {
    if (!std::exchange(m_first, false)) m_runs.removeAgain(m_ids);
}

void RunTrashCommand::undo() {
    m_runs.bringBack(m_ids);
}

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits of what the user brought or trained, each with a way back: name, note, place on the list. GUI thread.
#pragma once

#include "app/engine/models/model_shelf.h"
#include "app/pages/models/model_removal.h"

#include <QUndoCommand>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace homebooth::app {

class RunCentre;

/// An imported model before and after; nothing: it is not on the list.
class ModelCommand : public QUndoCommand {
public:
    ModelCommand(ModelShelf& models, std::optional<core::ModelRecord> before,
                 std::optional<core::ModelRecord> after, const QString& text);
    void redo() override { take(m_before, m_after); }
    void undo() override { take(m_after, m_before); }

private:
    void take(const std::optional<core::ModelRecord>& from, const std::optional<core::ModelRecord>& to);

    ModelShelf& m_models;
    std::optional<core::ModelRecord> m_before;
    std::optional<core::ModelRecord> m_after;
};

/// Imported models that went into the trash together with their files. A step that is asked for while files
/// are on their way is done once they are there.
class ModelTrashCommand : public QUndoCommand {
public:
    struct One {
        core::ModelRecord record;
        TrashedModel trashed; ///< empty: nothing of it was there
        bool inTrash = true;
    };
    /// @param failed  is told why a step could not be done, as HTML
    /// @param runs  records of trainings that go right behind it: their step becomes part of this one
    ModelTrashCommand(const Services& services, std::vector<One> models,
                      std::function<void(const QString&)> failed, const QString& text,
                      std::vector<int64_t> runs = {});
    void redo() override;
    void undo() override;
    [[nodiscard]] int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    struct State; ///< outlives the step: files are on their way for a while
    /// Begins to do what is wanted, unless something is on its way.
    static void settle(const std::shared_ptr<State>& state);
    /// Takes note of what was moved. @param moved  as the functions for it say
    static void take(State& state, const std::vector<size_t>& which,
                     const std::vector<std::optional<TrashedModel>>& moved, bool intoTrash);

    RunCentre& m_runs;
    std::vector<int64_t> m_awaited; ///< trainings whose step is still to come
    std::vector<int64_t> m_runIds;  ///< that went with it
    std::shared_ptr<State> m_state;
};

/// A run with its result under another title.
class RunTitleCommand : public QUndoCommand {
public:
    RunTitleCommand(RunCentre& runs, const QString& folder, QString before, QString after,
                    const QString& text);
    void redo() override;
    void undo() override;

private:
    void rename(const QString& title);

    RunCentre& m_runs;
    int64_t m_id = 0; ///< of its record: its folder may have another name by then, and another run the folder
    QString m_before;
    QString m_after;
};

/// Runs that went into the trash together.
class RunTrashCommand : public QUndoCommand {
public:
    /// @param ids  their records', in the order in which they went
    RunTrashCommand(RunCentre& runs, std::vector<int64_t> ids, const QString& text);
    void redo() override;
    void undo() override;
    [[nodiscard]] int id() const override; ///< so that a step with models may take it in
    [[nodiscard]] const std::vector<int64_t>& ids() const { return m_ids; }

private:
    RunCentre& m_runs;
    std::vector<int64_t> m_ids;
    bool m_first = true; ///< they are there already
};

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes what is broken or missing out of a dataset, as a step that can be undone.
// The function is of any thread; the command of the GUI thread, files on the one that writes captions.
#pragma once

#include "app/library/background.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/left_out.h"

#include <QUndoCommand>

#include <functional>
#include <memory>
#include <vector>

namespace homebooth::app {

/// Takes back what was left out: files go where they were, unless others are there by now, and lines into
/// metadata.jsonl. What is elsewhere by now stays there.
/// @param out  keeps what is not back, for another try
/// Errors: BadInput where "left out" is not there, as when its drive is away: nothing is changed then;
/// OutOfResources and BadInput for what could not be moved: all the rest is back then
[[nodiscard]] core::Result<void> takeBack(const QString& folder, LeftOut& out);

class LeavingOut : public QUndoCommand {
public:
    /// @param out  whether it was left out, not taken back
    using After = std::function<void(const core::Result<void>& done, bool out)>;

    /// @param items  all of the dataset, as they are shown
    /// @param after  called when it is done, unless `owner` is gone by then
    LeavingOut(QObject* owner, const QString& folder, const std::vector<DatasetItem>& items, After after);
    void redo() override;
    void undo() override;

private:
    void work(const std::function<core::Result<void>()>& what, bool out) const;

    WayBack m_back;
    QString m_folder;
    std::shared_ptr<const std::vector<DatasetItem>> m_items;
    std::shared_ptr<LeftOut> m_out; ///< what is out, of the thread that writes
    After m_after;
    bool m_done = false; ///< once at least: what was broken then may be whole by now
};

} // namespace homebooth::app

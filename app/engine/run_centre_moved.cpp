// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that finds a run again whose folder was moved, or takes it out of the trash.
#include "app/engine/request_pool.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_files.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"

#include <algorithm>

namespace homebooth::app {

void RunCentre::relocate(const QString& folder, const QString& found) {
    const auto take = [this, folder](const core::Result<QString>& place) {
        if (!place)
            return Q_EMIT failed(tr("This is not the folder of this training."),
                                 QString::fromStdString(place.error().text()));
        if (*place == folder) return show(folder); // put back
        const std::string from = folder.toStdString();
        const std::string to = place->toStdString();
        unqueue(folder); // under its old name nobody could begin it
        std::erase_if(m_workers, [&folder](const Session& one) { return one->folder() == folder; });
        std::erase_if(m_runs, [&to](const core::RunRecord& run) { return run.folder == to; });
        for (core::RunRecord& run : m_runs)
            if (run.folder == from) run.folder = to;
        m_library.write([from, to](core::Library& library) { return core::moveRun(library, from, to); });
        const auto others = [runs = m_runs, from, to] { core::followRuns(runs, {{from, to}}); };
        inBackground(
            this, others, [] {}, &lookPool());
        Q_EMIT runsChanged();
        show(*place);
        reloadRuns();
    };
    inBackground(
        this, [folder, found] { return followRun(folder, found); }, take, &requestPool());
}

void RunCentre::removeAgain(int64_t id) {
    for (const core::RunRecord& run : m_runs)
        if (run.id == id) return remove(QString::fromStdString(run.folder), true);
}

void RunCentre::bringBack(int64_t id) {
    const auto gone = m_trash.extract(id);
    if (gone.empty()) return; // on its way back, or there
    const auto& [record, files] = gone.mapped();
    const auto take = [this, record, files](bool back) {
        if (!back) {
            m_trash[record.id] = {record, files};
            return Q_EMIT failed(tr("%1 could not be taken out of the trash: look there for its folder.")
                                     .arg(QString::fromStdString(record.title)),
                                 {});
        }
        std::erase_if(m_runs, [&record](const core::RunRecord& run) { return run.folder == record.folder; });
        const auto older = [&record](const core::RunRecord& run) { return run.createdMs < record.createdMs; };
        m_runs.insert(std::find_if(m_runs.begin(), m_runs.end(), older), record);
        save(record);
    };
    inBackground(
        this, [files] { return bringBackRun(files); }, take);
}

} // namespace homebooth::app

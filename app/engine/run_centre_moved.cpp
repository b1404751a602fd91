// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that finds a run again whose folder was moved.
#include "app/engine/request_pool.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_files.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"

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

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that moves runs into the trash and out of it, and finds one again whose
// folder was moved.
#include "app/engine/request_pool.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_files.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kTellMs = 100;

} // namespace

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

void RunCentre::remove(const QStringList& folders, bool again) {
    const auto idle = [this](const QStringList& asked) {
        QStringList found;
        bool busy = false;
        for (const QString& one : asked) {
            if (m_going.contains(one)) continue; // as it is wanted
            if (works(one) || startWanted(one))
                busy = true;
            else
                found.append(one);
        }
        if (busy) Q_EMIT failed(tr("This training works. Stop it first."), {});
        return found;
    };
    // Somebody may have gone on with one in a terminal.
    const auto worked = [asked = idle(folders)] {
        QStringList elsewhere;
        std::copy_if(asked.begin(), asked.end(), std::back_inserter(elsewhere), worksOn);
        return std::pair(asked, elsewhere);
    };
    inBackground(this, worked, [this, idle, again](const std::pair<QStringList, QStringList>& found) {
        QStringList free = idle(found.first);
        free.removeIf([&found](const QString& one) { return found.second.contains(one); });
        if (!found.second.isEmpty()) Q_EMIT failed(tr("This training works. Stop it first."), {});
        if (!free.isEmpty()) moveToTrash(free, again);
    });
}

struct RunCentre::Deletion {
    QStringList left;
    std::vector<std::string> known;       ///< folders of all runs
    std::vector<core::RunRecord> records; ///< of all runs, as they were
    bool again = false;
    std::vector<int64_t> ids = {};
    QStringList titles = {};
    QStringList stays = {};
};

void RunCentre::moveToTrash(const QStringList& folders, bool again) {
    const auto deletion = std::make_shared<Deletion>();
    deletion->left = folders;
    deletion->records = m_runs;
    deletion->again = again;
    for (const core::RunRecord& run : m_runs) deletion->known.push_back(run.folder);
    m_going.unite(QSet<QString>(folders.begin(), folders.end()));
    for (const QString& folder : folders) {
        if (m_shown && m_shown->folder() == folder) dismiss();
        unqueue(folder);
    }
    trashOne(deletion);
}

void RunCentre::trashOne(const std::shared_ptr<Deletion>& deletion) {
    if (deletion->left.isEmpty()) return endDeletion(*deletion);
    inBackground(
        this, [left = deletion->left, known = deletion->known] { return trashNext(left, known); },
        [this, deletion](const std::pair<QString, TrashedRun>& gone) {
            deletion->left.removeAll(gone.first);
            takeTrashed(*deletion, gone.first, gone.second);
            trashOne(deletion);
        });
}

void RunCentre::takeTrashed(Deletion& deletion, const QString& folder, const TrashedRun& run) {
    if (run.works || !run.failed.isEmpty()) {
        m_going.remove(folder);
        const QString text = run.works ? tr("This training works. Stop it first.")
                                       : tr("%1 could not be moved into the trash.").arg(run.failed);
        return Q_EMIT failed(text, {});
    }
    const std::string gone = folder.toStdString();
    std::erase_if(m_runs, [&gone](const core::RunRecord& one) { return one.folder == gone; });
    m_library.write([gone](core::Library& library) { return core::removeRun(library, gone); });
    deletion.stays.append(run.stays);
    for (const core::RunRecord& record : deletion.records) {
        if (record.folder != gone) continue;
        m_trash[record.id] = {record, run};
        deletion.ids.push_back(record.id);
        deletion.titles.append(QString::fromStdString(record.title));
    }
    if (!m_tell.isActive()) m_tell.start(kTellMs);
}

void RunCentre::endDeletion(const Deletion& deletion) {
    if (m_tell.isActive()) tellGone();
    QStringList stays = deletion.stays;
    stays.removeDuplicates();
    if (!deletion.ids.empty() && !deletion.again) Q_EMIT trashed(deletion.ids, deletion.titles);
    if (!stays.isEmpty()) Q_EMIT momentsStay(stays);
}

void RunCentre::tellGone() {
    m_tell.stop();
    m_going.removeIf([this](const QString& folder) { return find(folder) == nullptr; });
    Q_EMIT runsChanged();
}

bool RunCentre::isGoing(const QString& folder) {
    if (!m_going.contains(folder)) return false;
    Q_EMIT failed(tr("This training is being moved into the trash."), {});
    return true;
}

void RunCentre::removeAgain(const std::vector<int64_t>& ids) {
    QStringList folders;
    for (const core::RunRecord& run : m_runs)
        if (std::find(ids.begin(), ids.end(), run.id) != ids.end())
            folders.append(QString::fromStdString(run.folder));
    if (!folders.isEmpty()) remove(folders, true);
}

void RunCentre::bringBack(const std::vector<int64_t>& ids) {
    std::vector<std::pair<core::RunRecord, TrashedRun>> asked;
    for (auto id = ids.crbegin(); id != ids.crend(); ++id) // what others stand on comes back first
        if (auto gone = m_trash.extract(*id)) asked.push_back(std::move(gone.mapped()));
    const auto work = [asked] {
        std::vector<bool> back;
        for (const auto& one : asked) back.push_back(bringBackRun(one.second));
        return back;
    };
    inBackground(this, work, [this, asked](const std::vector<bool>& back) {
        for (size_t i = 0; i < asked.size(); ++i) {
            const core::RunRecord& record = asked[i].first;
            if (back[i]) {
                takeBack(record);
                continue;
            }
            m_trash[record.id] = asked[i];
            Q_EMIT failed(tr("%1 could not be taken out of the trash: look there for its folder.")
                              .arg(QString::fromStdString(record.title)),
                          {});
        }
        // One word of all of them: whoever hears it looks at every run.
        if (std::find(back.begin(), back.end(), true) != back.end()) Q_EMIT runsChanged();
    });
}

void RunCentre::takeBack(const core::RunRecord& record) {
    std::erase_if(m_runs, [&record](const core::RunRecord& run) { return run.folder == record.folder; });
    const auto older = [&record](const core::RunRecord& run) { return run.createdMs < record.createdMs; };
    m_runs.insert(std::find_if(m_runs.begin(), m_runs.end(), older), record);
    keep(record);
}

} // namespace homebooth::app

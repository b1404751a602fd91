// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that moves runs into the trash and out of it, and finds one again whose
// folder was moved.
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kTellMs = 100;
constexpr std::chrono::seconds kLongestMove(5); // that the program's end waits for

} // namespace

void RunCentre::relocate(const QString& folder, const QString& found) {
    const auto take = [this, folder](const core::Result<QString>& place) {
        if (!place)
            return Q_EMIT failed(tr("This is not the folder of this training."),
                                 QString::fromStdString(place.error().text()));
        if (*place == folder) followJob(folder, folder); // put back
        if (*place == folder) return show(folder);
        const std::string from = folder.toStdString();
        const std::string to = place->toStdString();
        followJob(folder, *place); // under its old name nobody could begin it
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
        QStringList busy;
        for (const QString& one : asked)
            if (!m_going.contains(one)) // as it is wanted
                (works(one) || startWanted(one) ? busy : found).append(one);
        sayTheyWork(busy);
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
        sayTheyWork(found.second);
        if (!free.isEmpty()) moveToTrash(free, again);
    });
}

void RunCentre::sayTheyWork(const QStringList& folders) {
    QStringList titles;
    for (const QString& folder : folders)
        if (const core::RunRecord* run = find(folder)) titles.append(QString::fromStdString(run->title));
    if (!folders.isEmpty())
        Q_EMIT failed(tr("Still at work: %1. Stop it first.").arg(titles.join(QStringLiteral(", "))), {});
}

struct RunCentre::Deletion {
    QStringList left;
    std::vector<std::string> known; ///< folders of all runs
    bool again = false;
    std::shared_future<std::pair<QString, TrashedRun>> moving = {}; ///< as trashNext has it
    std::vector<int64_t> ids = {};
    QStringList titles = {};
    QStringList stays = {};
};

void RunCentre::moveToTrash(const QStringList& folders, bool again) {
    const auto deletion = std::make_shared<Deletion>();
    deletion->left = folders;
    deletion->again = again;
    for (const core::RunRecord& run : m_runs) deletion->known.push_back(run.folder);
    m_going.unite(QSet<QString>(folders.begin(), folders.end()));
    for (const QString& folder : folders) {
        if (m_shown && m_shown->folder() == folder) dismiss();
        unqueue(folder);
    }
    m_deletions.push_back(deletion);
    trashOne(deletion);
}

void RunCentre::trashOne(const std::shared_ptr<Deletion>& deletion) {
    if (deletion->left.isEmpty()) return endDeletion(*deletion);
    const auto moved = std::make_shared<std::promise<std::pair<QString, TrashedRun>>>();
    deletion->moving = moved->get_future().share();
    const auto move = [left = deletion->left, known = deletion->known, moved] {
        moved->set_value(trashNext(left, known));
    };
    inBackground(this, move, [this, deletion] {
        const auto& [folder, run] = deletion->moving.get();
        deletion->left.removeAll(folder);
        takeTrashed(*deletion, folder, run);
        trashOne(deletion);
    });
}

/// One that began too late is gone from its folder, and known until that is looked for again.
void RunCentre::endDeletions() {
    const auto last = std::chrono::steady_clock::now() + kLongestMove;
    for (const auto& one : m_deletions)
        if (one->moving.wait_until(last) == std::future_status::ready)
            if (const auto& [folder, run] = one->moving.get(); run.gone()) forget(folder.toStdString());
}

void RunCentre::forget(const std::string& folder) {
    m_library.write([folder](core::Library& library) { return core::removeRun(library, folder); });
}

void RunCentre::takeTrashed(Deletion& deletion, const QString& folder, const TrashedRun& run) {
    if (!run.gone()) {
        m_going.remove(folder);
        if (run.works) return sayTheyWork({folder});
        return Q_EMIT failed(tr("%1 could not be moved into the trash.").arg(run.failed), {});
    }
    const std::string gone = folder.toStdString();
    for (const core::RunRecord& record : m_runs) {
        if (record.folder != gone) continue;
        m_trash[record.id] = {record, run};
        deletion.ids.push_back(record.id);
        deletion.titles.append(QString::fromStdString(record.title));
    }
    std::erase_if(m_runs, [&gone](const core::RunRecord& one) { return one.folder == gone; });
    forget(gone);
    deletion.stays.append(run.stays);
    if (!m_tell.isActive()) m_tell.start(kTellMs);
}

void RunCentre::endDeletion(const Deletion& deletion) {
    std::erase_if(m_deletions, [&deletion](const auto& one) { return one.get() == &deletion; });
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

bool RunCentre::wasGone(int64_t id) const {
    const auto found = m_trash.find(id);
    return found != m_trash.end() && found->second.second.moved.empty();
}

void RunCentre::bringBack(const std::vector<int64_t>& ids) {
    std::vector<std::pair<core::RunRecord, TrashedRun>> asked;
    for (auto id = ids.crbegin(); id != ids.crend(); ++id) // what others stand on comes back first
        if (auto gone = m_trash.extract(*id)) asked.push_back(std::move(gone.mapped()));
    const auto work = [asked] {
        std::vector<std::optional<QString>> back;
        for (const auto& one : asked) back.push_back(bringBackRun(one.second));
        return back;
    };
    inBackground(this, work, [this, asked](const std::vector<std::optional<QString>>& back) {
        bool any = false;
        for (size_t i = 0; i < asked.size(); ++i) {
            const auto& [record, trashed] = asked[i];
            const QString title = QString::fromStdString(record.title);
            const bool stays = trashed.moved.empty() && find(trashed.folder) != nullptr;
            if (back[i] && !stays) {
                takeBack(record, *back[i]);
                any = true;
                continue;
            }
            m_trash[record.id] = asked[i];
            Q_EMIT failed(
                stays ? tr("%1 stays forgotten: in its folder's place there is a training again.").arg(title)
                      : tr("%1 could not be taken out of the trash: look there for its folder.").arg(title),
                {});
        }
        if (!any) return;
        for (const Returned& one : m_returned) followReturned(one); // also who came back after its base
        Q_EMIT runsChanged();                                       // one word of all of them
    });
}

void RunCentre::takeBack(core::RunRecord record, const QString& folder) {
    const std::string from = std::exchange(record.folder, folder.toStdString());
    const bool moved = record.folder != from;
    if (moved) {
        const core::RunRecord* other = find(QString::fromStdString(from));
        m_returned.push_back({from, record.folder, other != nullptr ? other->createdMs : core::nowMs()});
    }
    std::erase_if(m_runs, [&record](const core::RunRecord& run) { return run.folder == record.folder; });
    const auto older = [&record](const core::RunRecord& run) { return run.createdMs < record.createdMs; };
    m_runs.insert(std::find_if(m_runs.begin(), m_runs.end(), older), record);
    keep(record);
    if (moved) Q_EMIT returnedElsewhere(QString::fromStdString(record.title), folder);
}

void RunCentre::followReturned(const Returned& returned) {
    const auto& [from, to, untilMs] = returned;
    std::vector<core::RunRecord> others;
    for (core::RunRecord& run : m_runs) {
        if (run.createdMs >= untilMs) continue;
        if (run.model.starts_with(from + "/")) run.model.replace(0, from.size(), to);
        others.push_back(run);
    }
    m_library.write([returned](core::Library& library) {
        return core::followReturned(library, returned.from, returned.to, returned.untilMs);
    });
    const auto follow = [others, returned] { core::followRuns(others, {{returned.from, returned.to}}); };
    inBackground(
        this, follow, [] {}, &lookPool());
}

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window writes into a run's folder before its engine works on it. Free functions; any thread.
#pragma once

#include "app/engine/runs/resume_options.h"
#include "core/base/util/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::app {

struct RunOrder;
struct WorkCount;

/// Makes folder, photos and journal, all of it or, when something fails or the program is cut off, nothing.
/// What earlier ones of that kind left is removed. @returns the folder
/// @param count  of photos; may stop it, which is BadInput then. Null: nobody asks
[[nodiscard]] core::Result<QString> makeRun(const RunOrder& order, const QString& runsFolder,
                                            WorkCount* count = nullptr);

/// Brings a run's own paths along to where its folder was found. @returns the folder as it is known from now
/// on Errors: BadInput if no run, or another one, is there, or if somebody works on it
[[nodiscard]] core::Result<QString> followRun(const QString& before, const QString& found);

/// What became of a run that was to go into the trash.
struct TrashedRun {
    QString failed;    ///< what could not be moved; empty: all could, it is gone, or it works
    QStringList stays; ///< folders of saved moments that nobody has in view any more
    std::vector<std::pair<QString, QString>> moved = {}; ///< from where to where in the trash
    bool works = false;                                  ///< somebody works on it: it stays
    QString folder = {};                                 ///< where the run was
    [[nodiscard]] bool gone() const { return !works && failed.isEmpty(); }
};

/// Moves a run's folder into the trash, and with it that of its saved moments, where they lie elsewhere. What
/// was made of these in the cache is removed. What a copy of the run stands on, or may, stays, and what the
/// run itself was a copy of. Where its folder cannot be moved, its moments stay, too.
/// @param known  folders of other runs, wherever they are; those beside this one are known
[[nodiscard]] TrashedRun trashRun(const QString& folder, const std::vector<std::string>& known = {});

/// Moves that one of several into the trash that none of the others stands on: what one of them alone stands
/// on goes, too, once all have gone. One that somebody works on by now stays.
/// @param folders  at least one. @returns  which one it was, and what became of it
[[nodiscard]] std::pair<QString, TrashedRun> trashNext(const QStringList& folders,
                                                       const std::vector<std::string>& known);

/// Takes a run out of the trash again, under a free name where another one has its folder's by now. Of one
/// that was gone before, nothing is to be. @returns its folder; nothing: not all of it can be there again
[[nodiscard]] std::optional<QString> bringBackRun(const TrashedRun& trashed);

/// Moves something out of the desktop's trash to where nothing is. @param in  its place in there
/// @returns whether it could be moved
[[nodiscard]] bool takeOutOfTrash(const QString& in, const QString& path);

/// Whether somebody works on the run in a folder.
[[nodiscard]] bool worksOn(const QString& folder);

/// Whether this process holds the lock of a run because it moves what that has saved.
[[nodiscard]] bool isMoving(const QString& folder);

/// Changes how a run goes on. @param seen  the most that it took of each memory. @returns what was written
/// Errors: also where it is to save elsewhere, and somebody works on it or its drive is away
[[nodiscard]] core::Result<core::TrainConfig>
changeConfig(const QString& folder, const ResumeOptions& options, const core::ResourceUse& seen);

} // namespace homebooth::app

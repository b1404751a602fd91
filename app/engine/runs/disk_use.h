// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lies on a disk and what is free there; what a run keeps and what of it may go: saved moments beyond
// the newest two that are no favourites, and optimizer states of all but the newest. Free functions; any
// thread.
#pragma once

#include "core/base/util/result.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <vector>

namespace homebooth::app {

/// A file system, as people know it.
struct DiskName {
    quint64 device = 0; ///< the same for all that lies on it; 0: nobody knows
    QString name;       ///< its label, else where it is mounted
};

struct RunDisk {
    qint64 bytes = 0; ///< of the whole run, without what another one saves to which a copy's link leads
    int moments = 0;
    qint64 momentBytes = 0;
    qint64 prunableBytes = 0;
    int prunableMoments = 0; ///< which go as a whole
    DiskName disk;           ///< that the moments lie on
    qint64 stamp = 0;        ///< another one after something came or went; 0: it was not measured
};

/// What can go of all that trainings keep on one disk.
struct Prunable {
    DiskName disk;
    QStringList folders; ///< of runs, those first of which most can go
    qint64 bytes = 0;
    int moments = 0; ///< which go as a whole
};

/// What a disk has no room for.
struct Shortage {
    qint64 neededBytes = 0;
    qint64 freeBytes = -1; ///< -1: nobody knows
};

/// What a file, or a folder with all in it, takes.
[[nodiscard]] qint64 diskBytesOf(const QString& path);

/// What is free on the disk that a path lies on, or would lie on once it is made; -1: nobody knows.
[[nodiscard]] qint64 freeBytesAt(const QString& path);

/// Looks at every file of a run.
[[nodiscard]] RunDisk diskOf(const QString& runFolder);

/// The same; where nothing came or went since, what was measured before, after a few looks alone.
[[nodiscard]] RunDisk diskOf(const QString& runFolder, const RunDisk& before);

/// By disk, that first on which most can go. @param runs  as measured, by folder
[[nodiscard]] std::vector<Prunable> prunableOf(const QHash<QString, RunDisk>& runs);

/// The disk of a folder; of a run whose moments lie on another one, that of both which has less free.
[[nodiscard]] DiskName fullDiskOf(const QString& folder);

/// Frees what `diskOf` calls prunable, after the newest saved moment was verified.
/// Errors: BadInput if the newest one is damaged, or all are another run's: then nothing was removed
[[nodiscard]] core::Result<void> pruneRun(const QString& runFolder);

} // namespace homebooth::app

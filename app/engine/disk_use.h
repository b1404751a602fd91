// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lies on a disk and what is free there; what a run keeps and what of it may go: saved moments beyond
// the newest two, and optimizer states of all but the newest. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <QString>

namespace homebooth::app {

struct RunDisk {
    qint64 bytes = 0; ///< of the whole run, without what another one saves to which a copy's link leads
    int moments = 0;
    qint64 momentBytes = 0;
    qint64 prunableBytes = 0;
    int prunableMoments = 0; ///< which go as a whole
    qint64 stamp = 0;        ///< another one after something came or went; 0: it was not measured
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

/// Frees what `diskOf` calls prunable, after the newest saved moment was verified.
/// Errors: BadInput if the newest one is damaged, or all are another run's: then nothing was removed
[[nodiscard]] core::Result<void> pruneRun(const QString& runFolder);

} // namespace homebooth::app

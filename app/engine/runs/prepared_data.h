// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What trainings keep in the cache of the photos and texts that they learned: photos as latents, encoded
// captions, example pictures, and what was found out about files. All can be made again. Free functions;
// any thread but the GUI's.
#pragma once

#include <QtGlobal>

namespace homebooth::app {

/// What it takes of the disk.
[[nodiscard]] qint64 preparedBytes();

enum class Emptied {
    All,
    InUse, ///< a training works with it, whoever began that: nothing was removed
    Partly ///< some of it could not be removed
};

/// Removes it. A training that begins meanwhile waits until that is done.
[[nodiscard]] Emptied emptyPrepared();

} // namespace homebooth::app

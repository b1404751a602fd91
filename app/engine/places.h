// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where things lie: the engine beside this program, the built-in model, the user's folders. Any thread.
#pragma once

#include <QString>

namespace homebooth::app {

/// homebooth-engine: $HOMEBOOTH_ENGINE, else beside this program.
[[nodiscard]] QString enginePath();

/// The folder of what is shipped ("models/sketch" ...): $HOMEBOOTH_RESOURCES, else where it was installed,
/// else the source tree.
[[nodiscard]] QString resourcesFolder();
[[nodiscard]] QString builtInModel();

/// What Homebooth keeps for itself: library and thumbnails.
[[nodiscard]] QString dataFolder();
[[nodiscard]] QString cacheFolder();

/// Makes a folder with all that is missing above it; what Homebooth keeps for itself is the user's alone
/// then.
/// @returns whether it is there
bool makeFolder(const QString& folder);

/// Makes the folders of Homebooth's own data, settings and cache. Where that fails, so does what follows,
/// with its cause.
void makeOwnFolders();

/// `folder/name`, or with the first number that is free: "name 2".
[[nodiscard]] QString freeFolder(const QString& folder, const QString& name);

/// A file's path in `folder` that nothing has yet: "name.png", "name 2.png" ... Reads the disk.
[[nodiscard]] QString freeFile(const QString& folder, const QString& name, const QString& ending);

/// A name without what file systems or shells stumble over; never empty.
[[nodiscard]] QString safeFileName(const QString& name);

} // namespace homebooth::app

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder of files that can be made again, within a limit: what was not used for longest goes first. When a
// file was used last is the time that it was changed: file systems rarely note when a file was read.
// Free functions; any thread but the GUI's.
#pragma once

#include <QString>

namespace homebooth::app {

/// Notes that a file is used now; within an hour of the last time nothing is written.
void markUsed(const QString& file);

/// Removes files below a folder, the one first that was not used for longest, until the others take no more
/// than `bytes`. Nothing goes while they do. @returns what the others take
qint64 keepUsedLast(const QString& folder, qint64 bytes);

} // namespace homebooth::app
